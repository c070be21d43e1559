"""The SPARQL that retrieval asks of a plain RDF graph: entities and relations are IRIs, facts are triples.

SPARQL 1.1 without ``SERVICE``, so that Virtuoso, Oxigraph and others answer the same text. An id is checked and becomes
an IRI, a name that is searched becomes a literal; nothing else varies. What of a graph counts as a fact is its
``Shape``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wkgfc.evidence import Direction
from wkgfc.kg.name_queries import LINKS
from wkgfc.kg.patterns import union
from wkgfc.kg.queries import AROUND, COUNTED, OUTGOING, SAMPLE
from wkgfc.kg.terms import iri, language_tag, literal
from wkgfc.kg.vocabulary import OWL, RDF, RDFS, SCHEMA, SKOS

FOAF = "http://xmlns.com/foaf/0.1/"
TYPE = RDF + "type"
_WAYS: tuple[Direction, Direction] = ("out", "in")

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

    A relation that none of the first ``SAMPLE`` incoming links has is missed, and a count is of the first ``COUNTED``.
    """
    branches = [
        f'{_offers(entity, way, languages, shape)} BIND({entity} AS ?entity) BIND("{way}" AS ?direction)'
        for entity in map(iri, frontier)
        for way in _WAYS
    ]
    return f"SELECT ?entity ?direction ?predicate ?count WHERE {{ {union(branches)} }}"


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
    ``limit`` are fetched, those that come from one of ``towards``, and their number.
    """
    branches: list[str] = []
    incoming: dict[str, list[str]] = {}
    pairs = [(entity, relation, direction) for entity in frontier for relation, direction in chosen]
    for number, (entity, relation, direction) in enumerate(pairs):
        node, name, branch = iri(entity), iri(relation), f"({number} AS ?branch)"
        if direction == "out":
            is_value = _value_filter(languages, shape, relation)
            branches.append(
                f"{{ SELECT {branch} ?other WHERE {{ {node} {name} ?other . {is_value} }} "
                f"LIMIT {max(limit, OUTGOING)} }}"
            )
            continue
        incoming.setdefault(node, []).append(f"({name} {number})")
        branches.append(
            f"{{ SELECT {branch} ?other WHERE {{ {_incoming('?other', SAMPLE, node, shape)} "
            f"FILTER(?predicate = {name}) }} ORDER BY ?other LIMIT {limit} }}"
        )
        if ends := _ends(towards, entity):
            branches.append(f"{{ SELECT {branch} ?other WHERE {{ {ends} ?other {name} {node} }} }}")
    branches.extend(
        f"VALUES (?predicate ?branch) {{ {' '.join(asked)} }} {_counted(node, 'in', languages, shape)}"
        for node, asked in incoming.items()
    )
    return f"SELECT ?branch ?other ?count WHERE {{ {union(branches)} }}"


NEIGHBOURHOOD_COLUMNS = ("predicate", "other", "count")


def neighbourhood(
    entity: str, direction: Direction, towards: Sequence[str], languages: Sequence[str], shape: Shape
) -> str:
    """All triples of one entity in one direction: the paper's two templates. ``count`` is what ``relations`` tells."""
    node, is_one = iri(entity), _relation_filter(shape)
    branches = [_offers(node, direction, languages, shape)]
    if direction == "out":
        found = f"{node} ?predicate ?other . {is_one} {_value_filter(languages, shape)}"
        branches.append(f"{{ SELECT ?predicate ?other WHERE {{ {found} }} LIMIT {AROUND} }}")
    else:
        branches.append(_incoming("?other", SAMPLE, node, shape))
        if ends := _ends(towards, entity):
            branches.append(f"{ends} ?other ?predicate {node} . {is_one}")
    return f"SELECT ?predicate ?other ?count WHERE {{ {union(branches)} }}"


def _offers(node: str, direction: Direction, languages: Sequence[str], shape: Shape) -> str:
    """The relations of the links that are looked at, with their numbers."""
    counted = _counted(node, direction, languages, shape)
    if direction == "out":
        return counted
    return f"{{ SELECT DISTINCT ?predicate WHERE {{ {_incoming('', SAMPLE, node, shape)} }} }} {counted}"


def _counted(node: str, direction: Direction, languages: Sequence[str], shape: Shape) -> str:
    """The relations of an entity with their numbers."""
    links = _incoming("", COUNTED, node, shape)
    if direction == "out":
        links = f"{node} ?predicate ?other . {_relation_filter(shape)} {_value_filter(languages, shape)}"
    return f"{{ SELECT ?predicate (COUNT(*) AS ?count) WHERE {{ {links} }} GROUP BY ?predicate }}"


def _incoming(variable: str, number: int, node: str, shape: Shape) -> str:
    """The first so many incoming links: without an order, as a hub cannot be sorted, but the engine's own."""
    is_one = f"FILTER(ISIRI(?other)) {_relation_filter(shape)}"
    return f"{{ SELECT {variable} ?predicate WHERE {{ ?other ?predicate {node} . {is_one} }} LIMIT {number} }}"


def _ends(towards: Sequence[str], entity: str) -> str:
    ends = " ".join(iri(end) for end in towards if end != entity)
    return f"VALUES ?other {{ {ends} }}" if ends else ""


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
    return f"SELECT ?entity ?label ?description ?target ?page WHERE {{ {union(branches)} }}"


NAMED_COLUMNS = ("entity", "name", "alias")


def named(names: Sequence[str], languages: Sequence[str], shape: Shape, limit: int) -> str:
    """The entities that have one of ``names`` to the letter, in one of ``languages`` or in none."""
    values = " ".join(literal(each, language) for each in dict.fromkeys(names) for language in (None, *languages))
    branches = [f"VALUES ?name {{ {values} }} {_any_of('?entity', shape.labels, '?name')}"]
    if shape.aliases:
        branches.append(f"VALUES ?alias {{ {values} }} {_any_of('?entity', shape.aliases, '?alias')}")
    return f"SELECT DISTINCT ?entity ?name ?alias WHERE {{ {union(branches)} }} LIMIT {limit}"


def named_in_any_case(name: str, languages: Sequence[str], shape: Shape, limit: int) -> str:
    """The entities called ``name`` but for capitals. An engine reads all labels for it: for small graphs."""
    is_it = f"= {literal(name.lower())}"
    branches = [
        f"{_any_of('?entity', predicates, variable)} FILTER(LCASE(STR({variable})) {is_it}) "
        f"{_spoken(variable, languages)}"
        for predicates, variable in ((shape.labels, "?name"), (shape.aliases, "?alias"))
        if predicates
    ]
    return f"SELECT DISTINCT ?entity ?name ?alias WHERE {{ {union(branches)} }} LIMIT {limit}"


STANDING_COLUMNS = ("entity", "count")


def standing(ids: Sequence[str]) -> str:
    """How many triples leave or reach each entity, up to ``LINKS`` of either."""
    branches = []
    for each in map(iri, ids):
        ways = (
            f"{{ SELECT ?link WHERE {{ {each} ?link ?end }} LIMIT {LINKS} }}",
            f"{{ SELECT ?link WHERE {{ ?end ?link {each} }} LIMIT {LINKS} }}",
        )
        branches.append(f"{{ SELECT ({each} AS ?entity) (COUNT(*) AS ?count) WHERE {{ {union(ways)} }} }}")
    return f"SELECT ?entity ?count WHERE {{ {union(branches)} }}"


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
