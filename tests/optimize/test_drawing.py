"""Claims for prompts: seeded, the sets in turn, no page in two parts or in a test."""

import pytest

from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput
from wkgfc.optimize.drawing import draw_parts


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
