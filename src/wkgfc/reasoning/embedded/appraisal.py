"""What the knowledge graph says of each part of a claim, and what it should be asked next.

A part is judged by its statements and by what it measures; a part that describes something without naming it is
judged once more for each thing that the description may mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wkgfc.evidence import Entity, Quantity, Stance, Triple
from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.parts import parts_of, positive_form
from wkgfc.reasoning.embedded.facts.descriptions import Resolved, resolve
from wkgfc.reasoning.embedded.facts.statements import decided, judge_statements
from wkgfc.reasoning.embedded.facts.supporting import Scorer
from wkgfc.reasoning.embedded.findings import Finding
from wkgfc.reasoning.embedded.lexicon.relations import lexicon
from wkgfc.reasoning.embedded.measured.comparisons import comparison_of
from wkgfc.reasoning.embedded.measured.counting import counting_of
from wkgfc.reasoning.embedded.measured.measuring import measured_findings, unranked_kind
from wkgfc.state import BeliefState


@dataclass(frozen=True)
class Question:
    """A text to look for in the graph: a part of the claim in its positive form, with the linking of its names."""

    text: str
    state: BeliefState


def questions_of(state: BeliefState) -> tuple[Question, ...]:
    """What the claim asks of the graph: its parts as they stand, and with names for what they describe."""
    questions: dict[str, Question] = {}
    for part in parts_of(state.claim.text):
        text, _ = positive_form(part)
        about = about_part(state, part)
        for question in (Question(text, about), *(Question(r.text, r.state) for r in resolve(about, text))):
            questions.setdefault(question.text, question)
    return tuple(questions.values())


def meant_entities(state: BeliefState) -> tuple[Entity, ...]:
    """What the claim's descriptions may mean, as far as the evidence tells, and the classes that it ranks by."""
    found: list[Entity] = []
    for part in parts_of(state.claim.text):
        text, _ = positive_form(part)
        about = about_part(state, part)
        readings = resolve(about, text)
        for reading in readings:
            found += reading.entities
        for question in (Question(text, about), *(Question(r.text, r.state) for r in readings)):
            kind = unranked_kind(question.state, question.text)
            found += [kind] if kind is not None else []
    return tuple(dict.fromkeys(found))


def about_part(state: BeliefState, part: str) -> BeliefState:
    """The state as it concerns one part of the claim: only the entities that the part names."""
    named = {mention: candidates for mention, candidates in state.topic_entities.items() if mention in part}
    return replace(state, topic_entities=named or state.topic_entities)


def findings_of(state: BeliefState, part: str, verifier: Scorer | None = None) -> tuple[Finding, ...]:
    """What the knowledge graph says of one part of the claim."""
    text, negated = positive_form(part)
    about = about_part(state, part)
    readings = resolve(about, text)
    measured: tuple[Finding, ...] = ()
    if readings:
        # Of what the claim describes, a statement on what it names there ("X" in "the author of X") refutes nothing.
        found = _of_readings(readings, verifier) or tuple(
            each for each in _statements(about, text) if each.stance.polarity > 0
        )
    else:
        measured = measured_findings(about, part)
        found = _statements(about, text, verifier)
    return (*measured, *(map(flipped, found) if negated else found))


def suffices(state: BeliefState) -> bool:
    """Whether the graph decides every part of the claim, or refutes one."""
    verdicts = []
    for part in parts_of(state.claim.text):
        text, _ = positive_form(part)
        if unranked_kind(about_part(state, part), text) is not None:
            return False
        verdicts.append(decided(findings_of(state, part)))
    return bool(verdicts) and ("Refuted" in verdicts or None not in verdicts)


def flipped(finding: Finding) -> Finding:
    """The finding for the denial of what it was found for."""
    stance = finding.stance
    return replace(finding, stance=Stance(supports=stance.refutes, refutes=stance.supports, neither=stance.neither))


def _of_readings(readings: Sequence[Resolved], verifier: Scorer | None) -> tuple[Finding, ...]:
    """One of the things that are meant is enough to bear the claim out; to refute it, all of them must speak."""
    supports: list[Finding] = []
    refutes: list[Finding] = []
    for reading in readings:
        found = (
            *measured_findings(reading.state, reading.text),
            *_statements(reading.state, reading.text, verifier),
        )
        supports += [_joined(reading, each) for each in found if each.stance.polarity > 0][:1]
        refutes += [_joined(reading, each) for each in found if each.stance.polarity < 0][:1]
    if supports:
        return (max(supports, key=lambda each: each.strength),)
    if len(refutes) < len(readings) or not all(reading.is_complete for reading in readings):
        return ()
    return (min(refutes, key=lambda each: each.strength),)


def _joined(reading: Resolved, finding: Finding) -> Finding:
    return replace(
        finding,
        evidence_ids=tuple(dict.fromkeys((*reading.evidence_ids, *finding.evidence_ids))),
        sentence=" ".join(dict.fromkeys(text for text in (reading.sentence, finding.sentence) if text)),
        strength=reading.strength * finding.strength,
    )


def _statements(state: BeliefState, text: str, verifier: Scorer | None = None) -> tuple[Finding, ...]:
    """What the statements say of a text that denies nothing.

    A text says all of its words: where a statement contradicts some, others that bear out the rest weigh as little as
    the contradiction is sure. Statements that bear out only what a rank, a comparison or a count is about are left
    out: "X is in Africa", for the largest country there.
    """
    found = judge_statements(state, text, verifier=verifier)
    against = max((finding.strength for finding in found if finding.stance.polarity < 0), default=0.0)
    kept = [
        replace(finding, strength=finding.strength * (1.0 - against)) if finding.stance.polarity > 0 else finding
        for finding in found
    ]
    if is_ranked(text) or comparison_of(text) is not None:
        kept = [each for each in kept if each.stance.polarity <= 0 or _relation(state, each) in _ranking_relations()]
    elif counting_of(text) is not None:
        kept = [each for each in kept if each.stance.polarity <= 0 or _is_number(state, each)]
    return tuple(kept)


def is_ranked(text: str) -> bool:
    """Whether a text says of something that it comes first: it has a superlative."""
    return any(
        token.tag_ in {"JJS", "RBS"} and not token.ent_type_ and token.lower_ != "least" for token in parse(text)
    )


def _relation(state: BeliefState, finding: Finding) -> str:
    content = state.evidence[finding.evidence_ids[0]].content
    return content.relation.id if isinstance(content, Triple) else ""


def _is_number(state: BeliefState, finding: Finding) -> bool:
    content = state.evidence[finding.evidence_ids[0]].content
    return isinstance(content, Triple) and isinstance(content.object, Quantity)


def _ranking_relations() -> frozenset[str]:
    """The relations that say of their object that it comes first: the highest point."""
    return frozenset(
        profile.id
        for profile in lexicon().values()
        if any(kind == "role" and cue.split()[0].split("|")[0].endswith("est") for kind, cue in profile.cues)
    )
