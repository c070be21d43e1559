"""What the statements of the knowledge graph say of a claim: whether they support it, refute it or say nothing.

A statement supports a claim that names both of its ends with words that say its relation (``supporting.py``). It
refutes a claim that names another value in its place, where the relation can have one value only and the two are
apart (``refuting.py``). A statement counts for the time that its qualifiers give. What is not stated is never held
against a claim.
"""

from collections.abc import Sequence
from dataclasses import replace

from wkgfc.claim import Veracity
from wkgfc.evidence import NEUTRAL, Entity, Stance
from wkgfc.reasoning.embedded.claims.reading import overlaps
from wkgfc.reasoning.embedded.facts.case import Case, StatementParameters, load_parameters, open_case
from wkgfc.reasoning.embedded.facts.refuting import Refutation, refutations_of
from wkgfc.reasoning.embedded.facts.supporting import Scorer, Support, supports_of
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.findings import Finding
from wkgfc.state import BeliefState

__all__ = ["ENDED", "RELATION", "StatementParameters", "decided", "judge_statements", "load_parameters", "verbalise"]

RELATION = "relation"
ENDED = "ended"  # the kind of a finding that says that what the claim states has ended: it speaks for neither side

FOR, AGAINST = Stance(supports=0.98, refutes=0.0, neither=0.02), Stance(supports=0.0, refutes=0.98, neither=0.02)
DENIED = 0.75  # of a refutation, where the claim denies in other words than "not" what is stated
OUT_OF_TIME = 0.85  # of a refutation by the time that a statement's qualifiers give
OFFICES = {"P39", "P35", "P6", "P488", "P169"}  # position held, head of state, of government, chair, chief executive
ONLY = 0.4  # of a support, where the claim says "only"
AS_SURE = 0.6  # of the strength of a refutation, from which a support of the same value answers it
JOINED = 4  # statements that bear out one claim together, at most


def judge_statements(
    state: BeliefState,
    text: str | None = None,
    *,
    negated: bool = False,
    verifier: Scorer | None = None,
    parameters: StatementParameters | None = None,
) -> tuple[Finding, ...]:
    """What the statements of the evidence graph say of the claim, or of the part ``text`` of it.

    At most one finding of a side, the strongest, with all the evidence that bears it. ``negated`` says that ``text``
    is the positive form of what the claim denies: supports and refutations change places. The verifier is asked for
    at most three statements, and only where no rule decides. Deterministic.
    """
    case = open_case(state, text, parameters)
    supports = supports_of(case, verifier)
    current = [support for support in supports if support.contradiction is None and not support.has_ended]
    findings: list[Finding] = []
    if current:
        joined = _joined(case, current)
        if case.reading.is_denied:
            findings.append(replace(joined, stance=AGAINST, strength=DENIED * joined.strength))
        elif not case.reading.is_doubted:
            findings.append(joined)
    elif ended := [support for support in supports if support.has_ended]:
        findings.append(_ended(case, ended[0]))
    if not case.reading.is_denied and not case.reading.is_doubted:
        against = [
            Finding(RELATION, AGAINST, each.evidence_ids, each.sentence, _bounded(each.strength))
            for each in refutations_of(case)
            if not any(_answers(support, each) for support in supports)
        ]
        against += [
            _out_of_time(support)
            for support in supports
            if support.contradiction is not None and not _is_answered(support, current)
        ]
        findings += sorted(against, key=lambda finding: -finding.strength)[:1]
    return tuple(map(_flipped, findings)) if negated else tuple(findings)


def decided(findings: Sequence[Finding], parameters: StatementParameters | None = None) -> Veracity | None:
    """The verdict that the findings settle by themselves; ``None`` where they do not, or contradict each other."""
    least = (parameters or load_parameters()).decisive
    sides = {
        veracity
        for finding in findings
        if finding.strength >= least
        for veracity, probability in (
            (Veracity.SUPPORTED, finding.stance.supports),
            (Veracity.REFUTED, finding.stance.refutes),
        )
        if probability > 0.5
    }
    return sides.pop() if len(sides) == 1 else None


def _answers(support: Support, refutation: Refutation) -> bool:
    """Whether a statement bears out the very value that others contradict."""
    is_as_sure = support.strength >= AS_SURE * refutation.strength
    return is_as_sure and any(overlaps(span, refutation.claimed) for span in support.spans)


def _is_answered(support: Support, current: Sequence[Support]) -> bool:
    """Whether another statement of the same fact holds for the claim's time: the other term of an office."""
    return any(each.triples[0].fact == support.triples[0].fact for each in current)


def _joined(case: Case, supports: Sequence[Support]) -> Finding:
    """The supports that together cover most of the claim: the strongest, and those that bear out other words of it."""
    kept = [supports[0]]
    for support in supports[1:]:
        is_as_good = support.strength >= case.parameters.least_fit and support.subject == kept[0].subject
        taken = [span for each in kept for span in each.spans if span != support.subject]
        says_more = any(
            span != support.subject and not any(overlaps(span, other) for other in taken) for span in support.spans[1:2]
        )
        if is_as_good and says_more and len(kept) < JOINED:
            kept.append(support)
    spans = [span for support in kept for span in support.spans]
    entities = [
        end
        for support in kept
        for triple in support.triples
        for end in (triple.subject, triple.object)
        if isinstance(end, Entity)
    ]
    coverage = case.coverage(spans, entities)
    strength = sum(support.strength for support in kept) / len(kept)
    strength *= case.parameters.uncovered + (1.0 - case.parameters.uncovered) * coverage
    if case.reading.is_exclusive:
        strength *= ONLY
    evidence_ids = tuple(dict.fromkeys(identifier for support in kept for identifier in support.evidence_ids))
    sentences = dict.fromkeys(verbalise(triple) for support in kept for triple in support.triples)
    return Finding(RELATION, FOR, evidence_ids, " ".join(sentences), _bounded(strength))


def _ended(case: Case, support: Support) -> Finding:
    """What the claim says in the present tense was so once.

    That speaks against a claim of who holds an office, and against one that says "now"; of other things people speak
    in the present tense long after ("Chaplin is the husband of …").
    """
    sentence = f"{support.sentence} That had ended by the claim's date."
    is_against = case.reading.is_of_now or support.triples[0].relation.id in OFFICES
    stance, share = (AGAINST, OUT_OF_TIME) if is_against else (NEUTRAL, 1.0)
    return Finding(RELATION if is_against else ENDED, stance, support.evidence_ids, sentence, share * support.strength)


def _out_of_time(support: Support) -> Finding:
    """What the claim says was so, but at another time."""
    sentence = f"{support.sentence} But {support.contradiction}."
    return Finding(RELATION, AGAINST, support.evidence_ids, sentence, _bounded(OUT_OF_TIME * support.strength))


def _flipped(finding: Finding) -> Finding:
    stance = finding.stance
    return replace(finding, stance=Stance(supports=stance.refutes, refutes=stance.supports, neither=stance.neither))


def _bounded(strength: float) -> float:
    return min(max(strength, 0.0), 1.0)
