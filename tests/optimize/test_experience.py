"""The buffer: one row a step, only ever more; a kill loses nothing; other files are refused with the reason."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from small_episodes import good
from wkgfc.claim import Veracity
from wkgfc.errors import BadInput
from wkgfc.optimize.episodes import Episode
from wkgfc.optimize.experience import LAYOUT, Experience, exported
from wkgfc.optimize.reflection import critique_by_rules
from wkgfc.optimize.reward import reward_of, step_rewards
from wkgfc.result import SourceVersion

REDUNDANT = good(way="IESV", brought=[["K1"], ["K1"], ["W1"]], claim_id="c2", claim="Ada Verne had a mill.")


def add(buffer: Experience, one: Episode) -> bool:
    return buffer.add(one, reward_of(one), critique_by_rules(one))


def test_a_row_a_step_with_state_action_observation_reward_and_critique(tmp_path: Path) -> None:
    with Experience(tmp_path / "d.sqlite", is_new=True) as buffer:
        assert add(buffer, REDUNDANT)
        rows = list(buffer.steps())
    assert [row.action["name"] for row in rows] == ["initKGRetrieval", "expandKG", "webSearch", "verdict"]
    assert [row.state["evidence"] for row in rows] == [[], ["K1"], ["K1"], ["K1", "W1"]]
    assert [row.state["queries"] for row in rows] == [[], [], [], ["red dye"]]
    assert [row.observation["id"] for row in rows] == ["S1", "S2", "S3", "S4"]
    assert tuple(row.reward for row in rows) == step_rewards(REDUNDANT, reward_of(REDUNDANT))
    assert [row.critique.kind if row.critique else None for row in rows] == [None, "redundant_expansion", None, None]
    assert {row.policy for row in rows} == {"test"}


def test_episodes_come_back_as_they_were_and_can_be_asked_for(tmp_path: Path) -> None:
    wrong = good(said=Veracity.REFUTED, claim="Ada Verne had a cat.")
    with Experience(tmp_path / "d.sqlite", is_new=True) as buffer:
        for one in (good(), REDUNDANT, wrong):
            assert add(buffer, one)
        assert [kept.episode for kept in buffer.episodes()] == [good(), REDUNDANT, wrong]
        assert [kept.number for kept in buffer.episodes(kind="redundant_expansion")] == [2]
        assert [kept.episode for kept in buffer.episodes(wrong=True)] == [wrong]
        assert [kept.number for kept in buffer.episodes(limit=1)] == [1]
        assert not list(buffer.episodes(policy="another"))
        (stats,) = buffer.stats()
    assert (stats.policy, stats.episodes, stats.steps, stats.right) == ("test", 3, 10, 2)
    assert sum(stats.kinds.values()) == 3


def over(one: Episode, version: str) -> Episode:
    sources = (
        SourceVersion(role="kg", name="embedded", version=version),
        SourceVersion(role="reasoner", name="embedded", version=f"not one of them, {version}"),
    )
    return one.model_copy(update={"result": one.result.model_copy(update={"sources": sources})})


def test_a_claim_is_there_once_for_each_policy_and_the_sources_that_it_asked(tmp_path: Path) -> None:
    with Experience(tmp_path / "d.sqlite", is_new=True) as buffer:
        assert add(buffer, good())
        assert not add(buffer, good(said=Veracity.REFUTED, claim_id="the same claim, other id"))
        assert add(buffer, good(policy="another"))
        assert buffer.has(good(policy="another").result)
        assert not buffer.has(good(policy="a third").result)
        assert [kept.policy for kept in buffer.episodes()] == ["test", "another"]
        for version in ("2026-01", "2026-02"):
            assert not buffer.has(over(good(), version).result)
            assert add(buffer, over(good(), version))
            assert not add(buffer, over(good(), version))
        assert [kept.sources for kept in buffer.episodes(policy="test")][1:] == [
            "kg embedded 2026-01",
            "kg embedded 2026-02",
        ]
        assert {json.loads(line)["sources"] for line in exported(buffer)} == {
            "", "kg embedded 2026-01", "kg embedded 2026-02"}  # fmt: skip


def by(one: Episode, name: str) -> Episode:
    sources = (SourceVersion(role="reasoner", name=name, version=one.result.policy),)
    return one.model_copy(update={"result": one.result.model_copy(update={"sources": sources})})


def test_two_models_with_the_same_prompts_are_told_apart(tmp_path: Path) -> None:
    with Experience(tmp_path / "d.sqlite", is_new=True) as buffer:
        for name in ("openai:gpt-4o", "vllm:tiny"):
            assert not buffer.has(by(good(), name).result)
            assert add(buffer, by(good(), name))
            assert not add(buffer, by(good(), name))
        assert add(buffer, by(REDUNDANT, "vllm:tiny"))
        assert [kept.reasoner for kept in buffer.episodes()] == ["openai:gpt-4o", "vllm:tiny", "vllm:tiny"]
        assert [(each.policy, each.reasoner, each.episodes, each.steps) for each in buffer.stats()] == [
            ("test", "openai:gpt-4o", 1, 3),
            ("test", "vllm:tiny", 2, 7),
        ]
        assert {json.loads(line)["reasoner"] for line in exported(buffer)} == {"openai:gpt-4o", "vllm:tiny"}


def test_it_only_grows(tmp_path: Path) -> None:
    with Experience(tmp_path / "d.sqlite", is_new=True) as buffer:
        add(buffer, good())
    base = sqlite3.connect(tmp_path / "d.sqlite")
    for change in ("UPDATE steps SET reward = 1", "DELETE FROM episodes", "DELETE FROM steps"):
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            base.execute(change)
    base.close()


def test_the_export_has_a_line_a_step_with_its_evidence_in_words(tmp_path: Path) -> None:
    with Experience(tmp_path / "d.sqlite", is_new=True) as buffer:
        add(buffer, good())
        lines = [json.loads(line) for line in exported(buffer)]
    assert [line["number"] for line in lines] == [1, 2, 3]
    assert [each["text"] for each in lines[2]["state"]["evidence"]] == ["Text K1.", "Text W1."]
    assert {line["gold"] for line in lines} == {"Supported"}
    assert {"state", "action", "observation", "reward", "critique", "policy", "parts"} <= lines[0].keys()


def test_a_file_of_another_version_or_of_something_else_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "d.sqlite"
    with pytest.raises(BadInput, match="there is no experience"):
        Experience(path)
    with Experience(path, is_new=True) as buffer:
        add(buffer, good())
    base = sqlite3.connect(path)
    for other in (LAYOUT + 1, LAYOUT - 1):
        base.execute(f"PRAGMA user_version = {other}")
        before = path.read_bytes()
        with pytest.raises(BadInput, match=rf"another version of wkgfc \(layout {other}"):
            Experience(path)
        assert path.read_bytes() == before
    base.close()
    thesis = sqlite3.connect(tmp_path / "other.sqlite")
    thesis.execute("CREATE TABLE thesis (page TEXT)")
    thesis.close()
    with pytest.raises(BadInput, match="a database of something else"):
        Experience(tmp_path / "other.sqlite", is_new=True)
    (tmp_path / "text.sqlite").write_text("not a database at all, but a long enough text " * 40, encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be used"):
        Experience(tmp_path / "text.sqlite")


KILLED = """
import os, signal, sys
sys.path[:0] = {paths!r}
from pathlib import Path
from small_episodes import good
from wkgfc.optimize.experience import Experience
from wkgfc.optimize.reflection import critique_by_rules
from wkgfc.optimize.reward import reward_of

class Dying:
    '''A connection on which the process dies at a write of its own choosing.'''
    def __init__(self, base, last): self.base, self.left = base, last
    def execute(self, query, *values):
        if query.startswith(("INSERT", "COMMIT")):
            if not self.left: os.kill(os.getpid(), signal.SIGKILL)
            self.left -= 1
        return self.base.execute(query, *values)
    def close(self): self.base.close()

buffer = Experience(Path(sys.argv[1]), is_new=True)
buffer._base = Dying(buffer._base, int(sys.argv[2]))
for number in range(2):
    one = good(claim=f"Claim number {{number}} is so.")
    buffer.add(one, reward_of(one), critique_by_rules(one))
"""


@pytest.mark.parametrize("writes", range(10))
def test_a_kill_between_any_two_writes_loses_nothing_and_leaves_nothing_half(tmp_path: Path, writes: int) -> None:
    path = tmp_path / "d.sqlite"
    script = KILLED.format(paths=[entry for entry in sys.path if entry])
    done = subprocess.run([sys.executable, "-c", script, str(path), str(writes)], check=False, env=dict(os.environ))
    assert done.returncode == -signal.SIGKILL  # of ten writes (an episode, three steps and the end, twice) one kills
    with Experience(path) as buffer:
        episodes = list(buffer.episodes())
        assert len(episodes) == writes // 5
        assert all(len(list(buffer.steps(kept.number))) == 3 for kept in episodes)
        assert len(list(buffer.steps())) == 3 * len(episodes)
        assert add(buffer, good(claim="Claim number 1 is so."))
