"""Claims that fact-checkers checked or machines wrote: LIAR-New, AVeriTeC, PubHealth, and FIRE's four sets.

Sources: LIAR-New.jsonl of Pelrine et al. (EMNLP 2023), dev.json of MichSchli/AVeriTeC, dev.tsv of
neemakot/Health-Fact-Checking, datasets/*/data.jsonl of mbzuai-nlp/fire, on GitHub.
"""

from typing import Any

from wkgfc.datasets.claims import GoldEvidence, LabelledClaim
from wkgfc.datasets.rows import (
    Fields,
    Format,
    Place,
    RowProblem,
    columns,
    date_of,
    kept,
    label_of,
    list_of,
    optional_text,
    text_of,
)


def _liar_new(fields: Fields, _: Place) -> LabelledClaim:
    french = next((fields[name] for name in fields if "french" in name.lower() or name.endswith("_fr")), None)
    possibility = next((fields[name] for name in fields if name.lower().startswith("possib")), None)
    return LabelledClaim(
        id=f"liarnew-{text_of(fields, 'example_id')}",
        claim=text_of(fields, "statement"),
        label=label_of(fields, "liar_new"),
        date=date_of(fields, "date"),
        speaker=optional_text(fields, "speaker"),
        meta=kept(french=french, possibility=possibility),
    )


def _averitec(fields: Fields, place: Place) -> LabelledClaim:
    answers: list[dict[str, Any]] = []
    for question in list_of(fields, "questions"):
        if not isinstance(question, dict) or not isinstance(question.get("answers", []), list):
            raise RowProblem("a question has no list of answers")
        for answer in question.get("answers", []):
            text = f"{question.get('question') or ''} {answer.get('answer') or ''}".strip()
            answers.append(kept(text=text, url=answer.get("source_url")))
    number = fields.get("claim_id")
    return LabelledClaim(
        id=f"averitec-{place.file}-{place.index if number is None else number}",
        claim=text_of(fields, "claim"),
        label=label_of(fields, "averitec"),
        date=date_of(fields, "claim_date"),
        speaker=optional_text(fields, "speaker"),
        meta=kept(
            gold_qa=answers,
            justification=fields.get("justification"),
            fact_checking_article=fields.get("fact_checking_article"),
        ),
    )


def _pubhealth(fields: Fields, _: Place) -> LabelledClaim:
    text = optional_text(fields, "main_text")
    try:
        date = date_of(fields, "date_published")
    except RowProblem:  # some hundred rows have a range or a garbled text there
        date = None
    return LabelledClaim(
        id=f"pubhealth-{text_of(fields, 'claim_id')}",
        claim=text_of(fields, "claim"),
        label=label_of(fields, "pubhealth"),
        date=date,
        evidence=(GoldEvidence(text=text),) if text else (),
        meta=kept(explanation=optional_text(fields, "explanation"), subjects=optional_text(fields, "subjects")),
    )


def _fire(fields: Fields, place: Place) -> LabelledClaim:
    return LabelledClaim(
        id=f"fire-{place.file}-{place.index}", claim=text_of(fields, "claim"), label=label_of(fields, "fire")
    )


LIAR_NEW = Format("liar_new", "LIAR-New", (columns("example_id", "statement"),), _liar_new)
AVERITEC = Format("averitec", "AVeriTeC", (columns("claim", "questions"),), _averitec)
PUBHEALTH = Format("pubhealth", "PubHealth", (columns("claim_id", "claim", "main_text"),), _pubhealth)
FIRE = Format("fire", "FIRE", (columns("claim", "label"),), _fire)
