"""The loop over prompts: a scripted model in which one sentence of a prompt decides, found from critiques alone."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from scripted import ListGraph, ListWeb, passage
from scripted_model import Asked, ScriptedModel
from searching_model import PAGE, SENTENCE, searching_model
from wkgfc.budget import spending
from wkgfc.checker import FactChecker
from wkgfc.config import load_settings
from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.optimize.attempts import attempts_of
from wkgfc.optimize.origins import read_origin
from wkgfc.optimize.prompts import JOURNAL, Result, Schedule, optimize_prompts, prompts_in, shipped_prompt
from wkgfc.optimize.reflection import ADVICE, Critique
from wkgfc.optimize.rewriting import Blame, ModelRewriter, Rewriter, Trial, complaint_about_prompt, worst
from wkgfc.optimize.textgrad_rewriting import TextGradRewriter
from wkgfc.reasoning.llm.asking import Asking
from wkgfc.reasoning.llm.policy import read_policy


def rows(first: int, last: int) -> list[LabelledClaim]:
    return [
        LabelledClaim(id=f"c{n}", claim=f"Ada Verne sold {n} barrels of a red dye to the mill.", label="SUPPORTS")
        for n in range(first, last)
    ]


Optimizer = Callable[[Asking], Rewriter]


def textgrad(asking: Asking) -> Rewriter:
    if find_spec("textgrad") is None:
        pytest.skip("TextGrad is not installed: pip install 'wkgfc[textgrad]'")
    return TextGradRewriter(asking)


async def learn(
    out: Path,
    scripted: ScriptedModel,
    schedule: Schedule | None = None,
    interrupt_after: int | None = None,
    optimizer: Optimizer = ModelRewriter,
    start: Mapping[str, str] | None = None,
    claims: int = 7,
    **given: Any,
) -> Result:
    checker = FactChecker(
        load_settings(kg="none", web="none", **given),
        graph=ListGraph(),
        web=ListWeb([passage(PAGE)]),
        reasoner=scripted.reasoner(),
    )
    asking = scripted.asking()
    attempt = attempts_of(scripted.reasoner().with_policy, checker, critic=asking)
    done = 0

    async def counted(prompts: Mapping[str, str], row: LabelledClaim, is_criticised: bool) -> Trial:
        nonlocal done
        if done == interrupt_after:
            raise KeyboardInterrupt
        done += 1
        return await attempt(prompts, row, is_criticised)

    chosen = schedule or Schedule(epochs=2, batch=2, patience=3)
    with spending(checker.spent):
        return await optimize_prompts(
            rows(0, claims // 2 + 1),
            rows(claims // 2 + 1, claims),
            counted,
            optimizer(asking),
            out,
            schedule=chosen,
            start=start,
        )


@pytest.mark.parametrize("optimizer", [ModelRewriter, textgrad])
async def test_the_sentence_that_decides_is_found_from_critiques_alone(tmp_path: Path, optimizer: Optimizer) -> None:
    result = await learn(tmp_path / "learned", searching_model(), optimizer=optimizer)
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
    assert best.version == policy.version
    origin = read_origin(tmp_path / "learned")
    assert origin is not None
    assert (origin.kind, origin.parent, origin.more["best"]) == ("prompts", "built-in", best.number)
    assert [each["number"] for each in origin.more["candidates"]] == list(range(len(result.candidates)))
    assert origin.more["train"] == ["c0", "c1", "c2", "c3"]
    assert origin.validation is not None
    assert (origin.validation.reward, origin.validation.before) == (best.reward, first.reward)


async def test_a_rewrite_that_says_nothing_is_worth_what_its_parent_is() -> None:
    """What one candidate was answered must not be free to the next, or the last one would always be the best."""
    scripted = searching_model()
    checker = FactChecker(
        load_settings(kg="none", web="none"),
        graph=ListGraph(),
        web=ListWeb([passage(PAGE)]),
        reasoner=scripted.reasoner(),
    )
    attempt = attempts_of(scripted.reasoner().with_policy, checker, critic=None)
    searching = shipped_prompt("decide").replace("# Question", f"{SENTENCE}\n# Question")
    trials, calls = [], []
    for text in (searching, searching.replace(SENTENCE, f"{SENTENCE} Thank you.")):
        before = len(scripted.asked)
        trials.append(await attempt({"decide": text}, rows(0, 1)[0], False))
        calls.append(len(scripted.asked) - before)
    assert trials[0] == trials[1]
    assert calls[0] == calls[1] >= 3


async def test_what_was_learned_can_be_begun_from(tmp_path: Path) -> None:
    await learn(tmp_path / "first", searching_model())
    start = prompts_in(tmp_path / "first")
    result = await learn(tmp_path / "second", searching_model(), start=start)
    assert (result.ended, result.best.number, len(result.candidates)) == ("nothing to mend", 0, 1)
    assert prompts_in(tmp_path / "second") == start
    origin = read_origin(tmp_path / "second")
    assert origin is not None
    assert origin.parent == read_policy(tmp_path / "first").version
    with pytest.raises(BadInput, match="another run"):
        await learn(tmp_path / "second", searching_model())


async def test_after_a_kill_in_a_check_it_goes_on_to_the_same_end(tmp_path: Path) -> None:
    whole = await learn(tmp_path / "whole", searching_model())
    for place in range(0, 12, 3):
        out = tmp_path / f"killed-{place}"
        with pytest.raises(KeyboardInterrupt):
            await learn(out, searching_model(), interrupt_after=place)
        with (out / JOURNAL).open("a", encoding="utf-8") as file:
            file.write('{"candidate": 0, "tri')  # a line that the kill tore
        assert await learn(out, searching_model()) == whole


class Killed(BaseException):
    """A kill at a write: nothing of ours may catch it."""


async def test_a_kill_between_any_two_writes_loses_nothing_and_leaves_no_half_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def learn_a_little(out: Path) -> Result:
        return await learn(out, searching_model(), Schedule(epochs=1, batch=2), claims=3)

    whole = await learn_a_little(tmp_path / "whole")
    left = -1
    real = {name: getattr(Path, name) for name in ("open", "write_text", "replace", "unlink")}

    def dying(name: str) -> Callable[..., Any]:
        def write(self: Path, *given: Any, **named: Any) -> Any:
            nonlocal left
            is_write = name != "open" or (given and given[0] == "a")
            if is_write and tmp_path in self.parents:
                if left == 0:
                    raise Killed
                left -= 1
            return real[name](self, *given, **named)

        return write

    for name in real:
        monkeypatch.setattr(Path, name, dying(name))
    for place in range(60):
        out, left = tmp_path / f"killed-{place}", place
        try:
            await learn_a_little(out)
        except Killed:
            left = -1
            with suppress(NotConfigured):  # no prompt yet, or unfinished: said, not used
                assert read_policy(out).version == whole.best.version
            assert await learn_a_little(out) == whole
            assert read_policy(out).version == whole.best.version
            assert not {file.name for file in out.iterdir()} - {JOURNAL, "policy.json", "decide.md"}
        else:
            break
    assert 9 < place < 59


async def test_the_limit_of_a_run_ends_it_with_the_best_so_far_and_the_same_command_goes_on(tmp_path: Path) -> None:
    whole, out, ends = await learn(tmp_path / "whole", searching_model()), tmp_path / "learned", list[str]()
    for _ in range(20):
        result = await learn(out, searching_model(), run_max_steps=9)
        ends.append(result.ended)
        if result.ended != "the run's limit":
            break
    assert result == whole
    assert set(ends[:-1]) == {"the run's limit"}
    assert len(ends) > 3


async def test_what_the_model_does_not_judge_is_not_rewritten() -> None:
    trials = [
        Trial(claim_id="c", reward=0.1, critique=Critique(kind="wrong_grading", reason="", advice="x", critic="test")),
        Trial(claim_id="d", reward=0.9, critique=Critique(kind="premature_stop", reason="", advice="x", critic="test")),
    ]
    blame = worst(trials, judged=["decide", "judge"])
    assert blame is not None
    assert blame.judgement == "decide"
    assert worst(trials, judged=["extract"]) is None


@pytest.mark.parametrize("optimizer", [ModelRewriter, textgrad])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        (shipped_prompt("decide"), "nothing was changed"),
        (shipped_prompt("decide").replace("# Question", "Be careful. " * 400 + "\n# Question"), "over 2 times"),
        (shipped_prompt("decide").replace("{evidence}", ""), "lacks fields"),
        ("x" * 30_000, "no answer that can be used"),  # more than one may have, twice
    ],
)
async def test_a_rewrite_that_breaks_a_rule_is_rejected_with_the_reason_and_the_best_stays(
    tmp_path: Path, text: str, said: str, optimizer: Optimizer
) -> None:
    result = await learn(tmp_path / "learned", searching_model({"all": text}), optimizer=optimizer)
    assert result.best.number == 0
    assert result.ended == "patience"
    refused = "no answer" if text == "" and optimizer is ModelRewriter else said
    assert {refused in (each.rejected or "") for each in result.candidates[1:]} == {True}
    assert not list((tmp_path / "learned").glob("*.md"))


async def test_where_the_critic_answers_nonsense_the_rules_criticise(tmp_path: Path) -> None:
    sensible = searching_model().otherwise
    assert sensible is not None

    def answer(asked: Asked) -> Any:
        is_critique = "advice" in (asked.schema or {})["properties"]
        return {"advice": ["\x00"], "step": -1} if is_critique else sensible(asked)

    result = await learn(tmp_path / "learned", ScriptedModel(otherwise=answer))
    assert (result.best.number, result.ended) == (0, "patience")
    assert result.candidates[1].kind == "premature_stop"
    assert f"+{ADVICE['premature_stop']}" in result.candidates[1].diff
    assert {each.rejected for each in result.candidates[2:]} == {"it was tried before"}


async def test_claims_of_two_files_with_the_same_ids_are_tried_each_by_itself(tmp_path: Path) -> None:
    """A trial of a claim to choose by must not stand for one to learn from, nor a claim for another of its part."""
    said = [LabelledClaim(id="1", claim=f"Ada Verne sold {n} barrels.", label="SUPPORTS") for n in range(4)]
    tried: list[tuple[str, bool]] = []

    async def attempt(_: Mapping[str, str], row: LabelledClaim, is_criticised: bool) -> Trial:
        tried.append((row.claim, is_criticised))
        critique = Critique(kind="none", reason="", advice="", critic="test")
        return Trial(claim_id=row.id, reward=1.0 if row is said[2] else 0.5, critique=critique)

    for _ in range(2):  # the second time from the journal
        result = await optimize_prompts(
            said[:2], said[2:], attempt, ModelRewriter(ScriptedModel().asking()), tmp_path / "learned"
        )
        assert result.best.reward == 0.75
    assert sorted(tried) == [(row.claim, number < 2) for number, row in enumerate(said)]


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
        (None, "no answer that can be used"),
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
