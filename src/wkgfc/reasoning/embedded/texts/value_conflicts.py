"""Dates and numbers of a claim against those of a text that says the same of the same thing otherwise, or says none.

A small verifier passes over a wrong year or count: of 385 claims of FEVER and FoolMeTwice in which one was changed, it
still calls a quarter supported. And it takes silence for refutation. Of the 31 claims of these sets that turn on a
value and whose given evidence names no number or time at all, 23 are labelled Not Enough Info; two more are said to be
supported by texts that do not give their year.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Literal

from wkgfc.claim import Claim
from wkgfc.evidence import Entity, Quantity
from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.clauses import root_of
from wkgfc.reasoning.embedded.claims.negation import positive_form
from wkgfc.reasoning.embedded.lexicon.terms import TermStatistics, terms_of
from wkgfc.reasoning.embedded.measured.ages import age_of
from wkgfc.reasoning.embedded.texts.relevance import TitleName, read_title, read_topic
from wkgfc.reasoning.embedded.values.agreement import Agreement, silent
from wkgfc.reasoning.embedded.values.calendar_spans import Precision, Span
from wkgfc.reasoning.embedded.values.numerals import read_numerals
from wkgfc.reasoning.embedded.values.quantities import QuantityMention, compare_quantity, read_quantities
from wkgfc.reasoning.embedded.values.times import TimeMention, read_times
from wkgfc.sentences import sentence_spans

SHORT_WORDS = 12  # of a claim that may turn on its value: longer ones say more beside it
LISTED = 10  # from which on what is counted is not listed one by one
LEAST_AGREEMENT = 0.75  # of the claim's other words, by rarity, that the text has: else it speaks of something else

_BIRTH, _DEATH = (frozenset(terms_of(words)) for words in ("born birth", "die died death dead"))
_CLAUSES = frozenset({"relcl", "acl", "appos", "conj"})
# Verbs of what goes on for a time; of what happens to a thing once, by itself or by somebody.
_LASTING = frozenset({"be", "rule", "reign", "govern", "serve", "live", "reside", "work", "teach", "exist", "remain"})
_ONCE = frozenset({"die", "end", "begin", "start", "sink", "collapse", "originate"})
_ONCE_DONE = frozenset(
    {"bear", "found", "establish", "build", "construct", "write", "paint", "publish", "release", "compose", "create"}
    | {"complete", "invent", "discover", "assassinate", "murder", "kill", "execute", "sign", "form"}
)
_MAY_GO_ON = _LASTING | {"use", "own", "play", "last", "stand", "belong"}
_BRACKETS = re.compile(r"\(([^()]*)\)")
_NEGATION = re.compile(r"\b(?:not|never|no|nor|neither|cannot|without)\b|n['’]t\b", re.IGNORECASE)
_AGE = re.compile(r"\b(?:age|aged|old|lived)\b", re.IGNORECASE)
_IN = re.compile(r"(?:in|during)\b", re.IGNORECASE)
_DASH = re.compile(r"\s*(?:[-–—−]|--|&ndash;)\s*")


def conflicts(claim: Claim, title: str | None, text: str, statistics: TermStatistics) -> bool:
    """Whether a text names a time or a quantity where the claim names another one, and agrees with it in the rest.

    ``text`` is the sentences that decide, of a page with that ``title``. A text that names the claimed value as well,
    that names none of its kind, or that is on a page about something else does not conflict, and nothing does with a
    claim that denies. Brackets with two dates after a name are a life: "(1889–1977)".
    """
    if _NEGATION.search(claim.text):
        return False
    root = root_of(parse(claim.text))
    is_lasting = root is None or root.lemma_ in _MAY_GO_ON  # in a stretch it may have been long after the text's date
    times = [
        time
        for time in read_times(claim.text, claim.reference_date)
        if _is_definite(time) or (_is_stretch(time) and not is_lasting)
    ]
    quantities = read_quantities(claim.text)
    if not (times or quantities):
        return False
    valued = [(time.start, time.end) for time in times] + [(each.start, each.end) for each in quantities]
    terms = {term for term in terms_of(_without(claim.text, valued)) if not term[0].isdigit()}
    if not terms or not _is_about(read_title(title), claim.text, terms, statistics):
        return False
    stated_times = [time for time in read_times(text, claim.reference_date) if _is_definite(time)]
    life = _life(text, stated_times)
    there = {*terms_of(title or ""), *terms_of(text), *(_BIRTH | _DEATH if life else ())}
    if statistics.coverage(terms, there) < LEAST_AGREEMENT:
        return False
    spans = _stated_spans(terms, stated_times, life)
    if any(spans and not any(time.limits.meets(span) for span in spans) for time in times):
        return True
    stated = read_quantities(text) if quantities else ()
    if _tells_age(claim.text):
        stated = tuple(each for each in stated if _is_age(each, text))
    return any(_is_contradicted(quantity, stated) for quantity in quantities)


Speaks = Literal[-1, 0, 1]


def values_speak(claim: Claim, title: str | None, text: str, statistics: TermStatistics) -> Speaks:
    """-1 where the values of a text conflict with the claim, 1 where they conflict with what it denies, or else 0.

    Only what happens once is borne out not to have been at one time by having been at another.
    """
    affirmed, is_denied = positive_form(claim.text)
    if is_denied and not _is_once(affirmed):
        return 0
    if not conflicts(claim.model_copy(update={"text": affirmed}), title, text, statistics):
        return 0
    return 1 if is_denied else -1


def _is_once(claim: str) -> bool:
    """Whether a claim says what can have happened to its subject one time alone."""
    root = root_of(parse(claim))
    if root is None:
        return False
    is_passive = any(child.dep_ == "auxpass" for child in root.children)
    return root.lemma_ in (_ONCE_DONE if is_passive else _ONCE)


@lru_cache(maxsize=64)
def turns_on_value(claim: str) -> bool:
    """Whether a short claim says a date or a figure of its subject: "X died in 1955", "X is 48 years old".

    A count that a text can list or say in other words ("two sons", "one of …") is none, and neither is what stands in
    a clause of its own: "a writer who died in 1905" is a writer as well.
    """
    doc = parse(claim)
    root = root_of(doc) if len(claim.split()) <= SHORT_WORDS else None
    if root is None:
        return False
    figures = [each.start for each in read_quantities(claim) if each.unit or each.amount >= LISTED]
    dates = [time.value_start for time in read_times(claim) if _is_definite(time)]
    tokens = [token for token in doc if token.i > root.i and token.idx in (*figures, *dates)]
    return any(not any(each.dep_ in _CLAUSES for each in (token, *token.ancestors)) for token in tokens)


def is_silent(claim: str, title: str | None, text: str) -> bool:
    """Whether a claim turns on a value, and a text of a page with that ``title`` names no number or time at all.

    Neither does one that names no age of an age: a verifier computes none from dates, and takes any number for one.
    """
    if _tells_age(claim):
        return not any(_is_age(each, text) for each in read_quantities(text))
    return turns_on_value(claim) and not any(read_numerals(each) or read_times(each) for each in (title or "", text))


def holds_within(claim: Claim, title: str | None, text: str) -> bool:
    """Whether each time of a claim of what lasts lies inside a stretch of time that a text names, away from its ends.

    A verifier that reads "from 1855 to 1881" calls "in 1860" refuted, and nothing in a text contradicts it that has all
    words of the claim but its verb.
    """
    times = [time for time in read_times(claim.text, claim.reference_date) if _is_definite(time)]
    if not times or _NEGATION.search(claim.text) or any(time.bound != "at" for time in times):
        return False
    root = root_of(parse(claim.text))
    if root is None or root.lemma_ not in _LASTING or any(child.dep_ == "auxpass" for child in root.children):
        return False
    stretches = [
        (time.begins, time.ends)
        for time in read_times(_BRACKETS.sub(" ", text), claim.reference_date)
        if time.begins is not None and time.ends is not None
    ]
    known = [(time.start, time.end) for time in times] + [(root.idx, root.idx + len(root))]
    if not {*terms_of(_without(claim.text, known))} <= {*terms_of(title or ""), *terms_of(text)}:
        return False
    return all(
        any(begins.latest < time.span.earliest and time.span.latest < ends.earliest for begins, ends in stretches)
        for time in times
    )


def _is_about(name: TitleName | None, claim: str, terms: Collection[str], statistics: TermStatistics) -> bool:
    """Whether a page is about something that the claim names, be it by a family name alone."""
    if name is None or name.terms.issubset(terms):
        return True
    return any(each <= name.terms for each in read_topic(claim, statistics=statistics).names)


def _is_definite(time: TimeMention) -> bool:
    """Whether a time names a year."""
    return time.month_day is None and time.precision >= Precision.YEAR


def _is_stretch(time: TimeMention) -> bool:
    """Whether it is a decade or more in which something is said to have been: not "a 19th-century painter"."""
    return time.month_day is None and _IN.match(time.text) is not None


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def _life(text: str, times: Sequence[TimeMention]) -> tuple[Span, Span] | None:
    """Birth and death, where the first brackets that have a time give both."""
    for brackets in _BRACKETS.finditer(text):
        inside = [time for time in times if brackets.start() < time.start and time.end < brackets.end()]
        if not inside:
            continue
        first, last = inside[0], inside[-1]
        if len(inside) == 1 and first.bound == "from_to" and first.begins is not None and first.ends is not None:
            return first.begins, first.ends
        if len(inside) == 2 and _DASH.fullmatch(text[first.end : last.start]):
            return first.span, last.span
        return None
    return None


def _stated_spans(terms: Collection[str], times: Sequence[TimeMention], life: tuple[Span, Span] | None) -> list[Span]:
    """The stretches of time that a text gives for what the claim says of its subject."""
    if life is not None and _BIRTH.intersection(terms):
        return [life[0]]
    if life is not None and _DEATH.intersection(terms):
        return [life[1]]
    return [time.limits for time in times]


def _tells_age(claim: str) -> bool:
    """Whether a claim says how old somebody was at an event: not the "26" of an atomic number."""
    age = age_of(claim)
    return age is not None and age.at in ("death", "office", "birthday")


def _is_age(stated: QuantityMention, text: str) -> bool:
    """Whether a text may mean by a number how old somebody was: a reign of 63 years contradicts no age of 18.

    Any number without a unit may be one, and years in a sentence of ages.
    """
    if stated.unit is None:
        return stated.noun is None and not stated.is_ordinal
    sentence = next((text[start:end] for start, end in sentence_spans(text) if start <= stated.start < end), text)
    return stated.unit == "year" and _AGE.search(sentence) is not None


def _is_contradicted(claimed: QuantityMention, stated: Sequence[QuantityMention]) -> bool:
    outcomes = [_compare(claimed, each) for each in stated]
    return any(outcome.disagrees for outcome in outcomes) and not any(outcome.agrees for outcome in outcomes)


def _compare(claimed: QuantityMention, stated: QuantityMention) -> Agreement:
    """The comparison of two mentions of one kind of quantity: of one dimension, or of the same things counted."""
    of_one_kind = claimed.is_ordinal == stated.is_ordinal and (
        claimed.noun == stated.noun if claimed.unit is None else stated.unit is not None
    )
    if not of_one_kind or stated.upper is not None or stated.bound not in ("at", "exactly", "about", "nearly"):
        return silent("the text measures something else")
    unit = Entity(id=stated.unit, label=stated.unit) if stated.unit else None
    return compare_quantity(claimed, Quantity(amount=stated.amount, unit=unit))
