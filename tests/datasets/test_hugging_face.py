"""The same sets as Hugging Face has them: classes as numbers, evidence over several rows."""

import sys
from typing import Any

import pytest

from wkgfc.claim import Veracity
from wkgfc.datasets.hugging_face import claims_of, read_hugging_face
from wkgfc.errors import BadInput, NotConfigured

FEVER_ROWS = [
    {"id": 1, "label": "SUPPORTS", "claim": "c", "evidence_wiki_url": "Old_Town", "evidence_sentence_id": 3},
    {"id": 1, "label": "SUPPORTS", "claim": "c", "evidence_wiki_url": "Mill", "evidence_sentence_id": 0},
    {"id": 2, "label": "NOT ENOUGH INFO", "claim": "d", "evidence_wiki_url": "", "evidence_sentence_id": -1},
]


def library() -> Any:
    """Hugging Face's library, where it is installed. This folder has its name: a file inside tells the two apart."""
    pytest.importorskip("datasets.arrow_dataset")
    return sys.modules["datasets"]


def test_rows_of_one_claim_are_put_together() -> None:
    datasets = library()
    first, second = claims_of(datasets.Dataset.from_list(FEVER_ROWS), "hf:fever/fever:v1.0:labelled_dev")
    assert first.id == "fever-1"
    assert first.meta == {"pages": ["Old Town", "Mill"], "sentences": [["Old Town", 3], ["Mill", 0]]}
    assert second.veracity is Veracity.NOT_ENOUGH_EVIDENCE


class Loaded(list[dict[str, Any]]):
    """Rows with the names of their columns, as a ``datasets.Dataset`` has them."""

    @property
    def features(self) -> dict[str, Any]:
        return dict.fromkeys(self[0])


def test_what_is_wrong_with_a_row_is_named_as_in_a_file() -> None:
    changed: tuple[dict[str, Any], ...] = (
        {},
        {"id": 2, "claim": "d"},
        {"id": 3, "claim": "?!"},
        {"id": 4, "claim": "x" * 3000},
        {"id": 1},
    )
    rows = [{**FEVER_ROWS[0], **each} for each in changed]
    problems: list[str] = []
    claims = list(claims_of(Loaded(rows), "hf:fever:dev", on_problem=lambda problem: problems.append(str(problem))))
    assert [claim.id for claim in claims] == ["fever-1", "fever-2"]
    assert [problem.partition(": ")[2] for problem in problems] == [
        "the claim is empty",
        "the claim has 3,000 characters, over 2,000",
        "the id “fever-1” was there before, on line 1",
    ]


def test_classes_come_as_numbers() -> None:
    datasets = library()
    names = datasets.ClassLabel(names=["NOT_SUPPORTED", "SUPPORTED"])
    rows = [
        {"uid": "a", "claim": "c", "supporting_facts": [{"key": "Mill", "value": 1}], "label": 1, "num_hops": 2},
        {"uid": "b", "claim": "d", "supporting_facts": [], "label": -1, "num_hops": 2},
    ]
    loaded = datasets.Dataset.from_list(rows)
    features = loaded.features.copy()
    features["label"] = names
    loaded = loaded.cast(features)
    problems: list[str] = []
    (claim,) = claims_of(loaded, "hf:hover:validation", on_problem=lambda problem: problems.append(str(problem)))
    assert claim.label == "SUPPORTED"
    assert claim.meta["sentences"] == [["Mill", 1]]
    assert problems == ["hf:hover:validation, line 2: no label in the column “label”"]
    with pytest.raises(BadInput, match="line 2"):
        list(claims_of(loaded, "hf:hover:validation"))


def test_columns_of_no_set_are_refused() -> None:
    datasets = library()
    with pytest.raises(BadInput, match="no format has these columns"):
        list(claims_of(datasets.Dataset.from_list([{"text": "t", "stars": 5}]), "hf:reviews:train"))


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(NotConfigured, match=r"pip install 'wkgfc\[datasets\]'"):
        read_hugging_face("hf:hover:validation")
    with pytest.raises(BadInput, match="hf:NAME:SPLIT"):
        read_hugging_face("hf:hover")
