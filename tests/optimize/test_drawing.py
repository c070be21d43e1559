"""Claims to learn from: seeded, the sets in turn, no two parts about the same page or thing."""

import pytest

from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput
from wkgfc.optimize.drawing import about, apart_from, draw_parts


def rows(name: str, number: int) -> list[LabelledClaim]:
    return [
        LabelledClaim(id=f"{name}{n}", claim=f"{name} {n}", label="SUPPORTS", meta={"pages": [f"page {n // 2}"]})
        for n in range(number)
    ]


def pages(row: LabelledClaim) -> list[str]:
    return list(row.meta["pages"])


def test_the_parts_share_no_page_with_each_other_or_with_a_test() -> None:
    fever, hover = (
        rows("fever", 40),
        [row.model_copy(update={"meta": {"pages": [row.id]}}) for row in rows("hover", 40)],
    )
    test = fever[:6]
    drawn = draw_parts([fever, hover], pages, train=10, validation=6, apart_from=test, seed=1)
    train, validation = ({p for row in part for p in pages(row)} for part in (drawn.train, drawn.validation))
    assert not train & validation
    assert not (train | validation) & {p for row in test for p in pages(row)}
    assert sum(row.id.startswith("fever") for row in drawn.train) == 5
    assert draw_parts([fever, hover], pages, train=10, validation=6, apart_from=test, seed=1) == drawn
    assert draw_parts([fever, hover], pages, train=10, validation=6, apart_from=test, seed=2) != drawn


def test_claims_without_a_label_are_not_drawn_and_too_few_are_told() -> None:
    unlabelled = [row.model_copy(update={"label": None}) for row in rows("x", 9)]
    with pytest.raises(BadInput, match="claims for train, not 3"):
        draw_parts([[*unlabelled, *rows("fever", 4)]], pages, train=3, validation=2)


def test_a_chain_is_about_the_things_it_goes_through_and_not_about_its_last_value() -> None:
    def chain(identifier: str, *steps: tuple[str, str, str]) -> LabelledClaim:
        meta = {"chain": [list(step) for step in steps], "items": [steps[0][0], "Q30"]}
        return LabelledClaim(id=identifier, claim=f"A chain {identifier}.", label="SUPPORTS", meta=meta)

    tested = chain("t", ("Q1", "P57", "Q2"), ("Q2", "P27", "Q30"))
    others = [chain("same start", ("Q1", "P58", "Q9")), chain("same middle", ("Q5", "P57", "Q6"), ("Q2", "P19", "Q7")),
              chain("same end", ("Q8", "P27", "Q30"))]  # fmt: skip
    assert about(tested, ["A page"]) == {"A page", "Q1", "Q2"}
    assert [row.id for row in apart_from(others, [tested], lambda row: about(row, ()))] == ["same end"]
    again = chain("again", ("Q77", "P1", "Q78")).model_copy(update={"claim": tested.claim})
    assert apart_from([again], [tested], lambda row: about(row, ())) == ()


@pytest.mark.parametrize(
    "meta", [{"chain": "Q1"}, {"chain": [3, [], [None, "P1"], ["Q1"]], "items": 7}, {"items": ["Q1"]}]
)
def test_a_chain_that_is_none_says_what_it_can(meta: dict[str, object]) -> None:
    row = LabelledClaim(id="x", claim="It is so.", label="SUPPORTS", meta=meta)
    assert about(row, ["A page"]) <= {"A page", "Q1"}
