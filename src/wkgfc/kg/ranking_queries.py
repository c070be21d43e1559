"""The SPARQL of superlatives: which entities of a type come first, how many there are, in which units they are told."""

from collections.abc import Mapping

from wkgfc.kg.patterns import PREFIXES, entity_term, property_name
from wkgfc.kg.queries import PROPERTIES, TRIPLE_COLUMNS, Row, triples_query

PLACES = ("P17", "P131", "P30", "P276", "P361", "P495", "P27", "P706")  # what puts an entity into a place
COMPARED = 50_000  # entities of a type that a ranking compares


RANKING_COLUMNS = TRIPLE_COLUMNS


def ranking(
    relation: str,
    instance_of: str,
    within: str | None,
    *,
    descending: bool,
    limit: int,
    factors: Mapping[str, float] | None = None,
) -> str:
    """The entities of a type that come first by a quantity or a time, as rows of ``triples``.

    Each entity counts with its largest value (``descending``) or its smallest one. ``object`` is that value, with
    the properties of the statement that has it in the same row, where there is one. The row of the count has the
    number of entities that were compared; at most ``COMPARED`` are looked at.

    ``factors`` maps units to what an amount of them is multiplied by to compare it: amounts of other units, and of
    none, then do not count, and all statements of an entity come with it.
    """
    name = property_name(relation)
    compared = _of_type(instance_of)
    if within:
        links, node = " ".join(f"wdt:{each}" for each in PLACES), entity_term(within)
        # A city is in a country that is on a continent: two steps count, the first of them to an area.
        compared += f"""
    {{ SELECT DISTINCT ?subject WHERE {{
      {{ VALUES ?link {{ {links} }} ?subject ?link {node} }} UNION
      {{ {{ SELECT ?area WHERE {{ VALUES ?link {{ {links} }} ?area ?link {node} }} }} ?subject wdt:P17|wdt:P131 ?area }}
    }} }}"""
    statement = f"?subject p:{name} ?statement ."
    if factors:
        rows = " ".join(f"({entity_term(unit)} {factor:.12E})" for unit, factor in factors.items())
        compared += f"""
    ?subject wdt:{name} ?amount ; p:{name} ?counted . ?counted ps:{name} ?amount ; psv:{name} ?full .
    ?full wikibase:quantityUnit ?unit . VALUES (?unit ?factor) {{ {rows} }} BIND(?amount * ?factor AS ?size)"""
    else:
        compared += f"""
    ?subject wdt:{name} ?size"""
        statement += f" ?statement ps:{name} ?object ."
    best, order = ("MAX", "DESC") if descending else ("MIN", "ASC")
    first = f"""{{ SELECT ?subject ({best}(?size) AS ?object) WHERE {{
    {compared} }} GROUP BY ?subject ORDER BY {order}({best}(?size)) LIMIT {limit} }}"""
    return triples_query(
        [
            f"""{first}
  OPTIONAL {{ {statement} {PROPERTIES} }}
  BIND({Row.DIRECT:d} AS ?row)""",
            f"{{ SELECT ({Row.COUNT:d} AS ?row) (COUNT(DISTINCT ?subject) AS ?count) WHERE {{ {compared} }} }}",
        ]
    )


SIZE_COLUMNS = ("count",)


def size_of_type(instance_of: str) -> str:
    """How many entities of a type there are, up to ``COMPARED``: then a ranking compares a sample, and says nothing."""
    return f"{PREFIXES}SELECT (COUNT(*) AS ?count) WHERE {{ {_of_type(instance_of)} }}"


UNIT_COLUMNS = ("unit", "count")


def units(relation: str, instance_of: str) -> str:
    """The units in which a quantity of the entities of a type is stated, each with the number of statements."""
    name = property_name(relation)
    return f"""{PREFIXES}SELECT ?unit (COUNT(*) AS ?count) WHERE {{
    {_of_type(instance_of)}
    ?subject p:{name} ?statement . ?statement psv:{name} ?full . ?full wikibase:quantityUnit ?unit
}} GROUP BY ?unit"""


def _of_type(instance_of: str) -> str:
    """The entities of a type, or of a subclass one step down."""
    node = entity_term(instance_of)
    return f"""{{ SELECT DISTINCT ?subject WHERE {{
      {{ ?subject wdt:P31 {node} }} UNION {{ ?class wdt:P279 {node} . ?subject wdt:P31 ?class }}
    }} LIMIT {COMPARED} }}"""
