"""Fact-checking sites: what a benchmark run must not see, since its claims were checked there.

The list is ``fact_checking_sites.txt`` beside this file, one site a line, by region. Beyond it an address that calls
itself a fact-check is one: ``/fact-check/``, ``/news/uk-factcheck-…``.
"""

import re
from functools import lru_cache
from importlib import resources

from wkgfc.web.addresses import original_address
from wkgfc.web.sites import host_and_parents, host_and_path

LIST = "fact_checking_sites.txt"


@lru_cache(maxsize=1)
def fact_checking_sites() -> tuple[str, ...]:
    """All sites of the list, in its order: to be passed as ``blocked_sites``."""
    lines = resources.files("wkgfc.web").joinpath(LIST).read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def is_fact_check(url: str | None) -> bool:
    """Whether a page belongs to a fact-checking site or section, or to one that an archive or a cache copied.

    A page counts as well whose path calls it a fact-check, in English or in one of the larger languages of the field.
    That can take an article about fact-checking for one: in a benchmark the lesser harm.

    >>> is_fact_check("https://web.archive.org/web/2021/https://www.snopes.com/fact-check/x/")
    True
    >>> is_fact_check("https://www.usatoday.com/story/news/politics/2020/10/01/x/1/")
    False
    """
    address = original_address(url) if url else ""
    page = host_and_path(address)
    if page is None:
        return False
    path = page[1].lower()
    for host in host_and_parents(address):
        for section in _sections().get(host, ()):
            if not section or path == section or path.startswith(section + "/"):
                return True
    return _CALLS_ITSELF_ONE.search(path) is not None


@lru_cache(maxsize=1)
def _sections() -> dict[str, tuple[str, ...]]:
    """The sections (paths, in lower case) of every host of the list; an empty one is the whole host."""
    sections: dict[str, tuple[str, ...]] = {}
    for site in fact_checking_sites():
        found = host_and_path(site)
        if found is not None:
            sections[found[0]] = (*sections.get(found[0], ()), found[1].lower())
    return sections


_CALLS_ITSELF_ONE = re.compile(
    r"(?<![a-z0-9])(?:fact[-_]?check(?:s|ed|er|ers|ing)?|fake[-_]?check|reality[-_]?check|hoax[-_]?check"
    r"|fakten[-_]?check|verificacion[-_]de[-_]hechos|cek[-_]?fakta|webqoof)(?![a-z0-9])"
)
