"""Table 4's kinds of mistakes: the paper's three, which overlap, and the rest by name."""

import datetime as dt

import pytest

from test_result import example
from wkgfc.claim import Veracity
from wkgfc.evaluate.mistakes import MISTAKES, failed
from wkgfc.evaluate.records import ClaimRecord
from wkgfc.state import Action, ExpandKG, GiveVerdict, InitKGRetrieval, Observation, SearchWeb, Step, Trajectory

INIT, EXPAND, SEARCH = InitKGRetrieval(), ExpandKG(), SearchWeb(query="q")
VERDICT, FORCED = GiveVerdict(), GiveVerdict(forced=True)


def record(*actions: Action, stop: str = "verdict", veracity: Veracity | None = Veracity.SUPPORTED) -> ClaimRecord:
    steps = tuple(
        Step(
            number=n,
            action=action,
            observation=Observation(id=f"S{n}", outcome="found", text=""),
            started_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
            seconds=0.1,
        )
        for n, action in enumerate(actions, start=1)
    )
    probabilities = dict.fromkeys(Veracity, 0.1) | ({veracity: 0.7} if veracity else {})
    result = example().model_copy(
        update={
            "trajectory": Trajectory(steps=steps),
            "stop_reason": stop,
            "veracity": veracity,
            "probabilities": probabilities,
        }
    )
    return ClaimRecord(
        id="1",
        claim="c",
        label="REFUTES",
        gold=Veracity.REFUTED,
        two_class=Veracity.REFUTED,
        seconds=0.1,
        result=result,
    )


@pytest.mark.parametrize(
    ("checked", "kinds"),
    [
        (record(INIT, VERDICT), {"over_confidence"}),
        (record(INIT, SEARCH, VERDICT), {"insufficient_kg"}),
        (record(INIT, EXPAND, SEARCH, VERDICT), {"insufficient_kg", "after_expansion"}),
        (record(INIT, SEARCH, EXPAND, VERDICT), {"insufficient_kg"}),
        (record(INIT, SEARCH, SEARCH, FORCED, stop="step_limit"), {"insufficient_kg", "exceeding_steps"}),
        (record(INIT, FORCED, stop="time_limit"), {"exceeding_steps"}),
        (record(INIT, EXPAND, VERDICT), {"only_hops"}),
        (record(INIT, SEARCH, stop="error", veracity=None), {"insufficient_kg", "execution_error"}),
        (record(stop="not_checkable", veracity=None), {"refused"}),
    ],
)
def test_kinds(checked: ClaimRecord, kinds: set[str]) -> None:
    assert {each.name for each in MISTAKES if each.holds(checked)} == kinds


def test_what_counts_as_failed() -> None:
    right = record(INIT, VERDICT, veracity=Veracity.REFUTED)
    wrong, none = record(INIT, VERDICT), record(INIT, stop="error", veracity=None)
    dropped = wrong.model_copy(update={"two_class": None})
    assert failed([right, wrong, none, dropped]) == [wrong, none]
