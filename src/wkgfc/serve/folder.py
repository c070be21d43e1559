"""The folder of a service: which one it is, and that it is no other service's meanwhile."""

from pathlib import Path

from filelock import FileLock, Timeout

from wkgfc.config import Settings
from wkgfc.errors import NotConfigured


def folder_of(settings: Settings) -> Path:
    """Where the service keeps its checks and its keys."""
    return settings.serve_dir or settings.data_dir / "service"


def held(folder: Path) -> FileLock:
    """The folder, held for one service alone until it ends, by whatever.

    Raises:
        NotConfigured: it is another service's, or cannot be written.
    """
    lock = FileLock(folder / "service.lock", timeout=0, thread_local=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise NotConfigured(f"another service uses {folder}: give another --data, or end it first") from None
    except OSError as error:
        raise NotConfigured(f"{folder} cannot be written ({error.strerror}): give another --data") from error
    return lock
