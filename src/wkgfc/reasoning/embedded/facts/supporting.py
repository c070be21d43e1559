"""The rules by which statements bear a claim out."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wkgfc.evidence import Entity, Evidence, Missing, Quantity, Text, Time, Triple, Value
from wkgfc.reasoning.embedded.claims.reading import LABEL, Argument, overlaps
from wkgfc.reasoning.embedded.facts.case import Case
from wkgfc.reasoning.embedded.facts.containment import PLACE_RELATIONS
from wkgfc.reasoning.embedded.facts.verbalise import END, period_of, verbalise
from wkgfc.reasoning.embedded.lexicon.cues import pieces_of
from wkgfc.reasoning.embedded.lexicon.relations import TextSpan, profile_of
from wkgfc.reasoning.embedded.values import Agreement, TimeMention, compare_period, compare_quantity, compare_time
from wkgfc.reasoning.embedded.values.calendar_spans import Day, stated_span

ATTRIBUTE = 0.85  # of a support by what the object is, where the claim does not name it
ATTRIBUTES = ("P31", "P106", "P27", "P21", "P172", "P136", "P641")
SPANS = (("P569", "P570"), ("P571", "P576"), ("P580", "P582"))  # beginning and end
ENDS_OF_LIFE = ("P570", "P576")
# Relations to the very place that is named: the capital of a part is not the capital of the whole.
EXACT_PLACE = {"P36", "P47", "P150", "P190", "P197", "P610", "P807", "P1001", "P1376", "P1382", "P1589", "P7938"}
AWARDS = {"P166", "P1411", "P1346"}
_MEASURED = re.compile(r"\s+(?:long|high|tall|wide|deep|thick|old|in (?:length|height|width|area|size))\b")
_AWARD_OF_FIELD = re.compile(r".+?(?= (?:in|for|of) )")  # "Nobel Prize in Physics" is a Nobel Prize
if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

PER_HOP = 0.92  # of a support, for each step from the stated value to the claimed one that holds it
UNSAID_YEAR = 0.8  # of a quantity that the claim dates and its statement does not
VERIFIER_PAIRS = 3
VERIFIED = 0.9  # the verifier's support from which on a statement without a cue counts
VERIFIED_FIT = 0.6
AGREEMENT = 20.0  # how much likelier a date or a number agrees where the subject is the one that is meant
MIN_TEXT = 3  # characters of a literal whose letter case does not matter


class Scorer(Protocol):
    """The verifier, as far as it is used here."""

    def score(self, evidence: Sequence[str], claims: Sequence[str]) -> "NDArray[float64]":
        """For each pair the probabilities of support, refutation and neither."""
        ...


@dataclass(frozen=True)
class Support:
    """Statements that bear out what the claim says of ``subject``, by the words at ``spans``.

    ``contradiction`` is set where the time that a statement gives is another than the claim's.
    """

    subject: TextSpan
    spans: tuple[TextSpan, ...]
    evidence_ids: tuple[str, ...]
    triples: tuple[Triple, ...]
    strength: float
    has_ended: bool = False
    contradiction: str | None = None

    @property
    def sentence(self) -> str:
        """The statements in words."""
        return " ".join(map(verbalise, self.triples))


class _Named(NamedTuple):
    """Where the claim names the object of a statement, and how it was found."""

    argument: Argument
    weight: float
    way: tuple[str, ...] = ()


def supports_of(case: Case, verifier: Scorer | None = None) -> list[Support]:
    """Every support, the strongest first."""
    found: list[Support] = []
    unsaid: list[Support] = []
    for evidence, triple in case.statements:
        for support, fit in _direct(case, evidence, triple):
            if fit >= case.parameters.least_fit:
                found.append(_in_time(case, replace(support, strength=support.strength * fit)))
            else:
                unsaid.append(support)
    if verifier is not None and not found:
        found += _verified(case, unsaid, verifier)
    return sorted(found, key=lambda support: (-support.strength, support.evidence_ids))


def _direct(case: Case, evidence: Evidence, triple: Triple) -> Iterator[tuple[Support, float]]:
    """What one statement may bear out, as strong as its ends are sure, with the fit of its relation."""
    for subject in case.reading.arguments(triple.subject)[:2]:
        for named in _named(case, triple, subject):
            span = named.argument.span
            if overlaps(span, subject.span) or not (subject.is_linked or named.argument.is_linked):
                continue
            if not case.reading.is_denied and (case.reading.denies(span) or case.reading.denies(subject.span)):
                continue
            match = case.fit(triple, subject.span, span)
            sure = subject.score if isinstance(triple.object, Entity) else _given_agreement(subject.score)
            link = math.sqrt(sure * named.argument.score)
            spans = (subject.span, span, *match.cues, *case.reading.alternatives(span))
            triples = (triple, *(_triple(case, identifier) for identifier in named.way))
            yield Support(subject.span, spans, (evidence.id, *named.way), triples, link * named.weight), match.score


def _given_agreement(score: float) -> float:
    """How surely the subject is meant once a date or a number of it is the claimed one: the wrong "Mozart" would
    hardly have been born in the same year."""
    return score * AGREEMENT / (score * AGREEMENT + 1.0 - score)


def _triple(case: Case, evidence_id: str) -> Triple:
    return next(triple for evidence, triple in case.statements if evidence.id == evidence_id)


def _named(case: Case, triple: Triple, subject: Argument) -> Iterator[_Named]:
    """Where the claim names the object: itself, what holds it, or a value that agrees with it."""
    match triple.object:
        case Entity() as entity:
            as_class = profile_of(triple.relation.id, triple.relation.label).object == "class"
            found = case.reading.arguments(entity, as_class=as_class)[:3]
            arguments = [argument for argument in found if not overlaps(argument.span, subject.span)]
            if triple.relation.id in AWARDS and (head := _AWARD_OF_FIELD.match(entity.label)):
                kinds = case.reading.named(head[0])
                yield from (
                    _Named(argument, ATTRIBUTE) for argument in kinds if not overlaps(argument.span, subject.span)
                )
            if arguments:
                yield from (_Named(argument, 1.0) for argument in arguments)
                return
            yield from _described(case, entity)
            for holder, way in case.surroundings.holders(entity, widening_of(triple)):
                if holder.id != triple.subject.id and not _is_said_by_relation(holder, triple):
                    for argument in case.reading.arguments(holder, as_class=as_class)[:1]:
                        if argument.score < LABEL and not argument.is_linked:
                            continue  # "erotic film" does not name films
                        yield _Named(argument, PER_HOP ** len(way), way)
        case Missing():
            return
        case value:
            yield from _agreeing(case, triple, value)


def _described(case: Case, entity: Entity) -> Iterator[_Named]:
    """Where the claim says of the object only what it is: "directed by an American", "won an award"."""
    for relation in ATTRIBUTES:
        for evidence, triple in case.values(entity, relation):
            if isinstance(triple.object, Entity):
                for argument in case.reading.arguments(triple.object)[:1]:
                    if argument.is_linked or argument.score >= LABEL:
                        yield _Named(argument, ATTRIBUTE, (evidence.id,))


def _is_said_by_relation(entity: Entity, triple: Triple) -> bool:
    """Whether the entity is what the relation itself is called: an ethnic group, in "belongs to the ethnic group"."""
    words = {word.stem for word in pieces_of(entity.label)}
    return words <= {word.stem for word in pieces_of(triple.relation.label)}


def widening_of(triple: Triple) -> set[str]:
    """The relations by which the object may be widened without making the statement false."""
    profile = profile_of(triple.relation.id, triple.relation.label)
    if profile.id in EXACT_PLACE:
        return set()
    if profile.object == "place" or profile.id in {"P17", "P30"}:
        return PLACE_RELATIONS
    if profile.id in AWARDS:
        return {"P31", "P279", "P361"}
    if profile.id == "P136":
        return set()  # of a drama film's genre, "film" is a kind and no genre: what it is says P31
    return {"P279"} if profile.object == "class" else set()


def _agreeing(case: Case, triple: Triple, value: Value) -> Iterator[_Named]:
    """The claim's times, quantities or words that a literal value agrees with."""
    match value:
        case Time():
            for time in case.reading.times:
                way = _other_end(case, triple, time)
                if way is not None and (way or compare_time(time, value).agrees):
                    yield _Named(Argument(TextSpan(time.value_start, time.end), 1.0, True), 1.0, way)
        case Quantity():
            weight = UNSAID_YEAR if case.reading.times else 1.0
            for quantity in case.reading.quantities:
                if compare_quantity(quantity, value).agrees:
                    end = quantity.end
                    if (measured := _MEASURED.match(case.reading.text, end)) is not None:
                        end = measured.end()
                    yield _Named(Argument(TextSpan(quantity.start, end), 1.0, True), weight)
        case Text(value=text) if text.strip():
            flags = re.IGNORECASE if len(text) >= MIN_TEXT else re.NOFLAG
            for match in re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", case.reading.text, flags):
                yield _Named(Argument(TextSpan(match.start(), match.end()), LABEL, True), 1.0)


def _other_end(case: Case, triple: Triple, time: TimeMention) -> tuple[str, ...] | None:
    """The statement of the other end, where a claim gives both of what a statement begins or ends and both agree.

    Empty where the claim gives no two ends, ``None`` where they are not both borne out.
    """
    relations = next((pair for pair in SPANS if triple.relation.id in pair), None)
    if time.bound != "from_to" or relations is None:
        return ()
    starts, ends = (case.values(triple.subject, relation) for relation in relations)
    for (start_of, start), (end_of, end) in product(starts, ends):
        if triple in (start, end) and compare_period(time, _time(start), _time(end)).agrees:
            return (end_of.id if triple == start else start_of.id,)
    return None


def _time(triple: Triple) -> Time | None:
    return triple.object if isinstance(triple.object, Time) else None


def _in_time(case: Case, support: Support) -> Support:
    """The support with what its statement's qualifiers say of the time that the claim means."""
    triple = support.triples[0]
    if isinstance(triple.object, Time):
        return support
    start, end = period_of(triple)
    free = [
        time
        for time in case.reading.times
        if not any(overlaps(TextSpan(time.value_start, time.end), span) for span in support.spans)
    ]
    spans, contradiction = list(support.spans), None
    for time in free:
        agreement: Agreement = compare_period(time, start, end)
        if agreement.agrees:
            spans.append(TextSpan(time.value_start, time.end))
        elif agreement.disagrees:
            contradiction = agreement.reason
    is_now = not free and case.reading.tense == "present"
    has_ended = is_now and has_ended_by(case, triple) and not _is_past(case, triple.subject)
    return replace(support, spans=tuple(spans), contradiction=contradiction, has_ended=has_ended)


def _is_past(case: Case, entity: Entity) -> bool:
    """Whether the entity has died or been dissolved, so that the present tense tells of the past."""
    return any(case.values(entity, relation) for relation in ENDS_OF_LIFE)


def has_ended_by(case: Case, triple: Triple) -> bool:
    """Whether the statement's qualifiers say that it had ended before the day that the claim calls today."""
    today = case.reading.today
    for qualifier in triple.qualifiers:
        if qualifier.relation.id == END:
            if isinstance(qualifier.value, Time):
                return stated_span(qualifier.value).latest < Day(today.year, today.month, today.day)
            return isinstance(qualifier.value, Missing) and qualifier.value.value == "unknown"
    return False


def _verified(case: Case, unsaid: Sequence[Support], verifier: Scorer) -> Iterator[Support]:
    """Statements that name both ends, in words that no cue knows, where the verifier finds that they support."""
    best = sorted(unsaid, key=lambda support: (-support.strength, support.evidence_ids))[:VERIFIER_PAIRS]
    if not best:
        return
    scores = verifier.score([support.sentence for support in best], [case.reading.text] * len(best))
    for support, row in zip(best, scores, strict=True):
        if float(row[0]) >= VERIFIED:
            yield _in_time(case, replace(support, strength=support.strength * VERIFIED_FIT * float(row[0])))
