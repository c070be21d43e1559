"""A guardrail: which sentences of a model's answer the documents behind it support.

>>> guarded = guard("Paris is in France.", ["Paris is the capital of France."])  # doctest: +SKIP
>>> guarded.is_grounded, guarded.sentences[0].ground  # doctest: +SKIP
(True, 'Paris is the capital of France.')
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass
from enum import StrEnum

from wkgfc.errors import BadInput
from wkgfc.reasoning.injection import looks_like_orders
from wkgfc.reasoning.verifier import MAX_CHARACTERS, is_readable, load_verifier
from wkgfc.sentences import sentence_spans
from wkgfc.serve.time_limit import Judge

MAX_ANSWER_CHARACTERS = 100_000
MAX_DOCUMENTS = 1_000


class Standing(StrEnum):
    """What the documents say of a sentence. ``NOT_JUDGED``: the time was over before all of them were read."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not found"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class GuardedSentence:
    """One sentence, from ``start`` to ``end`` in the answer, and how it stands.

    ``supports`` and ``refutes`` are the greatest probabilities that any document gives, 0 where it was not judged.
    ``document`` is the number of the one that decided, from 0, and ``ground`` its sentence; there is none where
    nothing was found, or nothing judged. ``suspicious`` says that this document tries to give orders to the machine
    that reads it: it was read as any other, and deserves a look.
    """

    text: str
    start: int
    end: int
    standing: Standing
    supports: float = 0.0
    refutes: float = 0.0
    document: int | None = None
    ground: str = ""
    suspicious: bool = False


@dataclass(frozen=True)
class Guarded:
    """The sentences of an answer, in its order."""

    sentences: tuple[GuardedSentence, ...]

    @property
    def is_grounded(self) -> bool:
        """Whether every sentence is supported, and there is one."""
        return bool(self.sentences) and all(each.standing is Standing.SUPPORTED for each in self.sentences)

    @property
    def is_complete(self) -> bool:
        """Whether every sentence was judged in time."""
        return not self.having(Standing.NOT_JUDGED)

    def having(self, standing: Standing) -> tuple[GuardedSentence, ...]:
        """The sentences that stand so."""
        return tuple(each for each in self.sentences if each.standing is standing)


def guard(
    answer: str,
    documents: Sequence[str],
    *,
    least: float = 0.5,
    timeout_s: float = 10.0,
    verifier: Judge | None = None,
) -> Guarded:
    """Hold each sentence of ``answer`` against ``documents``, for at most ``timeout_s`` seconds.

    A sentence is supported or contradicted where a document says so with a probability of ``least`` or more, over 0
    and up to 1; where documents disagree the surer one decides, and a tie contradicts. Each sentence is read alone:
    one that needs its neighbours to be understood is likely not found. Fragments without a letter or a digit are left
    out. Without a ``verifier`` the one that ships is used; its loading counts as time.

    Raises:
        BadInput: the answer, a document or their number is over its limit, or the documents are no list.
        NotConfigured: the verifier cannot be loaded.
        ValueError: ``least`` or ``timeout_s`` is out of its range.
    """
    if not 0 < least <= 1 or timeout_s <= 0:
        raise ValueError("least is over 0 and at most 1, and a time limit is over zero")
    deadline = time.monotonic() + timeout_s
    _refuse_too_much(answer, documents)
    spans = [span for span in sentence_spans(answer) if is_readable(answer[slice(*span)])]

    def judge(span: tuple[int, int]) -> GuardedSentence | None:
        if time.monotonic() >= deadline:
            return None
        return _judged(answer, span, documents, verifier or load_verifier(), least, deadline)

    worker = ThreadPoolExecutor(1, thread_name_prefix="wkgfc-guard")
    try:
        asked = [worker.submit(copy_context().run, judge, span) for span in spans]
        in_time = wait(asked, max(deadline - time.monotonic(), 0.0)).done
    finally:
        worker.shutdown(wait=False, cancel_futures=True)
    judged = [future.result() if future in in_time else None for future in asked]
    return Guarded(
        tuple(
            each or GuardedSentence(answer[slice(*span)], *span, Standing.NOT_JUDGED)
            for each, span in zip(judged, spans, strict=True)
        )
    )


def _judged(
    answer: str, span: tuple[int, int], documents: Sequence[str], verifier: Judge, least: float, deadline: float
) -> GuardedSentence | None:
    """The sentence with what all documents say of it; ``None`` where the time does not suffice to read them."""
    text = answer[slice(*span)]
    rows = []
    for document in documents:
        if time.monotonic() >= deadline:
            return None
        rows.append(verifier.score([document], [text])[0].tolist())
    supports, refutes = (max((row[side] for row in rows), default=0.0) for side in (0, 1))
    if max(supports, refutes) < least:
        return GuardedSentence(text, *span, Standing.NOT_FOUND, supports, refutes)
    standing, side, surest = (
        (Standing.SUPPORTED, 0, supports) if supports > refutes else (Standing.CONTRADICTED, 1, refutes)
    )
    number = [row[side] for row in rows].index(surest)
    ground = verifier.explain(documents[number], text).sentence
    suspicious = looks_like_orders(documents[number])
    return GuardedSentence(text, *span, standing, supports, refutes, number, ground, suspicious)


def _refuse_too_much(answer: str, documents: Sequence[str]) -> None:
    if isinstance(documents, str):
        raise BadInput("the documents are one text: give a list of texts")
    if len(answer) > MAX_ANSWER_CHARACTERS:
        raise BadInput(f"the answer has over {MAX_ANSWER_CHARACTERS:,} characters: guard it in parts")
    if len(documents) > MAX_DOCUMENTS:
        raise BadInput(f"there are over {MAX_DOCUMENTS:,} documents: give those that the answer was made from")
    longest = max(map(len, documents), default=0)
    if longest > MAX_CHARACTERS:
        raise BadInput(f"a document has {longest:,} characters, over {MAX_CHARACTERS:,}: give it in parts")
