"""A query that asks for too much is asked once more in plainer words."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from loopback_http import ScriptedHttp
from search_engines import Page, around, body, make
from wkgfc.http import Request
from wkgfc.state import Failed, Found, Nothing
from wkgfc.usage import metered
from wkgfc.web.simplify import MOST_WORDS, Simplifying, simplified


@pytest.mark.parametrize(
    ("query", "plainer"),
    [
        ('"Eiffel Tower" height', "Eiffel Tower height"),
        ("“Eiffel Tower” «height»", "Eiffel Tower height"),
        ("eiffel tower site:gouv.fr", "eiffel tower"),
        ("eiffel tower -site:snopes.com -replica", "eiffel tower"),
        ('eiffel -"las vegas" tower', "eiffel tower"),
        ("(eiffel OR tour) AND height", "eiffel tour height"),
        ('intitle:"the tower" eiffel filetype:pdf before:2020-01-01', "eiffel"),
        ("eiffel +tower ~height *", "eiffel tower height"),
        ("temperature of -40 degrees", None),
        ("well-known state-of-the-art tower", None),
        ("Who built the Eiffel Tower?", None),
        ("eiffel tower, height", None),
        ("eiffel tower", None),
        ('"" -x site:y', None),
        ("", None),
        (
            "the minister said in a long speech that the Eiffel Tower of Paris had been sold in 1925 to a scrap dealer "
            "by a man who called himself a count",
            "minister said speech Eiffel Tower Paris 1925 scrap dealer called himself count",
        ),
    ],
)
def test_what_constrains_is_taken_out(query: str, plainer: str | None) -> None:
    assert simplified(query) == plainer


@example('"0"0')
@given(st.text(max_size=200))
def test_any_query_becomes_a_shorter_one_or_none(query: str) -> None:
    plainer = simplified(query)
    if plainer is not None:
        assert 0 < len(plainer.split()) <= MOST_WORDS
        assert not set(plainer) & set('"“”()')


def asked(http: ScriptedHttp) -> list[str]:
    return [request.json_body["q"] for request in http.sent]


def engine_that_finds(words: str) -> ScriptedHttp:
    """Serper, where only one query brings something."""

    def answer(request: Request) -> bytes:
        query = request.json_body["q"]
        return body("serper", query, [Page("https://example.org/1")] if query == words else [])

    return ScriptedHttp(answer)


async def test_nothing_is_asked_once_more_and_counted() -> None:
    http = engine_that_finds("Eiffel Tower height")
    search = Simplifying(make("serper", http, "https://engine.example"))
    with metered() as meter:
        assert isinstance(await search.search('"Eiffel Tower" height', 5), Found)
    assert asked(http) == ['"Eiffel Tower" height', "Eiffel Tower height"]
    assert meter.total.web_searches == 2
    assert (search.name, search.version) == ("serper", "live")


async def test_it_is_asked_once_more_and_not_again() -> None:
    http = engine_that_finds("something else")
    assert await Simplifying(make("serper", http, "https://e.example")).search('"Eiffel Tower"', 5) == Nothing()
    assert len(http.sent) == 2


@pytest.mark.parametrize("query", ['"Eiffel Tower"', "eiffel tower"])
async def test_what_was_found_or_failed_or_is_plain_is_not_asked_again(query: str) -> None:
    found = ScriptedHttp(lambda request: body("serper", request.json_body["q"], [Page("https://example.org/1")]))
    assert isinstance(await Simplifying(make("serper", found, "https://e.example")).search(query, 5), Found)
    failed = ScriptedHttp(lambda request: b"<html>")
    assert isinstance(await Simplifying(make("serper", failed, "https://e.example")).search(query, 5), Failed)
    nothing = engine_that_finds("something else")
    await Simplifying(make("serper", nothing, "https://e.example")).search("eiffel tower", 5)
    assert [len(http.sent) for http in (found, failed, nothing)] == [1, 1, 1]


async def test_where_asking_again_failed_nothing_is_not_known() -> None:
    import json

    answers = iter([json.dumps(around("serper", "Eiffel Tower", [])).encode(), b"<html>"])
    http = ScriptedHttp(lambda request: next(answers))
    assert isinstance(await Simplifying(make("serper", http, "https://e.example")).search('"Eiffel Tower"', 5), Failed)
