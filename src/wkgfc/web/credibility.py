"""How far a source can be relied on, as a number with its reasons. It is shown, and decides no verdict.

A heuristic with weights that nobody has fitted: what kind of source it is by its domain, how many independent others
say the same, whether it is dated, comes over an encrypted connection, and has the quotation where it is cited from. It
says nothing of whether a passage is about the claim (relevance) or which side it takes (stance), and is never mixed
into either: a good source can be beside the point.

The kinds of some 700 sites are in ``source_kinds.tsv``.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files

from pydantic import Field

from wkgfc.evidence import Passage, Record
from wkgfc.quotes import verbatim_quote
from wkgfc.web.addresses import original_address
from wkgfc.web.domains import registrable_domain
from wkgfc.web.page import is_snippet
from wkgfc.web.sites import host_and_parents

UNKNOWN = "unknown"
SATIRE = "satire"

# How far a kind of source is edited, checked and answerable for what it says, 0 to 1.
KINDS: Mapping[str, float] = {
    "scientific journal": 0.9,
    "news agency": 0.85,
    "government": 0.8,
    "international organisation": 0.8,
    "fact-checker": 0.8,
    "university": 0.75,
    "encyclopedia": 0.75,
    "broadcaster": 0.75,
    "newspaper": 0.7,
    "reference data": 0.7,
    "magazine": 0.65,
    "preprint server": 0.6,
    UNKNOWN: 0.4,
    "press release": 0.35,
    "state-controlled media": 0.3,
    "shop": 0.3,
    "user blog or wiki": 0.25,
    "forum or social network": 0.2,
    SATIRE: 0.0,
}

# The shares of the number; they add up to one.
OF_KIND = 0.55
OF_INDEPENDENCE = 0.2
OF_QUOTE = 0.1
OF_DATE = 0.1
OF_HTTPS = 0.05


class Credibility(Record):
    """The number, 0 to 1, the kind of source, and a reason in words for each part of the number."""

    number: float = Field(ge=0, le=1)
    kind: str
    reasons: tuple[str, ...]


def credibility(
    passage: Passage, *, others: Iterable[Passage] = (), quote: str | None = None, page_text: str | None = None
) -> Credibility:
    """How far the source of a passage can be relied on.

    ``others`` are passages that say the same; those of the same text or owner add nothing. ``quote`` is what is cited
    of it, looked for in ``page_text`` or else in the passage itself.
    """
    kind = kind_of_source(passage.url)
    if kind == SATIRE:
        return Credibility(number=0.0, kind=kind, reasons=("satire: what it says is made up",))
    domains = _independent_domains(passage, others)
    parts = [
        (OF_KIND * KINDS[kind], "kind of source not known" if kind == UNKNOWN else kind),
        (OF_INDEPENDENCE * (1 - 0.5 ** len(domains)), _said_by(domains)),
        _of_quote(passage, quote, page_text),
        (OF_DATE, f"dated {passage.date}") if passage.date else (0.0, "no date"),
        (OF_HTTPS, "https") if (passage.url or "").lower().startswith("https://") else (0.0, "no https"),
    ]
    return Credibility(
        number=min(1.0, round(sum(share for share, _ in parts), 3)),
        kind=kind,
        reasons=tuple(f"{reason} (+{share:.2f})" for share, reason in parts),
    )


def kind_of_source(url: str | None) -> str:
    """The kind of the site that an address is of, a key of ``KINDS``. Of an archived copy, that of the page copied.

    >>> kind_of_source("https://www.ons.gov.uk/economy"), kind_of_source("https://bridges.example/")
    ('government', 'unknown')
    """
    kinds = _kinds_by_domain()
    domains = host_and_parents(original_address(url)) if url else []
    return next((kinds[domain] for domain in domains if domain in kinds), UNKNOWN)


@lru_cache(maxsize=1)
def _kinds_by_domain() -> Mapping[str, str]:
    rows = files("wkgfc.web").joinpath("source_kinds.tsv").read_text(encoding="utf-8").splitlines()
    pairs = (row.split("\t") for row in rows if row and not row.startswith("#"))
    return {domain.removeprefix("."): kind for domain, kind in pairs}


def _independent_domains(passage: Passage, others: Iterable[Passage]) -> list[str]:
    """The registrable domains of other texts that say the same, each once."""
    own = _domain(passage.url)
    text_id = passage.source.text_id or passage.url
    return sorted(
        {
            domain
            for other in others
            if (other.source.text_id or other.url) != text_id
            and (domain := _domain(other.url)) is not None
            and domain != own
        }
    )


def _domain(url: str | None) -> str | None:
    return registrable_domain(original_address(url)) if url else None


def _said_by(domains: list[str]) -> str:
    if not domains:
        return "nobody else says so"
    shown = ", ".join(domains[:3]) + (" …" if len(domains) > 3 else "")
    return f"said by {len(domains)} other{'s' if len(domains) > 1 else ''}: {shown}"


def _of_quote(passage: Passage, quote: str | None, page_text: str | None) -> tuple[float, str]:
    if quote is None:
        return 0.0, "nothing quoted"
    if page_text is None and is_snippet(passage):
        return 0.0, "the page was not read"
    if verbatim_quote(quote, passage.text if page_text is None else page_text) is None:
        return 0.0, "the quotation is not in it"
    return OF_QUOTE, "the quotation stands in it"
