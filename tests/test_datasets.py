"""Any file of claims in the data's shape is read; what is no claim is named with its line."""

import gzip
import json
from pathlib import Path

import pytest

from wkgfc.claim import Veracity
from wkgfc.datasets import read_claims
from wkgfc.errors import BadInput


def write(path: Path, rows: list[object]) -> Path:
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["claims.jsonl", "claims.jsonl.gz"])
def test_plain_and_compressed_files_are_read(tmp_path: Path, name: str) -> None:
    row = {"id": "a", "claim": "Berlin is in Germany.", "label": "SUPPORTS", "date": "2020-01-02", "meta": {"x": 1}}
    (claim,) = read_claims(write(tmp_path / name, [row, ""]))
    assert claim.veracity is Veracity.SUPPORTED
    assert claim.to_claim().date is not None
    assert claim.meta == {"x": 1}


def test_the_sets_own_words_are_mapped(tmp_path: Path) -> None:
    words = [
        "NOT ENOUGH INFO",
        "Refuted",
        "true",
        "Conflicting Evidence/Cherrypicking",
        "pants-fire",
        "not_enough_evidence",
    ]
    rows: list[object] = [{"id": str(n), "claim": "c", "label": word} for n, word in enumerate(words)]
    assert [row.veracity for row in read_claims(write(tmp_path / "c.jsonl", rows))] == [
        Veracity.NOT_ENOUGH_EVIDENCE,
        Veracity.REFUTED,
        Veracity.SUPPORTED,
        Veracity.CONFLICTING_EVIDENCE,
        None,
        Veracity.NOT_ENOUGH_EVIDENCE,
    ]


def test_a_sample_is_seeded_and_keeps_the_order(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", [{"id": str(n), "claim": "c"} for n in range(50)])
    sample = [row.id for row in read_claims(path, limit=10, seed=3)]
    assert sample == [row.id for row in read_claims(path, limit=10, seed=3)]
    assert sample == sorted(sample, key=int)
    assert [row.id for row in read_claims(path, limit=2)] == ["0", "1"]


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="line 2"):
        read_claims(write(tmp_path / "c.jsonl", [{"id": "a", "claim": "c"}, "{not json"]))
    with pytest.raises(BadInput, match="line 1"):
        read_claims(write(tmp_path / "d.jsonl", [{"id": "a"}]))


def test_a_file_that_is_not_there_or_cut_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_claims(tmp_path / "absent.jsonl")
    whole = write(tmp_path / "c.jsonl.gz", [{"id": str(n), "claim": "c" * 50} for n in range(100)])
    whole.write_bytes(whole.read_bytes()[:60])
    with pytest.raises(BadInput, match="cannot be read"):
        read_claims(whole)
