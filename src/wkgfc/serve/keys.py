"""API keys: who may use the service, once there is one. Only a salted hash of a key is kept."""

import datetime as dt
import hashlib
import hmac
import json
import os
import secrets
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from wkgfc.errors import BadInput, NotConfigured

PREFIX = "wkgfc"
MAX_KEY_CHARACTERS = 200
_SECRET_BYTES = 32
MAX_NAME_CHARACTERS = 80


@dataclass(frozen=True)
class Key:
    """A key as it is kept. ``id`` is the part of it that may be shown; ``hash`` that of the whole with ``salt``."""

    id: str
    name: str
    salt: str
    hash: str
    created_at: str


class KeyRing:
    """The keys of a service, in a file of its folder. Without the file nobody is asked for one.

    Once it is there a key is asked for, also when the last was removed: what was closed is not opened by a slip.
    A change of the file counts at once, in a running service too.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "keys.json"
        self._lock = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._keys: dict[str, Key] = {}

    @property
    def is_on(self) -> bool:
        """Whether a key is asked for."""
        return self.path.exists()

    def add(self, name: str) -> str:
        """Make a key and keep its hash. The key itself, which is not seen again.

        Raises:
            BadInput: the name is empty or too long.
            NotConfigured: the file cannot be read or written.
        """
        if not name.strip() or len(name) > MAX_NAME_CHARACTERS or not name.isprintable():
            raise BadInput(f"give the key a name of at most {MAX_NAME_CHARACTERS} characters")
        identifier, salt = secrets.token_hex(6), secrets.token_hex(16)
        key = f"{PREFIX}_{identifier}_{secrets.token_urlsafe(_SECRET_BYTES)}"
        now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        kept = Key(identifier, name, salt, _hash(salt, key), now)
        self._change(lambda keys: [*keys, kept])
        return key

    def remove(self, identifier: str) -> Key:
        """Remove the key with this id, or of this name.

        Raises:
            BadInput: there is none, or several keys have the name.
            NotConfigured: the file cannot be read or written.
        """
        found = [key for key in self.all() if identifier in (key.id, key.name)]
        if len(found) != 1:
            many = "several keys have the name" if found else "there is no key"
            raise BadInput(f"{many} {identifier!r}: 'wkgfc serve keys list' shows their ids")
        self._change(lambda keys: [key for key in keys if key != found[0]])
        return found[0]

    def all(self) -> list[Key]:
        """The keys in the order in which they were made.

        Raises:
            NotConfigured: the file cannot be read.
        """
        with self._lock:
            self._read()
            return list(self._keys.values())

    def find(self, presented: str) -> Key | None:
        """The key that was presented, if it is one.

        Raises:
            NotConfigured: the file cannot be read: nobody gets in.
        """
        parts = presented.split("_", 2) if len(presented) <= MAX_KEY_CHARACTERS else []
        with self._lock:
            self._read()
            key = self._keys.get(parts[1]) if len(parts) == 3 else None
        if key is None or not hmac.compare_digest(key.hash, _hash(key.salt, presented)):
            return None
        return key

    def _read(self) -> None:
        try:
            state = self.path.stat()
            seen = (state.st_mtime_ns, state.st_size, state.st_ino)
            if seen != self._seen:
                rows: list[dict[str, Any]] = json.loads(self.path.read_bytes())
                self._keys = {row["id"]: Key(**row) for row in rows}
                self._seen = seen
        except FileNotFoundError:
            self._keys, self._seen = {}, None
        except (OSError, ValueError, TypeError, KeyError) as error:
            self._seen = None
            raise NotConfigured(f"the keys in {self.path} cannot be read: mend or remove the file") from error

    def _change(self, change: Any) -> None:
        beside = self.path.with_name(f".{self.path.name}.new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self.path.with_name(f".{self.path.name}.lock")):
                rows = [asdict(key) for key in change(self.all())]
                with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                    json.dump(rows, file, indent=1)
                os.replace(beside, self.path)
        except OSError as error:
            raise NotConfigured(f"{self.path} cannot be written: {error.strerror or error}") from error


def _hash(salt: str, key: str) -> str:
    """A key is 256 random bits: one fast hash keeps it, as there is nothing to guess that a slow one would guard."""
    return hashlib.sha256(f"{salt}:{key}".encode("utf-8", "surrogatepass")).hexdigest()
