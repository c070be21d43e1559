"""The evidence graph as the elements that cytoscape.js draws: what is cited first, and no more than can be read.

Source: https://js.cytoscape.org/#notation/elements-json
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from wkgfc.evidence import Entity, EvidenceRecord, Triple
from wkgfc.exports.network import Edge, Network, network
from wkgfc.result import CheckResult

MAX_NODES = 200  # more is a blot, and takes a browser longer than a second to lay out
FAR = 99  # the hop of a node that no hop of the knowledge graph found


@dataclass(frozen=True)
class Size:
    """How many nodes and lines are drawn, and how many nodes there are."""

    nodes: int
    edges: int
    all: int


def size(result: CheckResult) -> Size:
    """How much of a result's evidence graph is drawn; nothing where it was left out."""
    if result.graph is None:
        return Size(0, 0, 0)
    whole = network(result)
    kept, edges = _kept(whole)
    return Size(len(kept), len(edges), len(whole.nodes))


def elements(result: CheckResult) -> dict[str, Any]:
    """Nodes and edges for cytoscape.js: numbers for ids, so that nothing of a source is ever a selector.

    Raises:
        BadInput: the evidence graph was left out of the result.
    """
    whole = network(result)
    kept, edges = _kept(whole)
    numbers = {node.id: f"n{number}" for number, node in enumerate(whole.nodes) if node.id in kept}
    assert result.graph is not None
    topics = topic_entities(result.graph, result.claim.text)
    hops = _hops(whole, result.graph, topics)
    evidence: defaultdict[str, list[str]] = defaultdict(list)
    for edge in edges:
        if edge.kind in ("kg", "web"):
            for end in dict.fromkeys((edge.source, edge.target)):
                evidence[end].append(edge.evidence)
    descriptions = {f"entity:{entity.id}": entity.description for entity in _entities(result.graph)}
    return {
        "nodes": [
            {
                "data": {
                    "id": numbers[node.id],
                    "label": node.label,
                    "kind": "topic" if node.id in topics else node.kind,
                    "hop": hops.get(node.id, FAR),
                    "address": node.address,
                    "description": descriptions.get(node.id),
                    "evidence": [node.id.removeprefix("passage:")] if node.kind == "passage" else evidence[node.id],
                    "used": node.is_used or any(edge.is_used and node.id in _ends(edge) for edge in edges),
                }
            }
            for node in whole.nodes
            if node.id in kept
        ],
        "edges": [
            {
                "data": {
                    "id": f"e{number}",
                    "source": numbers[edge.source],
                    "target": numbers[edge.target],
                    "label": edge.label,
                    "kind": edge.kind,
                    "evidence": edge.evidence.split(),
                    "qualifiers": edge.qualifiers,
                    "used": edge.is_used,
                    "against": edge.is_contradicted or edge.kind == "contradiction",
                }
            }
            for number, edge in enumerate(edges)
        ],
        "all": len(whole.nodes),
    }


def topic_entities(graph: EvidenceRecord, claim: str) -> frozenset[str]:
    """The ids of the nodes that the claim names.

    A result does not keep them apart, but each statement of the first hop has one at an end: those whose label stands
    in the claim, and, for the statements that are left, the entity that most of them share.
    """
    pairs = [
        [value for value in (evidence.content.subject, evidence.content.object) if isinstance(value, Entity)]
        for evidence in graph.evidence
        if evidence.hop == 1 and isinstance(evidence.content, Triple)
    ]
    said = claim.casefold()
    topics = {entity.id for pair in pairs for entity in pair if entity.label and entity.label.casefold() in said}
    left = [pair for pair in pairs if not any(entity.id in topics for entity in pair)]
    while left:
        shared = Counter(entity.id for pair in left for entity in pair).most_common(1)[0][0]
        topics.add(shared)
        left = [pair for pair in left if not any(entity.id == shared for entity in pair)]
    return frozenset(f"entity:{identifier}" for identifier in topics)


def _hops(whole: Network, graph: EvidenceRecord, topics: Iterable[str]) -> Mapping[str, int]:
    """In which hop each node was reached: topic entities in none."""
    hop_of = {evidence.id: evidence.hop for evidence in graph.evidence}
    hops = dict.fromkeys(topics, 0)
    for edge in sorted(whole.edges, key=lambda edge: hop_of.get(edge.evidence) or FAR):
        for end in _ends(edge):
            hops.setdefault(end, hop_of.get(edge.evidence) or FAR)
    return hops


def _kept(whole: Network) -> tuple[set[str], list[Edge]]:
    """The nodes that are drawn, with the edges between them: cited and contradicted ones, then in their order."""
    if len(whole.nodes) <= MAX_NODES:
        return {node.id for node in whole.nodes}, list(whole.edges)
    first = [end for edge in whole.edges if edge.is_used or edge.kind == "contradiction" for end in _ends(edge)]
    first += [node.id for node in whole.nodes if node.is_used]
    then = [end for edge in whole.edges for end in _ends(edge)]
    kept = set(list(dict.fromkeys((*first, *then, *(node.id for node in whole.nodes))))[:MAX_NODES])
    return kept, [edge for edge in whole.edges if edge.source in kept and edge.target in kept]


def _ends(edge: Edge) -> tuple[str, str]:
    return edge.source, edge.target


def _entities(graph: EvidenceRecord) -> Iterable[Entity]:
    for evidence in graph.evidence:
        if isinstance(evidence.content, Triple):
            for value in (evidence.content.subject, evidence.content.object):
                if isinstance(value, Entity):
                    yield value
    for annotation in graph.annotations:
        yield annotation.entity
