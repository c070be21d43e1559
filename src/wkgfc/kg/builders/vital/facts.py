"""A fact that a rule has read in an article, before the builder makes a statement of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from wkgfc.evidence import Entity, Source, Text, Value
from wkgfc.kg.builders.vital.dates import When

Qualifiers = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Fact:
    """``relation`` holds between the article's subject (or ``subject``, where it is another) and ``value``.

    ``sentence`` is the text that states it: what a reader of a sample compares it with. ``source`` is set where that is
    another text than the article's.
    """

    relation: str
    value: Value
    sentence: str
    subject: Entity | None = None
    qualifiers: Qualifiers = ()
    source: Source | None = None


def circumstances(when: When) -> Qualifiers:
    """What qualifies a point in time: "circa", and the two years where the text gives two."""
    found: list[tuple[str, Value]] = []
    if when.latest is not None:
        found.append(("P1319", when.time.model_copy(update={"precision": 9})))
        found.append(("P1326", when.latest))
    elif when.is_circa:
        found.append(("P1480", CIRCA))
    return tuple(found)


CIRCA = Entity(id="wkgfc:Circa", label="circa")


def dated(relation: str, when: When | None, sentence: str, subject: Entity | None = None) -> Iterator[Fact]:
    """The fact that ``relation`` happened at ``when``, if there is a date."""
    if when is not None:
        yield Fact(relation, when.time, sentence, subject, circumstances(when))


def during(start: When | None, end: When | None) -> Qualifiers:
    """Start and end as qualifiers."""
    found: list[tuple[str, Value]] = []
    if start is not None:
        found.append(("P580", start.time))
    if end is not None:
        found.append(("P582", end.time))
    return tuple(found)


def english(text: str) -> Text:
    """A literal in English."""
    return Text(value=text, language="en")
