"""A small Action API of Wikidata's on loopback: ``wbsearchentities``, ``wbgetentities``, ``list=search``."""

import json
from asyncio import StreamWriter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from misbehaving import Behaviour, Seen, reply


@dataclass(frozen=True)
class Item:
    """An item of the test's Wikidata; texts by language. ``sitelinks`` is how many wikis have a page about it."""

    labels: Mapping[str, str] = field(default_factory=dict)
    descriptions: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sitelinks: int = 0


def action_api(items: Mapping[str, Item], redirects: Mapping[str, str] | None = None) -> Behaviour:
    """What ``api.php`` does with a request; ids that are neither an item nor redirected are missing."""

    async def behave(seen: Seen, writer: StreamWriter) -> bool:
        document = answer(seen.params, items, redirects or {})
        return await reply(json.dumps(document), "application/json; charset=utf-8")(seen, writer)

    return behave


def answer(params: Mapping[str, str], items: Mapping[str, Item], redirects: Mapping[str, str]) -> dict[str, Any]:
    """The document that the API answers with."""
    match params.get("action"):
        case "wbsearchentities":
            return {"searchinfo": {"search": params["search"]}, "search": _hits(params, items), "success": 1}
        case "wbgetentities":
            asked = params["ids"].split("|")
            if len(asked) > 50:
                return error("toomanyvalues", 'Too many values supplied for parameter "ids". The limit is 50.')
            languages = params["languages"].split("|")
            return {"entities": {each: _entity(each, items, redirects, languages) for each in asked}, "success": 1}
        case "query":
            words = params["srsearch"].split()
            titles = [each for each, item in items.items() if all(word in _text(item) for word in words)]
            return {"batchcomplete": True, "query": {"search": [{"ns": 0, "title": title} for title in titles]}}
    return error("badvalue", 'Unrecognized value for parameter "action".')


def error(code: str, info: str, **more: Any) -> dict[str, Any]:
    """An error as the API gives it, with a status of 200."""
    return {"error": {"code": code, "info": info, **more}, "servedby": "mw-api-ext.example"}


def _hits(params: Mapping[str, str], items: Mapping[str, Item]) -> list[dict[str, Any]]:
    sought, languages = params["search"].lower(), (params["language"], "mul", "en")
    hits = []
    for identifier, item in items.items():
        names = [(each, "label", item.labels[each]) for each in languages if each in item.labels]
        names += [(each, "alias", alias) for each in languages for alias in item.aliases.get(each, ())]
        met = next((name for name in names if name[2].lower().startswith(sought)), None)
        if met is not None:
            hits.append(
                {
                    "id": identifier,
                    "title": identifier,
                    "concepturi": f"http://www.wikidata.org/entity/{identifier}",
                    "url": f"//www.wikidata.org/wiki/{identifier}",
                    "label": names[0][2],
                    "match": {"type": met[1], "language": met[0], "text": met[2]},
                }
            )
    return hits[: int(params["limit"])]


def _entity(
    asked: str, items: Mapping[str, Item], redirects: Mapping[str, str], languages: list[str]
) -> dict[str, Any]:
    identifier = redirects.get(asked, asked)
    if identifier not in items:
        return {"id": asked, "missing": ""}
    item = items[identifier]
    body: dict[str, Any] = {
        "type": "item",
        "id": identifier,
        "labels": {each: {"language": each, "value": item.labels[each]} for each in languages if each in item.labels},
        "descriptions": {
            each: {"language": each, "value": item.descriptions[each]}
            for each in languages
            if each in item.descriptions
        },
        "aliases": {
            each: [{"language": each, "value": alias} for alias in item.aliases[each]]
            for each in languages
            if each in item.aliases
        },
        "sitelinks": {
            f"wiki{n}": {"site": f"wiki{n}", "title": identifier, "badges": []} for n in range(item.sitelinks)
        },
    }
    if identifier != asked:
        body["redirects"] = {"from": asked, "to": identifier}
    return {key: value if value != {} else [] for key, value in body.items()}  # PHP writes an empty map as a list


def _text(item: Item) -> str:
    texts = [*item.labels.values(), *item.descriptions.values(), *(a for each in item.aliases.values() for a in each)]
    return " ".join(texts).lower()
