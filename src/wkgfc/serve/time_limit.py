"""One question to the fact-checker or to the verifier, answered as a JSON object within a time limit.

The work is done in a thread of its own. A check that is out of time stops at its next step, a reading of a text when
it ends: neither is waited for, and what they would have said is dropped.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from wkgfc.checker import FactChecker
from wkgfc.claim import read_claim
from wkgfc.errors import BadInput
from wkgfc.reasoning.verifier import MAX_CHARACTERS, Ground, load_verifier

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

T = TypeVar("T")
ANSWERS = ("supports", "refutes", "neither")  # in the order of a verifier's probabilities


class Judge(Protocol):
    """What is asked of a verifier here; ``wkgfc.Verifier`` is one."""

    @property
    def name(self) -> str:
        """What the verifier is called."""

    def score(self, evidence: Sequence[str], claims: Sequence[str]) -> "NDArray[float64]":
        """Probabilities that each text supports, refutes or does neither to its claim: n x 3."""

    def explain(self, evidence: str, claim: str) -> Ground:
        """The probabilities of one text, and the sentence that decided."""


def within(timeout_s: float, work: Callable[[], T]) -> T:
    """What ``work`` returns or raises, if that takes no longer than ``timeout_s`` seconds.

    Raises:
        TimeoutError: it takes longer.
        ValueError: the limit is not over zero.
    """
    if timeout_s <= 0:
        raise ValueError("a time limit is over zero")
    worker = ThreadPoolExecutor(1, thread_name_prefix="wkgfc-limited")
    try:
        return worker.submit(copy_context().run, work).result(timeout_s)
    finally:
        worker.shutdown(wait=False, cancel_futures=True)


def check_within(
    timeout_s: float, claim: str, date: dt.date | None = None, checker: FactChecker | None = None
) -> dict[str, Any]:
    """The result of a check as the contract has it (``docs/contract.md``), without the trajectory.

    ``date`` is the day on which the claim was made. Without a ``checker`` one with the settings of the environment is
    used, which the process keeps.

    Raises:
        TimeoutError: the check takes longer than ``timeout_s`` seconds. The first one on a machine does, if it has to
            build the embedded stores.
        BadInput: the text is no claim.
        NotConfigured: a source cannot be opened.
    """
    read = read_claim(claim, date=date)

    async def check() -> dict[str, Any]:
        async with asyncio.timeout(timeout_s):
            return (await (checker or _checker()).check_async(read)).to_json()

    return within(timeout_s, lambda: asyncio.run(check()))


def verify_within(timeout_s: float, claim: str, text: str, verifier: Judge | None = None) -> dict[str, Any]:
    """What one text says of a claim: the answer, the probabilities, and the sentence that decided with its place.

    Without a ``verifier`` the one that ships is used.

    Raises:
        TimeoutError: it takes longer than ``timeout_s`` seconds.
        BadInput: the claim is none, or the text is empty or too long.
        NotConfigured: the verifier cannot be loaded.
    """
    read = read_claim(claim).text
    if not text.strip():
        raise BadInput("the text is empty: give the text that the claim is to be held against")
    if len(text) > MAX_CHARACTERS:
        raise BadInput(f"the text has {len(text):,} characters, over {MAX_CHARACTERS:,}: give the part that matters")

    def verify() -> dict[str, Any]:
        judge = verifier or load_verifier()
        ground = judge.explain(text, read)
        by_answer = dict(zip(ANSWERS, ground.probabilities, strict=True))
        return {
            "claim": read,
            "answer": max(by_answer, key=by_answer.__getitem__),
            "probabilities": {answer: round(probability, 4) for answer, probability in by_answer.items()},
            "sentence": ground.sentence,
            "start": ground.start,
            "end": ground.end,
            "verifier": judge.name,
        }

    return within(timeout_s, verify)


@lru_cache(maxsize=1)
def _checker() -> FactChecker:
    return FactChecker()
