"""Pairs about how something is worded, by rule: denial, roles, superlatives, "only", speech, plans, "and".

The names are of the store, what is said of them is invented: the pairs are about reading.
"""

import random
from collections.abc import Callable, Iterator

from training.verifier.names import JOBS, Deed, Names
from training.verifier.pair import NEITHER, REFUTES, SUPPORTS, Pair, Target

Told = tuple[str, str, Target]  # evidence, claim, what is right

# What was done to whom: active and passive. The reverse of the first cannot hold beside it, of the others it can.
ONE_WAY = (
    ("defeated {b} in the final of {y}", "was defeated by {b} in the final of {y}"),
    ("succeeded {b} as mayor of {p}", "was succeeded by {b} as mayor of {p}"),
    ("is older than {b}", "is younger than {b}"),
    ("is the father of {b}", "has {b} as a father"),
    ("is the mother of {b}", "has {b} as a mother"),
    ("was born before {b}", "was born after {b}"),
    ("earned more than {b} in {y}", "earned less than {b} in {y}"),
    ("finished ahead of {b} in the race of {y}", "finished behind {b} in the race of {y}"),
    ("sold a house to {b}", "bought a house from {b}"),
    ("inherited the estate of {b}", "left an estate to {b}"),
    ("was the supervisor of {b}", "was supervised by {b}"),
)
ONE_WAY_PLACES = (
    ("lies north of {b}", "lies south of {b}"),
    ("lies east of {b}", "lies west of {b}"),
    ("has more inhabitants than {b}", "has fewer inhabitants than {b}"),
    ("contains {b}", "is contained in {b}"),
    ("is the capital of {b}", "has {b} as its capital"),
)
ONE_WAY_FIRMS = (
    ("acquired {b} in {y}", "was acquired by {b} in {y}"),
    ("is a subsidiary of {b}", "is the parent company of {b}"),
    ("was founded before {b}", "was founded after {b}"),
    ("supplies parts to {b}", "is supplied with parts by {b}"),
)
EITHER_WAY = (
    ("criticised {b}", "was criticised by {b}"),
    ("wrote letters to {b}", "received letters from {b}"),
    ("painted a portrait of {b}", "was painted by {b}"),
    ("influenced {b}", "was influenced by {b}"),
    ("praised the work of {b}", "had work that was praised by {b}"),
    ("voted for {b}", "got the vote of {b}"),
)
SYMMETRIC = ("married {b} in {y}", "was born in the same year as {b}", "worked together with {b}", "is related to {b}")

# adjective, comparative, superlative, what stands for the least, nouns
GRADES = (
    ("tall", "taller", "tallest", "shortest", ("tower", "building", "statue")),
    ("large", "larger", "largest", "smallest", ("park", "island", "library", "city")),
    ("old", "older", "oldest", "newest", ("church", "bridge", "school", "club")),
    ("long", "longer", "longest", "shortest", ("river", "tunnel", "street")),
    ("deep", "deeper", "deepest", "shallowest", ("lake", "mine", "cave")),
    ("busy", "busier", "busiest", "quietest", ("airport", "harbour", "station")),
    ("expensive", "more expensive", "most expensive", "cheapest", ("hotel", "stadium", "school")),
    ("popular", "more popular", "most popular", "least popular", ("museum", "beach", "market")),
)


def worded_pairs(names: Names, rng: random.Random, *, each: int) -> Iterator[Pair]:
    """About ``each`` pairs of every kind."""
    for source, kind in _KINDS.items():
        for _ in range(each):
            text, claim, target = kind(names, rng)
            yield Pair("", _upper(text), _upper(claim), target, source)


def affirmed(who: str, deed: Deed, rng: random.Random, *, twice: float = 0.25) -> str:
    """That somebody did it; sometimes by denying that they did not."""
    if rng.random() < twice:
        form = rng.choice(_DENIED_DENIALS)
    else:
        form = rng.choice(("{a} {past}", "{a} {past}", "{a} {past}", "{a} did {base}", "it is true that {a} {past}"))
    return form.format(a=who, past=deed.past, base=deed.base, participle=deed.participle)


def denied_of(who: str, deed: Deed, rng: random.Random) -> str:
    """That somebody did not do it."""
    form = rng.choice(_DENIALS)
    return form.format(a=who, past=deed.past, base=deed.base, participle=deed.participle)


_DENIALS = (
    "{a} did not {base}", "{a} did not {base}", "{a} never {past}", "{a} has never {participle}",
    "{a} failed to {base}", "it is untrue that {a} {past}", "at no time did {a} {base}",
    "contrary to what was printed, {a} did not {base}",
    "{a} didn't {base}", "it is false that {a} {past}", "{a} decided against it and did not {base}",
)  # fmt: skip
_DENIED_DENIALS = (
    "it is untrue that {a} never {past}", "it is false that {a} did not {base}", "{a} did not fail to {base}",
    "it would be wrong to write that {a} did not {base}", "nobody doubts that {a} {past}",
)  # fmt: skip


def _negation(names: Names, rng: random.Random) -> Told:
    (who,) = names.some(names.people, 1)
    deed, another = names.deeds()
    done, said, other = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.15
    text = affirmed(who, deed, rng) if done else denied_of(who, deed, rng)
    if rng.random() < 0.3:
        text = f"{text}, as the file of {_year(rng)} shows"
    told = another if other else deed
    claim = affirmed(who, told, rng) if said else denied_of(who, told, rng)
    return f"{text}.", f"{claim}.", NEITHER if other else SUPPORTS if done == said else REFUTES


def _roles(names: Names, rng: random.Random) -> Told:
    labels, frames = rng.choice(
        ((names.people, ONE_WAY), (names.people, ONE_WAY), (names.places, ONE_WAY_PLACES),
         (names.organisations, ONE_WAY_FIRMS), (names.people, EITHER_WAY))
    )  # fmt: skip
    first, second = names.some(labels, 2)
    place, year = names.some(names.places, 1)[0], _year(rng)
    if rng.random() < 0.1:
        frame = rng.choice(SYMMETRIC)
        first, second = names.some(names.people, 2)
        there = f"{first} {frame.format(b=second, y=year)}."
        return there, f"{second} {frame.format(b=first, y=year)}.", SUPPORTS
    active, passive = rng.choice(frames)

    def write(who: str, whom: str, *, direct: bool) -> str:
        return f"{who} {(active if direct else passive).format(b=whom, p=place, y=year)}."

    direct = rng.random() < 0.5
    text = write(first, second, direct=True) if direct else write(second, first, direct=False)
    claimed = rng.random() < 0.5
    if rng.random() < 0.5:
        claim = write(first, second, direct=True) if claimed else write(second, first, direct=False)
        return text, claim, SUPPORTS
    claim = write(second, first, direct=True) if claimed else write(first, second, direct=False)
    return text, claim, NEITHER if frames is EITHER_WAY else REFUTES


def _superlatives(names: Names, rng: random.Random) -> Told:
    adjective, comparative, superlative, least, nouns = rng.choice(GRADES)
    noun = rng.choice(nouns)
    first, second, where = names.some(names.places, 3)
    x, z = (f"the {noun} of {first}", f"the {noun} of {second}")
    most = f"the {superlative} {noun} in {where}"
    plural = f"{noun[:-1]}ies" if noun[-1] == "y" else f"{noun}es" if noun[-2:] in {"ch", "sh"} else f"{noun}s"
    year = _year(rng)
    cases: tuple[tuple[str, tuple[tuple[str, Target], ...]], ...] = (
        (f"{x} is {most}.", (
            (f"no {noun} in {where} is {comparative} than {x}.", SUPPORTS),
            (f"{x} is the second {superlative} {noun} in {where}.", REFUTES),
            (f"{x} is the {superlative} {noun} in the world.", NEITHER),
            (f"{x} is the {least} {noun} in {where}.", REFUTES),
            (f"another {noun} in {where} is {comparative} than {x}.", REFUTES),
            (f"{x} is a {noun} in {where}.", SUPPORTS),
        )),
        (f"{x} is the second {superlative} {noun} in {where} after {z}.", (
            (f"{x} is {most}.", REFUTES), (f"{z} is {most}.", SUPPORTS),
            (f"{z} is {comparative} than {x}.", SUPPORTS), (f"{x} is {comparative} than {z}.", REFUTES),
            (f"{x} is one of the two {superlative} {plural} in {where}.", SUPPORTS),
        )),
        (f"{x} is one of the {superlative} {plural} in {where}.", (
            (f"{x} is {most}.", NEITHER), (f"{x} is a {noun} in {where}.", SUPPORTS),
            (f"{x} is among the {superlative} {plural} in {where}.", SUPPORTS),
        )),
        (f"{x} is a very {adjective} {noun} in {where}.", (
            (f"{x} is {most}.", NEITHER), (f"{x} is not {adjective} at all.", REFUTES),
            (f"{x} is {adjective}.", SUPPORTS),
        )),
        (f"{x} was {most} until {year}, when {z} overtook it.", (
            (f"{x} is still {most}.", REFUTES), (f"{x} was once {most}.", SUPPORTS),
            (f"since {year}, {z} has been {comparative} than {x}.", SUPPORTS),
            (f"{z} was never {comparative} than {x}.", REFUTES),
        )),
        (f"{x} is {comparative} than {z}.", (
            (f"{z} is {comparative} than {x}.", REFUTES), (f"{x} is {most}.", NEITHER),
            (f"{z} is less {adjective} than {x}.", SUPPORTS), (f"{x} and {z} are equally {adjective}.", REFUTES),
        )),
    )  # fmt: skip
    text, claims = rng.choice(cases)
    claim, target = rng.choice(claims)
    return text, claim, target


def _scope(names: Names, rng: random.Random) -> Told:
    a, b, c = names.some(names.people, 3)
    p, q = names.some(names.places, 2)
    (firm,) = names.some(names.organisations, 1)
    deed, year = names.deed(), _year(rng)
    past, base = deed.past, deed.base
    cases: tuple[tuple[str, tuple[tuple[str, Target], ...]], ...] = (
        (f"{a} was the only guest who {past}.", (
            (f"{a} {past}.", SUPPORTS), (f"{b}, another guest, {past} too.", REFUTES),
            (f"no other guest {past}.", SUPPORTS), (f"all guests {past}.", REFUTES),
        )),
        (f"{a} was the first to {base}.", (
            (f"{a} was the only one to {base}.", NEITHER), (f"{b} was the first to {base}.", REFUTES),
            (f"nobody {past} before {a}.", SUPPORTS), (f"others had {deed.participle} before {a}.", REFUTES),
        )),
        (f"only {a} and {b} {past}.", (
            (f"{a} alone {past}.", REFUTES), (f"{c} {past} as well.", REFUTES), (f"{b} {past}.", SUPPORTS),
            (f"apart from {a} and {b} nobody {past}.", SUPPORTS),
        )),
        (f"{a} grew up in {p} and in {q}.", (
            (f"{a} grew up in {p} alone.", REFUTES), (f"{a} spent part of a childhood in {q}.", SUPPORTS),
            (f"{a} grew up nowhere but in {q}.", REFUTES),
        )),
        (f"{a} worked in {p}.", (
            (f"{a} worked only in {p}.", NEITHER), (f"{a} has always worked in {p}.", NEITHER),
            (f"{a} never worked outside {p}.", NEITHER), (f"{a} worked in {p} at some time.", SUPPORTS),
            (f"{a} never worked in {p}.", REFUTES),
        )),
        (f"{a} spent a whole life in {p} and was never anywhere else.", (
            (f"{a} was in {q} for some years.", REFUTES), (f"{a} always lived in {p}.", SUPPORTS),
            (f"{a} travelled often.", REFUTES),
        )),
        (f"all members of {firm} {past}.", (
            (f"some members of {firm} {past}.", SUPPORTS), (f"no member of {firm} {past}.", REFUTES),
            (f"one member of {firm} did not {base}.", REFUTES), (f"every member of {firm} {past}.", SUPPORTS),
        )),
        (f"some members of {firm} {past}.", (
            (f"every member of {firm} {past}.", NEITHER), (f"not one member of {firm} {past}.", REFUTES),
            (f"at least one member of {firm} {past}.", SUPPORTS),
        )),
        (f"no member of {firm} {past}.", (
            (f"some members of {firm} {past}.", REFUTES), (f"none of the members of {firm} {past}.", SUPPORTS),
        )),
        (f"the festival takes place in {p} every year; only in {year} it was left out.", (
            ("the festival has taken place every year without exception.", REFUTES),
            (f"in {year} there was no festival.", SUPPORTS), (f"the festival of {year} took place in {p}.", REFUTES),
        )),
    )  # fmt: skip
    text, claims = rng.choice(cases)
    claim, target = rng.choice(claims)
    return text, claim, target


def _speech(names: Names, rng: random.Random) -> Told:
    a, b, c = names.some(names.people, 3)
    deed = names.deed()
    what = f"{b} {deed.past}"
    believed = rng.choice(
        (f"{a} said that {what}.", f"according to {a}, {what}.", f"{a} told a newspaper that {what}.",
         f"{a} believes that {what}.", f"a rumour that {a} spread says that {what}.")
    )  # fmt: skip
    cases = (
        (believed, f"{what}.", NEITHER),
        (believed, f"{b} did not {deed.base}.", NEITHER),
        (believed, f"{a} spoke of {b}.", SUPPORTS),
        (f"{a} said that {what}.", f"{a} stated that {what}.", SUPPORTS),
        (f"{a} said that {what}.", f"{c} said that {what}.", NEITHER),
        (f"{a} denied that {what}.", f"{a} confirmed that {what}.", REFUTES),
        (f"{a} wrongly reported that {what}.", f"{what}.", REFUTES),
        (f"{a} was right in saying that {what}.", f"{what}.", SUPPORTS),
        (f"{a} asked whether {what}.", f"{what}.", NEITHER),
        (f"{a} found out that {what}.", f"{what}.", SUPPORTS),
    )
    return rng.choice(cases)


def _plans(names: Names, rng: random.Random) -> Told:
    (firm,), (p, q), year = names.some(names.organisations, 1), names.some(names.places, 2), _year(rng)
    thing, done, base = rng.choice(
        (("a museum", "opened", "open"), ("a bridge", "built", "build"), ("an office", "closed", "close"),
         ("a factory", "sold", "sell"), ("a school", "founded", "found"), ("a railway", "extended", "extend"))
    )  # fmt: skip
    plan = rng.choice(
        (f"{firm} plans to {base} {thing} in {p} in {year}.", f"{firm} hopes to {base} {thing} in {p} by {year}.",
         f"{firm} announced that it would {base} {thing} in {p}.", f"{firm} is to {base} {thing} in {p} in {year}.")
    )  # fmt: skip
    cases = (
        (plan, f"{firm} {done} {thing} in {p}.", NEITHER),
        (plan, f"{firm} has already {done} {thing} in {p}.", NEITHER),
        (plan, f"{firm} intends to {base} {thing} in {p}.", SUPPORTS),
        (plan, f"{firm} has no plans for {thing} in {p}.", REFUTES),
        (f"{plan} the plan was given up a year later.", f"{firm} {done} {thing} in {p}.", REFUTES),
        (f"{plan} it did so as planned.", f"{firm} {done} {thing} in {p}.", SUPPORTS),
        (f"{firm} {done} {thing} in {p} in {year}.", f"{firm} {done} {thing} in {p}.", SUPPORTS),
        (f"{firm} {done} {thing} in {p} in {year}.", f"{firm} {done} {thing} in {q} in {year}.", NEITHER),
        (f"{firm} almost {done} {thing} in {p}.", f"{firm} {done} {thing} in {p}.", REFUTES),
        (f"{firm} was about to {base} {thing} in {p} when its money ran out.", f"{firm} {done} {thing}.", REFUTES),
    )
    return rng.choice(cases)


def _conjunction(names: Names, rng: random.Random) -> Told:
    (a,) = names.some(names.people, 1)
    one, two, three = rng.sample(JOBS, 3)
    deed, other = names.deeds()
    cases = (
        (f"{a} was a {one} and a {two}.", f"{a} was a {rng.choice((one, two))}.", SUPPORTS),
        (f"{a} was a {one}.", f"{a} was a {one} and a {two}.", NEITHER),
        (f"{a} was a {one} and a {two}.", f"{a} was a {one} and a {three}.", NEITHER),
        (f"{a} was a {one}, but never a {two}.", f"{a} was a {one} and a {two}.", REFUTES),
        (f"{a} was a {one} and a {two}.", f"{a} was not a {two}.", REFUTES),
        (f"{a} {deed.past} and {other.past}.", f"{a} {other.past}.", SUPPORTS),
        (f"{a} {deed.past}.", f"{a} {deed.past} and {other.past}.", NEITHER),
        (f"{a} {deed.past} but did not {other.base}.", f"{a} {deed.past} and {other.past}.", REFUTES),
        (f"{a} either {deed.past} or {other.past}.", f"{a} {deed.past}.", NEITHER),
        (f"{a} {deed.past} and {other.past}.", f"{a} neither {deed.past} nor {other.past}.", REFUTES),
    )
    return rng.choice(cases)


def _year(rng: random.Random) -> int:
    return rng.randint(1820, 2022)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


_KINDS: dict[str, Callable[[Names, random.Random], Told]] = {
    "negation": _negation,
    "roles": _roles,
    "superlative": _superlatives,
    "scope": _scope,
    "speech": _speech,
    "plan": _plans,
    "conjunction": _conjunction,
}
