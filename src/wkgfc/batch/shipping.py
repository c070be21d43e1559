"""Stores sent to the machines of a cluster that do not have them: packed once, unpacked once a machine."""

import hashlib
import io
import os
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

MAX_BYTES = 8 * 2**30  # of one store: it travels through the memory of both machines


@dataclass(frozen=True)
class Shipped:
    """A store on its way: a name that is that of its content, and where the cluster has its bytes."""

    name: str
    parcel: Any


def packed(store: Path) -> tuple[str, bytes]:
    """A store's folder as one archive, and a name for it.

    Raises:
        ValueError: it is too large to be sent.
    """
    size = sum(file.stat().st_size for file in store.rglob("*") if file.is_file())
    if size > MAX_BYTES:
        raise ValueError(f"{store} has {size:,} bytes, over {MAX_BYTES:,}: mount it on every machine instead")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", strict_timestamps=False) as parcel:
        for file in sorted(store.rglob("*")):
            if file.is_file() and not file.name.endswith(".lock"):
                parcel.write(file, arcname=str(file.relative_to(store)))
    content = archive.getvalue()
    return f"{store.name}-{hashlib.sha256(content).hexdigest()[:16]}", content


def unpacked(name: str, content: bytes, folder: Path | None = None) -> Path:
    """The store's folder on this machine; unpacked by the first process that needs it, while the others wait."""
    place = (folder or Path(tempfile.gettempdir()) / f"wkgfc-stores-{os.getuid()}") / name
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with FileLock(place.with_name(f".{name}.lock")):
        if not place.exists():
            part = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=place.parent))
            with zipfile.ZipFile(io.BytesIO(content)) as parcel:
                parcel.extractall(part)  # writes files only, and none outside of the folder
            os.rename(part, place)
    return place
