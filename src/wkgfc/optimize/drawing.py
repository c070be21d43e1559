"""Which claims are learned from, chosen by and tested on: seeded, and no two of these parts are about the same.

What a claim is about are the pages that its set names, and for a chain of statements the things it goes through: what
it begins with, and the subject of each statement. Values that many share (a continent, a year) do not count.

The paper takes 100 training and 50 validation trajectories from FEVER and HOVER (section 4.4).
"""

import random
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput

TRAIN, VALIDATION = 100, 50  # paper, section 4.4


@dataclass(frozen=True)
class Drawn:
    """Claims to learn from, and others to choose by."""

    train: tuple[LabelledClaim, ...]
    validation: tuple[LabelledClaim, ...]


@dataclass(frozen=True)
class ClaimSet:
    """Claims with the name of the set that they are of."""

    name: str
    rows: tuple[LabelledClaim, ...]

    @property
    def labelled(self) -> tuple[LabelledClaim, ...]:
        """Those whose label is a veracity."""
        return tuple(row for row in self.rows if row.veracity is not None)


def about(row: LabelledClaim, pages: Iterable[str]) -> frozenset[str]:
    """What a claim is about: the pages that its set names, and the things that its chain goes through."""
    chain = row.meta.get("chain")
    if not isinstance(chain, list):
        return frozenset(pages)
    subjects = [step[0] for step in chain if isinstance(step, list) and step and isinstance(step[0], str)]
    items = row.meta.get("items")
    start = [each for each in items[:1] if isinstance(each, str)] if isinstance(items, list) else []
    return frozenset((*pages, *start, *subjects))


def apart_from(
    rows: Iterable[LabelledClaim],
    others: Collection[LabelledClaim],
    about_of: Callable[[LabelledClaim], Iterable[str]],
) -> tuple[LabelledClaim, ...]:
    """The rows whose words and what they are about are in none of the others."""
    texts, marks = {row.claim for row in others}, {mark for row in others for mark in about_of(row)}
    return tuple(row for row in rows if row.claim not in texts and marks.isdisjoint(about_of(row)))


def draw_parts(
    sets: Sequence[Sequence[LabelledClaim]],
    about_of: Callable[[LabelledClaim], Iterable[str]],
    *,
    train: int = TRAIN,
    validation: int = VALIDATION,
    apart_from: Iterable[LabelledClaim] = (),
    seed: int = 0,
) -> Drawn:
    """Draw both parts, the sets in turn. None is about what the other part or ``apart_from`` is about.

    Raises:
        BadInput: there are not so many claims with labels that share no page.
    """
    tests = list(apart_from)
    texts, pages = {row.claim for row in tests}, {page for row in tests for page in about_of(row)}
    taken: dict[str, list[LabelledClaim]] = {}
    for part, size in (("validation", validation), ("train", train)):
        waiting = [[row for row in rows if row.veracity is not None] for rows in sets]
        for rows in waiting:
            random.Random(seed).shuffle(rows)
        found: list[LabelledClaim] = []
        while len(found) < size and any(waiting):
            for rows in waiting:
                while rows and len(found) < size:
                    row = rows.pop()
                    if row.claim not in texts and not pages & {*about_of(row)}:
                        found.append(row)
                        texts.add(row.claim)
                        break
        if len(found) < size:
            raise BadInput(f"there are {len(found)} claims for {part}, not {size}, that share no page with the others")
        pages |= {page for row in found for page in about_of(row)}
        taken[part] = found
    return Drawn(tuple(taken["train"]), tuple(taken["validation"]))
