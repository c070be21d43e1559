"""What is known for one claim: entities, relations, triples, passages, and the evidence graph that holds them.

Identity is the id (``Q42``, ``P569``), never the label. Every piece of evidence keeps where it came from.
Values follow Wikidata's data model (https://www.mediawiki.org/wiki/Wikibase/DataModel).
"""

import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field


class Record(BaseModel):
    """A value that never changes and compares by its content."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)


class Entity(Record):
    """A node of a knowledge graph. ``id`` is a Wikidata item id, or an id of the store's own."""

    kind: Literal["entity"] = "entity"
    id: str
    label: str
    description: str | None = None
    url: str | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entity) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)


class Relation(Record):
    """An edge type: a Wikidata property. ``datatype`` is the last part of its ``wikibase:propertyType`` IRI."""

    id: str
    label: str
    datatype: str | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Relation) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)


class Time(Record):
    """A point in time with Wikidata's precision: 11 day, 10 month, 9 year, 8 decade, 7 century, 6 millennium.

    ``value`` is ``[-]YYYY-MM-DD`` (years of four digits or more); parts finer than the precision mean nothing.
    """

    kind: Literal["time"] = "time"
    value: str
    precision: int = Field(ge=0, le=14)
    calendar: Literal["gregorian", "julian"] = "gregorian"

    @property
    def year(self) -> int:
        """The year, negative before the common era."""
        sign, digits = (-1, self.value[1:]) if self.value.startswith("-") else (1, self.value)
        return sign * int(digits.split("-")[0])

    @property
    def month(self) -> int | None:
        """The month, 1 to 12, where the precision reaches it."""
        return (int(self.value.lstrip("-").split("-")[1]) or None) if self.precision >= 10 else None

    @property
    def day(self) -> int | None:
        """The day of the month, 1 to 31, where the precision reaches it."""
        return (int(self.value.lstrip("-").split("-")[2]) or None) if self.precision >= 11 else None


class Quantity(Record):
    """An amount with its unit (``None``: a pure number)."""

    kind: Literal["quantity"] = "quantity"
    amount: Decimal
    unit: Entity | None = None


class Text(Record):
    """A literal string."""

    kind: Literal["text"] = "text"
    value: str
    language: str | None = None


class Missing(Record):
    """Wikidata's "unknown value" and "no value"."""

    kind: Literal["missing"] = "missing"
    value: Literal["unknown", "none"]


Value = Annotated[Entity | Time | Quantity | Text | Missing, Field(discriminator="kind")]


class Qualifier(Record):
    """A statement's own context, such as its start, its end or the point in time that it holds for."""

    relation: Relation
    value: Value


Direction = Literal["out", "in"]  # a relation followed from its subject, or back from its object


class Rank(StrEnum):
    """A statement's standing."""

    PREFERRED = "preferred"
    NORMAL = "normal"
    DEPRECATED = "deprecated"


class Source(Record):
    """Where evidence came from.

    ``name`` is the source's name (``embedded``, ``wikidata``, ``serper`` …). ``text_id`` names the text that a fact
    was read from: two pieces of evidence with one ``text_id`` are one source.
    """

    name: str
    url: str | None = None
    text_id: str | None = None
    title: str | None = None


Fact = tuple[str, str, str]
StatementKey = tuple[str, str, str, tuple[tuple[str, str], ...]]


class Triple(Record):
    """A statement (subject, relation, object) with its context.

    ``count`` is how many objects the graph has for this subject and relation (or subjects for the object, where it
    was found inwards), if that is known: a list that was cut can still be counted.
    """

    subject: Entity
    relation: Relation
    object: Value
    qualifiers: tuple[Qualifier, ...] = ()
    rank: Rank = Rank.NORMAL
    source: Source
    references: tuple[str, ...] = ()
    count: int | None = None

    @property
    def fact(self) -> Fact:
        """What it says without its context: subject, relation, object. Two terms of one office are one fact."""
        return (self.subject.id, self.relation.id, value_key(self.object))

    @property
    def key(self) -> StatementKey:
        """What makes two triples the same statement: the fact and its qualifiers, in whatever order they stand."""
        return (*self.fact, tuple(sorted(_qualifier_keys(self))))

    def says_no_more_than(self, other: "Triple") -> bool:
        """Whether ``other`` states the same fact with all the qualifiers that this one has."""
        return self.fact == other.fact and _qualifier_keys(self) <= _qualifier_keys(other)


def _qualifier_keys(triple: Triple) -> frozenset[tuple[str, str]]:
    return frozenset((each.relation.id, value_key(each.value)) for each in triple.qualifiers)


def value_key(value: Value) -> str:
    """A string that is equal for equal values, whatever their labels."""
    match value:
        case Entity(id=identifier):
            return identifier
        case Time(value=text, precision=precision):
            return f"{text}/{precision}"
        case Quantity(amount=amount, unit=unit):
            return f"{amount.normalize():f}{unit.id if unit else ''}"
        case Text(value=text):
            return f'"{text}"'
        case Missing(value=text):
            return f"_{text}"


class Passage(Record):
    """A stretch of text, verbatim, with its source. ``start`` and ``end`` are its character offsets in the page.

    ``copies`` are the addresses of other pages that have the same text, or nearly the same. They are no more sources.
    """

    text: str
    title: str | None = None
    url: str | None = None
    date: dt.date | None = None
    retrieved_at: dt.datetime | None = None
    start: int = 0
    end: int | None = None
    copies: tuple[str, ...] = ()
    source: Source

    @property
    def content_hash(self) -> str:
        """SHA-256 of the text, in hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()


class Stance(Record):
    """How far a piece of evidence speaks for or against the claim: three probabilities that sum to one."""

    supports: float = Field(ge=0, le=1)
    refutes: float = Field(ge=0, le=1)
    neither: float = Field(ge=0, le=1)

    @property
    def polarity(self) -> float:
        """Support less refutation, from -1 to 1."""
        return self.supports - self.refutes


NEUTRAL = Stance(supports=0.0, refutes=0.0, neither=1.0)


class Evidence(Record):
    """A triple or a passage with an id of its own: ``K3`` from the knowledge graph, ``W2`` from the web.

    ``consistency`` is the paper's consistency confidence of a kept passage (section 4.3), 0 to 1; it weighs the
    passage in fusion and verdict. ``from_passage`` is set on a triple that was read from a passage of this graph.
    """

    id: str
    content: Annotated[Triple | Passage, Field(union_mode="smart")]
    hop: int | None = None
    relevance: float | None = Field(default=None, ge=0, le=1)
    stance: Stance | None = None
    consistency: float | None = Field(default=None, ge=0, le=1)
    quote: str | None = None
    from_passage: str | None = None
    corroborated_by: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        """Where it came from."""
        return self.content.source

    @property
    def text_id(self) -> str:
        """The text behind it: evidence with the same one is one source."""
        if self.from_passage is not None:
            return self.from_passage
        return self.source.text_id or self.source.url or self.id


class Annotation(Record):
    """Text that explains an entity, taken from a passage and hung on a node."""

    entity: Entity
    passage_id: str
    text: str


class Contradiction(Record):
    """Two pieces of evidence that cannot both be right, and why."""

    evidence: tuple[str, str]
    reason: str


class EvidenceGraph:
    """All evidence gathered for one claim. It grows, and what is in it keeps its id.

    A statement that comes twice is kept once; what the second source adds is noted as corroboration. Statements of
    one fact with other qualifiers are several: a second term of the same office is no repetition of the first.
    """

    def __init__(self) -> None:
        self._evidence: dict[str, Evidence] = {}
        self._statements: dict[StatementKey, str] = {}
        self._facts: dict[Fact, list[str]] = {}
        self._passages: dict[tuple[str | None, str], str] = {}
        self._numbers = {"K": 0, "W": 0}
        self.annotations: list[Annotation] = []
        self.contradictions: list[Contradiction] = []

    def __iter__(self) -> Iterator[Evidence]:
        return iter(self._evidence.values())

    def __len__(self) -> int:
        return len(self._evidence)

    def __contains__(self, evidence_id: object) -> bool:
        return evidence_id in self._evidence

    def __getitem__(self, evidence_id: str) -> Evidence:
        return self._evidence[evidence_id]

    def triples(self) -> Iterator[tuple[Evidence, Triple]]:
        """All triples, those of the knowledge graph and those read from passages."""
        for evidence in self:
            if isinstance(evidence.content, Triple):
                yield evidence, evidence.content

    def passages(self) -> Iterator[tuple[Evidence, Passage]]:
        """All passages."""
        for evidence in self:
            if isinstance(evidence.content, Passage):
                yield evidence, evidence.content

    def find(self, triple: Triple) -> Evidence | None:
        """The evidence that makes the same statement, if there is one."""
        evidence_id = self._statements.get(triple.key)
        return self._evidence[evidence_id] if evidence_id else None

    def statements_of(self, fact: Fact) -> Iterator[tuple[Evidence, Triple]]:
        """All triples that state a fact, each with its own qualifiers, in the order in which they came."""
        for evidence_id in self._facts.get(fact, ()):
            evidence = self._evidence[evidence_id]
            if isinstance(evidence.content, Triple):
                yield evidence, evidence.content

    def entities(self) -> dict[str, Entity]:
        """Every entity that a triple names, by id."""
        found: dict[str, Entity] = {}
        for _, triple in self.triples():
            for value in (triple.subject, triple.object):
                if isinstance(value, Entity):
                    found.setdefault(value.id, value)
        return found

    def add_kg_triple(self, triple: Triple, *, hop: int, relevance: float | None = None) -> Evidence:
        """Store a statement of the knowledge graph, or give back the one that is there.

        Where the same statement comes from another text, the one that is there gains its address as a reference.
        Where a passage made it first, it is stored as an anchor beside that hypothesis, which corroborates it.
        """
        known = self.find(triple)
        if known is None or known.from_passage is not None:
            return self._store_triple("K", triple, hop=hop, relevance=relevance)
        return self._with_references(known, triple)

    def add_web_triple(self, triple: Triple, *, passage_id: str, consistency: float) -> Evidence:
        """Store a statement read from passage ``passage_id``, unless others say as much already.

        Those gain the passage as corroboration: all statements of the same fact that have every qualifier of this
        one. The first of them is given back.
        """
        known = [evidence for evidence, other in self.statements_of(triple.fact) if triple.says_no_more_than(other)]
        if not known:
            return self._store_triple("W", triple, from_passage=passage_id, consistency=consistency)
        corroborated = [self._corroborate(evidence, passage_id) for evidence in known]
        return corroborated[0]

    def add_passage(
        self,
        passage: Passage,
        *,
        relevance: float | None = None,
        stance: Stance | None = None,
        consistency: float | None = None,
        quote: str | None = None,
    ) -> Evidence:
        """Store a passage, or give back the one with the same text from the same address."""
        key = (passage.url, passage.content_hash)
        if key in self._passages:
            return self._evidence[self._passages[key]]
        evidence = Evidence(
            id=self._next_id("W"),
            content=passage,
            relevance=relevance,
            stance=stance,
            consistency=consistency,
            quote=quote,
        )
        self._passages[key] = evidence.id
        self._evidence[evidence.id] = evidence
        return evidence

    def annotate(self, annotation: Annotation) -> None:
        """Hang a passage's text on an entity, once."""
        if annotation not in self.annotations:
            self.annotations.append(annotation)

    def contradict(self, contradiction: Contradiction) -> None:
        """Keep a contradiction, once."""
        if contradiction not in self.contradictions:
            self.contradictions.append(contradiction)

    def update(self, evidence_id: str, **changes: object) -> Evidence:
        """The same evidence with other fields (stance, relevance, corroboration); its id stays, and what it says."""
        evidence = self._evidence[evidence_id].model_copy(update=changes)
        self._evidence[evidence_id] = evidence
        return evidence

    def to_record(self) -> "EvidenceRecord":
        """All of it as one value that goes through JSON."""
        return EvidenceRecord(
            evidence=tuple(self), annotations=tuple(self.annotations), contradictions=tuple(self.contradictions)
        )

    @classmethod
    def from_record(cls, record: "EvidenceRecord") -> Self:
        """The graph that ``to_record`` described."""
        graph = cls()
        for evidence in record.evidence:
            graph._evidence[evidence.id] = evidence
            kind, number = evidence.id[0], int(evidence.id[1:])
            graph._numbers[kind] = max(graph._numbers[kind], number)
            if isinstance(evidence.content, Triple):
                graph._index(evidence.id, evidence.content)
            else:
                graph._passages[(evidence.content.url, evidence.content.content_hash)] = evidence.id
        graph.annotations.extend(record.annotations)
        graph.contradictions.extend(record.contradictions)
        return graph

    def _store_triple(
        self,
        kind: str,
        triple: Triple,
        *,
        hop: int | None = None,
        relevance: float | None = None,
        from_passage: str | None = None,
        consistency: float | None = None,
    ) -> Evidence:
        evidence = Evidence(
            id=self._next_id(kind),
            content=triple,
            hop=hop,
            relevance=relevance,
            from_passage=from_passage,
            consistency=consistency,
        )
        said_before = [
            passage_id
            for other, content in self.statements_of(triple.fact)
            if other.from_passage is not None and content.says_no_more_than(triple)
            for passage_id in (other.from_passage, *other.corroborated_by)
        ]
        self._index(evidence.id, triple)
        self._evidence[evidence.id] = evidence
        for passage_id in said_before:
            evidence = self._corroborate(evidence, passage_id)
        return evidence

    def _index(self, evidence_id: str, triple: Triple) -> None:
        self._statements[triple.key] = evidence_id
        self._facts.setdefault(triple.fact, []).append(evidence_id)

    def _corroborate(self, evidence: Evidence, passage_id: str) -> Evidence:
        if passage_id in (evidence.from_passage, *evidence.corroborated_by):
            return evidence
        return self.update(evidence.id, corroborated_by=(*evidence.corroborated_by, passage_id))

    def _with_references(self, known: Evidence, triple: Triple) -> Evidence:
        """The known statement with the addresses of one that repeats it, where those are of another text."""
        content = known.content
        if not isinstance(content, Triple) or triple.source == content.source:
            return known
        addresses = [address for address in (triple.source.url, *triple.references) if address]
        references = tuple(dict.fromkeys((*content.references, *addresses)))
        if set(references) <= {*content.references, content.source.url}:
            return known
        return self.update(known.id, content=content.model_copy(update={"references": references}))

    def _next_id(self, kind: str) -> str:
        self._numbers[kind] += 1
        return f"{kind}{self._numbers[kind]}"


class EvidenceRecord(Record):
    """An evidence graph as a value."""

    evidence: tuple[Evidence, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


def independent_sources(evidence: Iterable[Evidence]) -> int:
    """How many texts stand behind the evidence: two facts from one text are one source."""
    return len({piece.text_id for piece in evidence})
