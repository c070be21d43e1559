"""The paper's table 2, and what a row says is needed."""

import pytest

from wkgfc.datasets import GoldEvidence, LabelledClaim
from wkgfc.evaluate.needed import needed_for
from wkgfc.evaluate.stats import PAPER, statistics_of
from wkgfc.metrics import Needed


def test_size_evidence_and_negative_rate_are_of_the_rows_that_two_classes_keep() -> None:
    text = (GoldEvidence(text="t"),)
    rows = [
        LabelledClaim(id="a", claim="c", label="Supported", evidence=text),
        LabelledClaim(id="b", claim="c", label="Refuted"),
        LabelledClaim(id="c", claim="c", label="Conflicting Evidence/Cherrypicking", evidence=text),
        LabelledClaim(id="d", claim="c", label="Not Enough Evidence", evidence=text),
        LabelledClaim(id="e", claim="c"),
    ]
    found = statistics_of("averitec", rows)
    assert (found.rows, found.size, found.dropped) == (5, 3, 2)
    assert found.with_evidence == pytest.approx(2 / 3)
    assert found.negative_rate == pytest.approx(2 / 3)
    assert len(found.labels) == 5


def test_a_set_of_which_nothing_is_kept_has_no_rate() -> None:
    found = statistics_of("nothing", [LabelledClaim(id="a", claim="c", label="neutral")])
    assert (found.size, found.negative_rate) == (0, None)


def test_the_papers_own_rows_stand_beside() -> None:
    assert PAPER["AVeriTeC"].size == 465
    assert len(PAPER) == 7


def test_what_is_needed_is_read_from_each_sets_own_fields() -> None:
    fever = LabelledClaim(
        id="a",
        claim="c",
        evidence=(GoldEvidence(text="The mill is old.", title="Old Mill"),),
        meta={"pages": ["Old Mill"], "items": ["Q1"]},
    )
    chain = LabelledClaim(id="b", claim="c", meta={"chain": [["Q1", "P19", "Q2"], ["Q2", "P571", "1889-00-00/9"]]})
    document = LabelledClaim(id="c", claim="c", evidence=(GoldEvidence(text="A whole article."),))
    assert needed_for(fever) == Needed(("Old Mill",), ("The mill is old.",), ("Q1",))
    assert needed_for(chain) == Needed(entities=("Q1", "Q2"))
    assert needed_for(LabelledClaim(id="d", claim="c", meta={"triple": ["Q1", "P19", "Q2"]})).entities == ("Q1", "Q2")
    assert needed_for(document) == Needed()


def test_the_wrong_end_that_a_claim_names_is_not_needed() -> None:
    chain = [["Q1", "P19", "Q2"], ["Q2", "P17", "Q3"]]
    wrong = LabelledClaim(id="a", claim="c", label="REFUTES", meta={"chain": chain, "items": ["Q1", "Q2", "Q9"]})
    assert needed_for(wrong) == Needed(entities=("Q1", "Q2", "Q3"))
    assert needed_for(LabelledClaim(id="b", claim="c", meta={"chain": [], "items": ["Q1"]})) == Needed()
    false = LabelledClaim(id="d", claim="c", label="REFUTES", meta={"triple": ["Q1", "P19", "Q9"]})
    assert needed_for(false).entities == ("Q1",)
