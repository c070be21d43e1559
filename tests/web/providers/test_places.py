"""The country of the settings and the language of the claim: what each engine is told of them in its own words."""

from collections.abc import Mapping
from typing import Any

import pytest

from loopback_http import ScriptedHttp
from search_engines import Page, body
from wkgfc.config import load_settings
from wkgfc.errors import NotConfigured
from wkgfc.http import Request
from wkgfc.web.providers.registry import PROVIDERS, open_web
from wkgfc.web.search import searching_in

QUERY = "eiffel tower height"
KEYS = {
    "SERPER_API_KEY": "key-key-key",
    "BRAVE_API_KEY": "key-key-key",
    "TAVILY_API_KEY": "key-key-key",
    "GOOGLE_API_KEY": "key-key-key",
    "GOOGLE_CX": "engine",
    "SEARXNG_URL": "http://localhost:8888",
}
WISHES = {"gl", "hl", "lr", "country", "search_lang", "language", "kl"}


async def told(name: str, language: str, country: str | None) -> Mapping[str, Any]:
    """What of a request to an engine is about places and languages."""
    page = Page("https://example.org/tower", "Eiffel Tower", "330 metres.")
    http = ScriptedHttp(lambda _: body(name, QUERY, [page]))
    settings = load_settings(country=country)
    with searching_in(language):
        await open_web(name, http, {**KEYS, **settings.environment()}).search(QUERY, 5)
    (request,) = http.sent
    return {key: value for key, value in _sent(request).items() if key in WISHES}


def _sent(request: Request) -> Mapping[str, Any]:
    return {**request.params, **(request.form or {}), **(request.json_body or {})}


@pytest.mark.parametrize(
    ("name", "language", "country", "expected"),
    [
        ("serper", "en", None, {"hl": "en"}),
        ("serper", "de-AT", "at", {"hl": "de", "gl": "at"}),
        ("serper", "en", "GB", {"hl": "en", "gl": "uk"}),
        ("google", "en", "us", {"hl": "en", "gl": "us"}),
        ("google", "fr", None, {"hl": "fr", "lr": "lang_fr"}),
        ("google", "he", "il", {"hl": "he", "gl": "il", "lr": "lang_iw"}),
        ("google", "ga", "ie", {"hl": "ga", "gl": "ie"}),  # Google cannot tell Irish pages
        ("brave", "en", None, {"search_lang": "en"}),
        ("brave", "ja", "jp", {"search_lang": "jp", "country": "JP"}),
        ("brave", "ga", "ie", {}),  # it knows neither, and would refuse the search
        ("tavily", "de", None, {}),
        ("tavily", "de", "ch", {"country": "switzerland"}),
        ("tavily", "en", "NZ", {"country": "new zealand"}),
        ("tavily", "en", "zz", {}),
        ("searxng", "fr", None, {"language": "fr"}),
        ("searxng", "fr", "be", {"language": "fr-BE"}),
        ("duckduckgo", "fr", None, {"kl": "wt-wt"}),
        ("duckduckgo", "fr", "be", {"kl": "be-fr"}),
        ("duckduckgo", "de", "be", {"kl": "wt-wt"}),  # Belgium has two regions, and neither is meant
        ("duckduckgo", "ar", "fr", {"kl": "fr-fr"}),
        ("duckduckgo", "en", "gb", {"kl": "uk-en"}),
        ("duckduckgo", "ja", "jp", {"kl": "jp-jp"}),
        ("duckduckgo", "zh", "tw", {"kl": "tw-tzh"}),
        ("duckduckgo", "sw", "ke", {"kl": "wt-wt"}),
    ],
)
async def test_each_engine_is_told_in_its_own_words(
    name: str, language: str, country: str | None, expected: dict[str, str]
) -> None:
    assert await told(name, language, country) == expected


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("language", ["", "x", "nonsense", "en\r\nHost: evil", "zz-ZZ"])
async def test_no_language_hinders_a_search(name: str, language: str) -> None:
    assert set(await told(name, language, "us")) <= WISHES


@pytest.mark.parametrize("country", ["", "u", "usa", "u1", "u\n", "&x"])
def test_a_country_is_two_letters(country: str) -> None:
    with pytest.raises(NotConfigured, match="country"):
        load_settings(country=country)
