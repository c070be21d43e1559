"""The docs are true: every command that they show exists as shown; what can run offline runs, Python too."""

import gzip
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from shown_commands import (
    PAGES,
    ROOT,
    Shown,
    commands,
    commands_of_the_program,
    inline_commands,
    named,
    parsed,
    programs,
    python_blocks,
    taken,
)
from small_world import World
from wkgfc.cli.main import app

yaml = pytest.importorskip("yaml")

RUNS = {
    *("wkgfc check", "wkgfc check-text", "wkgfc export", "wkgfc verify", "wkgfc replay", "wkgfc config"),
    *("wkgfc kg show", "wkgfc kg info", "wkgfc corpus build", "wkgfc corpus search", "wkgfc models"),
    *("wkgfc serve keys add", "wkgfc serve keys list"),
}  # offline, over small files, in a moment
LEAVES = re.compile(
    r"wikidata|dbpedia|serper|brave|openai|gpt|https?://|local:|--live|--earlier-checks|--policy|localhost"
)
RAN: dict[str, list[str]] = {}

# Python that something else than this machine and its small files is needed for; it is compiled alone.
ELSEWHERE = {
    "docs/mcp.md": "it starts the server, as tests/serve/test_mcp_server.py does",
    "docs/service.md": "it needs a service that runs, as tests/serve has one",
    "docs/sources.md": "tests/test_sources_page.py runs it",
    "docs/guardrails.md": "tests/serve/test_guardrails_page.py runs it",
    "docs/embedded-kg-factbook.md": "it needs the embedded store",
}
SPEECH = "Ladies and gentlemen, welcome. Ada Verne was born in Lyon. Ada Verne was born in Turin."
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


@pytest.fixture
def folder(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the pages speak of, and the small world as the sources."""
    here = tmp_path / "here"
    (home := here / "home" / "archive").mkdir(parents=True)
    (home / "bridge.txt").write_text("The bridge was opened in 1998.", encoding="utf-8")
    passage = {"id": "1", "title": "Bridge", "text": "The bridge was opened in 1998.", "url": "https://example.org/1"}
    (here / "passages.jsonl.gz").write_bytes(gzip.compress(json.dumps(passage).encode()))
    (here / "speech.txt").write_text(SPEECH, encoding="utf-8")
    (here / "report.txt").write_text("Sales rose by ten per cent. Costs fell.", encoding="utf-8")
    body = f"<w:body><w:p><w:r><w:t>{SPEECH}</w:t></w:r></w:p></w:body>"
    with zipfile.ZipFile(here / "report.docx", "w") as document:
        document.writestr("word/document.xml", f'<w:document xmlns:w="{WORD}">{body}</w:document>')
    (here / "my.kg").symlink_to(world.kg)
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(here / "home"))
    monkeypatch.setenv("WKGFC_KG", world.kg)
    monkeypatch.setenv("WKGFC_WEB", world.web)
    return here


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if any(commands(text))])
def test_every_command_of_the_page_is_one_and_runs_where_it_can(
    page: str, folder: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = list(commands(PAGES[page]))
    names = [parsed(command.words) for command in shown]  # all of them, before any is run
    if any("run.jsonl.gz" in command.words for command in shown):
        _run(Shown(("check", "--record", "run.jsonl.gz", "Ada Verne was born in Lyon.")), folder, monkeypatch)
    RAN[page] = []
    for name, command in zip(names, shown, strict=True):
        if name not in RUNS or LEAVES.search(str(command)):
            continue
        if "my.index" in command.words and name != "wkgfc corpus build" and not (folder / "my.index").exists():
            (folder / "my.index").symlink_to(world.web)
        _run(command, folder, monkeypatch)
        RAN[page].append(str(command))


def _run(command: Shown, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [word.replace("~", str(folder / "home")) if word.startswith("~/") else word for word in command.words]
    with monkeypatch.context() as patch:
        for name, value in command.environment.items():
            if name.startswith("WKGFC_"):
                patch.setenv(name, value)
        done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, f"{command}\n{done.output}\n{done.exception}"
    if command.into is not None:
        (folder / command.into).write_text(done.stdout, encoding="utf-8")


def test_most_commands_that_need_no_network_were_run() -> None:
    if not RAN:
        pytest.skip("the pages were not looked at in this process")
    if set(RAN) >= {"README.md", "docs/tutorial.md", "docs/exports.md"}:
        assert len(RAN["docs/tutorial.md"]) >= 7
        assert any("export" in command for command in RAN["docs/exports.md"])
        assert sum(map(len, RAN.values())) >= 20


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if inline_commands(text)])
def test_commands_in_sentences_exist_with_their_options(page: str) -> None:
    for words in inline_commands(PAGES[page]):
        assert words[0] == "COMMAND" or named(words)


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if any(programs(text))])
def test_programs_beside_the_package_take_what_the_page_gives_them(page: str) -> None:
    for path, words in programs(PAGES[page]):
        options = taken(path)
        given = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert given <= set(options), f"{path.name} {words}"
        assert not given or given >= {option for option, is_needed in options.items() if is_needed}, (
            f"{path.name} {words}"
        )


def test_every_command_is_on_the_page_of_commands() -> None:
    page = PAGES["docs/reference/commands.md"]
    assert {words[0] for words in inline_commands(page)} - {"COMMAND"} == set(commands_of_the_program())


def test_what_is_no_command_is_noticed() -> None:
    for words in (["chek", "x"], ["check", "--webb", "x"], ["kg", "show"]):
        with pytest.raises(Exception, match=r"(?i)no such|missing"):
            parsed(tuple(words))
    with pytest.raises(LookupError, match="has no --nothing"):
        named(["check", "--nothing"])
    (program,) = programs("text (`python benchmarks/kinds.py --rows held`)")
    assert (program[0].name, program[1]) == ("kinds.py", ["--rows", "held"])
    assert taken(program[0])["--rows"] is False
    page = 'text\n\n    X=1 wkgfc check --json "A b." > out.json && wkgfc doctor  # and so on\n'
    assert list(commands(page)) == [Shown(("check", "--json", "A b."), {"X": "1"}, "out.json"), Shown(("doctor",))]


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if python_blocks(text)])
def test_the_python_of_the_page_runs(page: str, folder: Path) -> None:
    names: dict[str, Any] = {"__name__": "a_page"}
    for number, block in enumerate(python_blocks(PAGES[page]), 1):
        code = compile(block, f"{page}, block {number}", "exec")
        if page in ELSEWHERE:
            continue
        needed = set(re.findall(r"^(?:import|from) (\w+)", block, re.MULTILINE))
        if missing := [name for name in needed if importlib.util.find_spec(name) is None]:
            pytest.skip(f"needs {', '.join(missing)}")
        exec(code, names)


def test_pages_that_are_only_compiled_still_have_python() -> None:
    assert all(python_blocks(PAGES[page]) for page in ELSEWHERE)


def _navigation(entries: list[Any]) -> set[str]:
    found: set[str] = set()
    for entry in entries:
        value = next(iter(entry.values()))
        found |= _navigation(value) if isinstance(value, list) else {value}
    return found


def test_every_page_is_in_the_navigation_and_every_link_leads_somewhere() -> None:
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    assert _navigation(site["nav"]) == pages, "mkdocs.yml names the pages of docs/, each once"
    for page, text in PAGES.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`|```.*?```", "", text, flags=re.DOTALL)):
            target, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", link):
                continue
            path = (ROOT / page).parent / target if target else ROOT / page
            assert path.exists(), f"{page} links to {link}"
            if anchor and path.suffix == ".md":
                headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
                slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
                assert anchor in slugs, f"{page} links to {link}"


def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("mkdocstrings") is None:
        pytest.skip("needs the extra docs")
    site = tmp_path / "site"
    build = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(site)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert build.returncode == 0, build.stderr
    for page in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(https?:)?//', page.read_text("utf-8"))
        assert not loaded, page
    shutil.rmtree(site)
    assert json.loads((ROOT / "docs" / "contract.schema.json").read_text(encoding="utf-8"))["title"] == "CheckResult"
