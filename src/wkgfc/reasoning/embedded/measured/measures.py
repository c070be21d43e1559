"""What the words of a claim measure: the table ``measures.json``, read once."""

import json
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

Order = Literal["greater", "less"]


@dataclass(frozen=True)
class Measure:
    """Something that can be compared. ``relations`` are property ids, the most usual first.

    ``spread`` is the relative difference that careful sources show for such a value. A measure with ``is_time`` is
    ordered from early ("less") to late ("greater").
    """

    name: str
    relations: tuple[str, ...]
    spread: Decimal = Decimal(0)
    is_time: bool = False


@dataclass(frozen=True)
class CountRule:
    """Which relation a counted noun counts.

    ``verbs`` are the lemmas under which the noun has that meaning (none: any). ``is_inward``: the subjects that have
    the claim's entity as object are counted. ``number`` is the property that states the count itself.
    ``is_complete``: a knowledge graph that has the relation has all of it, in practice. ``is_filtered``: only objects
    whose label or description names the noun are counted; ``objects`` are the words that name it otherwise, and
    ``aliases`` what else a noun is called there.
    """

    nouns: frozenset[str]
    verbs: frozenset[str]
    relations: tuple[str, ...]
    number: str | None
    is_inward: bool
    is_complete: bool
    is_filtered: bool
    objects: tuple[str, ...]
    aliases: tuple[tuple[str, str], ...]


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    path = files("wkgfc.reasoning.embedded.measured") / "measures.json"
    table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return table


def measure(name: str) -> Measure:
    """The measure of that name.

    Raises:
        KeyError: the table has none.
    """
    row = _table()["measures"][name]
    return Measure(name, tuple(row["relations"]), Decimal(str(row.get("spread", 0))), row.get("is_time", False))


def measure_of_adjective(word: str, kind: str | None = None) -> tuple[Measure, Order] | None:
    """What an adjective (in any degree) measures, and in which order, for things of a ``kind`` ("mountain")."""
    base = _table()["irregular"].get(word.lower(), word.lower())
    found = _table()["adjectives"].get(base)
    if found is None:
        return None
    name, order = found
    for special, kinds in _table()["types"].get(base, {}).items():
        if kind is not None and kind in kinds:
            name = special
    return measure(name), order


def measure_of_noun(noun: str) -> Measure | None:
    """What a noun in the singular names as a measure: "population", "floor"."""
    name = _table()["nouns"].get(noun.lower())
    return measure(name) if name else None


def measure_of_event(verb: str) -> Measure | None:
    """The time of what a verb says happened: "born", "came out"."""
    name = _table()["events"].get(verb.lower())
    return measure(name) if name else None


def measure_of_phrase(phrase: str) -> Measure | None:
    """What "by area" or "in terms of population" names."""
    folded = " ".join(phrase.lower().split())
    for name, row in _table()["measures"].items():
        if folded in row.get("words", ()):
            return measure(name)
    return None


def words(section: Literal["adjectives", "irregular", "nouns", "events"]) -> tuple[str, ...]:
    """The words of a section of the table, longest first."""
    return tuple(sorted(_table()[section], key=len, reverse=True))


@lru_cache(maxsize=1)
def kinds() -> tuple[str, ...]:
    """The nouns that say of what kind a measured thing is, longest first."""
    table = _table()["types"]
    named = {kind for row in table.values() if isinstance(row, dict) for names in row.values() for kind in names}
    return tuple(sorted(named | set(table["others"]), key=len, reverse=True))


def measure_phrases() -> tuple[str, ...]:
    """All phrases that name a measure, longest first."""
    phrases = [phrase for row in _table()["measures"].values() for phrase in row.get("words", ())]
    return tuple(sorted(phrases, key=len, reverse=True))


@lru_cache(maxsize=1)
def count_rules() -> tuple[CountRule, ...]:
    """The rules of counting, in the order of the table."""
    return tuple(
        CountRule(
            nouns=frozenset(row["nouns"]),
            verbs=frozenset(row.get("verbs", ())),
            relations=tuple(row["relations"]),
            number=row.get("number"),
            is_inward=row.get("inward", False),
            is_complete=row["complete"],
            is_filtered=row.get("filtered", False),
            objects=tuple(row.get("objects", ())),
            aliases=tuple(row.get("aliases", {}).items()),
        )
        for row in _table()["counts"]
    )
