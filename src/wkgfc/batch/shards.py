"""Results of a shard of claims in a file, for who checks on another machine: added to as they come, whole when renamed.

Whoever begins the same shard again, after the one who had it was lost, goes on with what is in the file.
"""

import base64
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from wkgfc.batch.rows import ClaimRow, Outcome

_WHOLE, _PART = ".shard.jsonl", ".shard.part"


class Shard:
    """The file of these claims in ``folder``, which its readers and writers share."""

    def __init__(self, folder: Path, claims: Sequence[ClaimRow]) -> None:
        name = hashlib.sha256(",".join(str(claim.place) for claim in claims).encode()).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        self._whole, self._part = folder / f"{name}{_WHOLE}", folder / f"{name}{_PART}"

    def read(self) -> list[Outcome]:
        """The outcomes that are there. A line that a kill has torn is none."""
        return list(_outcomes(self._whole if self._whole.exists() else self._part))

    def add(self, outcomes: Sequence[Outcome]) -> None:
        """Keep more outcomes, on the disk when this returns."""
        with self._part.open("ab") as file:
            if file.tell() and not _ends_a_line(self._part):
                file.write(b"\n")
            file.writelines(_line(outcome) for outcome in outcomes)
            file.flush()
            os.fsync(file.fileno())

    def finish(self) -> None:
        """Say that all are there."""
        if self._part.exists():
            os.replace(self._part, self._whole)

    def remove(self) -> None:
        """Remove the file: what was in it is kept elsewhere."""
        for path in (self._whole, self._part):
            path.unlink(missing_ok=True)


def left_over(folder: Path) -> Iterator[tuple[Path, list[Outcome]]]:
    """The outcomes in files of shards that an earlier run has left, whole or not, file by file."""
    for path in sorted(folder.glob("*")) if folder.is_dir() else ():
        if path.name.endswith((_WHOLE, _PART)):
            yield path, list(_outcomes(path))


def _line(outcome: Outcome) -> bytes:
    packed = base64.b64encode(outcome.packed).decode() if outcome.packed is not None else None
    return json.dumps(asdict(outcome) | {"packed": packed}, ensure_ascii=False).encode() + b"\n"


def _outcomes(path: Path) -> Iterator[Outcome]:
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                fields = json.loads(line)
                packed = fields.pop("packed")
                yield Outcome(**fields, packed=base64.b64decode(packed, validate=True) if packed else None)
            except (ValueError, TypeError, AttributeError, KeyError):
                continue


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
