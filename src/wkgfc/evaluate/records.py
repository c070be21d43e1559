"""What is kept of each checked claim: one JSON object a line, only ever appended to, so that a kill loses one line."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wkgfc.claim import Veracity
from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput
from wkgfc.evaluate.needed import needed_for
from wkgfc.evidence import Record
from wkgfc.metrics import Prediction, evidence_recall, gathered_by
from wkgfc.result import CheckResult

RESULTS = "results.jsonl"
LETTERS = {"initKGRetrieval": "I", "expandKG": "E", "webSearch": "S", "verdict": "V"}


class Recall(Record):
    """The shares of the gold pages, sentences and entities that were gathered, where the set names any."""

    pages: float | None = None
    sentences: float | None = None
    entities: float | None = None


class ClaimRecord(Record):
    """A claim of the set with what a method said of it, and the seconds that it took.

    ``gold`` is the label as a veracity, ``two_class`` in the paper's two classes. The result has its trajectory; the
    evidence graph is left out, as the evidence is there.
    """

    id: str
    claim: str
    label: str | None
    gold: Veracity | None
    two_class: Veracity | None
    seconds: float
    recall: Recall = Recall()
    result: CheckResult

    @property
    def way(self) -> str:
        """The sequence of actions, a letter each: Init, Expand, Search, Verdict; without any the reason of its end."""
        steps = self.result.trajectory.steps if self.result.trajectory else ()
        return "".join(LETTERS[step.action.name] for step in steps) or self.result.stop_reason

    def prediction(self, gold: Veracity) -> Prediction:
        """As the scores take it."""
        failed = self.result.veracity is None
        unchecked = self.result.stop_reason == "not_checkable"
        unparsed = any("no usable answer" in error for error in self.result.errors)
        failure = "not_checkable" if unchecked else "parse" if unparsed else "error"
        return Prediction(
            gold=gold,
            veracity=self.result.veracity,
            probabilities=self.result.probabilities or None,
            confidence=self.result.confidence,
            failure=failure if failed else None,  # type: ignore[arg-type]
        )


def record_of(row: LabelledClaim, result: CheckResult, seconds: float) -> ClaimRecord:
    """What is kept of a check."""
    recall = evidence_recall(needed_for(row), gathered_by(result))
    return ClaimRecord(
        id=row.id,
        claim=row.claim,
        label=row.label,
        gold=row.veracity,
        two_class=row.two_class,
        seconds=round(seconds, 4),
        recall=Recall(pages=recall.pages, sentences=recall.sentences, entities=recall.entities),
        result=result.model_copy(update={"graph": None}),
    )


class Results:
    """The results of a cell on disk."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / RESULTS

    def finished(self) -> frozenset[str]:
        """The ids of the claims that are done. A last line that was torn by a kill is cut off.

        Raises:
            BadInput: a line within the file is no record of this version.
        """
        self._cut_torn_line()
        return frozenset(record["id"] for record in self._lines())

    def append(self, line: str) -> None:
        """Add a record, whole or not at all."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def read(self) -> Iterator[ClaimRecord]:
        """All records, in the order in which they were made.

        Raises:
            BadInput: a line is no record of this version.
        """
        for number, record in enumerate(self._lines(), start=1):
            try:
                yield ClaimRecord.model_validate(record)
            except ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]
                where = ".".join(map(str, first["loc"]))
                raise BadInput(f"{self.path}, line {number}: no record of this version ({where})") from error

    def _lines(self) -> Iterator[dict[str, Any]]:
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    record = json.loads(line)
                    if not isinstance(record, dict) or "id" not in record:
                        raise ValueError("no record")
                except ValueError as error:
                    raise BadInput(
                        f"{self.path}, line {number}: it is damaged; delete the file to begin anew"
                    ) from error
                yield record

    def _cut_torn_line(self) -> None:
        if not self.path.exists():
            return
        with self.path.open("r+b") as file:
            size = file.seek(0, os.SEEK_END)
            end = size
            while end > 0:
                start = max(0, end - 65_536)
                file.seek(start)
                place = file.read(end - start).rfind(b"\n")
                if place >= 0:
                    end = start + place + 1
                    break
                end = start
            if end < size:
                file.truncate(end)


def in_order(records: Sequence[ClaimRecord], rows: Sequence[LabelledClaim]) -> list[ClaimRecord]:
    """The records in the order of the claims."""
    by_id = {record.id: record for record in records}
    return [by_id[row.id] for row in rows if row.id in by_id]
