"""Is a wheel the same file, byte for byte, wherever and whenever it is built?

    python benchmarks/wheels.py

The sources that git has are copied into two folders with other times and other modes, a wheel is built in each at two
different seconds, and the hashes are printed. Status 1 where they differ. It takes pip and its index.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
EPOCH = "1767225600"  # 1 January 2026: SOURCE_DATE_EPOCH, as a release sets it to the time of its last commit
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "src")


def main() -> int:
    """Build twice and compare."""
    with tempfile.TemporaryDirectory() as folder:
        wheels = [_built(Path(folder) / name, mode, time) for name, mode, time in (("a", 0o644, 0), ("b", 0o600, 9e8))]
        hashes = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels]
        for wheel, digest in zip(wheels, hashes, strict=True):
            with zipfile.ZipFile(wheel) as archive:
                print(f"{digest}  {wheel.name}  {wheel.stat().st_size:,} bytes, {len(archive.namelist())} files")
    print("the same" if len(set(hashes)) == 1 else "not the same")
    return 0 if len(set(hashes)) == 1 else 1


def _built(folder: Path, mode: int, time: float) -> Path:
    """A wheel of a copy of the sources in ``folder``, whose files have that mode and that time."""
    tracked = subprocess.run(
        ["git", "ls-files", "-z", *SOURCES], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, tracked.split("\0")):
        if not (ROOT / name).is_file():
            continue
        copy = folder / "sources" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, copy)
        copy.chmod(mode)
        os.utime(copy, (time, time))
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            str(folder),
            str(folder / "sources"),
        ],
        check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


if __name__ == "__main__":
    sys.exit(main())
