"""DBpedia, live: triples of its ontology from its SPARQL endpoint, entities for a mention from its lookup service.

Sources: https://www.dbpedia.org/resources/sparql/ and https://www.dbpedia.org/resources/lookup/ ; the ontology,
https://dbpedia.org/ontology/
"""

import html
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Self

from wkgfc.evidence import Entity
from wkgfc.http import Http, Request, Unanswered
from wkgfc.kg.answers import SourceFailure, Unreadable, ask, host_of, items_at, mapping_at, read_json, whole
from wkgfc.kg.graph import Candidate
from wkgfc.kg.labels import MAX_LABEL, best_first, languages_of
from wkgfc.kg.names import grade
from wkgfc.kg.plain_rdf import PlainRdf
from wkgfc.kg.rdf_names import RdfNames
from wkgfc.kg.rdf_queries import NO_FACTS, Shape
from wkgfc.kg.rdf_values import entity_of
from wkgfc.kg.sparql import TIMEOUT_S, Endpoint
from wkgfc.kg.terms import is_iri
from wkgfc.kg.vocabulary import RDFS
from wkgfc.usage import count

ENDPOINT = "https://dbpedia.org/sparql"
LOOKUP = "https://lookup.dbpedia.org/api/search"

ONTOLOGY = "http://dbpedia.org/ontology/"
RESOURCE = "http://dbpedia.org/resource/"

_PAGES = ("ID", "RevisionID", "Length", "ExternalLink", "WikiLink", "WikiLinkText", "InterLanguageLink", "EditLink")
# Amounts of properties that stand above a class are in the base unit of their dimension, and their literals do not say
# it (https://mappings.dbpedia.org, "datatypes").
_BASE_UNITS = {
    "metre": ("height", "length", "width", "depth", "elevation", "diameter", "wingspan", "distance", "waterDepth"),
    "square metre": ("area", "areaTotal", "areaLand", "areaWater", "floorArea"),
    "cubic metre": ("volume",),
    "gram": ("mass", "weight"),
    "second": ("runtime", "duration", "orbitalPeriod"),
    "kelvin": ("temperature", "meanTemperature"),
}

SHAPE = Shape(
    namespaces=(ONTOLOGY,),
    hidden=(
        *NO_FACTS,
        *(ONTOLOGY + "wikiPage" + name for name in (*_PAGES, "Redirects", "Disambiguates", "Extracted", "Modified")),
        *(ONTOLOGY + name for name in ("abstract", "thumbnail", "description", "soundRecording")),
    ),
    types_in=ONTOLOGY,
    labels=(RDFS + "label",),
    aliases=(),
    descriptions=("http://purl.org/dc/terms/description", ONTOLOGY + "description"),
    redirects=(ONTOLOGY + "wikiPageRedirects",),
    disambiguates=(ONTOLOGY + "wikiPageDisambiguates",),
    units={ONTOLOGY + name: unit for unit, names in _BASE_UNITS.items() for name in names},
    has_year_zero=False,
)

_LEAST_HITS = 20
_MAX_HITS = 50
_HIGHLIGHT = re.compile(r"</?b>", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[a-z\d)]{2}[.!?])\s")
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)


def open_dbpedia(
    http: Http,
    *,
    endpoint: str = ENDPOINT,
    lookup: str | None = LOOKUP,
    language: str = "en",
    timeout_s: float = TIMEOUT_S,
) -> PlainRdf:
    """DBpedia with names in ``language``, and in English where it has none in that.

    Without a ``lookup``, names are asked of the endpoint too, and only whole ones are found.

    Raises:
        NotConfigured: an address is none.
    """
    service = Endpoint(http, endpoint, timeout_s=timeout_s)
    names = RdfNames(service, SHAPE, languages_of(language), any_case=False)
    return PlainRdf(service, LookupNames(http, lookup, names) if lookup else names, SHAPE, name="dbpedia")


class LookupNames:
    """Names by DBpedia's lookup service; what it does not find, and what ids are called, by SPARQL."""

    def __init__(self, http: Http, url: str, names: RdfNames) -> None:
        self.languages = names.languages
        self._http, self._url, self._names = http, url, names
        self._host = host_of(url)

    def in_language(self, language: str) -> Self:
        """The same, with ``language`` first. The lookup service knows English names alone."""
        return type(self)(self._http, self._url, self._names.in_language(language))

    async def search(self, mention: str, limit: int) -> list[Candidate]:
        """Entities whose label, or that of a page which redirects to them, meets ``mention``."""
        count("entity_searches")
        request = Request(
            url=self._url,
            kind="search",
            params={
                "query": " ".join(mention.split())[:MAX_LABEL],
                "maxResults": str(min(max(limit, _LEAST_HITS), _MAX_HITS)),
                "format": "JSON",
            },
            headers={"Accept": "application/json"},
            accepts=("application/json",),
        )
        outcome = await ask(self._http, request, lambda answer: _read_hits(answer.body))
        if isinstance(outcome, Unanswered):
            raise SourceFailure(outcome.reason)
        candidates: dict[str, Candidate] = {}
        for hit in outcome[0]:
            candidate = _candidate(mention, hit)
            if candidate is not None:
                candidates.setdefault(candidate.entity.id, candidate)
        if not candidates:
            return await self._names.search(mention, limit)
        return best_first(candidates.values(), limit)

    async def labelled(self, ids: Collection[str]) -> dict[str, Entity]:
        """The entities of these ids, with redirects followed."""
        return await self._names.labelled(ids)


def _read_hits(body: bytes) -> Sequence[Mapping[str, Any]]:
    """The documents that the service found.

    Raises:
        Unreadable: the body is no list of them, or none of them says what it is about.
    """
    document = read_json(body)
    if not isinstance(mapping_at(document).get("docs"), list):
        raise Unreadable("JSON that is no list of hits")
    hits = [hit for hit in items_at(document, "docs") if isinstance(hit, dict)]
    if items_at(document, "docs") and not any(_texts(hit, "resource") for hit in hits):
        raise Unreadable("hits without resources")
    return hits


def _candidate(mention: str, hit: Mapping[str, Any]) -> Candidate | None:
    """What a hit may mean; nothing where no name of it meets the mention, or it only lists namesakes."""
    resource = next(iter(_texts(hit, "resource")), "")
    if not resource.startswith(RESOURCE) or not is_iri(resource) or resource.endswith("_(disambiguation)"):
        return None
    label = next(iter(_texts(hit, "label")), None)
    entity = entity_of(resource, label, _description(hit))
    names = [(entity.label, False), *((name, True) for name in _texts(hit, "redirectlabel"))]
    name, match = max(
        ((name, grade(mention, name, is_alias=is_alias)) for name, is_alias in names), key=lambda pair: pair[1]
    )
    if not match:
        return None
    links = next((int(text) for text in _texts(hit, "refCount") if _NUMBER.fullmatch(text)), 0)
    return Candidate(entity=entity, matched=name, match=match, links=links)


def _description(hit: Mapping[str, Any]) -> str | None:
    """The first sentence about it, or what it is: the service has the beginning of the article."""
    comment = next(iter(_texts(hit, "comment", MAX_LABEL)), None)
    if comment:
        return _SENTENCE_END.split(comment, 1)[0]
    return next(iter(_texts(hit, "typeName")), None)


def _texts(hit: Mapping[str, Any], field: str, limit: int = MAX_LABEL) -> list[str]:
    """The texts of a field, without the marks of what was met. Each is a string, or an object with a ``value``."""
    values = hit.get(field)
    texts = []
    for value in values if isinstance(values, list) else [values]:
        text = value.get("value") if isinstance(value, dict) else value
        if isinstance(text, int):  # a count, in some of its formats
            text = str(min(abs(text), 10**9 - 1))
        if isinstance(text, str):
            clean = " ".join(html.unescape(_HIGHLIGHT.sub("", whole(text[: 4 * limit]))).split())[:limit]
            texts.extend([clean] if clean else [])
    return texts
