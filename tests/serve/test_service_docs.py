"""``docs/service.md`` names every route, event and refusal that there is; ``wkgfc serve keys`` does what it says."""

import re
import sys
from pathlib import Path
from typing import get_args

import pytest

from scripted_checker import ScriptedChecker
from wkgfc.cli.main import run
from wkgfc.config import Settings, load_settings
from wkgfc.serve.app import make_app
from wkgfc.serve.jobs import EventKind, State
from wkgfc.serve.keys import KeyRing

PAGE = (Path(__file__).parents[2] / "docs" / "service.md").read_text(encoding="utf-8")


def test_the_page_has_every_route_and_no_other(tmp_path: Path) -> None:
    app = make_app(load_settings(serve_dir=tmp_path), open_checker=ScriptedChecker)
    there = {
        (method.upper(), re.sub(r"\{\w+\}", "{id}", path))
        for path, methods in app.openapi()["paths"].items()
        for method in methods
    }
    named = set(re.findall(r"`(GET|POST|DELETE) (/v1/[^` ]+)`", PAGE))
    assert named == {(method, path) for method, path in there if path.startswith("/v1/")}
    assert all(f"`{path}`" in PAGE or f"GET {path}`" in PAGE for _, path in there if not path.startswith("/v1/"))


def test_the_page_has_every_state_event_and_setting_that_it_speaks_of() -> None:
    for word in (*get_args(State), *get_args(EventKind)):
        assert f"`{word}`" in PAGE, word
    for name in re.findall(r"`(serve_[a-z_]+)`", PAGE):
        assert name in Settings.model_fields or name == "serve_", name


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["wkgfc", "serve", *arguments])
    with pytest.raises(SystemExit) as ended:
        run()
    assert not ended.value.code


def test_keys_are_made_listed_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(tmp_path)
    command(monkeypatch, "keys", "list", "--data", data)
    assert "nobody is asked for one" in capsys.readouterr().err
    command(monkeypatch, "keys", "add", "newsroom", "--data", data)
    said = capsys.readouterr()
    assert "nobody gets in without" in said.err
    key = KeyRing(tmp_path).find(said.out.strip())
    assert key is not None
    command(monkeypatch, "--data", data, "keys", "list")
    listed = capsys.readouterr().out
    assert f"{key.id}  {key.created_at}  newsroom" in listed
    assert said.out.strip() not in listed
    command(monkeypatch, "keys", "remove", key.id, "--data", data)
    assert "No key is left, so nobody gets in" in capsys.readouterr().err
    assert KeyRing(tmp_path).is_on
