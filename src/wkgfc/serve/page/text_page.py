"""What the template of a whole text is given: the text in stretches, and what came of the claims in it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wkgfc.serve.jobs import Batch
from wkgfc.serve.page.history import Row, row_of
from wkgfc.serve.page.words import Verdict


@dataclass(frozen=True)
class Stretch:
    """A part of the text: a checked sentence (``number`` counts them), one that is unclear, or what is between."""

    text: str
    number: int | None = None
    row: Row | None = None
    unclear: str = ""


@dataclass(frozen=True)
class Checked:
    """A sentence that is checked. ``suggestion`` is the claim as it would be right, and the evidence that says so."""

    number: int
    row: Row
    suggestion: tuple[str, str] | None = None


def text_values(batch: Batch, report: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the template ``text.html``, from the batch and its report (``api/texts.py``)."""
    rows = {number: row_of(job) for number, job in zip(batch.about["numbers"], batch.checks, strict=True)}
    sentences = report["sentences"]
    places = {at: place for place, at in enumerate(sorted(rows), 1)}
    counts: Counter[Verdict] = Counter(row.verdict for row in rows.values())
    return {
        "batch": batch,
        "title": report["source"]["title"] or "A checked text",
        "is_open": not all(job.has_ended for job in batch.checks),
        "ended": sum(rows[at].verdict.colour not in ("waiting", "running") for at in rows),
        "counts": counts.most_common(),
        "stretches": list(_stretches(report["source"]["text"], sentences, rows, places)),
        "checked": [Checked(places[at], rows[at], _suggestion(sentences[at])) for at in sorted(rows)],
        "others": [
            (each["sentence"]["text"], each["sentence"]["reason"])
            for at, each in enumerate(sentences)
            if at not in rows
        ],
    }


def _stretches(
    text: str, sentences: list[dict[str, Any]], rows: Mapping[int, Row], places: Mapping[int, int]
) -> Iterator[Stretch]:
    end = 0
    for at, each in enumerate(sentences):
        sentence = each["sentence"]
        if text[end : sentence["start"]]:
            yield Stretch(text[end : sentence["start"]])
        # Claims of one sentence may share words: each is marked where the last one ends, or by its number alone.
        said = text[max(sentence["start"], end) : sentence["end"]] or (f"[{places[at]}]" if at in rows else "")
        end = max(end, sentence["end"])
        unclear = sentence["reason"] if sentence["standing"] == "unclear" else ""
        if said:
            yield Stretch(said, places.get(at), rows.get(at), unclear)
    if text[end:]:
        yield Stretch(text[end:])


def _suggestion(sentence: Mapping[str, Any]) -> tuple[str, str] | None:
    correction = sentence["correction"]
    if correction is None or correction["claim"] is None:
        return None
    return correction["claim"], correction["evidence"]
