"""Which part lost a claim, from what was needed, what was gathered, and what the searches brought."""

import datetime as dt

import pytest

from test_result import example
from wkgfc.claim import Veracity
from wkgfc.evaluate.losses import LOSSES, lost_at
from wkgfc.evaluate.records import ClaimRecord, Recall
from wkgfc.state import InitKGRetrieval, Observation, SearchWeb, Step, Trajectory

ALL, NONE, HALF = Recall(sentences=1.0, entities=1.0), Recall(entities=0.0), Recall(sentences=0.5)
FOUND, KEPT_NONE, EMPTY = ("found", "8 passages, 2 kept"), ("nothing", "8 passages, 0 kept"), ("nothing", "none")


def record(recall: Recall, *searches: tuple[str, str], veracity: Veracity | None = Veracity.SUPPORTED) -> ClaimRecord:
    def step(number: int, action: InitKGRetrieval | SearchWeb, outcome: str, text: str) -> Step:
        observation = Observation(id=f"S{number}", outcome=outcome, text=text)
        at = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
        return Step(number=number, action=action, observation=observation, started_at=at, seconds=0.1)

    steps = [step(1, InitKGRetrieval(), "found", "3 facts")]
    steps += [step(number, SearchWeb(query="q"), *said) for number, said in enumerate(searches, start=2)]
    result = example().model_copy(update={"trajectory": Trajectory(steps=tuple(steps)), "veracity": veracity})
    return ClaimRecord(
        id="1", claim="c", label="REFUTES", gold=Veracity.REFUTED, two_class=Veracity.REFUTED, seconds=0.1,
        recall=recall, result=result,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("lost", "part"),
    [
        (record(ALL, veracity=None), "no_verdict"),
        (record(NONE, FOUND), "linking"),
        (record(ALL), "judging"),
        (record(Recall(entities=1.0)), "judging"),
        (record(HALF), "stopping"),
        (record(HALF, KEPT_NONE, KEPT_NONE), "grading"),
        (record(HALF, KEPT_NONE, FOUND), "retrieval"),
        (record(HALF, EMPTY), "retrieval"),
        (record(Recall(entities=0.5), KEPT_NONE), "retrieval"),
        (record(Recall(), FOUND), "judging"),
        (record(Recall(), EMPTY), "retrieval"),
    ],
)
def test_each_failed_claim_is_lost_once(lost: ClaimRecord, part: str) -> None:
    assert lost_at(lost) == part
    assert part in LOSSES
