"""Claims that number the holders of an office: "X was the first president of Y", "the 44th president"."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from wkgfc.evidence import Entity, Evidence, Quantity, Rank, Text, Triple
from wkgfc.reasoning.embedded.findings import Finding, decided
from wkgfc.reasoning.embedded.measured.mention_matching import fold

POSITION_HELD, SERIES_ORDINAL, REPLACES = "P39", "P1545", "P1365"
LEAST_SHARED = 3  # letters that the name of a realm and its adjective share at least: "Rome", "Roman"


@dataclass(frozen=True)
class OfficeNumber:
    """What a claim numbers: ``subject`` was holder ``number`` of ``office``; both are phrases of the claim."""

    subject: str
    number: int
    office: str
    is_negated: bool = False


_WORDS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
}  # fmt: skip
_HOLDER = (
    r"(?:president|minister|chancellor|emperor|empress|king|queen|pope|governor|secretary|mayor"
    r"|justice|premier|chairman|chairperson|chair|director|general|sultan|caliph|shah|tsar|dalai\s+lama|doge|taoiseach)"
)
_OFFICE = rf"(?:[A-Za-z-]+\s+){{0,3}}?{_HOLDER}"
_CLAIM = re.compile(
    r"(?P<subject>[A-Z][^,]*?(?:,[^,]+,)?)\s+(?:is|was|became|served\s+as|has\s+been|is\s+known\s+as|isn['’]t|wasn['’]t)"
    r"(?P<negation>\s+not)?(?:\s+also)?\s+the\s+"
    rf"(?P<number>{'|'.join(_WORDS)}|\d{{1,3}}(?:st|nd|rd|th))\s+(?P<office>{_OFFICE}(?:\s+(?:of|to|for)\s+[^,;]+)?)"
    r"(?:,.*|\s+(?:from|in|until|between|after|before|and|who)\s.*)?",
    re.IGNORECASE,
)


def office_number_of(text: str) -> OfficeNumber | None:
    """What ``text`` numbers, or ``None``."""
    match = _CLAIM.fullmatch(text.strip().rstrip(".!"))
    if match is None:
        return None
    number = match["number"].lower()
    office = re.split(r"\s+(?:from|in|until|between|after|before|and|who)\s", match["office"])[0]
    subject = re.sub(r",.*$", "", match["subject"])
    negation = match["negation"] is not None or re.search(r"n['’]t\s+the", match[0]) is not None
    return OfficeNumber(subject, _WORDS.get(number) or int(re.sub(r"\D", "", number)), office, negation)


def is_office(word: str) -> bool:
    """Whether a word says what the holder of an office is: "president"."""
    return re.fullmatch(_HOLDER, word, re.IGNORECASE) is not None


def judge_office_number(
    claimed: OfficeNumber, evidence: Sequence[Evidence], subjects: Collection[str]
) -> Finding | None:
    """What the offices at hand say: their series ordinal, or a predecessor where the claim says "first".

    Who held the office twice has two ordinals: one that agrees is enough.
    """
    against: Finding | None = None
    for piece, triple in offices(evidence, subjects, claimed.office):
        number, office = _ordinal(triple), triple.object.label if isinstance(triple.object, Entity) else ""
        replaced = next((one.value for one in triple.qualifiers if one.relation.id == REPLACES), None)
        if number is not None:
            holds = number == claimed.number
            sentence = f"{triple.subject.label}: number {number} in the series of {office}."
            finding = Finding("ordinal", decided(holds != claimed.is_negated), (piece.id,), sentence, 0.9)
            if holds:
                return finding
            against = against if against is not None and against.strength >= finding.strength else finding
        elif claimed.number == 1 and isinstance(replaced, Entity) and against is None:
            sentence = f"{triple.subject.label} followed {replaced.label} as {office}."
            against = Finding("ordinal", decided(claimed.is_negated), (piece.id,), sentence, 0.75)
    return against


def offices(
    evidence: Sequence[Evidence], subjects: Collection[str], office: str, realm: str = ""
) -> Iterator[tuple[Evidence, Triple]]:
    """The statements that a subject held an office that a claim calls ``office``, each term of it.

    Where it calls it nothing ("ruled"), those of whatever office rules ``realm``.
    """
    for piece in evidence:
        triple = piece.content
        if (
            isinstance(triple, Triple)
            and triple.relation.id == POSITION_HELD
            and triple.subject.id in subjects
            and triple.rank is not Rank.DEPRECATED
            and isinstance(triple.object, Entity)
            and (is_called(office, triple.object.label) if office else is_rule_of(realm, triple.object.label))
        ):
            yield piece, triple


# Words that make another office of one, and those that say no more of it.
_RANKS = frozenset(
    {"vice", "deputy", "acting", "interim", "prime", "lieutenant", "assistant", "crown", "consort", "mother", "elect"}
    | {"former", "general", "shadow", "honorary"}
)
_WIDER = frozenset({"republic", "kingdom", "empire", "federal", "federation", "america", "state", "states", "united"})


def is_called(office: str, label: str) -> bool:
    """Whether a claim's words for an office are those of a label, but for what the claim leaves out.

    >>> is_called("president", "President of Chile"), is_called("president", "Vice President of Chile")
    (True, False)
    """
    left_out = {"of", "the", "and", "to", "for", "former", "us", "usa"}
    stated, claimed = set(fold(label).split()) - left_out, set(fold(office).split()) - left_out
    if not claimed or (stated ^ claimed) & _RANKS:
        return False
    return claimed <= stated or (stated <= claimed and claimed - stated <= _WIDER)


_RULERS = re.compile(
    r"\b(?:king|queen|monarch|emperor|empress|tsar|tsarina|sultan|caliph|shah|khan|pharaoh|pope|emir|amir|duke|prince"
    r"|leader|ruler|dictator|regent|president|chancellor|prime minister|premier|doge)\b",
    re.IGNORECASE,
)


def is_rule_of(realm: str, label: str) -> bool:
    """Whether who holds an office rules a realm, as a claim names it; any realm where it names none.

    >>> is_rule_of("Rome", "Roman emperor"), is_rule_of("France", "Queen of the United Kingdom")
    (True, False)
    """
    if _RULERS.search(label) is None or set(fold(label).split()) & _RANKS - {"prime"}:
        return False
    if fold(realm) in fold(label):  # also where the claim names no realm
        return True
    words, named = (
        [word[:LEAST_SHARED] for word in fold(text).split() if len(word) > LEAST_SHARED and word not in _WIDER]
        for text in (_RULERS.sub(" ", label), realm)
    )
    return not set(words).isdisjoint(named)


def _ordinal(triple: Triple) -> int | None:
    for qualifier in triple.qualifiers:
        if qualifier.relation.id != SERIES_ORDINAL:
            continue
        value = qualifier.value
        if isinstance(value, Quantity):
            return int(value.amount)
        if isinstance(value, Text):
            digits = re.match(r"\s*(\d{1,4})", value.value)
            return int(digits[1]) if digits else _WORDS.get(value.value.strip().lower())
    return None
