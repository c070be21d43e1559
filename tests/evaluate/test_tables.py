"""The tables over a small world: every figure has its claims, every page needs nothing but itself."""

import base64
import hashlib
import re
import shutil
from pathlib import Path

import pytest

from small_world import World, write_claims
from wkgfc.datasets.sampling import read_sample
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.evaluate import pictures
from wkgfc.evaluate.claims_data import unpacked
from wkgfc.evaluate.report import Report, write_report
from wkgfc.evaluate.runs import Runs
from wkgfc.evaluate.table import Figure, Table
from wkgfc.evaluate.tables.cost import cost
from wkgfc.evaluate.tables.figure3 import figure3
from wkgfc.evaluate.tables.table1 import table1
from wkgfc.evaluate.tables.table3 import table3
from wkgfc.evaluate.tables.table4 import table4
from wkgfc.evaluate.workbench import Workbench
from wkgfc.evaluate.workers import Workers

METHODS = ("majority", "lexical", "minicheck", "direct", "graphcheck", "tog", "wkgfc")
CHROMIUM = shutil.which("chromium")
HOSTILE = '</script><script>alert("x")</script><img src=x onerror=alert(1)> was born in Lyon.'


@pytest.fixture(scope="module")
def runs(bench: Workbench, world: World, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(Workers(bench), world.folder, tmp_path_factory.mktemp("cells"))


def named(report: Report, name: str) -> Table:
    return next(table for table in report.tables if table.name == name)


def at(table: Table, row: str, column: str) -> Figure:
    figures = next(each for each in table.rows if each.name == row).figures
    return figures[table.columns.index(column)]


def test_table_1(runs: Runs, tmp_path: Path) -> None:
    report = table1(runs, ("fever_val", "pubhealth"), METHODS)
    scores, sees = named(report, "two_way"), named(report, "sees")
    assert scores.columns == ("fever_val", "pubhealth")
    assert at(sees, "WKGFC", "fever_val").text == "KG and web"
    assert at(sees, "WKGFC, document as its page", "pubhealth").text == "KG and the document as the only page"
    assert at(sees, "MiniCheck-like", "pubhealth").text == "the document"
    assert at(scores, "GraphCheck", "fever_val").text == "–"
    assert any("the embedded reasoner knows nothing by itself" in note for note in scores.notes)
    assert any("NOT ENOUGH INFO → dropped (1)" in note for note in scores.notes)
    assert any("fever_dev" in note for note in scores.notes)
    assert "paper 91.9, GPT-4o" in at(named(report, "balanced"), "WKGFC", "fever_val").beside
    ours = next(run for run in report.runs if run.key == "fever_val--wkgfc")
    assert at(scores, "WKGFC", "fever_val").opens is not None
    assert {each["id"] for each in unpacked(ours.packed)} == {"c1", "c2", "c3", "c4", "c5"}
    page = write_report(report, tmp_path / "table1")
    assert {file.name for file in page.parent.iterdir()} == {
        "report.html", "table.md", "table.csv", "table.tex", "picture.svg"
    }  # fmt: skip
    assert (runs.cells / "fever_val.all.sample.json").is_file()


def test_each_sample_keeps_its_ids_and_says_what_it_was_drawn_from(
    world: World, bench: Workbench, tmp_path: Path
) -> None:
    first, second = (Runs(Workers(bench), world.folder, tmp_path, limit, seed=7) for limit in (3, 2))
    rows = first.claims("fever_val").rows
    second.claims("fever_val")
    sample = read_sample(tmp_path / "fever_val.seed-7-limit-3.sample.json")
    assert sample.ids == tuple(row.id for row in rows)
    assert (sample.rows, len(sample.ids)) == (5, 3)
    assert {each.name: each.rows for each in sample.strata} == {"SUPPORTS": 2, "REFUTES": 2, "NOT ENOUGH INFO": 1}
    assert len(read_sample(tmp_path / "fever_val.seed-7-limit-2.sample.json").ids) == 2


def test_a_claim_without_a_document_is_left_out_for_every_method(
    world: World, bench: Workbench, tmp_path: Path
) -> None:
    rows = [row.model_dump(mode="json", exclude={"meta"}) for row in world.rows("pubhealth")]
    write_claims(tmp_path / "pubhealth.jsonl", [*rows[:2], rows[2] | {"evidence": [{"text": " "}]}])
    report = table1(Runs(Workers(bench), tmp_path, tmp_path / "cells"), ("pubhealth",), ("direct", "graphcheck", "tog"))
    assert {run.key: run.scores["n"] for run in report.runs} == {
        f"pubhealth--{name}": 2 for name in ("direct", "graphcheck", "tog")
    }
    notes = named(report, "two_way").notes
    assert "pubhealth: 1 claims without a document are left out for every method." in notes
    assert not any(note.startswith("No figure") for note in notes)


def test_tables_share_their_cells(runs: Runs) -> None:
    checked: list[str] = []
    again = Runs(runs.workers, runs.data, runs.cells, progress=lambda stage, done, total: checked.append(stage))
    table1(runs, ("fever_val",), ("wkgfc",))
    report = table4(again, ("fever_val",))
    cost(again, ("fever_val",), ("wkgfc",))
    assert checked == ["fever_val--wkgfc"] * 2  # found there, and nothing checked anew
    assert at(named(report, "mistakes"), "failed, of claims that count", "fever_val").text.endswith("of 4")


def test_table_3_has_every_variant_and_says_what_is_missing(runs: Runs) -> None:
    report = table3(runs, ("fever_val",))
    variants = named(report, "variants")
    assert [row.name for row in variants.rows] == [
        "KG only (variant 1)",
        "web only (variant 2)",
        "KG and web without agent (variant 4)",
        "KG with agent (variant 3)",
        "WKGFC, no optimization (variant 5)",
        "WKGFC",
    ]
    assert at(variants, "WKGFC", "fever_val").beside == "no learned policy: --policy DIR"
    off = named(report, "switched_off")
    assert [row.name for row in off.rows] == [f"WKGFC without {part}" for part in ("kg", "web", "consistency")]
    with pytest.raises(BadInput, match="judged by its document"):
        table3(runs, ("pubhealth",))


def test_figure_3_varies_width_and_hops(runs: Runs) -> None:
    report = figure3(runs, ("fever_val",))
    (table,) = report.tables
    assert [row.name for row in table.rows] == ["k = 3", "k = 4", "k = 5"]
    assert table.columns == ("N = 2", "N = 3", "N = 4", "N = 5")
    assert len({run.key for run in report.runs}) == 12
    assert {run.scores["sees"] for run in report.runs} == {"KG"}


def test_cost_has_the_ways_of_the_agent(runs: Runs) -> None:
    report = cost(runs, ("fever_val",), ("minicheck", "wkgfc"))
    table = named(report, "fever_val")
    assert at(table, "WKGFC", "two-way").value == at(table, "WKGFC", "two-way").value
    assert {row.name for row in named(report, "ways").rows} <= {"IV", "ISV", "ISSV", "IEV", "IESV", "IESSV"}


def test_the_page_loads_nothing_and_shows_hostile_text_as_text(bench: Workbench, tmp_path: Path) -> None:
    write_claims(tmp_path / "odd.jsonl", [{"id": "<b>1", "claim": HOSTILE, "label": "<i>SUPPORTS"}])
    write_claims(tmp_path / "odd.jsonl", [{"id": "<b>1", "claim": HOSTILE, "label": "SUPPORTS"}])
    runs = Runs(Workers(bench), tmp_path, tmp_path / "cells")
    page = write_report(table1(runs, ("odd",), ("wkgfc",)), tmp_path / "out").read_text(encoding="utf-8")
    assert "alert(" not in page
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", page)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    said = policy.group(1).replace("&#39;", "'")
    assert said.startswith("default-src 'none'")
    for name in ("style", "script"):
        (text,) = re.findall(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in said
    assert "unsafe" not in said


def test_ids_behind_a_figure_stand_in_an_attribute_whole(runs: Runs, tmp_path: Path) -> None:
    page = write_report(table4(runs, ("fever_val",)), tmp_path / "out").read_text(encoding="utf-8")
    assert re.search(r'data-ids="\[(?:&#34;c\d&#34;(?:, )?)*\]"', page)


def test_missing_packages_are_named_before_anything_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(NotConfigured, match=r"pip install 'wkgfc\[evaluate\]'"):
        pictures.need_packages()


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_in_a_browser_a_figure_opens_to_its_claims_and_a_claim_to_its_steps(runs: Runs, tmp_path: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    page_path = write_report(table1(runs, ("fever_val",), ("wkgfc",)), tmp_path / "out")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("request", lambda request: complaints.append(request.url) if "http" in request.url else None)
        page.goto(page_path.as_uri())
        page.locator("td button").first.click()
        page.wait_for_selector(".claims details")
        assert page.locator(".claims:visible details").count() == 5
        page.locator(".claims details summary").first.click()
        page.wait_for_selector(".claims details .inside ol li")
        assert "initKGRetrieval" in page.locator(".claims details .inside ol").first.inner_text()
        assert complaints == []
        browser.close()
