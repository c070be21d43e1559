"""All forms of export by their names."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from wkgfc.config import Settings
from wkgfc.errors import BadInput
from wkgfc.exports.citations import bibtex, csl_json, markdown_citations
from wkgfc.exports.claim_review import claim_review_script
from wkgfc.exports.graphml import graphml
from wkgfc.exports.mermaid import mermaid
from wkgfc.exports.rdf import n_triples
from wkgfc.exports.trajectory import trajectory

if TYPE_CHECKING:
    from wkgfc.result import CheckResult

CLAIM_REVIEW = "claimreview"
_WRITERS: dict[str, Callable[["CheckResult"], str]] = {
    "ntriples": n_triples,
    "graphml": graphml,
    "mermaid": mermaid,
    "citations": markdown_citations,
    "csl": csl_json,
    "bibtex": bibtex,
    "trajectory": trajectory,
}
FORMS = (CLAIM_REVIEW, *_WRITERS)


def exported(result: "CheckResult", form: str, settings: Settings, *, url: str | None = None) -> str:
    """A result in one of ``FORMS``. ``url`` is the page that a ClaimReview stands on, and is of no other form.

    Raises:
        BadInput: there is no such form, or the result lacks what it needs.
        NotConfigured: the publisher of a ClaimReview is not set.
    """
    if form == CLAIM_REVIEW:
        return claim_review_script(result, settings, url=url)
    if form not in _WRITERS:
        raise BadInput(f"there is no form {form!r}: {', '.join(FORMS)}")
    if url is not None:
        raise BadInput(f"--url belongs to {CLAIM_REVIEW} alone")
    return _WRITERS[form](result)
