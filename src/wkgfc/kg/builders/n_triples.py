"""Statements and properties as N-Triples in Wikidata's vocabulary.

Source: https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format
"""

import hashlib
import re
from collections.abc import Iterator
from urllib.parse import quote

from wkgfc.evidence import Entity, Missing, Quantity, Rank, Relation, Text, Time, Triple, Value
from wkgfc.kg.vocabulary import (
    GREGORIAN,
    JULIAN,
    NO_UNIT,
    PQ,
    PQV,
    PR,
    PROV,
    PS,
    PSV,
    RDF,
    RDFS,
    REFERENCE,
    STATEMENT,
    TEXT,
    VALUE,
    WDNO,
    WDT,
    WIKIBASE,
    XSD,
    P,
    date_time,
    entity_iri,
)

UNKNOWN = "http://www.wikidata.org/.well-known/genid/"  # "unknown value", as Wikidata's query service names it

_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*", re.ASCII)
_NOT_IN_IRI = re.compile(r"[\x00-\x20<>\"{}|^`\\\x7f]")
_ESCAPED = re.compile(r"[\x00-\x1f\"\\\x7f\ud800-\udfff]")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_RANKS = {
    Rank.PREFERRED: f"<{WIKIBASE}PreferredRank>",
    Rank.NORMAL: f"<{WIKIBASE}NormalRank>",
    Rank.DEPRECATED: f"<{WIKIBASE}DeprecatedRank>",
}


def relation_lines(relation: Relation, language: str | None = "en") -> Iterator[bytes]:
    """The N-Triples of a property: label, datatype and the IRIs of its roles."""
    node = f"<{entity_iri(relation.id)}>"
    yield _line(node, RDF + "type", f"<{WIKIBASE}Property>")
    for role, prefix in (("directClaim", WDT), ("claim", P), ("statementProperty", PS), ("qualifier", PQ)):
        yield _line(node, WIKIBASE + role, f"<{prefix}{relation.id}>")
    if relation.label != relation.id:
        yield _line(node, RDFS + "label", literal(relation.label, language))
    if relation.datatype:
        yield _line(node, WIKIBASE + "propertyType", f"<{WIKIBASE}{_in_iri(relation.datatype)}>")


def statement_lines(triple: Triple, *, is_best: bool) -> Iterator[bytes]:
    """The N-Triples of a statement: the direct link, the statement's node with rank, qualifiers and references."""
    subject, relation = f"<{entity_iri(triple.subject.id)}>", triple.relation.id
    content = _content(triple)
    owner = triple.subject.id if triple.subject.id.startswith("Q") else "wkgfc"
    node = f"<{STATEMENT}{owner}-{_hash(content)}>"
    if is_best and not (isinstance(triple.object, Missing) and triple.object.value == "none"):
        yield _line(subject, WDT + relation, _term(triple.object, content))
    yield _line(subject, P + relation, node)
    yield _line(node, WIKIBASE + "rank", _RANKS[triple.rank])
    yield from _value_lines(node, relation, PS, PSV, triple.object, content)
    for number, qualifier in enumerate(triple.qualifiers):
        yield from _value_lines(node, qualifier.relation.id, PQ, PQV, qualifier.value, f"{content}/{number}")
    yield from _reference_lines(node, triple)


def _value_lines(node: str, relation: str, simple: str, full: str, value: Value, content: str) -> Iterator[bytes]:
    if isinstance(value, Missing) and value.value == "none":
        yield _line(node, RDF + "type", f"<{WDNO}{relation}>")
        return
    yield _line(node, simple + relation, _term(value, content))
    if isinstance(value, Time):
        calendar = JULIAN if value.calendar == "julian" else GREGORIAN
        value_node = f"<{VALUE}{_hash(f'{value.value}/{value.precision}/{calendar}')}>"
        yield _line(node, full + relation, value_node)
        yield _line(value_node, WIKIBASE + "timeValue", _term(value, content))
        yield _line(value_node, WIKIBASE + "timePrecision", f'"{value.precision}"^^<{XSD}integer>')
        yield _line(value_node, WIKIBASE + "timeCalendarModel", f"<{calendar}>")
    elif isinstance(value, Quantity):
        unit = entity_iri(value.unit.id) if value.unit else NO_UNIT
        value_node = f"<{VALUE}{_hash(f'{value.amount:f} {unit}')}>"
        yield _line(node, full + relation, value_node)
        yield _line(value_node, WIKIBASE + "quantityAmount", _term(value, content))
        yield _line(value_node, WIKIBASE + "quantityUnit", f"<{unit}>")


def _reference_lines(node: str, triple: Triple) -> Iterator[bytes]:
    """A reference for the text that the fact was read from, named by its id, and one for each further address."""
    source = triple.source
    if source.text_id is not None:
        reference = f"<{TEXT}{quote(source.text_id, safe='')}>"
        yield _line(node, PROV + "wasDerivedFrom", reference)
        if source.url:
            yield _line(reference, PR + "P854", f"<{_in_iri(source.url)}>")
        if source.title:
            yield _line(reference, PR + "P1476", literal(source.title))
    for url in triple.references:
        if url == source.url and source.text_id is not None:
            continue
        reference = f"<{REFERENCE}{_hash(url)}>"
        yield _line(node, PROV + "wasDerivedFrom", reference)
        yield _line(reference, PR + "P854", f"<{_in_iri(url)}>")


def _content(triple: Triple) -> str:
    """What makes a statement: facts with the same content from two texts are one statement with two references."""
    parts = [triple.subject.id, triple.relation.id, _shown(triple.object), triple.rank]
    parts += sorted(f"{qualifier.relation.id}={_shown(qualifier.value)}" for qualifier in triple.qualifiers)
    return "\x1f".join(parts)


def _shown(value: Value) -> str:
    return (
        value.model_dump_json(exclude={"label", "description", "url"})
        if not isinstance(value, Quantity)
        else (f"{value.amount:f} {value.unit.id if value.unit else ''}")
    )


def _term(value: Value, content: str) -> str:
    match value:
        case Entity(id=identifier):
            return f"<{entity_iri(identifier)}>"
        case Time():
            return f'"{date_time(value)}"^^<{XSD}dateTime>'
        case Quantity(amount=amount):
            return f'"{amount:+f}"^^<{XSD}decimal>'
        case Text(value=text, language=language):
            return literal(text, language)
        case Missing():
            return f"<{UNKNOWN}{_hash(content)}>"


def literal(text: str, language: str | None = None) -> str:
    """A string as an N-Triples term. What no string of RDF can hold (half a surrogate pair) becomes U+FFFD."""
    escaped = _ESCAPED.sub(_escape, text)
    tag = f"@{language}" if language and _LANGUAGE.fullmatch(language) else ""
    return f'"{escaped}"{tag}'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if "\ud800" <= character <= "\udfff":
        return "\ufffd"
    return _ESCAPES.get(character) or f"\\u{ord(character):04X}"


def _in_iri(text: str) -> str:
    return _NOT_IN_IRI.sub(lambda match: quote(match[0], safe=""), text.encode("utf-8", "replace").decode())


def _line(subject: str, predicate: str, term: str) -> bytes:
    return f"{subject} <{predicate}> {term} .\n".encode()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:20]
