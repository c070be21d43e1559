"""The files that the page needs: read once, sent with a name that changes with their content, kept by the browser."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Asset:
    """A file. ``version`` is a part of the SHA-256 of its content, in hexadecimal digits."""

    content: bytes
    kind: str
    version: str


def load_assets() -> dict[str, Asset]:
    """All files of the page by their names. A path of a request is only ever looked up here: none leads elsewhere."""
    return {
        path.name: Asset(content := path.read_bytes(), KINDS[path.suffix], hashlib.sha256(content).hexdigest()[:12])
        for path in sorted(FOLDER.iterdir())
        if path.suffix in KINDS
    }
