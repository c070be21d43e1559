"""Which policy is used: the setting ``policy`` of the settings file, written there without touching another line."""

import json
import os
import re
import shutil
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from wkgfc.config import config_file
from wkgfc.errors import NotConfigured

_OURS = re.compile(r"^[ \t]*policy[ \t]*=")
_TABLE = re.compile(r"^[ \t]*\[")


def choose(folder: Path | None) -> Path:
    """Write the folder into the settings file, or take it out for the policy that ships. Returns the file.

    The file is there whole, as before or as after. Its other lines, comments and rights stay as they are.

    Raises:
        NotConfigured: the file cannot be read or written, or its policy stands in a way that cannot be changed here.
    """
    path = config_file()
    target = path.resolve()
    try:
        before = target.read_text(encoding="utf-8") if target.exists() else ""
        said = tomllib.loads(before)
    except (OSError, ValueError) as error:
        raise NotConfigured(f"the settings file {path} cannot be read: {error}") from error
    line = None if folder is None else f"policy = {json.dumps(str(folder.absolute()), ensure_ascii=False)}"
    after = _changed(before, line)
    expected = {name: value for name, value in said.items() if name != "policy"}
    if folder is not None:
        expected["policy"] = str(folder.absolute())
    if _parsed(after) != expected:
        wanted = line or "without the line of policy"
        raise NotConfigured(f"the settings file {path} cannot be changed here: open it and write {wanted}")
    if after != before:
        _write(after, target, path)
    return path


def _changed(text: str, line: str | None) -> str:
    """The text with our line in place of the one that it has, or as its first."""
    lines = text.splitlines(keepends=True)
    top = next((number for number, each in enumerate(lines) if _TABLE.match(each)), len(lines))
    place = next((number for number, each in enumerate(lines[:top]) if _OURS.match(each)), None)
    if place is not None:
        lines[place : place + 1] = [f"{line}\n"] if line else []
    elif line:
        lines.insert(0, f"{line}\n")
    return "".join(lines)


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None


def _write(text: str, target: Path, path: Path) -> None:
    """Put the text in the place of the file at once, with the rights that it had; a new one is its owner's alone."""
    fresh = ""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, fresh = tempfile.mkstemp(dir=target.parent, prefix=".config-")
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, fresh)
        Path(fresh).replace(target)
    except (OSError, ValueError) as error:
        raise NotConfigured(f"the settings file {path} cannot be written: {error}") from error
    finally:
        if fresh:
            Path(fresh).unlink(missing_ok=True)
