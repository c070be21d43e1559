"""What an interruption leaves: a whole file or none, and scores that are gone on with."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from training.verifier.distil import teacher_scores
from training.verifier.pair import NEITHER, Pair, read_pairs, write_pairs
from wkgfc.reasoning.verifier import Verifier

PAIRS = [Pair("", f"Text {number}.", f"Claim {number}.", NEITHER, "test") for number in range(1_500)]


class Teacher:
    """Knows one answer, and is interrupted at a claim."""

    def __init__(self, interrupted_at: str = "") -> None:
        self.interrupted_at, self.asked = interrupted_at, 0

    def score(self, evidence: list[str], claims: list[str]) -> Any:
        if claims == [self.interrupted_at]:
            raise KeyboardInterrupt
        self.asked += 1
        return np.array([[0.5, 0.25, 0.25]])


def test_pairs_whose_making_is_interrupted_leave_no_file(tmp_path: Path) -> None:
    def made() -> Iterator[Pair]:
        yield PAIRS[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_pairs(made(), tmp_path / "pairs.jsonl.gz")

    assert not (tmp_path / "pairs.jsonl.gz").exists()
    assert write_pairs(PAIRS, tmp_path / "pairs.jsonl.gz") == len(PAIRS)
    assert read_pairs(tmp_path / "pairs.jsonl.gz") == PAIRS
    assert [file.name for file in tmp_path.iterdir()] == ["pairs.jsonl.gz"]


def test_a_teacher_that_was_interrupted_is_not_asked_again_for_what_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "scores.npy"
    with pytest.raises(KeyboardInterrupt):
        teacher_scores(cast(Verifier, Teacher("Claim 1200.")), PAIRS, out)
    again = Teacher()

    scores = teacher_scores(cast(Verifier, again), PAIRS, out)

    assert scores.shape == (1_500, 3)
    assert again.asked == 500


def test_scores_whose_writing_is_interrupted_are_those_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "scores.npy"
    teacher_scores(cast(Verifier, Teacher()), PAIRS[:1_000], out)

    def save(file: Any, _: object) -> None:
        file.write(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "save", save)
    with pytest.raises(KeyboardInterrupt):
        teacher_scores(cast(Verifier, Teacher()), PAIRS, out)

    assert np.load(out).shape == (1_000, 3)
