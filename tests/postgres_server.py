"""A real PostgreSQL server from the machine's packages, in a folder of its own, on a socket there: no network."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGES = Path("/usr/lib/postgresql")  # where Debian puts the versions
USER = "postgres"  # the server refuses to run as root
PORT = 54329  # of the socket's name alone


def binaries() -> Path | None:
    """The newest server that is installed."""
    found = sorted(PACKAGES.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a server and give the address of an empty database."""
    programs = binaries()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="wkgfc-postgres-", dir="/tmp"))
    is_root = os.geteuid() == 0
    if is_root:
        owner = pwd.getpwnam(USER)
        os.chown(folder, owner.pw_uid, owner.pw_gid)

    def run(program: str, *arguments: str) -> None:
        command = [str(programs / program), *arguments]
        subprocess.run(
            command, check=True, user=USER if is_root else None, group=USER if is_root else None, cwd=folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, extra_groups=[] if is_root else None,
        )  # fmt: skip

    data = folder / "data"
    try:
        run(
            "initdb", "--pgdata", str(data), "--username", "wkgfc", "--auth", "trust", "--no-sync", "--encoding", "UTF8"
        )
        options = f"-k {folder} -p {PORT} -c listen_addresses= -c fsync=off"
        run("pg_ctl", "start", "--pgdata", str(data), "--wait", "--options", options, "--log", str(folder / "log"))
        try:
            yield f"postgresql://wkgfc@/postgres?host={folder}&port={PORT}"
        finally:
            run("pg_ctl", "stop", "--pgdata", str(data), "--mode", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
