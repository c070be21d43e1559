"""A labelled claim: ``{"id", "claim", "label", "evidence", "date", "speaker", "meta"}``, whatever set it is of."""

import datetime as dt
from typing import Any

from pydantic import BaseModel, ConfigDict

from wkgfc.claim import Claim, Veracity, read_claim
from wkgfc.datasets.labels import TWO_CLASSES, veracity_of


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
        return veracity_of(self.label) if self.label else None

    @property
    def two_class(self) -> Veracity | None:
        """The label in the paper's two classes (section 5.1); ``None``: the row is dropped."""
        veracity = self.veracity
        return TWO_CLASSES[veracity] if veracity is not None else None

    def to_claim(self) -> Claim:
        """The claim to check."""
        return read_claim(self.claim, date=self.date, speaker=self.speaker)
