"""What is kept of each claim: lines that are only appended, whole after a kill."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from test_result import example
from wkgfc.claim import Veracity
from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput
from wkgfc.evaluate.claims_data import packed, points_of, summary_of, unpacked
from wkgfc.evaluate.records import ClaimRecord, Results, record_of

ROW = LabelledClaim(id="1", claim="A is B.", label="SUPPORTS")


def record(claim_id: str = "1", label: str = "SUPPORTS") -> ClaimRecord:
    return record_of(LabelledClaim(id=claim_id, claim="A is B.", label=label), example(), 0.5)


def test_a_record_goes_through_the_file_whole(tmp_path: Path) -> None:
    results = Results(tmp_path)
    results.append(record().model_dump_json())
    (read,) = results.read()
    assert read == record()
    assert read.two_class is Veracity.SUPPORTED
    assert read.result.trajectory == example().trajectory


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_torn_last_line_is_cut_off_and_the_rest_stays(tmp_path: Path, cut: int) -> None:
    results = Results(tmp_path)
    for number in range(3):
        results.append(record(str(number)).model_dump_json())
    whole = results.path.read_bytes()
    results.path.write_bytes(whole[:-cut])
    assert results.finished() == {"0", "1"}
    results.append(record("2").model_dump_json())
    assert [each.id for each in results.read()] == ["0", "1", "2"]
    assert results.path.read_bytes() == whole


def test_a_file_of_half_a_line_begins_anew(tmp_path: Path) -> None:
    results = Results(tmp_path)
    results.path.write_text('{"id": "1", "cla')
    assert results.finished() == frozenset()
    assert results.path.read_bytes() == b""


@pytest.mark.parametrize("line", ["no JSON", "[1]", "{}", "\x00"])
def test_a_damaged_line_within_is_named(tmp_path: Path, line: str) -> None:
    results = Results(tmp_path)
    results.append(line)
    results.append(record().model_dump_json())
    with pytest.raises(BadInput, match="line 1"):
        results.finished()


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path: Path) -> None:
    results = Results(tmp_path)
    results.append(record().model_dump_json())
    results.path.write_bytes(results.path.read_bytes() + b'{"id": "\xff"}\n')
    with pytest.raises(BadInput, match="line 2: it is damaged"):
        results.finished()


def test_a_record_of_another_version_is_named(tmp_path: Path) -> None:
    results = Results(tmp_path)
    results.append('{"id": "1", "claim": "A is B."}')
    with pytest.raises(BadInput, match="line 1: no record of this version"):
        list(results.read())


def test_points_count_in_the_papers_two_classes() -> None:
    assert points_of(record(label="NOT ENOUGH INFO")) is None
    assert points_of(record(label="Conflicting Evidence/Cherrypicking")) == 0.5  # Refuted there; the example is a tie


@given(st.text(max_size=60), st.text(max_size=60))
def test_summaries_pack_any_text(claim: str, label: str) -> None:
    row = LabelledClaim(id="x", claim=f"a{claim}", label=label or None)
    summary = summary_of(record_of(row, example(), 0.1))
    text = packed([summary])
    assert text.isascii()
    assert "<" not in text
    (again,) = unpacked(text)
    assert again["id"] == "x"
