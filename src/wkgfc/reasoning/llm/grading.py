"""A model's grades of passages read: a quote that does not stand in its passage speaks for nothing."""

from collections.abc import Mapping

from wkgfc.evidence import NEUTRAL, Passage, Stance
from wkgfc.quotes import verbatim_quote
from wkgfc.reasoning.injection import looks_like_orders
from wkgfc.reasoning.llm.answers import GradesAnswer, PassageGrade
from wkgfc.reasoning.llm.asking import Complaint
from wkgfc.reasoning.reasoner import Grade

ELLIPSES = "… "


def grades_of(answer: GradesAnswer, passages: Mapping[str, Passage], *, is_last: bool) -> tuple[Grade, ...]:
    """One grade a passage, in order.

    Raises:
        Complaint: a passage has no grade or two, or a quote is not verbatim; on the last turn a passage whose quote is
            not verbatim is graded as saying nothing.
    """
    by_id = {grade.id: grade for grade in answer.grades}
    if len(answer.grades) != len(passages) or set(by_id) != set(passages):
        raise Complaint(f"grade each of {', '.join(passages)} exactly once")
    graded = {shown_id: _grade(by_id[shown_id], passage) for shown_id, passage in passages.items()}
    wrong = [shown_id for shown_id, grade in graded.items() if grade is None]
    if wrong and not is_last:
        raise Complaint(
            f"the quote of {', '.join(wrong)} does not stand in the passage: copy one stretch of it exactly, or leave "
            "it empty and answer neither"
        )
    return tuple(grade or _nothing(passages[shown_id]) for shown_id, grade in graded.items())


def _grade(said: PassageGrade, passage: Passage) -> Grade | None:
    """The grade, or ``None`` where it takes a side by a quote that is not there."""
    quote = verbatim_quote(said.quote.strip().strip(ELLIPSES), passage.text) or ""
    if not quote and said.stance != "neither":
        return None
    stance = NEUTRAL if said.stance == "neither" else _stance(said)
    return Grade(
        relevance=said.relevance,
        stance=stance,
        consistency=said.consistency,
        quote=quote,
        suspicious=looks_like_orders(passage.text),
    )


def _stance(said: PassageGrade) -> Stance:
    return Stance(
        supports=said.consistency * (said.stance == "supports"),
        refutes=said.consistency * (said.stance == "refutes"),
        neither=1.0 - said.consistency,
    )


def _nothing(passage: Passage) -> Grade:
    return Grade(relevance=0.0, stance=NEUTRAL, consistency=0.0, quote="", suspicious=looks_like_orders(passage.text))
