"""The store of runs, the same on SQLite and (``pytest -m postgres``) on a real PostgreSQL server."""

import asyncio
import csv
import json
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mocked_checks import IDENTITY, TODAY, Mocked, checks_of, outcomes_in, result_for, rows
from postgres_server import binaries, postgres_server
from wkgfc.batch.claiming import HeldByOthers, claimed
from wkgfc.batch.claims_out import write_results
from wkgfc.batch.database import Database, StoreFailed
from wkgfc.batch.identity import Identity
from wkgfc.batch.rows import ClaimRow, Outcome, outcome_of
from wkgfc.batch.run import Run
from wkgfc.batch.runner import Ending, Runner
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import START, Store
from wkgfc.claim import Claim
from wkgfc.config import load_settings
from wkgfc.errors import BadInput, NotConfigured

Open = Callable[[], Database]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    if binaries() is None:
        pytest.skip("no PostgreSQL server is installed")
    with postgres_server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens another connection to one new database."""
    if request.param == "sqlite":
        return lambda: SqliteDatabase(tmp_path / "runs.sqlite")
    import psycopg

    from wkgfc.batch.postgres import PostgresDatabase

    url, name = request.getfixturevalue("server"), f"runs_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return lambda: PostgresDatabase(url.replace("/postgres?", f"/{name}?"))


@pytest.fixture
def store(opened: Open) -> Iterator[Store]:
    kept = Store(opened())
    yield kept
    kept.close()


def begun(store: Store, number: int = 10, name: str = "run", identity: Identity = IDENTITY) -> Run:
    run = store.begin(name, identity, "claims.jsonl", "digest", TODAY)
    return run if run.is_read else store.add_claims(run, rows(number), is_last=True)


def done(place: int, **more: Any) -> Outcome:
    return outcome_of(place, result_for(Claim(text=f"Claim {place}."), **more), 0.5)


def falls(database: Database, lock: str) -> None:
    """Wait until a lock has fallen: a server learns in its own time that a connection was closed."""
    until = time.monotonic() + 20
    while database.is_held(lock):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_run_is_found_again(store: Store, opened: Open) -> None:
    run = begun(store)
    other = Store(opened())
    assert other.begin("run", IDENTITY, "claims.jsonl", "digest", TODAY) == other.find("run")
    assert other.find("run").run == run.run
    assert other.find("run").identity == IDENTITY
    other.close()
    with pytest.raises(BadInput, match="begun over other claims"):
        store.begin("run", IDENTITY, "claims.jsonl", "another digest", TODAY)
    with pytest.raises(BadInput, match="no run is called “walk”"):
        store.find("walk")


def test_a_file_of_which_nothing_was_read_may_be_mended(store: Store) -> None:
    store.begin("run", IDENTITY, "claims.csv", "digest", TODAY)
    mended = store.begin("run", IDENTITY, "claims.csv", "another digest", TODAY)
    assert (mended.label, mended.digest) == ("run", "another digest")
    assert store.find("run") == mended


def test_another_policy_sources_or_settings_are_another_run(store: Store) -> None:
    begun(store)
    for change in ({"policy": "mocked-2"}, {"sources": ("kg small 2",)}, {"settings": {"hops": 2}}):
        begun(store, identity=IDENTITY.model_copy(update=change))
    assert [run.label for run in store.runs()] == ["run", "run-2", "run-3", "run-4"]
    store.keep(store.find("run"), [done(0)])
    assert [store.counts(run).done for run in store.runs()] == [1, 0, 0, 0]


def test_reading_goes_on_where_it_was_cut(store: Store) -> None:
    run = store.begin("run", IDENTITY, "claims.jsonl", "digest", TODAY)
    store.add_claims(run, rows(4))
    run = store.find("run")
    assert (run.rows_read, run.is_read) == (4, False)
    run = store.add_claims(run, rows(3, start=4), is_last=True)
    assert store.find("run") == run
    assert store.counts(run).claims == 7


def test_an_id_that_was_there_before_is_a_row_that_is_no_claim(store: Store) -> None:
    run = store.begin("run", IDENTITY, "c", "d", TODAY)
    run = store.add_claims(run, [ClaimRow(0, 1, "a", "Lyon is in France."), ClaimRow(1, 2, "a", "Lyon is in Italy.")])
    store.add_claims(run, [ClaimRow(2, 3, "line 4", "Turin is in Italy."), ClaimRow(3, 4, "a", "Lyon is big.")])
    found = [(each.claim.id, each.claim.problem) for each in store.results(run)]
    assert [identifier for identifier, _ in found] == ["a", "line 2", "line 4", "line 4, again"]
    assert all(problem and "on line 1" in problem for _, problem in (found[1], found[3]))
    assert (store.counts(run).problems, store.counts(run).pending) == (2, 2)


def test_pending_claims_come_by_subject_a_page_at_a_time(store: Store) -> None:
    run = store.begin("run", IDENTITY, "c", "d", TODAY)
    texts = [
        "Bo Lind painted.",
        "Ada Verne was born in Lyon.",
        "Bo Lind died.",
        "Ada Verne found a dye.",
        "Malmö is big.",
    ]
    store.add_claims(run, [ClaimRow(n, n, f"c{n}", text) for n, text in enumerate(texts)], is_last=True)
    first, after = store.take(run, START, 3)
    rest, after = store.take(run, after, 3)
    assert [row.id for row in (*first, *rest)] == ["c1", "c3", "c0", "c2", "c4"]
    assert store.take(run, after, 3) == ((), after)
    store.keep(run, [done(1), done(2)])
    assert [row.id for row in store.take(run, START, 9)[0]] == ["c3", "c0", "c4"]


def test_what_is_kept_comes_back(store: Store) -> None:
    run = begun(store, 3)
    store.keep(run, [done(0, cost_usd=0.25), Outcome(1, "error", error="the model said nothing", cost_usd=0.5)])
    kept = list(store.results(run))
    assert [each.state for each in kept] == ["done", "error", None]
    assert kept[0].packed is not None
    assert (kept[0].veracity, kept[0].confidence, kept[0].attempts) == ("Supported", 0.8, 1)
    counts = store.counts(run)
    assert (counts.done, counts.errors, counts.pending, counts.cost_usd) == (1, 1, 1, 0.75)
    assert counts.by_veracity == (("Supported", 1),)
    assert store.reasons(run) == [("the model said nothing", 1)]


def test_it_is_kept_whole_or_not_at_all(store: Store) -> None:
    run = begun(store, 3)
    broken = Outcome(1, "done", veracity=object())  # type: ignore[arg-type]
    with pytest.raises(Exception, match=r".+"):
        store.keep(run, [done(0), broken])
    assert store.counts(run).done == 0


def test_a_retry_replaces_errors_and_adds_up_what_was_paid(store: Store) -> None:
    run = begun(store, 3)
    store.keep(run, [done(0), Outcome(1, "error", error="busy", cost_usd=0.5), Outcome(2, "degraded", "Supported")])
    assert store.retry(run) == 2
    assert [row.place for row in store.take(run, START, 9)[0]] == [1, 2]
    store.keep(run, [done(1, cost_usd=0.25), done(2)])
    counts = store.counts(run)
    assert (counts.done, counts.errors, counts.again, counts.cost_usd) == (3, 0, 0, 0.75)
    assert [each.attempts for each in store.results(run)] == [1, 2, 2]


def test_a_verdict_whose_retry_fails_is_gone(store: Store) -> None:
    run = begun(store, 1)
    store.keep(run, [replace(done(0), state="degraded")])
    store.retry(run)
    store.keep(run, [Outcome(0, "error", error="not finished within 1 s")])
    (kept,) = store.results(run)
    assert (kept.state, kept.veracity, kept.packed) == ("error", None, None)


def test_what_an_earlier_driver_wrote_is_lacking_only_where_it_was_not_kept(store: Store) -> None:
    run = begun(store, 4)
    store.keep(run, [done(0), replace(done(1), state="again"), Outcome(2, "error", error="busy")])
    store.retry(run)  # place 2 too is to be checked again
    left = [done(0), replace(done(1), state="again"), done(2), done(3)]
    assert [each.place for each in store.lacking(run, left)] == [2, 3]
    assert [each.place for each in store.lacking(run, [done(1)])] == [1]


def test_leases_are_of_one_owner_and_fall_with_it(store: Store, opened: Open) -> None:
    run = begun(store)
    other = Store(opened())
    store.database.hold("owner a")
    other.database.hold("owner b")
    mine, _ = store.take(run, START, 4, "owner a")
    theirs, _ = other.take(run, START, 4, "owner b")
    assert not {row.place for row in mine} & {row.place for row in theirs}
    assert store.release_dead(run) == 2
    other.close()
    falls(store.database, "owner b")
    assert store.release_dead(run) == 1
    assert store.owners(run) == ["owner a"]
    again, _ = store.take(run, START, 9, "owner a")
    assert {row.place for row in theirs} <= {row.place for row in again}
    store.keep(run, [done(row.place) for row in (*mine, *again)], "owner a")
    assert store.owners(run) == []
    assert not store.has_free(run)


def test_locks(store: Store, opened: Open) -> None:
    other = opened()
    assert store.database.hold("a")
    assert not store.database.hold("a")
    assert not other.hold("a")
    assert store.database.is_held("a")
    assert other.is_held("a")
    assert not other.is_held("b")
    store.database.release("a")
    assert not other.is_held("a")
    assert other.hold("a")
    other.close()
    falls(store.database, "a")


async def test_two_that_share_a_run_check_each_claim_once(store: Store, opened: Open) -> None:
    run, other = begun(store, 200), Store(opened())
    checks = Mocked(seconds=0.001), Mocked(seconds=0.001)

    async def share(mine: Store, check: Mocked) -> Ending:
        with claimed(mine, run, shared=True) as owner:
            return await Runner(mine, run, checks_of(check), owner=owner).go()

    await asyncio.gather(share(store, checks[0]), share(other, checks[1]))
    assert sorted(checks[0].ended + checks[1].ended) == sorted(row.text for row in rows(200))
    assert all(check.ended for check in checks)
    with claimed(store, run, shared=False), pytest.raises(HeldByOthers), claimed(other, run, shared=True):
        pass
    other.close()


def test_exports_have_every_row_in_order(store: Store, tmp_path: Path) -> None:
    run = begun(store, 4)
    store.add_claims(run, [ClaimRow(4, 5, "=cmd|' /C calc'!A0", "-1 is less than 0.")])
    asyncio.run(Runner(store, run, checks_of(Mocked())).go())
    assert write_results(store, run, tmp_path / "r.jsonl", "jsonl") == 5
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["c0", "c1", "c2", "c3", "=cmd|' /C calc'!A0"]
    assert all(line["result"]["veracity"] == outcomes_in(store)[line["id"]][1] for line in lines)
    write_results(store, run, tmp_path / "r.csv", "csv")
    with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert table[4]["id"] == "'=cmd|' /C calc'!A0"
    assert table[4]["claim"] == "'-1 is less than 0."


def test_an_export_that_fails_leaves_the_one_before(store: Store, tmp_path: Path) -> None:
    run = begun(store, 4)
    write_results(store, run, tmp_path / "r.jsonl", "jsonl")
    before = (tmp_path / "r.jsonl").read_bytes()
    store.keep(run, [Outcome(0, "done", packed=b"not packed")])
    with pytest.raises(Exception, match="header"):
        write_results(store, run, tmp_path / "r.jsonl", "jsonl")
    assert (tmp_path / "r.jsonl").read_bytes() == before
    with pytest.raises(NotConfigured, match="cannot be written"):
        write_results(store, run, tmp_path / "r.jsonl" / "below.jsonl", "jsonl")


def test_a_database_of_another_version_is_refused(store: Store, opened: Open) -> None:
    store.database.execute("UPDATE layout SET number = 99")
    with pytest.raises(BadInput, match="another version"):
        Store(opened())


def test_a_file_that_is_none_of_sqlite_s(tmp_path: Path) -> None:
    (tmp_path / "runs.sqlite").write_bytes(b"no database" * 1_000)
    with pytest.raises(NotConfigured, match="cannot be used"):
        SqliteDatabase(tmp_path / "runs.sqlite")


@pytest.mark.postgres
class TestPostgres:
    def test_a_server_that_is_not_there(self) -> None:
        from wkgfc.batch.postgres import PostgresDatabase

        with pytest.raises(NotConfigured, match=r"postgresql://localhost/none cannot be reached"):
            PostgresDatabase("postgresql://someone@localhost:1/none")

    def test_a_connection_that_is_lost_is_made_again_with_its_locks(self, server: str) -> None:
        from wkgfc.batch.postgres import PostgresDatabase

        database, other = PostgresDatabase(server), PostgresDatabase(server)
        database.hold("a lock")
        ((process,),) = database.execute("SELECT pg_backend_pid()")
        other.execute("SELECT pg_terminate_backend(?)", (process,))
        with pytest.raises(StoreFailed):
            database.execute("SELECT 1")
        assert database.execute("SELECT 1") == [(1,)]
        assert other.is_held("a lock")
        ((process,),) = database.execute("SELECT pg_backend_pid()")
        other.execute("SELECT pg_terminate_backend(?)", (process,))
        with pytest.raises(StoreFailed):
            database.execute("SELECT 1")
        assert other.hold("a lock")
        with pytest.raises(StoreFailed, match="took the run over"):
            database.execute("SELECT 1")
        other.close()

    def test_no_password_is_in_the_address(self) -> None:
        with pytest.raises(NotConfigured) as error:
            load_settings(run_store="postgresql://user:geheim@host/database")
        assert "geheim" not in str(error.value)
