"""From findings and graded passages to a verdict: what each side says, put together with what it is worth.

The knowledge graph's side is the rules' findings, by part of the claim: a compound claim is supported only if each part
is, and refuted as soon as one is. How far no finding can be relied on is left open, and speaks for nothing. The text
side is one stance from all kept passages; where there is none, what is known beforehand stands in its place. The two
are multiplied as independent evidence is (Bayes), so that a side that says nothing changes nothing. Where the texts
lean against a statement that is likelier right than not, they are heard only if they stand against it
(``texts/standing.py``), and then the probability that both are right in speaking goes to Conflicting Evidence. What
confidence means is in ``docs/confidence.md``.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from wkgfc.claim import Veracity
from wkgfc.evidence import NEUTRAL, Contradiction, Evidence, EvidenceGraph, Passage, Record, Stance
from wkgfc.reasoning.embedded.claims.attribution import attribution_of
from wkgfc.reasoning.embedded.facts.statements import ENDED
from wkgfc.reasoning.embedded.findings import Finding
from wkgfc.reasoning.embedded.texts.standing import Side, Standing, page_of
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.result import Sentence
from wkgfc.state import BeliefState, SearchWeb

SENTENCES = 4  # of a justification, at most: what a reader reads
LIKELIER_THAN_NOT = 0.5  # what a decided verdict must exceed: below, saying it would be wrong more often than right
NOTHING = 1e-9  # a probability that is none
CLEAR = 0.5  # the relevance and the stance from which on a passage is quoted beside a finding or another passage
QUOTES = 2  # passages quoted for one direction


Share = Annotated[float, Field(ge=0, le=1)]


class VerdictParameters(Record):
    """What is learned of the verdict. A policy folder may have other values (``policy.py``)."""

    silent: Share = 0.6  # the probability of Not Enough Evidence where no passage speaks: a claim may still be either
    anchor: Share = 0.5  # how far a sure finding of the graph, which is an anchor, flattens the text's hypothesis
    failure_cost: Share = 0.1  # the share of certainty that each failed source takes
    sufficient: Share = 0.8  # the probability above which no more evidence is looked for
    standing: Share = 0.8  # how sure texts must be together to stand against a statement
    # Of how many pages they must be: a single text is a hypothesis, the statement an anchor.
    standing_pages: int = Field(2, ge=1)
    lean: float = Field(0.0, ge=-5, le=5)  # added to the logarithm of the odds of support against refutation of texts


@dataclass(frozen=True)
class PartAssessment:
    """What the knowledge graph says of one part of the claim."""

    text: str
    findings: tuple[Finding, ...]
    stance: Stance


@dataclass(frozen=True)
class Assessment:
    """What all evidence says of the claim.

    ``probabilities`` are over the four veracities and sum to one. ``against`` are the ids of the passages that stand
    against the statements: what Conflicting Evidence quotes.
    """

    parts: tuple[PartAssessment, ...]
    kg: Stance
    text: Stance
    probabilities: dict[Veracity, float]
    against: frozenset[str] = frozenset()

    @property
    def veracity(self) -> Veracity:
        """The one that is likelier right than not; where none is, the evidence is not enough."""
        best = max(self.probabilities, key=lambda veracity: self.probabilities[veracity])
        return best if self.probabilities[best] > LIKELIER_THAN_NOT else Veracity.NOT_ENOUGH_EVIDENCE

    @property
    def decided(self) -> float:
        """The larger of the probabilities of Supported and Refuted."""
        return max(self.probabilities[Veracity.SUPPORTED], self.probabilities[Veracity.REFUTED])


def assess_part(text: str, findings: Sequence[Finding], graph: EvidenceGraph) -> PartAssessment:
    """Put a part's findings together: the strongest of each text counts, and different texts add up."""
    return PartAssessment(
        text, tuple(findings), _opposed(_side(findings, graph, "supports"), _side(findings, graph, "refutes"))
    )


def _side(findings: Sequence[Finding], graph: EvidenceGraph, side: str) -> float:
    """The probability that at least one independent text is right in speaking for this side."""
    strongest: dict[str, float] = {}
    for finding in findings:
        text_id = graph[finding.evidence_ids[0]].text_id
        strongest[text_id] = max(strongest.get(text_id, 0.0), getattr(finding.stance, side) * finding.strength)
    return 1.0 - math.prod(1.0 - strength for strength in strongest.values())


def _opposed(supports: float, refutes: float) -> Stance:
    """A stance from two opposed sides: what both claim goes to neither."""
    supported, refuted = supports * (1.0 - refutes), refutes * (1.0 - supports)
    return Stance(supports=supported, refutes=refuted, neither=max(0.0, 1.0 - supported - refuted))


def together(parts: Sequence[PartAssessment]) -> Stance:
    """The claim from its parts: supported only if each is, refuted as soon as one is."""
    if not parts:
        return NEUTRAL
    supports = math.prod(part.stance.supports for part in parts)
    refutes = 1.0 - math.prod(1.0 - part.stance.refutes for part in parts)
    return _opposed(supports, refutes)


def pages_behind(parts: Sequence[PartAssessment], side: Side, graph: EvidenceGraph) -> frozenset[str]:
    """The pages of the statements that speak for a side."""
    return frozenset(
        page_of(graph[evidence_id])
        for part in parts
        for finding in part.findings
        if _leans(finding.stance, side)
        for evidence_id in finding.evidence_ids
    )


def leave_open(parts: Sequence[PartAssessment]) -> bool:
    """Whether a rule had the values that would tell, and they fit the claim without bearing it out."""
    return any(finding.is_open for part in parts for finding in part.findings)


def anchored_side(kg: Stance, is_open: bool) -> Side | None:
    """The side on which the statements are likelier right than not, or ``None``.

    Statements that leave the claim open (``is_open``) could have contradicted it: a text that does must stand as well.
    """
    if max(kg.supports, kg.refutes) > LIKELIER_THAN_NOT:
        return "supports" if kg.supports > kg.refutes else "refutes"
    return "supports" if is_open else None


def opposite(side: Side) -> Side:
    """The other side."""
    return "refutes" if side == "supports" else "supports"


def assess(
    parts: Sequence[PartAssessment],
    text: Stance | None,
    failures: int,
    parameters: VerdictParameters,
    against: Standing | None = None,
) -> Assessment:
    """Put both sides together.

    ``text`` is ``None`` where no passage was kept; ``failures`` counts failed sources; ``against`` are the texts that
    stand against the statements.
    """
    kg = together(parts)
    said, probabilities = weighed(kg, text, failures, parameters, against, is_open=leave_open(parts))
    ids = against.evidence_ids if against is not None else frozenset()
    return Assessment(tuple(parts), kg, said, probabilities, ids)


def weighed(
    kg: Stance,
    text: Stance | None,
    failures: int,
    parameters: VerdictParameters,
    against: Standing | None = None,
    *,
    is_open: bool = False,
) -> tuple[Stance, dict[Veracity, float]]:
    """The text's side as it is heard beside the graph's, and the probabilities of the four veracities from both."""
    anchored = anchored_side(kg, is_open)
    text = _leaning(text, parameters.lean) if text is not None else None
    either = (1.0 - parameters.silent) / 2
    said = text or Stance(supports=either, refutes=either, neither=parameters.silent)
    conflict = 0.0
    if anchored is not None and text is not None and _leans(text, opposite(anchored)):
        if against is None or against.sureness < parameters.standing or against.pages < parameters.standing_pages:
            said = Stance(supports=either, refutes=either, neither=parameters.silent)
        elif getattr(text, opposite(anchored)) > LIKELIER_THAN_NOT:
            conflict = getattr(kg, anchored) * against.sureness
    said = _flattened(said, 1.0 - parameters.anchor * max(_sure(kg.supports), _sure(kg.refutes)))
    open_ = kg.neither / 3
    supports, refutes, neither = (
        said.supports * (kg.supports + open_),
        said.refutes * (kg.refutes + open_),
        said.neither * open_,
    )
    total = supports + refutes + neither
    if total < NOTHING:  # each side rules out what the other says
        supports, refutes, total = 0.0, 0.0, 1.0
    certainty = (1.0 - parameters.failure_cost) ** failures / total
    return said, _over_four(supports * certainty, refutes * certainty, conflict)


def _leaning(stance: Stance, lean: float) -> Stance:
    """A stance whose odds of support against refutation are so much better; what is neither stays."""
    if lean == 0.0:
        return stance
    supports, refutes = stance.supports * math.exp(lean), stance.refutes
    decided = (stance.supports + stance.refutes) / ((supports + refutes) or 1.0)
    return Stance(supports=min(1.0, supports * decided), refutes=min(1.0, refutes * decided), neither=stance.neither)


def _leans(stance: Stance, side: Side) -> bool:
    return stance.supports > stance.refutes if side == "supports" else stance.refutes > stance.supports


def _flattened(stance: Stance, power: float) -> Stance:
    """A stance raised to a power under one and brought back to a sum of one: the same lean, less sure."""
    powers = [value**power for value in (stance.supports, stance.refutes, stance.neither)]
    supports, refutes, neither = (value / sum(powers) for value in powers)
    return Stance(supports=supports, refutes=refutes, neither=neither)


def _sure(probability: float) -> float:
    """0 unless likelier right than not, 1 where certain."""
    return max(0.0, 2.0 * probability - 1.0)


def _over_four(supports: float, refutes: float, conflict: float) -> dict[Veracity, float]:
    supported, refuted = supports * (1.0 - conflict), refutes * (1.0 - conflict)
    return {
        Veracity.SUPPORTED: supported,
        Veracity.REFUTED: refuted,
        Veracity.CONFLICTING_EVIDENCE: conflict,
        Veracity.NOT_ENOUGH_EVIDENCE: max(0.0, 1.0 - supported - refuted - conflict),
    }


def conclude(state: BeliefState, assessment: Assessment) -> Judgement:
    """The judgement with its justification: the sentences that carry the verdict, each with what it rests on."""
    findings = [finding for part in assessment.parts for finding in part.findings]
    veracity = assessment.veracity
    sides: Mapping[Veracity, tuple[Side, ...]] = {
        Veracity.SUPPORTED: ("supports",),
        Veracity.REFUTED: ("refutes",),
        Veracity.CONFLICTING_EVIDENCE: ("supports", "refutes"),
        Veracity.NOT_ENOUGH_EVIDENCE: (),
    }
    wanted = sides[veracity]
    stances = _stances(state, findings, wanted)
    quotable = assessment.against if len(wanted) > 1 else None
    sentences = [
        sentence
        for side in wanted
        for sentence in _reasons(state, findings, side, quotable)[: SENTENCES // len(wanted)]
    ]
    if not wanted or not sentences:
        left_open = [Sentence(text=each.sentence, citations=each.evidence_ids) for each in findings if each.is_open]
        veracity, sentences = Veracity.NOT_ENOUGH_EVIDENCE, [*left_open, *_searched(state)][:SENTENCES]
    return Judgement(
        veracity=veracity,
        probabilities=assessment.probabilities,
        confidence=assessment.probabilities[veracity],
        justification=tuple(sentences),
        stances=stances,
        contradictions=_contradictions(state, stances),
        flags=tuple(_flags(state, assessment)),
    )


def _flags(state: BeliefState, assessment: Assessment) -> Iterator[str]:
    """What a reader should know of the verdict beside its confidence."""
    if len(assessment.parts) > 1:
        yield "compound"
    if attribution_of(state.claim.text):
        yield "attribution"
    if any(finding.kind == ENDED for part in assessment.parts for finding in part.findings):
        yield "stale"
    if state.claim.date and any(passage.date is None for _, passage in state.evidence.passages()):
        yield "undated_evidence"


def _stances(state: BeliefState, findings: Sequence[Finding], wanted: Sequence[Side]) -> dict[str, Stance]:
    """Each piece of evidence with its stance: that of the strongest finding on it, or the grade of its passage.

    Findings on a side that the verdict takes come before others: of what bears out one part of a claim and contradicts
    another, it is the contradiction that refutes the claim.
    """
    stances = {evidence.id: evidence.stance for evidence in state.evidence if evidence.stance is not None}
    for finding in sorted(
        findings, key=lambda each: (any(_leans(each.stance, side) for side in wanted), each.strength)
    ):
        stances.update(dict.fromkeys(finding.evidence_ids, finding.stance))
    return stances


def _reasons(
    state: BeliefState, findings: Sequence[Finding], side: Side, quotable: Collection[str] | None = None
) -> list[Sentence]:
    """The sentences that speak for one side, the strongest first: findings, then quoted passages.

    ``quotable`` are the ids of the passages that may be quoted, where it is not all of them.
    """
    other = opposite(side)

    def speaks(stance: Stance | None) -> bool:
        return stance is not None and getattr(stance, side) > max(getattr(stance, other), 0.2)

    told = sorted(
        (finding for finding in findings if speaks(finding.stance)),
        key=lambda finding: -finding.strength * getattr(finding.stance, side),
    )
    quoted = sorted(
        (
            (evidence, passage)
            for evidence, passage in state.evidence.passages()
            if speaks(evidence.stance) and (quotable is None or evidence.id in quotable)
        ),
        key=lambda pair: -getattr(pair[0].stance, side) * (pair[0].relevance or 0.0),
    )
    sentences = [Sentence(text=finding.sentence, citations=finding.evidence_ids) for finding in told]
    if told and side == "refutes":
        quoted = []  # the verifier takes silence for refutation too easily to stand beside a statement
    else:
        first = 0 if told else 1  # alone, the strongest is the reason whatever it is worth
        quoted = quoted[:first] + [pair for pair in quoted[first:] if _is_clear(pair[0], side)]
    sentences += [_quotation(evidence, passage) for evidence, passage in quoted[:QUOTES]]
    return list({sentence.text: sentence for sentence in sentences}.values())


def _is_clear(evidence: Evidence, side: Side) -> bool:
    """Whether a passage speaks clearly enough, and is enough on the topic, to be quoted beside what is told already."""
    says = getattr(evidence.stance, side) if evidence.stance is not None else 0.0
    return says > CLEAR and (evidence.relevance or 0.0) > CLEAR


def _quotation(evidence: Evidence, passage: Passage) -> Sentence:
    quote = evidence.quote or passage.text
    where = f"{passage.title}: " if passage.title else ""
    return Sentence(text=f"{where}“{quote}”", citations=(evidence.id,))


def _searched(state: BeliefState) -> list[Sentence]:
    """What was asked and what came of it: the justification of Not Enough Evidence (rule 1)."""
    sentences = []
    for step in state.steps:
        if isinstance(step.action, SearchWeb):
            asked = f"a search for “{step.action.query}”"
        elif state.kg_available:
            asked = "the knowledge graph"
        else:
            sentences.append(Sentence(text="There is no knowledge graph to ask.", citations=(step.observation.id,)))
            continue
        outcome = "decides the claim" if step.observation.outcome == "found" else "was found"
        text = (
            f"{asked[:1].upper()}{asked[1:]} failed: {step.observation.reason}."
            if step.observation.outcome == "failed"
            else f"{asked[:1].upper()}{asked[1:]} was asked ({step.observation.text}); nothing {outcome}."
        )
        sentences.append(Sentence(text=text, citations=(step.observation.id,)))
    return sentences[-SENTENCES:]


def _contradictions(state: BeliefState, stances: Mapping[str, Stance]) -> tuple[Contradiction, ...]:
    """Evidence of both sides, each against the strongest of the other: shown, never hidden."""
    sides: dict[str, list[str]] = {"supports": [], "refutes": []}
    for evidence_id, stance in stances.items():
        for side, ids in sides.items():
            if getattr(stance, side) > 0.5:
                ids.append(evidence_id)
    pairs = [(left, right) for left in sides["supports"][:2] for right in sides["refutes"][:2]]
    return (
        *state.evidence.contradictions,
        *(Contradiction(evidence=pair, reason="one supports the claim, the other refutes it") for pair in pairs),
    )
