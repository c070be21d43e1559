"""Several reasoners as one: ``"openai:gpt-4o, grade=embedded, select=embedded"`` gives each judgement to who is named.

The first name makes all judgements that no other is named for. Nothing of a model is imported here: what a choice means
is known before any is opened.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

from wkgfc.claim import Checkability, Claim
from wkgfc.errors import NotConfigured
from wkgfc.evidence import Passage, Triple
from wkgfc.reasoning.reasoner import (
    Decision,
    EntitySelection,
    Extraction,
    Grade,
    Judgement,
    OfferedRelation,
    Reasoner,
    RelationSelection,
)
from wkgfc.state import BeliefState

EMBEDDED = "embedded"

JudgementName = Literal["screen", "relations", "entities", "decide", "grade", "extract", "judge", "claims"]
OF_DOCUMENTS: JudgementName = "claims"  # what a text claims (wkgfc.documents): a judgement of no check
JUDGEMENT_NAMES: tuple[JudgementName, ...] = tuple(name for name in get_args(JudgementName) if name != OF_DOCUMENTS)
GROUPS: Mapping[str, tuple[JudgementName, ...]] = {"select": ("relations", "entities")}


@dataclass(frozen=True)
class Choice:
    """Who makes the judgements: ``main``, and others for some."""

    main: str
    others: Mapping[JudgementName, str]

    @property
    def names(self) -> tuple[str, ...]:
        """Every reasoner that is named, once, the main one first."""
        return tuple(dict.fromkeys((self.main, *self.others.values())))

    @property
    def finds_claims(self) -> str:
        """Who finds the claims of a whole text."""
        return self.others.get(OF_DOCUMENTS, self.main)

    @property
    def of_checks(self) -> "Choice":
        """The choice as far as checks go: without who finds claims."""
        return Choice(self.main, {name: who for name, who in self.others.items() if name != OF_DOCUMENTS})

    @property
    def has_model(self) -> bool:
        """Whether a language model makes any of them."""
        return any(name != EMBEDDED for name in self.names)

    @property
    def has_local_model(self) -> bool:
        """Whether a model on this machine makes any of them."""
        return any(name.startswith("local:") for name in self.names)


def read_choice(text: str) -> Choice:
    """What a value of the setting ``reasoner`` means.

    >>> read_choice("openai:gpt-4o, select=embedded").others
    {'relations': 'embedded', 'entities': 'embedded'}

    Raises:
        NotConfigured: it is no such value; the text says what is allowed.
    """
    main, *given = (part.strip() for part in text.split(","))
    named = (*JUDGEMENT_NAMES, OF_DOCUMENTS, *GROUPS)
    if not main or main.partition("=")[0].strip() in named:
        raise NotConfigured(f"--reasoner {text!r} names nobody first: begin with embedded or VENDOR:MODEL")
    others: dict[JudgementName, str] = {}
    for part in given:
        name, equals, reasoner = (each.strip() for each in part.partition("="))
        judgements = GROUPS.get(name, (cast("JudgementName", name),))
        if not equals or not reasoner or not set(judgements) <= set(named):
            raise NotConfigured(
                f"--reasoner has {part!r}, which is not JUDGEMENT=REASONER; the judgements are "
                f"{', '.join(named)}, a reasoner is embedded or VENDOR:MODEL"
            )
        twice = [judgement for judgement in judgements if judgement in others]
        if twice:
            raise NotConfigured(f"--reasoner names somebody for {twice[0]} twice")
        others.update(dict.fromkeys(judgements, reasoner))
    return Choice(main, others)


class HybridReasoner:
    """Gives each judgement to its reasoner."""

    def __init__(self, choice: Choice, reasoners: Mapping[str, Reasoner]) -> None:
        self._by_judgement = {name: reasoners[choice.others.get(name, choice.main)] for name in JUDGEMENT_NAMES}
        given = [f"{judgement}={name}" for judgement, name in choice.others.items()]
        self.name = ", ".join((choice.main, *given))
        self.policy = "+".join(dict.fromkeys(reasoners[name].policy for name in choice.names))

    async def screen(self, claim: Claim) -> Checkability:
        """See ``Reasoner``."""
        return await self._by_judgement["screen"].screen(claim)

    async def select_relations(
        self, state: BeliefState, offered: Sequence[OfferedRelation], max_relations: int
    ) -> RelationSelection:
        """See ``Reasoner``."""
        return await self._by_judgement["relations"].select_relations(state, offered, max_relations)

    async def select_entities(
        self, state: BeliefState, triples: Sequence[Triple], max_triples: int, max_entities: int
    ) -> EntitySelection:
        """See ``Reasoner``."""
        return await self._by_judgement["entities"].select_entities(state, triples, max_triples, max_entities)

    async def decide(self, state: BeliefState) -> Decision:
        """See ``Reasoner``."""
        return await self._by_judgement["decide"].decide(state)

    async def grade(self, state: BeliefState, passages: Sequence[Passage]) -> tuple[Grade, ...]:
        """See ``Reasoner``."""
        return await self._by_judgement["grade"].grade(state, passages)

    async def extract(self, state: BeliefState, passage: Passage, grade: Grade) -> Extraction:
        """See ``Reasoner``."""
        return await self._by_judgement["extract"].extract(state, passage, grade)

    async def judge(self, state: BeliefState, *, forced: bool) -> Judgement:
        """See ``Reasoner``."""
        return await self._by_judgement["judge"].judge(state, forced=forced)
