"""Samples are seeded and stratified, and a file says which rows they are."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.datasets import LabelledClaim
from wkgfc.datasets.sampling import draw, read_sample, rows_of, write_sample
from wkgfc.errors import BadInput


def rows(**numbers: int) -> list[LabelledClaim]:
    return [
        LabelledClaim(id=f"{label}-{n}", claim="c", label=label)
        for label, number in numbers.items()
        for n in range(number)
    ]


def drawn(claims: list[LabelledClaim], size: int, *, balanced: bool = False) -> Counter[str]:
    sample, _ = draw(claims, size, seed=3, source="c.jsonl", balanced=balanced)
    return Counter(row.label or "" for row in rows_of(sample, claims))


def test_each_label_gives_its_share() -> None:
    assert drawn(rows(true=600, false=300, mixture=100), 100) == {"true": 60, "false": 30, "mixture": 10}


def test_balanced_all_give_alike_and_what_one_lacks_the_others_give() -> None:
    claims = rows(SUPPORTS=600, REFUTES=300)
    assert drawn(claims, 100, balanced=True) == {"SUPPORTS": 50, "REFUTES": 50}
    assert drawn(claims, 800, balanced=True) == {"SUPPORTS": 500, "REFUTES": 300}


def test_by_the_two_classes_what_is_dropped_is_not_drawn() -> None:
    claims = rows(SUPPORTS=50, REFUTES=50, **{"NOT ENOUGH INFO": 900})
    sample, _ = draw(claims, 20, seed=0, source="c.jsonl", by="two_class")
    assert [(each.name, each.rows, each.drawn) for each in sample.strata] == [
        ("Refuted", 50, 10),
        ("Supported", 50, 10),
    ]


def test_the_seed_decides_and_the_order_is_the_files() -> None:
    claims = rows(true=60, false=40)
    first, _ = draw(claims, 10, seed=1, source="c.jsonl")
    assert first == draw(claims, 10, seed=1, source="c.jsonl")[0]
    assert first.ids != draw(claims, 10, seed=2, source="c.jsonl")[0].ids
    order = [claim.id for claim in claims]
    assert list(first.ids) == sorted(first.ids, key=order.index)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6), st.integers(1, 300), st.booleans())
def test_a_sample_has_the_size_asked_for_or_all_rows(numbers: list[int], size: int, balanced: bool) -> None:
    claims = rows(**{f"label {index}": number for index, number in enumerate(numbers)})
    counts = drawn(claims, size, balanced=balanced)
    assert counts.total() == min(size, len(claims))
    assert all(counts[f"label {index}"] <= number for index, number in enumerate(numbers))


def test_a_sample_is_written_and_had_again(tmp_path: Path) -> None:
    claims = rows(true=30, false=30)
    sample, _ = draw(claims, 10, seed=5, source="c.jsonl")
    write_sample(sample, tmp_path / "sample.json")
    again = read_sample(tmp_path / "sample.json")
    assert again == sample
    assert [row.id for row in rows_of(again, claims)] == list(sample.ids)


def test_another_file_or_another_version_is_refused(tmp_path: Path) -> None:
    sample, _ = draw(rows(true=30), 10, seed=5, source="c.jsonl")
    with pytest.raises(BadInput, match=r"10 of 10 rows of the sample of c\.jsonl are not there"):
        rows_of(sample, rows(false=30))
    path = tmp_path / "sample.json"
    path.write_text(sample.model_dump_json().replace('"layout":1', '"layout":9'), encoding="utf-8")
    with pytest.raises(BadInput, match="no sample that this version reads"):
        read_sample(path)
    with pytest.raises(BadInput, match="cannot be read"):
        read_sample(tmp_path / "absent.json")
    with pytest.raises(BadInput, match="one row"):
        draw(rows(true=3), 0, seed=1, source="c.jsonl")
