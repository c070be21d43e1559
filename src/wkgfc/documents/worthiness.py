"""How much there is to check in a sentence: names, dates, numbers and rankings, counted.

A score to choose by, made by hand. It is no probability, and was fitted on nothing.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wkgfc.language import parse
from wkgfc.reasoning.embedded.values.quantities import read_quantities
from wkgfc.reasoning.embedded.values.times import read_times

if TYPE_CHECKING:
    from spacy.tokens import Doc

NAMES = {"PERSON", "ORG", "GPE", "LOC", "FAC", "EVENT", "WORK_OF_ART", "NORP", "PRODUCT", "LAW", "LANGUAGE"}  # of spaCy
LEAST = 0.2  # what a plain statement about things has, with nothing named, dated or counted

_STATEMENT, _NAME, _SECOND_NAME, _TIME, _NUMBER, _RANKING, _HEDGE = 0.2, 0.25, 0.1, 0.2, 0.2, 0.1, -0.15


@dataclass(frozen=True)
class Worthiness:
    """``score`` from 0 to 1, and what it counted, in words."""

    score: float
    reason: str


def worthiness_of(sentence: str) -> Worthiness:
    """How much a sentence states that a source could bear out or contradict."""
    doc = parse(sentence)
    names = len({entity.text for entity in doc.ents if entity.label_ in NAMES})
    times, numbers = len(read_times(sentence)), len(read_quantities(sentence))
    is_ranking = any(token.tag_ in ("JJS", "RBS", "JJR", "RBR") for token in doc)
    is_hedged = any(token.tag_ == "MD" and token.lower_ in ("may", "might", "could") for token in doc)
    parts = (
        (_states(doc), _STATEMENT, "a statement about things"),
        (names > 0, _NAME, _counted(names, "name")),
        (names > 1, _SECOND_NAME, ""),
        (times > 0, _TIME, _counted(times, "date")),
        (numbers > 0, _NUMBER, _counted(numbers, "number")),
        (is_ranking, _RANKING, "a comparison"),
        (is_hedged, _HEDGE, "said with a doubt"),
    )
    score = sum(weight for is_so, weight, _ in parts if is_so)
    said = [words for is_so, _, words in parts if is_so and words]
    return Worthiness(round(min(max(score, 0.0), 1.0), 2), ", ".join(said) or "nothing that a source could state")


def _states(doc: "Doc") -> bool:
    """Whether something that is named by a noun is said to do or be something."""
    return any(token.dep_ in ("nsubj", "nsubjpass") and token.pos_ in ("NOUN", "PROPN") for token in doc)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
