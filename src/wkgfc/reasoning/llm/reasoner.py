"""The LLM reasoner: each judgement of the protocol is a prompt, a typed answer and the checks that it must pass.

A judgement that cannot be had raises ``JudgementFailed``: it is never read as a verdict. Without a model is decided:
nothing is asked where there is nothing to choose from, and without evidence the verdict is Not Enough Evidence.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Literal, Self, TypeVar

from wkgfc.claim import Checkability, Claim
from wkgfc.evidence import Passage, Stance, Triple
from wkgfc.http.deadline import extended
from wkgfc.reasoning.debate import Argument, Side
from wkgfc.reasoning.embedded.claims.attribution import attribution_of
from wkgfc.reasoning.embedded.claims.parts import parts_of
from wkgfc.reasoning.embedded.claims.screening import screen as screen_by_rules
from wkgfc.reasoning.embedded.measured.measuring import ranking_for
from wkgfc.reasoning.llm import views
from wkgfc.reasoning.llm.answers import (
    Answer,
    ArgumentAnswer,
    DecisionAnswer,
    EntitiesAnswer,
    ExtractionAnswer,
    GradesAnswer,
    JudgeAnswer,
    RelationsAnswer,
    ScreenAnswer,
)
from wkgfc.reasoning.llm.asking import Asking, Question, Tool
from wkgfc.reasoning.llm.calibration import Calibration, tempered
from wkgfc.reasoning.llm.debating import SIDE_WORDS, argument_of
from wkgfc.reasoning.llm.deciding import decision_of, possible_actions
from wkgfc.reasoning.llm.extracting import Vocabulary, extraction_of, vocabulary_of
from wkgfc.reasoning.llm.grading import grades_of
from wkgfc.reasoning.llm.judging import judgement_of, with_votes, without_evidence
from wkgfc.reasoning.llm.policy import Policy
from wkgfc.reasoning.llm.second_opinion import SecondOpinion
from wkgfc.reasoning.llm.selecting import (
    chosen_relations,
    entity_selection_of,
    new_entities,
    shown_relations,
    shown_triples,
)
from wkgfc.reasoning.reasoner import (
    Decision,
    EntitySelection,
    Extraction,
    Grade,
    Judgement,
    OfferedRelation,
    RelationSelection,
)
from wkgfc.state import BeliefState, GiveVerdict

A = TypeVar("A", bound=Answer)
T = TypeVar("T")

Counting = Literal["batched", "faithful"]
Screening = Literal["auto", "rules", "model"]
Attributions = Literal["said", "true"]

VOTING_TEMPERATURE = 0.7  # of the samples of several votes: at 0 they would all be the same

# Tokens of an answer, at most; the longest that a judgement has needed with full limits, doubled.
MAX_TOKENS: Mapping[str, int] = {
    "screen": 200,
    "relations": 600,
    "entities": 1_500,
    "decide": 400,
    "argue": 600,
    "grade": 2_500,
    "extract": 1_200,
    "judge": 1_800,
    "forced": 1_800,
}


class LLMReasoner:
    """Makes every judgement with a language model. One reasoner serves many checks at a time.

    Args:
        asking: the model.
        policy: the prompts.
        limits: how much is shown (``views.SHORT`` for small models).
        counting: ``faithful`` grades passages one by one, as the paper does; the graph search has its own loop for it.
        screening: who says whether a claim can be checked: ``rules``, the ``model``, or rules for English alone.
        attributions: whether "X said Y" is checked as said, or Y as true.
        votes: how many verdicts are asked for; their agreement goes into the confidence.
        opinion: a verifier whose disagreement with the judge is flagged, and which the judge may be shown.
        calibration: what this model's verdicts were found to be worth, where that is known.
    """

    def __init__(
        self,
        asking: Asking,
        policy: Policy,
        *,
        limits: views.ViewLimits = views.FULL,
        counting: Counting = "batched",
        screening: Screening = "auto",
        attributions: Attributions = "said",
        votes: int = 1,
        opinion: SecondOpinion | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        self._asking, self._policy, self._limits = asking, policy, limits
        self._counting, self._screening, self._attributions = counting, screening, attributions
        self._votes, self._opinion, self._calibration = votes, opinion, calibration
        self.name = asking.name
        self.policy = policy.version + (calibration.mark if calibration else "")

    def with_policy(self, policy: Policy) -> Self:
        """The same reasoner with other prompts, and with nothing asked yet: an answer known would cost it no call."""
        other = copy(self)
        other._asking = self._asking.afresh()
        other._policy, other.policy, other._calibration = policy, policy.version, None  # which is of other prompts
        return other

    async def screen(self, claim: Claim) -> Checkability:
        """See ``Reasoner``."""
        is_english = claim.language.lower().startswith("en")
        if self._screening == "rules" or (self._screening == "auto" and is_english):
            return screen_by_rules(claim)

        def read(answer: ScreenAnswer, _is_last: bool) -> Checkability:
            if answer.kind == "claim":
                return Checkability(is_checkable=True)
            return Checkability(is_checkable=False, kind=answer.kind, reason=views.clean(answer.reason, 300))

        return await self._ask("screen", {"claim": views.claim_view(claim)}, ScreenAnswer, read)

    async def select_relations(
        self, state: BeliefState, offered: Sequence[OfferedRelation], max_relations: int
    ) -> RelationSelection:
        """See ``Reasoner``. A superlative's ranking is read from the claim by rule, where it is in English."""
        if not offered:
            return RelationSelection()
        shown = shown_relations(state, offered, self._limits.relations)
        ranking = ranking_for(state, state.claim.text, offered) if state.claim.language.startswith("en") else None

        def read(answer: RelationsAnswer, is_last: bool) -> RelationSelection:
            chosen = chosen_relations(answer, shown, max_relations, is_last=is_last)
            return RelationSelection(relations=chosen, ranking=ranking)

        return await self._ask(
            "relations",
            {
                "claim": self._claim(state.claim),
                "evidence": views.evidence_view(state, self._limits),
                "relations": views.relations_view(shown, len(offered) - len(shown), self._limits),
                "limit": str(max_relations),
            },
            RelationsAnswer,
            read,
            allowed={"ChosenRelationId.id": list(shown)},
            counts={"RelationsAnswer.relations": (0, max_relations)},
        )

    async def select_entities(
        self, state: BeliefState, triples: Sequence[Triple], max_triples: int, max_entities: int
    ) -> EntitySelection:
        """See ``Reasoner``. The same answer says whether the evidence now suffices."""
        if not triples:
            return EntitySelection()
        shown = shown_triples(state, triples, self._limits.triples)
        entities = new_entities(state, list(shown.values()), self._limits.entities)

        def read(answer: EntitiesAnswer, is_last: bool) -> EntitySelection:
            return entity_selection_of(answer, state, shown, entities, max_triples, max_entities, is_last=is_last)

        return await self._ask(
            "entities",
            {
                "claim": self._claim(state.claim),
                "evidence": views.evidence_view(state, self._limits),
                "triples": views.triples_view(shown, len(triples) - len(shown), self._limits),
                "entities": views.entities_view(entities, 0, self._limits),
                "limit": f"at most {max_triples} statements a relation and entity, at most {max_entities} entities",
            },
            EntitiesAnswer,
            read,
            allowed={"KeptStatement.id": list(shown), "NextEntity.id": list(entities)},
            # A small model lists all that it is shown, which takes it minutes. More than is shown of the evidence later
            # need not be kept.
            counts={"EntitiesAnswer.keep": (0, self._limits.evidence), "EntitiesAnswer.next": (0, max_entities)},
        )

    async def decide(self, state: BeliefState) -> Decision:
        """See ``Reasoner``. Offered is what can be done now; where only the verdict is left, nobody is asked."""
        actions = possible_actions(state)
        if set(actions) == {"verdict"}:
            return Decision(action=GiveVerdict(), reason="nothing else could be done")

        def read(answer: DecisionAnswer, is_last: bool) -> Decision:
            return decision_of(answer, state, actions, self._policy["decide"].instructions, is_last=is_last)

        return await self._ask(
            "decide",
            {
                "claim": self._claim(state.claim),
                "evidence": views.evidence_view(state, self._limits),
                "history": views.history_view(state),
                "actions": "; ".join(f"{tool.name}: {tool.description}" for tool in actions.values()),
            },
            DecisionAnswer,
            read,
            allowed={"DecisionAnswer.action": list(actions)},
            always=frozenset({"DecisionAnswer.action"}),
            tools=tuple(actions.values()),
        )

    async def before(self, state: BeliefState) -> Decision | None:
        """See ``wkgfc.reasoning.debate.Sides``. What the graph has is enough, or both sides are heard."""
        return Decision(action=GiveVerdict(), reason="the graph decides the claim") if state.sufficient else None

    async def argue(self, state: BeliefState, side: Side) -> Argument:
        """See ``wkgfc.reasoning.debate.Sides``. The side says what it has, and asks for what it lacks."""
        told = f"{self._policy['argue'].instructions} {SIDE_WORDS[side]}"

        def read(answer: ArgumentAnswer, is_last: bool) -> Argument:
            return argument_of(answer, state, told, is_last=is_last)

        return await self._ask(
            "argue",
            {
                "claim": self._claim(state.claim),
                "side": SIDE_WORDS[side],
                "evidence": views.evidence_view(state, self._limits),
                "history": views.history_view(state),
            },
            ArgumentAnswer,
            read,
        )

    async def grade(self, state: BeliefState, passages: Sequence[Passage]) -> tuple[Grade, ...]:
        """See ``Reasoner``. All passages in one question, as far as the limits allow; in faithful mode one by one."""
        size = 1 if self._counting == "faithful" else self._limits.passages
        chunks = [passages[start : start + size] for start in range(0, len(passages), size)]
        graded = await _all_of(self._grade(state, chunk) for chunk in chunks)
        return tuple(grade for grades in graded for grade in grades)

    async def _grade(self, state: BeliefState, passages: Sequence[Passage]) -> tuple[Grade, ...]:
        shown = {f"P{number}": passage for number, passage in enumerate(passages, 1)}

        def read(answer: GradesAnswer, is_last: bool) -> tuple[Grade, ...]:
            return grades_of(answer, shown, is_last=is_last)

        return await self._ask(
            "grade",
            {
                "claim": self._claim(state.claim),
                "passages": views.passages_view(shown, self._text(state.claim), self._limits),
            },
            GradesAnswer,
            read,
            allowed={"PassageGrade.id": list(shown)},
            counts={"GradesAnswer.grades": (len(shown), len(shown))},
        )

    async def extract(self, state: BeliefState, passage: Passage, grade: Grade) -> Extraction:
        """See ``Reasoner``. Nothing is asked where the passage names no entity that is known."""
        vocabulary: Vocabulary = vocabulary_of(state, passage, self._limits.entities)
        if not vocabulary.entities:
            return Extraction()

        def read(answer: ExtractionAnswer, _is_last: bool) -> Extraction:
            return extraction_of(answer, passage, vocabulary)

        return await self._ask(
            "extract",
            {
                "claim": self._claim(state.claim),
                "passage": views.excerpt(passage.text, grade.quote, self._limits.passage_characters),
                "entities": views.entities_view(vocabulary.entities, 0, self._limits),
                "relations": "\n".join(
                    f"{shown_id} {views.clean(relation.label, self._limits.label_characters)}"
                    for shown_id, relation in vocabulary.relations.items()
                )
                or views.NOTHING,
            },
            ExtractionAnswer,
            read,
            allowed={
                "StatedTriple.subject": list(vocabulary.entities),
                "StatedTriple.relation": list(vocabulary.relations),
                "Explanation.entity": list(vocabulary.entities),
            },
        )

    async def judge(self, state: BeliefState, *, forced: bool) -> Judgement:
        """See ``Reasoner``. A compound claim is judged statement by statement, in one answer."""
        judgement = await self._judged(state, forced=forced) if len(state.evidence) else without_evidence(state)
        return tempered(judgement, self._calibration.temperature) if self._calibration else judgement

    async def _judged(self, state: BeliefState, *, forced: bool) -> Judgement:
        statements = self.statements_of(state.claim)
        is_read = self._opinion is not None and state.claim.language.lower().startswith("en")  # by the verifier
        opinions = await self._opinion.of(state, self._text(state.claim)) if self._opinion and is_read else {}
        shown = opinions if self._opinion is not None and self._opinion.is_shown else None
        with extended(self._asking.timeout_s):  # the verdict has its own time: the retrieval's may be over
            judgements = await _all_of(
                self._judge(state, statements, opinions, shown, forced=forced, sample=n) for n in range(self._votes)
            )
        return with_votes(judgements, state)

    async def _judge(
        self,
        state: BeliefState,
        statements: Sequence[str],
        opinions: Mapping[str, Stance],
        shown: Mapping[str, Stance] | None,
        *,
        forced: bool,
        sample: int,
    ) -> Judgement:
        observations = [step.observation.id for step in state.steps]

        def read(answer: JudgeAnswer, is_last: bool) -> Judgement:
            return judgement_of(answer, state, statements, opinions, is_last=is_last)

        return await self._ask(
            "forced" if forced else "judge",
            {
                "claim": self._claim(state.claim),
                "evidence": views.evidence_view(state, self._limits, shown),
                "history": views.history_view(state),
                "statements": "\n".join(f"{number}. {views.clean(text)}" for number, text in enumerate(statements, 1)),
            },
            JudgeAnswer,
            read,
            allowed={"JustifyingSentence.evidence": [*(each.id for each in state.evidence), *observations]},
            counts={
                "JudgeAnswer.statements": (len(statements), len(statements)),
                "PartVerdict.sentences": (1, 3),
                "JustifyingSentence.evidence": (1, 4),
            },
            sample=sample,
        )

    def statements_of(self, claim: Claim) -> tuple[str, ...]:
        """What is judged one by one: the statements of the claim, found by rule where it is in English."""
        text = self._text(claim)
        if attribution_of(claim.text) is not None and self._attributions == "said":
            return (f"{text} (judge whether this was said, not whether what was said is true)",)
        return parts_of(text) if claim.language.lower().startswith("en") else (text,)

    def _text(self, claim: Claim) -> str:
        """What is checked: the claim, or what somebody is said to have said where that is to be checked as true."""
        attribution = attribution_of(claim.text) if self._attributions == "true" else None
        return attribution.content if attribution is not None else claim.text

    def _claim(self, claim: Claim) -> str:
        return views.claim_view(claim, self._text(claim))

    async def _ask(
        self,
        judgement: str,
        values: Mapping[str, str],
        answer: type[A],
        read: Callable[[A, bool], T],
        *,
        allowed: Mapping[str, Sequence[str]] | None = None,
        counts: Mapping[str, tuple[int, int]] | None = None,
        always: frozenset[str] = frozenset(),
        tools: tuple[Tool, ...] = (),
        sample: int = 0,
    ) -> T:
        prompt = self._policy[judgement]
        question = Question(
            judgement=judgement,
            instructions=prompt.instructions,
            text=prompt.filled(values),
            answer=answer,
            read=read,
            max_tokens=MAX_TOKENS[judgement],
            allowed=allowed or {},
            counts=counts or {},
            always=always,
            tools=tools,
        )
        temperature = VOTING_TEMPERATURE if self._votes > 1 and judgement in ("judge", "forced") else None
        return await self._asking.ask(question, sample=sample, temperature=temperature)


async def _all_of(calls: Iterable[Awaitable[T]]) -> list[T]:
    """What all of them bring. Where one fails the others are waited for: a call that runs on would not be counted.

    Raises:
        JudgementFailed: the first failure, in their order; likewise whatever else one raises.
    """
    brought: list[T] = []
    for each in await asyncio.gather(*calls, return_exceptions=True):
        if isinstance(each, BaseException):
            raise each
        brought.append(each)
    return brought
