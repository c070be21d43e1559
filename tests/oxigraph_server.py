"""A real SPARQL endpoint on loopback: Oxigraph's own server (the program of the package ``oxigraph``)."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_SCRIPTS = Path(sys.executable).parent


def oxigraph_program() -> str:
    """The program, from beside this Python or from the path; a test that needs it is skipped where it is absent."""
    program = shutil.which("oxigraph", path=str(_SCRIPTS)) or shutil.which("oxigraph")
    if program is None:
        pytest.skip("needs the program of the package oxigraph: pip install oxigraph")
    return program


def free_port() -> int:
    """A port of loopback that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def oxigraph_server(folder: Path, *files: Path) -> Iterator[str]:
    """Serve the N-Triples ``files`` from a store in ``folder``, to read; the URL that takes queries."""
    program, store = oxigraph_program(), folder / "oxigraph"
    subprocess.run(
        [program, "load", "--location", store, *(part for file in files for part in ("--file", file))],
        check=True,
        capture_output=True,
    )
    port = free_port()
    server = subprocess.Popen(
        [program, "serve-read-only", "--location", store, "--bind", f"127.0.0.1:{port}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(server, port)
        yield f"http://127.0.0.1:{port}/query"
    finally:
        server.terminate()
        server.wait(10)


def _wait_for(server: "subprocess.Popen[bytes]", port: int) -> None:
    for _ in range(600):
        assert server.poll() is None, f"oxigraph ended with {server.returncode}"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("oxigraph did not start")
