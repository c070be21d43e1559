"""Benchmark claims: files of one JSON object a line, ``{"id", "claim", "label", "evidence", "date", "meta"}``."""

import datetime as dt
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from wkgfc.claim import Claim, Veracity, read_claim
from wkgfc.errors import BadInput

# Every set's own words for a label, in lower case and with spaces for underscores.
VERACITY_OF_LABEL = {
    "supports": Veracity.SUPPORTED,
    "supported": Veracity.SUPPORTED,
    "true": Veracity.SUPPORTED,
    "refutes": Veracity.REFUTED,
    "refuted": Veracity.REFUTED,
    "false": Veracity.REFUTED,
    "not enough info": Veracity.NOT_ENOUGH_EVIDENCE,
    "not enough evidence": Veracity.NOT_ENOUGH_EVIDENCE,
    "neutral": Veracity.NOT_ENOUGH_EVIDENCE,
    "conflicting evidence/cherrypicking": Veracity.CONFLICTING_EVIDENCE,
    "conflicting evidence": Veracity.CONFLICTING_EVIDENCE,
}


class GoldEvidence(BaseModel):
    """A text that the data set gives for a claim."""

    model_config = ConfigDict(frozen=True)

    text: str
    title: str | None = None
    url: str | None = None


class LabelledClaim(BaseModel):
    """One row. ``label`` is the set's own word; ``meta`` is what else the set says of the claim."""

    model_config = ConfigDict(frozen=True)

    id: str
    claim: str
    label: str | None = None
    evidence: tuple[GoldEvidence, ...] = ()
    date: dt.date | None = None
    speaker: str | None = None
    meta: dict[str, Any] = {}

    @property
    def veracity(self) -> Veracity | None:
        """The label as a veracity, where it is one."""
        return VERACITY_OF_LABEL.get(self.label.replace("_", " ").strip().lower()) if self.label else None

    def to_claim(self) -> Claim:
        """The claim to check."""
        return read_claim(self.claim, date=self.date, speaker=self.speaker)


def read_claims(path: Path, *, limit: int | None = None, seed: int | None = None) -> tuple[LabelledClaim, ...]:
    """The rows of a file (plain or gzip). With ``limit``, the first ones, or a seeded sample in the file's order.

    Raises:
        BadInput: the file cannot be read, or a line is no such object; the text names the line.
    """
    rows = tuple(_rows(path))
    if limit is None or limit >= len(rows):
        return rows
    if seed is None:
        return rows[:limit]
    return tuple(rows[index] for index in sorted(random.Random(seed).sample(range(len(rows)), limit)))


def _rows(path: Path) -> Iterator[LabelledClaim]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    yield LabelledClaim.model_validate(json.loads(line))
                except (json.JSONDecodeError, ValidationError) as error:
                    raise BadInput(
                        f"{path}, line {number}: no labelled claim ({str(error).splitlines()[0]})"
                    ) from error
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from error
