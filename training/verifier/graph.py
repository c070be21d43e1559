"""Pairs about dates, quantities, terms of office and namesakes, by rules from a store built from Wikidata."""

import random
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph

from training.verifier.pair import NEITHER, REFUTES, SUPPORTS, Pair, Target

TIMES = {"P569": "was born", "P570": "died", "P571": "was founded", "P577": "was published"}
# Another event of the same thing, and years between: whoever was born has not died before.
OTHER_TIME = {
    "P569": ("died", (0, 0, 30)),
    "P570": ("was born", (0, 0, -30)),
    "P571": ("was dissolved", (0, 0, 30)),
    "P577": ("was announced", (0, 0, -30)),
}
QUANTITIES = {
    "P1082": ("population", "{s} has a population of {n}"),
    "P2046": ("area", "{s} has an area of {n} square kilometres"),
    "P2044": ("elevation", "{s} lies {n} metres above sea level"),
    "P2048": ("height", "{s} is {n} metres tall"),
}
UNITS = {"P1082": None, "P2046": "Q712226", "P2044": "Q11573", "P2048": "Q11573"}
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
DAY, MONTH, YEAR = 11, 10, 9  # Wikidata's precisions
_PREFIXES = """
PREFIX p: <http://www.wikidata.org/prop/> PREFIX ps: <http://www.wikidata.org/prop/statement/>
PREFIX psv: <http://www.wikidata.org/prop/statement/value/> PREFIX pq: <http://www.wikidata.org/prop/qualifier/>
PREFIX wikibase: <http://wikiba.se/ontology#>
"""


@dataclass(frozen=True)
class Day:
    """A date of the common era; month and day are 0 where the precision does not reach them."""

    year: int
    month: int = 0
    day: int = 0

    def __str__(self) -> str:
        month = f"{MONTHS[self.month - 1]} " if self.month else ""
        return f"{self.day} {month}{self.year}" if self.day else f"{month}{self.year}"

    @property
    def preposition(self) -> str:
        """What stands before it in a sentence."""
        return "on" if self.day else "in"


@dataclass(frozen=True)
class Item:
    """The label and the description of an item; the description may be empty."""

    label: str
    about: str


class Facts:
    """The facts of a store that ``wkgfc kg build`` built, with the labels of its items."""

    def __init__(self, store: Path) -> None:
        self._graph = pyoxigraph.Store.read_only(str(store / "graph"))
        with sqlite3.connect(f"file:{store / 'names.sqlite'}?mode=ro", uri=True) as names:
            rows = names.execute("SELECT id, label, coalesce(description, '') FROM entity WHERE is_page = 0")
            self._items = {identifier: Item(label, about) for identifier, label, about in rows}

    def rows(self, query: str) -> Iterator[tuple[Item, Sequence[str]]]:
        """For each solution the item of the first variable and the values of the others."""
        solutions: Any = self._graph.query(_PREFIXES + query)
        for subject, *others in solutions:
            item = self.item(subject.value)
            if item is not None:
                yield item, tuple(term.value for term in others)

    def item(self, iri: str) -> Item | None:
        """What an item is called."""
        return self._items.get(iri.rpartition("/")[2])


def graph_pairs(store: Path, rng: random.Random, *, each: int) -> Iterator[Pair]:
    """About ``each`` pairs of every kind, from facts drawn by chance."""
    facts = Facts(store)
    for pairs in (_time_pairs, _quantity_pairs, _term_pairs, _namesake_pairs):
        made = list(pairs(facts, rng))
        yield from rng.sample(made, min(each, len(made)))


def _time_pairs(facts: Facts, rng: random.Random) -> Iterator[Pair]:
    for relation, verb in TIMES.items():
        query = f"""SELECT ?s ?time ?precision {{ ?s p:{relation}/psv:{relation} ?v .
            ?v wikibase:timeValue ?time ; wikibase:timePrecision ?precision }}"""
        for item, (time, precision) in facts.rows(query):
            date = _day(time, int(precision))
            if date is not None:
                case = rng.choice(_TIME_CASES)
                claim, target = case(item.label, verb, OTHER_TIME[relation], date, rng)
                yield Pair("", _time_evidence(item.label, verb, relation, date, rng), claim, target, "time")


def _day(time: str, precision: int) -> Day | None:
    year, month, day = (
        (int(part) for part in time.lstrip("+").split("T")[0].split("-")) if time[:1] != "-" else (0, 0, 0)
    )
    if year < 1000 or precision < YEAR:
        return None
    return Day(year, month if precision >= MONTH else 0, day if precision >= DAY else 0)


def _time_evidence(label: str, verb: str, relation: str, date: Day, rng: random.Random) -> str:
    if relation == "P569" and rng.random() < 0.4:
        return f"{label} (born {date}) is known in several fields."
    if rng.random() < 0.5:
        return f"{label} {verb} {date.preposition} {date}."
    if date.day and rng.random() < 0.5:
        return f"{label} {verb} on {MONTHS[date.month - 1]} {date.day}, {date.year}."
    return f"{date.preposition.capitalize()} {date}, {label} {verb}."


_OtherTime = tuple[str, tuple[int, ...]]
_TimeCase = Callable[[str, str, _OtherTime, Day, random.Random], tuple[str, Target]]


def _same(label: str, verb: str, _: _OtherTime, date: Day, rng: random.Random) -> tuple[str, Target]:
    given = rng.choice((date, Day(date.year), Day(date.year, date.month)))
    return f"{label} {verb} {given.preposition} {given}.", SUPPORTS


def _shifted(label: str, verb: str, _: _OtherTime, date: Day, rng: random.Random) -> tuple[str, Target]:
    year = date.year + rng.choice((-1, 1)) * rng.choice((1, 1, 2, 3, 5, 10, 17, 40))
    return f"{label} {verb} in {year}.", REFUTES


def _other_day(label: str, verb: str, _: _OtherTime, date: Day, rng: random.Random) -> tuple[str, Target]:
    if not date.day:
        given = Day(date.year, rng.randint(1, 12), rng.randint(1, 28))
        return f"{label} {verb} on {given}.", NEITHER if date.month in {0, given.month} else REFUTES
    given = (
        Day(date.year, date.month % 12 + 1, date.day)
        if rng.random() < 0.5
        else Day(date.year, date.month, 29 - min(date.day, 28))
    )
    return (f"{label} {verb} on {given}.", REFUTES) if given != date else (f"{label} {verb} on {date}.", SUPPORTS)


def _bounded(label: str, verb: str, _: _OtherTime, date: Day, rng: random.Random) -> tuple[str, Target]:
    bound = date.year + rng.choice((-1, 1)) * rng.choice((1, 3, 8, 20, 50))
    word = rng.choice(("before", "after"))
    holds = (date.year < bound) == (word == "before")
    return f"{label} {verb} {word} {bound}.", SUPPORTS if holds else REFUTES


def _spanned(label: str, verb: str, _: _OtherTime, date: Day, rng: random.Random) -> tuple[str, Target]:
    off = rng.choice((0, 0, -1, 1))
    if rng.random() < 0.5:
        return f"{label} {verb} in the {(date.year // 10 + off) * 10}s.", SUPPORTS if off == 0 else REFUTES
    century = (date.year - 1) // 100 + 1 + off
    ending = {1: "st", 2: "nd", 3: "rd"}.get(century % 10 if century % 100 not in {11, 12, 13} else 0, "th")
    return f"{label} {verb} in the {century}{ending} century.", SUPPORTS if off == 0 else REFUTES


def _other_event(label: str, _: str, other: _OtherTime, date: Day, rng: random.Random) -> tuple[str, Target]:
    verb, years = other
    return f"{label} {verb} in {date.year + rng.choice(years)}.", NEITHER


_TIME_CASES: tuple[_TimeCase, ...] = (_same, _same, _shifted, _shifted, _other_day, _bounded, _spanned, _other_event)


def _quantity_pairs(facts: Facts, rng: random.Random) -> Iterator[Pair]:
    for relation, (name, sentence) in QUANTITIES.items():
        unit = f"; wikibase:quantityUnit <http://www.wikidata.org/entity/{UNITS[relation]}>" if UNITS[relation] else ""
        query = f"""SELECT ?s ?n {{ ?s p:{relation}/psv:{relation} ?v .
            ?v wikibase:quantityAmount ?n {unit} }}"""
        for item, (amount,) in facts.rows(query):
            label, value = item.label, float(amount)
            if not 20 <= value < 1e10:
                continue
            stated = f"{value:,.0f}" if value >= 100 else f"{value:g}"
            text = (
                f"{sentence.format(s=label, n=stated)}."
                if rng.random() < 0.6
                else f"The {name} of {label} is {stated}."
            )
            claim, target = _quantity_claim(label, name, sentence, value, rng)
            yield Pair("", text, claim, target, "quantity")


def _quantity_claim(label: str, name: str, sentence: str, value: float, rng: random.Random) -> tuple[str, Target]:
    case = rng.random()
    if case < 0.2:  # rounded
        digits = len(str(int(value))) - rng.choice((2, 3))
        return f"{sentence.format(s=label, n=f'about {round(value, -max(digits, 0)):,.0f}')}.", SUPPORTS
    if case < 0.3 and value >= 1e6:
        return f"{sentence.format(s=label, n=f'{value / 1e6:.1f} million')}.", SUPPORTS
    if case < 0.55:
        factor = rng.choice((0.5, 0.7, 0.85, 1.2, 1.4, 2.0, 10.0))
        return f"{sentence.format(s=label, n=f'{value * factor:,.0f}')}.", REFUTES
    if case < 0.9:
        factor = rng.choice((0.5, 0.8, 0.9, 1.1, 1.25, 2.0))
        word = rng.choice(("more than", "over", "fewer than" if name == "population" else "less than", "at least"))
        holds = (factor < 1) == (word in {"more than", "over", "at least"})
        return f"{sentence.format(s=label, n=f'{word} {value * factor:,.0f}')}.", SUPPORTS if holds else REFUTES
    others = [entry for key, entry in QUANTITIES.items() if entry[0] != name and key != "P2048"]
    return f"{rng.choice(others)[1].format(s=label, n=f'{value:,.0f}')}.", NEITHER


def _term_pairs(facts: Facts, rng: random.Random) -> Iterator[Pair]:
    """Offices are facts; their years are invented, as the pairs are about reading them."""
    for item, (office_id,) in facts.rows("SELECT ?s ?office { ?s p:P39/ps:P39 ?office }"):
        held = facts.item(office_id)
        if held is None:
            continue
        label, office = item.label, held.label
        first = rng.randint(1850, 2015)
        last = first + rng.randint(2, 14)
        text = f"{label} held the position of {office} from {first} to {last}."
        year = rng.randint(first - 8, last + 8)
        if year in (first, last):
            continue
        claims: list[tuple[str, Target]] = [
            (f"{label} was {office} in {year}.", SUPPORTS if first < year < last else REFUTES),
            (f"{label} became {office} in {first}.", SUPPORTS),
            (f"{label} became {office} in {year}.", REFUTES),
            (f"{label} was {office} until {last}.", SUPPORTS),
            (f"{label} was still {office} in {last + 3}.", REFUTES),
            (f"{label} resigned as {office} because of a scandal.", NEITHER),
            (f"{label} was never {office}.", REFUTES),
        ]
        claim, target = rng.choice(claims)
        yield Pair("", text, claim, target, "term")


def _namesake_pairs(facts: Facts, rng: random.Random) -> Iterator[Pair]:
    bearers: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for item, (time,) in facts.rows("SELECT ?s ?time { ?s p:P569/psv:P569/wikibase:timeValue ?time }"):
        if time[:1] != "-" and item.about:
            bearers[item.label].append((item.about, time[:4]))
    for label, people in bearers.items():
        for one in people:
            other = rng.choice(people) if len(people) > 1 else None
            if other is not None and other[0] != one[0] and other[1] != one[1]:
                claim = f"{label}, {other[0]}, was born in {rng.choice((one[1], other[1]))}."
                yield Pair(f"{label} ({one[0]})", f"{label} was born in {one[1]}.", claim, NEITHER, "namesake")
            elif other is None and rng.random() < 0.01:
                claim = f"{label}, {one[0]}, was born in {one[1]}."
                yield Pair(f"{label} ({one[0]})", f"{label} was born in {one[1]}.", claim, SUPPORTS, "namesake")
