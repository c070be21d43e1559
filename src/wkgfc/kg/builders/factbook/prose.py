"""The Factbook's texts as passages: each field of a page as readable sentences, in pieces of a bearable length."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from wkgfc.kg.builders.factbook.notation import plain
from wkgfc.kg.builders.factbook.pages import Page

MAX_PIECE = 1_200  # characters; a passage is judged as a whole

# Addresses, samples and what another field says as well.
_LEFT_OUT = {
    "Diplomatic representation in the US",
    "Diplomatic representation from the US",
    "Exchange rates",
    "Geographic coordinates",
    "Map references",
    "major-language sample(s)",
    "geographic coordinates",
    "Sex ratio",
    "Dependency ratios",
    "Telephones - fixed lines",
    "Civil aircraft registration country code prefix",
}
_TWICE = {("Environment", "Climate"), ("Environment", "Land use"), ("Environment", "Urbanization")}


class FactbookText(NamedTuple):
    """A passage: the page's title, the text, its address, and the id that facts of the same field bear."""

    title: str
    text: str
    url: str
    text_id: str


def texts_of(page: Page) -> Iterator[FactbookText]:
    """The passages of a page, in its order. Each begins with the country and the field, so that it stands alone."""
    for section, fields in page.sections.items():
        if not isinstance(fields, Mapping):
            continue
        for field, value in fields.items():
            if field in _LEFT_OUT or (section, field) in _TWICE or not isinstance(value, Mapping):
                continue
            body = " ".join(_sentences(field, value))
            if body:
                source = page.source(field)
                for piece in _pieces(body, MAX_PIECE):
                    text = f"{page.label} - {field}: {piece}"
                    yield FactbookText(page.label, text, page.address, source.text_id or "")


def _sentences(field: str, value: Mapping[str, object]) -> Iterator[str]:
    own = value.get("text")
    if isinstance(own, str):
        yield from _closed(plain(own))
    for name, part in value.items():
        if name in ("text", "note") or name in _LEFT_OUT or not isinstance(part, Mapping):
            continue
        text = part.get("text")
        if isinstance(text, str) and plain(text):
            label = name.strip()
            said = plain(text)
            if label.lower() in said.lower()[: len(label) + 4] or label == field:
                yield from _closed(said)
            else:
                yield from _closed(f"{label[:1].upper()}{label[1:]}: {said}")
    note = value.get("note")
    if isinstance(note, str):
        yield from _closed(plain(note))


def _closed(text: str) -> Iterator[str]:
    """The lines of a text, each ending with a full stop."""
    for line in map(str.strip, text.split("\n")):
        if line:
            yield line if line[-1] in ".!?:;" else f"{line}."


def _pieces(text: str, limit: int) -> Iterator[str]:
    """A text in pieces of at most ``limit`` characters, cut at the ends of sentences or clauses where possible."""
    while len(text) > limit:
        cut = max(text.rfind(mark, 0, limit) for mark in (". ", "; "))
        cut = cut + 1 if cut > limit // 3 else max(text.rfind(" ", 0, limit), limit // 3)
        yield text[:cut].strip()
        text = text[cut:].strip()
    if text:
        yield text
