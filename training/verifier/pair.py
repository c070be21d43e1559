"""One pair of evidence and claim with what is right for it, and files of them."""

import gzip
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from wkgfc.reasoning.embedded.texts.passages import evidence_text

SUPPORTS, REFUTES, NEITHER = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
Target = tuple[float, float, float]

CLASS_OF_LABEL: dict[str, Target] = {
    "supports": SUPPORTS,
    "supported": SUPPORTS,
    "entailment": SUPPORTS,
    "refutes": REFUTES,
    "contradiction": REFUTES,
    "neutral": NEITHER,
    "not enough info": NEITHER,
}


@dataclass(frozen=True)
class Pair:
    """Evidence and claim. ``target`` are the probabilities of supports, refutes and neither; ``source`` is the data set
    or the rule that it comes from; ``title`` the evidence's page, which the verifier reads before the text."""

    title: str
    text: str
    claim: str
    target: Target
    source: str

    @property
    def evidence(self) -> str:
        """The first segment, as the run time writes it."""
        return evidence_text(self.title, self.text)


def target_of(label: str) -> Target | None:
    """A data set's own word as a target; ``None`` where it is none of the three classes ("not_entailment")."""
    return CLASS_OF_LABEL.get(label.replace("_", " ").strip().lower())


def write_pairs(pairs: Iterable[Pair], path: Path) -> int:
    """Write one JSON object a line, gzipped. Returns how many. The file is there only when all are in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    number = 0
    with gzip.open(part, "wt", encoding="utf-8") as out:
        for pair in pairs:
            out.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
            number += 1
    os.replace(part, path)
    return number


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a file that ``write_pairs`` wrote."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Pair(**{**row, "target": tuple(row["target"])}) for row in rows]
