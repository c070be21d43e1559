"""The floors: what is learned of development claims, and nothing of the claims that they are measured on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from small_world import World
from wkgfc.baselines.floors import Fitted, LexicalOverlap, Majority, _threshold, fit
from wkgfc.baselines.method import CannotCheck, Seen
from wkgfc.baselines.registry import METHODS
from wkgfc.claim import Veracity, read_claim
from wkgfc.evaluate.given import GivenTexts, seen_by
from wkgfc.evaluate.opening import fitted_for
from wkgfc.evaluate.sets import Sight
from wkgfc.evaluate.workbench import Workbench
from wkgfc.state import Failed


def test_the_most_frequent_class_of_development_claims_is_the_answer_to_all(bench: Workbench) -> None:
    for supported, answer in ((0.6, Veracity.SUPPORTED), (0.4, Veracity.REFUTED)):
        method = Majority(bench.tools, Fitted(claims="fever_dev", n=50, supported=supported))
        result = bench.run(method.check(read_claim("Anything is so."), Seen()))
        assert result.veracity is answer
        assert "fever_dev" in result.justification[0].text
        assert result.evidence == ()


def test_the_threshold_separates_best_by_balanced_accuracy() -> None:
    learned = _threshold([0.1, 0.2, 0.3, 0.8, 0.9, 0.95], [False, False, True, True, True, True])
    assert learned["threshold"] == 0.3
    assert learned["above"] == pytest.approx(5 / 6)  # four of four, with one of each kind added
    assert learned["below"] == pytest.approx(1 / 4)


def test_it_is_fitted_on_what_it_will_see(bench: Workbench, world: World) -> None:
    rows = world.rows("fever_dev")
    sight = Sight(document=True)
    fitted = fit(rows, "fever_dev", bench.tools, lambda row: seen_by(sight, row, bench.graph, bench.web, "dev"))
    assert (fitted.n, fitted.supported) == (60, 0.5)
    assert fitted.threshold is not None
    method = LexicalOverlap(bench.tools, fitted)
    answers = [bench.run(method.check(row.to_claim(), seen_by(sight, row, bench.graph, None, "x"))) for row in rows[:4]]
    assert [each.veracity for each in answers] == [row.two_class for row in rows[:4]]


def test_it_is_fitted_in_the_loop_in_which_the_sources_are_connected(
    bench: Workbench, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def here() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    loops = []

    class Watched(GivenTexts):
        async def search(self, *given: Any, **more: Any) -> Any:
            loops.append(asyncio.get_running_loop())
            return await super().search(*given, **more)

    path = tmp_path / "dev.jsonl"
    path.write_text("".join(row.model_dump_json(exclude_none=True) + "\n" for row in world.rows("fever_dev")))
    monkeypatch.setattr(bench, "web", Watched([]))
    assert fitted_for(METHODS["lexical"], Sight(web="sources"), path, bench) is not None
    assert set(loops) == {bench.run(here())}


def test_a_search_that_fails_is_no_overlap_of_nothing(bench: Workbench, world: World) -> None:
    class Down(GivenTexts):
        async def search(self, *given: Any, **more: Any) -> Any:
            return Failed("HTTP 503")

    with pytest.raises(CannotCheck, match="failed: HTTP 503"):
        fit(world.rows("fever_dev"), "fever_dev", bench.tools, lambda _: Seen(web=Down([])))


def test_too_few_claims_are_not_fitted_on(bench: Workbench, world: World) -> None:
    with pytest.raises(CannotCheck, match="fewer than 20"):
        fit(world.rows("fever_val"), "fever_val", bench.tools)


def test_without_a_passage_it_does_not_lean(bench: Workbench) -> None:
    fitted = Fitted(claims="d", n=50, supported=0.5, threshold=0.5, above=0.9, below=0.1)
    result = bench.run(LexicalOverlap(bench.tools, fitted).check(read_claim("It is so."), Seen(web=GivenTexts([]))))
    assert result.veracity is Veracity.NOT_ENOUGH_EVIDENCE
