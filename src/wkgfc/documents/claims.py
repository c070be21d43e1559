"""The claims of a text: its sentences, which of them are worth a check, and why the others are not."""

import datetime as dt
from typing import Literal

from wkgfc.claim import MAX_CLAIM_CHARACTERS, Claim, number_of_characters, read_claim
from wkgfc.claim_language import language_of
from wkgfc.documents.context import MAX_SENTENCE_CHARACTERS, Replacement, standing_alone
from wkgfc.documents.worthiness import LEAST, worthiness_of
from wkgfc.evidence import Record
from wkgfc.reasoning.embedded.claims.screening import screen
from wkgfc.sentences import sentence_spans

MAX_SENTENCES = 5_000


class TextSentence(Record):
    """A sentence from ``start`` to ``end`` in the text, and what it claims.

    It is the whole sentence, or, where a model found the claim, the words of it that state it; then several may stand
    in one sentence. ``by`` says who found it. ``claim`` is the sentence with what it takes from its neighbours put in;
    ``replacements`` say what was, where rules put it. ``standing`` is ``worth checking``, or why it is not: no claim
    (``kind`` says what it is), unclear without more than the text gives, or with too little in it. ``reason`` says so
    in words, ``score`` how much there is to check, from 0 to 1.
    """

    start: int
    end: int
    text: str
    claim: str
    replacements: tuple[Replacement, ...] = ()
    standing: Literal["worth checking", "no claim", "unclear", "too little"]
    kind: str = "claim"
    reason: str
    score: float = 0.0
    by: str = "rules"

    def to_check(self, date: dt.date | None) -> Claim:
        """The claim as a check takes it; ``date`` is the day of the text."""
        return read_claim(self.claim, date=date)


def sentences_in(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand: those with a letter or a digit, the first ``MAX_SENTENCES`` of them."""
    return _all_sentences(text)[:MAX_SENTENCES]


def unread(text: str) -> tuple[str, ...]:
    """A note where the text has more than ``MAX_SENTENCES``."""
    number = len(_all_sentences(text))
    return (f"{number:,} sentences: the first {MAX_SENTENCES:,} were read",) if number > MAX_SENTENCES else ()


def _all_sentences(text: str) -> list[tuple[int, int]]:
    return [span for span in sentence_spans(text) if any(sign.isalnum() for sign in text[slice(*span)])]


def claims_of(text: str, *, date: dt.date | None = None, least: float = LEAST) -> tuple[TextSentence, ...]:
    """Every sentence of a text, at most ``MAX_SENTENCES``, with what it claims and whether that is worth a check.

    ``date`` is the day of the text: what "last year" counts from. Other languages than English are neither resolved nor
    screened: each of their sentences is a claim.
    """
    spans = sentences_in(text)
    if not language_of(" ".join(text[:2_000].split())).startswith("en"):
        return tuple(_foreign(text, span) for span in spans)
    standing = standing_alone(text, spans, date)
    return tuple(
        _sentence(text, span, each.text, each.replacements, each.unclear, date, least)
        for span, each in zip(spans, standing, strict=True)
    )


def _sentence(
    text: str,
    span: tuple[int, int],
    claim: str,
    replacements: tuple[Replacement, ...],
    unclear: tuple[str, ...],
    date: dt.date | None,
    least: float,
) -> TextSentence:
    said = text[slice(*span)]

    def stands(standing: Literal["worth checking", "no claim", "unclear", "too little"], reason: str) -> TextSentence:
        return TextSentence(
            start=span[0],
            end=span[1],
            text=said,
            claim=claim,
            replacements=replacements,
            standing=standing,
            kind=screened.kind,
            reason=reason,
            score=worth.score,
        )

    worth = worthiness_of(claim[:MAX_CLAIM_CHARACTERS])
    screened = screen(Claim(text=claim[:MAX_CLAIM_CHARACTERS], date=date))
    if _is_too_long(claim) or len(said) > MAX_SENTENCE_CHARACTERS:
        return stands("no claim", f"It has over {MAX_CLAIM_CHARACTERS:,} characters: no single statement.")
    if not screened.is_checkable:
        return stands("no claim", screened.reason)
    if unclear:
        words = ", ".join(f"“{word}”" for word in unclear)
        return stands("unclear", f"The text does not settle what is meant by {words}.")
    if worth.score < least:
        return stands("too little", f"There is too little in it to check: {worth.reason}.")
    return stands("worth checking", f"It has {worth.reason}.")


def _is_too_long(claim: str) -> bool:
    """Whether ``read_claim`` refuses it."""
    return number_of_characters(claim) > MAX_CLAIM_CHARACTERS


def _foreign(text: str, span: tuple[int, int]) -> TextSentence:
    said = text[slice(*span)]
    claim = " ".join(said.split())
    is_short = not _is_too_long(claim)
    return TextSentence(
        start=span[0],
        end=span[1],
        text=said,
        claim=claim,
        standing="worth checking" if is_short else "no claim",
        reason="It is in a language that is not screened." if is_short else "It is too long for one statement.",
        score=0.5,
    )
