"""The typed answers of a model. Every length is limited: an answer that never ends is none.

Properties stand in the order in which a model should think of them: what it rests on first, what follows from it last.
Numbers from 0 to 1 and ids are what a prompt asks for; the ids are checked against what was shown.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

Share = Annotated[float, Field(ge=0, le=1)]
ShownId = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=12)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=600)]
Side = Literal["supports", "refutes", "neither"]
Verdict = Literal["Supported", "Refuted", "Not Enough Evidence", "Conflicting Evidence"]
Kind = Literal["claim", "opinion", "prediction", "question", "order", "fragment"]


class Answer(BaseModel):
    """An answer; properties that nobody asked for are left out."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Scored(Answer):
    """One of those that were shown, with its relevance."""

    id: ShownId
    relevance: Share


class ScreenAnswer(Answer):
    """What a text is, and why it is no claim that can be checked, if it is none."""

    reason: Line
    kind: Kind


class ChosenRelationId(Scored):
    """A relation to follow."""


class KeptStatement(Scored):
    """A statement to keep."""


class NextEntity(Scored):
    """An entity to expand next."""


class RelationsAnswer(Answer):
    """The relations to follow."""

    relations: list[ChosenRelationId] = Field(max_length=32)


class EntitiesAnswer(Answer):
    """The statements to keep, the entities to expand next, and whether the evidence is enough now."""

    keep: list[KeptStatement] = Field(max_length=120)
    next: list[NextEntity] = Field(max_length=32)
    enough: bool


class DecisionAnswer(Answer):
    """What is missing, the next action, and the query where that is a web search."""

    missing: Line
    action: str = Field(max_length=40)
    query: Line = ""


class ArgumentAnswer(Answer):
    """What a side of a debate has, what it still lacks, and the query that would find it; none where it has enough."""

    case: Line
    missing: Line
    query: Line = ""


class PassageGrade(Answer):
    """What one passage is worth."""

    id: ShownId
    quote: Annotated[str, StringConstraints(max_length=1_000)]
    relevance: Share
    stance: Side
    consistency: Share


class GradesAnswer(Answer):
    """A grade for each passage."""

    grades: list[PassageGrade] = Field(max_length=50)


class StatedTriple(Answer):
    """A statement that a passage makes, between what the evidence graph has.

    ``object`` is an entity's id, or a date (2001, 2001-05, 2001-05-31) or a short text in the passage's own words.
    """

    subject: ShownId
    relation: ShownId
    object: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
    quote: Line


class Explanation(Answer):
    """A sentence of a passage that explains an entity."""

    entity: ShownId
    quote: Line


class ExtractionAnswer(Answer):
    """What is taken from a passage."""

    triples: list[StatedTriple] = Field(max_length=12)
    explanations: list[Explanation] = Field(max_length=6)


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


class JustifyingSentence(Answer):
    """A sentence of a justification with the evidence behind it, and what that evidence shows of the statement."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=600)]
    evidence: Annotated[list[ShownId], BeforeValidator(_as_list), Field(max_length=12)]
    shows: Side


class PartVerdict(Answer):
    """The verdict on one statement of the claim."""

    statement: int = Field(ge=1, le=12)
    sentences: list[JustifyingSentence] = Field(max_length=4)
    verdict: Verdict


class JudgeAnswer(Answer):
    """The verdict on each statement. ``sureness`` is the model's own number, which is recorded and used for nothing."""

    statements: list[PartVerdict] = Field(max_length=12)
    sureness: Share
