"""Two runs compared: what changed, and why."""

import json
from pathlib import Path

import pytest

from small_world import World
from wkgfc.claim import Veracity
from wkgfc.errors import BadInput
from wkgfc.evaluate.cell import cell_of, run_cell
from wkgfc.evaluate.diff import compare
from wkgfc.evaluate.records import ClaimRecord, Results
from wkgfc.evaluate.sets import Sight
from wkgfc.evaluate.workbench import Workbench
from wkgfc.evaluate.workers import Workers


@pytest.fixture(scope="module")
def runs(bench: Workbench, world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    rows = world.rows("fever_val")
    for name, sight in (("both", Sight(kg=True, web="sources")), ("kg", Sight(kg=True))):
        run_cell(cell_of("wkgfc", rows, "fever_val", sight), rows, Workers(bench), folder / name)
    return folder


def test_a_run_is_no_different_from_itself(runs: Path) -> None:
    found = compare(runs / "both", runs / "both")
    assert (found.shared, found.changes, found.settings) == (5, (), ())


def test_what_the_web_brought_is_other_evidence(runs: Path) -> None:
    found = compare(runs / "kg", runs / "both")
    assert found.settings[0] == "sight: KG → KG and web"
    assert [each.split(":")[0] for each in found.settings] == ["sight", "sources.web"]
    changed = {change.id: change for change in found.changes}
    assert changed["c3"].why == "evidence"
    assert "pieces more" in changed["c3"].reason
    assert "c1" not in changed  # the graph settles it in both


def test_the_same_evidence_judged_differently_and_an_error_are_told_apart(runs: Path, tmp_path: Path) -> None:
    records = list(Results(runs / "both").read())
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "cell.json").write_bytes((runs / "both" / "cell.json").read_bytes())

    def write(record: ClaimRecord) -> None:
        Results(folder).append(record.model_dump_json())

    def with_result(record: ClaimRecord, **changes: object) -> ClaimRecord:
        return record.model_copy(update={"result": record.result.model_copy(update=changes)})

    flipped: dict[object, Veracity] = {
        Veracity.SUPPORTED: Veracity.REFUTED,
        Veracity.REFUTED: Veracity.SUPPORTED,
    }
    write(with_result(records[0], veracity=flipped[records[0].result.veracity]))
    write(with_result(records[1], veracity=None, stop_reason="error", errors=("the model gave up",)))
    found = compare(runs / "both", folder)
    assert (found.shared, found.only_first) == (2, 3)
    assert found.counts == {"judgement": 1, "error": 1}
    assert found.changes[1].reason == "after: the model gave up"


def test_settings_sources_and_versions_that_differ_are_named(
    bench: Workbench, world: World, runs: Path, tmp_path: Path
) -> None:
    rows = world.rows("fever_val")
    run_cell(cell_of("wkgfc", rows, "fever_val", Sight(kg=True)), rows, Workers(bench), tmp_path / "run", hops=1)
    path = tmp_path / "run" / "cell.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    said["version"], said["sources"]["kg"] = "9.9", "another graph"
    path.write_text(json.dumps(said), encoding="utf-8")

    settings = compare(runs / "kg", tmp_path / "run").settings
    assert "settings.hops: 4 → 1" in settings
    assert [each.rpartition(" → ")[2] for each in settings] == ["1", "another graph", "9.9"]


@pytest.mark.parametrize(
    ("name", "said"), [("claim", "Bo Lind was born in Turin."), ("label", "REFUTES")], ids=["text", "label"]
)
def test_ids_that_name_other_claims_are_not_compared(runs: Path, tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "cell.json").write_bytes((runs / "both" / "cell.json").read_bytes())
    for record in Results(runs / "both").read():
        changes = {name: said} if record.id == "c1" else {}
        Results(tmp_path).append(record.model_copy(update=changes).model_dump_json())
    with pytest.raises(BadInput, match=r"1 of 5 ids, such as 'c1'"):
        compare(runs / "both", tmp_path)


def test_folders_without_a_run_are_refused(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cell\.json is missing"):
        compare(runs / "both", tmp_path)
