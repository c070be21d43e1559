"""Pages read in processes of their own, which end when their time is over.

Parsers of HTML and PDF can be made to run for minutes and to take any memory by a page that is written for it, and a
thread cannot be ended from outside. So each page goes through a pipe to a child that knows nothing of this process (no
keys in its environment), has a limit on its memory, and is killed at the time limit. Children are kept for the next
page: they take a second to start.

The child is this module (``python -m wkgfc.web.reader``). It reads a line of JSON with the length of the content, then
the content, and answers with a line of JSON; at the end of its input it ends.
"""

import asyncio
import dataclasses
import datetime as dt
import json
import logging
import os
import subprocess
import sys
import threading
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from wkgfc.state import Failed
from wkgfc.web.barriers import Barrier
from wkgfc.web.content import DEFAULT_LIMITS, Content, Limits, read_content
from wkgfc.web.encoding import Unreadable

PROCESSES = 2
TIMEOUT_S = 20.0
MEMORY_BYTES = 2_000_000_000  # addresses of the child: the libraries take a quarter of it

_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class Reader:
    """Reads pages in at most ``processes`` children; a page that takes more than ``timeout_s`` seconds fails.

    It may be used from several event loops. The children are ended by ``close``, or with this object.
    """

    def __init__(
        self,
        *,
        processes: int = PROCESSES,
        timeout_s: float = TIMEOUT_S,
        memory_bytes: int = MEMORY_BYTES,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._timeout_s, self._memory_bytes, self._limits = timeout_s, memory_bytes, limits
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="wkgfc-reader")
        self._idle: list[subprocess.Popen[bytes]] = []
        self._lock = threading.Lock()
        self._finalizer = weakref.finalize(self, _end, self._threads, self._idle)

    async def read(self, content: bytes, content_type: str, url: str) -> Content | Failed:
        """The text of an answer, see ``read_content``.

        ``Failed`` gives the kind of the failure first: that of a barrier (``paywall: …``), or ``unreadable: …``.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._read, content, content_type, url)

    def close(self) -> None:
        """End the children. Pages that are being read fail."""
        self._finalizer()

    def _read(self, content: bytes, content_type: str, url: str) -> Content | Failed:
        with self._lock:
            child = self._idle.pop() if self._idle else None
        child = child or self._start()
        timed_out = threading.Event()

        def end() -> None:
            timed_out.set()
            child.kill()

        timer = threading.Timer(self._timeout_s, end)
        timer.start()
        try:
            answer = _ask(child, content, content_type, url, self._limits)
        finally:
            timer.cancel()
            timer.join()
        if answer is not None and not timed_out.is_set():
            with self._lock:
                self._idle.append(child)
            return _from_json(answer)
        status = _end_child(child)
        if timed_out.is_set():
            return Failed(f"unreadable: not read within {self._timeout_s:g} s")
        return Failed(f"unreadable: it broke the process that read it (status {status})")

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        command = [sys.executable, "-P", "-m", "wkgfc.web.reader", str(self._memory_bytes)]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)


def _end(threads: ThreadPoolExecutor, idle: list[subprocess.Popen[bytes]]) -> None:
    threads.shutdown(wait=False, cancel_futures=True)
    while idle:
        _end_child(idle.pop())


def _end_child(child: subprocess.Popen[bytes]) -> int:
    """Kill it, if it lives, and give its status."""
    child.kill()
    status = child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):  # what was still to be written has no reader any more
                pipe.close()
    return status


def _ask(
    child: subprocess.Popen[bytes], content: bytes, content_type: str, url: str, limits: Limits
) -> dict[str, Any] | None:
    """What the child says of a page; ``None``: it has ended."""
    if child.stdin is None or child.stdout is None:
        raise AssertionError("the child was started with pipes")
    job = {"length": len(content), "type": content_type, "url": url, "limits": dataclasses.asdict(limits)}
    try:
        child.stdin.write(json.dumps(job).encode() + b"\n" + content)
        child.stdin.flush()
    except (BrokenPipeError, ConnectionError):
        return None
    line = child.stdout.readline()
    if not line.endswith(b"\n"):
        return None
    answer: dict[str, Any] = json.loads(line)
    return answer


def _from_json(answer: dict[str, Any]) -> Content | Failed:
    if "failed" in answer:
        return Failed(answer["failed"])
    for name in ("date", "earliest"):
        answer[name] = dt.date.fromisoformat(answer[name]) if answer[name] else None
    return Content(**answer)


# In the child


def _serve(memory_bytes: int) -> None:
    _limit_memory(memory_bytes)
    logging.disable()
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    jobs = sys.stdin.buffer
    while line := jobs.readline():
        job = json.loads(line)
        answers.write(json.dumps(_answer(job, jobs.read(job["length"]))).encode() + b"\n")
        answers.flush()


def _answer(job: dict[str, Any], content: bytes) -> dict[str, Any]:
    try:
        read = read_content(content, job["type"], job["url"], Limits(**job["limits"]))
    except Unreadable as error:
        return {"failed": f"unreadable: {error}"}
    except MemoryError:
        return {"failed": "unreadable: it takes more memory than a page may"}
    except RecursionError:
        return {"failed": "unreadable: it is nested too deeply"}
    if isinstance(read, Barrier):
        return {"failed": str(read)}
    answer = dataclasses.asdict(read)
    for name in ("date", "earliest"):
        answer[name] = answer[name].isoformat() if answer[name] else None
    return answer


def _limit_memory(memory_bytes: int) -> None:
    try:
        import resource  # noqa: PLC0415 - of POSIX systems only
    except ImportError:
        return
    try:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    except (ValueError, OSError):  # a system that does not know this limit, or has a lower one
        return


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
