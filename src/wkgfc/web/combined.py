"""Several searches at once, as one: their rankings are fused, and a page that several bring counts for each.

Reciprocal rank fusion, Cormack, Clarke and Büttcher 2009, "Reciprocal rank fusion outperforms Condorcet and individual
rank learning methods" (SIGIR): a page's score is the sum over the searches of 1 / (k + its rank there), k = 60.
"""

import asyncio
import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from wkgfc.evidence import Passage
from wkgfc.state import Failed, Found, FoundInPart, Nothing, Retrieved, failures_of
from wkgfc.web.addresses import canonical_address
from wkgfc.web.search import Hit, WebSearch

RANK_CONSTANT = 60  # k; the paper, section 2


class Combined:
    """Asks several searches at the same time. One that fails is told beside what another one brings."""

    def __init__(self, searches: Sequence[WebSearch]) -> None:
        self.name = "+".join(search.name for search in searches)
        self.version = "+".join(search.version for search in searches)
        self._searches = tuple(searches)

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        """Hits of all searches, the best of the fused ranking first; see ``WebSearch.search``.

        ``Nothing`` means that every search worked and none brought anything. Where nothing came and one or more failed,
        the answer is ``Failed`` with their reasons: nobody knows what the others would have brought. Where something
        came, the failures are told with it.
        """
        answers = await asyncio.gather(
            *(
                search.search(query, limit, before=before, allowed_sites=allowed_sites, blocked_sites=blocked_sites)
                for search in self._searches
            )
        )
        hits = fuse([answer.items for answer in answers if isinstance(answer, Found)])
        failures = tuple(failure for answer in answers for failure in failures_of(answer))
        if not hits:
            return Failed("; ".join(failures)) if failures else Nothing()
        return FoundInPart(hits[: max(limit, 0)], failures) if limit > 0 else Nothing()


def fuse(rankings: Iterable[Sequence[Hit]]) -> list[Hit]:
    """One ranking of several, each hit with its fused score, best first; of equals, the one that came first.

    A page is told by its address (``canonical_address``). Within one ranking hits of the same page stay apart, since an
    index of passages brings several of one page: the first of each ranking are one hit, then the second, and so on. Of
    hits that become one, the best placed stays; a date that only another one has is taken over.
    """
    scores: defaultdict[tuple[str, int], float] = defaultdict(float)
    best: dict[tuple[str, int], tuple[int, Passage]] = {}
    for ranking in rankings:
        times: Counter[str] = Counter()
        for rank, hit in enumerate(ranking, start=1):
            page = _page(hit.passage)
            key = (page, times[page])
            times[page] += 1
            scores[key] += 1 / (RANK_CONSTANT + rank)
            known = best.get(key)
            if known is None:
                best[key] = (rank, hit.passage)
            elif rank < known[0]:
                best[key] = (rank, _dated(hit.passage, known[1]))
            else:
                best[key] = (known[0], _dated(known[1], hit.passage))
    ordered = sorted(best, key=lambda key: -scores[key])
    return [Hit(passage=best[key][1], score=scores[key]) for key in ordered]


def _page(passage: Passage) -> str:
    return canonical_address(passage.url) if passage.url else passage.content_hash


def _dated(passage: Passage, other: Passage) -> Passage:
    if passage.date is not None or other.date is None:
        return passage
    return passage.model_copy(update={"date": other.date})
