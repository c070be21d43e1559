"""One claim before the statements of the evidence graph: what the rules over statements share."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

from pydantic import Field

from wkgfc.evidence import Entity, Evidence, Rank, Record, Triple
from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.reading import Reading, content_words, overlaps, read_claim_text
from wkgfc.reasoning.embedded.facts.containment import Surroundings
from wkgfc.reasoning.embedded.lexicon.cues import pieces_of
from wkgfc.reasoning.embedded.lexicon.relations import RelationMatch, TextSpan, match_relations
from wkgfc.state import BeliefState

UNCOVERED_VALUE = 0.5  # of the coverage, for each name, time or number of the claim that no statement covers
UNCOVERED_PREDICATE = 0.5  # of the coverage, where no statement covers what the main clause says
INSTANCE_OF = "P31"


class StatementParameters(Record):
    """What is tuned of the rules; ``parameters.json`` has the values under ``statements``. All are in [0, 1].

    ``least_fit`` and ``refuting_fit`` are how well a relation must fit the claim's words for a statement to support
    or to refute; ``least_link`` is how surely the subject must be meant for a refutation; ``uncovered`` is the share
    of a support's strength that is left where it covers none of the claim's other words; ``decisive`` is the strength
    above which a finding settles the claim.
    """

    least_fit: float = Field(0.3, ge=0, le=1)
    refuting_fit: float = Field(0.72, ge=0, le=1)
    least_link: float = Field(0.35, ge=0, le=1)
    uncovered: float = Field(0.1, ge=0, le=1)
    decisive: float = Field(0.5, ge=0, le=1)


@lru_cache(maxsize=1)
def load_parameters() -> StatementParameters:
    """The parameters that ship with the package."""
    text = files("wkgfc.reasoning.embedded").joinpath("parameters.json").read_text(encoding="utf-8")
    return StatementParameters.model_validate(json.loads(text).get("statements", {}))


@dataclass(frozen=True)
class Case:
    """The claim's reading and the statements that may bear on it, those of the knowledge graph that stand."""

    reading: Reading
    statements: tuple[tuple[Evidence, Triple], ...]
    parameters: StatementParameters

    @cached_property
    def surroundings(self) -> Surroundings:
        """What lies within what, by all statements."""
        return Surroundings(self.statements)

    @cached_property
    def _by_relation(self) -> dict[tuple[str, str], list[tuple[Evidence, Triple]]]:
        grouped: dict[tuple[str, str], list[tuple[Evidence, Triple]]] = {}
        for evidence, triple in self.statements:
            grouped.setdefault((triple.subject.id, triple.relation.id), []).append((evidence, triple))
        return grouped

    def values(self, subject: Entity, relation: str) -> Sequence[tuple[Evidence, Triple]]:
        """The statements about a subject with one relation."""
        return self._by_relation.get((subject.id, relation), ())

    def groups(self) -> Iterator[Sequence[tuple[Evidence, Triple]]]:
        """The statements, by subject and relation."""
        yield from self._by_relation.values()

    def fit(self, triple: Triple, subject: TextSpan, object_: TextSpan | None) -> RelationMatch:
        """How well the statement's relation fits the claim's words about these two."""
        return match_relations(
            self.reading.text, subject, object_, [(triple.relation, "out")], self.reading.others(subject, object_)
        )[0]

    def coverage(self, spans: Iterable[TextSpan], entities: Iterable[Entity]) -> float:
        """The share of the claim's content words that stand in ``spans``, or that say what ``entities`` are."""
        known = {word.stem for entity in entities for text in self._said_of(entity) for word in pieces_of(text)}
        words = content_words(self.reading.text)
        if not words:
            return 1.0
        places = [*spans, *self.reading.denials]
        places += [  # with the words that bound it: "no later than 1950"
            TextSpan(time.start, time.end)
            for time in self.reading.times
            if any(overlaps(TextSpan(time.value_start, time.end), place) for place in places)
        ]
        missing = [
            each
            for each in self.reading.assertions()
            if not any(overlaps(each, place) for place in places)
            and not {word.stem for word in pieces_of(self.reading.text[each.start : each.end])} <= known
        ]
        covered = [
            word.stem in known or any(overlaps(TextSpan(word.start, word.end), place) for place in places)
            for word in words
        ]
        head = predicate_of(self.reading.text)
        is_said = head is None or stem_of(self.reading.text, head) in known or any(overlaps(head, p) for p in places)
        share = math.pow(UNCOVERED_VALUE, len(missing)) * sum(covered) / len(covered)
        return share if is_said else UNCOVERED_PREDICATE * share

    def _said_of(self, entity: Entity) -> Iterator[str]:
        yield entity.label
        yield entity.description or ""
        for _, triple in self.values(entity, INSTANCE_OF):
            if isinstance(triple.object, Entity):
                yield triple.object.label


def predicate_of(text: str) -> TextSpan | None:
    """The word that says what the main clause says: its verb, or the noun or adjective after "is"."""
    root = next((token for token in parse(text) if token.dep_ == "ROOT"), None)
    if root is None:
        return None
    if root.lemma_ in {"be", "become", "remain"}:
        root = next((child for child in root.rights if child.dep_ in {"attr", "acomp", "oprd", "prep"}), None)
        if root is not None and root.dep_ == "prep":
            root = None  # "is in Europe": the preposition says it
    elif root.pos_ not in {"VERB", "NOUN", "PROPN", "ADJ"} or root.lemma_ in {"have", "do"}:
        return None
    return TextSpan(root.idx, root.idx + len(root)) if root is not None else None


def stem_of(text: str, span: TextSpan) -> str:
    """The stem of the word that stands at ``span``."""
    return next((word.stem for word in pieces_of(text[span.start : span.end])), "")


def open_case(state: BeliefState, text: str | None = None, parameters: StatementParameters | None = None) -> Case:
    """The case of a claim, or of the part ``text`` of it. Facts read from passages are judged with their passages."""
    return Case(
        reading=read_claim_text(state, text),
        statements=tuple(
            (evidence, triple)
            for evidence, triple in state.evidence.triples()
            if triple.rank is not Rank.DEPRECATED and evidence.from_passage is None
        ),
        parameters=parameters or load_parameters(),
    )
