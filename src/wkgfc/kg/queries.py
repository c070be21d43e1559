"""The SPARQL that retrieval asks: a few templates, filled with ids and numbers only.

Plain SPARQL 1.1 in Wikidata's vocabulary, so that the embedded store and any endpoint of Wikidata's shape answer the
same text. No ``SERVICE``, no text of a claim: an id is checked and becomes an IRI, a name that is searched becomes a
literal (``terms.literal``), everything else is a constant.

Each query names its columns in a constant beside it; rows come in any order.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum

from wkgfc.evidence import Direction
from wkgfc.kg.terms import iri, language_tag, literal
from wkgfc.kg.vocabulary import PS, WDT, P, entity_iri, is_property_id

HUB_SAMPLE = 10_000  # incoming links of one entity that the relations query looks at: hubs have millions
COUNTED = 2_000  # incoming links that are counted for one entity and relation
SPARE = 5  # incoming statements fetched beyond the limit, as some can be deprecated
OUTGOING = 200  # outgoing statements that are fetched for one entity and relation
AROUND = {"out": 1_000, "in": 500}  # statements that the paper's query for an entity and a direction fetches
WITHOUT_STATEMENT = 100  # incoming direct links among which those without a statement are looked for
PLACES = ("P17", "P131", "P30", "P276", "P361", "P495", "P27", "P706")  # what puts an entity into a place
NEAR = 1_000  # outgoing links of one entity that are looked at for its surroundings
COMPARED = 50_000  # entities of a type that a ranking compares

_PREFIXES = """\
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX schema: <http://schema.org/>
PREFIX wikibase: <http://wikiba.se/ontology#>
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX p: <http://www.wikidata.org/prop/>
PREFIX psv: <http://www.wikidata.org/prop/statement/value/>
PREFIX ps: <http://www.wikidata.org/prop/statement/>
PREFIX pr: <http://www.wikidata.org/prop/reference/>
"""

# What is read of the nodes that a statement leads to: full values and references.
_DETAILS = (
    "wikibase:timeValue wikibase:timePrecision wikibase:timeCalendarModel "
    "wikibase:quantityAmount wikibase:quantityUnit "
    "pr:P854 pr:P4656 pr:P248 pr:P1476"
)


def _iri(entity_id: str) -> str:
    return f"<{entity_iri(entity_id)}>"


def _begins(variable: str, namespace: str) -> str:
    """A filter for the IRIs of a namespace: what Wikidata makes of a property is told by the IRI alone.

    A graph may have facts and say nothing of its properties, as an extract of direct links does.
    """
    return f'FILTER(STRSTARTS(STR({variable}), "{namespace}"))'


def _property(property_id: str) -> str:
    if not is_property_id(property_id):
        raise ValueError(f"no id of a property: {property_id[:80]!r}")
    return property_id


PROPERTY_COLUMNS = ("relation", "label", "datatype")


def properties(ids: Sequence[str], languages: Sequence[str]) -> str:
    """The labels of properties in some languages, and their datatypes: a row for each label, or one without."""
    return f"""{_PREFIXES}SELECT ?relation ?label ?datatype WHERE {{
  VALUES ?relation {{ {" ".join(f"wd:{_property(each)}" for each in ids)} }}
  OPTIONAL {{ ?relation rdfs:label ?label . FILTER(LANG(?label) IN ({", ".join(map(language_tag, languages))})) }}
  OPTIONAL {{ ?relation wikibase:propertyType ?datatype }}
}}"""


LABEL_COLUMNS = ("entity", "label", "description", "target")


def labels(ids: Sequence[str], languages: Sequence[str]) -> str:
    """Labels and descriptions of entities in some languages, and where redirected ones lead: a row for each."""
    entities = f"VALUES ?entity {{ {' '.join(map(_iri, ids))} }}"
    spoken = ", ".join(map(language_tag, languages))
    branches = (
        f"{entities} ?entity rdfs:label ?label . FILTER(LANG(?label) IN ({spoken}))",
        f"{entities} ?entity schema:description ?description . FILTER(LANG(?description) IN ({spoken}))",
        f"{entities} ?entity owl:sameAs ?target",
    )
    return f"{_PREFIXES}SELECT ?entity ?label ?description ?target WHERE {{ {_union(branches)} }}"


NAMED_COLUMNS = ("entity", "name", "alias")


def named(names: Sequence[str], languages: Sequence[str], limit: int) -> str:
    """The entities that have one of ``names`` to the letter, in one of ``languages``: ``name``, or ``alias``."""
    values = " ".join(literal(name, language) for name in dict.fromkeys(names) for language in languages)
    branches = (
        f"VALUES ?name {{ {values} }} ?entity rdfs:label ?name",
        f"VALUES ?alias {{ {values} }} ?entity skos:altLabel ?alias",
    )
    return f"{_PREFIXES}SELECT DISTINCT ?entity ?name ?alias WHERE {{ {_union(branches)} }} LIMIT {limit}"


def named_in_any_case(name: str, languages: Sequence[str], limit: int) -> str:
    """The entities called ``name`` but for capitals. An engine reads all labels for it: for small graphs."""
    spoken = ", ".join(map(language_tag, languages))

    def is_it(variable: str) -> str:
        return f"FILTER(LCASE(STR({variable})) = {literal(name.lower())} && LANG({variable}) IN ({spoken}))"

    branches = (f"?entity rdfs:label ?name . {is_it('?name')}", f"?entity skos:altLabel ?alias . {is_it('?alias')}")
    return f"{_PREFIXES}SELECT DISTINCT ?entity ?name ?alias WHERE {{ {_union(branches)} }} LIMIT {limit}"


STANDING_COLUMNS = ("entity", "type", "count")


def standing(ids: Sequence[str]) -> str:
    """What entities are (``P31``), and how many direct links leave or reach each, up to ``COUNTED`` of either."""
    branches = [f"VALUES ?entity {{ {' '.join(map(_iri, ids))} }} ?entity wdt:P31 ?type"]
    for each in map(_iri, ids):
        ways = (
            f"{{ SELECT ?link WHERE {{ {each} ?link ?end . {_begins('?link', WDT + 'P')} }} LIMIT {COUNTED} }}",
            f"{{ SELECT ?link WHERE {{ ?end ?link {each} . {_begins('?link', WDT + 'P')} }} LIMIT {COUNTED} }}",
        )
        branches.append(f"{{ SELECT ({each} AS ?entity) (COUNT(*) AS ?count) WHERE {{ {_union(ways)} }} }}")
    return f"{_PREFIXES}SELECT ?entity ?type ?count WHERE {{ {_union(branches)} }}"


VOCABULARY_COLUMNS = ("subject",)
_COMMON = ("P31", "P279", "P17", "P106", "P569")  # one of them is in any graph of Wikidata's vocabulary worth asking


def vocabulary() -> str:
    """A thing that has a fact in Wikidata's vocabulary, or says what its properties are; no row where nothing does."""
    links = " ".join(f"wdt:{each} p:{each}" for each in _COMMON)
    branches = (f"VALUES ?link {{ {links} }} ?subject ?link ?object", "?subject wikibase:directClaim ?object")
    return f"{_PREFIXES}SELECT ?subject WHERE {{ {_union(branches)} }} LIMIT 1"


DATE_COLUMNS = ("date",)


def date_modified(of: str) -> str:
    """When what the IRI ``of`` names was last changed, as far as the graph says it."""
    return f"{_PREFIXES}SELECT ?date WHERE {{ {iri(of)} schema:dateModified ?date }}"


REDIRECT_COLUMNS = ("entity", "target")


def redirects(ids: Sequence[str]) -> str:
    """Where redirected ids lead to."""
    return f"""{_PREFIXES}SELECT ?entity ?target WHERE {{
  VALUES ?entity {{ {" ".join(map(_iri, ids))} }}
  ?entity owl:sameAs ?target
}}"""


RELATION_COLUMNS = ("entity", "direction", "predicate", "count")


def relations(frontier: Sequence[str], directions: Sequence[Direction] = ("out", "in")) -> str:
    """The relations of a frontier, outgoing and incoming, with their counts.

    A relation comes up to twice for an entity and direction, as two predicates: counted over direct links (the
    best-ranked values) and over statements (all ranks, and "no value"); the larger count holds. Of each entity at most
    ``HUB_SAMPLE`` incoming links are looked at, so that rare relations of a hub can be missed.
    """
    branches = []
    if "out" in directions:
        entities = " ".join(_iri(entity) for entity in frontier)
        branches.append(f"""{{ SELECT ?entity ?predicate (COUNT(*) AS ?count) ("out" AS ?direction) WHERE {{
    VALUES ?entity {{ {entities} }} ?entity ?predicate ?value
  }} GROUP BY ?entity ?predicate }}""")
    if "in" in directions:
        branches.extend(
            f"""{{ SELECT ({_iri(entity)} AS ?entity) ?predicate (COUNT(*) AS ?count) ("in" AS ?direction) WHERE {{
    {{ SELECT ?predicate WHERE {{ ?subject ?predicate {_iri(entity)} }} LIMIT {HUB_SAMPLE} }}
  }} GROUP BY ?predicate }}"""
            for entity in frontier
        )
    return f"""{_PREFIXES}SELECT ?entity ?direction ?predicate ?count WHERE {{
  {_union(branches)}
  {_begins("?predicate", P)}
}}"""


class Row(IntEnum):
    """What a row of a triples query tells: a property of a statement, a direct link, or a number of links."""

    STATEMENT = 0
    DIRECT = 1
    COUNT = 2


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
    of a value or reference node (``detail``, ``part``). A direct link comes as ``subject`` or ``object``: outgoing
    ones all, incoming ones where no statement says the same. Incoming, little more than ``limit`` are fetched, and
    those that come from one of ``towards``.
    """
    statements: list[str] = []
    others: list[str] = []
    pairs = [(entity, relation, direction) for entity in frontier for relation, direction in chosen]
    for number, (entity, relation, direction) in enumerate(pairs):
        node, name = _iri(entity), _property(relation)
        if direction == "out":
            statements.append(
                f"{{ SELECT ({number} AS ?branch) ?statement WHERE {{ {node} p:{name} ?statement }} LIMIT {OUTGOING} }}"
            )
            others.append(
                f"{{ SELECT ({Row.DIRECT:d} AS ?row) ({number} AS ?branch) ?object "
                f"WHERE {{ {node} wdt:{name} ?object }} LIMIT {OUTGOING} }}"
            )
        else:
            statements.append(
                f"{{ SELECT ({number} AS ?branch) ?statement ?subject WHERE {{\n"
                f"    {{ SELECT ?statement WHERE {{ ?statement ps:{name} {node} }} LIMIT {limit + SPARE} }}\n"
                f"    ?subject p:{name} ?statement }} }}"
            )
            ends = " ".join(_iri(end) for end in towards if end != entity)
            if ends:
                statements.append(
                    f"{{ SELECT ({number} AS ?branch) ?statement ?subject WHERE {{\n"
                    f"    {{ SELECT ?statement ?subject WHERE {{ VALUES ?subject {{ {ends} }}\n"
                    f"      ?subject p:{name} ?statement }} }}\n"
                    f"    ?statement ps:{name} {node} }} }}"
                )
            linked = f"{{ SELECT ?subject WHERE {{ ?subject wdt:{name} {node} }} LIMIT {WITHOUT_STATEMENT} }}"
            if ends:
                linked += f" UNION {{ VALUES ?subject {{ {ends} }} ?subject wdt:{name} {node} }}"
            others.append(
                f"{{ SELECT ({Row.DIRECT:d} AS ?row) ({number} AS ?branch) ?subject WHERE {{\n"
                f"    {{ {linked} }}\n"
                f"    OPTIONAL {{ ?subject p:{name} ?known . ?known ps:{name} ?same . FILTER(?same = {node}) }}\n"
                f"    FILTER(!BOUND(?known)) }} }}"
            )
            others.append(
                f"{{ SELECT ({Row.COUNT:d} AS ?row) ({number} AS ?branch) (COUNT(*) AS ?count) WHERE {{\n"
                f"    {{ SELECT ?subject WHERE {{ ?subject wdt:{name} {node} }} LIMIT {COUNTED} }} }} }}"
            )
    # One sub-select around all of them, which every engine evaluates before it joins the properties of statements.
    chosen_statements = f"{{ SELECT ?branch ?statement ?subject WHERE {{ {_union(statements)} }} }}"
    return _triples_query([f"{chosen_statements}\n  {_STATEMENT}", *others])


def neighbourhood(entity: str, direction: Direction) -> str:
    """All triples of one entity in one direction, as rows of ``triples``: the paper's two templates (section 4.2).

    ``relation`` is the predicate that names the property of each row. At most ``AROUND`` of them are fetched.
    """
    node = _iri(entity)
    is_claim, is_direct = _begins("?relation", P + "P"), _begins("?relation", WDT + "P")
    if direction == "out":
        statements = f"""{{ SELECT ?relation ?statement WHERE {{
    {node} ?relation ?statement . {is_claim} }} LIMIT {AROUND["out"]} }}"""
        direct = f"""{{ SELECT ({Row.DIRECT:d} AS ?row) ?relation ?object WHERE {{
    {node} ?relation ?object . {is_direct} }} LIMIT {AROUND["out"]} }}"""
        return _triples_query([f"{statements}\n  {_STATEMENT}", direct])
    # Nested, so that the small set of links is found first and keeps its order.
    statements = f"""{{ SELECT ?relation ?statement ?subject WHERE {{
    {{ SELECT ?statement ?relation WHERE {{ ?statement ?relation {node} }} LIMIT {2 * AROUND["in"]} }}
    {_begins("?relation", PS + "P")}
    OPTIONAL {{ ?subject ?claim ?statement . {_begins("?claim", P + "P")} }} }} }}"""
    direct = f"""{{ SELECT ({Row.DIRECT:d} AS ?row) ?relation ?subject WHERE {{
    {{ SELECT ?subject ?relation WHERE {{ ?subject ?relation {node} }} LIMIT {2 * AROUND["in"]} }}
    {is_direct} }} }}"""
    counts = f"""{{ SELECT ({Row.COUNT:d} AS ?row) ?relation (COUNT(*) AS ?count) WHERE {{
    {{ SELECT ?relation WHERE {{ ?subject ?relation {node} }} LIMIT {HUB_SAMPLE} }}
    {is_direct} }} GROUP BY ?relation }}"""
    return _triples_query([f"{statements}\n  {_STATEMENT}", direct, counts])


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
    name = _property(relation)
    compared = _of_type(instance_of)
    if within:
        links, node = " ".join(f"wdt:{each}" for each in PLACES), _iri(within)
        # A city is in a country that is on a continent: two steps count, the first of them to an area.
        compared += f"""
    {{ SELECT DISTINCT ?subject WHERE {{
      {{ VALUES ?link {{ {links} }} ?subject ?link {node} }} UNION
      {{ {{ SELECT ?area WHERE {{ VALUES ?link {{ {links} }} ?area ?link {node} }} }} ?subject wdt:P17|wdt:P131 ?area }}
    }} }}"""
    statement = f"?subject p:{name} ?statement ."
    if factors:
        rows = " ".join(f"({_iri(unit)} {factor:.12E})" for unit, factor in factors.items())
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
    return _triples_query(
        [
            f"""{first}
  OPTIONAL {{ {statement} {_PROPERTIES} }}
  BIND({Row.DIRECT:d} AS ?row)""",
            f"{{ SELECT ({Row.COUNT:d} AS ?row) (COUNT(DISTINCT ?subject) AS ?count) WHERE {{ {compared} }} }}",
        ]
    )


SIZE_COLUMNS = ("count",)


def size_of_type(instance_of: str) -> str:
    """How many entities of a type there are, up to ``COMPARED``: then a ranking compares a sample, and says nothing."""
    return f"{_PREFIXES}SELECT (COUNT(*) AS ?count) WHERE {{ {_of_type(instance_of)} }}"


UNIT_COLUMNS = ("unit", "count")


def units(relation: str, instance_of: str) -> str:
    """The units in which a quantity of the entities of a type is stated, each with the number of statements."""
    name = _property(relation)
    return f"""{_PREFIXES}SELECT ?unit (COUNT(*) AS ?count) WHERE {{
    {_of_type(instance_of)}
    ?subject p:{name} ?statement . ?statement psv:{name} ?full . ?full wikibase:quantityUnit ?unit
}} GROUP BY ?unit"""


def _of_type(instance_of: str) -> str:
    """The entities of a type, or of a subclass one step down."""
    node = _iri(instance_of)
    return f"""{{ SELECT DISTINCT ?subject WHERE {{
      {{ ?subject wdt:P31 {node} }} UNION {{ ?class wdt:P279 {node} . ?subject wdt:P31 ?class }}
    }} LIMIT {COMPARED} }}"""


NEIGHBOUR_COLUMNS = ("entity", "predicate", "other")


def neighbours(ids: Sequence[str]) -> str:
    """The outgoing direct links of many entities to other entities: all types, and ``NEAR`` others of each."""
    nodes = " ".join(_iri(each) for each in ids)
    branches = [f"VALUES ?entity {{ {nodes} }} BIND(wdt:P31 AS ?predicate) ?entity wdt:P31 ?other"]
    branches.extend(
        f"""{{ SELECT ({_iri(each)} AS ?entity) ?predicate ?other WHERE {{
    {_iri(each)} ?predicate ?other . FILTER(ISIRI(?other)) {_begins("?predicate", WDT + "P")}
  }} LIMIT {NEAR} }}"""
        for each in ids
    )
    return f"{_PREFIXES}SELECT DISTINCT ?entity ?predicate ?other WHERE {{ {_union(branches)} }}"


_PROPERTIES = f"""\
?statement ?predicate ?value
  OPTIONAL {{ VALUES ?detail {{ {_DETAILS} }} ?value ?detail ?part }}"""
_STATEMENT = f"{_PROPERTIES}\n  BIND({Row.STATEMENT:d} AS ?row)"


def _triples_query(branches: Sequence[str]) -> str:
    columns = " ".join(f"?{name}" for name in TRIPLE_COLUMNS)
    return f"{_PREFIXES}SELECT {columns} WHERE {{\n  {_union(branches)}\n}}"


def _union(branches: Sequence[str]) -> str:
    return "{ " + " }\n  UNION { ".join(branches) + " }"
