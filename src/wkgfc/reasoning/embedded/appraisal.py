"""What the knowledge graph says of each part of a claim, and what it should be asked next.

A part is judged by its statements and by what it measures; a part that describes something without naming it is
judged once more for each thing that the description may mean.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wkgfc.evidence import Entity, Quantity, Stance, Triple
from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.negation import called_untrue
from wkgfc.reasoning.embedded.claims.parts import parts_of, positive_form
from wkgfc.reasoning.embedded.facts.chains import ORDERS, Chain, all_chains, chains_of, outline_for, relations_for
from wkgfc.reasoning.embedded.facts.descriptions import Resolved, resolve
from wkgfc.reasoning.embedded.facts.statements import decided, judge_statements
from wkgfc.reasoning.embedded.facts.supporting import Scorer
from wkgfc.reasoning.embedded.findings import Finding
from wkgfc.reasoning.embedded.lexicon.relations import lexicon
from wkgfc.reasoning.embedded.measured.comparisons import comparison_of
from wkgfc.reasoning.embedded.measured.counting import counting_of
from wkgfc.reasoning.embedded.measured.durations import duration_of
from wkgfc.reasoning.embedded.measured.measuring import measured_findings, unranked_kind
from wkgfc.reasoning.reasoner import ChosenRelation, OfferedRelation
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
        for question in (
            *_left_of_chains(about, text),
            Question(text, about),
            *(Question(r.text, r.state) for r in resolve(about, text)),
        ):
            questions.setdefault(question.text, question)
    return tuple(questions.values())


def _left_of_chains(state: BeliefState, text: str) -> Iterator[Question]:
    """The clauses of which all is known, with names for what the chains led to."""
    for chain in all_chains(state, text):
        for clause in chain.clauses:
            if not clause.is_kind and all(number in chain.found for number in clause.unnamed):
                yield Question(chain.text(clause), chain.linking(state, clause))


def steps_onwards(state: BeliefState, offered: Sequence[OfferedRelation]) -> list[list[ChosenRelation]]:
    """For each part of the claim, the relations by which the chains of what it does not name go on."""
    found = []
    for part in parts_of(state.claim.text):
        text, _ = positive_form(part)
        found.append(relations_for(about_part(state, part), text, offered))
    return [each for each in found if each]


def meant_entities(state: BeliefState) -> tuple[Entity, ...]:
    """What the claim's descriptions may mean, as far as the evidence tells, and the classes that it ranks by."""
    found: list[Entity] = []
    for part in parts_of(state.claim.text):
        text, _ = positive_form(part)
        about = about_part(state, part)
        readings = resolve(about, text)
        for chain in all_chains(about, text):
            found += chain.found.values()
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
    if (untrue := called_untrue(part)) is not None:
        return tuple(map(flipped, findings_of(state, untrue, verifier)))
    text, negated = positive_form(part)
    about = about_part(state, part)
    measured: tuple[Finding, ...] = ()
    if chained := _of_chains(about, text, verifier):
        return tuple(map(flipped, chained)) if negated else chained
    readings = resolve(about, text)
    if readings:
        # Of what the claim describes, a statement on what it names there ("X" in "the author of X") refutes nothing.
        found = _of_readings(readings, verifier) or tuple(
            each for each in _statements(about, text) if each.stance.polarity > 0
        )
    else:
        measured = measured_findings(about, part)
        found = _statements(about, text, verifier)
    if outline_for(about, text) is not None and (not readings or any(c.found for c in all_chains(about, text))):
        # Where no chain bears it out, what is said of the last thing must not be held against the first.
        found = tuple(each for each in found if each.stance.polarity > 0)
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


def _of_chains(state: BeliefState, text: str, verifier: Scorer | None) -> tuple[Finding, ...]:
    """What whole chains say: one that bears the claim out is enough; to refute it, all must speak against it."""
    for order in ORDERS:
        if found := _of_whole(state, chains_of(state, text, order), verifier):
            return found
    return ()


def _of_whole(state: BeliefState, chains: Sequence[Chain], verifier: Scorer | None) -> tuple[Finding, ...]:
    whole = [chain for chain in chains if chain.is_whole and not _is_of_other_kind(state, chain)]
    judged = [_of_chain(state, chain, verifier) for chain in whole]
    supports = [each for each in judged if each is not None and each.stance.polarity > 0]
    refutes = [each for each in judged if each is not None and each.stance.polarity < 0]
    if supports:
        return (max(supports, key=lambda each: each.strength),)
    if not refutes or len(refutes) < len(judged) or not all(chain.is_complete for chain in whole):
        return ()
    return (min(refutes, key=lambda each: each.strength),)


def _of_chain(state: BeliefState, chain: Chain, verifier: Scorer | None) -> Finding | None:
    """Against the claim where one clause is refuted, for it where each is borne out, else nothing."""
    found: list[Finding] = []
    for clause in chain.clauses:
        about, text = chain.linking(state, clause), chain.text(clause)
        of_clause = (*measured_findings(about, text), *_statements(about, text, verifier))
        best = max(of_clause, key=lambda each: abs(each.stance.polarity) * each.strength, default=None)
        if best is not None and best.stance.polarity < 0 and not clause.is_kind:
            return _at_end(chain, [best])
        if best is not None and best.stance.polarity > 0:
            found.append(best)
        elif not clause.is_kind:
            return None
    return _at_end(chain, found) if found else None


def _is_of_other_kind(state: BeliefState, chain: Chain) -> bool:
    """Whether a chain led to something that cannot be called what the claim calls it: the Earth, for a country."""
    return any(
        finding.stance.polarity < 0
        for clause in chain.clauses
        if clause.is_kind
        for finding in _statements(chain.linking(state, clause), chain.text(clause))
    )


def _at_end(chain: Chain, findings: Sequence[Finding]) -> Finding:
    ids = [identifier for finding in findings for identifier in finding.evidence_ids]
    sentences = [chain.sentence, *(finding.sentence for finding in findings)]
    return replace(
        findings[-1],
        evidence_ids=tuple(dict.fromkeys((*chain.evidence_ids, *ids))),
        sentence=" ".join(dict.fromkeys(text for text in sentences if text)),
        strength=min([chain.strength, *(finding.strength for finding in findings)]),
    )


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
    the contradiction is sure. Statements that bear out only what a rank, a comparison, a count or a duration is about
    are left out: "X is in Africa", for the largest country there.
    """
    found = judge_statements(state, text, verifier=verifier)
    against = max((finding.strength for finding in found if finding.stance.polarity < 0), default=0.0)
    kept = [
        replace(finding, strength=finding.strength * (1.0 - against)) if finding.stance.polarity > 0 else finding
        for finding in found
    ]
    if is_ranked(text) or comparison_of(text) is not None:
        kept = [each for each in kept if each.stance.polarity <= 0 or _relation(state, each) in _ranking_relations()]
    elif duration_of(text) is not None:
        kept = [each for each in kept if each.stance.polarity <= 0]
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
