"""Pairs about measures in another unit, about numbers that differ by a little, and about what came first: by rule.

The names are of the store, the values are invented.
"""

import random
from collections.abc import Iterator

from training.verifier.graph import Day
from training.verifier.names import Names
from training.verifier.pair import NEITHER, REFUTES, SUPPORTS, Pair, Target

# what is measured, one unit, another, how many of the other one of the first is, smallest and largest value
MEASURES = (
    ("the tower of {p} is {v} high", "metres", "feet", 3.2808, 20, 400),
    ("the road from {p} to {q} is {v} long", "kilometres", "miles", 0.62137, 5, 900),
    ("the statue in {p} weighs {v}", "kilograms", "pounds", 2.2046, 40, 9_000),
    ("the ship of {o} weighs {v}", "tonnes", "kilograms", 1_000.0, 2, 90),
    ("the forest near {p} covers {v}", "hectares", "acres", 2.4711, 20, 9_000),
    ("the district of {p} has an area of {v}", "square kilometres", "square miles", 0.3861, 10, 9_000),
    ("the tank of {o} holds {v}", "litres", "gallons", 0.26417, 50, 9_000),
    ("the flight from {p} to {q} takes {v}", "hours", "minutes", 60.0, 2, 15),
    ("the strike at {o} lasted {v}", "weeks", "days", 7.0, 2, 30),
    ("the reign lasted {v}", "decades", "years", 10.0, 2, 8),
    ("the child of {p} is {v} old", "years", "months", 12.0, 2, 9),
    ("the train from {p} runs at {v}", "kilometres an hour", "miles an hour", 0.62137, 40, 350),
    ("the tunnel of {p} is {v} long", "kilometres", "metres", 1_000.0, 2, 60),
    ("the plank is {v} thick", "centimetres", "millimetres", 10.0, 2, 90),
    ("the screw from {o} is {v} long", "inches", "centimetres", 2.54, 2, 90),
    ("the parcel weighs {v}", "kilograms", "grams", 1_000.0, 2, 40),
    ("{o} sold {v} of its goods", "million", "thousand", 1_000.0, 2, 40),
)
SHARES = (
    ("half", 50), ("a quarter", 25), ("three quarters", 75), ("a third", 33), ("two thirds", 67), ("a fifth", 20),
    ("a tenth", 10), ("two fifths", 40),
)  # fmt: skip
HAPPENED = (
    ("opened", "the museum of {p}"), ("was founded", "the school of {p}"), ("was completed", "the bridge of {p}"),
    ("was published", "{w}"), ("was born", "{a}"), ("died", "{a}"), ("was first shown", "{w}"),
    ("joined {o}", "{a}"), ("moved to {p}", "{a}"), ("burned down", "the theatre of {p}"),
)  # fmt: skip
POSTS = ("mayor", "judge", "minister", "bishop", "ambassador", "professor", "coach", "editor")


def measured_pairs(names: Names, rng: random.Random, *, each: int) -> Iterator[Pair]:
    """About ``each`` pairs of every kind."""
    for source, kind in (("unit", _units), ("rounding", _rounding), ("order", _order), ("precision", _precision)):
        for _ in range(each):
            text, claim, target = kind(names, rng)
            yield Pair("", _upper(text), _upper(claim), target, source)


def number(value: float, digits: int = 3) -> str:
    """A value in so many significant digits, with commas."""
    shown = float(f"{value:.{digits}g}")
    return f"{shown:,.0f}" if shown >= 100 or shown == int(shown) else f"{shown:g}"


def _units(names: Names, rng: random.Random) -> tuple[str, str, Target]:
    if rng.random() < 0.15:
        return _share(names, rng)
    frame, unit, other, factor, low, high = rng.choice(MEASURES)
    (p, q), (o,) = names.some(names.places, 2), names.some(names.organisations, 1)
    value = float(number(low * (high / low) ** rng.random(), rng.choice((2, 3))).replace(",", ""))
    if unit in {"million", "hours", "weeks", "decades", "years", "tonnes"}:
        value = max(round(value), 2)
    one, another = (value, unit), (value * factor, other)
    (stated, stated_unit), (told, told_unit) = (one, another) if rng.random() < 0.6 else (another, one)
    case = rng.random()

    def said(how: float, which: str, word: str = "") -> str:
        given = f"{word}{number(how)} {which}" + (" pieces" if which in {"million", "thousand"} else "")
        return f"{frame.format(p=p, q=q, o=o, v=given)}."

    text = said(stated, stated_unit)
    if case < 0.35:
        return text, said(told, told_unit, rng.choice(("", "about ", "roughly ", ""))), SUPPORTS
    if case < 0.6:
        wrong = told * rng.choice((0.1, 0.3, 0.5, 0.6, 0.75, 1.35, 1.7, 2.0, 3.0, 10.0))
        return text, said(wrong, told_unit, rng.choice(("", "about ", ""))), REFUTES
    if case < 0.75:
        return text, said(stated, told_unit), REFUTES
    bound, more = rng.choice((0.5, 0.8, 1.25, 2.0)), rng.random() < 0.5
    holds = (bound < 1) == more
    return text, said(told * bound, told_unit, "more than " if more else "less than "), SUPPORTS if holds else REFUTES


def _share(names: Names, rng: random.Random) -> tuple[str, str, Target]:
    (words, share), (_, another) = rng.sample(SHARES, 2)
    (p,) = names.some(names.places, 1)
    what = rng.choice((f"the voters of {p} agreed", f"the houses of {p} were empty", f"the land of {p} is forest"))
    as_words, as_number = f"{words} of {what}.", f"{share} per cent of {what}."
    text, claim = (as_words, as_number) if rng.random() < 0.5 else (as_number, as_words)
    if rng.random() < 0.4:
        return text, claim, SUPPORTS
    if rng.random() < 0.5:
        return as_words, f"{another} per cent of {what}.", REFUTES
    bound = rng.choice((15, 30, 45, 60, 80))
    return text, f"more than {bound} per cent of {what}.", SUPPORTS if share > bound else REFUTES


def _rounding(names: Names, rng: random.Random) -> tuple[str, str, Target]:
    (p,), (o,) = names.some(names.places, 1), names.some(names.organisations, 1)
    frame = rng.choice(
        ("{p} counted {n} visitors in {y}", "{o} has {n} employees", "{n} people live in {p}",
         "{o} produced {n} cars in {y}", "the library of {p} holds {n} books", "{n} people voted for {o}")
    )  # fmt: skip
    value, year = int(10 ** rng.uniform(2.2, 7.5)), rng.randint(1900, 2022)

    def said(how: str) -> str:
        return f"{frame.format(p=p, o=o, n=how, y=year)}."

    digits = len(str(value))
    text, case = said(f"{value:,}"), rng.random()
    if case < 0.3:
        near = round(value, rng.choice((1, 2, 2)) - digits)
        if abs(near - value) > value / 10:  # nine hundred for 850, but not one thousand for 1,400
            near = round(value, 2 - digits)
        words = ("about", "around", "roughly", *(("nearly",) if near > value else ()))
        return text, said(f"{rng.choice(words)} {near:,}"), SUPPORTS
    if case < 0.55:
        off = int(value * rng.choice((0.4, 0.6, 0.8, 1.2, 1.5, 2.0, 10.0)))
        return text, said(f"{rng.choice(('about ', 'around ', ''))}{off:,}"), REFUTES
    if case < 0.7:  # one digit off, and said exactly
        return text, said(f"{value + rng.choice((-1, 1)) * 10 ** rng.randint(0, digits - 2):,}"), REFUTES
    bound = round(int(value * rng.choice((0.5, 0.8, 0.95, 1.05, 1.25, 2.0))), 2 - digits)
    word = rng.choice(("more than", "over", "fewer than", "under", "at least", "at most"))
    holds = (value > bound) == (word in {"more than", "over", "at least"})
    return text, said(f"{word} {bound:,}"), SUPPORTS if holds else REFUTES


def _precision(names: Names, rng: random.Random) -> tuple[str, str, Target]:
    verb, who, _ = _event(names, rng)
    day = Day(rng.randint(1700, 2022), rng.randint(1, 12), rng.randint(1, 28))
    month = Day(day.year, day.month)
    stated = rng.choice((day, day, month, Day(day.year)))
    text = f"{who} {verb} {stated.preposition} {stated}."
    season = ("winter", "spring", "summer", "autumn")[day.month % 12 // 3]
    half = "first" if day.month < 7 else "second"
    claims: list[tuple[str, Target]] = [
        (f"in {day.year}", SUPPORTS), (f"in the {day.year // 10 * 10}s", SUPPORTS),
        (f"in {day.year + rng.choice((-2, -1, 1, 2))}", REFUTES), (f"before {day.year - 1}", REFUTES),
        (f"in the {day.year // 10 * 10 + rng.choice((-10, 10))}s", REFUTES),
    ]  # fmt: skip
    if stated.month:
        other = Day(day.year, (day.month + rng.choice((1, 2, 5, 6)) - 1) % 12 + 1)
        claims += [(f"in {month}", SUPPORTS), (f"in {other}", REFUTES), (f"in the {half} half of {day.year}", SUPPORTS)]
        claims += [(f"in the {season} of {day.year}", SUPPORTS)] if day.month % 3 == 1 and day.month != 1 else []
    if stated.day:
        claims.append((f"on {Day(day.year, day.month, day.day % 28 + 1)}", REFUTES))
    else:
        claims += [(f"on {day}", NEITHER), (f"in {month}", SUPPORTS if stated.month else NEITHER)]
    claim, target = rng.choice(claims)
    return text, f"{who} {verb} {claim}.", target


def _order(names: Names, rng: random.Random) -> tuple[str, str, Target]:
    if rng.random() < 0.3:
        return _career(names, rng)
    verb, one, two = _event(names, rng)
    other_verb = verb if rng.random() < 0.6 else "was visited by the king"
    first = rng.randint(1750, 2000)
    gap = rng.choice((1, 2, 3, 5, 8, 12, 20, 40))
    early, late = f"{one} {verb}", f"{two} {other_verb}"
    dated = [_upper(f"{early} in {first}."), _upper(f"{late} in {first + gap}.")]
    rng.shuffle(dated)
    bare = f"{early} before {late}."
    text = rng.choice((" ".join(dated), f"{late} {gap} years after {early}.", bare))
    counted = text != bare
    claims: list[tuple[str, Target]] = [
        (f"{early} before {late}.", SUPPORTS), (f"{late} after {early}.", SUPPORTS),
        (f"{late} before {early}.", REFUTES), (f"{early} after {late}.", REFUTES),
        (f"{early} later than {late}.", REFUTES),
        (f"{early} and {late} in the same year.", REFUTES if counted else NEITHER),
    ]  # fmt: skip
    if counted:
        claims += [(f"{early} {gap} years before {late}.", SUPPORTS),
                   (f"{early} {gap + rng.choice((2, 5, 10))} years before {late}.", REFUTES)]  # fmt: skip
    if str(first) not in text:
        claims.append((f"{early} in {first}.", NEITHER))
    claim, target = rng.choice(claims)
    return text, claim, target


def _career(names: Names, rng: random.Random) -> tuple[str, str, Target]:
    (a,), (one, two) = names.some(names.people, 1), rng.sample(POSTS, 2)
    first = rng.randint(1800, 1990)
    second = first + rng.randint(2, 15)
    text = rng.choice(
        (f"{a} was {one} from {first} to {second} and then {two}.", f"after years as {one}, {a} became {two}.",
         f"{a} became {two} in {second}, having been {one} since {first}.", f"before becoming {two}, {a} was {one}.")
    )  # fmt: skip
    cases = [
        (f"{a} was {one} before being {two}.", SUPPORTS), (f"{a} was {two} before being {one}.", REFUTES),
        (f"{a} became {two} after being {one}.", SUPPORTS), (f"{a} became {one} after being {two}.", REFUTES),
        (f"{a} was {two} first and {one} later.", REFUTES), (f"{a} was {one} first and {two} later.", SUPPORTS),
    ]  # fmt: skip
    claim, target = rng.choice(cases)
    return text, claim, target


def _event(names: Names, rng: random.Random) -> tuple[str, str, str]:
    """Something that happened, and two to whom it did."""
    verb, who = rng.choice(HAPPENED)
    (o,), (p,) = names.some(names.organisations, 1), names.some(names.places, 1)
    places, works, people = (names.some(each, 2) for each in (names.places, names.works, names.people))
    one, two = (who.format(p=places[n], w=works[n], a=people[n]) for n in (0, 1))
    return verb.format(p=p, o=o), one, two


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
