"""The store of runs: claims, what came of each, and who is checking which. It survives whatever ends a process.

A run is a name with a policy, sources and settings: its results are keyed by all of them and the claim's id. A claim
that has no result is pending; nothing else says so, and so nothing can be wrong about it after a kill.
"""

import datetime as dt
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from wkgfc.batch.about import about
from wkgfc.batch.database import Database, Row
from wkgfc.batch.identity import Identity
from wkgfc.batch.rows import ClaimRow, Outcome
from wkgfc.batch.run import Counts, KeptResult, Run
from wkgfc.batch.tables import LAYOUT, TABLES
from wkgfc.errors import BadInput

_PAGE = 1_000  # rows in memory of a run that is read through

_CLAIM = "c.place, c.line, c.id, c.text, c.date, c.speaker, c.language, c.problem"
_PENDING = (
    f"SELECT {_CLAIM}, c.about FROM claims c WHERE c.run = ? AND (c.about, c.place) > (?, ?) AND c.problem IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM results r WHERE r.run = c.run AND r.place = c.place AND r.state <> 'again')"
    "{} ORDER BY c.about, c.place LIMIT ?"
)
_NOT_LEASED = " AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.run = c.run AND l.place = c.place)"
_RUN = "run, label, name, variant, identity, claims, digest, today, begun_at, rows_read, is_read"

Cursor = tuple[str, int]
START: Cursor = ("", -1)


class Store:
    """The runs in a database. Everything raises ``StoreFailed`` where it cannot be read or written.

    Raises:
        BadInput: another version made it.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        with database.transaction():
            database.execute("CREATE TABLE IF NOT EXISTS layout (number INTEGER NOT NULL)")
            found = database.execute("SELECT number FROM layout")
            if not found:
                self._make()
            elif found[0][0] != LAYOUT:
                raise BadInput(f"{database.where} was written by another version of wkgfc (layout {found[0][0]})")

    def close(self) -> None:
        """Let go of the database and of all locks."""
        self.database.close()

    def runs(self) -> list[Run]:
        """All runs, in the order in which they were begun."""
        return [_run(row) for row in self.database.execute(f"SELECT {_RUN} FROM runs ORDER BY run")]

    def find(self, label: str) -> Run:
        """The run of this label.

        Raises:
            BadInput: there is none.
        """
        rows = self.database.execute(f"SELECT {_RUN} FROM runs WHERE label = ?", (label,))
        if not rows:
            known = ", ".join(run.label for run in self.runs()[-8:]) or "there are none yet"
            raise BadInput(f"no run is called “{label[:80]}” in {self.database.where}: {known}")
        return _run(rows[0])

    def begin(self, name: str, identity: Identity, claims: str, digest: str, today: dt.date) -> Run:
        """The run of this name with this policy, sources and settings: a new one, or the one that is gone on with.

        Raises:
            BadInput: it was begun over other claims.
        """
        with self.database.transaction():
            rows = self.database.execute(
                f"SELECT {_RUN} FROM runs WHERE name = ? AND variant = ?", (name, identity.variant)
            )
            if rows:
                run = _run(rows[0])
                if run.digest == digest:
                    return run
                if run.rows_read:
                    raise BadInput(
                        f"the run {run.label} was begun over other claims ({run.claims} has changed, is another file, "
                        "or was read by another --column or --claims-format): give another --run or --out"
                    )
                self.database.execute(  # nothing of it was read, so nothing stands in the way of the mended file
                    "UPDATE runs SET claims = ?, digest = ? WHERE run = ?", (claims, digest, run.run)
                )
                return replace(run, claims=claims, digest=digest)
            labels = {row[0] for row in self.database.execute("SELECT label FROM runs")}
            label = next(each for each in _labels(name) if each not in labels)
            ((number,),) = self.database.execute("SELECT COALESCE(MAX(run), 0) + 1 FROM runs")
            run = Run(
                run=number,
                label=label,
                name=name,
                variant=identity.variant,
                identity=identity,
                claims=claims,
                digest=digest,
                today=today,
                begun_at=dt.datetime.now(dt.UTC),
                rows_read=0,
                is_read=False,
            )
            written = asdict(run) | {
                "identity": identity.model_dump_json(),
                "today": today.isoformat(),
                "begun_at": run.begun_at.isoformat(timespec="seconds"),
                "is_read": 0,
            }
            self.database.execute(
                f"INSERT INTO runs ({', '.join(written)}) VALUES ({_marks(len(written))})", list(written.values())
            )
            return run

    def add_claims(self, run: Run, rows: Sequence[ClaimRow], *, is_last: bool = False) -> Run:
        """Keep the next rows of the claims file, with how many were read: after a kill the reading goes on there.

        A row whose id came before becomes a row that is no claim.
        """
        number = run.run
        insert = f"INSERT INTO claims VALUES ({_marks(10)}) ON CONFLICT (run, id) DO NOTHING"
        with self.database.transaction():
            self.database.execute_many(insert, (_claim_values(number, row) for row in rows))
            if rows:
                self._add_twins(number, rows, insert)
            read = run.rows_read + len(rows)
            self.database.execute(
                "UPDATE runs SET rows_read = ?, is_read = ? WHERE run = ?", (read, int(is_last), number)
            )
        return replace(run, rows_read=read, is_read=is_last)

    def take(
        self, run: Run, after: Cursor, limit: int, owner: str | None = None
    ) -> tuple[tuple[ClaimRow, ...], Cursor]:
        """The next pending claims after a place in the order of subjects, and the place to go on from.

        With an ``owner`` they are leased to it, and those that are leased are passed over.
        """
        values = (run.run, *after, limit)
        if owner is None:
            rows = self.database.execute(_PENDING.format(""), values)
        else:
            with self.database.transaction():
                rows = self.database.execute(_PENDING.format(_NOT_LEASED), values)
                self.database.execute_many(
                    "INSERT INTO leases VALUES (?, ?, ?)", [(run.run, row[0], owner) for row in rows]
                )
        taken = tuple(ClaimRow(*row[:-1]) for row in rows)
        return taken, (rows[-1][-1], rows[-1][0]) if rows else after

    def has_free(self, run: Run) -> bool:
        """Whether a claim is pending that nobody has."""
        return bool(self.database.execute(_PENDING.format(_NOT_LEASED), (run.run, *START, 1)))

    def give_back(self, run: Run, owner: str) -> None:
        """End the leases of an owner: what it has not finished is pending for others."""
        self.database.execute("DELETE FROM leases WHERE run = ? AND owner = ?", (run.run, owner))

    def release_dead(self, run: Run) -> int:
        """End the leases of owners whose process is gone. How many owners still work."""
        living = 0
        for (owner,) in self.database.execute("SELECT DISTINCT owner FROM leases WHERE run = ?", (run.run,)):
            if self.database.is_held(owner):
                living += 1
            else:
                self.give_back(run, owner)
                self.database.forget(owner)
        return living

    def owners(self, run: Run) -> list[str]:
        """Who has claims of the run."""
        return [row[0] for row in self.database.execute("SELECT DISTINCT owner FROM leases WHERE run = ?", (run.run,))]

    def keep(self, run: Run, outcomes: Sequence[Outcome], owner: str | None = None) -> None:
        """Keep what came of claims, all or nothing. One result a claim: of two the first that is no error stays."""
        number = run.run
        now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        with self.database.transaction():
            if owner is not None:
                outcomes = [each for each in outcomes if not self._is_done(number, each.place)]
            self.database.execute_many(
                f"INSERT INTO results VALUES ({_marks(12)}) ON CONFLICT (run, place) DO UPDATE SET"
                " state = excluded.state, veracity = excluded.veracity, confidence = excluded.confidence,"
                " stop_reason = excluded.stop_reason, error = excluded.error,"
                " cost_usd = results.cost_usd + excluded.cost_usd, seconds = excluded.seconds, calls = excluded.calls,"
                " attempts = results.attempts + 1, finished_at = excluded.finished_at",
                [_result_values(number, each, now) for each in outcomes],
            )
            self.database.execute_many(
                "INSERT INTO answers VALUES (?, ?, ?) ON CONFLICT (run, place) DO UPDATE SET packed = excluded.packed",
                [(number, each.place, each.packed) for each in outcomes if each.packed is not None],
            )
            self.database.execute_many(  # of a verdict whose retry gave none
                "DELETE FROM answers WHERE run = ? AND place = ?",
                [(number, each.place) for each in outcomes if each.packed is None],
            )
            if owner is not None:
                self.database.execute_many(
                    "DELETE FROM leases WHERE run = ? AND place = ?", [(number, each.place) for each in outcomes]
                )

    def lacking(self, run: Run, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Those of some outcomes that the store lacks: of claims that have none, or that another was wanted for."""
        lacking = []
        for each in outcomes:
            kept = self.database.execute("SELECT state FROM results WHERE run = ? AND place = ?", (run.run, each.place))
            if not kept or (kept[0][0] == "again" and each.state != "again"):
                lacking.append(each)
        return lacking

    def paid_usd(self, run: Run) -> float:
        """Dollars of the whole run so far, whoever checked."""
        ((paid,),) = self.database.execute("SELECT COALESCE(SUM(cost_usd), 0) FROM results WHERE run = ?", (run.run,))
        return float(paid)

    def retry(self, run: Run) -> int:
        """Make errors, and verdicts on whose way a source failed, pending again. How many there are."""
        with self.database.transaction():
            ((number,),) = self.database.execute(
                "SELECT COUNT(*) FROM results WHERE run = ? AND state IN ('error', 'degraded')", (run.run,)
            )
            self.database.execute(
                "UPDATE results SET state = 'again' WHERE run = ? AND state IN ('error', 'degraded')", (run.run,)
            )
        return int(number)

    def counts(self, run: Run) -> Counts:
        """How far the run is."""
        ((claims,),) = self.database.execute("SELECT COUNT(*) FROM claims WHERE run = ?", (run.run,))
        ((problems,),) = self.database.execute(
            "SELECT COUNT(*) FROM claims WHERE run = ? AND problem IS NOT NULL", (run.run,)
        )
        states: dict[str, int] = {}
        veracities: dict[str, int] = {}
        cost_usd = seconds = 0.0
        calls = 0
        for state, veracity, number, cost, took, asked in self.database.execute(
            "SELECT state, veracity, COUNT(*), SUM(cost_usd), SUM(seconds), SUM(calls) FROM results WHERE run = ?"
            " GROUP BY state, veracity",
            (run.run,),
        ):
            states[state] = states.get(state, 0) + number
            cost_usd, seconds, calls = cost_usd + cost, seconds + took, calls + int(asked)
            if veracity is not None and state != "again":
                veracities[veracity] = veracities.get(veracity, 0) + number
        return Counts(
            claims=claims,
            problems=problems,
            done=states.get("done", 0),
            degraded=states.get("degraded", 0),
            errors=states.get("error", 0),
            again=states.get("again", 0),
            cost_usd=cost_usd,
            seconds=seconds,
            calls=calls,
            by_veracity=tuple(sorted(veracities.items())),
        )

    def reasons(self, run: Run, most: int = 10) -> list[tuple[str, int]]:
        """Why claims have no verdict: the most frequent reasons, with how many claims each."""
        rows = self.database.execute(
            "SELECT error, COUNT(*) FROM results WHERE run = ? AND state = 'error' GROUP BY error"
            " UNION ALL SELECT problem, COUNT(*) FROM claims WHERE run = ? AND problem IS NOT NULL GROUP BY problem"
            " ORDER BY 2 DESC, 1 LIMIT ?",
            (run.run, run.run, most),
        )
        return [(str(reason), int(number)) for reason, number in rows]

    def results(self, run: Run) -> Iterator[KeptResult]:
        """Every claim of the run in the order of the file, with what came of it when it is its turn."""
        for row in self._by_place(
            f"SELECT {_CLAIM}, r.state, r.veracity, r.confidence, r.stop_reason, r.error, COALESCE(r.cost_usd, 0),"
            " COALESCE(r.seconds, 0), COALESCE(r.attempts, 0), r.finished_at, a.packed"
            " FROM claims c LEFT JOIN results r ON r.run = c.run AND r.place = c.place"
            " LEFT JOIN answers a ON a.run = c.run AND a.place = c.place"
            " WHERE c.run = ? AND c.place > ? ORDER BY c.place LIMIT ?",
            (run.run,),
        ):
            kept = KeptResult(ClaimRow(*row[:8]), *row[8:18])
            yield replace(kept, packed=bytes(kept.packed)) if kept.packed is not None else kept

    def pairs(self, first: Run, second: Run) -> Iterator[Row]:
        """Id, claim and both veracities of the claims that two runs have results for, in the order of the first."""
        for row in self._by_place(
            "SELECT a.place, a.id, a.text, r.veracity, s.veracity FROM claims a"
            " JOIN claims b ON b.run = ? AND b.id = a.id"
            " JOIN results r ON r.run = a.run AND r.place = a.place"
            " JOIN results s ON s.run = b.run AND s.place = b.place"
            " WHERE a.run = ? AND a.place > ? ORDER BY a.place LIMIT ?",
            (second.run, first.run),
        ):
            yield row[1:]

    def _by_place(self, statement: str, values: Sequence[Any]) -> Iterator[Row]:
        """The rows of a query, whose first column is the place, a page at a time."""
        after = -1
        with self.database.reading() as ask:
            while rows := ask(statement, (*values, after, _PAGE)):
                yield from rows
                after = rows[-1][0]

    def _make(self) -> None:
        for table in TABLES:
            self.database.execute(table.replace("{bytes}", self.database.bytes_type))

    def _add_twins(self, number: int, rows: Sequence[ClaimRow], insert: str) -> None:
        there = {
            row[0]
            for row in self.database.execute(
                "SELECT place FROM claims WHERE run = ? AND place BETWEEN ? AND ?",
                (number, min(row.place for row in rows), max(row.place for row in rows)),
            )
        }
        for row in rows:
            if row.place in there:
                continue
            ((line,),) = self.database.execute("SELECT line FROM claims WHERE run = ? AND id = ?", (number, row.id))
            said = row.problem or f"the id “{row.id[:80]}” was there before, on line {line}"
            twin = ClaimRow(row.place, row.line, f"line {row.line}", problem=said)
            if self._has_id(number, twin.id):  # a file whose ids are called so
                twin = replace(twin, id=f"line {row.line}, again")
            self.database.execute(insert, _claim_values(number, twin))

    def _has_id(self, number: int, identifier: str) -> bool:
        return bool(self.database.execute("SELECT 1 FROM claims WHERE run = ? AND id = ?", (number, identifier)))

    def _is_done(self, number: int, place: int) -> bool:
        return bool(
            self.database.execute(
                "SELECT 1 FROM results WHERE run = ? AND place = ? AND state = 'done'", (number, place)
            )
        )


def _run(row: Sequence[Any]) -> Run:
    number, label, name, variant, identity, claims, digest, today, begun_at, rows_read, is_read = row
    return Run(
        run=number,
        label=label,
        name=name,
        variant=variant,
        identity=Identity.model_validate(json.loads(identity)),
        claims=claims,
        digest=digest,
        today=dt.date.fromisoformat(today),
        begun_at=dt.datetime.fromisoformat(begun_at),
        rows_read=rows_read,
        is_read=bool(is_read),
    )


def _labels(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _marks(number: int) -> str:
    return ", ".join("?" * number)


def _claim_values(run: int, row: ClaimRow) -> tuple[Any, ...]:
    subject = about(row.text) if row.problem is None else ""
    return (
        run, row.place, row.line, row.id, row.text, row.date, row.speaker, row.language, subject, row.problem,
    )  # fmt: skip


def _result_values(run: int, each: Outcome, now: str) -> tuple[Any, ...]:
    return (
        run, each.place, each.state, each.veracity, each.confidence, each.stop_reason, each.error, each.cost_usd,
        each.seconds, each.calls, 1, now,
    )  # fmt: skip
