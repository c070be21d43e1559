"""A run of learning the embedded policy: several sets, a folder that is gone on with after a kill, and refusals."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from small_world import World
from wkgfc.checker import FactChecker
from wkgfc.config import load_settings
from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput
from wkgfc.optimize.drawing import ClaimSet
from wkgfc.optimize.exploration import Explored, explore
from wkgfc.optimize.learning import EXPLORED, RUN, Learned, learn
from wkgfc.optimize.origins import FILE, read_origin
from wkgfc.optimize.reward import RewardWeights
from wkgfc.reasoning.embedded.policy import EmbeddedPolicy, read_embedded_policy

BAD = EmbeddedPolicy().having({"verdict": {"sufficient": 0.95, "silent": 0.9}})


@pytest.fixture(scope="module")
def explored(world: World) -> dict[str, Explored]:
    checker = FactChecker(load_settings(kg=world.kg, web=world.web))

    async def walk() -> dict[str, Explored]:
        environment = checker.open()
        rows = world.rows("fever_val")
        return {row.id: await explore(row, environment, source="set", max_steps=6) for row in rows}

    return asyncio.run(walk())


@pytest.fixture
def learning(world: World, explored: dict[str, Explored]) -> Callable[..., Learned]:
    """Learns from two sets and tests on a third; ``asked`` is told of each claim that is explored."""
    rows = world.rows("fever_val")

    def begin(out: Path, asked: list[str] | None = None, **given: Any) -> Learned:
        async def explored_by(source: str, row: LabelledClaim) -> Explored:
            if asked is not None:
                asked.append(row.id)
            return explored[row.id.removesuffix("'")].model_copy(update={"source": source, "id": row.id})

        tested = rows[0].model_copy(update={"id": "c1'"})
        parts = {"start": BAD, "origin": {"kg": "small"}, "held_out": 0.4, "seed": 3,
                 "test": [ClaimSet("third", (tested,))], **given}  # fmt: skip
        return asyncio.run(learn([ClaimSet("one", rows[:3]), ClaimSet("two", rows[3:])], explored_by, out, **parts))

    return begin


def test_each_set_has_its_own_figures_and_the_policy_says_where_it_came_from(
    tmp_path: Path, learning: Callable[..., Learned]
) -> None:
    learned = learning(tmp_path / "out")
    names = [part.name for part in learned.parts]
    assert names[:2] == ["fitted on", "held out"]
    assert names[-1] == "test, third"
    assert any(name.startswith("held out, ") for name in names)
    origin = read_origin(tmp_path / "out")
    assert origin is not None
    assert (origin.claims, origin.seed, origin.parent) == ({"one": 3, "two": 2}, 3, BAD.mark.removeprefix("."))
    assert origin.weights == RewardWeights().model_dump()
    assert origin.content == learned.policy.mark
    assert origin.validation is not None
    assert origin.validation.n == next(part.n for part in learned.parts if part.name == "held out")
    assert read_embedded_policy(tmp_path / "out") == learned.policy


class Killed(BaseException):
    """A kill at a write."""


def test_a_kill_between_any_two_writes_loses_nothing_and_applies_nothing_by_half(
    tmp_path: Path, learning: Callable[..., Learned], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, left = learning(tmp_path / "whole"), -1
    real = {name: getattr(Path, name) for name in ("open", "write_text", "replace")}

    def dying(name: str) -> Callable[..., Any]:
        def write(self: Path, *given: Any, **named: Any) -> Any:
            nonlocal left
            if tmp_path in self.parents and (name != "open" or (given and given[0] == "a")):
                if left == 0:
                    raise Killed
                left -= 1
            return real[name](self, *given, **named)

        return write

    for name in real:
        monkeypatch.setattr(Path, name, dying(name))
    for place in range(40):
        out, left, before, after = tmp_path / f"killed-{place}", place, list[str](), list[str]()
        try:
            learning(out, before)
        except Killed:
            left = -1
            assert not (out / FILE).exists()
            assert not (out / "embedded.json").exists() or read_embedded_policy(out) == whole.policy
            assert learning(out, after) == whole
            assert len({*before, *after}) == 6
            assert len(before) + len(after) <= 7  # only the claim that was under way is explored twice
        else:
            break
    assert 9 < place < 39


@pytest.mark.parametrize(
    "given", [{"seed": 4}, {"held_out": 0.5}, {"origin": {"kg": "other"}}, {"weights": RewardWeights(efficiency=0.5)}]
)
def test_another_run_is_refused(tmp_path: Path, learning: Callable[..., Learned], given: dict[str, Any]) -> None:
    learning(tmp_path / "out")
    before = {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}
    with pytest.raises(BadInput, match="has another run"):
        learning(tmp_path / "out", **given)
    assert {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()} == before


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (RUN, "not json", "cannot be used"),
        (RUN, json.dumps({"layout": 1}), "has another run"),
        (EXPLORED, '{"id": "c1", "layout": "old"}\n', "line 1 is damaged, or of another version"),
        (EXPLORED, "\x00\xff\n", "line 1 is damaged, or of another version"),
    ],
)
def test_a_folder_of_another_version_or_a_damaged_one_is_refused(
    tmp_path: Path, learning: Callable[..., Learned], name: str, text: str, said: str
) -> None:
    learning(tmp_path / "out")
    (tmp_path / "out" / name).write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        learning(tmp_path / "out")
