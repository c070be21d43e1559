"""An agent and no pipeline: over real claims no sequence of actions is nearly the only one."""

import os
from collections import Counter
from pathlib import Path

import pytest

from wkgfc.checker import FactChecker
from wkgfc.datasets import read_claims

DATA = Path(os.environ.get("WKGFC_TEST_DATA") or Path(__file__).parents[3] / "shared" / "data")
CLAIMS = DATA / "claims" / "fever_val.jsonl.gz"


@pytest.mark.skipif(not CLAIMS.exists(), reason="needs the benchmark claims: set WKGFC_TEST_DATA to their folder")
def test_no_sequence_of_actions_covers_more_than_nine_tenths(
    embedded_checker: FactChecker, capsys: pytest.CaptureFixture[str]
) -> None:
    ways: Counter[str] = Counter()
    for row in read_claims(CLAIMS, limit=300, seed=1):
        result = embedded_checker.check(row.to_claim())
        assert result.trajectory is not None
        ways[" > ".join(step.action.name for step in result.trajectory.steps) or result.stop_reason] += 1
    with capsys.disabled():
        print("\n" + "\n".join(f"{count / 300:.3f}  {way}" for way, count in ways.most_common()))
    assert max(ways.values()) <= 0.9 * ways.total()
