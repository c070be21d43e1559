"""The real command over a small graph: killed in the middle of twenty checks it loses none; told to stop, it ends."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from small_world import World
from wkgfc.result import CheckResult
from wkgfc.serve.client import Client

COMMAND = "from wkgfc.cli.main import run; run()"


@contextmanager
def service(world: World, folder: Path) -> Iterator[tuple[subprocess.Popen[str], Client]]:
    """``wkgfc serve`` in a process of its own, ready to check."""
    options = ["--port", "0", "--data", str(folder), "--workers", "1", "--kg", world.kg, "--web", "none"]
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "serve", *options], stderr=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stderr is not None
    try:
        said = []
        for line in process.stderr:
            said.append(line)
            if line.strip() == "ready":
                break
        found = re.search(r"http://127\.0\.0\.1:\d+", "".join(said))
        assert found, said
        with Client(found[0]) as client:
            yield process, client
    finally:
        process.kill()
        process.stderr.close()
        process.wait()


def test_a_kill_in_the_middle_of_twenty_checks_loses_none(world: World, tmp_path: Path) -> None:
    with service(world, tmp_path) as (process, client):
        _, ids = client.submit_many([f"Ada Verne was born in {place}." for place in ("Lyon", "Turin") * 10])
        singles = [client.submit(f"Bo Lind is citizen {number} of Italy.").id for number in range(19)]
        ids = [*dict.fromkeys(ids), *singles]
        assert len(ids) == 21
        client.wait(ids[-3])
        process.send_signal(signal.SIGKILL)
        process.wait()
    with service(world, tmp_path) as (process, client):
        results = [client.wait(check, timeout_s=60) for check in ids]
        assert {each.state for each in results} == {"done"}
        assert all(isinstance(each.result, CheckResult) for each in results)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def test_the_command_says_what_is_wrong_in_a_line(tmp_path: Path) -> None:
    def run(*options: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", COMMAND, "serve", "--data", str(tmp_path / "data"), "--kg", "none", *options],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode != 0
        return done.stderr.strip().splitlines()[-1]

    assert "there is no source of passages 'serpent'" in run("--web", "serpent")
    assert "nothing can listen on 192.0.2.1" in run("--web", "none", "--host", "192.0.2.1", "--port", "0")


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_door_that_is_open_to_others_is_warned_of(
    host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from wkgfc.cli.serve import warn_of_an_open_door
    from wkgfc.config import load_settings
    from wkgfc.serve.keys import KeyRing

    settings = load_settings(serve_dir=tmp_path, serve_host=host)
    warn_of_an_open_door(settings)
    assert "everybody who reaches" in capsys.readouterr().err
    KeyRing(tmp_path).add("desk")
    warn_of_an_open_door(settings)
    warn_of_an_open_door(load_settings(serve_dir=tmp_path / "other"))
    assert capsys.readouterr().err == ""
