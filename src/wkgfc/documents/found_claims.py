"""A language model's claims of some sentences, read: each must stand in its sentence, and add nothing to the text."""

import datetime as dt
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from wkgfc.claim import read_claim
from wkgfc.documents.claims import TextSentence
from wkgfc.errors import BadInput
from wkgfc.quotes import verbatim_quote
from wkgfc.reasoning.injection import looks_like_orders
from wkgfc.reasoning.llm.answers import Answer, Line, Share
from wkgfc.reasoning.llm.asking import Complaint

MOST_A_SENTENCE = 6  # claims: what says more is a list, and its items are one claim
STEM = 4  # letters that a name in a claim shares with one of the text: languages bend names

OtherKind = Literal["opinion", "prediction", "question", "order", "fragment", "unclear", "claim"]
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")
# Words that a claim may bring: months, where a date is put for "last month", and what a sentence begins with.
_OWN_WORDS = """
january february march april may june july august september october november december januar februar
marz mai juni juli oktober dezember about according after all an and as at because before between
both by during each every for from how if in it more most no not of on one only over since some such
than that the there these this those under until up what when where which while who with a
"""
_OWN = frozenset(_OWN_WORDS.split())


class FoundClaim(Answer):
    """A claim, in the order in which a model should think of it."""

    sentence: int = Field(ge=1)
    quote: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]
    reason: Line = ""
    claim: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)]
    worth: Share


class OtherSentence(Answer):
    """A sentence without a claim, and what it is."""

    sentence: int = Field(ge=1)
    kind: OtherKind = "claim"


class ClaimsAnswer(Answer):
    """The claims of some sentences, and those that have none."""

    claims: list[FoundClaim] = Field(max_length=200)
    others: list[OtherSentence] = Field(default=[], max_length=200)


@dataclass(frozen=True)
class Read:
    """What came of some sentences, by their numbers, and the numbers that the model gave nothing usable for."""

    found: Mapping[int, tuple[TextSentence, ...]]
    unusable: Mapping[int, str]


def claims_read(
    answer: ClaimsAnswer,
    text: str,
    known: frozenset[str],
    spans: Mapping[int, tuple[int, int]],
    *,
    date: dt.date | None,
    least: float,
    by: str,
    is_last: bool,
) -> Read:
    """The answer as sentences of ``text``; ``spans`` are those that were shown, by the numbers that they were shown as.

    ``known`` are the words that a claim may take (``words_of``).

    Raises:
        Complaint: a claim cannot be used. On the last turn its sentence is ``unusable`` instead, with the reason.
    """
    claims: dict[int, list[TextSentence]] = {number: [] for number in spans}
    wrong: dict[int, str] = {}
    for each in answer.claims:
        if each.sentence not in spans:
            if not is_last:
                raise Complaint(f"there is no sentence {each.sentence}: choose of {min(spans)} to {max(spans)}")
            continue
        reason = None
        try:
            claims[each.sentence].append(_claim(each, text, spans[each.sentence], known, date, least, by))
        except _Unusable as error:
            reason = str(error)
        if len(claims[each.sentence]) > MOST_A_SENTENCE:
            reason = f"has over {MOST_A_SENTENCE} claims: take a list as one"
        if reason is not None:
            wrong.setdefault(each.sentence, reason)
    if wrong and not is_last:
        raise Complaint("; ".join(f"sentence {number}: {reason}" for number, reason in list(wrong.items())[:5]))
    kinds = {each.sentence: each.kind for each in answer.others}
    return Read(
        {
            number: tuple(_in_order(claims[number])) or (_without(text, span, kinds.get(number), by),)
            for number, span in spans.items()
            if number not in wrong
        },
        wrong,
    )


class _Unusable(Exception):
    """A claim that cannot be used; the text says what is wrong, to its writer."""


def _claim(
    said: FoundClaim,
    text: str,
    span: tuple[int, int],
    known: frozenset[str],
    date: dt.date | None,
    least: float,
    by: str,
) -> TextSentence:
    sentence = text[slice(*span)]
    quote = verbatim_quote(said.quote.strip("… "), sentence)
    if quote is None:
        raise _Unusable(f"the quote {_short(said.quote)!r} does not stand in it: copy its words exactly")
    try:
        claim = read_claim(said.claim).text
    except BadInput as error:
        raise _Unusable(str(error)) from error
    added = unfounded(claim, known, date)
    if added:
        raise _Unusable(f"the claim has {', '.join(added[:4])}, which the text does not have: add nothing")
    if looks_like_orders(claim) and not looks_like_orders(sentence):
        raise _Unusable("the claim gives orders, which the sentence does not")
    start = span[0] + sentence.index(quote)
    is_worth = said.worth >= least
    reason = " ".join(said.reason.split()) or "The model gives no reason"
    return TextSentence(
        start=start,
        end=start + len(quote),
        text=quote,
        claim=claim,
        standing="worth checking" if is_worth else "too little",
        reason=reason if is_worth else f"{reason} (worth {said.worth:.2f})",
        score=round(said.worth, 2),
        by=by,
    )


def _without(text: str, span: tuple[int, int], kind: OtherKind | None, by: str) -> TextSentence:
    said = text[slice(*span)]
    is_unclear = kind == "unclear"
    reasons = {
        None: "The model finds nothing in it to check.",
        "claim": "The model finds nothing in it that is worth a check.",
        "unclear": "The text does not settle what is meant, the model says.",
    }
    return TextSentence(
        start=span[0],
        end=span[1],
        text=said,
        claim=" ".join(said.split()),
        standing="unclear" if is_unclear else "no claim",
        kind=kind if kind is not None and not is_unclear else "claim",
        reason=reasons.get(kind, f"The model says that it is {_with_article(str(kind))}."),
        by=by,
    )


def _in_order(claims: Sequence[TextSentence]) -> list[TextSentence]:
    """By their place, and each once."""
    return sorted({(each.start, each.end, each.claim): each for each in claims}.values(), key=lambda each: each.start)


def unfounded(claim: str, known: frozenset[str], date: dt.date | None) -> list[str]:
    """Names and numbers of a claim that are not among the words of its text, and no part of a date near ``date``.

    A claim that was put so that it stands alone takes them from the text. What is added comes from a model's memory,
    or from an order in the text, and nobody said it. A word with a capital counts as a name.
    """
    added = []
    for word in _WORD.findall(claim):
        folded = _folded(word)
        if any(sign.isdigit() for sign in word):
            if folded not in known and not _is_of_date(folded, date):
                added.append(word)
        elif word[0].isupper() and folded not in _OWN and folded[:STEM] not in known:
            added.append(word)
    return added


def words_of(*texts: str) -> frozenset[str]:
    """The words of texts, whole and as the first letters of them."""
    words = {_folded(word) for text in texts for word in _WORD.findall(text)}
    return frozenset(words | {word[:STEM] for word in words})


def _is_of_date(number: str, date: dt.date | None) -> bool:
    if date is None or not number.isdecimal():
        return False
    return int(number) <= 31 or date.year - 100 <= int(number) <= date.year + 1


def _folded(word: str) -> str:
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign) and sign not in ".,")


def _with_article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
