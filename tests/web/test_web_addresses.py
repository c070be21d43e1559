"""Copies of pages lead to the page, and two addresses of one page are equal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.web.addresses import canonical_address, original_address

PAGE = "https://www.snopes.com/fact-check/x/"


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        f"https://web.archive.org/web/20210225110220/{PAGE}",
        f"http://web.archive.org/web/20210225110220id_/{PAGE}",
        f"https://web.archive.org/web/{PAGE}",
        "https://web.archive.org/web/2021/https:/www.snopes.com/fact-check/x/",
        f"https://archive.ph/20210225110220/{PAGE}",
        f"https://archive.today/{PAGE}",
        "https://www.google.com/amp/s/www.snopes.com/fact-check/x/",
        "https://www.google.co.uk/amp/www.snopes.com/fact-check/x/",
        "https://www-snopes-com.cdn.ampproject.org/c/s/www.snopes.com/fact-check/x/",
        "https://www-snopes-com.translate.goog/fact-check/x/",
        f"https://web.archive.org/web/2021/https://web.archive.org/web/2020/{PAGE}",
    ],
)
def test_a_copy_leads_to_the_page(url: str) -> None:
    assert original_address(url) == PAGE


@pytest.mark.parametrize(
    "url",
    [
        "https://archive.org/details/snopes",
        "https://archive.ph/AbCdE",
        "https://www.google.com/search?q=https://www.snopes.com/",
        "https://example.org/?u=https://www.snopes.com/fact-check/x/",
        "https://translate.goog/",
    ],
)
def test_other_addresses_stay(url: str) -> None:
    assert original_address(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "https://bbc.co.uk/news/1",
        "http://www.BBC.co.uk/news/1/",
        "https://www.bbc.co.uk:443/news/1#top",
        "https://bbc.co.uk/news/1?utm_source=x&fbclid=y",
        "https://web.archive.org/web/2021/http://www.bbc.co.uk/news/1",
    ],
)
def test_addresses_of_one_page_are_equal(url: str) -> None:
    assert canonical_address(url) == "bbc.co.uk/news/1"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("https://a.org/x?id=1", "https://a.org/x?id=2"),
        ("https://a.org/x", "https://a.org/X"),
        ("https://a.org/x", "https://b.org/x"),
        ("https://a.org:8080/x", "https://a.org/x"),
        ("https://m.a.org/x", "https://a.org/x"),
    ],
)
def test_addresses_of_two_pages_are_not(first: str, second: str) -> None:
    assert canonical_address(first) != canonical_address(second)


def test_the_order_of_what_is_asked_makes_no_difference() -> None:
    assert canonical_address("https://a.org/x?b=2&a=1") == canonical_address("https://a.org/x?a=1&b=2")


@given(
    st.text(max_size=80), st.sampled_from(["", "https://", "https://web.archive.org/web/", "https://[", "http://a:b@"])
)
def test_any_text_is_an_address_or_stays_what_it_is(text: str, start: str) -> None:
    assert isinstance(original_address(start + text), str)
    assert isinstance(canonical_address(start + text), str)
