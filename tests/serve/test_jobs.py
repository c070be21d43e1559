"""The store of checks: what was accepted is there again, whatever is searched for, kept or removed."""

import datetime as dt
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.claim import Veracity, read_claim
from wkgfc.errors import NotConfigured
from wkgfc.serve.jobs import MAX_STARTS, Jobs
from wkgfc.serve.refusals import NotNow, NotThere

NEPAL = read_claim("Nepal borders China.", date=dt.date(2020, 1, 2), speaker="A")


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    store = Jobs(tmp_path / "checks.sqlite")
    yield store
    store.close()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jobs]:
    store = Jobs(tmp_path_factory.mktemp("jobs") / "checks.sqlite")
    store.add([read_claim(text) for text in ("Zoë Łuk lives in Ürümqi, 北京 or Köln.", "It's 5% of x², isn't it?")])
    yield store
    store.close()


def test_what_was_running_is_run_again_and_its_events_begin_anew(jobs: Jobs, tmp_path: Path) -> None:
    (job,) = jobs.add([NEPAL])
    jobs.start(job.id)
    jobs.note(job.id, "step_started", {"number": 1})
    later = Jobs(tmp_path / "checks.sqlite")  # as after a kill: the first was never closed
    assert later.recover("killed") == 1
    assert later.waiting() == ([job.id], [])
    assert [(event.seq, event.kind, event.data) for event in later.events(job.id)] == [
        (4, "queued", {"again": True, "reason": "killed"})
    ]
    assert later.get(job.id).claim == NEPAL
    for _ in range(MAX_STARTS - 1):
        later.start(job.id)
        later.recover("killed")
    assert later.get(job.id).error == f"given up after {MAX_STARTS} starts: killed each time"
    later.close()


def test_a_start_that_was_not_its_fault_does_not_count(jobs: Jobs) -> None:
    (job,) = jobs.add([NEPAL])
    for _ in range(2 * MAX_STARTS):
        jobs.start(job.id)
        assert jobs.again(job.id, "stopped", is_its_fault=False)


def test_a_check_that_has_ended_stays_as_it_is(jobs: Jobs) -> None:
    (job,) = jobs.add([NEPAL])
    with pytest.raises(NotNow, match="is queued"):
        jobs.finish(job.id, {})
    jobs.start(job.id)
    jobs.finish(job.id, {"veracity": "Refuted", "confidence": 0.5, "text": "\ud800"})
    for change in (
        lambda: jobs.start(job.id),
        lambda: jobs.note(job.id, "step", {}),
        lambda: jobs.finish(job.id, {}),
        lambda: jobs.fail(job.id, "no"),
        lambda: jobs.cancel(job.id),
        lambda: jobs.again(job.id, "no"),
    ):
        with pytest.raises(NotNow, match="is done"):
            change()
    done = jobs.get(job.id)
    assert (done.veracity, done.confidence, done.result) == (
        Veracity.REFUTED,
        0.5,
        {"veracity": "Refuted", "confidence": 0.5, "text": "\ud800"},
    )
    assert [event.seq for event in jobs.events(job.id)] == [1, 2, 3]  # nothing half written


def test_what_is_forgotten_is_gone_with_all_that_belongs_to_it(jobs: Jobs, tmp_path: Path) -> None:
    batch = jobs.add_batch("batch", [NEPAL], [0, 0], {"title": "t"})
    check = batch.checks[0].id
    with pytest.raises(NotNow):
        jobs.forget(check)
    jobs.start(check)
    jobs.finish(check, {"veracity": None})
    jobs.correct(check, veracity=None, evidence="W1", note="")
    assert jobs.forget_before(dt.datetime.now(dt.UTC) - dt.timedelta(days=1)) == 0
    assert jobs.forget_before(dt.datetime.now(dt.UTC)) == 1
    for look in (jobs.get, jobs.events, jobs.forget):
        with pytest.raises(NotThere):
            look(check)
    with pytest.raises(NotThere):
        jobs.batch(batch.id)
    assert (jobs.history(), jobs.history("nepal"), jobs.corrections()) == ([], [], [])
    with sqlite3.connect(tmp_path / "checks.sqlite") as base:
        assert base.execute("SELECT count(*) FROM events").fetchone() == (0,)


@given(query=st.text(max_size=40))
def test_whatever_is_searched_for_is_answered(many: Jobs, query: str) -> None:
    assert len(many.history(query)) <= 2


def test_words_are_found_without_their_marks_and_by_their_beginning(many: Jobs) -> None:
    for query in ("zoe", "ZOË lives", "köl", "北京", "urumqi koln", "Łuk"):
        assert len(many.history(query)) == 1, query
    assert len(many.history("it's 5%")) == 1
    assert many.history("kolnish") == []


def test_a_file_of_a_later_version_or_none_of_ours_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checks.sqlite"
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA user_version = 99")
    base.close()
    with pytest.raises(NotConfigured, match="another version of wkgfc"):
        Jobs(path)
    with pytest.raises(NotConfigured, match="cannot be read"):
        Jobs(path / "below-a-file.sqlite")


def test_a_text_without_a_claim_stays_until_its_time_is_over(jobs: Jobs) -> None:
    text = jobs.add_batch("text", [], [], {"text": "What a day!"})
    batch = jobs.add_batch("batch", [NEPAL], [0], {})
    for check in (jobs.add([NEPAL])[0].id, batch.checks[0].id):
        jobs.cancel(check)
        jobs.forget(check)
    with pytest.raises(NotThere):
        jobs.batch(batch.id)
    jobs.forget_before(dt.datetime.now(dt.UTC) - dt.timedelta(days=1))
    assert jobs.batch(text.id) == text
    jobs.forget_before(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=1))
    with pytest.raises(NotThere):
        jobs.batch(text.id)
