"""ClaimReview: what search engines ask of one, what the numbers mean, and what is not published."""

import json
from html.parser import HTMLParser

import pytest

from checked_results import checked
from wkgfc.claim import Veracity
from wkgfc.config import load_settings
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.exports.claim_review import claim_review, claim_review_script
from wkgfc.result import CheckResult

PUBLISHER = load_settings(publisher_name="The Desk", publisher_url="https://desk.example/")

# The properties of each type, its parents' included, of those that we write (https://schema.org/ClaimReview and so on).
VOCABULARY = {
    "ClaimReview": {"url", "datePublished", "inLanguage", "claimReviewed", "author", "publisher", "reviewRating",
                    "itemReviewed", "citation"},
    "Rating": {"ratingValue", "bestRating", "worstRating", "alternateName", "ratingExplanation"},
    "Claim": {"text", "inLanguage", "datePublished", "author"},
    "Organization": {"name", "url"},
    "Person": {"name"},
}  # fmt: skip


def assert_in_vocabulary(node: object) -> None:
    if isinstance(node, dict):
        names = {name for name in node if not name.startswith("@")}
        assert names <= VOCABULARY[node["@type"]]
        for value in node.values():
            assert_in_vocabulary(value)


def test_it_has_what_search_engines_require_and_only_words_of_the_vocabulary(result: CheckResult) -> None:
    review = claim_review(result, PUBLISHER, url="https://desk.example/checks/1")

    assert_in_vocabulary(review)
    assert review["@context"] == "https://schema.org"
    assert review["url"] == "https://desk.example/checks/1"
    assert review["claimReviewed"] == "Charlie Chaplin was born in 1890."
    assert review["author"] == {"@type": "Organization", "name": "The Desk", "url": "https://desk.example/"}
    assert review["datePublished"] == "2026-01-02"
    assert review["reviewRating"]["ratingValue"] == 1
    assert review["reviewRating"]["alternateName"] == "Refuted"
    assert review["itemReviewed"]["author"]["name"] == "A speaker"
    assert review["citation"] == ["https://example.org/chaplin"]


@pytest.mark.parametrize(
    ("veracity", "value"),
    [(Veracity.SUPPORTED, 5), (Veracity.CONFLICTING_EVIDENCE, 3), (Veracity.REFUTED, 1)],
)
def test_the_rating_is_on_a_scale_from_false_to_true(veracity: Veracity, value: int) -> None:
    rating = claim_review(checked("", None, veracity), PUBLISHER)["reviewRating"]

    assert (rating["ratingValue"], rating["worstRating"], rating["bestRating"]) == (value, 1, 5)


def test_not_enough_evidence_has_a_word_and_no_number() -> None:
    rating = claim_review(checked("", None, Veracity.NOT_ENOUGH_EVIDENCE), PUBLISHER)["reviewRating"]

    assert rating["alternateName"] == "Not Enough Evidence"
    assert "ratingValue" not in rating


def test_an_error_is_not_published() -> None:
    with pytest.raises(BadInput, match="ended with an error: S1: the model gave no answer"):
        claim_review(checked("", None, None), PUBLISHER)


def test_it_needs_a_publisher_and_an_address_of_the_web(result: CheckResult) -> None:
    with pytest.raises(NotConfigured, match="publisher_name"):
        claim_review(result, load_settings())
    with pytest.raises(NotConfigured, match="publisher_url"):
        claim_review(result, load_settings(publisher_name="X", publisher_url="javascript:alert(1)"))
    with pytest.raises(BadInput, match="http"):
        claim_review(result, PUBLISHER, url="file:///etc/passwd")


def test_inside_a_page_nothing_in_it_ends_the_script(hostile: CheckResult) -> None:
    script = claim_review_script(hostile, PUBLISHER)
    assert json.loads(script)["claimReviewed"] == hostile.claim.text
    assert "citation" not in json.loads(script)

    tags: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            tags.append(tag)

    Tags().feed(f'<script type="application/ld+json">{script}</script><p>')
    assert tags == ["script", "p"]
