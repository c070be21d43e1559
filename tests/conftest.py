"""What tests share: no network, nothing of the user's, the embedded stores built once a session, chance seeded."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from offline import offline
from wkgfc.checker import FactChecker
from wkgfc.config import NEEDED, Settings, load_settings

settings.register_profile("seeded", derandomize=True, deadline=None)
settings.load_profile("seeded")

# Fixtures for a client of live sources, a server that misbehaves, a small world to evaluate on, and results to show.
pytest_plugins = ["live_http", "small_world", "checked_results"]


FIRST = ("test_ways.py", "test_kinds.py")  # files of minutes: begun last they would keep one process alone at the end


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first; the others keep their order."""
    items.sort(key=lambda item: item.path.name not in FIRST)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their place: gzip writes the second into them, and all processes must know one name."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(autouse=True)
def _no_network() -> Iterator[None]:
    """No test reaches anything but this machine."""
    with offline():
        yield


@pytest.fixture(autouse=True)
def _no_user_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings of the user's, and no stores of theirs, reach a test."""
    monkeypatch.setenv("WKGFC_CONFIG", str(tmp_path / "no-config.toml"))
    for name in Settings.model_fields:
        monkeypatch.delenv(f"WKGFC_{name.upper()}", raising=False)
    for name in (*NEEDED, "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name.upper(), raising=False)
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WKGFC_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("WKGFC_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def embedded_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the embedded default is built, once for all processes of a run; WKGFC_TEST_STORES keeps it for the next."""
    if kept := os.environ.get("WKGFC_TEST_STORES"):
        return Path(kept)
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "embedded-data"


@pytest.fixture(scope="session")
def embedded_checker(embedded_data: Path, tmp_path_factory: pytest.TempPathFactory) -> FactChecker:
    """A checker over the embedded default, built from its packages as on a fresh machine (a minute or two)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WKGFC_CONFIG", str(tmp_path_factory.mktemp("config") / "no-config.toml"))
        checker = FactChecker(load_settings(data_dir=embedded_data))
        checker.open()
    return checker
