"""The claims of a text, checked side by side, and what came of each in the place where it stands."""

import asyncio
import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from wkgfc.documents.claims import TextSentence
from wkgfc.documents.correction import Correction, correction_of
from wkgfc.documents.opening import SourceText
from wkgfc.evidence import Record
from wkgfc.result import CheckResult
from wkgfc.usage import Usage

if TYPE_CHECKING:
    from wkgfc.checker import FactChecker

MOST = 100  # claims of one text


class CheckedSentence(Record):
    """A sentence with the result of its check, where there was one, and what the cited evidence says instead."""

    sentence: TextSentence
    result: CheckResult | None = None
    correction: Correction | None = None


class CheckedText(Record):
    """A text and its sentences in order. ``left`` is how many claims worth a check were not checked: a limit, Ctrl-C.

    Places are offsets, in characters, in ``text``: what was read of the document. ``notes`` say what of it was not
    read, or by rule instead of by the model that was chosen, and why; ``usage`` is what finding the claims took.
    """

    source: SourceText
    date: dt.date | None
    sentences: tuple[CheckedSentence, ...]
    left: int = 0
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()

    @property
    def checked(self) -> tuple[CheckedSentence, ...]:
        """The sentences that were checked."""
        return tuple(each for each in self.sentences if each.result is not None)


def chosen(sentences: Sequence[TextSentence], most: int = MOST) -> list[int]:
    """The numbers of the sentences worth a check, in order: at most ``most``, those with most in them."""
    worth = [number for number, each in enumerate(sentences) if each.standing == "worth checking"]
    return sorted(sorted(worth, key=lambda number: -sentences[number].score)[:most])


async def check_sentences(
    checker: "FactChecker",
    sentences: Sequence[TextSentence],
    numbers: Sequence[int],
    told: Callable[[int, CheckResult], None],
    *,
    date: dt.date | None = None,
    concurrency: int = 4,
) -> None:
    """Check the sentences with these numbers, ``concurrency`` at a time. ``told`` of each result as it comes.

    What was told stays with the caller when this is cancelled. One claim that is said twice is checked once.
    """
    places = asyncio.Semaphore(concurrency)
    same: dict[str, list[int]] = {}
    for number in numbers:
        same.setdefault(sentences[number].claim, []).append(number)

    async def one(twins: Sequence[int]) -> None:
        async with places, aclosing(checker.stream(sentences[twins[0]].to_check(date))) as events:
            async for event in events:
                if isinstance(event, CheckResult):
                    for number in twins:
                        told(number, event)

    async with checker.connected(), asyncio.TaskGroup() as group:
        for twins in same.values():
            group.create_task(one(twins))


def checked_text(
    source: SourceText,
    date: dt.date | None,
    sentences: Sequence[TextSentence],
    results: Mapping[int, CheckResult],
    *,
    notes: Sequence[str] = (),
    usage: Usage | None = None,
) -> CheckedText:
    """The text with the results, by the numbers of the sentences."""
    found = (results.get(number) for number in range(len(sentences)))
    return CheckedText(
        source=source,
        date=date,
        sentences=tuple(
            CheckedSentence(sentence=each, result=result, correction=correction_of(result) if result else None)
            for each, result in zip(sentences, found, strict=True)
        ),
        left=sum(each.standing == "worth checking" for each in sentences) - len(results),
        notes=tuple(notes),
        usage=usage or Usage(),
    )
