"""The evidence graph as nodes and edges, for whatever draws it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from wkgfc.claim import visible_text
from wkgfc.errors import BadInput
from wkgfc.evidence import Entity, Evidence, EvidenceRecord, Triple, Value, value_key
from wkgfc.exports.links import web_address
from wkgfc.reasoning.embedded.facts.verbalise import name_of, qualifiers_in_words

if TYPE_CHECKING:
    from wkgfc.result import CheckResult

MAX_LABEL = 120  # characters that a node or an edge shows

NodeKind = Literal["entity", "value", "passage"]
EdgeKind = Literal["kg", "web", "annotation", "contradiction"]


@dataclass(frozen=True)
class Node:
    """An entity, a value of its own (a date, a number, a text) or a passage. ``address`` opens it, where it has one.

    ``is_used`` is set on a passage that the justification cites.
    """

    id: str
    label: str
    kind: NodeKind
    address: str | None = None
    is_used: bool = False


@dataclass(frozen=True)
class Edge:
    """A statement of the graph (``kg``) or of a text (``web``), a passage that explains an entity, or a contradiction.

    ``source`` and ``target`` are ids of nodes. ``evidence`` is the id of the statement, of the passage, or those of the
    two that contradict each other (``K1 W2``); ``qualifiers`` is its context in words; ``is_used`` whether the
    justification cites it; ``is_contradicted`` whether something else contradicts it.
    """

    source: str
    target: str
    label: str
    kind: EdgeKind
    evidence: str
    qualifiers: str = ""
    is_used: bool = False
    is_contradicted: bool = False


@dataclass(frozen=True)
class Network:
    """All of it, in the order in which the evidence came."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def graph_of(result: "CheckResult") -> EvidenceRecord:
    """The evidence graph of a result.

    Raises:
        BadInput: it was left out of the result.
    """
    if result.graph is None:
        raise BadInput("the result has no evidence graph: write it with 'wkgfc check --json --trace'")
    return result.graph


def network(result: "CheckResult") -> Network:
    """Nodes and edges of a result's evidence graph. Labels are what a reader sees of them, of ``MAX_LABEL`` characters.

    Raises:
        BadInput: it was left out of the result.
    """
    graph = graph_of(result)
    used = {piece.id for piece in result.evidence if piece.used}
    contradicted = {each for pair in graph.contradictions for each in pair.evidence}
    nodes: dict[str, Node] = {}
    edges: list[Edge] = []
    ends: dict[str, str] = {}  # of each piece of evidence, the node that a contradiction of it is drawn at
    for evidence in graph.evidence:
        if not isinstance(evidence.content, Triple):
            node = _passage_node(evidence, is_used=evidence.id in used)
            nodes[node.id] = node
            ends[evidence.id] = node.id
            continue
        triple = evidence.content
        subject, target = _value_node(triple.subject, evidence), _value_node(triple.object, evidence)
        nodes.setdefault(subject.id, subject)
        nodes.setdefault(target.id, target)
        ends[evidence.id] = target.id
        edges.append(
            Edge(
                subject.id,
                target.id,
                _shown(triple.relation.label or triple.relation.id),
                "web" if evidence.from_passage is not None else "kg",
                evidence.id,
                visible_text(qualifiers_in_words(triple.qualifiers)),
                is_used=evidence.id in used,
                is_contradicted=evidence.id in contradicted,
            )
        )
    for annotation in graph.annotations:
        passage = ends.get(annotation.passage_id)
        if passage is not None:
            entity = _entity_node(annotation.entity)
            nodes.setdefault(entity.id, entity)
            edges.append(Edge(passage, entity.id, "says of it", "annotation", annotation.passage_id))
    for contradiction in graph.contradictions:
        first, second = (ends.get(each) for each in contradiction.evidence)
        if first is not None and second is not None:
            pair = " ".join(contradiction.evidence)
            edges.append(Edge(first, second, _shown(contradiction.reason), "contradiction", pair))
    return Network(tuple(nodes.values()), tuple(edges))


def _value_node(value: Value, evidence: Evidence) -> Node:
    if isinstance(value, Entity):
        return _entity_node(value)
    # A value belongs to its statement: two things with one birthday are not joined by it.
    return Node(f"value:{evidence.id}:{value_key(value)}", _shown(name_of(value)), "value")


def _entity_node(entity: Entity) -> Node:
    return Node(f"entity:{entity.id}", _shown(entity.label or entity.id), "entity", web_address(entity.url))


def _passage_node(evidence: Evidence, *, is_used: bool) -> Node:
    passage = evidence.content
    assert not isinstance(passage, Triple)
    shown = evidence.quote or passage.title or passage.text
    return Node(
        f"passage:{evidence.id}", _shown(f"{evidence.id}: {shown}"), "passage", web_address(passage.url), is_used
    )


def _shown(text: str) -> str:
    line = " ".join(visible_text(text).split()) or "(no name)"
    return line if len(line) <= MAX_LABEL else f"{line[: MAX_LABEL - 1]}…"
