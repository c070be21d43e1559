"""What a data set says is needed to decide a claim, for the recall of evidence (``metrics.evidence_recall``)."""

from typing import Any

from wkgfc.datasets import LabelledClaim
from wkgfc.kg.vocabulary import is_entity_id
from wkgfc.metrics import Needed


def needed_for(row: LabelledClaim) -> Needed:
    """Pages, sentences and entities that a row names as its gold evidence; empty where it names none.

    Pages are those of ``meta.pages``, or the titles of its texts; entities those of ``meta.items`` (FEVER, multi-hop),
    of ``meta.chain`` and of ``meta.triple`` (CoDEx). A document that is given to be judged against is nothing to find.
    """
    pages = _texts(row.meta.get("pages")) or [piece.title for piece in row.evidence if piece.title]
    entities = _texts(row.meta.get("items"))
    for triple in (row.meta.get("triple"), *(row.meta.get("chain") or ())):
        if isinstance(triple, list):
            entities.extend(each for each in triple[::2] if isinstance(each, str) and is_entity_id(each))
    return Needed(
        pages=tuple(dict.fromkeys(pages)),
        sentences=tuple(dict.fromkeys(piece.text for piece in row.evidence if piece.title)),
        entities=tuple(dict.fromkeys(entities)),
    )


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
