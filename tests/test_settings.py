"""Settings: keys under the names that everybody uses, never shown; every part of a check has its limits there."""

import json
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from wkgfc.cli.main import run
from wkgfc.config import NEEDED, NEEDED_BY_ENGINES, SECRETS, Settings, load_settings, origin
from wkgfc.errors import NotConfigured
from wkgfc.network import Network
from wkgfc.recording import NOT_RECORDED
from wkgfc.web.providers.registry import PROVIDERS

KEY = "geheim-1234567890"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("WKGFC_CONFIG", str(path))
    return path


def test_every_engine_finds_what_it_needs_among_the_settings() -> None:
    needed = {variable for provider in PROVIDERS.values() for variable in provider.needs}
    assert {name.upper() for name in NEEDED_BY_ENGINES} == needed
    assert set(SECRETS) == {"proxy", "mcp_token", *(name for name in NEEDED if name.endswith("_key"))}
    assert load_settings().environment() == {}


@pytest.mark.parametrize("variable", ["SERPER_API_KEY", "WKGFC_SERPER_API_KEY"])
def test_a_key_is_read_from_the_environment(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, KEY)
    assert load_settings().environment() == {"SERPER_API_KEY": KEY}
    assert origin("serper_api_key") == "environment"


def test_a_key_is_read_from_the_file_and_the_environment_wins(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(f'brave_api_key = "{KEY}"\nsearxng_url = "http://localhost:8888"\n', encoding="utf-8")
    assert load_settings().environment() == {"BRAVE_API_KEY": KEY, "SEARXNG_URL": "http://localhost:8888"}
    assert origin("brave_api_key") == "file"
    monkeypatch.setenv("BRAVE_API_KEY", "another-key")
    assert load_settings().environment()["BRAVE_API_KEY"] == "another-key"
    assert origin("google_cx") == "default"


@pytest.mark.parametrize("as_json", [False, True])
def test_a_key_is_never_shown(
    as_json: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in SECRETS[:2]:
        monkeypatch.setenv(f"WKGFC_{name.upper()}", KEY)
    monkeypatch.setattr(sys, "argv", ["wkgfc", "config", *(["--json"] if as_json else [])])
    with pytest.raises(SystemExit):
        run()
    out = capsys.readouterr().out
    assert KEY not in out
    assert "not set" in out
    settings = load_settings()
    assert settings.shown()[SECRETS[0]] == "set"
    assert settings.shown()[SECRETS[3]] == "not set"
    assert KEY not in repr(settings) + str(settings) + settings.model_dump_json() + json.dumps(settings.shown())


@pytest.mark.parametrize("variable", ["WKGFC_PROXY", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_a_proxy_is_what_other_programs_know_too(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://from.a.header.of.a.web.server")  # httpoxy.org
    assert load_settings().proxy is None
    monkeypatch.setenv(variable, "http://user:word@proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "news.example, 10.0.0.7")
    settings = load_settings()
    assert settings.proxy is not None
    assert settings.proxy.get_secret_value() == "http://user:word@proxy.example:3128"
    assert (settings.no_proxy, origin("proxy"), origin("no_proxy")) == (
        "news.example, 10.0.0.7",
        "environment",
        "environment",
    )
    assert "word" not in repr(settings) + json.dumps(settings.shown())
    monkeypatch.setenv("WKGFC_PROXY", "http://ours.example")
    assert load_settings().proxy == SecretStr("http://ours.example")


@pytest.mark.parametrize(
    "proxy", ["proxy.example:3128", "socks5://proxy.example", "http://geheim-1234@", "http://[::1"]
)
def test_what_is_no_proxy_is_told_before_anything_is_asked_and_not_repeated(proxy: str) -> None:
    with pytest.raises(NotConfigured, match="setting proxy: give the address of an HTTP proxy") as error:
        Network(load_settings(proxy=proxy))
    assert "geheim" not in str(error.value)


@pytest.mark.parametrize(
    "line",
    [
        f'serper_api_key = ["{KEY}"]',
        f'serper_key = "{KEY}"',
        f'kg = "https://user:{KEY}@graph.example/sparql"',
        f'searxng_url = "https://user:{KEY}@search.example"',
        f'wikidata_api = "https://[{KEY}"',
    ],
)
def test_what_may_be_secret_is_not_in_an_error(file: Path, line: str) -> None:
    file.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(NotConfigured) as error:
        load_settings()
    assert KEY not in "".join(traceback.format_exception(error.value))
    assert line.split(" ", maxsplit=1)[0] in str(error.value)


def test_what_cannot_be_secret_is() -> None:
    with pytest.raises(NotConfigured, match="got 99"):
        load_settings(hops=99)


def test_no_key_and_no_place_of_this_machine_is_recorded() -> None:
    assert set(SECRETS) | {"contact"} <= NOT_RECORDED <= set(Settings.model_fields)


def test_every_setting_says_what_it_means_and_every_limit_has_bounds() -> None:
    schema: dict[str, Any] = Settings.model_json_schema()["properties"]
    for name, field in Settings.model_fields.items():
        assert field.description, name
    for name, part in schema.items():
        if part.get("type") in ("integer", "number"):
            assert {"minimum", "exclusiveMinimum"} & part.keys(), name
