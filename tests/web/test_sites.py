"""Sites as people write them, and the pages that belong to them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.web.sites import host_and_parents, host_and_path, is_on_site, turned_round


@pytest.mark.parametrize(
    ("site", "url", "belongs"),
    [
        ("bbc.co.uk", "https://www.bbc.co.uk/news/1", True),
        ("bbc.co.uk", "http://news.BBC.co.uk:8080/sport", True),
        ("www.bbc.co.uk", "https://news.bbc.co.uk/", True),
        ("https://bbc.co.uk/", "https://bbc.co.uk/a", True),
        ("bbc.co.uk", "https://notbbc.co.uk/", False),
        ("bbc.co.uk", "https://bbc.co.uk.example/", False),
        ("bbc.co.uk/news", "https://bbc.co.uk/news", True),
        ("bbc.co.uk/news/", "https://m.bbc.co.uk/news/uk-1?x=1", True),
        ("bbc.co.uk/news", "https://bbc.co.uk/newsround", False),
        ("bbc.co.uk/news", "https://bbc.co.uk/", False),
        ("gov", "https://www.census.gov/data", True),
        (".gov", "https://www.census.gov/data", True),
        ("münchen.de", "https://www.xn--mnchen-3ya.de/rathaus", True),
        ("en.wikipedia.org/wiki/Café", "https://en.wikipedia.org/wiki/Caf%C3%A9", True),
        ("bbc.co.uk", "file:///archive/bbc.co.uk/a.txt", False),
        ("bbc.co.uk", None, False),
        ("", "https://bbc.co.uk/", False),
    ],
)
def test_a_page_belongs_to_its_sites(site: str, url: str | None, belongs: bool) -> None:
    assert is_on_site(url, [site]) is belongs


def test_one_of_several_sites_is_enough() -> None:
    assert is_on_site("https://snopes.com/fact-check/x", ["politifact.com", "snopes.com"])
    assert not is_on_site("https://snopes.com/fact-check/x", [])


def test_an_address_turned_round_begins_with_its_most_general_part() -> None:
    assert (
        turned_round("https://en.wikipedia.org/wiki/Charlie_Chaplin?action=edit")
        == "org.wikipedia.en/wiki/Charlie_Chaplin"
    )
    assert host_and_parents("https://en.wikipedia.org/wiki/X") == ["en.wikipedia.org", "wikipedia.org", "org"]


@pytest.mark.parametrize(
    "address", ["", "   ", "/", "//", "http://", "http://[bad", "file:///etc/passwd", "https://\ud800.x"]
)
def test_what_has_no_host_is_on_no_site(address: str) -> None:
    assert host_and_path(address) is None
    assert host_and_parents(address) == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_compared(site: str, url: str) -> None:
    assert is_on_site(url, [site]) in (True, False)
    assert is_on_site("https://" + url, [site]) in (True, False)
