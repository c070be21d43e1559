"""A verdict as schema.org's ClaimReview, in JSON-LD, as search engines and fact-checking indexes read it.

Source: https://schema.org/ClaimReview, and what Google asks of one:
https://developers.google.com/search/docs/appearance/structured-data/factcheck
"""

import json
from typing import TYPE_CHECKING, Any

from wkgfc.claim import Veracity
from wkgfc.config import Settings
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.exports.links import web_address

if TYPE_CHECKING:
    from wkgfc.result import CheckResult

# From 1, false, to 5, true. "Not Enough Evidence" is on no such scale: any number would say something of the truth.
RATINGS: dict[Veracity, int | None] = {
    Veracity.SUPPORTED: 5,
    Veracity.REFUTED: 1,
    Veracity.CONFLICTING_EVIDENCE: 3,
    Veracity.NOT_ENOUGH_EVIDENCE: None,
}
WORST, BEST = 1, 5


def claim_review(result: "CheckResult", settings: Settings, *, url: str | None = None) -> dict[str, Any]:
    """The ClaimReview of a result.

    Args:
        result: a check that ended with a verdict.
        settings: ``publisher_name`` and ``publisher_url`` say who publishes it.
        url: the address of the page that the review stands on; by default the publisher's.

    Raises:
        BadInput: there is no verdict to publish, or ``url`` is no address of the web.
        NotConfigured: the publisher is not set.
    """
    if result.veracity is None:
        raise BadInput(f"there is no verdict to publish: {_why_none(result)}")
    publisher_url = web_address(settings.publisher_url)
    if not settings.publisher_name or publisher_url is None:
        raise NotConfigured("a ClaimReview names its publisher: set publisher_name, and publisher_url to an address")
    page = web_address(url) if url is not None else publisher_url
    if page is None:
        raise BadInput("the address of the review must begin with http:// or https://")
    publisher = {"@type": "Organization", "name": settings.publisher_name, "url": publisher_url}
    rating: dict[str, Any] = {"@type": "Rating", "alternateName": str(result.veracity)}
    value = RATINGS[result.veracity]
    if value is not None:
        rating |= {"ratingValue": value, "worstRating": WORST, "bestRating": BEST}
    rating["ratingExplanation"] = " ".join(sentence.text for sentence in result.justification)
    review = {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "url": page,
        "datePublished": result.checked_at.date().isoformat(),
        "inLanguage": "en",
        "claimReviewed": result.claim.text,
        "author": publisher,
        "publisher": publisher,
        "reviewRating": rating,
        "itemReviewed": _claim(result),
    }
    sources = dict.fromkeys(address for piece in result.evidence if piece.used and (address := web_address(piece.url)))
    if sources:
        review["citation"] = list(sources)
    return review


def claim_review_script(result: "CheckResult", settings: Settings, *, url: str | None = None) -> str:
    """The ClaimReview as JSON that can stand inside ``<script type="application/ld+json">``: nothing in it ends that.

    Raises:
        BadInput, NotConfigured: as ``claim_review``.
    """
    text = json.dumps(claim_review(result, settings, url=url), ensure_ascii=True, indent=2)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text + "\n"


def _claim(result: "CheckResult") -> dict[str, Any]:
    claim: dict[str, Any] = {"@type": "Claim", "text": result.claim.text, "inLanguage": result.claim.language}
    if result.claim.date is not None:
        claim["datePublished"] = result.claim.date.isoformat()
    if result.claim.speaker:
        claim["author"] = {"@type": "Person", "name": result.claim.speaker}
    return claim


def _why_none(result: "CheckResult") -> str:
    if result.stop_reason == "not_checkable":
        return result.checkability.reason or f"the claim is no statement but a {result.checkability.kind}"
    if result.stop_reason == "run_limit":
        return "the limit of the run was reached before the check began"
    return f"the check ended with an error: {result.errors[-1] if result.errors else 'no reason was kept'}"
