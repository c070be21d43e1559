"""The claims of a text as a language model finds them, stretch by stretch; by rule where it gives nothing usable."""

import asyncio
import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wkgfc.budget import LimitReached
from wkgfc.documents.claims import TextSentence, claims_of, sentences_in
from wkgfc.documents.found_claims import MOST_A_SENTENCE, ClaimsAnswer, Read, claims_read, words_of
from wkgfc.documents.worthiness import LEAST
from wkgfc.errors import JudgementFailed
from wkgfc.reasoning.llm.asking import Asking, Question
from wkgfc.reasoning.llm.policy import Prompt
from wkgfc.reasoning.llm.views import clean

SENTENCES, SENTENCES_LOCAL = 15, 5  # of one question: what a model goes through without leaving any out
SENTENCE_CHARACTERS = 1_500  # of one that is shown; what stands behind that cannot be quoted
BEFORE = 6  # sentences that stand before, for what pronouns and names mean
BEFORE_CHARACTERS = 1_500
TITLE_CHARACTERS = 300
MAX_TOKENS, MAX_TOKENS_LOCAL = 4_000, 1_500  # of one answer

Told = Callable[[int, int], None]  # stretches done, of how many


@dataclass(frozen=True)
class FoundClaims:
    """The sentences of a text with their claims, and what was done by rule instead, with the reason."""

    sentences: tuple[TextSentence, ...]
    notes: tuple[str, ...] = ()


async def find_claims(
    text: str,
    asking: Asking,
    prompt: Prompt,
    *,
    title: str | None = None,
    date: dt.date | None = None,
    least: float = LEAST,
    told: Told = lambda done, total: None,
) -> FoundClaims:
    """Every sentence of a text, with the claims that the model finds in it.

    Each claim has its place: its quote is verbatim in the sentence. It has no name and no number that the text does not
    have. Where the model gives nothing usable for a sentence, though it was asked once more, or does not answer, the
    sentence is read by rule (``claims.claims_of``), and ``notes`` say why. ``least`` is how much a claim must be worth.
    """
    spans = sentences_in(text)
    size, tokens = (SENTENCES_LOCAL, MAX_TOKENS_LOCAL) if asking.model.is_local else (SENTENCES, MAX_TOKENS)
    stretches = [range(start, min(start + size, len(spans))) for start in range(0, len(spans), size)]
    known = words_of(text, title or "")
    done = 0

    async def one(stretch: range) -> Read:
        nonlocal done
        shown = {number + 1: spans[number] for number in stretch}

        def read(answer: ClaimsAnswer, is_last: bool) -> Read:
            return claims_read(answer, text, known, shown, date=date, least=least, by=asking.name, is_last=is_last)

        values = {
            "context": _context(text, spans, stretch.start, title, date),
            "sentences": "\n".join(
                f"{number}. {clean(text[slice(*span)], SENTENCE_CHARACTERS)}" for number, span in shown.items()
            ),
        }
        question = Question(
            judgement=prompt.judgement,
            instructions=prompt.instructions,
            text=prompt.filled(values),
            answer=ClaimsAnswer,
            read=read,
            max_tokens=tokens,
            counts={"ClaimsAnswer.claims": (0, len(shown) * MOST_A_SENTENCE), "ClaimsAnswer.others": (0, len(shown))},
        )
        try:
            return await asking.ask(question)
        except (JudgementFailed, LimitReached) as error:
            return Read({}, dict.fromkeys(shown, str(error)))
        finally:
            done += 1
            told(done, len(stretches))

    answers = await asyncio.gather(*(one(stretch) for stretch in stretches))
    by_rule = claims_of(text, date=date, least=least) if any(each.unusable for each in answers) else ()
    sentences: list[TextSentence] = []
    reasons: dict[str, list[int]] = {}
    for answer, stretch in zip(answers, stretches, strict=True):
        for number in (at + 1 for at in stretch):
            if number in answer.unusable:
                reasons.setdefault(answer.unusable[number], []).append(number)
                sentences.append(by_rule[number - 1])
            else:
                sentences += answer.found[number]
    return FoundClaims(tuple(sentences), tuple(_note(reason, numbers) for reason, numbers in reasons.items()))


def _note(reason: str, numbers: Sequence[int]) -> str:
    which = f"sentence {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} sentences from {numbers[0]} on"
    return f"{which} read by rule: {reason}"


def _context(text: str, spans: Sequence[tuple[int, int]], first: int, title: str | None, date: dt.date | None) -> str:
    """What a stretch needs from around it: the title, the day, the beginning of the text, what stands just before."""
    before = range(max(first - BEFORE, 0), first)
    parts = [
        f"Title: {clean(title, TITLE_CHARACTERS)}" if title else "",
        f"Day of the text: {date.isoformat()}" if date else "Day of the text: not known",
        f"It begins: {clean(text[slice(*spans[0])], TITLE_CHARACTERS)}" if before and before[0] > 0 else "",
    ]
    if before:
        said = clean(text[spans[before[0]][0] : spans[before[-1]][1]])
        parts.append(f"Before: {said[-BEFORE_CHARACTERS:]}")
    return "\n".join(part for part in parts if part)
