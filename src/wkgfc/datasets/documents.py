"""Sets whose label says whether a claim is faithful to a document: SummEval, AggreFact-CNN, SciFact, Reveal.

Sources: Yale-LILY/SummEval (model_annotations.aligned.paired.jsonl), Liyan06/AggreFact (aggre_fact_sota.csv),
lytang/LLM-AggreFact and google/reveal on Hugging Face (both behind a consent), allenai/scifact (claims_dev.jsonl with
corpus.jsonl beside it), and the tables of GraphCheck as JSON lines.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

from wkgfc.datasets.claims import GoldEvidence, LabelledClaim
from wkgfc.datasets.containers import Row, read_rows
from wkgfc.datasets.rows import Fields, Format, Place, RowProblem, columns, kept, label_of, list_of, text_of

_BEST = 5  # of SummEval's scale; a summary is consistent if each expert says so (Honovich et al., TRUE, 2022: 81.6 %)


def _summeval(fields: Fields, _: Place) -> LabelledClaim:
    scores = [each.get("consistency") for each in list_of(fields, "expert_annotations") if isinstance(each, dict)]
    if not scores or not all(isinstance(score, int | float) for score in scores):
        raise RowProblem("no scores of consistency in “expert_annotations”")
    document = fields.get("text")
    return LabelledClaim(
        id=f"summeval-{text_of(fields, 'id')}-{text_of(fields, 'model_id')}",
        claim=text_of(fields, "decoded"),
        label="consistent" if all(score == _BEST for score in scores) else "inconsistent",
        evidence=(GoldEvidence(text=document),) if isinstance(document, str) and document.strip() else (),
        meta=kept(consistency=scores),
    )


def _aggrefact(fields: Fields, place: Place) -> LabelledClaim | None:
    """The summaries of CNN/DM in the part for tests: AggreFact-CNN. The others are of AggreFact-XSum or for tuning."""
    if fields.get("origin") != "cnndm" or fields.get("cut", "test") != "test":
        return None
    return LabelledClaim(
        id=f"aggrefact_cnn-{place.index}",
        claim=text_of(fields, "summary"),
        label=label_of(fields, "aggrefact"),
        evidence=(GoldEvidence(text=text_of(fields, "doc")),),
        meta=kept(dataset=fields.get("dataset"), model=fields.get("model_name")),
    )


def _llm_aggrefact(fields: Fields, place: Place) -> LabelledClaim:
    dataset = text_of(fields, "dataset")
    return LabelledClaim(
        id=f"{dataset.lower().replace('-', '_')}-{place.index}",
        claim=text_of(fields, "claim"),
        label=label_of(fields, "llm_aggrefact"),
        evidence=(GoldEvidence(text=text_of(fields, "doc")),),
        meta={"dataset": dataset},
    )


def _graphcheck(fields: Fields, place: Place) -> LabelledClaim:
    return LabelledClaim(
        id=f"{place.file.lower()}-{place.index}",
        claim=text_of(fields, "claim_text"),
        label=label_of(fields, "graphcheck"),
        evidence=(GoldEvidence(text=text_of(fields, "doc_text")),),
        meta=kept(claim_kg=list_of(fields, "claim_kg"), doc_kg=list_of(fields, "doc_kg")),
    )


def _scifact(fields: Fields, place: Place) -> LabelledClaim:
    found: dict[str, list[int]] = {}
    words: list[str] = []
    if "evidence_doc_id" in fields:  # Hugging Face: a row for each piece of evidence
        if fields["evidence_doc_id"]:
            words.append(str(fields.get("evidence_label") or ""))
            found[str(fields["evidence_doc_id"])] = [int(each) for each in list_of(fields, "evidence_sentences")]
    else:
        evidence = fields.get("evidence") or {}
        if not isinstance(evidence, dict):
            raise RowProblem("the column “evidence” is no object of documents")
        for document, pieces in evidence.items():
            for piece in pieces:
                words.append(str(piece.get("label")))
                found.setdefault(str(document), []).extend(map(int, piece.get("sentences", [])))
    if len(set(words)) > 1:
        raise RowProblem("its documents disagree")
    corpus = _abstracts(place.path.parent / "corpus.jsonl")
    return LabelledClaim(
        id=f"scifact-{text_of(fields, 'id')}",
        claim=text_of(fields, "claim"),
        label=label_of({"label": words[0] if words else "NOT_ENOUGH_INFO"}, "scifact"),
        evidence=tuple(
            GoldEvidence(
                title=title, text=" ".join(sentences[each].strip() for each in places if each < len(sentences))
            )
            for document, places in found.items()
            if document in corpus
            for title, sentences in (corpus[document],)
        ),
        meta=kept(documents=list(found), sentences=[[each, n] for each, places in found.items() for n in places]),
    )


@lru_cache(maxsize=1)
def _abstracts(path: Path) -> dict[str, tuple[str, list[str]]]:
    """SciFact's abstracts: title and sentences by the document's id; none where the file is not there."""
    if not path.is_file():
        return {}
    rows = (row.fields for row in read_rows(path) if isinstance(row, Row))
    return {str(row["doc_id"]): (str(row["title"]), list(row["abstract"])) for row in rows if "abstract" in row}


def _reveal(fields: Fields, place: Place) -> LabelledClaim | None:
    """A step of an answer against one passage. Steps of logic alone have no label of attribution."""
    if not fields.get("attribution_label") or not fields.get("evidence"):
        return None
    word = str(fields["attribution_label"]).strip().lower()
    return LabelledClaim(
        id=f"reveal-{place.index}",
        claim=text_of(fields, "decontextualized_step" if fields.get("decontextualized_step") else "step"),
        label=label_of({"label": _SHORT.get(word, word)}, "reveal"),
        evidence=(GoldEvidence(text=text_of(fields, "evidence")),),
        meta=kept(question=fields.get("question"), answer_id=fields.get("answer_id"), step=fields.get("step_idx")),
    )


_SHORT: dict[str, Any] = {
    "full": "fully attributable",
    "attributable": "fully attributable",
    "partial": "partially attributable",
    "contradiction": "contradictory",
    "none": "unsupported",
}

SUMMEVAL = Format("summeval", "SummEval", (columns("decoded", "expert_annotations"),), _summeval)
AGGREFACT = Format("aggrefact", "AggreFact-CNN", (columns("doc", "summary", "origin", "label"),), _aggrefact)
LLM_AGGREFACT = Format("llm_aggrefact", "LLM-AggreFact", (columns("dataset", "doc", "claim", "label"),), _llm_aggrefact)
GRAPHCHECK = Format("graphcheck", "GraphCheck", (columns("doc_text", "claim_text", "label"),), _graphcheck)
SCIFACT = Format("scifact", "SciFact", (columns("id", "claim", "cited_doc_ids"),), _scifact)
REVEAL = Format("reveal", "Reveal", (columns("step", "evidence", "attribution_label"),), _reveal)
