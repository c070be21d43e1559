"""Which reasoners could be chosen here, each with its word for ``--reasoner``, and what the others lack.

Nothing is opened, asked or imported: packages are looked up, keys are there or not, files are looked at.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from wkgfc.config import NEEDED, Settings
from wkgfc.errors import NotConfigured
from wkgfc.reasoning.llm.hybrid import EMBEDDED, read_choice
from wkgfc.reasoning.llm.local import check_model, local_models, model_path, models_folder
from wkgfc.reasoning.llm.models import LOCAL, VENDORS

PACKAGES = {"llm": "pydantic-ai-slim", "local": "xllamacpp"}  # an extra's name, and what it brings
INSTALL = "pip install 'wkgfc[{extra}]'"


@dataclass(frozen=True)
class Offered:
    """A reasoner: what to write after ``--reasoner``, whether it could be used now, and what it is or lacks."""

    word: str
    is_ready: bool
    text: str


def offered(settings: Settings) -> Iterator[Offered]:
    """All that there are: the embedded one, model files, then vendors, each model of which needs its own name."""
    yield Offered(EMBEDDED, True, "no key, no network, no model file")
    files = [word for word in chosen(settings) if word.startswith(f"{LOCAL}:")]
    files += [f"{LOCAL}:{path.name}" for path in local_models(settings)]
    yield from (look_at(word, settings) for word in dict.fromkeys(files))
    if not files:
        folder = models_folder(settings)
        yield Offered(f"{LOCAL}:PATH.gguf", False, f"no model file is in {folder}; any path can be given too")
    yield from (look_at(f"{vendor}:MODEL", settings) for vendor in VENDORS)


def chosen(settings: Settings) -> tuple[str, ...]:
    """Every reasoner that the settings name.

    Raises:
        NotConfigured: they name none in a way that can be read.
    """
    return read_choice(settings.reasoner).names


def look_at(word: str, settings: Settings) -> Offered:
    """Whether the reasoner of that word could be used now."""
    vendor_name, _, name = word.partition(":")
    if word == EMBEDDED:
        return Offered(word, True, "no key, no network, no model file")
    if vendor_name == LOCAL:
        path = model_path(name, settings)
        try:
            check_model(path, settings)
        except NotConfigured as error:
            return Offered(word, False, str(error))
        return _with_packages(word, ("llm", "local"), f"{_size(path)}, {path}")
    vendor = VENDORS.get(vendor_name)
    if vendor is None or not name:
        return Offered(word, False, f"there is no such reasoner: choose {EMBEDDED}, {LOCAL}:PATH.gguf or VENDOR:MODEL")
    missing = [variable(needed) for needed in vendor.needs if not getattr(settings, needed)]
    if missing:
        return Offered(word, False, f"{' and '.join(missing)} not set")
    there = [variable(needed) for needed in (*vendor.needs, *vendor.may_need) if getattr(settings, needed)]
    return _with_packages(
        word, ("llm",), f"{' and '.join(there)} set" if there else "no key set, which it may not need"
    )


def variable(setting: str) -> str:
    """The environment variable of a setting: a vendor's own name where it is one."""
    return setting.upper() if setting in NEEDED else f"WKGFC_{setting.upper()}"


def packages() -> Iterator[tuple[str, bool, str]]:
    """For each extra: its name, whether what it brings is installed, and the version or the command to install it."""
    for extra, package in PACKAGES.items():
        try:
            yield extra, True, f"{package} {version(package)}"
        except PackageNotFoundError:
            yield extra, False, f"{package} is not installed: {INSTALL.format(extra=extra)}"


def _with_packages(word: str, extras: tuple[str, ...], text: str) -> Offered:
    missing = [said for extra, is_there, said in packages() if extra in extras and not is_there]
    return Offered(word, not missing, "; ".join(missing) or text)


def _size(path: Path) -> str:
    return f"{os.stat(path).st_size / 1e9:.1f} GB"
