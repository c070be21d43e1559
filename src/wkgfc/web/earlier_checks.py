"""What fact-checkers have said of a claim before: looked up beside a check, shown beside its verdict, never evidence.

Source: Google's Fact Check Tools API, claims:search
(https://developers.google.com/fact-check/tools/api/reference/rest/v1alpha1/claims/search).
"""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pydantic import SecretStr

from wkgfc.claim import Claim
from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.http import Answer, Http, Request, Unanswered
from wkgfc.http.deadline import deadline
from wkgfc.result import CheckResult, EarlierCheck
from wkgfc.state import Failed, Found, Retrieved, found
from wkgfc.usage import Usage
from wkgfc.web.iso_dates import published
from wkgfc.web.providers.answers import inside, read_object, read_rows, read_text, read_url
from wkgfc.web.providers.refusals import refused

URL = "https://factchecktools.googleapis.com/v1alpha1/claims:search"
KEY = "GOOGLE_FACTCHECK_API_KEY"
NAME = "google-factcheck"
SHOWN = 5  # checks of others beside one verdict
PAGE = 10  # claims of an answer; each may have several reviews
MOST_REVIEWS = 10  # of one claim that are read
MAX_QUERY_CHARACTERS = 500
TIMEOUT_S = 15.0  # a verdict does not wait longer for what stands beside it

_FIELDS = ("claims", "nextPageToken")


class GoogleFactCheck:
    """Reviews with ClaimReview markup, which publishers all over the world put on their pages.

    Needs ``GOOGLE_FACTCHECK_API_KEY``: a key of a Google Cloud project with the Fact Check Tools API turned on.
    """

    def __init__(self, http: Http, key: SecretStr, *, url: str = URL) -> None:
        self._http, self._key, self._url = http, key, url

    async def search(self, claim: Claim, limit: int = SHOWN) -> Retrieved[EarlierCheck]:
        """Earlier checks of claims like this one, in its language, the likest first as Google sees it."""
        request = Request(
            url=self._url,
            kind="search",
            params={
                "query": claim.text[:MAX_QUERY_CHARACTERS],
                "languageCode": claim.language,
                "pageSize": str(PAGE),
            },
            secret_params={"key": self._key},
            accepts=("application/json",),
            timeout_s=TIMEOUT_S,
        )

        def fault(answer: Answer) -> str | None:
            wrong = _read(answer.body)
            return wrong if isinstance(wrong, str) else None

        answer = await self._http.send(replace(request, fault=fault))
        if isinstance(answer, Unanswered):
            return refused(NAME, answer, key=KEY)
        checks = _read(answer.body)
        return Failed(f"{NAME} sent {checks}") if isinstance(checks, str) else found(checks[:limit])


def open_lookup(settings: Settings, http: Http) -> GoogleFactCheck | None:
    """The look-up that the settings ask for; none in a benchmark, where nobody else's verdict may be seen.

    Raises:
        NotConfigured: there is no key.
    """
    if not settings.earlier_checks or settings.benchmark:
        return None
    if settings.google_factcheck_api_key is None:
        raise NotConfigured(f"set {KEY}, or leave --earlier-checks out")
    return GoogleFactCheck(http, settings.google_factcheck_api_key)


async def with_earlier_checks(result: CheckResult, lookup: GoogleFactCheck) -> CheckResult:
    """The result with what others have said of its claim. A look-up that failed is among its errors."""
    with deadline(TIMEOUT_S):
        answer = await lookup.search(result.claim)
    usage = result.usage + Usage(web_searches=1)
    if isinstance(answer, Failed):
        return result.model_copy(
            update={"usage": usage, "errors": (*result.errors, f"earlier checks: {answer.reason}")}
        )
    checks = tuple(answer.items) if isinstance(answer, Found) else ()
    return result.model_copy(update={"usage": usage, "earlier_checks": checks})


def _read(body: bytes) -> Sequence[EarlierCheck] | str:
    """The reviews of an answer in its order, each page once, or what is wrong with the answer."""
    content = read_object(body, _FIELDS)
    if isinstance(content, str):
        return content
    claims = read_rows(content.get("claims"))
    if isinstance(claims, str):
        return claims
    by_url: dict[str, EarlierCheck] = {}
    for claim in claims:
        for check in _reviews(claim):
            by_url.setdefault(check.url, check)
    if claims and not by_url:
        return f"claims of another form (none of {len(claims)} can be read)"
    return list(by_url.values())


def _reviews(claim: object) -> Iterator[EarlierCheck]:
    reviews = inside(claim, "claimReview")
    text = read_text(inside(claim, "text"), 1_000)
    if not isinstance(reviews, list) or not text:
        return
    for review in reviews[:MOST_REVIEWS]:
        url, rating = read_url(inside(review, "url")), read_text(inside(review, "textualRating"), 300)
        if url is None or not rating or not isinstance(review, Mapping):
            continue
        yield EarlierCheck(
            claim=text,
            claimant=read_text(inside(claim, "claimant"), 200) or None,
            claimed_on=_day(inside(claim, "claimDate")),
            rating=rating,
            publisher=read_text(inside(review, "publisher", "name"), 200)
            or read_text(inside(review, "publisher", "site"), 200)
            or None,
            title=read_text(review.get("title"), 300) or None,
            url=url,
            reviewed_on=_day(review.get("reviewDate")),
            language=read_text(review.get("languageCode"), 20) or None,
        )


def _day(value: object) -> dt.date | None:
    return published(value)[0] if isinstance(value, str) else None
