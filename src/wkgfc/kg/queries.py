"""The SPARQL that retrieval asks: a few templates, filled with ids and numbers only.

Plain SPARQL 1.1 in Wikidata's vocabulary, so that the embedded store and any endpoint of Wikidata's shape answer the
same text. No ``SERVICE``, no text of a claim: an id is checked and becomes an IRI, everything else is a constant.

Whether a frontier is asked for its relations and then for the triples of some (``relations``, ``triples``), or one
entity and direction for everything (``neighbourhood``), the same links are looked at: of incoming ones, of which hubs
have millions, the first ``SAMPLE``, and of one relation those that come first by their IRIs (``place_of``).

Each query names its columns in a constant beside it; rows come in any order.
"""

from collections.abc import Sequence
from enum import IntEnum

from wkgfc.evidence import Direction
from wkgfc.kg.patterns import PREFIXES, begins, entity_term, property_name, union
from wkgfc.kg.vocabulary import PS, WDT, P

SAMPLE = 1_000  # incoming links of one entity that its relations and triples are taken from
COUNTED = 10_000  # incoming links of one entity that are counted
SPARE = 5  # incoming statements fetched beyond the limit, as some can be deprecated
OUTGOING = 200  # outgoing statements that are fetched for one entity and relation
AROUND = 5_000  # outgoing statements that the paper's query for an entity and a direction fetches
_TAIL = 12  # last signs of an IRI: they tell most from each other, and so short a text is sorted ten times as fast

# What is read of the nodes that a statement leads to: full values and references.
_DETAILS = (
    "wikibase:timeValue wikibase:timePrecision wikibase:timeCalendarModel "
    "wikibase:quantityAmount wikibase:quantityUnit "
    "pr:P854 pr:P4656 pr:P248 pr:P1476"
)
PROPERTIES = f"""\
?statement ?predicate ?value
  OPTIONAL {{ VALUES ?detail {{ {_DETAILS} }} ?value ?detail ?part }}"""


class Row(IntEnum):
    """What a row of a triples query tells: a property of a statement, a direct link, a number, or what is offered."""

    STATEMENT = 0
    DIRECT = 1
    COUNT = 2
    OFFER = 3


_DIRECT = f"({Row.DIRECT:d} AS ?row)"
_STATEMENT = f"{PROPERTIES}\n  BIND({Row.STATEMENT:d} AS ?row)"

RELATION_COLUMNS = ("entity", "direction", "predicate", "count")


def relations(frontier: Sequence[str], directions: Sequence[Direction] = ("out", "in")) -> str:
    """The relations of a frontier, outgoing and incoming, with their counts.

    A relation comes up to twice for an entity and direction, as two predicates: counted over direct links (the
    best-ranked values) and over statements (all ranks, and "no value"); the larger count holds. A relation that none
    of the first ``SAMPLE`` incoming links has is missed, and a count is of the first ``COUNTED``.
    """
    branches: list[str] = []
    for entity in map(entity_term, frontier):
        branches.extend(
            f'{_offers(entity, way)} BIND({entity} AS ?entity) BIND("{way}" AS ?direction)' for way in directions
        )
    return f"""{PREFIXES}SELECT ?entity ?direction ?predicate ?count WHERE {{
  {union(branches)}
  {begins("?predicate", P)}
}}"""


TRIPLE_COLUMNS = (
    "row",
    "branch",
    "subject",
    "relation",
    "object",
    "statement",
    "predicate",
    "value",
    "detail",
    "part",
    "count",
)


def triples(
    frontier: Sequence[str], chosen: Sequence[tuple[str, Direction]], limit: int, towards: Sequence[str] = ()
) -> str:
    """The triples of the chosen relations of a frontier, with qualifiers, ranks, full values and references.

    ``branch`` numbers the pairs of an entity and a chosen relation, the relations of the first entity first. A
    statement comes as one row for each of its properties (``predicate``, ``value``), and one more for each property
    of a value or reference node (``detail``, ``part``). A direct link comes as ``subject`` or ``object``. Of incoming
    ones come little more than ``limit``, those from one of ``towards``, and the number of each ``predicate``.
    """
    statements: list[str] = []
    others: list[str] = []
    incoming: dict[str, list[str]] = {}
    pairs = [(entity, relation, direction) for entity in frontier for relation, direction in chosen]
    for number, (entity, relation, direction) in enumerate(pairs):
        node, name = entity_term(entity), property_name(relation)
        if direction == "out":
            told, linked = _outgoing(number, node, name, max(limit, OUTGOING))
        else:
            told, linked = _incoming(number, node, name, limit + SPARE, _ends(entity, towards))
            incoming.setdefault(node, []).append(f"(wdt:{name} {number}) (ps:{name} {number})")
        statements += told
        others += linked
    others.extend(
        f"VALUES (?predicate ?branch) {{ {' '.join(asked)} }} {_counted(node, 'in')} BIND({Row.COUNT:d} AS ?row)"
        for node, asked in incoming.items()
    )
    # One sub-select around all of them, which every engine evaluates before it joins the properties of statements.
    chosen_statements = f"{{ SELECT ?branch ?statement ?subject WHERE {{ {union(statements)} }} }}"
    return triples_query([f"{chosen_statements}\n  {_STATEMENT}", *others])


def _outgoing(number: int, node: str, name: str, limit: int) -> tuple[list[str], list[str]]:
    """What brings the statements of a relation, and what its direct links: twice as many, as most say the same."""
    branch = f"({number} AS ?branch)"
    return (
        [f"{{ SELECT {branch} ?statement WHERE {{ {node} p:{name} ?statement {_first('statement', limit)} }}"],
        [f"{{ SELECT {_DIRECT} {branch} ?object WHERE {{ {node} wdt:{name} ?object }} LIMIT {2 * limit} }}"],
    )


def _incoming(number: int, node: str, name: str, limit: int, ends: str) -> tuple[list[str], list[str]]:
    """The same of incoming links: those of the sample, and those from ``ends``."""
    branch = f"({number} AS ?branch)"
    statements = [
        f"{{ SELECT {branch} ?statement ?subject WHERE {{\n"
        f"    {{ SELECT ?statement WHERE {{ {_sample(node, 'statement')} FILTER(?relation = ps:{name}) "
        f"{_first('statement', limit)} }}\n"
        f"    ?subject p:{name} ?statement }} }}"
    ]
    direct = [
        f"{{ SELECT {_DIRECT} {branch} ?subject WHERE {{ {_sample(node, 'subject')} FILTER(?relation = wdt:{name}) "
        f"{_first('subject', 2 * limit)} }}"
    ]
    if ends:
        statements.append(
            f"{{ SELECT {branch} ?statement ?subject WHERE {{\n"
            f"    {{ SELECT ?statement ?subject WHERE {{ {ends} ?subject p:{name} ?statement }} }}\n"
            f"    ?statement ps:{name} {node} }} }}"
        )
        direct.append(f"{{ SELECT {_DIRECT} {branch} ?subject WHERE {{ {ends} ?subject wdt:{name} {node} }} }}")
    return statements, direct


def neighbourhood(entity: str, direction: Direction, towards: Sequence[str] = ()) -> str:
    """All triples of one entity in one direction, as rows of ``triples``: the paper's two templates (section 4.2).

    ``relation`` is the predicate that names the property of each row. What ``relations`` tells of the entity comes as
    rows of offers. Incoming, the links of the sample come and those from one of ``towards``; outgoing ones are at most
    ``AROUND``.
    """
    node = entity_term(entity)
    is_claim, is_value, is_direct = (begins("?relation", each + "P") for each in (P, PS, WDT))
    is_property = begins("?predicate", P)
    numbers = [f"{_offers(node, direction)} {is_property} BIND({Row.OFFER:d} AS ?row)"]
    if direction == "out":
        statements = [f"{{ {node} ?relation ?statement . {is_claim} }} LIMIT {AROUND}"]
        direct = [f"?relation ?object WHERE {{ {node} ?relation ?object . {is_direct} }} LIMIT {AROUND}"]
    else:
        numbers.append(f"{_counted(node, direction)} {is_property} BIND({Row.COUNT:d} AS ?row)")
        subject = f"?subject ?claim ?statement . {begins('?claim', P + 'P')}"
        statements = [f"{{ {_sample(node, 'statement')} {is_value} OPTIONAL {{ {subject} }} }}"]
        direct = [f"?relation ?subject WHERE {{ {_sample(node, 'subject')} {is_direct} }}"]
        if ends := _ends(entity, towards):
            some = f"{{ SELECT ?statement ?subject WHERE {{ {ends} {subject} }} }}"
            statements.append(f"{{ {some} ?statement ?relation {node} . {is_value} }}")
            direct.append(f"?relation ?subject WHERE {{ {ends} ?subject ?relation {node} . {is_direct} }}")
    # Nested, so that the small set of statements is found before their properties.
    around = union([f"{{ SELECT ?relation ?statement ?subject WHERE {each} }}" for each in statements])
    found = f"{{ SELECT ?relation ?statement ?subject WHERE {{ {around} }} }}"
    return triples_query([f"{found}\n  {_STATEMENT}", *(f"{{ SELECT {_DIRECT} {each} }}" for each in direct), *numbers])


def triples_query(branches: Sequence[str]) -> str:
    """A query of which each branch brings rows of ``TRIPLE_COLUMNS``."""
    columns = " ".join(f"?{name}" for name in TRIPLE_COLUMNS)
    return f"{PREFIXES}SELECT {columns} WHERE {{\n  {union(branches)}\n}}"


def place_of(iri: str) -> tuple[str, str]:
    """What the links of one relation are put in order by: an order that every engine and every way of asking has."""
    return iri[-_TAIL:], iri


def _first(variable: str, limit: int) -> str:
    """The end of a query for those that come first by ``place_of``."""
    text = f"STR(?{variable})"
    return f"BIND(SUBSTR({text}, STRLEN({text}) - {_TAIL - 1}) AS ?tail) }} ORDER BY ?tail ?{variable} LIMIT {limit}"


def _ends(entity: str, towards: Sequence[str]) -> str:
    ends = " ".join(entity_term(end) for end in towards if end != entity)
    return f"VALUES ?subject {{ {ends} }}" if ends else ""


def _sample(node: str, variable: str) -> str:
    """The incoming links that are looked at. Without an order, as a hub cannot be sorted: the engine's own."""
    return f"{{ SELECT ?{variable} ?relation WHERE {{ ?{variable} ?relation {node} }} LIMIT {SAMPLE} }}"


def _offers(node: str, direction: Direction) -> str:
    """The predicates of the links that are looked at, with their numbers."""
    counted = _counted(node, direction)
    if direction == "out":
        return counted
    some = f"{{ SELECT ?predicate WHERE {{ ?subject ?predicate {node} }} LIMIT {SAMPLE} }}"
    return f"{{ SELECT DISTINCT ?predicate WHERE {{ {some} }} }} {counted}"


def _counted(node: str, direction: Direction) -> str:
    """The predicates of the links of an entity with their numbers."""
    links = f"{node} ?predicate ?value"
    if direction == "in":
        links = f"{{ SELECT ?predicate WHERE {{ ?subject ?predicate {node} }} LIMIT {COUNTED} }}"
    return f"{{ SELECT ?predicate (COUNT(*) AS ?count) WHERE {{ {links} }} GROUP BY ?predicate }}"
