"""A client of the HTTP API: claims submitted, watched, and their results as Python objects.

>>> with Client("http://127.0.0.1:8765") as client:  # doctest: +SKIP
...     print(client.check("Charlie Chaplin was born in 1889.").veracity)
"""

import datetime as dt
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, cast

import httpx2

from wkgfc.claim import Claim
from wkgfc.errors import BadInput, NotConfigured, UserError
from wkgfc.result import CheckResult
from wkgfc.serve.jobs import LAST, Event, EventKind, State
from wkgfc.serve.refusals import NotNow, NotThere, QueueFull, Stopping

TIMEOUT_S = 30.0
WAIT_S = 30.0  # of one request; longer waits are several
RECONNECT_S = 1.0


@dataclass(frozen=True)
class Submitted:
    """A check of the service. ``result`` is there once it is done; ``error`` says why it failed."""

    id: str
    state: State
    result: CheckResult | None
    error: str | None

    @property
    def has_ended(self) -> bool:
        """Whether nothing more happens to it."""
        return self.state not in ("queued", "running")


class Client:
    """A service at ``address``. Use it in ``with``, or close it.

    Args:
        address: as http://127.0.0.1:8765.
        key: an API key, where the service asks for one.
        timeout_s: seconds for one answer.
        transport: what sends the requests, instead of the network.
    """

    def __init__(
        self,
        address: str,
        key: str | None = None,
        *,
        timeout_s: float = TIMEOUT_S,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx2.Client(
            base_url=address,
            headers=headers,
            timeout=httpx2.Timeout(timeout_s, read=timeout_s + WAIT_S),
            transport=transport,
            trust_env=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def submit(
        self,
        claim: str | Claim,
        *,
        date: dt.date | None = None,
        speaker: str | None = None,
        language: str | None = None,
        wait_s: float = 0.0,
    ) -> Submitted:
        """Have a claim checked. With ``wait_s`` the answer comes when it is done, or after that many seconds.

        Raises:
            QueueFull: as many wait as may; ``retry_after_s`` is when to come again.
            BadInput: it is no claim.
            NotConfigured: the service cannot be reached, asks for a key, or cannot check anything.
        """
        return _submitted(self._call("POST", "/v1/checks", _body(claim, date, speaker, language), wait=wait_s))

    def get(self, check: str) -> Submitted:
        """A check and where it stands. Raises ``NotThere``."""
        return _submitted(self._call("GET", f"/v1/checks/{check}"))

    def wait(self, check: str, timeout_s: float = 300.0) -> Submitted:
        """The check when it has ended.

        Raises:
            NotThere: there is none of that id.
            TimeoutError: it has not ended by then.
        """
        end = time.monotonic() + timeout_s
        seen = 0
        while True:
            for event in self.events(check, after=seen, timeout_s=max(end - time.monotonic(), 0.001)):
                seen = event.seq
            if (found := self.get(check)).has_ended:
                return found
            if time.monotonic() >= end:
                raise TimeoutError(f"the check {check} has not ended after {timeout_s:g} seconds")

    def check(self, claim: str | Claim, *, timeout_s: float = 300.0) -> CheckResult:
        """Have a claim checked and wait for the result.

        Raises:
            TimeoutError: it is not done by then.
            UserError: the check failed or was cancelled; the text says why. What ``submit`` raises, too.
        """
        submitted = self.submit(claim, wait_s=min(timeout_s, WAIT_S))
        if not submitted.has_ended:
            submitted = self.wait(submitted.id, timeout_s)
        if submitted.result is None:
            raise BadInput(submitted.error or f"the check {submitted.id} was {submitted.state}")
        return submitted.result

    def events(self, check: str, *, after: int = 0, timeout_s: float = 300.0) -> Iterator[Event]:
        """What has happened to a check since event ``after``, and what happens, as it happens, until it has ended.

        Where the connection breaks, it goes on after the last event that was seen. It ends when the time is over.

        Raises:
            NotThere: there is no check of that id.
        """
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            try:
                for event in self._stream(check, after, end):
                    after = event.seq
                    yield event
                    if event.kind in LAST:
                        return
                if self.get(check).has_ended:
                    return
            except (httpx2.TransportError, NotConfigured, Stopping):
                if time.monotonic() + RECONNECT_S >= end:
                    return
            time.sleep(min(RECONNECT_S, max(end - time.monotonic(), 0)))

    def cancel(self, check: str) -> Submitted:
        """End a check that waits or runs. Raises ``NotThere``, or ``NotNow`` where it has ended."""
        return _submitted(self._call("DELETE", f"/v1/checks/{check}"))

    def submit_many(self, claims: Sequence[str | Claim]) -> tuple[str, list[str]]:
        """Have several claims checked: the id of the batch, and those of its checks, in order."""
        body = {"claims": [_body(claim, None, None, None) for claim in claims]}
        batch = self._call("POST", "/v1/batches", body)
        return batch["id"], [each["id"] for each in batch["checks"]]

    def verify(self, evidence: str, claim: str) -> dict[str, Any]:
        """What a text says of a claim: ``answer`` (supports, refutes, neither), ``probabilities``, ``sentence``."""
        return self._call("POST", "/v1/verify", {"evidence": evidence, "claim": claim})

    def _call(self, method: str, path: str, body: Any = None, *, wait: float = 0.0) -> dict[str, Any]:
        params = {"wait": f"{wait:g}"} if wait else None
        try:
            answer = self._http.request(method, path, json=body, params=params)
        except httpx2.TransportError as error:
            raise NotConfigured(f"the service at {self._http.base_url} cannot be reached: {error}") from error
        if answer.is_error:
            raise _refusal(answer)
        try:
            return cast("dict[str, Any]", answer.json())
        except ValueError as error:
            raise NotConfigured(f"what is at {self._http.base_url} is not the service: it sent no JSON") from error

    def _stream(self, check: str, after: int, end: float) -> Iterator[Event]:
        """The events of one connection."""
        headers = {"Last-Event-ID": str(after), "Accept": "text/event-stream"}
        with self._http.stream("GET", f"/v1/checks/{check}/events", headers=headers) as answer:
            if answer.is_error:
                answer.read()
                raise _refusal(answer)
            fields: dict[str, str] = {}
            for line in answer.iter_lines():
                if not line:
                    if "data" in fields:
                        yield _event(fields)
                    fields = {}
                elif not line.startswith(":"):
                    name, _, value = line.partition(":")
                    fields[name] = value.removeprefix(" ")
                if time.monotonic() >= end:
                    return


def _body(claim: str | Claim, date: dt.date | None, speaker: str | None, language: str | None) -> dict[str, Any]:
    if isinstance(claim, Claim):
        date, speaker, language = date or claim.date, speaker or claim.speaker, language or claim.language
    given = {"date": date.isoformat() if date else None, "speaker": speaker, "language": language}
    text = claim.text if isinstance(claim, Claim) else claim
    return {"claim": text} | {name: value for name, value in given.items() if value is not None}


def _event(fields: dict[str, str]) -> Event:
    try:
        return Event(int(fields["id"]), cast("EventKind", fields["event"]), json.loads(fields["data"]))
    except (ValueError, KeyError) as error:
        raise BadInput("what answers is not the service: it sent an event that is none") from error


def _submitted(shown: dict[str, Any]) -> Submitted:
    result = shown["result"]
    return Submitted(
        shown["id"], shown["state"], CheckResult.model_validate(result) if result else None, shown["error"]
    )


def _refusal(answer: httpx2.Response) -> UserError:
    """What the service said, as the error that it was there."""
    try:
        said = answer.json()["error"]
        code, message = str(said["code"]), str(said["message"])
    except (ValueError, TypeError, KeyError):
        return NotConfigured(f"what is at {answer.url.host} is not the service: it answered {answer.status_code}")
    match answer.status_code:
        case 404:
            return NotThere(message)
        case 409:
            return NotNow(message)
        case 429:
            wait = answer.headers.get("retry-after", "1")
            return QueueFull(message, int(wait) if wait.isdecimal() else 1)
        case 503 if code == "stopping":
            return Stopping(message)
        case 401 | 503:
            return NotConfigured(message)
        case _:
            return BadInput(message)
