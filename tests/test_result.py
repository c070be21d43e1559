"""The contract: its schema in docs/ is that of the code, and results go through JSON whole."""

import datetime as dt
import json
from pathlib import Path

import jsonschema

from scripted import passage, triple
from wkgfc.checker import cited_evidence
from wkgfc.claim import Veracity, read_claim
from wkgfc.evidence import EvidenceGraph
from wkgfc.result import CheckResult, Sentence

SCHEMA = json.loads((Path(__file__).parents[1] / "docs" / "contract.schema.json").read_text(encoding="utf-8"))


def example() -> CheckResult:
    graph = EvidenceGraph()
    graph.add_kg_triple(triple("A", "P1", "B"), hop=1)
    graph.add_passage(passage("A is B."), quote="A is B.")
    return CheckResult(
        claim=read_claim("A is B.", date=dt.date(2020, 1, 1)),
        veracity=Veracity.SUPPORTED,
        probabilities=dict.fromkeys(Veracity, 0.25),
        confidence=0.9,
        justification=(Sentence(text="A is B.", citations=("K1",)),),
        evidence=tuple(cited_evidence(each, used=each.id == "K1") for each in graph),
        stop_reason="verdict",
        checked_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        graph=graph.to_record(),
    )


def test_the_schema_in_the_docs_is_that_of_the_code() -> None:
    assert CheckResult.model_json_schema(mode="serialization") == SCHEMA, (
        "write it again: python -m wkgfc.result > docs/contract.schema.json"
    )


def test_a_result_meets_the_schema_and_goes_through_json() -> None:
    result = example()
    jsonschema.validate(result.model_dump(mode="json"), SCHEMA)
    assert CheckResult.model_validate_json(result.model_dump_json()) == result


def test_the_trajectory_comes_only_on_request() -> None:
    short, whole = example().to_json(), example().to_json(trace=True)
    jsonschema.validate(short, SCHEMA)
    assert short["graph"] is None
    assert whole["graph"]["evidence"]
