"""Small episodes to learn from, step by step."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from scripted import probabilities
from wkgfc.claim import Claim, Veracity
from wkgfc.evidence import Contradiction, Stance
from wkgfc.optimize.episodes import Episode, GoldFound
from wkgfc.result import CheckResult, CitedEvidence, Sentence, StopReason
from wkgfc.state import ExpandKG, GiveVerdict, InitKGRetrieval, Observation, SearchWeb, Step, Trajectory
from wkgfc.usage import Usage

DAY = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
FOR = Stance(supports=0.9, refutes=0.05, neither=0.05)
AGAINST = Stance(supports=0.05, refutes=0.9, neither=0.05)
SILENT = Stance(supports=0.0, refutes=0.0, neither=1.0)
ACTIONS = {
    "I": InitKGRetrieval(),
    "E": ExpandKG(),
    "S": SearchWeb(query="red dye"),
    "V": GiveVerdict(),
    "F": GiveVerdict(forced=True),
}


def piece(
    identifier: str, stance: Stance | None = None, *, consistency: float = 1.0, used: bool = False
) -> CitedEvidence:
    is_triple = identifier.startswith("K")
    return CitedEvidence(
        id=identifier,
        kind="triple" if is_triple else "passage",
        text=f"Text {identifier}.",
        source="test",
        url=f"https://example.org/{identifier}",
        stance=stance,
        consistency=None if is_triple else consistency,
        used=used,
    )


def episode(
    way: str,
    *,
    gold: Veracity = Veracity.SUPPORTED,
    said: Veracity | None = Veracity.SUPPORTED,
    brought: Sequence[Sequence[str]] = (),
    evidence: Sequence[CitedEvidence] = (),
    cites: Sequence[str] = (),
    contradictions: Sequence[tuple[str, str]] = (),
    failed: Sequence[int] = (),
    found: GoldFound | None = None,
    usage: Usage | None = None,
    claim: str = "Ada Verne discovered a red dye.",
    claim_id: str = "c1",
    policy: str = "test",
    stop_reason: StopReason = "verdict",
) -> Episode:
    """An episode whose actions are the letters of ``way``; ``brought`` are the ids that each retrieval observed."""
    steps = []
    for number, letter in enumerate(way, start=1):
        ids = tuple(brought[number - 1]) if number <= len(brought) else ()
        observed: dict[str, Any] = {"outcome": "found" if ids or letter in "VF" else "nothing", "evidence": ids}
        if number in failed:
            observed = {"outcome": "failed", "reason": "the source is down"}
        steps.append(
            Step(
                number=number,
                action=ACTIONS[letter],
                observation=Observation(id=f"S{number}", text="observed", **observed),
                started_at=DAY,
                seconds=0.1,
            )
        )
    result = CheckResult(
        claim=Claim(text=claim),
        veracity=said,
        probabilities=probabilities(said) if said else {},
        confidence=0.85 if said else None,
        justification=(Sentence(text="So it is.", citations=tuple(cites)),) if cites else (),
        evidence=tuple(evidence),
        contradictions=tuple(Contradiction(evidence=pair, reason="they disagree") for pair in contradictions),
        stop_reason=stop_reason if said else "error",
        usage=usage or Usage(),
        policy=policy,
        checked_at=DAY,
        trajectory=Trajectory(steps=tuple(steps)),
    )
    return Episode(claim_id=claim_id, source="small", gold=gold, found=found or GoldFound(), result=result)


def good(**changes: Any) -> Episode:
    """The graph said nothing, a passage supports the claim, and the verdict cites it."""
    parts: dict[str, Any] = {
        "way": "ISV", "brought": [["K1"], ["W1"]], "evidence": [piece("K1", SILENT), piece("W1", FOR)], "cites": ["W1"],
    }  # fmt: skip
    return episode(**(parts | changes))
