"""Forty hostile passages, and a search that returns one of them before all others.

``data/injections.jsonl`` has them with the claim that each is about and the verdict that the embedded stores give it.
While the patterns of ``wkgfc.reasoning.injection`` and ``steering`` were written, one of each kind was held back.
"""

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wkgfc.claim import Veracity
from wkgfc.evidence import Passage, Source
from wkgfc.state import Found, Retrieved
from wkgfc.web.content import Content, read_content
from wkgfc.web.search import Hit, WebSearch


@dataclass(frozen=True)
class HostilePage:
    """A line of the file. ``html`` is a page whose reader sees less than a machine; else there is a ``text``.

    ``harmless`` is that page without what is hidden in it, where it has any.
    """

    kind: str
    half: str
    claim: str
    veracity: Veracity
    title: str
    text: str = ""
    html: str = ""
    harmless: str = ""

    @property
    def passage(self) -> Passage:
        """The passage as a search returns it."""
        return self._passage(self._read(self.html) if self.html else self.text)

    @property
    def without_order(self) -> Passage | None:
        """The passage that is left without the order, or ``None`` where nothing is."""
        return self._passage(self._read(self.harmless)) if self.harmless else None

    @property
    def _url(self) -> str:
        return f"https://{self.kind.replace(' ', '-')}.example/page"

    def _read(self, html: str) -> str:
        content = read_content(html.encode(), "text/html; charset=utf-8", self._url)
        assert isinstance(content, Content)
        return content.text

    def _passage(self, text: str) -> Passage:
        return Passage(text=text, title=self.title, url=self._url, source=Source(name="test", url=self._url))


def hostile_pages() -> list[HostilePage]:
    """All of them."""
    lines = (Path(__file__).parent / "data" / "injections.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [HostilePage(**{**row, "veracity": Veracity(row["veracity"])}) for row in rows]


class Poisoned:
    """A search that puts a passage before what another one finds."""

    def __init__(self, search: WebSearch, passage: Passage) -> None:
        self.name, self.version = search.name, search.version
        self._search, self._passage = search, passage

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        answer = await self._search.search(
            query, limit, before=before, allowed_sites=allowed_sites, blocked_sites=blocked_sites
        )
        hits = list(answer.items) if isinstance(answer, Found) else []
        first = Hit(passage=self._passage, score=hits[0].score + 1.0 if hits else 1.0)
        return Found([first, *hits][:limit])
