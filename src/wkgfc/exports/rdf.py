"""The evidence graph as N-Triples in Wikidata's vocabulary: statements with ranks, qualifiers and references.

Source: https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format
"""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

from wkgfc.claim import visible_text
from wkgfc.errors import BadInput
from wkgfc.evidence import Entity, EvidenceRecord, Passage, Quantity, Rank, Relation, Triple, Value
from wkgfc.exports.links import web_address
from wkgfc.exports.network import graph_of
from wkgfc.kg.builders.n_triples import literal, relation_lines, statement_lines
from wkgfc.kg.builders.records import LOCAL_PREFIX
from wkgfc.kg.terms import is_iri
from wkgfc.kg.vocabulary import RDFS, SCHEMA, TEXT, entity_iri, is_entity_id, is_property_id

if TYPE_CHECKING:
    from wkgfc.result import CheckResult


def n_triples(result: "CheckResult") -> str:
    """The evidence graph as N-Triples, each line once.

    Items and properties of Wikidata have Wikidata's IRIs, those of other graphs their own; what has neither gets one
    under ``urn:wkgfc:``. Names are in English where the claim is; else they have no language. The direct link
    (``wdt:``) is written for the best-ranked statements *of this evidence*.
    Statements of graphs that are plain RDF are plain triples. A passage is a ``urn:wkgfc-text:`` with its
    ``schema:text``, address and title; it is the reference of the statements that were read from it.

    Raises:
        BadInput: the result has no evidence graph, or a value in it is none that RDF can hold.
    """
    import pyoxigraph  # noqa: PLC0415 - where it is used

    language = "en" if result.claim.language.lower().startswith("en") else None
    lines = b"".join(dict.fromkeys(_lines(graph_of(result), language)))
    try:
        quads = list(pyoxigraph.parse(lines, format=pyoxigraph.RdfFormat.N_TRIPLES))
    except SyntaxError as error:
        raise BadInput(f"the evidence graph cannot be written as RDF: {error}") from error
    written = io.BytesIO()
    pyoxigraph.serialize((quad.triple for quad in quads), written, pyoxigraph.RdfFormat.N_TRIPLES)
    return written.getvalue().decode()


def _lines(graph: EvidenceRecord, language: str | None) -> Iterator[bytes]:
    texts = {
        each.id: f"{TEXT}{each.content.content_hash[:20]}"
        for each in graph.evidence
        if isinstance(each.content, Passage)
    }
    preferred = {
        (each.content.subject.id, each.content.relation.id)
        for each in graph.evidence
        if isinstance(each.content, Triple) and each.content.rank is Rank.PREFERRED
    }
    for each in graph.evidence:
        if isinstance(each.content, Passage):
            yield from _passage_lines(texts[each.id], each.content)
            continue
        triple = each.content
        wanted = Rank.PREFERRED if (triple.subject.id, triple.relation.id) in preferred else Rank.NORMAL
        if each.from_passage in texts and triple.source.text_id is None:
            source = triple.source.model_copy(update={"text_id": texts[each.from_passage].removeprefix(TEXT)})
            triple = triple.model_copy(update={"source": source})
        try:
            yield from _triple_lines(triple, language, is_best=triple.rank is wanted)
        except (ValueError, IndexError) as error:
            raise BadInput(f"the evidence {each.id} cannot be written as RDF: {error}") from error
    for annotation in graph.annotations:
        if annotation.passage_id in texts:
            yield _line(texts[annotation.passage_id], SCHEMA + "about", f"<{_iri_of(annotation.entity)}>")


def _triple_lines(triple: Triple, language: str | None, *, is_best: bool) -> Iterator[bytes]:
    for value in (triple.subject, triple.object, *(qualifier.value for qualifier in triple.qualifiers)):
        named = value.unit if isinstance(value, Quantity) else value
        if isinstance(named, Entity) and named.label and named.label != named.id:
            yield _line(_iri_of(named), RDFS + "label", literal(visible_text(named.label), language))
    relations = (triple.relation, *(qualifier.relation for qualifier in triple.qualifiers))
    if all(is_property_id(relation.id) for relation in relations):
        for relation in relations:
            yield from relation_lines(relation, language)
        stated = triple.model_copy(
            update={
                "subject": _local(triple.subject),
                "object": _local(triple.object),
                "qualifiers": tuple(
                    qualifier.model_copy(update={"value": _local(qualifier.value)}) for qualifier in triple.qualifiers
                ),
            }
        )
        if all(is_entity_id(each.id) for each in (stated.subject, stated.object) if isinstance(each, Entity)):
            yield from statement_lines(stated, is_best=is_best)
            return
    predicate = _iri_of_relation(triple.relation)
    match triple.object:
        case Entity() as entity:
            term = f"<{_iri_of(entity)}>"
        case value:
            term = literal(_plain(value))
    yield _line(_iri_of(triple.subject), predicate, term)


def _passage_lines(node: str, passage: Passage) -> Iterator[bytes]:
    yield _line(node, SCHEMA + "text", literal(passage.text))
    if passage.title:
        yield _line(node, SCHEMA + "name", literal(passage.title))
    address = web_address(passage.url)
    if address:
        yield _line(node, SCHEMA + "url", f"<{address}>")


def _local(value: Value) -> Value:
    """The value with an id that Wikidata's vocabulary has an IRI for; one that is an IRI itself stays."""
    match value:
        case Entity(id=identifier) if not is_entity_id(identifier) and not is_iri(identifier):
            return value.model_copy(
                update={"id": LOCAL_PREFIX + quote(identifier.encode("utf-8", "replace"), safe="")[:2000]}
            )
        case Quantity(unit=Entity() as unit):
            return value.model_copy(update={"unit": _local(unit)})
        case _:
            return value


def _iri_of(entity: Entity) -> str:
    named = _local(entity)
    assert isinstance(named, Entity)
    return named.id if is_iri(named.id) else entity_iri(named.id)


def _iri_of_relation(relation: Relation) -> str:
    return _iri_of(Entity(id=relation.id, label=relation.label))


def _plain(value: Value) -> str:
    match value:
        case Quantity(amount=amount):
            return f"{amount:f}"
        case Entity(id=identifier):
            return identifier
        case _:
            return value.value


def _line(subject: str, predicate: str, term: str) -> bytes:
    return f"<{subject}> <{predicate}> {term} .\n".encode()
