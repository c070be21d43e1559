"""A verifier that answers from a script: for the logic around it alone."""

import threading
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from wkgfc.reasoning.verifier import Ground

SUPPORTS, REFUTES, NEITHER = (0.9, 0.05, 0.05), (0.05, 0.9, 0.05), (0.1, 0.1, 0.8)


class ScriptedJudge:
    """What ``script`` says of a text and a claim, and "neither" of all others.

    The sentence that decided is the whole text. At a text of ``stuck_at`` it waits until ``released`` is set, as a
    reading does that takes too long.
    """

    name = "scripted"

    def __init__(
        self, script: Mapping[tuple[str, str], tuple[float, float, float]], *, stuck_at: str | None = None
    ) -> None:
        self.script, self.stuck_at = script, stuck_at
        self.released = threading.Event()
        self.asked: list[tuple[str, str]] = []

    def score(self, evidence: Sequence[str], claims: Sequence[str]) -> NDArray[np.float64]:
        return np.array([self._judge(text, claim) for text, claim in zip(evidence, claims, strict=True)])

    def explain(self, evidence: str, claim: str) -> Ground:
        return Ground(self._judge(evidence, claim), evidence, 0, len(evidence))

    def _judge(self, text: str, claim: str) -> tuple[float, float, float]:
        self.asked.append((text, claim))
        if text == self.stuck_at:
            self.released.wait(60)
        return self.script.get((text, claim), NEITHER)
