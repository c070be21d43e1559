"""Choosing engines by name: what each needs, and what is said where it is missing."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopback_http import ScriptedHttp
from search_engines import NAMES, Page, body
from wkgfc.errors import NotConfigured
from wkgfc.state import Found
from wkgfc.web.providers.registry import PROVIDERS, is_provider, open_web

ENVIRONMENT = {
    "SERPER_API_KEY": "s3cret-serper",
    "BRAVE_API_KEY": "s3cret-brave",
    "TAVILY_API_KEY": "s3cret-tavily",
    "SEARXNG_URL": "http://localhost:8888",
    "GOOGLE_API_KEY": "s3cret-google",
    "GOOGLE_CX": "engine-id",
}
NOBODY = ScriptedHttp(lambda request: b"{}")


def test_every_engine_is_there() -> None:
    assert set(PROVIDERS) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
async def test_each_engine_needs_its_own_variables_alone(name: str) -> None:
    needed = {variable: ENVIRONMENT[variable] for variable in PROVIDERS[name].needs}
    http = ScriptedHttp(lambda request: body(name, "tower", [Page("https://example.org/1")]))
    search = open_web(name, http, needed)
    assert (search.name, search.version) == (name, "live")
    assert isinstance(await search.search("tower", 5), Found)


@pytest.mark.parametrize(
    ("choice", "environment", "said"),
    [
        ("serper", {}, "set SERPER_API_KEY, or choose --web embedded"),
        ("serper", {"SERPER_API_KEY": "  "}, "set SERPER_API_KEY, or choose --web embedded"),
        ("google", {"GOOGLE_API_KEY": "k"}, "set GOOGLE_CX, or choose --web embedded"),
        ("google", {}, "set GOOGLE_API_KEY and GOOGLE_CX, or choose --web embedded"),
        ("serper+brave", {"SERPER_API_KEY": "k"}, "set BRAVE_API_KEY, or choose --web embedded"),
        ("serper+brave", {}, "set SERPER_API_KEY and BRAVE_API_KEY, or choose --web embedded"),
    ],
)
def test_what_is_missing_is_named(choice: str, environment: dict[str, str], said: str) -> None:
    with pytest.raises(NotConfigured) as error:
        open_web(choice, NOBODY, environment)
    assert str(error.value) == said


@pytest.mark.parametrize("choice", ["bing", "serper+bing", "", "serper+", "SERPER"])
def test_an_unknown_name_lists_the_known_ones(choice: str) -> None:
    with pytest.raises(NotConfigured, match="choose of serper, brave, tavily"):
        open_web(choice, NOBODY, ENVIRONMENT)


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "clé", "\x00", "key\x1b[31m"])
def test_a_key_that_no_header_carries_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(NotConfigured, match="SERPER_API_KEY is no key") as error:
        open_web("serper", NOBODY, {"SERPER_API_KEY": key})
    assert key not in str(error.value)


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8888",
        "ftp://localhost",
        "http://",
        "http://user:pass@localhost",
        "http://[",
        "http://h:99999",
        "http://h?x",
    ],
)
def test_an_instance_must_have_a_usable_address(url: str) -> None:
    with pytest.raises(NotConfigured, match="SEARXNG_URL must be the address of an instance") as error:
        open_web("searxng", NOBODY, {"SEARXNG_URL": url})
    assert "pass" not in str(error.value)


async def test_several_are_one_search_and_others_may_be_among_them() -> None:
    http = ScriptedHttp(lambda request: body("brave", "tower", [Page("https://example.org/1")]))
    other = open_web("duckduckgo", http, {})
    search = open_web("brave+embedded+brave", http, ENVIRONMENT, others={"embedded": lambda: other})
    assert search.name == "brave+duckduckgo"
    assert isinstance(await search.search("tower", 5), Found)
    assert open_web("embedded", http, {}, others={"embedded": lambda: other}) is other


def test_a_choice_of_engines_is_told_from_a_path() -> None:
    assert is_provider("serper")
    assert is_provider("embedded+brave")
    assert not is_provider("embedded")
    assert not is_provider("/archive/serper.index")


@given(st.text(max_size=30))
def test_any_choice_is_made_or_refused(choice: str) -> None:
    with suppress(NotConfigured):
        assert open_web(choice, NOBODY, ENVIRONMENT).name
