"""Small files that are there whole or not at all."""

from pathlib import Path


def write_whole(path: Path, text: str) -> Path:
    """Write a text beside its place and put it there; its folder is made. If that is cut short, the old file stays.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    return fresh.replace(path)
