"""What a release is made of says what is so: versions, settings, the map of the house."""

import re
import tomllib

import pytest

from shown_commands import ROOT
from wkgfc.config import NEEDED, Settings

yaml = pytest.importorskip("yaml")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_citation_is_of_this_version_and_has_what_its_schema_asks_for() -> None:
    citation = yaml.safe_load(text("CITATION.cff"))

    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(citation)
    assert citation["type"] == "software"
    assert (citation["version"], citation["license"]) == (PROJECT["version"], PROJECT["license"])
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in PROJECT["authors"]]


def test_the_sources_of_a_release_have_what_the_tests_import_and_the_readme_names() -> None:
    build = tomllib.loads(text("pyproject.toml"))["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]

    assert {"src", "tests", "benchmarks", "training", "docs"} <= set(build)
    assert all((ROOT / name).exists() for name in build)


def test_the_changes_have_this_version() -> None:
    assert f"## {PROJECT['version']}\n" in text("CHANGELOG.md")


def test_the_image_sets_what_there_is_and_runs_as_nobody_special() -> None:
    image = text("Dockerfile")

    for name in re.findall(r"WKGFC_(\w+)=", image):
        assert name == "CONFIG" or name.lower() in Settings.model_fields
    extras = re.search(r"\[([a-z,]+)\]", image)
    assert extras is not None
    assert set(extras[1].split(",")) <= set(PROJECT["optional-dependencies"])
    assert image.index("\nUSER wkgfc\n") < image.index("\nENTRYPOINT")
    assert f":{Settings.model_fields['serve_port'].default}/healthz" in image
    assert all((ROOT / name).exists() for name in re.findall(r"^!(\S+)", text(".dockerignore"), re.MULTILINE))


def test_the_compose_file_publishes_to_this_machine_alone_and_waits_for_the_end() -> None:
    service = yaml.safe_load(text("compose.yaml"))["services"]["wkgfc"]

    assert service["ports"] == ["127.0.0.1:8765:8765"]
    assert service["volumes"] == ["data:/data"]
    assert service["read_only"]
    assert int(service["stop_grace_period"].removesuffix("s")) > Settings.model_fields["serve_shutdown_s"].default


def test_the_map_of_the_house_has_every_part_of_the_package() -> None:
    house = re.search(r"## The map of the house.*?```\n(.*?)```", text("CONTRIBUTING.md"), re.DOTALL)
    assert house is not None
    named = {part for line in house[1].splitlines() for part in re.findall(r"\b[a-z_]+(?:/|\.py)", line)}
    folders = {f"{path.name}/" for path in (ROOT / "src" / "wkgfc").iterdir() if (path / "__init__.py").exists()}
    assert folders <= named
    package = ROOT / "src" / "wkgfc"
    assert all((package / part).exists() for part in named if part.endswith(".py") and part not in ("episode.py", "environment.py", "utils.py"))  # fmt: skip  # noqa: E501


def test_every_extra_and_every_python_is_in_the_docs() -> None:
    page = text("docs/install.md")

    for extra in PROJECT["optional-dependencies"]:
        assert f"`{extra}`" in page or extra == "training", extra
    assert "Python 3.11 to 3.14" in page
    assert PROJECT["requires-python"] == ">=3.11,<3.15"


def test_privacy_names_everybody_who_has_a_key() -> None:
    privacy = text("docs/privacy.md")
    assert "--earlier-checks" in privacy
    assert "wkgfc mcp" in privacy
    assert "wkgfc serve" in privacy
    assert "google_factcheck_api_key" in NEEDED
