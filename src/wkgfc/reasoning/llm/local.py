"""``local:PATH.gguf``: a language model from a file, on this machine, with nobody else involved.

A name without a folder is looked for in the folder ``models`` of the data folder too, with or without ``.gguf``.
"""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.http import Http
from wkgfc.http.cassette import ReplayHttp
from wkgfc.reasoning.llm.local_server import INSTALL, URL, LocalModel, process_servers
from wkgfc.reasoning.llm.transport import model_client

if TYPE_CHECKING:
    from pydantic_ai.models import Model

SUFFIX = ".gguf"
FOLDER = "models"
_MAGIC = b"GGUF"
_SMALLEST = 10_000  # bytes; no model is
_BESIDE_THE_WEIGHTS = 500_000_000  # bytes for the context and what is computed, for models of a few billion parameters


def models_folder(settings: Settings) -> Path:
    """Where model files are looked for by their names."""
    return settings.data_dir / FOLDER


def local_models(settings: Settings) -> Iterator[Path]:
    """The model files of the models folder, in the order of their names."""
    folder = models_folder(settings)
    if folder.is_dir():
        yield from sorted(path for path in folder.iterdir() if path.suffix.lower() == SUFFIX and path.is_file())


def model_path(name: str, settings: Settings) -> Path:
    """The file that the ``PATH.gguf`` of a choice means, whether it is there or not."""
    path = Path(name).expanduser()
    if path.exists() or len(path.parts) != 1:
        return path
    folder = models_folder(settings)
    for candidate in (folder / name, folder / f"{name}{SUFFIX}"):
        if candidate.is_file():
            return candidate
    return path


def check_model(path: Path, settings: Settings) -> None:
    """See whether a model file can be run here, without loading it.

    Raises:
        NotConfigured: it is not there, is no GGUF file, is larger than the memory that is free, or the package is not
            installed. The text says what to do.
    """
    try:
        size = path.stat().st_size
        with open(path, "rb") as file:
            start = file.read(len(_MAGIC))
    except FileNotFoundError as error:
        raise NotConfigured(
            f"there is no model {path}: give the path of a GGUF file, or put one into {models_folder(settings)}"
        ) from error
    except OSError as error:
        raise NotConfigured(f"the model {path} cannot be read: {error.strerror}") from error
    if start != _MAGIC or size < _SMALLEST:
        raise NotConfigured(f"{path} is no GGUF file, the form of model files that llama.cpp runs")
    if find_spec("xllamacpp") is None:
        raise NotConfigured(f"a model on this machine needs a package that is not installed: {INSTALL}")
    free = free_memory()
    if free is not None and size + _BESIDE_THE_WEIGHTS > free:
        raise NotConfigured(
            f"{path} takes about {(size + _BESIDE_THE_WEIGHTS) / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are "
            "free: close something, or choose a smaller model"
        )


def free_memory() -> int | None:
    """Bytes that programs may still take without others being moved out; ``None`` where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError, StopIteration):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def open_local_model(path: Path, settings: Settings, http: Http) -> "Model":
    """The model of a file, which is loaded when it is first asked. It answers by JSON schema, not by tools.

    ``http`` is the client of models (``wkgfc.network``); from a replay no file is needed.

    Raises:
        NotConfigured: as ``check_model``, or pydantic-ai is not installed.
    """
    if not isinstance(http, ReplayHttp):
        check_model(path, settings)
    try:
        from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415 - seconds of import, where it is used
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider  # noqa: PLC0415
    except ImportError as error:
        raise NotConfigured(f"a model on this machine needs a package that is not installed: {INSTALL}") from error
    name = process_servers().name(LocalModel(path.absolute(), settings.local_context, settings.local_threads))
    provider = OpenAICompatibleProvider(
        "local", base_url=URL, api_key="on-this-machine", http_client=model_client(http)
    )
    return OpenAIChatModel(
        name,
        provider=provider,
        profile={
            "supports_json_schema_output": True,
            "supports_tools": False,
            "default_structured_output_mode": "native",
        },
    )
