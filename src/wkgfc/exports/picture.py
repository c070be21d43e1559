"""The evidence graph as an SVG picture that needs nothing else."""

from html import escape

from wkgfc.exports.layout import spring_layout
from wkgfc.exports.network import Edge, Network, Node

MAX_NODES = 200  # more is a blot
WIDTH, MARGIN = 760, 70
ROW = 42  # pixels of height a node, between the least and the greatest height
LEAST_HEIGHT, GREATEST_HEIGHT = 180, 620
SHOWN = 26  # characters of a label; the whole one is shown where the mouse rests

_COLOURS = {"kg": "#2b6cb0", "web": "#2f855a", "annotation": "#a0aec0", "contradiction": "#c0392b"}
_FILLS = {"entity": "#2b6cb0", "value": "#718096", "passage": "#b7791f"}


def svg(network: Network) -> str | None:
    """The picture, or ``None`` where there is nothing to draw or more than ``MAX_NODES`` nodes. All text is escaped."""
    if not network.nodes or len(network.nodes) > MAX_NODES:
        return None
    numbers = {node.id: number for number, node in enumerate(network.nodes)}
    height = min(max(len(network.nodes) * ROW, LEAST_HEIGHT), GREATEST_HEIGHT)
    unit = spring_layout(len(numbers), [(numbers[edge.source], numbers[edge.target]) for edge in network.edges])
    places = [(MARGIN + x * (WIDTH - 2 * MARGIN), 25 + y * (height - 60)) for x, y in unit]
    drawn = "".join(_edge(edge, places[numbers[edge.source]], places[numbers[edge.target]]) for edge in network.edges)
    drawn += "".join(_node(node, place) for node, place in zip(network.nodes, places, strict=True))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="Evidence graph: {len(network.nodes)} nodes, {len(network.edges)} edges" '
        f'style="max-width:{WIDTH}px;width:100%;font:11px sans-serif">{drawn}</svg>'
    )


def _edge(edge: Edge, start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = start, end
    dash = ' stroke-dasharray="5 4"' if edge.kind in ("web", "annotation") else ""
    colour = _COLOURS["contradiction" if edge.is_contradicted else edge.kind]
    context = f" ({edge.qualifiers})" if edge.qualifiers else ""
    title = escape(f"{edge.evidence}: {edge.label}{context}")
    label = ""
    if edge.kind != "annotation":
        label = (
            f'<text x="{(x1 + x2) / 2:.1f}" y="{(y1 + y2) / 2 - 3:.1f}" text-anchor="middle" fill="{colour}">'
            f"{escape(_cut(edge.label))}</text>"
        )
    return (
        f'<g><title>{title}</title><line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour}" stroke-width="{2.5 if edge.is_used else 1.2}"{dash}/>{label}</g>'
    )


def _node(node: Node, place: tuple[float, float]) -> str:
    x, y = place
    drawn = (
        f'<g><title>{escape(node.label)}</title><circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{_FILLS[node.kind]}"/>'
        f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle" fill="currentColor">'
        f"{escape(_cut(node.label))}</text></g>"
    )
    if node.address is None:
        return drawn
    return f'<a href="{escape(node.address)}" target="_blank" rel="noopener noreferrer">{drawn}</a>'


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
