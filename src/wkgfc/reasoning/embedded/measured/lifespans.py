"""Claims that something was there at a time: "X existed in 1700", "X was alive in 1940", "X still exists".

They are judged by when it began and when it ended: by birth and death, by foundation and dissolution, by start and end,
and "ruled in 1860" and "was president in 1860" by the terms of the offices that are known.
"""

import datetime as dt
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from wkgfc.evidence import Evidence, Rank, Time, Triple
from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.clauses import root_of, subject_of
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.findings import Finding, decided
from wkgfc.reasoning.embedded.measured.ordinals import POSITION_HELD, is_office, offices
from wkgfc.reasoning.embedded.measured.stated_values import END, START, qualifier_time
from wkgfc.reasoning.embedded.values.calendar_spans import Day, Span, stated_span
from wkgfc.reasoning.embedded.values.times import TimeMention, compare_period, read_times

if TYPE_CHECKING:
    from spacy.tokens import Token

LIFE, EXISTENCE, COURSE = ("P569", "P570"), ("P571", "P576"), ("P580", "P582")
# How a claim says that something was there, and the spans that this is read from.
_VERBS = {
    "exist": (EXISTENCE, COURSE),
    "last": (COURSE, EXISTENCE),
    "endure": (COURSE, EXISTENCE),
    "rage": (COURSE,),
    "fight": (COURSE,),
    "live": (LIFE,),
    "rule": (EXISTENCE,),  # a dynasty
    "reign": (EXISTENCE,),
}
_RULING = frozenset({"rule", "reign"})
_STATES = {
    "alive": (LIFE,),
    "living": (LIFE,),
    "dead": (LIFE,),
    "extant": (EXISTENCE,),
    "active": (EXISTENCE, COURSE),
    "ongoing": (COURSE,),
    "underway": (COURSE,),
}
_MUST_BE_PASSIVE = {"fight"}
STRENGTH = 0.9
OTHER_TERMS = 0.85  # of it, against a claim: there may be terms of office that are not known


@dataclass(frozen=True)
class Presence:
    """What a claim says of when ``subject`` (a phrase of it) was there.

    ``when`` is the time that it names; without one it means the claim's own day. ``spans`` are the pairs of relations
    that tell beginning and end; so do terms of ``office`` (a phrase too; empty for "ruled", which fits whatever a ruler
    of ``realm`` is called; ``None`` for what is no office). ``is_denied``: the claim says that it was not, or was no
    more.
    """

    subject: str
    when: TimeMention | None
    spans: tuple[tuple[str, str], ...]
    office: str | None = None
    realm: str = ""
    is_denied: bool = False

    @property
    def relations(self) -> tuple[str, ...]:
        """All property ids that may tell."""
        told = tuple(relation for span in self.spans for relation in span)
        return (*told, POSITION_HELD) if self.office is not None else told


@lru_cache(maxsize=512)
def presence_of(text: str) -> Presence | None:
    """What ``text`` says of when something was there; ``None`` where it says nothing of the kind.

    >>> presence_of("The Ottoman Empire existed in 1700.").subject
    'The Ottoman Empire'
    """
    root = root_of(parse(text))
    subject = subject_of(root) if root is not None else None
    if root is None or subject is None or subject.pos_ == "PRON":
        return None
    spans = _spans(root)
    times = read_times(text)
    is_now = not times and _is_of_now(root)
    office, realm = _office(root, times[0]) if len(times) == 1 else (None, "")
    if not (spans or office) or len(times) > 1 or not (times or is_now):
        return None
    is_denied = any(map(_denies, root.children)) != (_state(root) == "dead")
    phrase = text[subject.left_edge.idx : subject.idx + len(subject)]
    when = times[0] if times else None
    if when is not None and is_denied and (when.bound == "by" or (when.bound == "before" and _is_over(root))):
        last = Span(when.span.latest, when.span.latest)
        when = replace(when, span=last, limits=Span(last.earliest, max(when.limits.latest, last.latest)))
    return Presence(phrase, when, spans, office, realm, is_denied)


def _is_over(root: "Token") -> bool:
    """Whether a claim says that something was there no more: then "before 1960" is about that day, and none earlier."""
    return _state(root) == "dead" or any(child.lower_ == "longer" for child in root.children)


def _denies(child: "Token") -> bool:
    """ "not", "never", and the "longer" of "no longer"."""
    return child.dep_ == "neg" or (child.lower_ == "longer" and child.i > 0 and child.nbor(-1).lower_ == "no")


def _spans(root: "Token") -> tuple[tuple[str, str], ...]:
    if root.lemma_ == "be":
        return _STATES.get(_state(root) or "", ())
    spans = _VERBS.get(root.lemma_, ())
    is_passive = any(child.dep_ == "auxpass" for child in root.children)
    return spans if is_passive == (root.lemma_ in _MUST_BE_PASSIVE) else ()


# Clauses and words that make the time of a claim another one than that of its office, or the office uncertain.
_OTHER_CLAUSES = frozenset({"relcl", "acl", "advcl", "conj", "appos", "ccomp", "pcomp", "xcomp", "prt"})
_UNCERTAIN = frozenset({"hardly", "almost", "nearly", "rarely", "longer", "once", "already", "still", "not"})
_BEFORE_TIME = re.compile(r"\b(?:from|throughout|all|since)\s*$", re.IGNORECASE)


def _office(root: "Token", when: TimeMention) -> tuple[str | None, str]:
    """The office that a claim gives its subject for a time, and the realm that it rules.

    "president of Chile" for "was the president of Chile in 1971", none but "Chile" for "ruled Chile in 1971".
    """
    nothing: tuple[str | None, str] = (None, "")
    if when.bound not in ("at", "from_to") or _BEFORE_TIME.search(root.doc.text[: when.start]):
        return nothing
    time = next((token for token in root.doc if token.idx <= when.value_start < token.idx + len(token)), None)
    ways = [token for token in (time, *time.ancestors) if token.i != root.i] if time is not None else []
    children = list(root.children)
    if (
        not ways
        or any(token.dep_ in _OTHER_CLAUSES for token in (*ways, *children))
        or any(child.tag_ == "MD" or (child.dep_ == "advmod" and child.lower_ in _UNCERTAIN) for child in children)
        or any(child.dep_ == "aux" and child.lemma_ == "have" for child in children)
    ):
        return nothing
    if root.lemma_ in _RULING:
        others = [
            child for child in children if child.dep_ == "prep" and child.lower_ not in ("in", "from", "over", "to")
        ]
        realm = next((child for child in children if child.dep_ == "dobj"), None)
        return nothing if others else ("", _before(realm, when) if realm is not None else "")
    attribute = next((child for child in children if child.dep_ == "attr" and root.lemma_ == "be"), None)
    if attribute is None or not is_office(attribute.text):
        return nothing
    return _before(attribute, when) or None, ""


def _before(head: "Token", when: TimeMention) -> str:
    """A phrase without its articles and the time after it."""
    return " ".join(token.text for token in head.subtree if token.pos_ != "DET" and token.idx < when.start)


def _state(root: "Token") -> str | None:
    """The word after "be" that says that something was there."""
    words = [child for child in root.children if child.dep_ in {"acomp", "attr", "prep"} and child.i > root.i]
    return next((word.lower_ for word in words if word.lower_ in _STATES), None)


def _is_of_now(root: "Token") -> bool:
    """Whether a claim without a time speaks of the present: "still exists", "is no longer alive"."""
    return root.tag_ in {"VBZ", "VBP"}


def judge_presence(
    claimed: Presence, evidence: Sequence[Evidence], subjects: Collection[str], as_of: dt.date
) -> Finding | None:
    """What the statements at hand say: beginning and end hold the time, or leave it out; ``None`` where neither."""
    for span in claimed.spans:
        starts, ends = (stated(evidence, subjects, relation) for relation in span)
        if not starts and not ends:
            continue
        holds = _holds_now(ends, as_of) if claimed.when is None else _holds(claimed.when, starts, ends)
        if holds is None:
            continue
        used = [*starts, *ends] if claimed.when is not None else list(ends)
        return Finding(
            "presence",
            decided(holds != claimed.is_denied),
            tuple(piece.id for piece, _ in used),
            " ".join(dict.fromkeys(verbalise(triple) for _, triple in used)),
            STRENGTH,
        )
    return _in_office(claimed, evidence, subjects) if claimed.office is not None else None


def _in_office(claimed: Presence, evidence: Sequence[Evidence], subjects: Collection[str]) -> Finding | None:
    """What terms of office say: one that holds the time is enough, and all that leave it out speak against it.

    Who "ruled" may have had an office that is not known: nothing speaks against that.
    """
    assert claimed.when is not None
    assert claimed.office is not None
    terms = [
        (piece, triple, qualifier_time(triple, START), qualifier_time(triple, END))
        for piece, triple in offices(evidence, subjects, claimed.office, claimed.realm)
    ]
    dated = [term for term in terms if term[2] is not None]
    holding = [term for term in dated if _holds_whole(claimed.when, *term[2:], is_denied=claimed.is_denied)]
    outside = [term for term in dated if compare_period(claimed.when, *term[2:]).disagrees]
    is_outside = bool(claimed.office) and len(outside) == len(dated) and all(term[2] or not term[3] for term in terms)
    if not dated or not (holding or is_outside):
        return None
    used = holding or dated
    return Finding(
        "presence",
        decided(bool(holding) != claimed.is_denied),
        tuple(piece.id for piece, *_ in used),
        " ".join(dict.fromkeys(verbalise(triple) for _, triple, *_ in used)),
        STRENGTH if holding else STRENGTH * OTHER_TERMS,
    )


def _holds_whole(when: TimeMention, start: Time | None, end: Time | None, *, is_denied: bool) -> bool:
    """Whether a term has the time; all of it where the claim denies it, as the last year of a term is not its own."""
    if not compare_period(when, start, end).agrees:
        return False
    return not is_denied or (
        (start is None or stated_span(start).latest < when.span.earliest)
        and (end is None or when.span.latest < stated_span(end).earliest)
    )


Stated = tuple[Evidence, Triple]


def stated(evidence: Sequence[Evidence], subjects: Collection[str], relation: str) -> list[Stated]:
    """The statements of the graph that give a time for one relation of ``subjects``."""
    return [
        (piece, piece.content)
        for piece in evidence
        if isinstance(piece.content, Triple)
        and piece.from_passage is None
        and piece.content.relation.id == relation
        and piece.content.subject.id in subjects
        and piece.content.rank is not Rank.DEPRECATED
        and isinstance(piece.content.object, Time)
    ]


def _holds(when: TimeMention, starts: Sequence[Stated], ends: Sequence[Stated]) -> bool | None:
    """Whether the time lies between beginning and end; every pair of what is stated must say the same."""
    begun: list[Time | None] = [*_times(starts)]
    over: list[Time | None] = [*_times(ends)]
    outcomes = [compare_period(when, start, end) for start, end in product(begun or [None], over or [None])]
    if all(outcome.disagrees for outcome in outcomes):
        return False
    is_whole = bool(starts) and bool(ends)
    return True if is_whole and all(outcome.agrees for outcome in outcomes) else None


def _holds_now(ends: Sequence[Stated], as_of: dt.date) -> bool | None:
    """False where all stated ends are over; a missing end tells nothing."""
    today = Day(as_of.year, as_of.month, as_of.day)
    times = _times(ends)
    return False if times and all(stated_span(time).latest < today for time in times) else None


def _times(stated: Sequence[Stated]) -> list[Time]:
    return [triple.object for _, triple in stated if isinstance(triple.object, Time)]
