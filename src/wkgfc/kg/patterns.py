"""Pieces of which the queries in Wikidata's vocabulary are made: prefixes, nodes, filters, unions."""

from collections.abc import Sequence

from wkgfc.kg.vocabulary import entity_iri, is_property_id

PREFIXES = """\
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


def entity_term(entity_id: str) -> str:
    """An entity as a term.

    Raises:
        ValueError: it is no id.
    """
    return f"<{entity_iri(entity_id)}>"


def property_name(property_id: str) -> str:
    """A property as the end of a prefixed name.

    Raises:
        ValueError: it is no id of a property.
    """
    if not is_property_id(property_id):
        raise ValueError(f"no id of a property: {property_id[:80]!r}")
    return property_id


def begins(variable: str, namespace: str) -> str:
    """A filter for the IRIs of a namespace: what Wikidata makes of a property is told by the IRI alone.

    A graph may have facts and say nothing of its properties, as an extract of direct links does.
    """
    return f'FILTER(STRSTARTS(STR({variable}), "{namespace}"))'


def union(branches: Sequence[str]) -> str:
    """What one of the branches says."""
    return "{ " + " }\n  UNION { ".join(branches) + " }"
