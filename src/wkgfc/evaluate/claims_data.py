"""The claims of a run as a report holds them: what was said of each, why, and the steps that led there."""

import base64
import gzip
import json
from collections.abc import Iterable
from typing import Any

from wkgfc.claim import visible_text
from wkgfc.evaluate.records import ClaimRecord
from wkgfc.metrics import two_way_points
from wkgfc.result import CitedEvidence
from wkgfc.state import SearchWeb

SHOWN_CHARACTERS = 320  # of a text; the run's results have it whole
SHOWN_EVIDENCE = 5  # pieces of a claim: those that are cited, then others


def points_of(record: ClaimRecord) -> float | None:
    """The points of a record in the two-way score; ``None`` where its label is in neither class."""
    return None if record.two_class is None else two_way_points(record.prediction(record.two_class))


def summary_of(record: ClaimRecord) -> dict[str, Any]:
    """A record in short, as JSON."""
    result = record.result
    cited = [piece for piece in result.evidence if piece.used]
    shown = [*cited, *(piece for piece in result.evidence if not piece.used)][:SHOWN_EVIDENCE]
    return {
        "id": record.id,
        "claim": _short(record.claim),
        "label": record.label,
        "said": result.veracity,
        "confidence": None if result.confidence is None else round(result.confidence, 3),
        "points": points_of(record),
        "stop": result.stop_reason,
        "seconds": round(record.seconds, 2),
        "why": [[_short(sentence.text), list(sentence.citations)] for sentence in result.justification],
        "steps": [
            {
                "action": step.action.name,
                "query": _short(step.action.query) if isinstance(step.action, SearchWeb) else "",
                "reason": _short(step.reason),
                "observation": _short(step.observation.text),
                "id": step.observation.id,
                "evidence": len(step.observation.evidence),
            }
            for step in (result.trajectory.steps if result.trajectory else ())
        ],
        "evidence": [_piece(piece) for piece in shown],
        "more": len(result.evidence) - len(shown),
        "flags": list(result.flags),
        "errors": [_short(error) for error in result.errors],
    }


def _piece(piece: CitedEvidence) -> dict[str, Any]:
    stance = piece.stance
    return {
        "id": piece.id,
        "text": _short(piece.quote or piece.text),
        "from": _short(piece.title or piece.source),
        "url": piece.url if piece.url and piece.url.startswith(("http://", "https://")) else None,
        "stance": None if stance is None else [round(stance.supports, 2), round(stance.refutes, 2)],
        "cited": piece.used,
    }


def packed(summaries: Iterable[dict[str, Any]]) -> str:
    """Summaries as text that stands in a page: JSON, compressed (gzip), in base64. The same ones give the same text."""
    text = json.dumps(list(summaries), ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), mtime=0)).decode("ascii")


def unpacked(text: str) -> list[dict[str, Any]]:
    """What ``packed`` packed."""
    summaries: list[dict[str, Any]] = json.loads(gzip.decompress(base64.b64decode(text)))
    return summaries


def _short(text: str) -> str:
    shown = visible_text(text)
    return shown if len(shown) <= SHOWN_CHARACTERS else f"{shown[: SHOWN_CHARACTERS - 1]}…"
