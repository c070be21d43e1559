"""What a run will take: from typical sizes, or from what an earlier one took."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from test_result import example
from wkgfc.cli.main import app
from wkgfc.config import load_settings
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.estimate import estimate
from wkgfc.usage import Usage

pytest.importorskip("genai_prices")


def test_a_run_takes_what_its_claims_take() -> None:
    settings = load_settings(reasoner="openai:gpt-4o")
    one, many = estimate(settings, 1), estimate(settings, 100)
    assert many.expected.calls == pytest.approx(100 * one.expected.calls)
    assert one.expected.cost_usd is not None
    assert many.expected.cost_usd == pytest.approx(100 * one.expected.cost_usd)
    assert 0 < one.expected.cost_usd < 1
    for side in ("calls", "input_tokens", "output_tokens", "cost_usd"):
        assert getattr(one.expected, side) < getattr(one.at_most, side)


def test_the_embedded_reasoner_takes_nothing() -> None:
    report = estimate(load_settings(), 1_000)
    assert report.expected == report.at_most
    assert (report.expected.calls, report.expected.cost_usd) == (0, 0.0)


def test_the_counts_are_those_of_the_design() -> None:
    """2N + 1 calls a retrieval, N + kN + 1 in faithful mode, each decision one more."""
    batched = estimate(load_settings(reasoner="openai:gpt-4o", web="none", max_steps=2), 1)
    faithful = estimate(load_settings(reasoner="openai:gpt-4o", web="none", max_steps=2, counting="faithful"), 1)
    assert (batched.at_most.calls, faithful.at_most.calls) == (9, 21)


def test_at_most_holds_where_steps_go_further_into_the_graph_instead_of_searching() -> None:
    both = estimate(load_settings(reasoner="openai:gpt-4o", web="some.index", passages=1, counting="faithful"), 1)
    graph = estimate(load_settings(reasoner="openai:gpt-4o", web="none", passages=1, counting="faithful"), 1)
    for side in ("calls", "input_tokens", "output_tokens", "cost_usd"):
        assert getattr(both.at_most, side) >= getattr(graph.at_most, side)


def test_no_answer_is_longer_than_the_settings_let_it_be() -> None:
    limited = load_settings(reasoner="openai:gpt-4o", web="none", max_steps=2, llm_max_tokens=100)
    thinking = load_settings(
        reasoner="openai:gpt-4o", web="none", max_steps=2, llm_max_tokens=100, llm_thinking_tokens=900
    )
    assert [estimate(each, 1).at_most.output_tokens for each in (limited, thinking)] == [9 * 100, 9 * 1_000]


def test_what_others_judge_costs_nothing() -> None:
    every = estimate(load_settings(reasoner="openai:gpt-4o"), 1)
    some = estimate(load_settings(reasoner="openai:gpt-4o, select=embedded, extract=embedded"), 1)
    none = estimate(load_settings(reasoner="embedded, judge=openai:gpt-4o"), 1)
    assert every.expected.calls > some.expected.calls > none.expected.calls == 1


def test_votes_are_verdicts_more() -> None:
    one = estimate(load_settings(reasoner="openai:gpt-4o"), 1)
    five = estimate(load_settings(reasoner="openai:gpt-4o", votes=5), 1)
    assert five.expected.calls == one.expected.calls + 4


def test_an_unknown_price_is_said_and_not_zero() -> None:
    report = estimate(load_settings(reasoner="openai-compatible:mine, grade=openai:gpt-4o"), 10)
    assert report.expected.cost_usd is None
    assert report.unpriced == ("openai-compatible:mine",)
    told = estimate(load_settings(reasoner="openai-compatible:mine", price_input_usd=1.0, price_output_usd=2.0), 10)
    assert told.expected.cost_usd is not None
    assert told.expected.cost_usd > 0


def test_a_model_on_this_machine_costs_nothing() -> None:
    report = estimate(load_settings(reasoner="local:model.gguf"), 10)
    assert report.expected.calls > 0
    assert report.expected.cost_usd == report.at_most.cost_usd == 0.0


def test_an_earlier_run_says_what_to_expect(tmp_path: Path) -> None:
    runs = [Usage(llm_calls=calls, input_tokens=1_000 * calls, output_tokens=100 * calls) for calls in (4, 8)]
    rows = [example().model_copy(update={"usage": usage, "errors": ("a\u2028b",)}).to_json() for usage in runs]
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "a.json").write_text(json.dumps(rows[0]), encoding="utf-8")
    (tmp_path / "b.jsonl").write_text(
        json.dumps({"id": 1, "result": rows[1]}, ensure_ascii=False) + "\nno json\n{}\n", encoding="utf-8"
    )
    report = estimate(load_settings(reasoner="openai:gpt-4o"), 10, like=tmp_path)
    assert (report.expected.calls, report.expected.input_tokens, report.expected.output_tokens) == (60, 60_000, 6_000)
    assert report.expected.cost_usd == pytest.approx(10 * (6_000 * 2.5 + 600 * 10) / 1_000_000)
    assert "2 results" in report.basis


@pytest.mark.parametrize("name", ["empty", "missing"])
def test_a_folder_without_results_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="no results"):
        estimate(load_settings(), 1, like=tmp_path / name)


def test_a_reasoner_that_names_nobody_is_refused() -> None:
    with pytest.raises(NotConfigured):
        estimate(load_settings(reasoner="grade=embedded"), 1)


def test_the_command_checks_nothing_and_shows_both() -> None:
    result = CliRunner().invoke(app, ["check", "--reasoner", "openai:gpt-4o", "--estimate", "--claims", "1000"])
    assert result.exit_code == 0, result.output
    for word in ("1,000 claims", "expected", "at most", "dollars"):
        assert word in result.output
