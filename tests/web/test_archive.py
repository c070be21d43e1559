"""Copies of the Wayback Machine, asked for as its API page says."""

import datetime as dt
import json

import pytest

from misbehaving import JSON, misbehaving, refuse, reply
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import Courtesy
from wkgfc.state import Failed, Found, Nothing, Retrieved
from wkgfc.web.archive import Copy, WaybackMachine

URL = "https://paper.example/bridge?a=1&b=2"


def available(stamp: object = "20210504120000", **changes: object) -> str:
    closest = {"status": "200", "available": True, "url": "http://elsewhere.example/", "timestamp": stamp, **changes}
    return json.dumps({"url": URL, "archived_snapshots": {"closest": closest}})


async def asked(body: str | bytes, before: dt.date | None = None) -> tuple[Retrieved[Copy], dict[str, str]]:
    async with misbehaving() as server, LiveHttp("wkgfc test", courtesy=Courtesy(), attempts=1) as http:
        server.on("/wayback/available", reply(body, JSON))
        archive = WaybackMachine(http, api=server.url(""), public_only=False)
        return await archive.closest(URL, before), dict(server.seen[0].params)


async def test_the_newest_copy_is_found() -> None:
    found, params = await asked(available())
    assert params == {"url": URL}
    assert found == Found(
        [
            Copy(
                f"https://web.archive.org/web/20210504120000/{URL}",
                f"https://web.archive.org/web/20210504120000id_/{URL}",
                dt.datetime(2021, 5, 4, 12, tzinfo=dt.UTC),
            )
        ]
    )


async def test_a_copy_after_the_day_is_none() -> None:
    found, params = await asked(available(), dt.date(2021, 5, 3))
    assert params["timestamp"] == "20210503"
    assert found == Nothing()
    assert isinstance((await asked(available(), dt.date(2021, 5, 4)))[0], Found)


@pytest.mark.parametrize(
    "body",
    [
        '{"archived_snapshots": {}}',
        "{}",
        "[]",
        "null",
        '{"archived_snapshots": null}',
        '{"archived_snapshots": {"closest": []}}',
        available(status="404"),
        available(status=200),
        available(available=False),
        available(stamp=None),
        available(stamp="2021"),
        available(stamp="20211304120000"),
        available(stamp="٢٠٢١٠٥٠٤١٢٠٠٠٠"),
        available(stamp="../../../../x/"),
    ],
)
async def test_anything_else_is_no_copy(body: str) -> None:
    assert (await asked(body))[0] == Nothing()


@pytest.mark.parametrize("body", [b"<html>", b"\xff", b'{"a":', b"[" * 50_000])
async def test_an_answer_that_is_no_json_is_a_failure(body: bytes) -> None:
    assert (await asked(body))[0] == Failed("the archive's answer is no JSON")


async def test_an_archive_that_does_not_answer_is_a_failure() -> None:
    async with misbehaving() as server, LiveHttp("wkgfc test", courtesy=Courtesy(), attempts=1) as http:
        server.on("/wayback/available", refuse(500))
        failed = await WaybackMachine(http, api=server.url(""), public_only=False).closest(URL)
    assert isinstance(failed, Failed)
    assert failed.reason.startswith("the archive cannot be asked (127.0.0.1")
