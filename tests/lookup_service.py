"""DBpedia in small: its lookup service on loopback in its own format, and a few triples of its endpoint."""

import json
from asyncio import StreamWriter
from collections.abc import Mapping, Sequence
from typing import Any

from misbehaving import Behaviour, Seen, reply

PREFIXES = {
    "dbr": "http://dbpedia.org/resource/",
    "dbo": "http://dbpedia.org/ontology/",
    "dt": "http://dbpedia.org/datatype/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "dct": "http://purl.org/dc/terms/",
    "ex": "http://example.org/",
}

GRAPH = """
dbr:Charlie_Chaplin rdfs:label "Charlie Chaplin"@en
dbr:Charlie_Chaplin rdfs:label "Charlot"@fr
dbr:Charlie_Chaplin dct:description "English comic actor"@en
dbr:Charlie_Chaplin rdf:type dbo:Person
dbr:Charlie_Chaplin rdf:type owl:Thing
dbr:Charlie_Chaplin dbo:birthDate "1889-04-16"^^xsd:date
dbr:Charlie_Chaplin dbo:birthPlace dbr:London
dbr:Charlie_Chaplin dbo:birthPlace dbr:Walworth
dbr:Charlie_Chaplin dbo:height "1.65"^^xsd:double
dbr:Charlie_Chaplin dbo:abstract "Sir Charles …"@en
dbr:Charlie_Chaplin dbo:wikiPageWikiLink dbr:Comedy
dbr:Charlie_Chaplin owl:sameAs ex:Q882
dbr:Charlie_Chaplin dbo:spouse dbr:Oona_Chaplin
dbr:Charlie_Chaplin dbo:birthName "Charles Spencer Chaplin"@en
dbr:Charlie_Chaplin dbo:birthName "Carolus"@la
dbr:Oona_Chaplin dbo:wikiPageRedirects dbr:Oona_ONeill
dbr:Oona_ONeill rdfs:label "Oona O'Neill"@en
dbr:Oona_ONeill dbo:spouse dbr:Charlie_Chaplin
dbr:The_Kid dbo:director dbr:Charlie_Chaplin
dbr:The_Kid rdfs:label "The Kid"@en
dbr:Modern_Times dbo:director dbr:Charlie_Chaplin
dbr:London rdfs:label "London"@en
dbr:London dbo:areaTotal "1572.0"^^dt:squareKilometre
dbr:London dbo:country dbr:United_Kingdom
dbr:United_Kingdom rdfs:label "United Kingdom"@en
dbr:United_Kingdom dbo:capital dbr:London
dbr:Chaplin rdfs:label "Chaplin"@en
dbr:Chaplin dbo:wikiPageDisambiguates dbr:Charlie_Chaplin
dbr:Chaplin dbo:wikiPageDisambiguates dbr:Oona_ONeill
dbr:Charles_Chaplin rdfs:label "Charles Chaplin"@en
dbr:Charles_Chaplin dbo:wikiPageRedirects dbr:Charlie_Chaplin
dbr:Julius_Caesar rdfs:label "Julius Caesar"@en
dbr:Julius_Caesar dbo:deathDate "-0044-03-15"^^xsd:date
dbo:birthPlace rdfs:label "birth place"@en
dbo:birthPlace rdfs:label "lieu de naissance"@fr
dbo:director rdfs:label "director"@en
"""


def n_triples(text: str) -> str:
    """Lines of ``subject predicate object`` with these prefixes, as N-Triples."""
    lines = (line.split(" ", 2) for line in text.strip().splitlines() if line.strip())
    return "".join(f"{_node(subject)} {_node(predicate)} {_node(value)} .\n" for subject, predicate, value in lines)


def _node(text: str) -> str:
    if text.startswith('"'):
        value, mark, datatype = text.rpartition("^^")
        return f"{value}^^{_node(datatype)}" if mark else text
    if text.startswith(("<", "_:")):
        return text
    prefix, _, name = text.partition(":")
    return f"<{PREFIXES[prefix]}{name}>"


def document(resource: str, label: str, **more: Sequence[str]) -> dict[str, Any]:
    """A hit as the service gives it: every field is a list of strings, and what was met is marked."""
    return {"score": ["9134.3"], "resource": [f"http://dbpedia.org/resource/{resource}"], "label": [label], **more}


def lookup(documents: Sequence[Mapping[str, Any]]) -> Behaviour:
    """What the service does: it gives the documents of which a label has the words of the query."""

    async def behave(seen: Seen, writer: StreamWriter) -> bool:
        words = seen.params["query"].lower().split()
        hits = [each for each in documents if all(word in json.dumps(each).lower() for word in words)]
        return await reply(json.dumps({"docs": hits[: int(seen.params["maxResults"])]}))(seen, writer)

    return behave
