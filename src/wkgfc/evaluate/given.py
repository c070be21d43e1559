"""The texts that come with a claim, as passages and as a web of their own."""

import datetime as dt
import hashlib
from collections.abc import Sequence

from wkgfc.baselines.method import Seen
from wkgfc.datasets import LabelledClaim
from wkgfc.evaluate.sets import Sight
from wkgfc.evidence import Passage, Source
from wkgfc.kg.graph import KnowledgeGraph, NoGraph
from wkgfc.state import Retrieved, found
from wkgfc.usage import count
from wkgfc.web.bm25 import bm25
from wkgfc.web.search import Hit, WebSearch
from wkgfc.web.sites import is_on_site
from wkgfc.web.splitting import passage_spans


class GivenTexts:
    """A web that has only the texts that came with one claim, ranked by BM25. A long one is cut into passages."""

    name = "given"

    def __init__(self, texts: Sequence[Passage]) -> None:
        self._passages = [
            text.model_copy(update={"text": text.text[start:end], "start": start, "end": end})
            for text in texts
            for start, end in passage_spans(text.text)
        ]
        self.version = hashlib.sha256("\0".join(text.text for text in texts).encode()).hexdigest()[:12]

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        """See ``WebSearch``. Texts that share no word with the query come last: there are few, and all are given."""
        count("web_searches")
        usable = [
            passage
            for passage in self._passages
            if not (before is not None and passage.date is not None and passage.date > before)
            and not is_on_site(passage.url, blocked_sites)
            and (not allowed_sites or is_on_site(passage.url, allowed_sites))
        ]
        scores = bm25(query, [f"{passage.title or ''} {passage.text}" for passage in usable])
        order = sorted(range(len(usable)), key=lambda place: (-scores[place], place))[:limit]
        return found([Hit(passage=usable[place], score=scores[place]) for place in order])


def texts_of(row: LabelledClaim, source: str) -> tuple[Passage, ...]:
    """The texts that come with a claim; one without an address is a page of its own all the same."""
    return tuple(
        Passage(
            text=each.text,
            title=each.title,
            url=each.url,
            source=Source(name=source, url=each.url, text_id=each.url or f"{row.id}#{number}", title=each.title),
        )
        for number, each in enumerate(row.evidence, start=1)
        if each.text.strip()
    )


def seen_by(sight: Sight, row: LabelledClaim, graph: KnowledgeGraph, web: WebSearch | None, source: str) -> Seen:
    """What a method may see of a claim's sources and texts."""
    webs: dict[str, WebSearch | None] = {"none": None, "sources": web}
    given = texts_of(row, source)
    return Seen(
        graph=graph if sight.kg else NoGraph(),
        web=webs[sight.web] if sight.web in webs else GivenTexts(given),
        documents=given if sight.document else (),
        benchmark=sight.is_guarded,
    )
