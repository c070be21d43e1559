"""The evidence graph as a Mermaid flowchart, which GitHub, GitLab and many wikis draw.

Source: https://mermaid.js.org/syntax/flowchart.html
"""

import re
from typing import TYPE_CHECKING

from wkgfc.exports.network import Edge, Node, network

if TYPE_CHECKING:
    from wkgfc.result import CheckResult

# Whatever is no letter, digit, space or plain punctuation could be syntax ("%%{init}%%", "-->", "`markdown`").
_NOT_PLAIN = re.compile(r"[^\w .,:/()–—’…-]|_|--+|%")
_LIST = re.compile(r"^(\d{0,9})([-.)])(?= |$)")  # "1. FC Köln" would be a list, which no label may be
_SHAPES = {"entity": ('["', '"]'), "value": ('("', '")'), "passage": ('>"', '"]')}
_ARROWS = {"kg": "-->", "web": "-.->", "annotation": "-.->", "contradiction": "<-->"}
_CLASSES = (
    "  classDef used stroke-width:3px",
    "  classDef passage fill:#fff4d6,color:#222",
)


def mermaid(result: "CheckResult") -> str:
    """The evidence graph of a result: statements of texts are dotted, contradictions red, cited evidence is thick.

    Raises:
        BadInput: it was left out of the result.
    """
    drawn = network(result)
    numbers = {node.id: f"n{number}" for number, node in enumerate(drawn.nodes)}
    lines = ["flowchart LR", *_CLASSES]
    lines += [_node_line(numbers[node.id], node) for node in drawn.nodes]
    lines += [_edge_line(numbers, edge) for edge in drawn.edges]
    for number, edge in enumerate(drawn.edges):
        if edge.kind == "contradiction":
            lines.append(f"  linkStyle {number} stroke:#c0392b,stroke-width:2px")
        elif edge.is_used:
            lines.append(f"  linkStyle {number} stroke-width:3px")
    for node in drawn.nodes:
        if node.kind == "passage":
            lines.append(f"  class {numbers[node.id]} {'passage,used' if node.is_used else 'passage'}")
        if node.address:
            # A semicolon ends a statement, and "%%" begins a comment, even between quotation marks.
            address = node.address.replace(";", "%3B").replace("%%", "%25%")
            lines.append(f'  click {numbers[node.id]} href "{address}" _blank')
    return "\n".join(lines) + "\n"


def _node_line(number: str, node: Node) -> str:
    opening, closing = _SHAPES[node.kind]
    return f"  {number}{opening}{escaped(node.label)}{closing}"


def _edge_line(numbers: dict[str, str], edge: Edge) -> str:
    context = f" ({edge.qualifiers})" if edge.qualifiers else ""
    label = escaped(f"{edge.label}{context} [{edge.evidence}]")
    return f'  {numbers[edge.source]} {_ARROWS[edge.kind]}|"{label}"| {numbers[edge.target]}'


def escaped(text: str) -> str:
    """Text as a label in quotation marks: signs of the syntax as Mermaid's entities (``#34;``).

    >>> escaped('a "quoted" --> arrow')
    'a #34;quoted#34; #45;#45;#62; arrow'
    """
    plain = _NOT_PLAIN.sub(lambda match: "".join(f"#{ord(sign)};" for sign in match[0]), " ".join(text.split()))
    return _LIST.sub(lambda match: f"{match[1]}#{ord(match[2])};", plain)
