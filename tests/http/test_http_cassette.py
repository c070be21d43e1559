"""A run that was recorded is the same run again with the network off."""

import asyncio
import contextlib
import datetime as dt
import gzip
import json
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from misbehaving import Misbehaving, misbehaving, refuse, reply
from wkgfc.errors import BadInput
from wkgfc.http import Answer, Request, Unanswered, cassette
from wkgfc.http.cassette import RESULT, Cassette, Recorder, RecordingHttp, ReplayHttp, read_cassette
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import Courtesy
from wkgfc.http.deadline import deadline, remaining_s

URL = "https://example.org/x"
MOMENT = dt.datetime(2030, 5, 17, 12, 0, 1, 5, tzinfo=dt.UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl.gz"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def written(path: Path, *records: dict[str, Any]) -> Path:
    path.write_bytes(b"".join(gzip.compress(json.dumps(record).encode() + b"\n") for record in records))
    return path


async def test_a_replay_gives_the_same_answers_with_the_server_gone(path: Path, time: Any) -> None:
    recorder = Recorder(path)
    async with (
        misbehaving() as server,
        LiveHttp("WKGFC", courtesy=Courtesy(sleep=time.sleep), sleep=time.sleep) as live,
    ):
        server.on("/entity", reply('{"label": "Zürich"}'))
        server.on("/page", reply(b"\xff\xfe\x00binary", "application/pdf"))
        server.on("/search", reply('{"n": 1}'), refuse(429, {"Retry-After": "500"}), reply('{"n": 3}'))
        server.on("/gone", refuse(404, body="gone"))
        requests = [
            Request(server.url("/entity"), kind="entity", params={"q": "Zürich"}),
            Request(server.url("/page"), kind="page"),
            Request(server.url("/search"), kind="search", method="POST", json_body={"q": "claim"}, idempotent=False),
            Request(server.url("/gone"), kind="page"),
            Request(server.url("/search"), kind="search", method="POST", json_body={"q": "claim"}, idempotent=False),
        ]
        http = RecordingHttp(live, recorder)
        recorded = [await http.send(request) for request in requests]
    recorder.note("claim", "Zürich is in Switzerland.")
    recorder.close()
    assert [type(outcome) for outcome in recorded] == [Answer, Answer, Answer, Unanswered, Unanswered]
    run = read_cassette(path)
    assert run.notes == {"claim": "Zürich is in Switzerland."}
    assert run.is_complete
    replay = ReplayHttp(run)
    assert [await replay.send(request) for request in requests] == recorded
    assert await replay.send(requests[-1]) == recorded[-1]  # asked once more than then: the last answer


async def test_what_was_not_asked_then_is_not_answered_now(path: Path) -> None:
    Recorder(path).close()
    replay = ReplayHttp(read_cassette(path))
    outcome = await replay.send(Request(URL, kind="query"))
    assert outcome == Unanswered("this query request is not in the recording, and the network is off")
    outcome = await replay.send(Request(URL, kind="model"))
    assert isinstance(outcome, Unanswered)
    assert "the prompts, the model, its settings or the evidence are others than then" in outcome.reason


class Samples:
    """Answers a question that is asked several times at once, the one asked last first."""

    def __init__(self, count: int) -> None:
        self._count, self._asked = count, 0
        self._next_turn = asyncio.Condition()
        self._turn = count - 1

    async def send(self, request: Request) -> Answer | Unanswered:
        mine, self._asked = self._asked, self._asked + 1
        async with self._next_turn:
            await self._next_turn.wait_for(lambda: self._turn == mine and self._asked == self._count)
            self._turn -= 1
            self._next_turn.notify_all()
        return Answer(URL, 200, {}, str(mine).encode(), MOMENT)


async def test_the_same_question_asked_several_times_at_once_has_its_answers_in_order(path: Path) -> None:
    recorder, request = Recorder(path), Request(URL, kind="model")
    http = RecordingHttp(Samples(5), recorder)
    recorded = await asyncio.gather(*(http.send(request) for _ in range(5)))
    recorder.close()
    assert [line.get("text") for line in lines(path)[1:]] == ["4", "3", "2", "1", "0"], "as they came"
    replay = ReplayHttp(read_cassette(path))
    assert await asyncio.gather(*(replay.send(request) for _ in range(5))) == recorded


class Never:
    async def send(self, request: Request) -> Answer | Unanswered:
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("is_finished", [True, False])
async def test_what_was_not_waited_for_then_is_not_waited_for_again(path: Path, is_finished: bool) -> None:
    recorder, request = Recorder(path), Request(URL, kind="page")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await RecordingHttp(Never(), recorder).send(request)
    if is_finished:
        recorder.note(RESULT, {})
    recorder.close()
    assert lines(path)[1]["late"] is True
    replay, reason = ReplayHttp(read_cassette(path)), Unanswered("the answer was not waited for")
    assert await replay.send(request) == reason, "nobody has set a time, so none is waited for"
    with deadline(60.0):
        if is_finished:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await replay.send(request)
        else:
            assert await replay.send(request) == reason
    with deadline(0.01):  # whoever does wait has it when the time is over
        assert await replay.send(request) == reason
        assert (remaining_s() == 0.0) == is_finished


async def test_what_came_when_the_time_was_over_comes_when_it_is_over(path: Path) -> None:
    class Slow:
        async def send(self, request: Request) -> Answer | Unanswered:
            await asyncio.sleep(0.02)
            return Unanswered("the time for the check was over before x.example had answered")

    recorder, request = Recorder(path), Request(URL, kind="query")
    with deadline(0.01):
        recorded = await RecordingHttp(Slow(), recorder).send(request)
    recorder.note(RESULT, {})
    recorder.close()
    with deadline(0.01):
        assert await ReplayHttp(read_cassette(path)).send(request) == recorded
        assert remaining_s() == 0.0


async def test_no_secret_reaches_the_file(path: Path) -> None:
    key = "sk-live-4f9aQwErTy"

    class Echo:
        async def send(self, request: Request) -> Answer | Unanswered:
            return Answer(f"{URL}?key={key}", 200, {"x": key, "set-cookie": "id=1"}, f"your {key}".encode(), MOMENT)

    recorder = Recorder(path)
    request = Request(
        f"{URL}?key={key}&q=1",
        kind="search",
        secret_params={"key": SecretStr(key)},
        secret_headers={"Authorization": SecretStr(f"Bearer {key}")},
    )
    await RecordingHttp(Echo(), recorder).send(request)
    recorder.close()
    text = json.dumps(lines(path))
    assert key not in text
    assert "Bearer" not in text
    assert "id=1" not in text
    without_key = Request(f"{URL}?q=1", kind="search")  # a replay needs no keys
    assert isinstance(await ReplayHttp(read_cassette(path)).send(without_key), Answer)


def test_a_recording_is_for_its_user_alone_and_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    Recorder(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(BadInput, match="is there already; record to another file"):
        Recorder(path)
    with pytest.raises(BadInput, match="cannot be written"):
        Recorder(tmp_path / "no" / "folder")


def test_a_run_that_was_killed_can_be_read_up_to_there(path: Path) -> None:
    program = f"""
import os, datetime as dt
from pathlib import Path
from wkgfc.http import Answer, Request
from wkgfc.http.cassette import Recorder
recorder = Recorder(Path({str(path)!r}))
for number in range(3):
    moment = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)
    recorder.exchange(Request(f"{URL}/{{number}}", kind="page"), Answer("{URL}", 200, {{}}, b"x" * 1000, moment))
os._exit(1)
"""
    subprocess.run([sys.executable, "-c", program], check=False)
    assert len(read_cassette(path).exchanges) == 3
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])  # and in the middle of a record
    run = read_cassette(path)
    assert len(run.exchanges) == 2
    assert not run.is_complete


def test_the_file_is_lines_of_json_that_people_can_read(path: Path) -> None:
    recorder = Recorder(path)
    request = Request(URL, kind="entity", params={"q": "Nepal"}, headers={"Accept-Language": "en"})
    recorder.exchange(request, Answer(URL, 200, {"content-type": "text/plain"}, b"text", MOMENT))
    recorder.note("result", {"veracity": "Supported"})
    recorder.close()
    head, exchange, note = lines(path)
    assert (head["format"], head["version"]) == ("wkgfc-cassette", 1)
    assert exchange["request"]["params"] == {"q": "Nepal"}
    assert exchange["request"]["headers"] == {"accept-language": "en"}
    assert exchange["text"] == "text"
    assert exchange["retrieved_at"] == "2030-05-17T12:00:01.000005+00:00"
    assert note == {"record": "note", "name": "result", "value": {"veracity": "Supported"}}


HEAD = {"record": "head", "format": "wkgfc-cassette", "version": 1, "made_at": "2030-05-17T12:00:00+00:00"}
GOOD = {
    "record": "exchange",
    "key": "0" * 64,
    "request": {},
    "url": URL,
    "status": 200,
    "headers": {},
    "text": "",
    "retrieved_at": "2030-05-17T12:00:00+00:00",
}


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([], "it has no head"),
        ([GOOD], "record 1 is of no kind that belongs there"),
        ([HEAD, HEAD], "record 2 is of no kind that belongs there"),
        ([{**HEAD, "version": 2}], "it has version '2', and this program reads version 1"),
        ([{**HEAD, "format": "other"}], "record 1: format"),
        ([HEAD, {**GOOD, "key": "short"}], "record 2: key"),
        ([HEAD, {**GOOD, "extra": 1}], "record 2: extra"),
        ([HEAD, {**GOOD, "status": "200"}], "record 2: status"),
        ([HEAD, {**GOOD, "text": None}], "record 2: exchange"),
        ([HEAD, {**GOOD, "base64": "AAAA"}], "record 2: exchange"),
        ([HEAD, {**GOOD, "text": None, "base64": "%"}], "record 2: exchange"),
        ([HEAD, {**GOOD, "url": None}], "record 2: exchange"),
        ([HEAD, {**GOOD, "retrieved_at": "yesterday"}], "record 2: exchange"),
        ([HEAD, {**GOOD, "retrieved_at": "2030-05-17T12:00:00"}], "record 2: exchange"),
        ([HEAD, {"record": ["exchange"]}], "record 2 is of no kind"),
    ],
)
def test_what_is_no_recording_is_refused(records: list[dict[str, Any]], reason: str, path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        read_cassette(written(path, *records))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_good_recording_is_read(path: Path) -> None:
    assert len(read_cassette(written(path, HEAD, GOOD, {**GOOD, "text": None, "base64": "/w=="})).exchanges) == 2


@pytest.mark.parametrize(
    "content",
    [
        b"text",
        b"",
        gzip.compress(b"\xff\n"),
        gzip.compress(b"[" * 100_000),
        gzip.compress(b"[]\n"),
        gzip.compress(b"1" * 9_999),
    ],
)
def test_other_files_are_refused(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(BadInput, match="is no recording, or a damaged one"):
        read_cassette(path)


def test_a_file_that_is_not_there_is_said(path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        read_cassette(path)


def test_a_damaged_middle_is_refused(path: Path) -> None:
    recorder = Recorder(path)
    for number in range(20):
        recorder.exchange(Request(f"{URL}/{number}", kind="page"), Unanswered(f"reason {number}"))
    recorder.close()
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 0xFF
    path.write_bytes(bytes(whole))
    with pytest.raises(BadInput):
        read_cassette(path)


def test_a_bomb_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cassette, "_LONGEST_RECORD", 100_000)
    path.write_bytes(gzip.compress(json.dumps(HEAD).encode() + b"\n") + gzip.compress(bytes(5_000_000), 1))
    with pytest.raises(BadInput, match="larger than any run"):
        read_cassette(path)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_a_recording_or_refused(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        path.write_bytes(gzip.compress(json.dumps(HEAD).encode() + b"\n") + content)
        with contextlib.suppress(BadInput):
            assert isinstance(read_cassette(path), Cassette)


values = st.recursive(st.none() | st.booleans() | st.text() | st.integers(), lambda inner: st.lists(inner, max_size=3))


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=50), st.text(), st.dictionaries(st.text(), st.text(), max_size=3), values)
def test_what_is_written_is_what_is_read(body: bytes, text: str, params: dict[str, str], value: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        recorder = Recorder(path)
        request = Request(
            f"http://example.org/{text}", kind="page", params={**params, "half": "\ud800"}, json_body=value
        )
        answer = Answer(URL, 200, {}, body, MOMENT)
        recorder.exchange(request, answer)
        recorder.exchange(request, Unanswered("why", None, body))
        recorder.note("value", value)
        recorder.close()
        run = read_cassette(path)
        assert run.notes == {"value": value}
        replay = ReplayHttp(run)
        assert asyncio.run(replay.send(request)) == answer
        assert asyncio.run(replay.send(request)) == Unanswered("why", None, body)


async def test_requests_of_one_run_may_come_at_the_same_time(server: Misbehaving, http: LiveHttp, path: Path) -> None:
    server.on("/x", reply())
    recorder = Recorder(path)
    recording = RecordingHttp(http, recorder)
    requests = [Request(server.url("/x"), kind="page", params={"n": str(number)}) for number in range(20)]
    recorded = await asyncio.gather(*map(recording.send, requests))
    recorder.close()
    replay = ReplayHttp(read_cassette(path))
    assert list(await asyncio.gather(*map(replay.send, reversed(requests)))) == list(reversed(recorded))
