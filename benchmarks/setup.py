"""What a new user waits for and what it takes on the disk: install, set-up, the first check, later ones, the help.

    python benchmarks/setup.py              # with the environment that runs it
    python benchmarks/setup.py --install    # also installs the project into a new environment, and uses that

Everything is made in a temporary folder and removed.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from rich.console import Console
from rich.table import Table

PROJECT = Path(__file__).parents[1]
CLAIM = "Charlie Chaplin was born in 1889."
LATER = """
import statistics, time
from wkgfc import FactChecker
checker = FactChecker()
claims = ["Nepal borders China.", "Gold has the atomic number 79.", "Paris is the capital of Italy.",
          "Isaac Newton was a painter.", "Russia is larger than Canada.", "The Nile flows through Egypt.",
          "Marie Curie was born in Warsaw.", "Brazil has two official languages.", "Mercury is a planet.",
          "The Eiffel Tower was built in 1950."]
seconds = []
for claim in ["The Earth is a planet.", *claims]:
    started = time.perf_counter()
    checker.check(claim)
    seconds.append(time.perf_counter() - started)
print(seconds[0], statistics.median(seconds[1:]))
"""


def main() -> None:
    """Measure each stage and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="install into a new environment first")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows: dict[str, tuple[float, float | None]] = {}
    with tempfile.TemporaryDirectory(prefix="wkgfc-setup-") as name:
        folder = Path(name)
        programs = Path(sys.executable).parent
        if arguments.install:
            venv.create(folder / "venv", with_pip=True)
            programs = folder / "venv" / "bin"
            seconds = timed([str(programs / "pip"), "install", "--quiet", str(PROJECT)])
            rows["install"] = (seconds, megabytes(folder / "venv"))
        environment = {**os.environ, "WKGFC_DATA_DIR": str(folder / "data"), "WKGFC_CONFIG": str(folder / "none.toml")}
        command = str(programs / "wkgfc")
        rows["set-up: embedded stores and the first verdict"] = (
            timed([command, "check", CLAIM], environment),
            megabytes(folder / "data"),
        )
        again = [timed([command, "check", CLAIM], environment) for _ in range(3)]
        rows["a check in a new process"] = (statistics.median(again), None)
        output = subprocess.run(
            [str(programs / "python"), "-c", LATER], env=environment, check=True, capture_output=True, text=True
        ).stdout
        first, later = map(float, output.split())
        rows["the first check in a process, imports apart"] = (first, None)
        rows["later checks in one process, median"] = (later, None)
        rows["--help"] = (statistics.median(timed([command, "--help"], environment) for _ in range(5)), None)
    if arguments.json:
        print(json.dumps({stage: {"seconds": row[0], "megabytes": row[1]} for stage, row in rows.items()}, indent=1))
        return
    table = Table("stage", "seconds", "megabytes", box=None, pad_edge=False)
    for stage, (seconds, size) in rows.items():
        table.add_row(stage, f"{seconds:.2f}", "" if size is None else f"{size:,.0f}")
    Console().print(table)


def timed(command: list[str], environment: dict[str, str] | None = None) -> float:
    """Seconds that a command takes; it must succeed."""
    started = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started


def megabytes(folder: Path) -> float:
    """Size of all files below a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink()) / 1e6


if __name__ == "__main__":
    main()
