"""A result with a whole evidence graph, and one whose every text and address attacks."""

import datetime as dt
from decimal import Decimal

import pytest

from wkgfc.checker import cited_evidence
from wkgfc.claim import Veracity, read_claim
from wkgfc.evidence import (
    Annotation,
    Contradiction,
    Entity,
    EvidenceGraph,
    Passage,
    Qualifier,
    Quantity,
    Relation,
    Source,
    Time,
    Triple,
)
from wkgfc.result import CheckResult, Sentence
from wkgfc.state import GiveVerdict, Observation, Step, Trajectory

ATTACK = (
    "\"><script>alert(1)</script> --> %%{init: {'theme':'x'}}%% ]]> </svg> `x` [a](javascript:alert(1)) end; } \\ $ "
    "\u202e\u0000\x1b[31m\u2028 next"
)
BAD_ADDRESS = "javascript:alert(document.cookie)"


def checked(text: str, address: str | None, veracity: Veracity | None = Veracity.REFUTED) -> CheckResult:
    """A refuted claim with two statements, one with qualifiers, a passage, an annotation and a contradiction."""
    source = Source(name=f"source {text}", url=address, text_id="chaplin", title=f"title {text}")
    chaplin = Entity(id="Q882", label=f"Charlie Chaplin{text}", url=address)
    born = Triple(
        subject=chaplin,
        relation=Relation(id="P569", label=f"date of birth{text}", datatype="Time"),
        object=Time(value="1889-04-16", precision=11),
        source=source,
    )
    height = Triple(
        subject=chaplin,
        relation=Relation(id="P26", label="spouse"),
        object=Entity(id="Q231116", label="Oona O'Neill"),
        qualifiers=(
            Qualifier(relation=Relation(id="P580", label="start time"), value=Time(value="1943-06-16", precision=11)),
            Qualifier(relation=Relation(id="P1107", label="share"), value=Quantity(amount=Decimal("0.5"))),
        ),
        source=source,
    )
    graph = EvidenceGraph()
    graph.add_kg_triple(born, hop=1)
    graph.add_kg_triple(height, hop=1)
    said = f"Chaplin was born in 1890.{text}"
    graph.add_passage(Passage(text=said, title=f"A page{text}", url=address, source=source), quote=said)
    graph.annotate(Annotation(entity=chaplin, passage_id="W1", text=said))
    graph.contradict(Contradiction(evidence=("K1", "W1"), reason=f"other years{text}"))
    begun = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    step = Step(
        number=1,
        action=GiveVerdict(),
        reason=text or "enough",
        observation=Observation(id="S1", outcome="nothing", text=text or "done"),
        started_at=begun,
        seconds=0.1,
    )
    return CheckResult(
        claim=read_claim(f"Charlie Chaplin was born in 1890.{text}", date=dt.date(2020, 1, 1), speaker="A speaker"),
        veracity=veracity,
        probabilities=dict.fromkeys(Veracity, 0.25) if veracity else {},
        confidence=0.9 if veracity else None,
        justification=(Sentence(text=f"He was born in 1889.{text}", citations=("K1", "W1")),) if veracity else (),
        evidence=tuple(cited_evidence(each, used=each.id != "K2") for each in graph),
        contradictions=tuple(graph.contradictions),
        stop_reason="verdict" if veracity else "error",
        errors=() if veracity else ("S1: the model gave no answer",),
        checked_at=begun,
        trajectory=Trajectory(steps=(step,)),
        graph=graph.to_record(),
    )


@pytest.fixture
def result() -> CheckResult:
    return checked("", "https://example.org/chaplin")


@pytest.fixture
def hostile() -> CheckResult:
    return checked(ATTACK, BAD_ADDRESS)
