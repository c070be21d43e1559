"""Sets whose evidence is Wikipedia: FEVER, HOVER, FoolMeTwice, CREAK.

Sources: fever.ai (jsonl of the release), hover-nlp/hover, google-research/fool-me-twice, yasumasaonoe/creak on GitHub.
The text of FEVER's and HOVER's evidence is in dumps of Wikipedia that are no part of the claim files: what they name
(page and number of the sentence) is kept in ``meta``.
"""

from typing import Any

from wkgfc.datasets.claims import GoldEvidence, LabelledClaim
from wkgfc.datasets.rows import Fields, Format, Place, RowProblem, columns, kept, label_of, list_of, text_of

_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "-COLON-": ":"}


def page_title(name: str) -> str:
    """FEVER's name of a page as a title: ``Savages_-LRB-2012_film-RRB-`` is ``Savages (2012 film)``."""
    for escape, sign in _ESCAPES.items():
        name = name.replace(escape, sign)
    return name.replace("_", " ")


def _fever(fields: Fields, _: Place) -> LabelledClaim:
    sentences: list[list[Any]] = []
    if "evidence_wiki_url" in fields:  # Hugging Face: a row for each piece of evidence
        if fields["evidence_wiki_url"]:
            sentences = [[page_title(text_of(fields, "evidence_wiki_url")), fields.get("evidence_sentence_id")]]
    else:
        for group in list_of(fields, "evidence"):
            for piece in group if isinstance(group, list) else ():
                if not isinstance(piece, list) or len(piece) != 4:
                    raise RowProblem("a piece of evidence is not [annotation, evidence, page, sentence]")
                if piece[2] is not None and [page_title(str(piece[2])), piece[3]] not in sentences:
                    sentences.append([page_title(str(piece[2])), piece[3]])
    return LabelledClaim(
        id=f"fever-{text_of(fields, 'id')}",
        claim=text_of(fields, "claim"),
        label=label_of(fields, "fever"),
        meta=kept(pages=_pages(sentences), sentences=sentences),
    )


def _hover(fields: Fields, _: Place) -> LabelledClaim:
    facts = []
    for fact in list_of(fields, "supporting_facts"):
        match fact:
            case [str(page), int(sentence)] | {"key": str(page), "value": int(sentence)}:
                facts.append([page, sentence])
            case _:
                raise RowProblem("a supporting fact is not [page, sentence]")
    return LabelledClaim(
        id=f"hover-{text_of(fields, 'uid')}",
        claim=text_of(fields, "claim"),
        label=label_of(fields, "hover"),
        meta=kept(pages=_pages(facts), sentences=facts, hops=fields.get("num_hops")),
    )


def _pages(sentences: list[list[Any]]) -> list[str]:
    return list(dict.fromkeys(page for page, _ in sentences))


def _fool_me_twice(fields: Fields, _: Place) -> LabelledClaim:
    page = str(fields.get("wikipedia_page") or "") or None

    def texts(name: str) -> list[str]:
        pieces = list_of(fields, name)
        if not all(isinstance(piece, dict) and isinstance(piece.get("text"), str) for piece in pieces):
            raise RowProblem(f"the column “{name}” is no list of objects with a text")
        return [piece["text"] for piece in pieces]

    return LabelledClaim(
        id=f"fm2-{text_of(fields, 'id')}",
        claim=text_of(fields, "text"),
        label=label_of(fields, "fm2"),
        evidence=tuple(GoldEvidence(text=text, title=page) for text in texts("gold_evidence")),
        meta=kept(pages=[page] if page else [], retrieved=texts("retrieved_evidence"), category=fields.get("category")),
    )


def _creak(fields: Fields, _: Place) -> LabelledClaim:
    return LabelledClaim(
        id=f"creak-{text_of(fields, 'ex_id')}",
        claim=text_of(fields, "sentence"),
        label=label_of(fields, "creak"),
        meta=kept(entity=fields.get("entity"), explanation=fields.get("explanation")),
    )


FEVER = Format(
    "fever",
    "FEVER",
    (columns("id", "claim", "label", "verifiable"), columns("id", "claim", "label", "evidence_wiki_url")),
    _fever,
)
HOVER = Format("hover", "HOVER", (columns("uid", "claim", "num_hops"),), _hover)
FOOL_ME_TWICE = Format("fm2", "FoolMeTwice", (columns("id", "text", "gold_evidence"),), _fool_me_twice)
CREAK = Format("creak", "CREAK", (columns("ex_id", "sentence"),), _creak)
