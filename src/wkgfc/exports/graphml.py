"""The evidence graph as GraphML, for Gephi, yEd, Cytoscape or networkx.

Source: http://graphml.graphdrawing.org/primer/graphml-primer.html
"""

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from wkgfc.claim import visible_text
from wkgfc.exports.network import network

if TYPE_CHECKING:
    from wkgfc.result import CheckResult

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NODE_KEYS = {"label": "string", "kind": "string", "address": "string", "used": "boolean"}
_EDGE_KEYS = {
    "label": "string",
    "kind": "string",
    "evidence": "string",
    "qualifiers": "string",
    "used": "boolean",
    "contradicted": "boolean",
}


def graphml(result: "CheckResult") -> str:
    """The evidence graph of a result; ids of nodes are ``n0``, ``n1`` …, and every edge has its evidence's id.

    Raises:
        BadInput: it was left out of the result.
    """
    drawn = network(result)
    root = ElementTree.Element("graphml", {"xmlns": NAMESPACE})
    for domain, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name, type_ in keys.items():
            attributes = {"id": f"{domain}_{name}", "for": domain, "attr.name": name, "attr.type": type_}
            ElementTree.SubElement(root, "key", attributes)
    graph = ElementTree.SubElement(root, "graph", {"id": "evidence", "edgedefault": "directed"})
    numbers = {node.id: f"n{number}" for number, node in enumerate(drawn.nodes)}
    for node in drawn.nodes:
        element = ElementTree.SubElement(graph, "node", {"id": numbers[node.id]})
        values = {"label": node.label, "kind": node.kind, "address": node.address, "used": node.is_used}
        _write(element, "node", values)
    for number, edge in enumerate(drawn.edges):
        ends = {"id": f"e{number}", "source": numbers[edge.source], "target": numbers[edge.target]}
        element = ElementTree.SubElement(graph, "edge", ends)
        said = {"label": edge.label, "kind": edge.kind, "evidence": edge.evidence, "qualifiers": edge.qualifiers}
        _write(element, "edge", {**said, "used": edge.is_used, "contradicted": edge.is_contradicted})
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _write(element: ElementTree.Element, domain: str, values: dict[str, str | bool | None]) -> None:
    for name, value in values.items():
        if value is None or value == "":
            continue
        data = ElementTree.SubElement(element, "data", {"key": f"{domain}_{name}"})
        data.text = str(value).lower() if isinstance(value, bool) else visible_text(value)
