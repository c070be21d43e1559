"""Folders of built data: made whole or not at all, once, and again when what they were built from changes.

A store is a folder with a ``store.json`` that says what it is (``kind``), the version of its layout, what it was built
from (``fingerprint``) and when. It is built beside its place and renamed into it, under a lock that a second process
waits for.
"""

import datetime as dt
import errno
import glob
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from wkgfc.errors import BadInput, NotConfigured

MANIFEST = "store.json"
SWEEPS = 40  # times that leftovers are removed: two seconds

Progress = Callable[[str, int, int | None], None]  # what is done, how much of it, out of how much (None: not known)
Build = Callable[[Path], dict[str, Any]]  # fills a folder; what it returns is kept in the manifest


class Manifest(BaseModel):
    """What ``store.json`` says."""

    model_config = ConfigDict(frozen=True)

    kind: str
    layout: int
    fingerprint: str
    built_at: dt.datetime
    seconds: float
    contents: dict[str, Any] = {}


def silent(_stage: str, _done: int, _total: int | None) -> None:
    """Progress that nobody watches."""


def read_manifest(store: Path, kind: str, layout: int) -> Manifest:
    """What a store says of itself.

    Raises:
        NotConfigured: there is no store at that path, it is another kind's, of another layout, or damaged.
    """
    file = store / MANIFEST
    try:
        manifest = Manifest.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        raise NotConfigured(f"there is no {kind} store at {store}: build one with 'wkgfc {kind} build'") from None
    except NotADirectoryError:
        raise NotConfigured(f"{store} is a file, not a store: build one from it with 'wkgfc {kind} build'") from None
    except (OSError, ValidationError, ValueError) as error:
        raise NotConfigured(f"the store at {store} cannot be read ({_first_line(error)}): build it again") from error
    if manifest.kind != kind:
        raise NotConfigured(f"the store at {store} is a {manifest.kind} store, not a {kind} store")
    if manifest.layout != layout:
        raise NotConfigured(f"the store at {store} was built by another version: build it again")
    return manifest


def build_store(
    store: Path,
    kind: str,
    layout: int,
    fingerprint: str,
    build: Build,
    *,
    replace: bool = True,
    again: bool = False,
    wait: bool = True,
) -> Manifest:
    """Build a store at ``store``, unless one of the same kind, layout and fingerprint is there and not ``again``.

    ``build`` fills a new folder beside ``store``, which is renamed into place when it is whole: whatever ends the
    process before, nothing half built is ever seen. A second process waits and then finds the store built
    (``wait=False``: it is told so and leaves).

    Raises:
        BadInput: another process builds this store and ``wait`` is false, or the place is taken and not ``replace``.
        NotConfigured: the folder cannot be written, or the disk is full.
    """
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(store.with_name(f".{store.name}.lock"), timeout=-1 if wait else 0):
            return _build_locked(store, kind, layout, fingerprint, build, replace=replace, again=again)
    except Timeout:
        raise BadInput(f"another process is building {store}: wait for it") from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NotConfigured(
                f"the disk is full: {store} was not built; make room, or choose another folder"
            ) from error
        if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
            raise NotConfigured(f"{store} cannot be written ({error.strerror}): choose another folder") from error
        if error.errno in (errno.EEXIST, errno.ENOTDIR, errno.ENAMETOOLONG):
            raise NotConfigured(
                f"{store} cannot be made ({error.strerror}): a file is in the way, or the name is too long; "
                "choose another folder"
            ) from error
        raise


def _build_locked(
    store: Path, kind: str, layout: int, fingerprint: str, build: Build, *, replace: bool, again: bool
) -> Manifest:
    try:
        manifest = read_manifest(store, kind, layout)
    except NotConfigured:
        manifest = None
    if manifest is not None and manifest.fingerprint == fingerprint and not again:
        return manifest
    if store.exists() and not replace:
        raise BadInput(f"{store} exists: give another --out, or --replace")
    if store.exists() and not (store / MANIFEST).exists() and any(store.iterdir()):
        raise BadInput(f"{store} exists and is no store: give another folder")
    _sweep(store)
    started = dt.datetime.now(dt.UTC)
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{store.name}.building-", dir=store.parent))
        contents = build(folder)
        manifest = Manifest(
            kind=kind,
            layout=layout,
            fingerprint=fingerprint,
            built_at=started,
            seconds=round((dt.datetime.now(dt.UTC) - started).total_seconds(), 2),
            contents=contents,
        )
        (folder / MANIFEST).write_text(manifest.model_dump_json(indent=1), encoding="utf-8")
        _swap(folder, store)
    finally:
        _sweep(store)
    return manifest


def _swap(folder: Path, store: Path) -> None:
    """Put the finished folder where the store belongs; one that is there goes first, by a rename of its own."""
    os.chmod(folder, 0o755)
    if store.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{store.name}.old-", dir=store.parent))
        os.rename(store, old / "store")
        os.rename(folder, store)
        shutil.rmtree(old, ignore_errors=True)
    else:
        os.rename(folder, store)


def _sweep(store: Path) -> None:
    """Remove what builds that did not end have left. Only the holder of the lock does this.

    Threads of a build that was interrupted may still write for a moment: what comes back is removed again.
    """
    name = glob.escape(store.name)
    for _ in range(SWEEPS):
        left = [folder for kind in ("building", "old") for folder in store.parent.glob(f".{name}.{kind}-*")]
        if not left:
            return
        for folder in left:
            shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.05)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__


def fingerprint_of(*parts: object) -> str:
    """A short stable name for what a store is built from."""
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()[:16]
