"""``wkgfc evaluate stats`` and ``multihop``: claims described and made from the command line."""

import gzip
import json
from pathlib import Path

import pytest

from film_world import film_store
from wkgfc.cli.main import run
from wkgfc.datasets import read_claims

RELEASES = Path(__file__).parents[1] / "data" / "releases"


def wkgfc(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The status of the command."""
    monkeypatch.setattr("sys.argv", ["wkgfc", *arguments])
    with pytest.raises(SystemExit) as ended:
        run()
    return int(ended.value.code or 0)


def test_stats_prints_the_papers_table_and_how_each_word_was_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(RELEASES / "averitec.json"), str(RELEASES / "pubhealth.tsv")]
    assert wkgfc(monkeypatch, "evaluate", "stats", *files) == 0
    out = capsys.readouterr().out
    assert "AVeriTeC (paper)" in out
    assert "pubhealth: false → Refuted (1); mixture → Refuted (1); true → Supported (1); unproven → dropped (1)" in out

    assert wkgfc(monkeypatch, "evaluate", "stats", files[1], "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["rows"], row["size"], row["negative_rate"]) == (4, 3, 2 / 3)


def test_what_is_left_out_is_told_and_strict_does_not_begin(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "claims.jsonl"
    rows = [{"id": str(n), "claim": "c", "label": "true" if n < 3 else "so-so"} for n in range(12)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert wkgfc(monkeypatch, "evaluate", "stats", str(path)) == 0
    told = capsys.readouterr().err
    assert "line 4: no set has the label “so-so”" in told
    assert "left out: 4 rows more" in told
    assert wkgfc(monkeypatch, "evaluate", "stats", str(path), "--strict") == 2


def test_multihop_writes_claims_of_each_number_of_hops(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store, out = film_store(tmp_path).path, tmp_path / "multihop.jsonl"
    arguments = ["--kg", str(store), "--out", str(out), "--each", "9", "--seed", "3", "--hops", "2,3"]
    assert wkgfc(monkeypatch, "evaluate", "multihop", *arguments) == 0
    assert "2 hops: 9 claims" in capsys.readouterr().err
    rows = read_claims(out, known_labels=True)
    assert sorted({row.meta["hops"] for row in rows}) == [2, 3]
    assert wkgfc(monkeypatch, "evaluate", "multihop", *arguments) == 2
    assert "is there already" in capsys.readouterr().err
    packed = tmp_path / "multihop.jsonl.gz"
    arguments[3] = str(packed)
    assert wkgfc(monkeypatch, "evaluate", "multihop", *arguments) == 0
    assert gzip.decompress(packed.read_bytes()) == out.read_bytes()  # the same claims again


def test_multihop_without_an_earlier_file_shares_nothing_with_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store, first, second = film_store(tmp_path).path, tmp_path / "first.jsonl.gz", tmp_path / "second.jsonl"
    arguments = ["evaluate", "multihop", "--kg", str(store), "--each", "6", "--hops", "2", "--seed"]
    assert wkgfc(monkeypatch, *arguments, "1", "--out", str(first)) == 0
    assert wkgfc(monkeypatch, *arguments, "2", "--out", str(second), "--without", str(first)) == 0
    one, two = ({row.meta["items"][0] for row in read_claims(path)} for path in (first, second))
    assert two
    assert not one & two
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "1", "claim": "c", "label": "SUPPORTS"}\n', encoding="utf-8")
    out = str(tmp_path / "third.jsonl")
    assert wkgfc(monkeypatch, *arguments, "2", "--out", out, "--without", str(other)) == 2
    assert "no multi-hop claims" in capsys.readouterr().err


def test_multihop_says_what_it_cannot_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = str(tmp_path / "multihop.jsonl")
    assert wkgfc(monkeypatch, "evaluate", "multihop", "--kg", "wikidata", "--out", out) == 2
    assert "no store on this machine" in capsys.readouterr().err
    assert wkgfc(monkeypatch, "evaluate", "multihop", "--hops", "7", "--out", out) == 2
    assert wkgfc(monkeypatch, "evaluate", "multihop", "--kg", str(tmp_path), "--out", out) == 1
