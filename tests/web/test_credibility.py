"""How far a source can be relied on: a number, and the reasons that it is the sum of."""

import datetime as dt
import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.evidence import Passage, Source
from wkgfc.web import credibility as subject
from wkgfc.web.credibility import KINDS, credibility, kind_of_source
from wkgfc.web.domains import registrable_domain
from wkgfc.web.page import as_snippet

TEXT = "The bridge was opened in 1859."


def passage(url: str | None, text: str = TEXT, date: dt.date | None = None, text_id: str | None = None) -> Passage:
    return Passage(text=text, url=url, date=date, source=Source(name="serper", url=url, text_id=text_id))


def rows() -> list[list[str]]:
    table = files("wkgfc.web").joinpath("source_kinds.tsv").read_text(encoding="utf-8")
    return [row.split("\t") for row in table.splitlines() if not row.startswith("#")]


def test_the_table_is_of_domains_and_kinds_that_are_known() -> None:
    assert len(rows()) >= 200
    assert {kind for _, kind in rows()} == KINDS.keys() - {"unknown"}
    domains = [domain for domain, _ in rows()]
    assert len(set(domains)) == len(domains)
    assert all(re.fullmatch(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)*", domain) for domain in domains)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://www.ons.gov.uk/economy", "government"),
        ("https://council.town.gov/minutes", "government"),
        ("https://ec.europa.eu/eurostat", "international organisation"),
        ("https://www.cs.ox.ac.uk/", "university"),
        ("https://en.wikipedia.org/wiki/Bridge", "encyclopedia"),
        ("https://en.m.wikipedia.org/wiki/Bridge", "encyclopedia"),
        ("https://plato.stanford.edu/entries/bridge", "encyclopedia"),
        ("https://apnews.com/article/1", "news agency"),
        ("http://www.lemonde.fr/", "newspaper"),
        ("https://www.nature.com/articles/1", "scientific journal"),
        ("https://old.reddit.com/r/bridges", "forum or social network"),
        ("https://anna.blogspot.com/2020/01/x.html", "user blog or wiki"),
        ("https://www.theonion.com/x", "satire"),
        ("https://web.archive.org/web/20210504120000/https://www.bbc.co.uk/news/1", "broadcaster"),
        ("https://notbbc.co.uk/", "unknown"),
        ("https://bbc.co.uk.evil.example/", "unknown"),
        ("https://nature.com@evil.example/", "unknown"),
        ("https://127.0.0.1/gov.uk", "unknown"),
        ("nothing", "unknown"),
        ("", "unknown"),
        (None, "unknown"),
    ],
)
def test_a_kind_is_told_by_the_domain(url: str | None, kind: str) -> None:
    assert kind_of_source(url) == kind


def test_the_number_is_the_sum_of_its_reasons() -> None:
    found = credibility(
        passage("https://www.bbc.co.uk/news/1", date=dt.date(2021, 5, 3)),
        others=[passage("https://apnews.com/1"), passage("https://www.nytimes.com/1")],
        quote="opened in 1859",
    )
    assert found.reasons == (
        "broadcaster (+0.41)",
        "said by 2 others: apnews.com, nytimes.com (+0.15)",
        "the quotation stands in it (+0.10)",
        "dated 2021-05-03 (+0.10)",
        "https (+0.05)",
    )
    assert found.number == pytest.approx(0.812, abs=0.001)


def test_what_nobody_knows_has_a_number_too() -> None:
    found = credibility(passage(None))
    assert found.reasons == (
        "kind of source not known (+0.22)",
        "nobody else says so (+0.00)",
        "nothing quoted (+0.00)",
        "no date (+0.00)",
        "no https (+0.00)",
    )


def test_satire_counts_nothing() -> None:
    others = [passage("https://apnews.com/1")]
    assert credibility(passage("https://www.theonion.com/1"), others=others).number == 0.0


@pytest.mark.parametrize(
    "other",
    [
        passage("https://news.bbc.co.uk/2"),  # the same owner
        passage("https://copy.example/", text_id="https://www.bbc.co.uk/news/1"),  # the same text
        passage("https://web.archive.org/web/20210504120000/https://www.bbc.co.uk/news/2"),
        passage(None),
    ],
)
def test_the_same_again_is_no_independent_source(other: Passage) -> None:
    mine = passage("https://www.bbc.co.uk/news/1", text_id="https://www.bbc.co.uk/news/1")
    assert credibility(mine, others=[mine, other]).number == credibility(mine).number


def test_two_writers_on_one_platform_are_two() -> None:
    assert registrable_domain("https://anna.blogspot.com/1") != registrable_domain("https://bert.blogspot.com/1")
    assert registrable_domain("https://news.bbc.co.uk/1") == registrable_domain("http://bbc.co.uk") == "bbc.co.uk"
    assert registrable_domain("https://127.0.0.1/x") == "127.0.0.1"
    assert registrable_domain("nothing at all") is not None
    assert registrable_domain("") is None


def test_a_quotation_must_stand_in_the_page() -> None:
    mine = passage("https://a.example/1")

    def quoted(quote: str | None, passage: Passage = mine, page_text: str | None = None) -> str:
        return credibility(passage, quote=quote, page_text=page_text).reasons[2]

    assert quoted("opened in 1859").startswith("the quotation stands in it")
    assert quoted("opened in 1860").startswith("the quotation is not in it")
    assert quoted("closed in 1902", page_text=f"{TEXT} It was closed in 1902.").startswith("the quotation stands")
    assert quoted("opened in 1859", as_snippet(mine)).startswith("the page was not read")
    assert quoted(None).startswith("nothing quoted")


def test_the_shares_add_up() -> None:
    assert (
        pytest.approx(1.0)
    ) == subject.OF_KIND + subject.OF_INDEPENDENCE + subject.OF_QUOTE + subject.OF_DATE + subject.OF_HTTPS


@given(st.text(max_size=60), st.text(max_size=60), st.lists(st.text(max_size=40), max_size=4))
def test_any_source_has_a_number(url: str, quote: str, others: list[str]) -> None:
    found = credibility(passage(url), quote=quote, others=[passage(other) for other in others])
    assert 0 <= found.number <= 1
    assert found.reasons
