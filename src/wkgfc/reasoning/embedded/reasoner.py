"""The embedded reasoner: every judgement by a small verifier, term statistics and rules. No key, no network."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from wkgfc.claim import Checkability, Claim
from wkgfc.evidence import Evidence, Passage, Stance, Triple
from wkgfc.language import parse
from wkgfc.reasoning.embedded.appraisal import findings_of, meant_entities, questions_of, steps_onwards, suffices
from wkgfc.reasoning.embedded.claims.parts import parts_of
from wkgfc.reasoning.embedded.claims.screening import screen
from wkgfc.reasoning.embedded.facts import selection
from wkgfc.reasoning.embedded.measured.measuring import needed_relations, ranking_for
from wkgfc.reasoning.embedded.policy import EmbeddedPolicy
from wkgfc.reasoning.embedded.texts.extraction import extract
from wkgfc.reasoning.embedded.texts.passages import combine_passages, grade_passages
from wkgfc.reasoning.embedded.texts.queries import write_query
from wkgfc.reasoning.embedded.texts.standing import Standing, texts_against
from wkgfc.reasoning.embedded.verdict import (
    Assessment,
    PartAssessment,
    anchored_side,
    assess,
    assess_part,
    conclude,
    leave_open,
    opposite,
    pages_behind,
    together,
)
from wkgfc.reasoning.reasoner import (
    ChosenRelation,
    Decision,
    EntitySelection,
    Extraction,
    Grade,
    Judgement,
    OfferedRelation,
    RelationSelection,
)
from wkgfc.reasoning.verifier import Verifier, load_verifier
from wkgfc.state import BeliefState, ExpandKG, GiveVerdict, SearchWeb

LATER_PAIRS = 4  # passages of a later search that the verifier reads: with the first one's 8, at most 12 a check
NO_NAMES = {"DATE", "TIME", "CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "MONEY"}  # entity types of spaCy


@dataclass(frozen=True)
class Basis:
    """What the graph says of each part of the claim, the graded passages, failed sources, and who stands against."""

    parts: tuple[PartAssessment, ...]
    graded: tuple[Evidence, ...]
    failures: int
    against: Standing | None


class EmbeddedReasoner:
    """Makes every judgement on this machine. One reasoner serves many checks at a time; it keeps nothing of them."""

    name = "embedded"

    def __init__(self, verifier: Verifier | None = None, learned: EmbeddedPolicy | None = None) -> None:
        self._verifier = verifier or load_verifier()
        self.learned = learned or EmbeddedPolicy()
        self.policy = f"{policy_version()}{self.learned.mark}+{self._verifier.name}"

    async def screen(self, claim: Claim) -> Checkability:
        """See ``Reasoner``. By rules: opinions, predictions, questions, orders, fragments."""
        return screen(claim)

    async def select_relations(
        self, state: BeliefState, offered: Sequence[OfferedRelation], max_relations: int
    ) -> RelationSelection:
        """See ``Reasoner``. What a comparison, a count or a rank is judged by comes first, then what fits the words."""
        lists: list[list[ChosenRelation]] = steps_onwards(state, offered)
        ranking = None
        for question in questions_of(state):
            needed = needed_relations(question.text)
            chosen = selection.select_relations(question.state, offered, max_relations, question.text).relations
            wanted = [
                ChosenRelation(relation=offer.relation, direction="out", score=1.0)
                for offer in offered
                if offer.relation.id in needed and offer.direction == "out"
            ]
            lists.append([*sorted(wanted, key=lambda each: needed.index(each.relation.id)), *chosen])
            ranking = ranking or ranking_for(question.state, question.text, offered)
        return RelationSelection(relations=selection.in_turn(lists, max_relations), ranking=ranking)

    async def select_entities(
        self, state: BeliefState, triples: Sequence[Triple], max_triples: int, max_entities: int
    ) -> EntitySelection:
        """See ``Reasoner``. Sufficient where the graph's evidence at hand decides the claim by itself."""

        def review(after: BeliefState) -> selection.Review:
            return selection.Review(suffices(after), meant_entities(after))

        questions = [(question.state, question.text) for question in questions_of(state)]
        return selection.select_entities(state, triples, max_triples, max_entities, review, questions)

    async def decide(self, state: BeliefState) -> Decision:
        """See ``Reasoner``.

        Conclude when the evidence is sure enough; look further in the graph while it may connect what the claim
        names; search for what no evidence settles; conclude when nothing new could be asked.
        """
        assessment, steering = self.assess(state), self.learned.steering
        if assessment.decided >= self.learned.sufficient(is_after_search=bool(state.queries)):
            return Decision(action=GiveVerdict(), reason="the evidence decides the claim")
        expansions = sum(isinstance(step.action, ExpandKG) for step in state.steps)
        may_expand = bool(state.frontier) and not state.queries and expansions < steering.max_expansions
        if may_expand and selection.is_promising(state, steering.promising):
            return Decision(action=ExpandKG(), reason="a further hop may connect what the claim names")
        if len(state.queries) < steering.max_searches and (search := self.search_for(state, assessment)) is not None:
            return search
        return Decision(action=GiveVerdict(), reason="nothing new could be asked")

    def search_for(self, state: BeliefState, assessment: Assessment) -> Decision | None:
        """The search for what is open, or ``None`` where there is no web or nothing new to ask."""
        open_parts = [part.text for part in assessment.parts if not _is_settled(part.stance)]
        query = write_query(state, open_parts or [state.claim.text]) if state.web_available else None
        return Decision(action=SearchWeb(query=query), reason=_missing(open_parts, state)) if query else None

    async def grade(self, state: BeliefState, passages: Sequence[Passage]) -> tuple[Grade, ...]:
        """See ``Reasoner``. The verifier reads the best sentence windows; relevance weighs what it says."""
        learned = self.learned.passages
        if state.queries:  # a later search brings little that is new
            learned = learned.model_copy(update={"max_pairs": LATER_PAIRS})
        return grade_passages(state.claim, passages, mentions_of(state), self._verifier, learned)

    async def extract(self, state: BeliefState, passage: Passage, grade: Grade) -> Extraction:
        """See ``Reasoner``. Dependency-free patterns of the relation lexicon over the deciding sentences."""
        return extract(state, passage, grade)

    async def judge(self, state: BeliefState, *, forced: bool) -> Judgement:
        """See ``Reasoner``. The same assessment that the decisions were made from."""
        judgement = conclude(state, self.assess(state))
        if state.claim.language.lower().startswith("en"):
            return judgement
        return judgement.model_copy(update={"flags": (*judgement.flags, "language")})

    def assess(self, state: BeliefState) -> Assessment:
        """What all evidence at hand says of the claim."""
        basis = self.basis(state)
        text = combine_passages(basis.graded, self.learned.passages) if basis.graded else None
        return assess(basis.parts, text, basis.failures, self.learned.verdict, basis.against)

    def basis(self, state: BeliefState) -> Basis:
        """What an assessment of the evidence at hand is made of, which no learned parameter changes."""
        parts = [
            assess_part(part, findings_of(state, part, self._verifier), state.evidence)
            for part in parts_of(state.claim.text)
        ]
        failures = sum(step.observation.outcome == "failed" for step in state.steps)
        graded = [evidence for evidence, _ in state.evidence.passages() if evidence.stance is not None]
        return Basis(tuple(parts), tuple(graded), failures, _against(state, parts, graded))


def _against(state: BeliefState, parts: Sequence[PartAssessment], graded: Sequence[Evidence]) -> Standing | None:
    """The texts that stand against the statements, where those are likelier right than not."""
    anchored = anchored_side(together(parts), leave_open(parts))
    if anchored is None:
        return None
    return texts_against(state.claim.text, graded, opposite(anchored), pages_behind(parts, anchored, state.evidence))


def _is_settled(stance: Stance) -> bool:
    return stance.neither < 0.5


def _missing(open_parts: Sequence[str], state: BeliefState) -> str:
    if state.queries:
        return "the passages so far leave something open"
    return "the knowledge graph does not settle: " + "; ".join(open_parts)[:200]


def mentions_of(state: BeliefState) -> tuple[str, ...]:
    """The names in the claim, whether the knowledge graph has them or not; without one, what it is about.

    A passage is on the topic where it names them: so a name that could not be linked counts like any other, and a
    common noun that could be linked does not.
    """
    doc = parse(state.claim.text)
    names = [entity.text for entity in doc.ents if entity.label_ not in NO_NAMES]
    linked = [
        mention
        for mention in state.topic_entities
        if any(character.isupper() for character in mention) and not any(mention in name for name in names)
    ]
    return (
        tuple(dict.fromkeys((*names, *linked)))
        or tuple(state.topic_entities)
        or tuple(chunk.text for chunk in doc.noun_chunks)[:1]
    )


@lru_cache(maxsize=1)
def policy_version() -> str:
    """A name for what is learned, which changes when any of it does: the parameters and the lexicons."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.json")):
        digest.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return f"embedded-{digest.hexdigest()[:12]}"
