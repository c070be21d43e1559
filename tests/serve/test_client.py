"""The Python client against a real service: what it returns, what it raises, and connections that break."""

import datetime as dt
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from scripted_checker import ScriptedChecker
from serving import served
from wkgfc.claim import Veracity, read_claim
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.serve import client as client_module
from wkgfc.serve.api.events import written
from wkgfc.serve.client import Client
from wkgfc.serve.jobs import Event
from wkgfc.serve.keys import KeyRing
from wkgfc.serve.refusals import NotNow, NotThere, QueueFull


@pytest.fixture(autouse=True)
def _gate() -> Iterator[None]:
    ScriptedChecker.gate.clear()
    yield
    ScriptedChecker.gate.set()


def test_a_claim_is_checked_in_a_line(tmp_path: Path) -> None:
    with served(tmp_path) as api, Client(api.address) as client:
        result = client.check("Nepal borders China.")
        assert (result.veracity, result.evidence[0].id) == (Veracity.SUPPORTED, "W1")
        claim = read_claim("Nepal borders China.", date=dt.date(2020, 1, 2), speaker="A")
        submitted = client.submit(claim, wait_s=9)
        assert submitted.result is not None
        assert submitted.result.claim == claim
        _, ids = client.submit_many(["Nepal is.", claim])
        assert [client.wait(check).state for check in ids] == ["done", "done"]
        assert client.verify("The bridge was opened in 1998.", "The bridge was opened in 1998.")["answer"] == "supports"


def test_a_check_is_watched_while_it_runs(tmp_path: Path) -> None:
    with served(tmp_path) as api, Client(api.address) as client:
        check = client.submit("They wait.").id
        kinds = []
        for event in client.events(check):
            kinds.append(event.kind)
            if event.kind == "step_started":
                ScriptedChecker.gate.set()
        assert kinds == ["queued", "started", "step_started", "step", "result"]
        assert client.wait(check).state == "done"


def test_what_the_service_refuses_is_the_same_error_here(tmp_path: Path) -> None:
    with served(tmp_path, serve_queue=1) as api, Client(api.address) as client:
        with pytest.raises(NotThere):
            client.get("nothing")
        with pytest.raises(NotThere):
            client.wait("nothing")
        with pytest.raises(BadInput, match="the claim is empty"):
            client.submit("?!")
        check = client.submit("They wait.", wait_s=0.01).id
        with pytest.raises(TimeoutError):
            client.wait(check, timeout_s=0.05)
        client.submit("Next.")
        with pytest.raises(QueueFull) as full:
            client.submit("One more.")
        assert full.value.retry_after_s >= 1
        assert client.cancel(check).state == "cancelled"
        with pytest.raises(NotNow):
            client.cancel(check)
        with pytest.raises(BadInput, match="TypeError"):
            client.check("They break.")
        key = KeyRing(tmp_path).add("desk")
        with pytest.raises(NotConfigured, match="send an API key"):
            client.get(check)
        with Client(api.address, key) as allowed:
            assert allowed.get(check).state == "cancelled"


def test_a_broken_connection_is_taken_up_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "RECONNECT_S", 0.0)
    asked: list[str] = []

    class Breaking(httpx2.HTTPTransport):
        """Breaks the first two streams after their first bytes."""

        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            answer = super().handle_request(request)
            if "events" not in request.url.path:
                return answer
            asked.append(request.headers["last-event-id"])
            return answer if len(asked) > 2 else httpx2.Response(200, headers=answer.headers, stream=Cut(answer))

    class Cut(httpx2.SyncByteStream):
        def __init__(self, answer: httpx2.Response) -> None:
            self._answer = answer

        def __iter__(self) -> Iterator[bytes]:
            yield next(iter(self._answer.stream))  # type: ignore[arg-type]
            raise httpx2.ReadError("cut")

        def close(self) -> None:
            self._answer.close()

    with served(tmp_path) as api, Client(api.address, transport=Breaking()) as client:
        check = client.submit("They wait.").id
        threading.Timer(0.2, ScriptedChecker.gate.set).start()
        events = list(client.events(check))
        assert [event.seq for event in events] == [1, 2, 3, 4, 5]
        assert asked[0] == "0"
        assert int(asked[1]) >= 1


def test_every_sign_of_a_text_arrives_in_one_event() -> None:
    data = {"text": "".join(map(chr, range(0x3000)))}
    body = written(Event(5, "result", data))
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, content=body))
    with Client("http://x", transport=transport) as client:
        assert list(client.events("a")) == [Event(5, "result", data)]


@pytest.mark.parametrize(
    "answer",
    [
        {"status_code": 200, "text": "<html>"},
        {"status_code": 502, "text": "bad gateway"},
        {"status_code": 404, "json": []},
        {"status_code": 429, "json": {"error": "many"}},
    ],
)
def test_what_is_not_the_service_is_said_to_be_none(answer: dict[str, Any]) -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(**answer))
    with Client("http://other.example", transport=transport) as client, pytest.raises(NotConfigured, match="not the"):
        client.get("a")


def test_a_service_that_is_not_there_is_said_to_be_not() -> None:
    with Client("http://127.0.0.1:9", timeout_s=2) as client, pytest.raises(NotConfigured, match="cannot be reached"):
        client.submit("Nepal borders China.")
