"""A whole run in one file: what was asked, what came back, and the same again with the network off.

The file is JSON, a record a line, in gzip: the head, then an exchange for each request, and notes. Each record is a
gzip file of its own, which ``zcat`` reads one after the other: what was written before an interruption can be read.
There are no secrets in it.
"""

import asyncio
import datetime as dt
import gzip
import itertools
import json
import os
import threading
import zlib
from base64 import b64decode, b64encode
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from wkgfc.errors import BadInput
from wkgfc.http.deadline import GRACE_S, remaining_s
from wkgfc.http.keys import described, request_key
from wkgfc.http.redaction import redacted
from wkgfc.http.request import Answer, Http, Request, Unanswered

RESULT = "result"  # the note with what the run returned

_LONGEST_RECORD = 100_000_000  # bytes of one record; a body has a few millions
_LONGEST_FILE = 2_000_000_000  # of all records together
_NOT_RECORDED = "this {kind} request is not in the recording, and the network is off"
_CHANGED: dict[str, str] = {
    "model": ": the prompts, the model, its settings or the evidence are others than then, so record the run again"
}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Head(_Strict):
    """The first record."""

    record: Literal["head"] = "head"
    format: Literal["wkgfc-cassette"] = "wkgfc-cassette"
    version: Literal[1] = 1
    made_at: str


class Exchange(_Strict):
    """A request and what came of it. Of ``text`` and ``base64`` one holds the body.

    An answer has an address and a time, a request without one a reason. ``asked`` counts the requests of the run in
    the order in which they were made, from 0: their answers come, and are written, in another one. ``late``: nobody
    waited for it any more, or the time of the check was over.
    """

    record: Literal["exchange"] = "exchange"
    key: str = Field(pattern="^[0-9a-f]{64}$")
    request: dict[str, Any]
    url: str | None = None
    status: int | None = Field(None, ge=100, le=999)
    headers: dict[str, str] = {}
    text: str | None = None
    base64: str | None = None
    retrieved_at: str | None = None
    from_cache: bool = False
    reason: str | None = None
    asked: int | None = Field(None, ge=0)
    late: bool = False

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        self.outcome()
        return self

    def outcome(self) -> Answer | Unanswered:
        """What came of the request.

        Raises:
            ValueError: the record lacks something.
        """
        if (self.text is None) == (self.base64 is None):
            raise ValueError("one body is needed")
        body = self.text.encode("utf-8") if self.text is not None else b64decode(self.base64 or "", validate=True)
        if self.reason is not None:
            return Unanswered(self.reason, self.status, body)
        if self.url is None or self.status is None or self.retrieved_at is None:
            raise ValueError("an answer has an address, a status and a time")
        moment = dt.datetime.fromisoformat(self.retrieved_at)
        if moment.tzinfo is None:
            raise ValueError("a time has a zone")
        return Answer(self.url, self.status, self.headers, body, moment, self.from_cache)


class Note(_Strict):
    """Something else of the run: its claim, its settings, its result."""

    record: Literal["note"] = "note"
    name: str
    value: Any = None


class Recorder:
    """Writes a cassette. It may be used by several threads.

    Raises:
        BadInput: the file is there already, or cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._asked = itertools.count()
        try:
            self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        except FileExistsError as error:
            raise BadInput(f"{path} is there already; record to another file") from error
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {error.strerror}") from error
        self._write(Head(made_at=dt.datetime.now(dt.UTC).isoformat()))

    def asking(self) -> int:
        """The place of a request that is about to be made among all of the run."""
        return next(self._asked)

    def exchange(
        self, request: Request, outcome: Answer | Unanswered, asked: int | None = None, *, late: bool = False
    ) -> None:
        """Write what came of ``request``, which had the place ``asked`` (``asking``); see ``Exchange``."""
        clean = redacted(request, outcome)
        text, encoded = _as_text(clean.body)
        key, described_request = request_key(request), described(request)
        if isinstance(clean, Unanswered):
            reason = clean.reason.encode("utf-8", "replace").decode("utf-8")
            self._write(
                Exchange(
                    key=key,
                    request=described_request,
                    status=clean.status,
                    reason=reason,
                    text=text,
                    base64=encoded,
                    asked=asked,
                    late=late,
                )
            )
            return
        self._write(
            Exchange(
                key=key,
                request=described_request,
                asked=asked,
                url=clean.url,
                status=clean.status,
                headers=dict(clean.headers),
                retrieved_at=clean.retrieved_at.isoformat(),
                from_cache=clean.from_cache,
                text=text,
                base64=encoded,
            )
        )

    def note(self, name: str, value: Any) -> None:
        """Write something else of the run, as JSON; of several notes of one name the last one counts."""
        self._write(Note(name=name, value=value))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    def _write(self, record: BaseModel) -> None:
        # Not pydantic's own JSON: what was asked may hold half a surrogate pair, which that refuses.
        fields = {name: value for name, value in record.model_dump().items() if value is not None}
        line = json.dumps(fields, ensure_ascii=True)
        packed = gzip.compress(line.encode("ascii") + b"\n", 6, mtime=0)
        with self._lock:
            self._file.write(packed)
            self._file.flush()


class RecordingHttp:
    """Sends through ``inner`` and writes down what came of it."""

    def __init__(self, inner: Http, recorder: Recorder) -> None:
        self._inner, self._recorder = inner, recorder

    async def send(self, request: Request) -> Answer | Unanswered:
        """As ``inner`` does."""
        asked = self._recorder.asking()
        try:
            outcome = await self._inner.send(request)
        except asyncio.CancelledError:  # whoever waited has stopped, and will stop in a replay
            self._recorder.exchange(request, Unanswered("the answer was not waited for"), asked, late=True)
            raise
        self._recorder.exchange(request, outcome, asked, late=remaining_s() == 0.0)
        return outcome


class Cassette:
    """A cassette that was read.

    ``is_complete``: false where its last record was being written when the run was interrupted. ``is_finished``: it has
    the result of the run.
    """

    def __init__(self, exchanges: list[Exchange], notes: Mapping[str, Any], made_at: str, is_complete: bool) -> None:
        self.exchanges, self.notes, self.made_at, self.is_complete = exchanges, notes, made_at, is_complete
        self.is_finished = RESULT in notes


class ReplayHttp:
    """Answers from a cassette, and asks nobody.

    A request that was recorded several times gets its answers in the order in which it was made, and the last one from
    then on. What came too late then comes too late again, when the time of the check is over: whoever did not wait for
    it does not now, and the steps are the same. Of a run that was interrupted nobody waits for anything.
    """

    def __init__(self, cassette: Cassette) -> None:
        self._lock = threading.Lock()
        self._waits = cassette.is_finished
        self._exchanges: dict[str, deque[Exchange]] = defaultdict(deque)
        for exchange in sorted(cassette.exchanges, key=lambda exchange: exchange.asked or 0):
            self._exchanges[exchange.key].append(exchange)

    async def send(self, request: Request) -> Answer | Unanswered:
        """What came of the request when it was recorded."""
        with self._lock:
            exchanges = self._exchanges.get(request_key(request))
            if not exchanges:
                return Unanswered(_NOT_RECORDED.format(kind=request.kind) + _CHANGED.get(request.kind, ""))
            exchange = exchanges.popleft() if len(exchanges) > 1 else exchanges[0]
        if exchange.late and self._waits and (left_s := remaining_s()) is not None:
            await asyncio.sleep(left_s + GRACE_S)
        return exchange.outcome()


def read_cassette(path: Path) -> Cassette:
    """Read a cassette.

    Raises:
        BadInput: it cannot be read, is none, is damaged, or is of a version that this program does not know.
    """
    exchanges: list[Exchange] = []
    notes: dict[str, Any] = {}
    head: Head | None = None
    is_complete = True
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(_lines(file)):
                if line is None:
                    is_complete = False
                    break
                record = _record(line, number)
                if isinstance(record, Head):
                    head = record
                elif isinstance(record, Note):
                    notes[record.name] = record.value
                else:
                    exchanges.append(record)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError, zlib.error) as error:
        raise BadInput(f"{path} is no recording, or a damaged one: {error}") from error
    if head is None:
        raise BadInput(f"{path} is no recording, or a damaged one: it has no head")
    return Cassette(exchanges, notes, head.made_at, is_complete)


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """The records as bytes; None in place of a last one that ends too early.

    Raises:
        zlib.error, ValueError: it is no gzip, or larger than any run.
    """
    total, data = 0, file.read(65536)
    while data:
        member, line = zlib.decompressobj(zlib.MAX_WBITS | 16), bytearray()
        while not member.eof:
            if not data:
                yield None
                return
            line += member.decompress(data, _LONGEST_RECORD + 1 - len(line))
            total += 0 if not member.eof else len(line)
            if len(line) > _LONGEST_RECORD or total > _LONGEST_FILE:
                raise ValueError("it is larger than any run")
            data = member.unused_data if member.eof else member.unconsumed_tail
            data = data or file.read(65536)
        yield bytes(line)


def _record(line: bytes, number: int) -> Head | Exchange | Note:
    """One record, of which the first is the head.

    Raises:
        ValueError: it is none.
    """
    data = json.loads(line.decode("utf-8"))
    kinds: dict[str, type[Head | Exchange | Note]]
    kinds = {"head": Head} if number == 0 else {"exchange": Exchange, "note": Note}
    name = data.get("record") if isinstance(data, dict) else None
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"record {number + 1} is of no kind that belongs there")
    if kind is Head and data.get("version") != 1:
        raise ValueError(f"it has version {str(data.get('version'))[:20]!a}, and this program reads version 1")
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"]) or name
        raise ValueError(f"record {number + 1}: {place} is not as it was written") from None


def _as_text(body: bytes) -> tuple[str | None, str | None]:
    """The body as text, where it is some, and else in base64."""
    try:
        return body.decode("utf-8"), None
    except UnicodeDecodeError:
        return None, b64encode(body).decode("ascii")
