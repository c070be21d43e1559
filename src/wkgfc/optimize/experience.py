"""The experience buffer D = {(s_t, a_t, o_t, r_t, critique_t)} of the paper's section 4.4: one row a step, in SQLite.

It only grows: rows are never changed or removed. An episode is written in one transaction, so that a kill leaves it
whole or not there. Of one claim, one reasoner, one policy and the same sources there is one episode: by another model,
over other sources, or a newer version of one, the same policy has another experience.
"""

import datetime as dt
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from wkgfc.claim import Claim
from wkgfc.errors import BadInput
from wkgfc.evidence import Record
from wkgfc.optimize.episodes import Episode
from wkgfc.optimize.reflection import Critique
from wkgfc.optimize.reward import Reward, step_rewards
from wkgfc.result import CheckResult

LAYOUT = 3  # of the tables: a file of another one is refused
APPLICATION = 0x776B6678  # "wkfx", so that no other database is taken for a buffer
WAIT_S = 30.0  # for another process that writes

_TABLES = (
    "CREATE TABLE episodes (id INTEGER PRIMARY KEY, claim_key TEXT NOT NULL, reasoner TEXT NOT NULL,"
    " policy TEXT NOT NULL, sources TEXT NOT NULL, source TEXT NOT NULL, claim_id TEXT NOT NULL, claim TEXT NOT NULL,"
    " gold TEXT NOT NULL, veracity TEXT, reward REAL NOT NULL, kind TEXT NOT NULL, added_at TEXT NOT NULL,"
    " episode TEXT NOT NULL, parts TEXT NOT NULL, critique TEXT NOT NULL,"
    " UNIQUE (claim_key, reasoner, policy, sources))",
    "CREATE TABLE steps (episode INTEGER NOT NULL REFERENCES episodes, number INTEGER NOT NULL, state TEXT NOT NULL,"
    " action TEXT NOT NULL, observation TEXT NOT NULL, reward REAL NOT NULL, critique TEXT,"
    " PRIMARY KEY (episode, number)) WITHOUT ROWID",
    *(
        f"CREATE TRIGGER {table}_{verb} BEFORE {verb} ON {table}"
        " BEGIN SELECT RAISE(ABORT, 'the buffer only grows'); END"
        for table in ("episodes", "steps")
        for verb in ("UPDATE", "DELETE")
    ),
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {LAYOUT}",
)


class Kept(Record):
    """An episode of the buffer with its number there."""

    number: int
    added_at: dt.datetime
    episode: Episode
    reward: Reward
    critique: Critique

    @property
    def reasoner(self) -> str:
        """Who made the judgements."""
        return reasoner_of(self.episode.result)

    @property
    def policy(self) -> str:
        """The version of the policy that made it."""
        return self.episode.result.policy

    @property
    def sources(self) -> str:
        """The sources that it could ask, with their versions."""
        return sources_of(self.episode.result)


class StepRow(Record):
    """A row of D. ``state`` is what was known before the action, ``critique`` is there where this step is blamed."""

    episode: int
    number: int
    reasoner: str
    policy: str
    state: dict[str, Any]
    action: dict[str, Any]
    observation: dict[str, Any]
    reward: float
    critique: Critique | None = None


class Experience:
    """A buffer file. Use it in ``with``; several processes may use one file.

    Args:
        path: the file.
        is_new: whether it is made where it is not there.

    Raises:
        BadInput: it is not there, is no buffer, or is one of another version; the text says which.
    """

    def __init__(self, path: Path, *, is_new: bool = False) -> None:
        if not is_new and not path.is_file():
            raise BadInput(f"there is no experience {path}: 'wkgfc experience add RUN' makes one")
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)
            try:
                self._begin()
            except BaseException:
                self._base.close()
                raise
        except (OSError, sqlite3.Error) as error:
            raise BadInput(f"the experience {path} cannot be used: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def _begin(self) -> None:
        """Make the tables in an empty file, or see that they are those of this version."""
        with self._transaction():
            application = self._one("PRAGMA application_id")
            layout = self._one("PRAGMA user_version")
            if not self._one("SELECT count(*) FROM sqlite_master"):
                for statement in _TABLES:
                    self._base.execute(statement)
            elif application != APPLICATION:
                raise BadInput(f"{self._path} is a database of something else: name another file")
            elif layout != LAYOUT:
                raise BadInput(
                    f"{self._path} is the experience of another version of wkgfc (layout {layout}, this one has "
                    f"{LAYOUT}): keep it, and name another file"
                )
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = FULL")

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._base)

    def _one(self, query: str, *values: Any) -> Any:
        row = self._base.execute(query, values).fetchone()
        return None if row is None else row[0]

    def has(self, result: CheckResult) -> bool:
        """Whether there is an episode of this claim by this reasoner and policy over these sources."""
        return (
            self._one(
                "SELECT 1 FROM episodes WHERE claim_key = ? AND reasoner = ? AND policy = ? AND sources = ?",
                claim_key(result.claim),
                reasoner_of(result),
                result.policy,
                sources_of(result),
            )
            is not None
        )

    def add(self, episode: Episode, reward: Reward, critique: Critique) -> bool:
        """Write an episode and its steps, whole or not at all. ``False``: it was there already, and stays as it is."""
        result = episode.result.model_copy(update={"graph": None})
        kept = episode.model_copy(update={"result": result})
        values = (
            claim_key(result.claim),
            reasoner_of(result),
            result.policy,
            sources_of(result),
            episode.source,
            episode.claim_id,
            result.claim.text,
            episode.gold,
            result.veracity,
            reward.total,
            critique.kind,
            dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
            kept.model_dump_json(),
            reward.model_dump_json(),
            critique.model_dump_json(),
        )
        with self._transaction():
            added = self._base.execute(
                "INSERT INTO episodes (claim_key, reasoner, policy, sources, source, claim_id, claim, gold, veracity,"
                f" reward, kind, added_at, episode, parts, critique) VALUES ({', '.join('?' * len(values))})"
                " ON CONFLICT DO NOTHING",
                values,
            )
            if not added.rowcount:
                return False
            for row in step_rows(episode, added.lastrowid or 0, reward, critique):
                self._base.execute(
                    "INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        row.episode,
                        row.number,
                        json.dumps(row.state, ensure_ascii=False),
                        json.dumps(row.action, ensure_ascii=False),
                        json.dumps(row.observation, ensure_ascii=False),
                        row.reward,
                        row.critique.model_dump_json() if row.critique else None,
                    ),
                )
        return True

    def episodes(
        self,
        *,
        policy: str | None = None,
        kind: str | None = None,
        source: str | None = None,
        wrong: bool = False,
        number: int | None = None,
        limit: int | None = None,
    ) -> Iterator[Kept]:
        """The episodes that fit, in the order in which they came. ``wrong``: whose verdict is not the label."""
        wanted = {"policy": policy, "kind": kind, "source": source, "id": number}
        given = {name: value for name, value in wanted.items() if value is not None}
        terms = [f"{name} = ?" for name in given] + ["veracity IS NOT gold"] * wrong
        where = f" WHERE {' AND '.join(terms)}" if terms else ""
        found = self._base.execute(
            f"SELECT id, added_at, episode, parts, critique FROM episodes{where} ORDER BY id LIMIT ?",
            (*given.values(), -1 if limit is None else limit),
        )
        with closing(found):
            for identifier, added_at, episode, parts, critique in found:
                try:
                    yield Kept(
                        number=identifier,
                        added_at=dt.datetime.fromisoformat(added_at),
                        episode=Episode.model_validate_json(episode),
                        reward=Reward.model_validate_json(parts),
                        critique=Critique.model_validate_json(critique),
                    )
                except (ValidationError, ValueError) as error:
                    raise BadInput(f"episode {identifier} of {self._path} cannot be read by this version") from error

    def steps(self, episode: int | None = None) -> Iterator[StepRow]:
        """The rows of D, of one episode or of all."""
        where, values = ("", ()) if episode is None else (" WHERE s.episode = ?", (episode,))
        found = self._base.execute(
            "SELECT s.episode, s.number, e.reasoner, e.policy, s.state, s.action, s.observation, s.reward, s.critique"
            f" FROM steps s JOIN episodes e ON e.id = s.episode{where} ORDER BY s.episode, s.number",
            values,
        )
        with closing(found):
            for number_of_episode, number, reasoner, policy, state, action, observation, reward, critique in found:
                yield StepRow(
                    episode=number_of_episode,
                    number=number,
                    reasoner=reasoner,
                    policy=policy,
                    state=json.loads(state),
                    action=json.loads(action),
                    observation=json.loads(observation),
                    reward=reward,
                    critique=Critique.model_validate_json(critique) if critique else None,
                )

    def stats(self) -> list["PolicyStats"]:
        """What each policy did so far in the hands of each reasoner, by their names."""
        found = []
        pairs = self._base.execute("SELECT DISTINCT policy, reasoner FROM episodes ORDER BY policy, reasoner")
        for pair in pairs.fetchall():
            episodes, right, reward = self._base.execute(
                "SELECT count(*), sum(veracity IS gold), avg(reward) FROM episodes WHERE policy = ? AND reasoner = ?",
                pair,
            ).fetchone()
            steps = self._one(
                "SELECT count(*) FROM steps s JOIN episodes e ON e.id = s.episode"
                " WHERE e.policy = ? AND e.reasoner = ?",
                *pair,
            )
            kinds = self._base.execute(
                "SELECT kind, count(*) FROM episodes WHERE policy = ? AND reasoner = ?"
                " GROUP BY kind ORDER BY count(*) DESC, kind",
                pair,
            ).fetchall()
            policy, reasoner = pair
            found.append(
                PolicyStats(
                    policy=policy,
                    reasoner=reasoner,
                    episodes=episodes,
                    steps=steps,
                    right=right,
                    reward=reward,
                    kinds=dict(kinds),
                )
            )
        return found


class PolicyStats(Record):
    """What a policy did with a reasoner: episodes, steps, right verdicts, mean reward, and what it was blamed for."""

    policy: str
    reasoner: str
    episodes: int
    steps: int
    right: int
    reward: float
    kinds: dict[str, int]


class _Transaction:
    """All that is written in the block, or nothing of it."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def __enter__(self) -> None:
        self._base.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._base.execute("COMMIT" if kind is None else "ROLLBACK")


def claim_key(claim: Claim) -> str:
    """What makes two claims one: text, date, speaker and language."""
    parts = [claim.text, str(claim.date or ""), claim.speaker or "", claim.language]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def reasoner_of(result: CheckResult) -> str:
    """Who made the judgements of a check: the embedded reasoner, or models by their names."""
    return "; ".join(each.name for each in result.sources if each.role == "reasoner")


def sources_of(result: CheckResult) -> str:
    """The knowledge graph and the web that a check could ask, with the versions of their data."""
    asked = [each for each in result.sources if each.role != "reasoner"]
    return "; ".join(f"{each.role} {each.name} {each.version}" for each in asked)


def step_rows(episode: Episode, number: int, reward: Reward, critique: Critique) -> Iterator[StepRow]:
    """The rows of an episode: each step with the state before it. Evidence is named by its id; the episode has it."""
    rewards = step_rewards(episode, reward)
    known: list[str] = []
    queries: list[str] = []
    for step, step_reward in zip(episode.steps, rewards, strict=True):
        action = step.action.model_dump(mode="json")
        yield StepRow(
            episode=number,
            number=step.number,
            reasoner=reasoner_of(episode.result),
            policy=episode.result.policy,
            state={
                "claim": episode.result.claim.text,
                "evidence": list(known),
                "queries": list(queries),
                "steps_before": step.number - 1,
            },
            action=action | {"reason": step.reason},
            observation=step.observation.model_dump(mode="json"),
            reward=step_reward,
            critique=critique if critique.step == step.number else None,
        )
        known.extend(each for each in step.observation.evidence if each not in known and step.action.name != "verdict")
        queries.extend([action["query"]] if "query" in action else [])


def exported(buffer: Experience) -> Iterator[str]:
    """Every step as a line of JSON, with the state's evidence in words, the label and the parts."""
    for kept in buffer.episodes():
        evidence = kept.episode.evidence
        for row in buffer.steps(kept.number):
            known = [
                {"id": each, "text": evidence[each].quote or evidence[each].text, "source": evidence[each].url}
                for each in row.state["evidence"]
                if each in evidence
            ]
            line = row.model_dump(mode="json") | {
                "state": row.state | {"evidence": known},
                "claim_id": kept.episode.claim_id,
                "source": kept.episode.source,
                "sources": kept.sources,
                "gold": kept.episode.gold,
                "veracity": kept.episode.result.veracity,
                "parts": kept.reward.model_dump(),
            }
            yield json.dumps(line, ensure_ascii=False)
