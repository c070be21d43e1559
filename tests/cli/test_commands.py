"""The command line over small real stores: what it prints, where, and with which status."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from small_graphs import properties, statement, store_of
from test_result import SCHEMA
from wkgfc.cli.main import run
from wkgfc.web.corpus import build_corpus

GRAPH = """
wd:Q1 rdfs:label "Ada Verne"@en
wd:Q2 rdfs:label "Lyon"@en
wd:Q3 rdfs:label "Turin"@en
wd:Q5 rdfs:label "human"@en
"""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("stores")
    statements = statement("born", "Q1", "P19", "wd:Q2") + "\n" + statement("type", "Q1", "P31", "wd:Q5")
    store_of(folder, GRAPH + properties({"P19": "place of birth", "P31": "instance of"}) + "\n" + statements)
    rows = [
        {
            "title": "Ada Verne",
            "text": "Ada Verne was a chemist. She discovered a red dye in 1871.",
            "url": "https://example.org/ada",
        },
        {
            "title": "Turin",
            "text": "Turin is a city in Italy \u001b[31m on the Po.",
            "url": "https://example.org/turin",
        },
    ]
    archive = folder / "archive.jsonl"
    archive.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    build_corpus(archive, folder / "index")
    return str(folder / "store"), str(folder / "index")


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["wkgfc", *arguments])
    with pytest.raises(SystemExit) as exit_:
        run()
    return int(exit_.value.code or 0)


class TestCheck:
    def test_a_supported_claim(
        self, stores: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        kg, web = stores
        assert call(monkeypatch, "check", "--kg", kg, "--web", web, "Ada Verne was born in Lyon.") == 0
        out, err = capsys.readouterr()
        assert out.startswith("Supported")
        assert "[K1]" in out
        assert "https://www.wikidata.org/wiki/Q1" in out
        assert "1. Look in the knowledge graph" in err

    def test_a_refuted_claim(
        self, stores: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        kg, _ = stores
        assert call(monkeypatch, "check", "--kg", kg, "--web", "none", "Ada Verne was born in Turin.") == 0
        assert capsys.readouterr().out.startswith("Refuted")

    def test_json_is_the_contract_and_all_that_is_printed(
        self, stores: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        kg, web = stores
        claim = "Ada Verne discovered a red dye in 1871."
        assert call(monkeypatch, "check", "--json", "--trace", "--kg", kg, "--web", web, claim) == 0
        out, err = capsys.readouterr()
        result = json.loads(out)
        jsonschema.validate(result, SCHEMA)
        assert result["evidence"]
        assert err == ""

    def test_from_standard_input_with_a_trace(
        self, stores: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        kg, _ = stores
        monkeypatch.setattr(sys, "stdin", io.StringIO("Ada Verne was born\nin Lyon.\n"))
        assert call(monkeypatch, "check", "-", "--trace", "--kg", kg, "--web", "none") == 0
        out = capsys.readouterr().out
        assert "trajectory" in out
        assert "because every check begins with the knowledge graph" in out

    @pytest.mark.parametrize(
        ("claim", "kind"),
        [
            ("Is Lyon a city?", "question"),
            ("Lyon is the most beautiful city.", "opinion"),
            ("Buy a ticket now.", "order"),
        ],
    )
    def test_what_is_no_claim_is_told_so(
        self,
        stores: tuple[str, str],
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        claim: str,
        kind: str,
    ) -> None:
        kg, web = stores
        assert call(monkeypatch, "check", "--json", "--kg", kg, "--web", web, claim) == 0
        result = json.loads(capsys.readouterr().out)
        assert result["veracity"] is None
        assert result["checkability"]["kind"] == kind

    def test_a_pipe_gets_plain_text(self, stores: tuple[str, str]) -> None:
        kg, _ = stores
        command = [sys.executable, "-c", "from wkgfc.cli.main import run; run()", "check", "--kg", kg, "--web", "none"]
        done = subprocess.run(
            [*command, "Ada Verne was born in Lyon."], capture_output=True, text=True, check=True, timeout=120
        )
        assert done.stdout.startswith("Supported")
        assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (["check", ""], 2, "empty"),
        (["check", "a" * 100_000], 2, "100,000"),
        (["check", "--kg", "/nowhere/at/all", "Lyon is a city."], 1, "no kg store"),
        (["check", "--web", "/nowhere/at/all", "--kg", "none", "Lyon is a city."], 1, "no corpus"),
        (["check", "--hops", "99", "Lyon is a city."], 2, "hops"),
        (["check", "--date", "yesterday", "Lyon is a city."], 2, "yesterday"),
        (["check"], 2, "claim"),
        (["kg", "build", "/nowhere.nt", "--out", "/tmp/never"], 2, "/nowhere.nt"),
        (["kg", "build", "dump.nt"], 2, "--out"),
        (["corpus", "build", "/nowhere", "--out", "/tmp/never"], 2, "/nowhere"),
        (["unknown"], 2, "unknown"),
    ],
)
def test_wrong_use_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    status: int,
    complaint: str,
) -> None:
    assert call(monkeypatch, *arguments) == status
    assert complaint in capsys.readouterr().err


def test_settings_come_from_flag_environment_file_and_default(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text("hops = 2\nbeam = 3\n", encoding="utf-8")
    monkeypatch.setenv("WKGFC_CONFIG", str(file))
    monkeypatch.setenv("WKGFC_BEAM", "5")
    assert call(monkeypatch, "config") == 0
    rows = {line.split()[0]: line.split()[1:3] for line in capsys.readouterr().out.splitlines() if line[:1].isalpha()}
    assert rows["hops"] == ["2", "file"]
    assert rows["beam"] == ["5", "environment"]
    assert rows["triples"] == ["5", "default"]


@pytest.mark.parametrize("content", ["hops = 99", "hopes = 2", "no toml at all ["])
def test_a_settings_file_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(content, encoding="utf-8")
    monkeypatch.setenv("WKGFC_CONFIG", str(file))
    assert call(monkeypatch, "config") == 1
    assert "setting" in capsys.readouterr().err


def test_a_hostile_label_steers_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [properties({"P36": "\\u001B[31mcapital"}), 'wd:Q90 rdfs:label "Paris"@en']
    store_of(tmp_path, "\n".join([*lines, statement("Q142-a", "Q142", "P36", "wd:Q90")])).close()
    assert call(monkeypatch, "kg", "show", "--kg", str(tmp_path / "store"), "Q90") == 0
    shown = capsys.readouterr().out
    assert "capital (P36)" in shown
    assert "\x1b" not in shown


def test_stores_are_described_and_looked_into(
    stores: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kg, web = stores
    assert call(monkeypatch, "kg", "info", "--kg", kg) == 0
    assert "items: 4" in capsys.readouterr().out
    assert call(monkeypatch, "kg", "show", "--kg", kg, "Ada Verne") == 0
    shown = capsys.readouterr().out
    assert "place of birth (P19)" in shown
    assert "Lyon" in shown
    assert call(monkeypatch, "kg", "show", "--kg", kg, "Nobody At All") == 2
    assert call(monkeypatch, "corpus", "info", "--web", web) == 0
    assert "passages: 2" in capsys.readouterr().out
    assert call(monkeypatch, "corpus", "search", "--web", web, "a city on the Po") == 0
    found = capsys.readouterr().out
    assert "https://example.org/turin" in found
    assert "\x1b" not in found


def test_ctrl_c_while_building_leaves_nothing(tmp_path: Path) -> None:
    archive = tmp_path / "archive.jsonl"
    with archive.open("w", encoding="utf-8") as lines:
        for number in range(300_000):
            lines.write(
                json.dumps({"title": f"Page {number}", "text": f"Sentence {number} of the archive. " * 8}) + "\n"
            )
    # A shell's background jobs, and what they start, ignore interrupts: the tests may be one.
    begin = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from wkgfc.cli.main import run; run()"
    )
    command = [sys.executable, "-c", begin, "corpus", "build", str(archive)]
    building = subprocess.Popen(
        [*command, "--out", str(tmp_path / "index")],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    for _ in range(2_400):  # a busy machine takes long to begin
        if building.poll() is not None or list(tmp_path.glob(".index.building-*")):
            break
        time.sleep(0.05)
    assert building.poll() is None
    os.kill(building.pid, signal.SIGINT)
    _, err = building.communicate(timeout=60)
    assert building.returncode != 0
    assert "Traceback" not in err
    assert not (tmp_path / "index").exists()
    assert not list(tmp_path.glob(".index.building-*"))
