"""Whether the right evidence was found, and whether citations bear out their sentences."""

import datetime as dt
from collections.abc import Sequence

from wkgfc.claim import Veracity, read_claim
from wkgfc.evidence import Entity, EvidenceGraph, Passage, Relation, Source, Triple
from wkgfc.metrics import (
    EvidenceRecall,
    Needed,
    citation_support,
    evidence_recall,
    gathered_by,
    mean_recall,
)
from wkgfc.result import CheckResult, CitedEvidence, Sentence

MILL, TOWN = Entity(id="Q1", label="Old Mill"), Entity(id="Q2", label="Old Town")


def result(*sentences: Sentence) -> CheckResult:
    """A check that found one triple and one passage."""
    graph = EvidenceGraph()
    source = Source(name="test")
    graph.add_kg_triple(
        Triple(subject=MILL, relation=Relation(id="P131", label="located in"), object=TOWN, source=source), hop=1
    )
    graph.add_passage(Passage(text="The mill was built in 1889 .", title="Old Mill (Norland)", source=source))
    return CheckResult(
        claim=read_claim("The mill is in Old Town."),
        veracity=Veracity.SUPPORTED,
        justification=sentences,
        evidence=(
            CitedEvidence(
                id="K1", kind="triple", text="Old Mill is located in Old Town.", source="kg", title="Old Mill"
            ),
            CitedEvidence(
                id="W1", kind="passage", text="The mill was built in 1889 .", source="web", title="Old Mill (Norland)"
            ),
        ),
        stop_reason="verdict",
        checked_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        graph=graph.to_record(),
    )


def test_pages_sentences_and_entities_are_counted_apart() -> None:
    needed = Needed(
        pages=("Old Mill (Norland)", "Old Town"),
        sentences=("The mill was built in 1889.",),  # other spaces than the passage has
        entities=("Q1", "Q2", "Q3", "Q4"),
    )
    assert evidence_recall(needed, gathered_by(result())) == EvidenceRecall(pages=0.5, sentences=1.0, entities=0.5)


def test_what_was_not_needed_has_no_share_and_does_not_enter_the_mean() -> None:
    some, other = EvidenceRecall(1.0, None, 0.0), EvidenceRecall(0.0, None, None)
    assert evidence_recall(Needed(), gathered_by(result())) == EvidenceRecall(None, None, None)
    assert mean_recall([some, other]) == EvidenceRecall(0.5, None, 0.0)


def test_citations_are_asked_of_the_verifier_and_observations_are_not() -> None:
    asked: list[tuple[str, str]] = []

    def score(texts: Sequence[str], sentences: Sequence[str]) -> list[list[float]]:
        asked.extend(zip(texts, sentences, strict=True))
        return [[0.9, 0.0, 0.1] if "located" in text else [0.1, 0.1, 0.8] for text in texts]

    checked = result(Sentence(text="The mill is in Old Town.", citations=("K1", "W1", "S1", "K9")))
    support = citation_support([checked], score)
    assert (support.citations, support.supported, support.share) == (2, 1, 0.5)
    assert asked[0] == ("Old Mill is located in Old Town.", "The mill is in Old Town.")
    assert citation_support([result()], score).share is None
