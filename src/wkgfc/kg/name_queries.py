"""The SPARQL that asks what things are called, and what linking asks beside: standing, neighbours, redirects.

Ids become IRIs and a name that is searched becomes a literal, as in ``queries.py``.
"""

from collections.abc import Sequence

from wkgfc.kg.patterns import PREFIXES, begins, entity_term, property_name, union
from wkgfc.kg.terms import iri, language_tag, literal
from wkgfc.kg.vocabulary import WDT

LINKS = 2_000  # links that are counted for one entity in each direction: how popular it is
NEAR = 1_000  # outgoing links of one entity that are looked at for its surroundings


PROPERTY_COLUMNS = ("relation", "label", "datatype")


def properties(ids: Sequence[str], languages: Sequence[str]) -> str:
    """The labels of properties in some languages, and their datatypes: a row for each label, or one without."""
    return f"""{PREFIXES}SELECT ?relation ?label ?datatype WHERE {{
  VALUES ?relation {{ {" ".join(f"wd:{property_name(each)}" for each in ids)} }}
  OPTIONAL {{ ?relation rdfs:label ?label . FILTER(LANG(?label) IN ({", ".join(map(language_tag, languages))})) }}
  OPTIONAL {{ ?relation wikibase:propertyType ?datatype }}
}}"""


LABEL_COLUMNS = ("entity", "label", "description", "target")


def labels(ids: Sequence[str], languages: Sequence[str]) -> str:
    """Labels and descriptions of entities in some languages, and where redirected ones lead: a row for each."""
    entities = f"VALUES ?entity {{ {' '.join(map(entity_term, ids))} }}"
    spoken = ", ".join(map(language_tag, languages))
    branches = (
        f"{entities} ?entity rdfs:label ?label . FILTER(LANG(?label) IN ({spoken}))",
        f"{entities} ?entity schema:description ?description . FILTER(LANG(?description) IN ({spoken}))",
        f"{entities} ?entity owl:sameAs ?target",
    )
    return f"{PREFIXES}SELECT ?entity ?label ?description ?target WHERE {{ {union(branches)} }}"


NAMED_COLUMNS = ("entity", "name", "alias")


def named(names: Sequence[str], languages: Sequence[str], limit: int) -> str:
    """The entities that have one of ``names`` to the letter, in one of ``languages``: ``name``, or ``alias``."""
    values = " ".join(literal(name, language) for name in dict.fromkeys(names) for language in languages)
    branches = (
        f"VALUES ?name {{ {values} }} ?entity rdfs:label ?name",
        f"VALUES ?alias {{ {values} }} ?entity skos:altLabel ?alias",
    )
    return f"{PREFIXES}SELECT DISTINCT ?entity ?name ?alias WHERE {{ {union(branches)} }} LIMIT {limit}"


def named_in_any_case(name: str, languages: Sequence[str], limit: int) -> str:
    """The entities called ``name`` but for capitals. An engine reads all labels for it: for small graphs."""
    spoken = ", ".join(map(language_tag, languages))

    def is_it(variable: str) -> str:
        return f"FILTER(LCASE(STR({variable})) = {literal(name.lower())} && LANG({variable}) IN ({spoken}))"

    branches = (f"?entity rdfs:label ?name . {is_it('?name')}", f"?entity skos:altLabel ?alias . {is_it('?alias')}")
    return f"{PREFIXES}SELECT DISTINCT ?entity ?name ?alias WHERE {{ {union(branches)} }} LIMIT {limit}"


STANDING_COLUMNS = ("entity", "type", "count")


def standing(ids: Sequence[str]) -> str:
    """What entities are (``P31``), and how many direct links leave or reach each, up to ``LINKS`` of either."""
    branches = [f"VALUES ?entity {{ {' '.join(map(entity_term, ids))} }} ?entity wdt:P31 ?type"]
    for each in map(entity_term, ids):
        ways = (
            f"{{ SELECT ?link WHERE {{ {each} ?link ?end . {begins('?link', WDT + 'P')} }} LIMIT {LINKS} }}",
            f"{{ SELECT ?link WHERE {{ ?end ?link {each} . {begins('?link', WDT + 'P')} }} LIMIT {LINKS} }}",
        )
        branches.append(f"{{ SELECT ({each} AS ?entity) (COUNT(*) AS ?count) WHERE {{ {union(ways)} }} }}")
    return f"{PREFIXES}SELECT ?entity ?type ?count WHERE {{ {union(branches)} }}"


VOCABULARY_COLUMNS = ("subject",)
_COMMON = ("P31", "P279", "P17", "P106", "P569")  # one of them is in any graph of Wikidata's vocabulary worth asking


def vocabulary() -> str:
    """A thing that has a fact in Wikidata's vocabulary, or says what its properties are; no row where nothing does."""
    links = " ".join(f"wdt:{each} p:{each}" for each in _COMMON)
    branches = (f"VALUES ?link {{ {links} }} ?subject ?link ?object", "?subject wikibase:directClaim ?object")
    return f"{PREFIXES}SELECT ?subject WHERE {{ {union(branches)} }} LIMIT 1"


DATE_COLUMNS = ("date",)


def date_modified(of: str) -> str:
    """When what the IRI ``of`` names was last changed, as far as the graph says it."""
    return f"{PREFIXES}SELECT ?date WHERE {{ {iri(of)} schema:dateModified ?date }}"


REDIRECT_COLUMNS = ("entity", "target")


def redirects(ids: Sequence[str]) -> str:
    """Where redirected ids lead to."""
    return f"""{PREFIXES}SELECT ?entity ?target WHERE {{
  VALUES ?entity {{ {" ".join(map(entity_term, ids))} }}
  ?entity owl:sameAs ?target
}}"""


NEIGHBOUR_COLUMNS = ("entity", "predicate", "other")


def neighbours(ids: Sequence[str]) -> str:
    """The outgoing direct links of many entities to other entities: all types, and ``NEAR`` others of each."""
    nodes = " ".join(entity_term(each) for each in ids)
    branches = [f"VALUES ?entity {{ {nodes} }} BIND(wdt:P31 AS ?predicate) ?entity wdt:P31 ?other"]
    branches.extend(
        f"""{{ SELECT ({entity_term(each)} AS ?entity) ?predicate ?other WHERE {{
    {entity_term(each)} ?predicate ?other . FILTER(ISIRI(?other)) {begins("?predicate", WDT + "P")}
  }} LIMIT {NEAR} }}"""
        for each in ids
    )
    return f"{PREFIXES}SELECT DISTINCT ?entity ?predicate ?other WHERE {{ {union(branches)} }}"
