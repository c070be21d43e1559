"""Wikidata's names through its Action API: entities for a mention, and what ids are called.

Sources: https://www.wikidata.org/w/api.php (modules ``wbsearchentities``, ``wbgetentities``, ``query``); for manners,
https://www.mediawiki.org/wiki/API:Etiquette and https://www.mediawiki.org/wiki/Manual:Maxlag_parameter
"""

import asyncio
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from wkgfc.claim import visible_text
from wkgfc.evidence import Entity
from wkgfc.http import Answer, Http, Kind, Request, Unanswered
from wkgfc.kg.answers import SourceFailure, Unreadable, ask, host_of, items_at, mapping_at, read_json, text_at
from wkgfc.kg.graph import Candidate
from wkgfc.kg.labels import LANGUAGES, MAX_LABEL, best_first, languages_of
from wkgfc.kg.names import MATCH_TAIL, MAX_PARTIAL, entity_url, grade
from wkgfc.kg.vocabulary import PAGE_LABELS, is_entity_id
from wkgfc.usage import count

T = TypeVar("T")

MAXLAG_S = 5  # Manual:Maxlag_parameter: the server refuses work while its copies are further behind than this
IDS_A_CALL = 50  # wbgetentities, for clients without special rights
HITS_A_CALL = 50  # wbsearchentities
MAX_ITEM = 2_147_483_647  # larger numbers are no ids, and one of them makes a whole call fail

# Codes with a subtag that Wikidata has texts in (MediaWiki's ``Names.php``); it refuses any other, "de-de" with them.
_WIKIMEDIA_CODES = frozenset(
    [
        "be-tarask", "bat-smg", "cbk-zam", "crh-cyrl", "crh-latn", "de-at", "de-ch", "en-ca", "en-gb", "es-419",
        "fiu-vro", "gan-hans", "gan-hant", "kk-arab", "kk-cyrl", "kk-latn", "ku-arab", "ku-latn", "map-bms", "nds-nl",
        "pt-br", "roa-tara", "shi-latn", "sr-ec", "sr-el", "tg-cyrl", "tg-latn", "ug-arab", "ug-latn", "uz-cyrl",
        "uz-latn", "zh-classical", "zh-cn", "zh-hans", "zh-hant", "zh-hk", "zh-min-nan", "zh-mo", "zh-my", "zh-sg",
        "zh-tw", "zh-yue",
    ]
)  # fmt: skip
_LEAST_HITS = 20
_ANOTHER_QUESTION = "the answer to another question"
_MAX_BYTES = 16_000_000  # fifty items with some hundred sitelinks each are one or two
_WORD = re.compile(r"\w+")
# Wikidata describes its pages that are no entities of the world in these words, set by programs.
_PAGE = re.compile(
    r"Wikimedia (?:[a-z-]+ )*(?:disambiguation page|category|list|list article|template|module|portal|project page)\b"
)


@dataclass(frozen=True)
class _Item:
    """What one look-up tells of an item. ``sitelinks`` counts the wikis that have a page about it."""

    entity: Entity
    aliases: tuple[str, ...]
    sitelinks: int
    is_page: bool

    @property
    def links(self) -> int:
        """The popularity that linking weighs, on the scale of statements: 22,500 for what 300 wikis write about.

        Statements grow faster than sitelinks, about with their square; the best known items have some 300.
        """
        return self.sitelinks**2 // 4


class ApiNames:
    """Names by the Action API, in the preferred of ``languages`` that has one.

    ``languages`` are Wikimedia's codes: a tag is cut to one that there is, ``de-DE`` to ``de``, ``zh-Hant-TW`` to
    ``zh-hant``.
    """

    def __init__(self, http: Http, url: str, headers: Mapping[str, str], languages: Sequence[str] = LANGUAGES) -> None:
        """``url`` is that of ``api.php``; ``headers`` go with each request.

        Raises:
            NotConfigured: ``url`` is no http or https URL.
        """
        self.languages = tuple(dict.fromkeys(map(_wikimedia_code, languages)))
        self._http, self._url, self._headers = http, url, dict(headers)
        self._host = host_of(url)

    def in_language(self, language: str) -> Self:
        """The same, with ``language`` first."""
        return type(self)(self._http, self._url, self._headers, languages_of(language))

    async def search(self, mention: str, limit: int) -> list[Candidate]:
        """Entities whose label or alias begins with ``mention``; where there are none, what the full text finds."""
        met: dict[str, tuple[str, bool]] = {}
        for language in dict.fromkeys((self.languages[0], "en")):
            met = await self._by_prefix(mention, language, min(max(limit, _LEAST_HITS), HITS_A_CALL))
            if met:
                break
        ids = list(met) or await self._by_full_text(mention)
        known = await self._items(ids)
        candidates = [
            Candidate(entity=item.entity, matched=name, match=match, links=item.links, is_page=item.is_page)
            for each in dict.fromkeys(ids)
            if (item := known.get(each)) is not None
            for name, match in [_best_name(mention, item, met.get(each))]
            if match > 0
        ]
        whole = [each for each in candidates if _is_whole(each)]
        parts = best_first((each for each in candidates if not _is_whole(each)), MAX_PARTIAL)
        unique = {each.entity.id: each for each in reversed([*whole, *parts])}  # a redirect and its target are one
        return best_first(unique.values(), limit)

    async def labelled(self, ids: Collection[str]) -> dict[str, Entity]:
        """The entities of these ids. Deleted ones and those that no language names are left out."""
        known = await self._items(ids)
        return {each: item.entity for each, item in known.items() if item.entity.label != item.entity.id}

    async def _by_prefix(self, mention: str, language: str, limit: int) -> dict[str, tuple[str, bool]]:
        """The items found, each with the name that was met and whether it is an alias."""

        def read(document: Mapping[str, Any]) -> dict[str, tuple[str, bool]]:
            met: dict[str, tuple[str, bool]] = {}
            for identifier, hit in _items_named(document, ("search",), "id"):
                name = text_at(hit, "match", "text") or text_at(hit, "label") or identifier
                met.setdefault(identifier, (name[:MAX_LABEL], text_at(hit, "match", "type") == "alias"))
            return met

        params = {
            "action": "wbsearchentities",
            "search": " ".join(mention.split())[:MAX_LABEL],
            "language": language,
            "uselang": language,
            "type": "item",
            "limit": str(limit),
        }
        return await self._ask("search", params, read)

    async def _by_full_text(self, mention: str) -> list[str]:
        """The items whose text has the words of the mention. Only words are sent: the search has operators."""
        words = " ".join(_WORD.findall(mention.lower()))
        if not words:
            return []
        params = {
            "action": "query",
            "list": "search",
            "srsearch": words[:250],
            "srnamespace": "0",
            "srlimit": str(_LEAST_HITS),
            "srinfo": "",
            "srprop": "",
        }
        found = await self._ask("search", params, lambda body: _items_named(body, ("query", "search"), "title"))
        return [identifier for identifier, _ in found]

    async def _items(self, ids: Collection[str]) -> dict[str, _Item]:
        """What is known of these ids, ``IDS_A_CALL`` a call. Deleted ones are left out.

        A redirected id has the item that it leads to. Ids of which an answer says nothing, as one that was too large
        does, are asked for again; where that brings nothing either, the source has failed.
        """
        wanted = [each for each in dict.fromkeys(ids) if _is_item(each)]
        parts = [wanted[start : start + IDS_A_CALL] for start in range(0, len(wanted), IDS_A_CALL)]
        known: dict[str, _Item] = {}
        for found in await asyncio.gather(*(self._part(part) for part in parts)):
            known.update(found)
        return known

    async def _part(self, ids: Sequence[str]) -> dict[str, _Item]:
        known: dict[str, _Item] = {}
        left = list(ids)

        def read(document: Mapping[str, Any]) -> dict[str, _Item | None]:
            if not isinstance(document.get("entities"), (dict, list)):
                raise Unreadable(_ANOTHER_QUESTION)
            told = {each: item for each, item in _told(document, self.languages).items() if each in left}
            if not told:
                raise Unreadable(f"nothing of {len(left)} items that it was asked for")
            return told

        while left:
            params = {
                "action": "wbgetentities",
                "ids": "|".join(left),
                "props": "labels|descriptions|aliases|sitelinks",
                "languages": "|".join(self.languages),
                "redirects": "yes",
            }
            told = await self._ask("entity", params, read)
            known.update({each: item for each, item in told.items() if item is not None})
            left = [each for each in left if each not in told]
        return known

    async def _ask(self, kind: Kind, params: Mapping[str, str], read: Callable[[Mapping[str, Any]], T]) -> T:
        """One call. An error comes with a status of 200, and is one all the same; so is what ``read`` refuses."""
        count("entity_searches")

        def read_answer(answer: Answer) -> T:
            document = read_json(answer.body)
            if not isinstance(document, dict):
                raise Unreadable("JSON that is no answer")
            if (said := _error(document)) is not None:
                raise Unreadable(said)
            return read(document)

        request = Request(
            url=self._url,
            kind=kind,
            params={**params, "format": "json", "formatversion": "2", "maxlag": str(MAXLAG_S)},
            headers=self._headers,
            accepts=("application/json",),
            max_bytes=_MAX_BYTES,
        )
        outcome = await ask(self._http, request, read_answer)
        if isinstance(outcome, Unanswered):
            raise SourceFailure(outcome.reason)
        return outcome[0]


def _wikimedia_code(tag: str) -> str:
    code = tag.lower()
    while "-" in code and code not in _WIKIMEDIA_CODES:
        code = code.rpartition("-")[0]
    return code


def _items_named(document: Mapping[str, Any], path: Sequence[str], field: str) -> list[tuple[str, Any]]:
    """The hits at ``path`` that have the id of an item as their ``field``, with it.

    Raises:
        Unreadable: there is no list of hits, or none of them has one.
    """
    *way, last = path
    if not isinstance(mapping_at(document, *way).get(last), list):
        raise Unreadable(_ANOTHER_QUESTION)
    hits = items_at(document, *path)
    named = [(identifier, hit) for hit in hits if (identifier := text_at(hit, field)) and _is_item(identifier)]
    if hits and not named:
        raise Unreadable("hits without ids")
    return named


def _is_item(identifier: str) -> bool:
    return identifier.startswith("Q") and is_entity_id(identifier) and int(identifier[1:]) <= MAX_ITEM


def _is_whole(candidate: Candidate) -> bool:
    return candidate.match > MATCH_TAIL


def _best_name(mention: str, item: _Item, met: tuple[str, bool] | None) -> tuple[str, float]:
    """The name by which a mention meets an item, and how."""
    names = [(item.entity.label, False), *((alias, True) for alias in item.aliases)]
    if met is not None:
        names.insert(0, met)
    graded = [(name, grade(mention, name, is_alias=is_alias)) for name, is_alias in names]
    return max(graded, key=lambda pair: pair[1])  # of equal ones the first


def _told(answer: Mapping[str, Any], languages: Sequence[str]) -> dict[str, _Item | None]:
    """What an answer says of each id: an item, or that there is none."""
    entities = answer.get("entities")
    found = (
        list(entities.items()) if isinstance(entities, dict) else [("", each) for each in items_at(answer, "entities")]
    )
    told: dict[str, _Item | None] = {}
    for key, body in found:
        if not isinstance(body, dict):
            continue
        identifier = text_at(body, "id") or key
        origin = text_at(body, "redirects", "from")
        is_missing = body.get("missing", False) is not False  # "" in the older format, true in the newer one
        item = _item(identifier, body, languages) if _is_item(identifier) and not is_missing else None
        told.update({each: item for each in (key, identifier, origin) if each})
    return told


def _item(identifier: str, body: Mapping[str, Any], languages: Sequence[str]) -> _Item:
    labels = {each: text for each in languages if (text := text_at(body, "labels", each, "value"))}
    descriptions = {each: text for each in languages if (text := text_at(body, "descriptions", each, "value"))}
    label = next(iter(labels.values()), identifier)[:MAX_LABEL]
    aliases = [
        text[:MAX_LABEL]
        for each in languages
        for alias in items_at(body, "aliases", each)
        if (text := text_at(alias, "value"))
    ]
    description = next(iter(descriptions.values()), None)
    return _Item(
        entity=Entity(
            id=identifier,
            label=label,
            description=description[:MAX_LABEL] if description else None,
            url=entity_url(identifier),
        ),
        aliases=tuple(dict.fromkeys((*(text[:MAX_LABEL] for text in labels.values()), *aliases))),
        sitelinks=min(len(mapping_at(body, "sitelinks")), 1_000),
        is_page=label.startswith(PAGE_LABELS) or bool(_PAGE.match(descriptions.get("en", ""))),
    )


def _error(document: Mapping[str, Any]) -> str | None:
    """What is wrong, where the answer is an error: its code and what the service says about it, in one line."""
    for error in (document.get("error"), *items_at(document, "errors")):
        if error is not None:
            code, said = text_at(error, "code") or "unknown", text_at(error, "info") or text_at(error, "text") or ""
            about = " ".join(visible_text(said).split())[:200]
            return f"an error: {visible_text(code)[:60]}" + (f" ({about})" if about else "")
    return None
