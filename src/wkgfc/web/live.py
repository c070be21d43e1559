"""Search of the live web: hits of an engine become pages, pages become passages, the best of all are the answer.

The coarse half of the paper's filter (section 4.3): BM25 over the windows of all pages, not over the engine's snippets.
A page that cannot be had leaves its snippet, and the answer says why.
"""

import asyncio
import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence

from wkgfc.evidence import Passage
from wkgfc.state import Failed, Found, FoundInPart, Nothing, Retrieved, failures_of
from wkgfc.web.addresses import canonical_address, original_address
from wkgfc.web.bm25 import bm25
from wkgfc.web.copies import fold_copies
from wkgfc.web.kept_pages import KeptPages
from wkgfc.web.page import Page, PageFetcher, as_snippet
from wkgfc.web.search import Hit, WebSearch
from wkgfc.web.sites import is_on_site

PAGES = 8  # of one search: beyond, engines bring little that is about the query
BUDGET_S = 25.0
COMPARED = 200  # windows that are looked through for copies: the time for that grows with their square
WINDOWS_PER_PAGE = 4  # of one page among the answer: a long page must not be all that is looked at


class LiveWeb:
    """A ``WebSearch`` that reads the pages that another one finds.

    Args:
        search: the engine.
        fetcher: gets and reads pages.
        pages: the most that are fetched for one search.
        budget_s: after so many seconds what has been read is ranked, and the rest are snippets.
        windows_per_page: the most of one page in the answer.
        kept: given, the text of every page that the answer quotes is kept there.
    """

    def __init__(
        self,
        search: WebSearch,
        fetcher: PageFetcher,
        *,
        pages: int = PAGES,
        budget_s: float = BUDGET_S,
        windows_per_page: int = WINDOWS_PER_PAGE,
        kept: KeptPages | None = None,
    ) -> None:
        self.name, self.version = search.name, search.version
        self._search, self._fetcher, self._kept = search, fetcher, kept
        self._pages, self._budget_s, self._windows_per_page = pages, budget_s, windows_per_page

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        """Windows of the pages for ``query``, best first; see ``WebSearch.search``. A score is BM25's.

        What a page says itself of its date and address counts, not what the engine says: with ``before``, a later page
        is left out with its snippet, and so is one whose redirects or canonical address lead to a site that is not
        wanted. Copies are folded into one hit (``Passage.copies``). A hit whose source's name ends with ``" snippet"``
        is the engine's summary of a page that could not be read. Failures are those of the engine, then lines of an
        address and why it was not read.
        """
        answer = await self._search.search(
            query,
            max(limit, self._pages),
            before=before,
            allowed_sites=allowed_sites,
            blocked_sites=blocked_sites,
        )
        if not isinstance(answer, Found) or limit < 1:
            return answer if not isinstance(answer, Found) else Nothing()
        hits = _one_a_page(answer.items)
        fetched = await self._fetch([hit.passage.url for hit in hits if hit.passage.url], before)
        passages: list[Passage] = []
        texts: dict[str, str] = {}
        pages: dict[str, Page] = {}
        failures = [*failures_of(answer)]
        for hit in hits:
            outcome = fetched.get(hit.passage.url or "")
            match outcome:
                case Found(items=[page, *_]):
                    page = _dated(page, hit.passage)
                    unwanted = _unwanted(page, before, allowed_sites, blocked_sites)
                    if unwanted is not None:
                        failures.append(f"{page.url}: {unwanted}")
                    elif page.url not in pages:  # two hits that redirect to one page
                        pages[page.url], texts[page.url] = page, page.text
                        passages += page.passages(hit.passage.source.name)
                case Failed(reason=reason):
                    failures.append(f"{hit.passage.url}: {reason}")
                    passages.append(as_snippet(hit.passage))
                case _:
                    passages.append(as_snippet(hit.passage))
        ranked = (await asyncio.to_thread(self._ranked, query, passages, texts))[:limit]
        quoted = dict.fromkeys(hit.passage.url for hit in ranked)
        await self._keep([page for url, page in pages.items() if url in quoted])
        if not ranked:
            return Failed("; ".join(failures_of(answer))) if failures_of(answer) else Nothing()
        return FoundInPart(ranked, tuple(failures))

    async def _fetch(self, urls: Sequence[str], before: dt.date | None) -> Mapping[str, Retrieved[Page]]:
        """What came of the first addresses within the time; an address that is not in it was not asked for."""
        tasks = {url: asyncio.create_task(self._fetcher.fetch(url, before)) for url in urls[: self._pages]}
        if not tasks:
            return {}
        try:
            await asyncio.wait(tasks.values(), timeout=self._budget_s)
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)
        late = Failed(f"unanswered: not read within the {self._budget_s:g} s for all pages")
        return {url: late if task.cancelled() else task.result() for url, task in tasks.items()}

    def _ranked(self, query: str, passages: Sequence[Passage], texts: Mapping[str, str]) -> list[Hit]:
        """The passages by BM25, of equals the engine's order; copies folded, and at most so many of one page."""
        scores = bm25(query, [f"{passage.title or ''} {passage.text}" for passage in passages])
        order = sorted(range(len(passages)), key=lambda place: -scores[place])
        hits = [Hit(passage=passages[place], score=scores[place]) for place in order]
        pages = len({passage.url for passage in passages}) or 1
        folded = fold_copies(_best_of_each(hits, max(COMPARED // pages, self._windows_per_page)), texts)
        return _best_of_each(folded, self._windows_per_page)

    async def _keep(self, pages: Sequence[Page]) -> None:
        if self._kept is not None:
            for page in pages:
                await asyncio.to_thread(self._kept.keep, page)


def _best_of_each(hits: Sequence[Hit], most: int) -> list[Hit]:
    """The hits in their order, the first ``most`` of each page."""
    of_page: Counter[str | None] = Counter()
    best: list[Hit] = []
    for hit in hits:
        of_page[hit.passage.url] += 1
        if hit.passage.url is None or of_page[hit.passage.url] <= most:
            best.append(hit)
    return best


def _one_a_page(hits: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, the first of each page."""
    first: dict[str, Hit] = {}
    for hit in hits:
        first.setdefault(canonical_address(hit.passage.url) if hit.passage.url else hit.passage.content_hash, hit)
    return list(first.values())


def _dated(page: Page, found: Passage) -> Page:
    """The page, with the engine's date and title where it has none of its own."""
    changes: dict[str, object] = {}
    if page.earliest is None and found.date is not None:
        changes.update(date=found.date, earliest=found.date)
    if page.title is None and found.title is not None:
        changes["title"] = found.title
    return page.model_copy(update=changes)


def _unwanted(
    page: Page, before: dt.date | None, allowed_sites: Sequence[str], blocked_sites: Sequence[str]
) -> str | None:
    """Why a page is not used though it was read."""
    if before is not None and page.earliest is not None and page.earliest > before:
        return "published later, by its own date"
    addresses = (page.address, page.url, original_address(page.address))
    if any(is_on_site(address, blocked_sites) for address in addresses):
        return "led to a site that is kept out"
    if allowed_sites and not is_on_site(page.address, allowed_sites):
        return "led to a site that is not allowed"
    return None
