"""What a check returns: the contract (``docs/contract.md``), the same on the command line, in Python and over HTTP."""

import datetime as dt
import json
from typing import Any, Literal

from pydantic import Field

from wkgfc.claim import Checkability, Claim, Veracity
from wkgfc.evidence import Contradiction, EvidenceRecord, Record, Stance
from wkgfc.state import Trajectory
from wkgfc.usage import Usage

CONTRACT_VERSION = "1.3"

StopReason = Literal[
    "verdict",
    "step_limit",
    "time_limit",
    "token_limit",
    "cost_limit",
    "run_limit",
    "not_checkable",
    "error",
    "cancelled",
]


class Sentence(Record):
    """One sentence of a justification, with the ids of the evidence or the observations behind it."""

    text: str
    citations: tuple[str, ...]


class CitedEvidence(Record):
    """One piece of evidence as a reader needs it. ``text`` is the statement in words, or the passage verbatim."""

    id: str
    kind: Literal["triple", "passage"]
    text: str
    source: str
    url: str | None = None
    title: str | None = None
    date: dt.date | None = None
    retrieved_at: dt.datetime | None = None
    stance: Stance | None = None
    consistency: float | None = None
    quote: str | None = None
    corroborated_by: tuple[str, ...] = ()
    used: bool = False


class EarlierCheck(Record):
    """What a fact-checker has said of a claim like this one: their claim, their rating in their words, their page.

    It is shown beside the verdict. Nothing of it is evidence, and no part of the check has seen it.
    """

    claim: str
    claimant: str | None = None
    claimed_on: dt.date | None = None
    rating: str
    publisher: str | None = None
    title: str | None = None
    url: str
    reviewed_on: dt.date | None = None
    language: str | None = None


class SourceVersion(Record):
    """A source that the check could ask, and the version of its data."""

    role: Literal["kg", "web", "reasoner"]
    name: str
    version: str


class CheckResult(Record):
    """The result of one check.

    ``veracity`` is ``None`` where there is none: an error, or a claim that cannot be checked. ``confidence`` is the
    probability that the stated veracity is right, computed from the evidence (docs/confidence.md). ``seconds`` maps
    each kind of action to its time. ``earlier_checks`` are ``None`` where nobody looked for them, or the look-up
    failed.
    """

    contract: str = CONTRACT_VERSION
    claim: Claim
    veracity: Veracity | None
    probabilities: dict[Veracity, float] = {}
    confidence: float | None = Field(default=None, ge=0, le=1)
    justification: tuple[Sentence, ...] = ()
    evidence: tuple[CitedEvidence, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    flags: tuple[str, ...] = ()
    checkability: Checkability = Checkability(is_checkable=True)
    stop_reason: StopReason
    usage: Usage = Usage()
    seconds: dict[str, float] = {}
    errors: tuple[str, ...] = ()
    policy: str = ""
    sources: tuple[SourceVersion, ...] = ()
    earlier_checks: tuple[EarlierCheck, ...] | None = None
    checked_at: dt.datetime
    trajectory: Trajectory | None = None
    graph: EvidenceRecord | None = None

    def to_json(self, *, trace: bool = False) -> dict[str, Any]:
        """The contract's JSON object. The trajectory and the evidence graph are null but for ``trace``."""
        shown = self if trace else self.model_copy(update={"trajectory": None, "graph": None})
        return shown.model_dump(mode="json")

    def _repr_html_(self) -> str:
        """What a notebook shows: verdict, reasons, cited evidence and the picture of the evidence graph."""
        from wkgfc.exports.notebook import result_html  # noqa: PLC0415 - a drawing, which no check needs

        return result_html(self)


class Results(list[CheckResult]):
    """The results of many checks, in the order of their claims: a list, as it is worked with like one.

    >>> import pandas  # doctest: +SKIP
    >>> pandas.DataFrame(results.to_records())  # doctest: +SKIP
    """

    def to_records(self) -> list[dict[str, Any]]:
        """A flat row a result, of texts and numbers alone: the columns of ``exports.notebook.results_table``."""
        from wkgfc.exports.notebook import results_table  # noqa: PLC0415 - a form for others, which no check needs

        return results_table(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: a row a result."""
        from wkgfc.exports.notebook import results_html  # noqa: PLC0415

        return results_html(self)


if __name__ == "__main__":
    print(json.dumps(CheckResult.model_json_schema(mode="serialization"), indent=1))
