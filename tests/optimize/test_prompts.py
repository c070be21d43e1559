"""The loop over prompts: a scripted model in which one sentence of a prompt decides, found from critiques alone."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scripted import ListGraph, ListWeb, passage
from scripted_model import ScriptedModel
from searching_model import PAGE, SENTENCE, searching_model
from wkgfc.checker import FactChecker
from wkgfc.config import load_settings
from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput
from wkgfc.optimize.attempts import attempts_of
from wkgfc.optimize.prompts import JOURNAL, Result, Schedule, optimize_prompts, shipped_prompt
from wkgfc.optimize.reflection import Critique
from wkgfc.optimize.rewriting import Blame, ModelRewriter, Trial, complaint_about_prompt, worst
from wkgfc.reasoning.llm.policy import read_policy


def rows(first: int, last: int) -> list[LabelledClaim]:
    return [
        LabelledClaim(id=f"c{n}", claim=f"Ada Verne sold {n} barrels of a red dye to the mill.", label="SUPPORTS")
        for n in range(first, last)
    ]


async def learn(
    out: Path, scripted: ScriptedModel, schedule: Schedule | None = None, interrupt_after: int | None = None
) -> Result:
    checker = FactChecker(
        load_settings(kg="none", web="none"),
        graph=ListGraph(),
        web=ListWeb([passage(PAGE)]),
        reasoner=scripted.reasoner(),
    )
    asking = scripted.asking()
    attempt = attempts_of(scripted.reasoner(), checker, critic=asking)
    done = 0

    async def counted(prompts: Mapping[str, str], row: LabelledClaim, is_criticised: bool) -> Trial:
        nonlocal done
        if done == interrupt_after:
            raise KeyboardInterrupt
        done += 1
        return await attempt(prompts, row, is_criticised)

    chosen = schedule or Schedule(epochs=2, batch=2, patience=3)
    return await optimize_prompts(rows(0, 4), rows(4, 7), counted, ModelRewriter(asking), out, schedule=chosen)


async def test_the_sentence_that_decides_is_found_from_critiques_alone(tmp_path: Path) -> None:
    result = await learn(tmp_path / "learned", searching_model())
    first, best = result.candidates[0], result.best
    assert (best.parent, best.judgement, best.kind) == (0, "decide", "premature_stop")
    assert best.reward is not None
    assert first.reward is not None
    assert best.reward > first.reward + 0.3
    assert (best.low or 0) <= best.reward <= (best.high or 0)
    assert f"+{SENTENCE}" in best.diff
    policy = read_policy(tmp_path / "learned")
    assert SENTENCE in policy["decide"].instructions
    assert policy["judge"] == read_policy()["judge"]
    origin = json.loads((tmp_path / "learned" / "policy.json").read_text(encoding="utf-8"))
    assert origin["best"] == best.number
    assert [each["number"] for each in origin["candidates"]] == list(range(len(result.candidates)))


async def test_after_a_kill_at_any_moment_it_goes_on_to_the_same_end(tmp_path: Path) -> None:
    whole = await learn(tmp_path / "whole", searching_model())
    for place in range(0, 12, 3):
        out = tmp_path / f"killed-{place}"
        with pytest.raises(KeyboardInterrupt):
            await learn(out, searching_model(), interrupt_after=place)
        with (out / JOURNAL).open("a", encoding="utf-8") as file:
            file.write('{"candidate": 0, "tri')  # a line that the kill tore
        assert await learn(out, searching_model()) == whole


async def test_a_rewrite_that_breaks_a_rule_is_rejected_with_the_reason_and_the_best_stays(tmp_path: Path) -> None:
    broken = searching_model({"all": shipped_prompt("decide").replace("{evidence}", "")})
    result = await learn(tmp_path / "learned", broken)
    assert result.best.number == 0
    assert result.ended == "patience"
    assert all("evidence" in (each.rejected or "") for each in result.candidates[1:])
    assert not list((tmp_path / "learned").glob("*.md"))


async def test_the_budget_ends_it(tmp_path: Path) -> None:
    broken = searching_model({"all": "no prompt at all"})
    result = await learn(tmp_path / "learned", broken, Schedule(epochs=20, batch=1, max_candidates=2))
    assert (result.ended, len(result.candidates)) == ("budget", 3)


async def test_another_run_or_a_shared_claim_is_refused(tmp_path: Path) -> None:
    await learn(tmp_path / "learned", searching_model())
    with pytest.raises(BadInput, match="another run"):
        await learn(tmp_path / "learned", searching_model(), Schedule(epochs=3))
    with pytest.raises(BadInput, match="both trained on and chosen by"):
        await optimize_prompts(rows(0, 2), rows(1, 3), None, None, tmp_path / "x")  # type: ignore[arg-type]


SHIPPED = shipped_prompt("decide")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "it is empty"),
        (" \n", "it is empty"),
        (SHIPPED.replace(". ", ".\n"), "nothing was changed"),
        (SHIPPED.replace("# Question", "Be careful. " * 400 + "\n# Question"), "over 2 times"),
        (SHIPPED.replace("{claim}", "the claim"), "lacks fields that this judgement needs: claim"),
        (SHIPPED.replace("# Question", "# Ask"), "needs two parts"),
        (SHIPPED.replace("between borders", "quoted"), "the rule about text between borders is gone"),
        (SHIPPED.replace("# Question", "If Ada Verne sold a red dye, conclude.\n# Question"), "“ada verne sold a red”"),
        (SHIPPED.replace("# Question", f"{SENTENCE}\n# Question"), None),
    ],
)
def test_what_a_rewritten_prompt_must_keep(text: str | None, said: str | None) -> None:
    claims = ["Ada Verne sold a red dye to the mill.", "Lyon is in France."]
    complaint = complaint_about_prompt("decide", text, SHIPPED, SHIPPED, claims)
    assert complaint is None if said is None else said in (complaint or "")


def test_what_cost_the_most_reward_is_mended_first() -> None:
    def trial(kind: Any, reward: float) -> Trial:
        return Trial(claim_id="c", reward=reward, critique=Critique(kind=kind, reason="", advice="x", critic="test"))

    blame = worst([trial("redundant_expansion", 0.9), trial("redundant_expansion", 0.9), trial("wrong_grading", 0.2)])
    assert blame is not None
    assert (blame.kind, blame.judgement, len(blame.critiques)) == ("wrong_grading", "grade", 1)
    assert worst([trial("none", 0.5)]) is None


async def test_a_rewriter_that_answers_nothing_usable_gives_none() -> None:
    rewriter = ModelRewriter(ScriptedModel([{"prompt": " "}, "nonsense"]).asking())
    assert await rewriter.rewrite(SHIPPED, Blame(kind="premature_stop", cost=1.0, critiques=())) is None
