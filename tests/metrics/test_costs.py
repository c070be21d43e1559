"""What checks cost, as means a claim."""

import pytest

from wkgfc.metrics import costs_of
from wkgfc.usage import Usage


def test_costs_are_means_with_the_money_in_all() -> None:
    costs = costs_of(
        [
            Usage(kg_queries=4, web_searches=1, llm_calls=9, input_tokens=900, output_tokens=100, cost_usd=0.02),
            Usage(kg_queries=2, web_searches=0, llm_calls=3, input_tokens=1_000, unpriced_tokens=500, cost_usd=0.01),
        ],
        [1.0, 3.0],
    )
    assert (costs.n, costs.calls, costs.queries, costs.tokens) == (2, 6.0, 3.5, 1_000.0)
    assert costs.cost_usd == pytest.approx(0.03)
    assert costs.unpriced == 0.25
    assert (costs.seconds_median, costs.seconds_p95) == (2.0, 3.0)


def test_without_checks_there_are_no_costs() -> None:
    with pytest.raises(ValueError, match="for each check"):
        costs_of([], [])
