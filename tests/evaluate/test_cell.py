"""One cell: what it writes, how it goes on after a kill, and which folders it leaves alone."""

import json
from copy import copy
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from small_world import World, write_claims
from wkgfc.baselines.method import CannotCheck
from wkgfc.budget import Budget, Charge, Limits
from wkgfc.datasets.claims import GoldEvidence
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.evaluate.cell import CELL, METRICS, cell_of, read_cell, run_cell
from wkgfc.evaluate.records import Results
from wkgfc.evaluate.sets import Sight
from wkgfc.evaluate.workbench import Workbench
from wkgfc.evaluate.workers import Workers

BOTH = Sight(kg=True, web="sources")


def run(bench: Workbench, world: World, folder: Path, *, method: str = "wkgfc", seed: int = 0, **more: Any) -> dict:  # type: ignore[type-arg]
    rows = world.rows("fever_val")
    cell = cell_of(method, rows, "fever_val", BOTH, seed=seed)
    return run_cell(cell, rows, Workers(bench), folder, **more)


def test_a_cell_writes_its_figures_and_every_trajectory(bench: Workbench, world: World, tmp_path: Path) -> None:
    scores = run(bench, world, tmp_path / "run")
    assert scores == json.loads((tmp_path / "run" / METRICS).read_text(encoding="utf-8"))
    assert (scores["n"], scores["n_two_way"], scores["errors"]) == (5, 4, 0)
    assert scores["interval"][0] <= scores["two_way"] <= scores["interval"][1]
    needed = {"three_way", "answered", "calls", "queries", "seconds", "ways", "recall", "verifier_pairs", "cost_usd"}
    assert needed <= scores.keys()
    assert scores["sources"]["kg"].startswith("wikidata")
    records = list(Results(tmp_path / "run").read())
    assert [each.id for each in records] == ["c1", "c2", "c3", "c4", "c5"]
    assert all(each.result.trajectory and each.result.trajectory.steps for each in records)
    assert read_cell(tmp_path / "run").method == "wkgfc"


def test_after_a_kill_only_what_is_missing_is_checked(bench: Workbench, world: World, tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    def kill(stage: str, done: int, total: int | None) -> None:
        if done == 2:
            raise Killed

    with pytest.raises(Killed):
        run(bench, world, tmp_path / "run", progress=kill)
    results = Results(tmp_path / "run")
    assert len(results.finished()) == 2
    with results.path.open("a", encoding="utf-8") as file:
        file.write('{"id": "c3", "cla')  # a line that the kill tore
    done: list[int] = []
    scores = run(bench, world, tmp_path / "run", progress=lambda stage, number, total: done.append(number))
    assert done == [2, 3, 4, 5]
    assert scores["n"] == 5
    assert scores["two_way"] == run(bench, world, tmp_path / "whole")["two_way"]


@pytest.mark.parametrize(
    ("change", "said"),
    [({"method": "minicheck"}, "cell.method was wkgfc, is minicheck"), ({"seed": 1}, "cell.seed was 0, is 1")],
)
def test_the_folder_of_another_run_is_refused_with_the_reason(
    bench: Workbench, world: World, tmp_path: Path, change: dict[str, object], said: str
) -> None:
    run(bench, world, tmp_path / "run")
    with pytest.raises(BadInput, match=said):
        run(bench, world, tmp_path / "run", **change)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"settings\.beam was 4, is 2"):
        run(bench, world, tmp_path / "run", beam=2)


def test_a_folder_of_another_version_is_refused(bench: Workbench, world: World, tmp_path: Path) -> None:
    run(bench, world, tmp_path / "run")
    path = tmp_path / "run" / CELL
    said = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(said | {"version": "0.0.1"}), encoding="utf-8")
    with pytest.raises(BadInput, match=r"version was 0\.0\.1"):
        run(bench, world, tmp_path / "run")
    path.write_text(json.dumps(said | {"layout": 0}), encoding="utf-8")
    with pytest.raises(BadInput, match="layout 0"):
        read_cell(tmp_path / "run")
    for damaged in ("[]", json.dumps(said | {"settings": None}), json.dumps({"layout": said["layout"]})):
        path.write_text(damaged, encoding="utf-8")
        with pytest.raises(BadInput, match="damaged"):
            read_cell(tmp_path / "run")
    path.write_text("{", encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be read"):
        run(bench, world, tmp_path / "run")


def test_a_folder_with_other_files_is_left_alone(bench: Workbench, world: World, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(BadInput, match="has files, but no run"):
        run(bench, world, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_claims_of_one_id_or_none_are_no_cell(world: World, tmp_path: Path) -> None:
    rows = world.rows("fever_val")
    with pytest.raises(BadInput, match="two claims with the id 'c1'"):
        cell_of("wkgfc", [*rows, rows[0]], "fever_val", BOTH)
    with pytest.raises(BadInput, match="no claims"):
        cell_of("wkgfc", [], "fever_val", BOTH)


@pytest.mark.parametrize(
    "changes",
    [
        {"claim": "Ada Verne was born in Paris."},
        {"label": "REFUTES"},
        {"date": date(1999, 1, 1)},
        {"evidence": (GoldEvidence(text="Ada Verne was born in Lyon."),)},
    ],
    ids="".join,
)
def test_other_texts_dates_and_labels_are_another_cell(world: World, changes: dict[str, Any]) -> None:
    rows = world.rows("fever_val")
    others = [rows[0].model_copy(update=changes), *rows[1:]]
    assert cell_of("wkgfc", others, "fever_val", BOTH) != cell_of("wkgfc", rows, "fever_val", BOTH)


def test_another_file_of_the_verifier_is_another_run(bench: Workbench, world: World, tmp_path: Path) -> None:
    run(bench, world, tmp_path / "run")
    other = copy(bench)
    verifier = copy(bench.tools.verifier)
    other.tools = replace(bench.tools, verifier=verifier)
    run(other, world, tmp_path / "run")  # the same model
    verifier.digest = "0" * 64
    with pytest.raises(BadInput, match=r"sources\.verifier was .*, is .* 0{12}\)"):
        run(other, world, tmp_path / "run")


def test_what_cannot_be_checked_leaves_nothing_behind(world: World, bench: Workbench, tmp_path: Path) -> None:
    rows = world.rows("fever_val")
    with pytest.raises(CannotCheck, match="knows nothing by itself"):
        run_cell(cell_of("direct", rows, "fever_val", Sight()), rows, Workers(bench), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_at_the_limit_of_the_whole_run_no_claim_is_begun(bench: Workbench, world: World, tmp_path: Path) -> None:
    over = copy(bench)
    spent = Budget(Limits(tokens=10), "run")
    with spent.call(Charge(0, 0)) as charge:
        charge(Charge(20, 0))
    over.tools = replace(bench.tools, spent=spent)
    with pytest.raises(NotConfigured, match=r"the limit of 10 tokens a run .* goes on"):
        run(over, world, tmp_path / "run")
    assert run(bench, world, tmp_path / "run")["n"] == 5


def test_what_a_method_costs_does_not_depend_on_what_ran_before(bench: Workbench, world: World, tmp_path: Path) -> None:
    first = run(bench, world, tmp_path / "first")["verifier_pairs"]
    run(bench, world, tmp_path / "other", method="minicheck")
    assert run(bench, world, tmp_path / "again")["verifier_pairs"] == first > 0


def test_two_processes_find_what_one_finds(bench: Workbench, world: World, tmp_path: Path) -> None:
    rows = world.rows("fever_val")
    cell = cell_of("wkgfc-kg", rows, "fever_val", Sight(kg=True))
    alone = run_cell(cell, rows, Workers(bench), tmp_path / "one")
    with Workers(bench, 2) as workers:
        both = run_cell(cell, rows, workers, tmp_path / "two")
    same = ("n", "two_way", "three_way", "answered", "queries", "ways", "per_class")
    assert {name: alone[name] for name in same} == {name: both[name] for name in same}


def test_errors_are_counted_and_are_no_class(bench: Workbench, tmp_path: Path) -> None:
    path = write_claims(tmp_path / "odd.jsonl", [{"id": "q", "claim": "Is it so?", "label": "SUPPORTS"}])
    from wkgfc.datasets import read_claims

    rows = read_claims(path)
    scores = run_cell(cell_of("wkgfc", rows, "odd", BOTH), rows, Workers(bench), tmp_path / "run")
    assert scores["errors"] == 1
    assert scores["failures"]["not_checkable"] == 1
    assert scores["two_way"] == 0.0
