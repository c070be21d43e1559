"""Pairs about evidence in company: one sentence that decides among unrelated ones, and two that decide together."""

import random
from collections.abc import Iterable, Iterator, Sequence

from training.verifier.names import JOBS, Names
from training.verifier.pair import NEITHER, REFUTES, SUPPORTS, Pair, Target
from wkgfc.sentences import sentence_spans

MAX_BESIDE = 3  # unrelated sentences around one
LENGTHS = (30, 220)  # characters of an unrelated sentence


def strangers(texts: Iterable[str]) -> list[str]:
    """Sentences of other texts, of ordinary length."""
    sentences = (text[start:end] for text in texts for start, end in sentence_spans(text))
    return [each for each in sentences if LENGTHS[0] <= len(each) <= LENGTHS[1] and each[-1:] in ".!?"]


def among_strangers(
    pairs: Sequence[Pair], others: Sequence[str], rng: random.Random, source: str, *, silent: float = 0.2
) -> Iterator[Pair]:
    """Each pair with one to three unrelated sentences before and behind; the answer stays.

    For a share of the pairs the sentence that decides is left out: then nothing is left that speaks of the claim.
    """
    for pair in pairs:
        beside = rng.sample(others, rng.randint(1, MAX_BESIDE))
        at = rng.randint(0, len(beside))
        alone = rng.random() < silent
        texts = beside if alone else [*beside[:at], pair.text, *beside[at:]]
        yield Pair(pair.title, " ".join(texts), pair.claim, NEITHER if alone else pair.target, source)


def several_pairs(names: Names, rng: random.Random, *, number: int) -> Iterator[Pair]:
    """Two sentences that only together decide; the names are of the store, what is said of them is invented."""
    for _ in range(number):
        sentences, needed, claim, target = _told(names, rng)
        texts = list(sentences)
        if needed and rng.random() < 0.25:  # one of them is missing
            texts.pop(rng.randrange(len(texts)))
            target = NEITHER
        elif rng.random() < 0.25 and not texts[1].startswith(("He ", "She ", "It ")):
            texts.reverse()
        yield Pair("", " ".join(texts), claim, target, "several")


def _told(names: Names, rng: random.Random) -> tuple[tuple[str, str], bool, str, Target]:
    """Two sentences, whether both are needed, a claim, and what is right for it."""
    a, b, c = names.some(names.people, 3)
    p, q = names.some(names.places, 2)
    land, other_land = names.some(names.countries, 2)
    (firm,), (work,) = names.some(names.organisations, 1), names.some(names.works, 1)
    job, other_job = rng.sample(JOBS, 2)
    year, first, second = rng.randint(1850, 2020), rng.randint(3, 60), rng.randint(3, 60)
    she = rng.choice(("He", "She"))
    born = (f"{a} was born in {p}.", f"{p} is a town in {land}.")
    founded = (f"{firm} was founded by {a}.", f"{a} came from {land}.")
    moved = (f"{a} is a {job} from {p}.", f"{she} moved to {q} in {year}.")
    kin = (f"{a} is the father of {b}.", f"{b} is the mother of {c}.")
    rooms = (f"{firm} employs {first} people in {p}.", f"In {q} it has another {second} employees.")
    both = (f"{a} was a {job}.", f"{b} was also a {job}.")
    apart = (f"{a} was a {job}.", f"{b} was a {other_job}.")
    wrote = (f"{work} is by {a}.", f"{a} is a {job} who was born in {year}.")
    cases: tuple[tuple[tuple[str, str], bool, str, Target], ...] = (
        (born, True, f"{a} was born in {land}.", SUPPORTS),
        (born, True, f"{a} was born in {other_land}.", REFUTES),
        (born, True, f"{land} is the country in which {a} was born.", SUPPORTS),
        (founded, True, f"The founder of {firm} came from {land}.", SUPPORTS),
        (founded, True, f"The founder of {firm} came from {other_land}.", REFUTES),
        (founded, False, f"{firm} has its head office in {land}.", NEITHER),
        (moved, True, f"{a} moved to {q} in {year}.", SUPPORTS),
        (moved, True, f"{a} moved to {q} in {year - rng.choice((1, 2, 7))}.", REFUTES),
        (moved, True, f"A {job} from {p} moved to {q}.", SUPPORTS),
        (moved, False, f"{a} never left {p}.", REFUTES),
        (moved, False, f"{a} moved to {q} for the sake of a marriage.", NEITHER),
        (kin, True, f"{a} is a grandfather of {c}.", SUPPORTS),
        (kin, True, f"{c} is a grandfather of {a}.", REFUTES),
        (kin, True, f"{c} is a grandchild of {a}.", SUPPORTS),
        (kin, True, f"{a} and {c} are brothers.", REFUTES),
        (rooms, True, f"{firm} has {first + second} employees in {p} and {q} together.", SUPPORTS),
        (rooms, True, f"{firm} has {first + second + rng.choice((-9, 9, 20))} employees in {p} and {q}.", REFUTES),
        (rooms, True, f"{firm} has more employees in {p if first > second else q} than in "
         f"{q if first > second else p}.", SUPPORTS if first != second else REFUTES),
        (rooms, True, f"{firm} has fewer employees in {p if first > second else q} than in "
         f"{q if first > second else p}.", REFUTES),
        (both, True, f"{a} and {b} had the same profession.", SUPPORTS),
        (both, True, f"{a} and {b} were both {job}s.", SUPPORTS),
        (apart, True, f"{a} and {b} had the same profession.", REFUTES),
        (apart, True, f"{a} and {b} were both {job}s.", REFUTES),
        (wrote, True, f"The author of {work} was born in {year}.", SUPPORTS),
        (wrote, True, f"The author of {work} was born in {year + rng.choice((-10, 3, 12))}.", REFUTES),
        (wrote, True, f"{work} was written by a {job}.", SUPPORTS),
    )  # fmt: skip
    return rng.choice(cases)
