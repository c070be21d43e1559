"""From a judge's answer to a judgement that keeps the rules of evidence, or a complaint that says which it breaks."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from wkgfc.claim import Veracity
from wkgfc.evidence import Contradiction, Evidence, Stance, Triple
from wkgfc.quotes import verbatim_quote
from wkgfc.reasoning.embedded.claims.attribution import attribution_of
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.llm.answers import JudgeAnswer, JustifyingSentence, PartVerdict
from wkgfc.reasoning.llm.asking import Complaint
from wkgfc.reasoning.llm.confidence import probabilities_of, stance_of_part, together
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.reasoning.rules import broken_rule
from wkgfc.result import Sentence
from wkgfc.state import BeliefState, SearchWeb

SENTENCES = 6  # of a justification, at most
AS_JUDGED = 0.9  # the stance of evidence that the judge cites for a side, where no grade says it
DISAGREES = 0.5  # the probability of the other side from which on a verifier disagrees
NAMED = 20  # ids that a complaint lists
SHORTEST_QUOTE = 15  # characters: what is shorter is a title or a word that is spoken of
# Pairs of marks, the short ones too: what stands between two titles is no quote.
_QUOTED = re.compile(r'“[^“”]*”|"[^"“”]*"|„[^„“”]*[“”]|«[^«»]*»|»[^«»]*«|[“"][^"“”]*["”]')


def judgement_of(
    answer: JudgeAnswer,
    state: BeliefState,
    statements: Sequence[str],
    opinions: Mapping[str, Stance],
    *,
    is_last: bool,
) -> Judgement:
    """The judgement that an answer makes. ``opinions`` are a verifier's, with which a disagreement is flagged.

    Raises:
        Complaint: the answer breaks a rule; on the last turn sentences that do are left out where others stand.
    """
    parts = _parts(answer, len(statements))
    observations = {step.observation.id for step in state.steps}
    kept = {number: _sentences(part, state, observations, is_last=is_last) for number, part in sorted(parts.items())}
    verdicts = {number: Veracity(part.verdict) for number, part in parts.items()}
    for number, verdict in verdicts.items():
        _must_rest_on_evidence(number, verdict, kept[number], state)
    veracity = veracity_of_parts(list(verdicts.values()))
    stances = _stances(state, [sentence for each in kept.values() for sentence in each], veracity)
    said = together([_said_of(sentences, state, stances) for sentences in kept.values()])
    judgement = Judgement(
        veracity=veracity,
        probabilities=(probabilities := probabilities_of({veracity: 1.0}, said, _failures(state))),
        confidence=probabilities[veracity],
        justification=_justification(veracity, verdicts, kept),
        stances=stances,
        contradictions=contradictions_of(state, stances),
        flags=tuple(_flags(state, statements, kept, opinions)),
        model_confidence=answer.sureness,
    )
    complaint = broken_rule(judgement, state)
    if complaint is not None:
        raise Complaint(complaint)
    return judgement


def with_votes(judgements: Sequence[Judgement], state: BeliefState) -> Judgement:
    """Several judgements of one state as one: the veracity most voted for, its confidence from how many agree.

    Where several have most votes, none of them is said: the verdict is Conflicting Evidence where some say Supported
    and some Refuted, each with evidence of its own, and Not Enough Evidence otherwise. It gets half of their votes.
    """
    if len(judgements) == 1:
        return judgements[0]
    votes = Counter(judgement.veracity for judgement in judgements)
    most = max(votes.values())
    tied = [veracity for veracity, number in votes.items() if number == most]
    first = {each.veracity: each for each in reversed(judgements)}
    shares = {veracity: number / len(judgements) for veracity, number in votes.items()}
    if len(tied) == 1:
        chosen = first[tied[0]]
    else:
        chosen = _undecided(tied, first, state)
        halves = {veracity: shares[veracity] / 2 for veracity in tied}
        shares |= halves
        shares[chosen.veracity] = shares.get(chosen.veracity, 0.0) + sum(halves.values())
    said = together([stance_of_part(state.evidence, chosen.stances)])
    probabilities = probabilities_of(shares, said, _failures(state))
    return chosen.model_copy(update={"probabilities": probabilities, "confidence": probabilities[chosen.veracity]})


def _undecided(tied: Sequence[Veracity], first: Mapping[Veracity, Judgement], state: BeliefState) -> Judgement:
    """The judgement where no veracity has most votes; ``first`` is the first judgement of each."""
    for veracity in (Veracity.CONFLICTING_EVIDENCE, Veracity.NOT_ENOUGH_EVIDENCE):
        if veracity in tied:
            return first[veracity]
    if Veracity.SUPPORTED in tied and Veracity.REFUTED in tied:
        supporting, refuting = first[Veracity.SUPPORTED], first[Veracity.REFUTED]
        half = SENTENCES // 2
        both = supporting.model_copy(
            update={
                "veracity": Veracity.CONFLICTING_EVIDENCE,
                "justification": (*supporting.justification[:half], *refuting.justification[:half]),
                "stances": {**refuting.stances, **_of_side(supporting, "supports"), **_of_side(refuting, "refutes")},
                "flags": tuple(dict.fromkeys((*supporting.flags, *refuting.flags))),
            }
        )
        if broken_rule(both, state) is None:
            contradictions = contradictions_of(state, both.stances)
            return both.model_copy(update={"contradictions": contradictions})
    return without_evidence(state)


def _of_side(judgement: Judgement, side: str) -> dict[str, Stance]:
    """The stances of what a judgement cites for a side."""
    cited = {citation for sentence in judgement.justification for citation in sentence.citations}
    return {each: stance for each, stance in judgement.stances.items() if each in cited and _is_of(stance, side)}


def without_evidence(state: BeliefState) -> Judgement:
    """The judgement where nothing decides: Not Enough Evidence, with what was asked and what came of it (rule 1)."""
    probabilities = probabilities_of(
        {Veracity.NOT_ENOUGH_EVIDENCE: 1.0}, Stance(supports=0, refutes=0, neither=1), _failures(state)
    )
    return Judgement(
        veracity=Veracity.NOT_ENOUGH_EVIDENCE,
        probabilities=probabilities,
        confidence=probabilities[Veracity.NOT_ENOUGH_EVIDENCE],
        justification=tuple(_searched(state))[-SENTENCES:],
    )


def veracity_of_parts(verdicts: Sequence[Veracity]) -> Veracity:
    """The veracity of a claim from those of its statements: Supported only if each is, Refuted as soon as one is."""
    if Veracity.REFUTED in verdicts:
        return Veracity.REFUTED
    if verdicts and all(verdict is Veracity.SUPPORTED for verdict in verdicts):
        return Veracity.SUPPORTED
    if Veracity.CONFLICTING_EVIDENCE in verdicts:
        return Veracity.CONFLICTING_EVIDENCE
    return Veracity.NOT_ENOUGH_EVIDENCE


def _parts(answer: JudgeAnswer, number: int) -> dict[int, PartVerdict]:
    parts = {part.statement: part for part in answer.statements}
    if len(answer.statements) != number or set(parts) != set(range(1, number + 1)):
        wanted = "statement 1" if number == 1 else f"the statements 1 to {number}"
        raise Complaint(f"judge {wanted}, each exactly once")
    return parts


def _sentences(
    part: PartVerdict, state: BeliefState, observations: set[str], *, is_last: bool
) -> list[JustifyingSentence]:
    """The sentences of a part, each with citations of what is there.

    A sentence of Not Enough Evidence that cites nothing is about the search, and cites its steps.
    """
    sentences: list[JustifyingSentence] = []
    complaints: list[str] = []
    for sentence in part.sentences:
        complaint = _unfounded(sentence, state, observations)
        if complaint is None and sentence.evidence:
            sentences.append(sentence)
        elif complaint is None and Veracity(part.verdict) is Veracity.NOT_ENOUGH_EVIDENCE:
            sentences.append(sentence.model_copy(update={"evidence": sorted(observations), "shows": "neither"}))
        else:
            complaints.append(complaint or f"the sentence “{sentence.text[:60]}” cites no evidence")
    if complaints and (not is_last or not sentences):
        raise Complaint("; ".join(complaints[:3]))
    if not sentences:
        raise Complaint(f"statement {part.statement} has no sentence that says why")
    return sentences


def _unfounded(sentence: JustifyingSentence, state: BeliefState, observations: set[str]) -> str | None:
    unknown = [each for each in sentence.evidence if each not in state.evidence and each not in observations]
    if unknown:
        known = [*(piece.id for piece in state.evidence), *sorted(observations)][:NAMED]
        return f"{', '.join(unknown[:4])} is not among the evidence: cite of {', '.join(known)}"
    for quote in (match[0][1:-1] for match in _QUOTED.finditer(sentence.text)):
        if len(quote) < SHORTEST_QUOTE:
            continue
        cited = [state.evidence[each] for each in sentence.evidence if each in state.evidence]
        if not any(verbatim_quote(quote, text) for text in (*map(_text_of, cited), state.claim.text)):
            return (
                f"“{quote[:80]}” does not stand in the evidence that the sentence cites: quote exactly, or do not quote"
            )
    return None


def _text_of(piece: Evidence) -> str:
    return verbalise(piece.content) if isinstance(piece.content, Triple) else piece.content.text


def _must_rest_on_evidence(
    number: int, verdict: Veracity, sentences: Sequence[JustifyingSentence], state: BeliefState
) -> None:
    """No evidence, no verdict: one that is decided needs cited evidence of its own direction."""
    shown = {sentence.shows for sentence in sentences if any(each in state.evidence for each in sentence.evidence)}
    needed = {
        Veracity.SUPPORTED: {"supports"},
        Veracity.REFUTED: {"refutes"},
        Veracity.CONFLICTING_EVIDENCE: {"supports", "refutes"},
    }.get(verdict, set())
    if not needed <= shown:
        lacking = " and one that ".join(sorted(needed - shown))
        raise Complaint(
            f"statement {number} is called {verdict}, but no sentence cites evidence that {lacking} it: cite it, or "
            f"answer {Veracity.NOT_ENOUGH_EVIDENCE}"
        )


def _stances(state: BeliefState, sentences: Sequence[JustifyingSentence], veracity: Veracity) -> dict[str, Stance]:
    """Each piece of evidence with its stance: as graded, but where the judge cites it for another side, as judged."""
    stances = {piece.id: piece.stance for piece in state.evidence if piece.stance is not None}
    decisive = {Veracity.SUPPORTED: "supports", Veracity.REFUTED: "refutes"}.get(veracity)
    for sentence in sorted(sentences, key=lambda each: each.shows == decisive):  # what decides is said last
        if sentence.shows == "neither":
            continue
        for each in sentence.evidence:
            if each in state.evidence and not _is_of(stances.get(each), sentence.shows):
                stances[each] = Stance(
                    supports=AS_JUDGED * (sentence.shows == "supports"),
                    refutes=AS_JUDGED * (sentence.shows == "refutes"),
                    neither=1.0 - AS_JUDGED,
                )
    return stances


def _is_of(stance: Stance | None, side: str) -> bool:
    return stance is not None and (stance.polarity > 0 if side == "supports" else stance.polarity < 0)


def _said_of(sentences: Sequence[JustifyingSentence], state: BeliefState, stances: Mapping[str, Stance]) -> Stance:
    """What the evidence cited for a statement says of it by itself."""
    cited = dict.fromkeys(each for sentence in sentences for each in sentence.evidence if each in state.evidence)
    return stance_of_part([state.evidence[each] for each in cited], stances)


def _justification(
    veracity: Veracity, verdicts: Mapping[int, Veracity], kept: Mapping[int, Sequence[JustifyingSentence]]
) -> tuple[Sentence, ...]:
    """The sentences, those of the statements that decided first."""
    order = sorted(kept, key=lambda number: (verdicts[number] is not veracity, number))
    return tuple(
        Sentence(text=sentence.text, citations=tuple(dict.fromkeys(sentence.evidence)))
        for number in order
        for sentence in kept[number]
    )[:SENTENCES]


def contradictions_of(state: BeliefState, stances: Mapping[str, Stance]) -> tuple[Contradiction, ...]:
    """Evidence of both sides, shown and never hidden."""
    supporting = [each for each, stance in stances.items() if stance.supports > 0.5][:2]
    refuting = [each for each, stance in stances.items() if stance.refutes > 0.5][:2]
    pairs = [(left, right) for left in supporting for right in refuting]
    return (
        *state.evidence.contradictions,
        *(Contradiction(evidence=pair, reason="one supports the claim, the other refutes it") for pair in pairs),
    )


def _flags(
    state: BeliefState,
    statements: Sequence[str],
    kept: Mapping[int, Sequence[JustifyingSentence]],
    opinions: Mapping[str, Stance],
) -> Iterator[str]:
    """What a reader should know of the verdict beside its confidence."""
    if len(statements) > 1:
        yield "compound"
    if attribution_of(state.claim.text):
        yield "attribution"
    if state.claim.date and any(passage.date is None for _, passage in state.evidence.passages()):
        yield "undated_evidence"
    sided = [(each, s.shows) for part in kept.values() for s in part for each in s.evidence if s.shows != "neither"]
    graded = [(state.evidence[each].stance, side) for each, side in sided if each in state.evidence]
    if any(stance is not None and _is_of(stance, _other(side)) for stance, side in graded):
        yield "judge_overrules_grade"
    if any(each in opinions and getattr(opinions[each], _other(side)) > DISAGREES for each, side in sided):
        yield "verifier_disagrees"


def _other(side: str) -> str:
    return "refutes" if side == "supports" else "supports"


def _failures(state: BeliefState) -> int:
    return sum(step.observation.outcome == "failed" for step in state.steps)


def _searched(state: BeliefState) -> Iterator[Sentence]:
    for step in state.steps:
        if isinstance(step.action, SearchWeb):
            asked = f"A search for “{step.action.query}”"
        elif state.kg_available:
            asked = "The knowledge graph"
        else:
            yield Sentence(text="There is no knowledge graph to ask.", citations=(step.observation.id,))
            continue
        outcome = "it decides nothing" if step.observation.evidence else "it brought no evidence"
        told = (
            f"failed: {step.observation.reason}."
            if step.observation.outcome == "failed"
            else f"was asked ({step.observation.text}); {outcome}."
        )
        yield Sentence(text=f"{asked} {told}", citations=(step.observation.id,))
