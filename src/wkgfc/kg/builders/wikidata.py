"""A store from a dump of Wikidata, or a part of one: N-Triples, or the JSON dump of entities.

Both may be plain, gzip or bzip2; which it is, is read from the first bytes. Dumps are described at
https://www.wikidata.org/wiki/Wikidata:Database_download
"""

import bz2
import gzip
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

from wkgfc.errors import BadInput
from wkgfc.kg.builders.wikidata_json import EntityReader
from wkgfc.kg.builders.wikidata_triples import TripleReader
from wkgfc.kg.builders.writing import StoreWriter
from wkgfc.kg.store import KIND, LAYOUT
from wkgfc.stores import Manifest, Progress, build_store, fingerprint_of, silent

ANY_LANGUAGE = "mul"  # Wikidata's code for a name that holds in all languages
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8}){0,8}", re.ASCII)

MALFORMED_SHARE = 0.01  # of the lines: beyond it the file is refused as a whole
_ALL_MALFORMED = 1_000  # malformed lines after which a file that is mostly so is read no further
_BLOCK = 4 << 20


def build_wikidata(
    path: Path,
    out: Path,
    progress: Progress = silent,
    *,
    languages: Sequence[str] = ("en",),
    limit: int | None = None,
    replace: bool = False,
) -> Manifest:
    """Build the store ``out`` from the dump at ``path``, unless it is there and not to be replaced.

    ``languages`` are those whose names are kept, the preferred one first; names for all languages (``mul``) come last.
    ``limit`` keeps the first entities only
    (properties are always kept).

    Raises:
        BadInput: the file is missing, cut off, of another kind, or more than ``MALFORMED_SHARE`` of it is malformed.
        NotConfigured: the store cannot be written.
    """
    try:
        size = path.stat()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    if path.is_dir():
        raise BadInput(f"{path} is a folder: give a dump of Wikidata (.nt or .json, plain, .gz or .bz2)")
    for language in languages:
        if not _LANGUAGE.fullmatch(language):
            raise BadInput(f"{language[:20]!r} is no language: give codes such as en or pt-br")
    languages = tuple(dict.fromkeys((*languages, ANY_LANGUAGE)))
    fingerprint = fingerprint_of("wikidata", path.name, size.st_size, size.st_mtime_ns, *languages, limit)

    def build(folder: Path) -> dict[str, Any]:
        with StoreWriter(folder, languages) as writer:
            dump = _Dump(path, progress)
            read = dump.read(writer, limit)
            progress("names and indexes", 0, None)
            contents = writer.finish()
            read.malformed += writer.malformed
            dump.check(read)
            if not contents["facts"]:
                raise BadInput(f"{path} has no statement of Wikidata's vocabulary")
        return {
            "name": "wikidata",
            **contents,
            "lines": read.lines,
            "malformed": read.malformed,
            "sources": [{"name": path.name, "licence": "CC0-1.0", "origin": "Wikidata"}],
        }

    return build_store(out, KIND, LAYOUT, fingerprint, build, replace=replace, again=replace)


@dataclass
class _Read:
    """How much was read."""

    lines: int = 0
    malformed: int = 0
    first_malformed: str = ""

    def refuse(self, line: bytes) -> None:
        self.malformed += 1
        if not self.first_malformed:
            self.first_malformed = line[:80].decode("utf-8", "replace").strip()


class _Dump:
    """The lines of a dump, whatever packs them."""

    def __init__(self, path: Path, progress: Progress) -> None:
        self._path = path
        self._progress = progress
        self._size = path.stat().st_size
        self._read = _Read()

    def read(self, writer: StoreWriter, limit: int | None) -> _Read:
        """Give all entities to the writer, or the first ``limit`` of them.

        Raises:
            BadInput: the file cannot be read or is no dump.
        """
        try:
            packed = self._path.open("rb")
        except OSError as error:
            raise BadInput(f"{self._path} cannot be read: {error.strerror}") from error
        try:
            with packed, _unpacked(packed) as file:
                start = file.peek(1024)[:1024].lstrip()[:1]
                if start in (b"[", b"{"):
                    last = self._lines(packed, file, EntityReader(writer, self._read.refuse, limit).read)
                    is_whole = last.rstrip(b",").endswith(b"]" if start == b"[" else (b"}", b"]"))
                elif start in (b"<", b"_", b"#"):
                    last = self._lines(packed, file, TripleReader(writer, self._read.refuse, limit).read)
                    is_whole = last.endswith(b".") or last.startswith(b"#")
                elif not start:
                    raise BadInput(f"{self._path} is empty")
                else:
                    raise BadInput(f"{self._path} is neither N-Triples nor Wikidata's JSON dump")
            if not is_whole:
                raise BadInput(f"{self._path} ends in the middle: it is cut off, get it again")
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise BadInput(f"{self._path} is cut off or damaged: get it again") from error
        except OSError as error:
            if error.errno is not None:  # of the system: not the file's fault
                raise
            raise BadInput(f"{self._path} is damaged ({error}): get it again") from error
        return self._read

    def _lines(self, packed: BufferedReader, file: IO[bytes], read: Callable[[bytes], None]) -> bytes:
        """Read all lines; the last one that is not blank."""
        last = b""
        while block := file.readlines(_BLOCK):
            self._read.lines += len(block)
            for line in block:
                read(line)
            last = next((text for line in reversed(block) if (text := line.strip())), last)
            self._progress("entities and facts", packed.tell(), self._size)
            if self._read.malformed > _ALL_MALFORMED and self._read.malformed > self._read.lines // 2:
                self.check(self._read)
        return last

    def check(self, read: _Read) -> None:
        """Refuse a file of which too much is malformed.

        Raises:
            BadInput: more than ``MALFORMED_SHARE`` of its lines.
        """
        if read.malformed > MALFORMED_SHARE * read.lines:
            raise BadInput(
                f"{self._path}: {read.malformed:,} of {read.lines:,} lines are malformed, "
                f"the first is {read.first_malformed!r}"
            )


def _unpacked(packed: BufferedReader) -> BufferedReader:
    start = packed.peek(3)[:3]
    if start[:2] == b"\x1f\x8b":
        return BufferedReader(gzip.GzipFile(fileobj=packed), _BLOCK)
    if start == b"BZh":
        return BufferedReader(bz2.BZ2File(packed), _BLOCK)
    return BufferedReader(packed, _BLOCK)
