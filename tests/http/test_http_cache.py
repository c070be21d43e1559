"""Answers are kept for as long as their kind is fresh; failures, secrets and more than the limit are not."""

import asyncio
import datetime as dt
import logging
import random
import sqlite3
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from misbehaving import Misbehaving, refuse, reply, silence
from wkgfc.errors import NotConfigured
from wkgfc.http import Answer, Kind, Request, Unanswered
from wkgfc.http.cache import AGES_S, Cache, CachingHttp
from wkgfc.http.client import LiveHttp

URL = "https://example.org/x"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "answers.db"


def answer(body: bytes = b"{}", url: str = URL) -> Answer:
    return Answer(
        url, 200, {"content-type": "application/json"}, body, dt.datetime(2030, 5, 17, 12, 0, 1, tzinfo=dt.UTC)
    )


async def test_what_was_asked_before_is_answered_without_the_source(
    server: Misbehaving, http: LiveHttp, path: Path
) -> None:
    server.on("/x", reply('{"n": 1}'), reply('{"n": 2}'))
    cached = CachingHttp(http, Cache(path))
    request = Request(server.url("/x"), kind="entity", params={"ids": "Q837"})
    first, second = await cached.send(request), await cached.send(request)
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert (first.from_cache, second.from_cache) == (False, True)
    assert (second.body, second.url, second.headers) == (first.body, first.url, first.headers)
    assert second.retrieved_at == first.retrieved_at
    assert server.asked("/x") == 1


async def test_a_failure_is_never_kept(server: Misbehaving, http: LiveHttp, path: Path) -> None:
    def fault(answer: Answer) -> str | None:
        return "an error" if b"error" in answer.body else None

    server.on("/x", refuse(404), reply("{error}"), reply(b""), reply('{"n": 1}'))
    cached = CachingHttp(http, Cache(path))
    request = Request(server.url("/x"), kind="page", fault=fault)
    outcomes = [await cached.send(request) for _ in range(5)]
    assert [type(outcome) for outcome in outcomes] == [Unanswered] * 3 + [Answer] * 2
    assert server.asked("/x") == 4


@pytest.mark.parametrize("kind", [kind for kind, age_s in AGES_S.items() if age_s])
def test_each_kind_has_its_age(kind: Kind, path: Path, time: Any) -> None:
    cache = Cache(path, clock=time.clock)
    request = Request(URL, kind=kind)
    cache.keep(request, answer())
    time.now += AGES_S[kind] - 1
    assert cache.find(request)
    time.now += 1
    assert cache.find(request) is None


def test_a_request_may_want_a_younger_answer(path: Path, time: Any) -> None:
    cache = Cache(path, clock=time.clock)
    wanted = Request(URL, kind="page", max_age_s=3_600.0)
    cache.keep(wanted, answer())
    time.now += 3_599
    assert cache.find(wanted) is not None
    time.now += 1
    assert cache.find(wanted) is None
    assert cache.find(Request(URL, kind="page")) is not None


async def test_an_answer_that_is_found_to_be_none_is_forgotten(server: Misbehaving, http: LiveHttp, path: Path) -> None:
    server.on("/x", reply('{"n": 1}'), reply('{"n": 2}'))
    cached = CachingHttp(http, Cache(path))
    request = Request(server.url("/x"), kind="page")
    await cached.send(request)
    outcome = await cached.send(request)  # from the cache
    assert isinstance(outcome, Answer)
    assert outcome.from_cache
    assert outcome.forget is not None
    outcome.forget()
    outcome.forget()  # there is none any more
    again = await cached.send(request)
    assert isinstance(again, Answer)
    assert again.json() == {"n": 2}
    with sqlite3.connect(path) as base:
        assert (
            base.execute("SELECT size FROM total").fetchone()
            == base.execute("SELECT SUM(size) FROM answers").fetchone()
        )


def test_what_a_language_model_says_is_not_kept(path: Path) -> None:
    cache = Cache(path)
    cache.keep(Request(URL, kind="model"), answer())
    assert cache.find(Request(URL, kind="model")) is None


def test_ages_are_settings_and_no_age_keeps_nothing(path: Path, time: Any) -> None:
    cache = Cache(path, ages_s={"page": 10.0, "search": 0.0}, clock=time.clock)
    for kind in ("page", "search", "entity"):
        cache.keep(Request(f"{URL}/{kind}", kind=kind), answer())
    assert cache.find(Request(f"{URL}/page", kind="page"))
    assert cache.find(Request(f"{URL}/search", kind="search")) is None
    time.now += 11
    assert cache.find(Request(f"{URL}/page", kind="page")) is None
    assert cache.find(Request(f"{URL}/entity", kind="entity"))


def test_a_later_answer_takes_the_place_of_an_earlier_one(path: Path, time: Any) -> None:
    cache = Cache(path, clock=time.clock)
    request = Request(URL, kind="query")
    for body in (b"one", b"two"):
        time.now += 1
        cache.keep(request, answer(body))
    found = cache.find(request)
    assert found
    assert found.body == b"two"


def test_an_answer_that_is_larger_than_wanted_is_not_given(path: Path) -> None:
    cache = Cache(path)
    cache.keep(Request(URL, kind="page"), answer(b"x" * 1_000))
    assert cache.find(Request(URL, kind="page", max_bytes=1_000))
    assert cache.find(Request(URL, kind="page", max_bytes=999)) is None


def test_no_secret_reaches_the_file(path: Path) -> None:
    key = "sk-live-4f9aQwErTy"
    request = Request(
        URL, kind="search", secret_params={"key": SecretStr(key)}, secret_headers={"X-Key": SecretStr(f"Bearer {key}")}
    )
    echoed = Answer(
        f"{URL}?key={key}", 200, {"x-query": key, "set-cookie": "id=1"}, key.encode(), answer().retrieved_at
    )
    cache = Cache(path)
    cache.keep(request, echoed)
    found = cache.find(request)
    assert found
    assert key not in repr(found)
    assert "set-cookie" not in found.headers
    cache.close()
    assert all(key.encode() not in file.read_bytes() for file in path.parent.iterdir())


def test_the_file_is_for_its_user_alone(path: Path) -> None:
    Cache(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_does_not_grow_beyond_its_limit_and_the_oldest_go_first(path: Path, time: Any) -> None:
    cache = Cache(path, max_bytes=100_000, clock=time.clock)
    bodies = [random.Random(number).randbytes(5_000) for number in range(60)]
    for number, body in enumerate(bodies):
        time.now += 1
        cache.keep(Request(f"{URL}/{number}", kind="page"), answer(body))
    kept = [n for n in range(60) if cache.find(Request(f"{URL}/{n}", kind="page"))]
    assert kept == list(range(kept[0], 60))
    assert kept[0] > 0
    cache.close()
    with sqlite3.connect(path) as base:
        (stored,) = base.execute("SELECT SUM(LENGTH(body)) FROM answers").fetchone()
        (counted, total) = base.execute("SELECT SUM(answers.size), total.size FROM answers, total").fetchone()
    assert stored <= 100_000
    assert counted == total


def test_an_answer_that_alone_is_over_the_limit_is_not_kept(path: Path) -> None:
    cache = Cache(path, max_bytes=1_000)
    cache.keep(Request(URL, kind="page"), answer(random.Random(1).randbytes(5_000)))
    assert cache.find(Request(URL, kind="page")) is None


@pytest.mark.parametrize("junk", [b"not a database", b"SQLite format 3\x00" + b"\xff" * 5_000])
def test_a_damaged_file_is_set_aside_and_begun_anew(junk: bytes, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir()
    path.write_bytes(junk)
    with caplog.at_level(logging.WARNING):
        cache = Cache(path)
    assert "is damaged" in caplog.text
    assert path.with_name("answers.db.damaged").read_bytes() == junk
    cache.keep(Request(URL, kind="page"), answer())
    assert cache.find(Request(URL, kind="page"))


def test_a_file_that_is_damaged_inside_is_set_aside_when_that_shows(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = Cache(path)
    for number in range(200):
        cache.keep(Request(f"{URL}/{number}", kind="page"), answer(bytes(k * number % 251 for k in range(3_000))))
    cache.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\x5a" * (len(whole) - 8192))
    cache = Cache(path)
    with caplog.at_level(logging.WARNING):
        assert [cache.find(Request(f"{URL}/{number}", kind="page")) for number in range(200)] == [None] * 200
        cache.keep(Request(URL, kind="page"), answer())
    assert cache.find(Request(URL, kind="page"))
    assert "is damaged" in caplog.text


def test_a_file_of_another_version_is_set_aside(path: Path) -> None:
    Cache(path).close()
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA user_version = 99")
    cache = Cache(path)
    cache.keep(Request(URL, kind="page"), answer())
    assert cache.find(Request(URL, kind="page"))


def test_a_file_that_another_process_holds_is_done_without(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = Cache(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with caplog.at_level(logging.WARNING):
        cache.keep(Request(URL, kind="page"), answer())
    assert "cannot be written now" in caplog.text
    other.execute("ROLLBACK")
    cache.keep(Request(URL, kind="page"), answer())
    assert cache.find(Request(URL, kind="page"))


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotConfigured, match=r"the cache .* cannot be used"):
        Cache(tmp_path / "file" / "answers.db")


def test_threads_may_share_a_cache_and_processes_a_file(path: Path) -> None:
    caches = [Cache(path), Cache(path)]

    def work(cache: Cache, start: int) -> None:
        for number in range(start, start + 50):
            cache.keep(Request(f"{URL}/{number}", kind="page"), answer(str(number).encode()))

    threads = [threading.Thread(target=work, args=(caches[n % 2], n * 50)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = [caches[0].find(Request(f"{URL}/{number}", kind="page")) for number in range(200)]
    assert [kept.body for kept in found if kept] == [str(number).encode() for number in range(200)]


async def test_a_request_that_is_cancelled_keeps_nothing(server: Misbehaving, http: LiveHttp, path: Path) -> None:
    server.on("/x", silence(), reply())
    cached = CachingHttp(http, Cache(path))
    request = Request(server.url("/x"), kind="page")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await cached.send(request)
    outcome = await cached.send(request)
    assert isinstance(outcome, Answer)
    assert not outcome.from_cache
