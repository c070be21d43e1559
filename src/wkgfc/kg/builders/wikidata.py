"""A store from a dump of Wikidata, or a part of one: N-Triples, or the JSON dump of entities.

Both may be plain, gzip or bzip2; which it is, is read from the first bytes. Sources:
https://www.wikidata.org/wiki/Wikidata:Database_download and
https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

import bz2
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

from wkgfc.errors import BadInput
from wkgfc.evidence import Entity, Missing, Qualifier, Quantity, Rank, Relation, Source, Text, Time, Triple, Value
from wkgfc.kg.builders.writing import UNKNOWN, StoreWriter, write_triple
from wkgfc.kg.store import KIND, LAYOUT
from wkgfc.kg.vocabulary import (
    OWL,
    PQ,
    PQV,
    PR,
    PROV,
    PS,
    PSV,
    RDF,
    RDFS,
    REFERENCE,
    SCHEMA,
    SKOS,
    STATEMENT,
    VALUE,
    WD,
    WDNO,
    WDT,
    WIKIBASE,
    P,
    entity_id,
    entity_iri,
    is_entity_id,
    is_property_id,
)
from wkgfc.stores import Manifest, Progress, build_store, fingerprint_of, silent

ANY_LANGUAGE = "mul"  # Wikidata's code for a name that holds in all languages
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,12})*", re.ASCII)

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
    """Build the store ``out`` from the dump at ``path``.

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

    return build_store(out, KIND, LAYOUT, fingerprint, build, replace=replace)


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
            with self._path.open("rb") as packed, _unpacked(packed) as file:
                start = file.peek(1024)[:1024].lstrip()[:1]
                if start in (b"[", b"{"):
                    last = self._lines(packed, file, EntityReader(writer, self._read.refuse, limit).read)
                    is_whole = start == b"{" or last.endswith(b"]")
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


_IRI = rb"<[^\x00-\x20<>\"{}|^`\\]*(?:\\[uU][0-9A-Fa-f]+[^\x00-\x20<>\"{}|^`\\]*)*>"
_NODE = rb"_:[^\s<>\"]+"
_TRIPLE = re.compile(
    rb"\s*(" + _IRI + rb"|" + _NODE + rb")[ \t]*(" + _IRI + rb")[ \t]*"
    rb"(?:(" + _IRI + rb"|" + _NODE + rb')|("[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*")(?:@([A-Za-z0-9-]+)|\^\^' + _IRI + rb")?)"
    rb"[ \t]*\.\s*(?:#.*)?"
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_UNESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}

_DROPPED, _KEPT, _DIRECT, _LABELLED, _ALSO, _DESCRIBED, _TYPED = range(7)
_KEPT_ONTOLOGY = {
    "rank", "timeValue", "timePrecision", "timeCalendarModel", "quantityAmount", "quantityUnit",
    "directClaim", "claim", "statementProperty", "qualifier", "propertyType",
}  # fmt: skip
_KEPT_REFERENCES = {"P854", "P4656", "P248", "P1476"}
_KEPT_PREFIXES = (P, PS, PSV, PQ, PQV)
_PREDICATES = {
    RDFS + "label": _LABELLED,
    SKOS + "altLabel": _ALSO,
    SCHEMA + "description": _DESCRIBED,
    RDF + "type": _TYPED,
    PROV + "wasDerivedFrom": _KEPT,
    OWL + "sameAs": _KEPT,
}
_STATEMENT_OWNER = re.compile(re.escape(STATEMENT.encode()) + rb"([Qq][0-9]+)[-$]")


class TripleReader:
    """Reads N-Triples of Wikidata's vocabulary, line by line.

    What no query asks for is left out: other languages, site links, normalised values, bookkeeping. Blank nodes
    ("unknown value") become IRIs, as in Wikidata's query service, so that they keep their identity.
    """

    def __init__(self, writer: StoreWriter, refuse: Callable[[bytes], None], limit: int | None = None) -> None:
        self._writer = writer
        self._refuse = refuse
        self._limit = limit
        self._items: set[bytes] = set()
        self._nodes: set[bytes] = set()
        self._kinds: dict[bytes, tuple[int, str]] = {}

    def read(self, line: bytes) -> None:
        """Take one line in."""
        match = _TRIPLE.fullmatch(line)
        if match is None:
            text = line.strip()
            if text and not text.startswith(b"#"):
                self._refuse(line)
            return
        subject, predicate, node, literal, language = match.groups()
        kind = self._kinds.get(predicate)
        if kind is None:
            kind = self._kinds[predicate] = _predicate_kind(predicate[1:-1].decode("utf-8", "replace"))
        role, property_id = kind
        if role == _DROPPED or (self._limit is not None and not self._is_within(subject)):
            return
        if role == _KEPT:
            if self._limit is not None and node is not None and node.startswith(_OWNED):
                self._nodes.add(node)
            self._keep(line, subject, node)
        elif role == _DIRECT:
            self._keep(line, subject, node)
            subject_id = entity_id(subject[1:-1].decode())
            if subject_id is not None:
                object_id = entity_id(node[1:-1].decode("utf-8", "replace")) if node else None
                self._writer.add_fact(subject_id, property_id, object_id)
        elif role == _TYPED:
            if node is not None and node.startswith(_NO_VALUE):
                self._keep(line, subject, node)
        elif literal is not None:
            self._name(line, role, subject, literal, (language or b"").decode())

    def _name(self, line: bytes, role: int, subject: bytes, literal: bytes, language: str) -> None:
        subject_id = entity_id(subject[1:-1].decode("utf-8", "replace"))
        if subject_id is None or (language and language not in self._writer.languages):
            return
        if subject_id.startswith("P"):
            if role == _LABELLED:
                self._writer.add_line(line)
            return
        try:
            text = _unescaped(literal[1:-1].decode())
        except (UnicodeDecodeError, ValueError):
            self._refuse(line)
            return
        add = {
            _LABELLED: self._writer.add_label,
            _ALSO: self._writer.add_alias,
            _DESCRIBED: self._writer.add_description,
        }[role]
        add(subject_id, text, language or None)

    def _keep(self, line: bytes, subject: bytes, node: bytes | None) -> None:
        if subject.startswith(b"_:") or (node is not None and node.startswith(b"_:")):
            for blank in {subject, node}:
                if blank is not None and blank.startswith(b"_:"):
                    iri = b"<" + UNKNOWN.encode() + blank[2:] + b">"
                    line = line.replace(blank, iri, 1) if blank == subject else iri.join(line.rsplit(blank, 1))
        self._writer.add_line(line if line.endswith(b"\n") else line + b"\n")

    def _is_within(self, subject: bytes) -> bool:
        """Whether a line belongs to one of the first ``limit`` items, or to a property.

        Nodes of values and references belong to the statements that led to them: dumps write a node after its first
        use.
        """
        if subject.startswith(_OWNED):
            return subject in self._nodes
        owner = _STATEMENT_OWNER.match(subject, 1)
        if owner is not None:
            return owner[1].upper() in self._items
        if not subject.startswith(_ITEM):
            return True
        item = subject[len(_ITEM) - 1 : -1]
        if item not in self._items:
            if len(self._items) >= (self._limit or 0):
                return False
            self._items.add(item)
        return True


_ITEM = b"<" + WD.encode() + b"Q"
_NO_VALUE = b"<" + WDNO.encode()
_OWNED = (b"<" + VALUE.encode(), b"<" + REFERENCE.encode())


def _predicate_kind(iri: str) -> tuple[int, str]:
    if iri in _PREDICATES:
        return _PREDICATES[iri], ""
    if iri.startswith(WIKIBASE):
        return (_KEPT if iri[len(WIKIBASE) :] in _KEPT_ONTOLOGY else _DROPPED), ""
    prefix, _, name = iri.rpartition("/")
    prefix += "/"
    if not is_property_id(name):
        return _DROPPED, ""
    if prefix == WDT:
        return _DIRECT, name
    if prefix in _KEPT_PREFIXES or (prefix == PR and name in _KEPT_REFERENCES):
        return _KEPT, name
    return _DROPPED, ""


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    unescaped = _ESCAPE.sub(
        lambda match: (
            chr(int(match[1] or match[2], 16)) if match[1] or match[2] else _UNESCAPED.get(match[3], match[3])
        ),
        text,
    )
    unescaped.encode()  # half a surrogate pair is no text
    return unescaped


class EntityReader:
    """Reads Wikidata's JSON dump: an array with one entity a line."""

    def __init__(self, writer: StoreWriter, refuse: Callable[[bytes], None], limit: int | None = None) -> None:
        self._writer = writer
        self._refuse = refuse
        self._limit = limit
        self._items = 0

    def read(self, line: bytes) -> None:
        """Take one line in."""
        text = line.strip().removeprefix(b"[").removesuffix(b"]").strip().removesuffix(b",")
        if not text:
            return
        try:
            entity = json.loads(text)
            self._entity(entity)
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError):
            self._refuse(line)

    def _entity(self, entity: dict[str, Any]) -> None:
        identifier = entity["id"] if "id" in entity else entity["entity"]
        if not is_entity_id(identifier):
            if identifier[:1] in "LM":  # lexemes and media: no items
                return
            raise ValueError(f"no id: {identifier!r}")
        if "redirect" in entity:
            line = f"<{entity_iri(identifier)}> <{OWL}sameAs> <{entity_iri(entity['redirect'])}> .\n"
            self._writer.add_line(line.encode())
            return
        if entity.get("type") == "property" or identifier.startswith("P"):
            self._property(identifier, entity)
            return
        if self._limit is not None and self._items >= self._limit:
            return
        self._items += 1
        statements = list(_statements(identifier, entity))  # all are read before any is written
        for language in self._writer.languages:
            if language in (labels := entity.get("labels") or {}):
                self._writer.add_label(identifier, labels[language]["value"], language)
            if language in (descriptions := entity.get("descriptions") or {}):
                self._writer.add_description(identifier, descriptions[language]["value"], language)
            for alias in (entity.get("aliases") or {}).get(language, ()):
                self._writer.add_alias(identifier, alias["value"], language)
        for triple, is_best in statements:
            write_triple(self._writer, triple, is_best=is_best)

    def _property(self, identifier: str, entity: dict[str, Any]) -> None:
        labels = entity.get("labels") or {}
        language = next((each for each in self._writer.languages if each in labels), None)
        self._writer.add_relation(
            Relation(
                id=identifier,
                label=labels[language]["value"] if language else identifier,
                datatype=_camel_case(entity.get("datatype")),
            ),
            language or self._writer.languages[0],
        )


def _statements(identifier: str, entity: dict[str, Any]) -> Iterator[tuple[Triple, bool]]:
    """The statements of an entity, and of each whether it has the best rank of its property."""
    subject = Entity(id=identifier, label=identifier)
    for claims in (entity.get("claims") or {}).values():
        ranks = {claim.get("rank", "normal") for claim in claims}
        best = "preferred" if "preferred" in ranks else "normal"
        for claim in claims:
            snak = claim["mainsnak"]
            qualifiers = tuple(
                Qualifier(relation=_relation(each), value=_value(each))
                for snaks in (claim.get("qualifiers") or {}).values()
                for each in snaks
            )
            references = tuple(dict.fromkeys(
                address
                for reference in claim.get("references") or ()
                for name, snaks in (reference.get("snaks") or {}).items()
                if name in _REFERENCE_ADDRESSES
                for each in snaks
                if (address := _address(each))
            ))  # fmt: skip
            rank = claim.get("rank", "normal")
            triple = Triple(
                subject=subject,
                relation=_relation(snak),
                object=_value(snak),
                qualifiers=qualifiers,
                rank=Rank(rank),
                source=Source(name="wikidata"),
                references=references,
            )
            yield triple, rank == best


_REFERENCE_ADDRESSES = ("P854", "P4656", "P248")


def _address(snak: dict[str, Any]) -> str | None:
    if snak["snaktype"] != "value":
        return None
    value = snak["datavalue"]["value"]
    return WD + value["id"] if isinstance(value, dict) else str(value)


def _relation(snak: dict[str, Any]) -> Relation:
    identifier = snak["property"]
    if not is_property_id(identifier):
        raise ValueError(f"no property: {identifier!r}")
    return Relation(id=identifier, label=identifier, datatype=_camel_case(snak.get("datatype")))


def _value(snak: dict[str, Any]) -> Value:
    if snak["snaktype"] != "value":
        return Missing(value="none" if snak["snaktype"] == "novalue" else "unknown")
    value = snak["datavalue"]["value"]
    match snak["datavalue"]["type"]:
        case "wikibase-entityid":
            identifier = value.get("id") or f"Q{value['numeric-id']}"
            return Entity(id=identifier, label=identifier) if is_entity_id(identifier) else Text(value=identifier)
        case "time":
            return _json_time(value)
        case "quantity":
            unit = entity_id(value["unit"].replace("https://", "http://", 1)) if value.get("unit", "1") != "1" else None
            return Quantity(amount=Decimal(value["amount"]), unit=Entity(id=unit, label=unit) if unit else None)
        case "monolingualtext":
            return Text(value=value["text"], language=value["language"])
        case "globecoordinate":
            return Text(value=f"Point({value['longitude']} {value['latitude']})")  # as in RDF
        case _:
            return Text(value=str(value))


def _json_time(value: dict[str, Any]) -> Time | Text:
    match = re.fullmatch(r"([+-])0*([0-9]{1,16})-(0[0-9]|1[0-2])-([0-2][0-9]|3[01])T[0-9:]*Z?", value["time"], re.ASCII)
    if match is None or not 0 <= value["precision"] <= 14:
        return Text(value=str(value["time"]))
    sign = "-" if match[1] == "-" and int(match[2]) else ""
    return Time(
        value=f"{sign}{int(match[2]):04d}-{match[3]}-{match[4]}",
        precision=value["precision"],
        calendar="julian" if str(value.get("calendarmodel")).endswith("/Q1985786") else "gregorian",
    )


def _camel_case(datatype: str | None) -> str | None:
    """``wikibase-item`` as RDF has it: ``WikibaseItem``."""
    return "".join(part[:1].upper() + part[1:] for part in datatype.split("-")) if datatype else None
