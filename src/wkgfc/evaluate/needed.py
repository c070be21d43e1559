"""What a data set says is needed to decide a claim, for the recall of evidence (``metrics.evidence_recall``)."""

from typing import Any

from wkgfc.claim import Veracity
from wkgfc.datasets import LabelledClaim
from wkgfc.kg.vocabulary import is_entity_id
from wkgfc.metrics import Needed


def needed_for(row: LabelledClaim) -> Needed:
    """Pages, sentences and entities that a row names as its gold evidence; empty where it names none.

    Pages are those of ``meta.pages``, or the titles of its texts. Entities are those of ``meta.chain`` where there is
    one (multi-hop: what the graph has, and not the wrong end that the claim names), otherwise those of ``meta.items``
    (FEVER) and of ``meta.triple`` (CoDEx), of a false triple without its object. A document that is given to be judged
    against is nothing to find.
    """
    pages = _texts(row.meta.get("pages")) or [piece.title for piece in row.evidence if piece.title]
    chain = row.meta.get("chain")
    entities = _ends(chain) if chain is not None else [*_texts(row.meta.get("items")), *_of_triple(row)]
    return Needed(
        pages=tuple(dict.fromkeys(pages)),
        sentences=tuple(dict.fromkeys(piece.text for piece in row.evidence if piece.title)),
        entities=tuple(dict.fromkeys(entities)),
    )


def _of_triple(row: LabelledClaim) -> list[str]:
    ends = _ends([row.meta.get("triple")])
    return ends[:1] if row.veracity is Veracity.REFUTED else ends


def _ends(triples: Any) -> list[str]:
    """The entities of triples, subject before object."""
    return [
        each
        for triple in (triples if isinstance(triples, list) else ())
        if isinstance(triple, list)
        for each in triple[::2]
        if isinstance(each, str) and is_entity_id(each)
    ]


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
