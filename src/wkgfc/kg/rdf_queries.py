"""The SPARQL that retrieval asks of a plain RDF graph: entities and relations are IRIs, facts are triples.

SPARQL 1.1 without ``SERVICE``, so that Virtuoso, Oxigraph and others answer the same text. An id is checked and becomes
an IRI, a name that is searched becomes a literal; nothing else varies. What of a graph counts as a fact is its
``Shape``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wkgfc.evidence import Direction
from wkgfc.kg.queries import AROUND, COUNTED, HUB_SAMPLE, OUTGOING
from wkgfc.kg.terms import iri, language_tag, literal
from wkgfc.kg.vocabulary import OWL, RDF, RDFS, SCHEMA, SKOS

FOAF = "http://xmlns.com/foaf/0.1/"
TYPE = RDF + "type"

# What says how a thing is called, or where else it is described, is no fact about it.
NO_FACTS = (
    *(RDFS + name for name in ("label", "comment", "seeAlso", "isDefinedBy")),
    *(SKOS + name for name in ("prefLabel", "altLabel", "hiddenLabel", "definition", "note")),
    *(OWL + name for name in ("sameAs", "equivalentClass", "equivalentProperty")),
    SCHEMA + "description",
    FOAF + "isPrimaryTopicOf",
    FOAF + "depiction",
)


@dataclass(frozen=True)
class Shape:
    """Which predicates of a graph mean what.

    ``namespaces``: where its relations are (none: everywhere); ``hidden``: predicates that are none.
    ``types_in``: the namespace in which a type (``rdf:type``) is worth telling (empty: all are).
    ``disambiguates``: predicates that only a page which lists namesakes has.
    ``units``: in what amounts of a predicate are given, where their literals do not say it.
    ``has_year_zero``: how its years before the common era are counted (``rdf_values.value_of``).
    """

    namespaces: tuple[str, ...] = ()
    hidden: tuple[str, ...] = NO_FACTS
    types_in: str = ""
    labels: tuple[str, ...] = (RDFS + "label", SKOS + "prefLabel")
    aliases: tuple[str, ...] = (SKOS + "altLabel",)
    descriptions: tuple[str, ...] = (SCHEMA + "description", RDFS + "comment", SKOS + "definition")
    redirects: tuple[str, ...] = ()
    disambiguates: tuple[str, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)
    has_year_zero: bool = True


def is_relation(shape: Shape, predicate: str) -> bool:
    """Whether a predicate is a relation of the graph: what ``_relation_filter`` asks, said here."""
    if predicate in shape.hidden:
        return False
    return not shape.namespaces or predicate == TYPE or predicate.startswith(shape.namespaces)


RELATION_COLUMNS = ("entity", "direction", "predicate", "count")


def relations(frontier: Sequence[str], languages: Sequence[str], shape: Shape) -> str:
    """The relations of a frontier, outgoing and incoming, with their counts.

    Of each entity at most ``HUB_SAMPLE`` incoming links are looked at, so that rare relations of a hub can be missed.
    """
    branches = [
        f"""{{ SELECT ?entity ?predicate (COUNT(*) AS ?count) ("out" AS ?direction) WHERE {{
    VALUES ?entity {{ {" ".join(map(iri, frontier))} }} ?entity ?predicate ?other .
    {_relation_filter(shape)} {_value_filter(languages, shape)} }} GROUP BY ?entity ?predicate }}"""
    ]
    branches.extend(
        f"""{{ SELECT ({iri(entity)} AS ?entity) ?predicate (COUNT(*) AS ?count) ("in" AS ?direction) WHERE {{
    {{ SELECT ?predicate WHERE {{ ?other ?predicate {iri(entity)} . FILTER(ISIRI(?other)) {_relation_filter(shape)}
    }} LIMIT {HUB_SAMPLE} }} }} GROUP BY ?predicate }}"""
        for entity in frontier
    )
    return f"SELECT ?entity ?direction ?predicate ?count WHERE {{ {_union(branches)} }}"


TRIPLE_COLUMNS = ("branch", "other", "count")


def triples(
    frontier: Sequence[str],
    chosen: Sequence[tuple[str, Direction]],
    limit: int,
    towards: Sequence[str],
    languages: Sequence[str],
    shape: Shape,
) -> str:
    """The triples of the chosen relations of a frontier: ``other`` is their other end.

    ``branch`` numbers the pairs of an entity and a chosen relation, the relations of the first entity first. Incoming,
    ``limit`` are fetched, and those that come from one of ``towards``.
    """
    branches: list[str] = []
    pairs = [(entity, relation, direction) for entity in frontier for relation, direction in chosen]
    for number, (entity, relation, direction) in enumerate(pairs):
        node, name = iri(entity), iri(relation)
        if direction == "out":
            is_value = _value_filter(languages, shape, relation)
            branches.append(
                f"{{ SELECT ({number} AS ?branch) ?other WHERE {{ {node} {name} ?other . {is_value} }} "
                f"LIMIT {OUTGOING} }}"
            )
            continue
        is_node = "FILTER(ISIRI(?other))"
        branches.append(
            f"{{ SELECT ({number} AS ?branch) ?other WHERE {{ ?other {name} {node} . {is_node} }} LIMIT {limit} }}"
        )
        if ends := " ".join(iri(end) for end in towards if end != entity):
            branches.append(
                f"{{ SELECT ({number} AS ?branch) ?other WHERE {{ VALUES ?other {{ {ends} }} ?other {name} {node} }} }}"
            )
        branches.append(
            f"{{ SELECT ({number} AS ?branch) (COUNT(*) AS ?count) WHERE {{\n"
            f"    {{ SELECT ?other WHERE {{ ?other {name} {node} . {is_node} }} LIMIT {COUNTED} }} }} }}"
        )
    return f"SELECT ?branch ?other ?count WHERE {{ {_union(branches)} }}"


NEIGHBOURHOOD_COLUMNS = ("predicate", "other", "count")


def neighbourhood(entity: str, direction: Direction, languages: Sequence[str], shape: Shape) -> str:
    """All triples of one entity in one direction: the paper's two templates. At most ``AROUND`` are fetched."""
    node, is_one = iri(entity), _relation_filter(shape)
    if direction == "out":
        return f"""SELECT ?predicate ?other ?count WHERE {{
  {node} ?predicate ?other . {is_one} {_value_filter(languages, shape)} }} LIMIT {AROUND["out"]}"""
    found = f"?other ?predicate {node} . FILTER(ISIRI(?other)) {is_one}"
    branches = [
        f"{{ SELECT ?predicate ?other WHERE {{ {found} }} LIMIT {AROUND['in']} }}",
        f"""{{ SELECT ?predicate (COUNT(*) AS ?count) WHERE {{
    {{ SELECT ?predicate WHERE {{ {found} }} LIMIT {HUB_SAMPLE} }} }} GROUP BY ?predicate }}""",
    ]
    return f"SELECT ?predicate ?other ?count WHERE {{ {_union(branches)} }}"


LABEL_COLUMNS = ("entity", "label", "description", "target", "page")


def labels(ids: Sequence[str], languages: Sequence[str], shape: Shape) -> str:
    """What IRIs are called in some languages (or in none), where redirected ones lead, and which are pages."""
    entities = f"VALUES ?entity {{ {' '.join(map(iri, ids))} }}"
    branches = [
        f"{entities} {_any_of('?entity', shape.labels, '?label')} {_spoken('?label', languages)}",
        f"{entities} {_any_of('?entity', shape.descriptions, '?description')} {_spoken('?description', languages)}",
    ]
    if shape.redirects:
        branches.append(f"{entities} {_any_of('?entity', shape.redirects, '?target')}")
    if shape.disambiguates:
        lists = _any_of("?entity", shape.disambiguates, "?listed")
        branches.append(f"{{ SELECT DISTINCT ?entity (1 AS ?page) WHERE {{ {entities} {lists} }} }}")
    return f"SELECT ?entity ?label ?description ?target ?page WHERE {{ {_union(branches)} }}"


NAMED_COLUMNS = ("entity", "name", "alias")


def named(names: Sequence[str], languages: Sequence[str], shape: Shape, limit: int) -> str:
    """The entities that have one of ``names`` to the letter, in one of ``languages`` or in none."""
    values = " ".join(literal(each, language) for each in dict.fromkeys(names) for language in (None, *languages))
    branches = [f"VALUES ?name {{ {values} }} {_any_of('?entity', shape.labels, '?name')}"]
    if shape.aliases:
        branches.append(f"VALUES ?alias {{ {values} }} {_any_of('?entity', shape.aliases, '?alias')}")
    return f"SELECT DISTINCT ?entity ?name ?alias WHERE {{ {_union(branches)} }} LIMIT {limit}"


def named_in_any_case(name: str, languages: Sequence[str], shape: Shape, limit: int) -> str:
    """The entities called ``name`` but for capitals. An engine reads all labels for it: for small graphs."""
    is_it = f"= {literal(name.lower())}"
    branches = [
        f"{_any_of('?entity', predicates, variable)} FILTER(LCASE(STR({variable})) {is_it}) "
        f"{_spoken(variable, languages)}"
        for predicates, variable in ((shape.labels, "?name"), (shape.aliases, "?alias"))
        if predicates
    ]
    return f"SELECT DISTINCT ?entity ?name ?alias WHERE {{ {_union(branches)} }} LIMIT {limit}"


STANDING_COLUMNS = ("entity", "count")


def standing(ids: Sequence[str]) -> str:
    """How many triples leave or reach each entity, up to ``COUNTED`` of either."""
    branches = []
    for each in map(iri, ids):
        ways = (
            f"{{ SELECT ?link WHERE {{ {each} ?link ?end }} LIMIT {COUNTED} }}",
            f"{{ SELECT ?link WHERE {{ ?end ?link {each} }} LIMIT {COUNTED} }}",
        )
        branches.append(f"{{ SELECT ({each} AS ?entity) (COUNT(*) AS ?count) WHERE {{ {_union(ways)} }} }}")
    return f"SELECT ?entity ?count WHERE {{ {_union(branches)} }}"


def _relation_filter(shape: Shape) -> str:
    hidden = f"FILTER(?predicate NOT IN ({', '.join(map(iri, shape.hidden))}))" if shape.hidden else ""
    if not shape.namespaces:
        return hidden
    begins = " || ".join(f"STRSTARTS(STR(?predicate), {literal(each)})" for each in shape.namespaces)
    return f"FILTER({begins} || ?predicate = {iri(TYPE)}) {hidden}"


def _value_filter(languages: Sequence[str], shape: Shape, relation: str | None = None) -> str:
    """Values that can be told: no blank nodes, no text in a language that was not asked for, no type of no worth."""
    told = f"FILTER(!ISBLANK(?other) && (!ISLITERAL(?other) || LANG(?other) IN ({_languages(languages)})))"
    if not shape.types_in or relation not in (None, TYPE):
        return told
    is_worth = f"STRSTARTS(STR(?other), {literal(shape.types_in)})"
    return f"{told} FILTER({is_worth if relation else f'?predicate != {iri(TYPE)} || {is_worth}'})"


def _any_of(subject: str, predicates: Sequence[str], variable: str) -> str:
    return f"{subject} {'|'.join(map(iri, predicates))} {variable} ."


def _spoken(variable: str, languages: Sequence[str]) -> str:
    return f"FILTER(LANG({variable}) IN ({_languages(languages)}))"


def _languages(languages: Sequence[str]) -> str:
    return ", ".join((literal(""), *map(language_tag, languages)))


def _union(branches: Sequence[str]) -> str:
    return "{ " + " }\n  UNION { ".join(branches) + " }"
