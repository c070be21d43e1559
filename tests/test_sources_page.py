"""The pages about sources, privacy and settings: they name everything there is, and what they show works."""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from misbehaving import Misbehaving, refuse, reply
from wkgfc.config import NEEDED_BY_ENGINES, Settings, as_table
from wkgfc.http.client import LiveHttp
from wkgfc.reasoning.llm.models import LOCAL, VENDORS
from wkgfc.result import CheckResult
from wkgfc.sources import LIVE_GRAPHS
from wkgfc.state import Failed, Found
from wkgfc.web.providers.registry import PROVIDERS

DOCS = Path(__file__).parents[1] / "docs"
SOURCES, PRIVACY, SETTINGS = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("sources", "privacy", "settings")
)
ANSWER = """{"query": "red dye", "results": [
    {"url": "https://a.example/1", "title": "Dye", "text": "A red dye.", "date": "2019-03-01"}, {"url": 5}, null
]}"""


def row_of(page: str, name: str) -> str:
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}`")]
    return row


@pytest.mark.parametrize("name", sorted(PROVIDERS))
def test_every_engine_is_named_with_what_it_needs_and_costs(name: str) -> None:
    row = row_of(SOURCES, name)
    assert PROVIDERS[name].costs in row
    for variable in PROVIDERS[name].needs or ["nothing"]:
        assert variable in row
    assert f"`--web {name}`" in PRIVACY


@pytest.mark.parametrize("name", LIVE_GRAPHS)
def test_every_live_graph_is_named(name: str) -> None:
    assert row_of(SOURCES, name)
    assert f"`--kg {name}`" in PRIVACY
    assert name in (Settings.model_fields["kg"].description or "")


@pytest.mark.parametrize("vendor", [*VENDORS, LOCAL])
def test_every_vendor_of_models_is_named_among_those_who_see_a_claim(vendor: str) -> None:
    assert f"`--reasoner {vendor}:…`" in PRIVACY or f"`{vendor}:PATH.gguf`" in PRIVACY


def test_the_web_setting_names_every_engine() -> None:
    assert all(name in (Settings.model_fields["web"].description or "") for name in PROVIDERS)


def test_the_table_of_settings_is_that_of_the_code() -> None:
    assert as_table() in SETTINGS, "write it again: python -m wkgfc.config"


def test_settings_that_the_pages_name_exist() -> None:
    for page in (SOURCES, PRIVACY):
        named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)(?:`| =)", page))
        assert named <= set(Settings.model_fields), named - set(Settings.model_fields)
    privacy_matters = {
        "cache_dir",
        "cache_bytes",
        "keep_pages",
        "data_dir",
        "contact",
        "archive",
        "robots",
        "max_pages",
    }
    assert all(f"`{name}" in PRIVACY for name in privacy_matters)
    assert len(NEEDED_BY_ENGINES) == 6, "the page says how many they are"


@pytest.fixture
def lighthouse() -> dict[str, Any]:
    """The names that the page's file defines."""
    blocks = re.findall(r"```python\n(.*?)```", SOURCES, re.DOTALL)
    names: dict[str, Any] = {"__name__": "lighthouse"}
    exec(compile(blocks[0], "lighthouse.py", "exec"), names)
    names["use"] = blocks[1]
    return names


async def test_the_engine_of_the_page_searches(lighthouse: dict[str, Any], server: Misbehaving, http: LiveHttp) -> None:
    server.on("/search", reply(ANSWER), refuse(401), reply("<html>"))
    engine = lighthouse["Lighthouse"](http, SecretStr("geheim"), url=server.url("/search"))
    answer = await engine.search("red dye", 5)
    assert isinstance(answer, Found)
    (hit,) = answer.items
    assert (hit.passage.url, hit.passage.text, str(hit.passage.date)) == (
        "https://a.example/1",
        "A red dye.",
        "2019-03-01",
    )
    assert server.seen[0].headers["authorization"] == "geheim"
    assert await engine.search("red dye", 5) == Failed(
        "lighthouse: the key was refused (401): check LIGHTHOUSE_API_KEY"
    )
    assert isinstance(await engine.search("red dye", 5), Failed)


async def test_the_engine_of_the_page_is_used_as_the_page_says(
    lighthouse: dict[str, Any], server: Misbehaving, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"url": server.url("/dye"), "title": "Dye", "text": "Madder is a red dye."}
    server.on("/search", reply(json.dumps({"results": [found]})))
    monkeypatch.setenv("LIGHTHOUSE_API_KEY", "geheim")
    exec(lighthouse["use"], lighthouse)
    lighthouse["Lighthouse"] = partial(lighthouse["Lighthouse"], url=server.url("/search"))
    result: CheckResult = await lighthouse["check"]("Madder is a red dye.")
    assert result.usage.web_searches >= 1
    assert any(server.url("/dye") in error for error in result.errors), result.errors
    assert server.asked("/dye") == 0, "a page of this machine is not read"
