"""Claims read from a file: every form, in bounded memory, and what is no claim as a row with its line."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow  # type: ignore[import-untyped, unused-ignore]
import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.batch.about import about
from wkgfc.batch.claims_in import MAX_ID_CHARACTERS, digest_of, read_claims
from wkgfc.batch.rows import ClaimRow
from wkgfc.errors import BadInput

ROWS: list[dict[str, Any]] = [
    {"id": "a", "claim": "Ada Verne was born in Lyon.", "date": "2019-05-01", "speaker": "Bo Lind", "language": "en"},
    {"id": 7, "claim": "Lyon is in France."},
]
READ = [
    ClaimRow(0, 1, "a", "Ada Verne was born in Lyon.", "2019-05-01", "Bo Lind", "en"),
    ClaimRow(1, 2, "7", "Lyon is in France."),
]


def jsonl(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_json_lines(tmp_path: Path) -> None:
    assert list(read_claims(jsonl(tmp_path / "c.jsonl", ROWS))) == READ


def test_packed(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, ROWS)).encode()))
    assert list(read_claims(path)) == READ


def test_a_table_with_commas(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["id", "claim", "date", "speaker", "language"])
        writer.writeheader()
        writer.writerows(ROWS)
    read = list(read_claims(path))
    assert [(row.id, row.text, row.date, row.speaker) for row in read] == [
        ("a", "Ada Verne was born in Lyon.", "2019-05-01", "Bo Lind"),
        ("7", "Lyon is in France.", None, None),
    ]
    assert [row.line for row in read] == [2, 3]


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    rows = [{**row, "id": str(row["id"])} for row in ROWS]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    assert list(read_claims(path)) == READ
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BadInput, match="cannot be read as Parquet"):
        list(read_claims(path))


def test_the_claim_in_another_column_and_rows_without_ids(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "c.jsonl", [{"statement": "Lyon is in France."}])
    assert list(read_claims(path, column="statement")) == [ClaimRow(0, 1, "line 1", "Lyon is in France.")]
    with pytest.raises(BadInput, match="no column “claim” among statement: name it with --column"):
        list(read_claims(path))


def test_a_table_of_one_column_and_one_whose_first_has_no_name(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("claim\nLyon is in France.\n", encoding="utf-8")
    assert [row.text for row in read_claims(path)] == ["Lyon is in France."]
    path.write_text("\tclaim\tdate\n0\tLyon is in France.\t2019-05-01\n", encoding="utf-8")
    assert [(row.text, row.date) for row in read_claims(path)] == [("Lyon is in France.", "2019-05-01")]


def test_a_file_that_was_cut_says_so_behind_its_last_row(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"claim": f"Claim {number} of them all."}) + "\n" for number in range(3_000))
    path = tmp_path / "c.jsonl.gz"
    path.write_bytes(gzip.compress(lines.encode(), mtime=0)[:-2_000])
    *_, last = read_claims(path)
    assert (last.line, last.id) == (last.place + 1, f"line {last.line}")
    assert "cannot be read to its end" in (last.problem or "")


@pytest.mark.parametrize(
    ("date", "read"), [("20190501", "2019-05-01"), ("2019-05-01T10:00:00Z", "2019-05-01"), (1611120456, None)]
)
def test_days_and_what_is_none(tmp_path: Path, date: object, read: str | None) -> None:
    path = jsonl(tmp_path / "c.jsonl", [{"claim": "Lyon is in France.", "date": date}])
    assert [row.date for row in read_claims(path)] == [read]


def test_another_way_of_reading_is_other_claims(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "c.jsonl", [{"claim": "Lyon is in France."}])
    digests = {digest_of(path), digest_of(path, column="text"), digest_of(path, format="fever")}
    assert len(digests) == 3


def test_a_benchmark_set_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "triples.tsv"
    rows = [{"claim": "Lyon is in France.", "label": "Supported", "claim_date": "25-8-2020", "questions": []}]
    read = list(read_claims(jsonl(tmp_path / "averitec.json", rows), format="averitec"))
    assert read[0].date == "2020-08-25"
    path.write_text("nothing here\n", encoding="utf-8")
    with pytest.raises(BadInput, match="neither JSON nor a table"):
        list(read_claims(path))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('{"id": 1, "claim": ""}', "is empty"),
        ('{"id": 1, "claim": "…"}', "no claim in"),
        ('{"id": 1, "claim": 5}', "no claim in"),
        ('{"id": 1}', "is empty"),
        ('{"id": 1, "claim": ', "no JSON"),
        ("[1, 2]", "no JSON object"),
        ('{"id": [1], "claim": "Lyon is in France."}', "neither text nor a number"),
        ('{"id": "' + "x" * (MAX_ID_CHARACTERS + 1) + '", "claim": "Lyon is in France."}', "characters"),
        ('{"id": 1, "claim": "Lyon is in France.", "date": "soon"}', "is no date"),
        ('{"id": 1, "claim": "Lyon is in France.", "speaker": {"a": 1}}', "no short text"),
        ('{"id": 1, "claim": "Lyon \\ud800 is in France."}', "half a surrogate pair"),
        ('{"id": 1, "claim": "' + "Lyon " * 3_000 + '"}', "over 2,000"),
    ],
)
def test_what_is_no_claim_is_a_row_with_its_line(tmp_path: Path, row: str, reason: str) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps(ROWS[0]) + "\n" + row + "\n" + json.dumps(ROWS[1]) + "\n", encoding="utf-8")
    read = list(read_claims(path))
    assert [each.place for each in read] == [0, 1, 2]
    assert read[1].problem is not None
    assert reason in read[1].problem
    assert (read[1].id, read[1].line) == ("line 2", 2)
    assert [read[0].problem, read[2].problem] == [None, None]


def test_reading_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "c.jsonl", [{"id": n, "claim": f"Claim {n}."} for n in range(50)])
    assert list(read_claims(path, skip=20)) == list(read_claims(path))[20:]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        list(read_claims(tmp_path / "c.jsonl"))


@given(st.lists(st.binary(max_size=40), max_size=8))
def test_any_bytes_are_rows_or_told(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(b'{"id": "first", "claim": "Lyon is in France."}\n' + b"\n".join(lines))
    read = list(read_claims(path))
    assert read[0].problem is None
    assert all(each.problem or each.text for each in read)


@pytest.mark.parametrize(
    ("claim", "subject"),
    [
        ("The actor Charlie Chaplin was born in London.", "charlie chaplin"),
        ("Charlie Chaplin died in 1977.", "charlie chaplin"),
        ("In 1889 Charles de Gaulle was not born yet.", "charles de gaulle"),
        ("Water boils at 100 degrees.", "water"),
        ("the sea is salty", "the sea is salty"),
    ],
)
def test_claims_about_one_thing_have_one_key(claim: str, subject: str) -> None:
    assert about(claim) == subject


@given(st.text(max_size=200))
def test_any_text_has_a_key(text: str) -> None:
    assert len(about(text)) <= 60
