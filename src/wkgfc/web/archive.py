"""Archived copies of pages: the Internet Archive's Wayback Machine.

Source: https://archive.org/help/wayback_api.php
"""

import datetime as dt
from dataclasses import dataclass

from wkgfc.http import Http, Request, Unanswered
from wkgfc.state import Failed, Found, Nothing, Retrieved

API = "https://archive.org"
COPIES = "https://web.archive.org"


@dataclass(frozen=True, slots=True)
class Copy:
    """An archived copy. ``url`` opens it for people, ``raw_url`` is the page as it was, without the archive's bar."""

    url: str
    raw_url: str
    taken_at: dt.datetime


class WaybackMachine:
    """Asks for the copy of a page that is closest to a day. Needs no key."""

    def __init__(self, http: Http, *, api: str = API, copies: str = COPIES, public_only: bool = True) -> None:
        self._http, self._api, self._copies, self._public_only = http, api, copies, public_only

    async def closest(self, url: str, before: dt.date | None = None) -> Retrieved[Copy]:
        """The newest copy, or the closest to ``before`` where that is given; a later one is ``Nothing``.

        Only copies of pages that were answered with 200 count: the archive keeps errors too.
        """
        params = {"url": url}
        if before is not None:
            params["timestamp"] = f"{before:%Y%m%d}"
        answer = await self._http.send(
            Request(
                f"{self._api}/wayback/available",
                kind="search",
                params=params,
                accepts=("application/json", "text/javascript"),
                max_bytes=100_000,
                public_only=self._public_only,
            )
        )
        if isinstance(answer, Unanswered):
            return Failed(f"the archive cannot be asked ({answer.reason})")
        try:
            said = answer.json()
        except (ValueError, RecursionError):
            return Failed("the archive's answer is no JSON")
        snapshots = said.get("archived_snapshots") if isinstance(said, dict) else None
        closest = snapshots.get("closest") if isinstance(snapshots, dict) else None
        if not isinstance(closest, dict) or closest.get("status") != "200" or closest.get("available") is not True:
            return Nothing()
        taken_at = _stamp(closest.get("timestamp"))
        if taken_at is None or (before is not None and taken_at.date() > before):
            return Nothing()
        stamp = f"{taken_at:%Y%m%d%H%M%S}"
        return Found([Copy(f"{self._copies}/web/{stamp}/{url}", f"{self._copies}/web/{stamp}id_/{url}", taken_at)])


def _stamp(value: object) -> dt.datetime | None:
    if not isinstance(value, str) or len(value) != 14 or not (value.isascii() and value.isdigit()):
        return None
    try:
        return dt.datetime.strptime(value, "%Y%m%d%H%M%S").replace(tzinfo=dt.UTC)
    except ValueError:
        return None
