"""Settings: every limit and choice with its documented default, and where each value came from.

A value is taken from the first of: what the caller passes (a flag), the environment (``WKGFC_…``), the settings file
(``config.toml`` in the user's configuration folder, or the file that ``WKGFC_CONFIG`` names), the default.
"""

import os
from pathlib import Path
from typing import Any, Literal

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from wkgfc.errors import NotConfigured

APP = "wkgfc"


def config_file() -> Path:
    """The settings file, whether it exists or not."""
    return Path(os.environ.get("WKGFC_CONFIG") or Path(platformdirs.user_config_dir(APP)) / "config.toml")


class Settings(BaseSettings):
    """All settings. The description of each is what ``wkgfc config`` prints."""

    model_config = SettingsConfigDict(env_prefix="WKGFC_", extra="forbid", frozen=True)

    kg: str = Field(
        "embedded", description="knowledge graph: embedded, none, or the PATH of a store of 'wkgfc kg build'"
    )
    web: str = Field(
        "embedded", description="passages: embedded, none, or the PATH of an index of 'wkgfc corpus build'"
    )
    reasoner: Literal["embedded"] = Field("embedded", description="who makes the judgements")
    verifier: Path | None = Field(
        None, description="FOLDER of the verifier of the embedded reasoner; without it the one that ships"
    )
    data_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir(APP)), description="folder of the embedded stores"
    )
    hops: int = Field(4, ge=1, le=8, description="hops of one KG retrieval (N; paper, section 5.6)")
    beam: int = Field(4, ge=1, le=16, description="relations kept a hop, and entities of the next frontier (k)")
    triples: int = Field(5, ge=1, le=50, description="triples kept a relation, direction and entity (m)")
    max_steps: int = Field(6, ge=2, le=30, description="actions a check, the verdict included")
    passages: int = Field(8, ge=1, le=50, description="passages taken from one web search")
    counting: Literal["batched", "faithful"] = Field(
        "batched", description="batched: one query a frontier; faithful: the paper's query an entity and direction"
    )
    timeout_s: float = Field(120.0, gt=0, description="seconds after which a check is told to conclude")
    blocked_sites: tuple[str, ...] = Field((), description="sites whose passages are never evidence")
    allowed_sites: tuple[str, ...] = Field((), description="if given, the only sites whose passages are evidence")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What the caller passes, then the environment, then the settings file."""
        return (init_settings, env_settings, TomlConfigSettingsSource(settings_cls, config_file()))


def load_settings(**given: Any) -> Settings:
    """The settings with those ``given`` that are not ``None`` on top.

    Raises:
        NotConfigured: a value cannot be used; the text names the setting and what is wrong with it.
    """
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        raise NotConfigured(
            f"setting {name}: {first['msg']} (got {first.get('input')!r}; see 'wkgfc config')"
        ) from error
    except ValueError as error:  # the file is no TOML
        raise NotConfigured(f"the settings file {config_file()} cannot be read: {error}") from error


def origin(name: str) -> str:
    """Where the value of setting ``name`` comes from when no flag is given: environment, file or default."""
    if f"WKGFC_{name.upper()}" in os.environ:
        return "environment"
    return "file" if name in TomlConfigSettingsSource(Settings, config_file()).toml_data else "default"
