"""The list of fact-checking sites, and the pages that belong to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.web.fact_checkers import fact_checking_sites, is_fact_check
from wkgfc.web.sites import host_and_path, is_on_site


def test_the_list_is_whole() -> None:
    sites = fact_checking_sites()
    assert len(sites) >= 300
    assert len(set(sites)) == len(sites)
    for site in sites:
        found = host_and_path(site)
        assert found is not None, site
        assert "." in found[0], site
        assert site == found[0] + found[1], (
            site
        )  # as it would be written again: no scheme, no www., no slash at the end
    for known in (
        "politifact.com",
        "snopes.com",
        "factcheck.org",
        "fullfact.org",
        "factcheck.afp.com",
        "africacheck.org",
    ):
        assert known in sites


@pytest.mark.parametrize(
    "url",
    [
        "https://www.politifact.com/factchecks/2019/nov/01/x/",
        "https://snopes.com/news/2020/01/01/x",
        "https://hindi.boomlive.in/x",
        "https://english.factcrescendo.com/x",
        "https://www.reuters.com/fact-check/x/",
        "https://www.reuters.com/article/uk-factcheck-biden-photo/fact-check-photo-idUSKBN27T2ZC",
        "https://apnews.com/APFactCheck",
        "https://apnews.com/ap-fact-check",
        "https://eu.usatoday.com/story/news/factcheck/2020/10/01/fact-check-x/1/",
        "https://www.washingtonpost.com/news/fact-checker/wp/2018/x",
        "https://www.bbc.co.uk/news/reality_check",
        "https://www.dw.com/en/fact-check-x/a-1",
        "https://www.newsmobile.in/articles/2020/10/01/fact-check-x/",
        "https://www.tagesschau.de/faktenfinder/x-101.html",
        "https://web.archive.org/web/20210225110220/https://www.vishvasnews.com/english/viral/x/",
        "https://www.google.com/amp/s/www.snopes.com/x",
        "https://www-politifact-com.translate.goog/x",
    ],
)
def test_pages_of_fact_checkers(url: str) -> None:
    assert is_fact_check(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://www.reuters.com/world/us/x",
        "https://apnews.com/article/x",
        "https://www.usatoday.com/story/news/politics/2020/10/01/x/1/",
        "https://www.washingtonpost.com/politics/2020/10/14/x/",
        "https://www.bbc.co.uk/news/1",
        "https://correctiv.org/aktuelles/x",
        "https://notsnopes.com/x",
        "https://snopes.com.example/x",
        "https://factsanddetails.com/x",
        "https://example.org/artifact-checking-out/",
        "https://example.org/?q=fact-check",
        "file:///archive/snopes.com/x.txt",
        "",
        None,
    ],
)
def test_other_pages(url: str | None) -> None:
    assert not is_fact_check(url)


@given(st.sampled_from(fact_checking_sites()), st.sampled_from(["", "/", "/x", "/2020/x?y=1"]))
def test_every_site_of_the_list_is_one(site: str, rest: str) -> None:
    assert is_fact_check(f"https://www.{site}{rest}")
    assert is_on_site(f"https://{site}{rest}", fact_checking_sites())


@given(st.text(max_size=80))
def test_any_text_is_looked_at(url: str) -> None:
    assert is_fact_check(url) in (True, False)
    assert is_fact_check("https://" + url) in (True, False)
