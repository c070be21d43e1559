"""An agent and no pipeline: over real claims no sequence of actions is nearly the only one."""

import os
from collections import Counter
from pathlib import Path

import pytest

from wkgfc.checker import FactChecker
from wkgfc.config import load_settings
from wkgfc.datasets import read_claims
from wkgfc.kg.builders.wikidata import build_wikidata
from wkgfc.web.corpus import build_corpus

DATA = Path(os.environ.get("WKGFC_TEST_DATA") or Path(__file__).parents[3] / "shared" / "data")
CLAIMS = DATA / "claims" / "fever_val.jsonl.gz"


@pytest.fixture
def checker(tmp_path: Path) -> FactChecker:
    """A checker over the Wikidata subset and the passages of the data folder, built for this test."""
    if not CLAIMS.exists():
        pytest.skip("needs the benchmark data: set WKGFC_TEST_DATA to their folder")
    build_wikidata(DATA / "kg" / "wikidata-subset.nt.gz", tmp_path / "kg")
    build_corpus(DATA / "corpus" / "passages.jsonl.gz", tmp_path / "index")
    return FactChecker(load_settings(kg=str(tmp_path / "kg"), web=str(tmp_path / "index")))


def test_no_sequence_of_actions_covers_more_than_nine_tenths(
    checker: FactChecker, capsys: pytest.CaptureFixture[str]
) -> None:
    ways: Counter[str] = Counter()
    for row in read_claims(CLAIMS, limit=300, seed=1):
        result = checker.check(row.to_claim())
        assert result.trajectory is not None
        ways[" > ".join(step.action.name for step in result.trajectory.steps) or result.stop_reason] += 1
    with capsys.disabled():
        print("\n" + "\n".join(f"{count / 300:.3f}  {way}" for way, count in ways.most_common()))
    assert max(ways.values()) <= 0.9 * ways.total()
