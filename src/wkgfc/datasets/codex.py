"""CoDEx: triples of Wikidata, true ones and ones that people found false, put into words.

Source: tsafavi/codex on GitHub. ``data/triples/codex-s/valid.txt`` has the true ones, ``valid_negatives.txt`` beside it
the false ones; ``data/entities/en/entities.json`` and ``data/relations/en/relations.json`` have their labels.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from wkgfc.datasets.claims import LabelledClaim
from wkgfc.datasets.rows import Fields, Format, Place, RowProblem, columns, text_of
from wkgfc.evidence import Entity, Relation, Source, Triple
from wkgfc.reasoning.embedded.facts.verbalise import verbalise

_NEGATIVES = "_negatives"


def _codex(fields: Fields, place: Place) -> LabelledClaim:
    head, relation, tail = (text_of(fields, name) for name in ("head", "relation", "tail"))
    entities, relations = _labels(place.path.parents[2] if len(place.path.parents) > 2 else place.path.parent)
    missing = next((each for each in (head, tail) if each not in entities), None) or (
        relation if relation not in relations else None
    )
    if missing is not None:
        raise RowProblem(f"no label of {missing}: entities/en/entities.json of the release is needed, or lacks it")
    triple = Triple(
        subject=Entity(id=head, label=entities[head]),
        relation=Relation(id=relation, label=relations[relation]),
        object=Entity(id=tail, label=entities[tail]),
        source=Source(name="codex"),
    )
    return LabelledClaim(
        id=f"{place.path.parent.name}-{place.file}-{place.index}",
        claim=verbalise(triple),
        label="REFUTES" if place.file.endswith(_NEGATIVES) else "SUPPORTS",
        meta={"triple": [head, relation, tail], "relation": relations[relation]},
    )


@lru_cache(maxsize=2)
def _labels(data: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The English labels of entities and relations of a release; empty where they are not there."""

    def read(path: Path) -> dict[str, str]:
        if not path.is_file():
            return {}
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {identifier: str(entry["label"]) for identifier, entry in entries.items()}

    return read(data / "entities/en/entities.json"), read(data / "relations/en/relations.json")


def _negatives(path: Path) -> Sequence[Path]:
    """The false triples that are released beside the true ones."""
    beside = path.with_name(f"{path.stem}{_NEGATIVES}{path.suffix}")
    return [beside] if beside.is_file() else []


CODEX = Format("codex", "CoDEx", (columns("head", "relation", "tail"),), _codex, _negatives)
