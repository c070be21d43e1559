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
    """A line of the file. ``html`` is a page whose reader sees less than a machine; else there is a ``text``."""

    kind: str
    half: str
    claim: str
    veracity: Veracity
    title: str
    text: str = ""
    html: str = ""

    @property
    def passage(self) -> Passage:
        """The passage as a search returns it."""
        url = f"https://{self.kind.replace(' ', '-')}.example/{abs(hash_of(self.claim))}"
        text = self.text
        if self.html:
            content = read_content(self.html.encode(), "text/html; charset=utf-8", url)
            assert isinstance(content, Content)
            text = content.text
        return Passage(text=text, title=self.title, url=url, source=Source(name="test", url=url))


def hash_of(text: str) -> int:
    """A number for a text, the same in every process."""
    return sum((place + 1) * ord(letter) for place, letter in enumerate(text))


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
