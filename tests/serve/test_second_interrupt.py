"""Ctrl-C, and once more: the second one waits for nothing."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from wkgfc.serve.client import Client
from wkgfc.serve.jobs import Jobs

COMMAND = """
import sys
from functools import partial
from pathlib import Path
from scripted_checker import ScriptedChecker
from wkgfc.config import load_settings
from wkgfc.serve import app, running

running.make_app = partial(app.make_app, open_checker=ScriptedChecker)
folder, workers = Path(sys.argv[1]), int(sys.argv[2])
running.run_service(load_settings(serve_dir=folder, serve_workers=workers, serve_port=0, serve_shutdown_s=3_600))
"""


@pytest.mark.parametrize("workers", [0, 1])
def test_a_second_interrupt_does_not_wait_for_what_runs(workers: int, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, str(tmp_path), str(workers)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "WKGFC_CONFIG": str(tmp_path / "none.toml")},
        stderr=subprocess.PIPE,
        text=True,
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
            check = client.submit("They wait.").id
            for event in client.events(check):
                if event.kind == "step_started":
                    break
        process.send_signal(signal.SIGINT)
        while is_ready(found[0]):
            pass
        assert process.poll() is None  # it waits for the check
        process.send_signal(signal.SIGINT)
        process.wait(120)
    finally:
        process.kill()
        process.stderr.close()
    jobs = Jobs(tmp_path / "checks.sqlite")
    assert jobs.get(check).state == "queued"  # and is checked at the next start
    jobs.close()


def is_ready(address: str) -> bool:
    try:
        return httpx2.get(f"{address}/readyz", timeout=20, trust_env=False).status_code == 200
    except httpx2.TransportError:
        return False
