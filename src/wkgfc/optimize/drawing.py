"""Which claims prompts are learned from and chosen by: seeded, from several sets alike, sharing no page.

The paper takes 100 training and 50 validation trajectories from FEVER and HOVER (section 4.4).
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput

TRAIN, VALIDATION = 100, 50  # paper, section 4.4


@dataclass(frozen=True)
class Drawn:
    """Claims to learn from, and others to choose by."""

    train: tuple[LabelledClaim, ...]
    validation: tuple[LabelledClaim, ...]


def draw_parts(
    sets: Sequence[Sequence[LabelledClaim]],
    pages_of: Callable[[LabelledClaim], Iterable[str]],
    *,
    train: int = TRAIN,
    validation: int = VALIDATION,
    apart_from: Iterable[LabelledClaim] = (),
    seed: int = 0,
) -> Drawn:
    """Draw both parts, the sets in turn. No claim and no page of one part is in the other, or in ``apart_from``.

    Raises:
        BadInput: there are not so many claims with labels that share no page.
    """
    tests = list(apart_from)
    texts, pages = {row.claim for row in tests}, {page for row in tests for page in pages_of(row)}
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
                    if row.claim not in texts and not pages & {*pages_of(row)}:
                        found.append(row)
                        texts.add(row.claim)
                        break
        if len(found) < size:
            raise BadInput(f"there are {len(found)} claims for {part}, not {size}, that share no page with the others")
        pages |= {page for row in found for page in pages_of(row)}
        taken[part] = found
    return Drawn(tuple(taken["train"]), tuple(taken["validation"]))
