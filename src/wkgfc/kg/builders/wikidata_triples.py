"""Wikidata's N-Triples, read line by line.

Source: https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format
"""

import re
from collections.abc import Callable

from wkgfc.kg.builders.n_triples import UNKNOWN
from wkgfc.kg.builders.writing import StoreWriter
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
    is_property_id,
)

_IN_IRI = rb"[^\x00-\x20<>\"{}|^`\\]*"
_IRI = rb"<" + _IN_IRI + rb"(?:\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})" + _IN_IRI + rb")*>"
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
            subject_id = entity_id(subject[1:-1].decode("utf-8", "replace"))
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
                self._keep(line, subject, None)
            return
        try:
            text = _unescaped(literal[1:-1].decode())
        except (ValueError, OverflowError):
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
