"""A store is whole or not there: kills, full disks, two builders at once, other versions."""

import errno
import json
import multiprocessing
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from wkgfc.errors import BadInput, NotConfigured
from wkgfc.stores import MANIFEST, build_store, fingerprint_of, read_manifest


def write_file(folder: Path) -> dict[str, Any]:
    (folder / "data").write_text("whole", encoding="utf-8")
    return {"rows": 3}


def test_a_store_is_built_once_and_again_when_its_source_changes(tmp_path: Path) -> None:
    store, calls = tmp_path / "kg", []

    def build(folder: Path) -> dict[str, Any]:
        calls.append(folder)
        return write_file(folder)

    first = build_store(store, "kg", 1, "a", build)
    assert first.contents == {"rows": 3}
    assert build_store(store, "kg", 1, "a", build) == first == read_manifest(store, "kg", 1)
    build_store(store, "kg", 1, "b", build)
    build_store(store, "kg", 2, "b", build)
    assert len(calls) == 3
    assert sorted(each.name for each in tmp_path.iterdir() if not each.name.endswith(".lock")) == ["kg"]


def test_a_build_that_fails_leaves_the_old_store_and_nothing_else(tmp_path: Path) -> None:
    store = tmp_path / "kg"
    build_store(store, "kg", 1, "a", write_file)

    def fail(folder: Path) -> dict[str, Any]:
        (folder / "data").write_text("half", encoding="utf-8")
        raise ValueError("a bug")

    with pytest.raises(ValueError, match="a bug"):
        build_store(store, "kg", 1, "b", fail)
    assert (store / "data").read_text(encoding="utf-8") == "whole"
    assert read_manifest(store, "kg", 1).fingerprint == "a"
    assert not list(tmp_path.glob(".kg.building-*"))


def test_a_full_disk_is_one_clear_line(tmp_path: Path) -> None:
    def fill(folder: Path) -> dict[str, Any]:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(NotConfigured, match="disk is full"):
        build_store(tmp_path / "kg", "kg", 1, "a", fill)
    assert not (tmp_path / "kg").exists()


def _build_slowly(store: Path, marks: Path) -> None:
    def build(folder: Path) -> dict[str, Any]:
        (marks / str(os.getpid())).touch()
        time.sleep(0.5)
        return write_file(folder)

    build_store(store, "kg", 1, "a", build)


def test_a_second_process_waits_instead_of_building_twice(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    context = multiprocessing.get_context("spawn")
    builders = [context.Process(target=_build_slowly, args=(tmp_path / "kg", marks)) for _ in range(2)]
    for builder in builders:
        builder.start()
    for builder in builders:
        builder.join(60)
        assert builder.exitcode == 0
    assert len(list(marks.iterdir())) == 1


def _build_for_ever(store: Path, ready: Path) -> None:
    def build(folder: Path) -> dict[str, Any]:
        (folder / "data").write_text("half", encoding="utf-8")
        ready.touch()
        time.sleep(60)
        return {}

    build_store(store, "kg", 1, "a", build)


def test_what_a_kill_leaves_is_never_seen_and_swept_by_the_next_build(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    builder = multiprocessing.get_context("spawn").Process(target=_build_for_ever, args=(tmp_path / "kg", ready))
    builder.start()
    for _ in range(600):
        if ready.exists():
            break
        time.sleep(0.05)
    assert builder.pid is not None
    os.kill(builder.pid, signal.SIGKILL)
    builder.join(30)
    with pytest.raises(NotConfigured, match="no kg store"):
        read_manifest(tmp_path / "kg", "kg", 1)
    build_store(tmp_path / "kg", "kg", 1, "a", write_file)
    assert not list(tmp_path.glob(".kg.building-*"))


def test_what_is_swept_is_that_of_the_store_alone(tmp_path: Path) -> None:
    others, own = tmp_path / ".kg.building-1", tmp_path / ".[k]g.building-1"
    others.mkdir()
    own.mkdir()
    build_store(tmp_path / "[k]g", "kg", 1, "a", write_file)

    assert (others.exists(), own.exists()) == (True, False)


def manifest(kind: str, layout: int) -> bytes:
    when = "2026-01-01T00:00:00Z"
    return json.dumps({"kind": kind, "layout": layout, "fingerprint": "a", "built_at": when, "seconds": 1}).encode()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b'{"kind": "kg"', "cannot be read"),
        (manifest("corpus", 1), "a corpus store"),
        (manifest("kg", 9), "another version"),
    ],
)
def test_a_damaged_or_foreign_store_is_told_as_what_it_is(tmp_path: Path, content: bytes, complaint: str) -> None:
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(NotConfigured, match=complaint):
        read_manifest(tmp_path, "kg", 1)


def test_a_folder_of_something_else_is_never_replaced(tmp_path: Path) -> None:
    precious = tmp_path / "photos"
    precious.mkdir()
    (precious / "one.jpg").write_bytes(b"x")
    with pytest.raises(BadInput, match="is no store"):
        build_store(precious, "kg", 1, "a", write_file)
    assert (precious / "one.jpg").exists()


def test_a_store_of_another_source_is_replaced_only_when_told(tmp_path: Path) -> None:
    build_store(tmp_path / "kg", "kg", 1, "a", write_file)
    with pytest.raises(BadInput, match="--replace"):
        build_store(tmp_path / "kg", "kg", 1, "b", write_file, replace=False)


def test_a_fingerprint_is_stable_and_tells_its_parts_apart() -> None:
    assert fingerprint_of("a", 1) == fingerprint_of("a", "1")
    assert fingerprint_of("ab", "c") != fingerprint_of("a", "bc")
