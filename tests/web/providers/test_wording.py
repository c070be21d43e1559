"""Queries as they are sent: cleaned, cut, with sites as operators as far as they fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.web.providers.wording import Syntax, cleaned, hosts_of, with_sites

GOOGLE = Syntax(max_characters=2_000, max_words=32, paths=True)
HOSTS_ALONE = Syntax(max_characters=400, max_words=32)
ONE_AT_A_TIME = Syntax(max_characters=400, max_words=32, alternatives=False)


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("  eiffel \n tower\u200b ", "eiffel tower"),
        ("a\x00b\ud800c", "abc"),
        ("", ""),
        ('"" () -', ""),
        ("one two three four", "one two"),
        ("x" * 50, "x" * 12),
    ],
)
def test_a_query_is_one_line_cut_at_a_word(query: str, line: str) -> None:
    assert cleaned(query, 12) == line


@pytest.mark.parametrize(
    ("allowed", "blocked", "syntax", "line"),
    [
        (["bbc.co.uk"], [], GOOGLE, "tower site:bbc.co.uk"),
        (["www.BBC.co.uk/news/"], [], GOOGLE, "tower site:bbc.co.uk/news"),
        (["bbc.co.uk/news"], [], HOSTS_ALONE, "tower site:bbc.co.uk"),
        (["a.org", "b.org", "a.org"], [], GOOGLE, "tower (site:a.org OR site:b.org)"),
        (["a.org", "b.org"], [], ONE_AT_A_TIME, "tower"),
        ([], ["a.org", "b.org/x"], GOOGLE, "tower -site:a.org -site:b.org/x"),
        ([], ["a.org", "b.org/x"], HOSTS_ALONE, "tower -site:a.org"),
        (["", "[bad", "a b.org"], ["()"], GOOGLE, "tower"),
        (["münchen.de"], [], GOOGLE, "tower site:xn--mnchen-3ya.de"),
        (["en.wikipedia.org/wiki/Café"], [], GOOGLE, "tower"),
        ([f"site{number}.org" for number in range(40)], [], GOOGLE, "tower"),  # all of them or none
    ],
)
def test_sites_are_operators(allowed: list[str], blocked: list[str], syntax: Syntax, line: str) -> None:
    assert with_sites("tower", allowed, blocked, syntax) == line


def test_hosts_are_given_once_and_whole_ones_apart() -> None:
    sites = ["www.a.org/x", "a.org", "b.org/y", "", "c.org"]
    assert hosts_of(sites, whole=False) == ["a.org", "b.org", "c.org"]
    assert hosts_of(sites, whole=True) == ["a.org", "c.org"]


@given(st.text(max_size=200), st.lists(st.text(max_size=30), max_size=5), st.lists(st.text(max_size=30), max_size=5))
def test_any_query_and_sites_keep_to_the_engines_limits(query: str, allowed: list[str], blocked: list[str]) -> None:
    line = with_sites(query, allowed, blocked, Syntax(max_characters=60, max_words=8, paths=True))
    assert len(line) <= 60
    assert len(line.split()) <= 8
    assert line.isprintable()
    line.encode()
