"""What a cell is run on: drawn without holding the file, and told once of what is wrong in it."""

import json
import tracemalloc
from pathlib import Path

import pytest

from wkgfc.datasets import Problem
from wkgfc.errors import BadInput
from wkgfc.evaluate.opening import draw_sample


def write(path: Path, number: int, **more: object) -> Path:
    rows = [{"id": f"claim-{n}", "claim": f"Claim {n}. " + "c" * 200, "label": "true", **more} for n in range(number)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_sample_of_a_long_file_is_drawn_without_holding_it(tmp_path: Path) -> None:
    def peak(number: int) -> int:
        path = write(tmp_path / "c.jsonl", number)
        tracemalloc.start()
        drawn = draw_sample(path, limit=5, seed=1)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert (drawn.sample.rows, len(drawn.rows)) == (number, 5)
        return most

    peak(200)
    assert peak(5_000) < peak(500) + 300_000  # the files differ by more than a megabyte


def test_what_is_wrong_is_told_once(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", 30)
    path.write_text(path.read_text(encoding="utf-8") + "{\n", encoding="utf-8")
    told: list[Problem] = []
    assert len(draw_sample(path, limit=5, seed=1, strict=False, told=told.append).rows) == 5
    assert [problem.line for problem in told] == [31]
    with pytest.raises(BadInput, match="line 31"):
        draw_sample(path, limit=5, seed=1)


def test_claims_without_a_document_are_counted_or_begin_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", 10)
    with pytest.raises(BadInput, match="no claim with a document"):
        draw_sample(path, limit=5, seed=1, kind="grounded")
    document = {"id": "d", "claim": "It is so.", "label": "true", "evidence": [{"text": "It is so."}]}
    path.write_text(path.read_text(encoding="utf-8") + json.dumps(document) + "\n", encoding="utf-8")
    for limit in (None, 5):
        drawn = draw_sample(path, limit=limit, seed=1, kind="grounded", strict=False)
        assert ([row.id for row in drawn.rows], drawn.without_document) == (["d"], 10)
        with pytest.raises(BadInput, match="10 claims have no document"):
            draw_sample(path, limit=limit, seed=1, kind="grounded")
