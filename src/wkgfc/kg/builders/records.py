"""What a builder yields: items with their names, and statements. The store writes them in Wikidata's vocabulary."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, unquote

from wkgfc.evidence import Entity, Record, Relation, Triple
from wkgfc.stores import Progress, fingerprint_of

LOCAL_PREFIX = "wkgfc:"


class Item(Record):
    """An entity with the names it goes by. ``is_page``: a disambiguation page, a category, a list or a template."""

    entity: Entity
    aliases: tuple[str, ...] = ()
    is_page: bool = False


BuilderRecord = Item | Relation | Triple


class Builder(Protocol):
    """One source of the embedded knowledge graph.

    ``licence`` and ``origin`` are what ``NOTICE`` and ``wkgfc kg info`` say; ``fingerprint`` changes when what is
    built would.
    """

    name: str
    licence: str
    origin: str

    def fingerprint(self) -> str:
        """A short text that names the version of the data and of the rules."""
        ...

    def records(self, progress: Progress) -> Iterator[BuilderRecord]:
        """All items, relations and statements. The same item may come several times: names are joined."""
        ...


@lru_cache(maxsize=1)
def rules_fingerprint() -> str:
    """A name for the rules and tables by which the builders read their data: another as soon as one of them changes."""
    folder = Path(__file__).parent
    files = sorted(file for file in folder.rglob("*") if file.suffix in {".py", ".json"})
    return fingerprint_of(*(f"{file.relative_to(folder)}:{file.read_text(encoding='utf-8')}" for file in files))


def local_id(title: str) -> str:
    """The store's own id for what the English Wikipedia calls ``title``: stable across builds and builders.

    >>> local_id("Charlie Chaplin")
    'wkgfc:Charlie_Chaplin'
    """
    name = title.strip().replace(" ", "_")
    return LOCAL_PREFIX + quote(name[:1].upper() + name[1:], safe="_-.,()'!*~")


def title_of(entity_id: str) -> str:
    """The title that ``local_id`` was made from."""
    return unquote(entity_id.removeprefix(LOCAL_PREFIX)).replace("_", " ")


def wikipedia_url(title: str) -> str:
    """The address of the English Wikipedia's article of that title."""
    return "https://en.wikipedia.org/wiki/" + quote(title.replace(" ", "_"), safe="_-.,()'!*~:/")
