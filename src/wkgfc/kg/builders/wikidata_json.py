"""Wikidata's JSON dump, read entity by entity.

Source: https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from wkgfc.evidence import Entity, Missing, Qualifier, Quantity, Rank, Relation, Source, Text, Time, Triple, Value
from wkgfc.kg.builders.writing import StoreWriter, write_triple
from wkgfc.kg.values import amount_of
from wkgfc.kg.vocabulary import OWL, WD, entity_id, entity_iri, is_entity_id, is_property_id


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
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
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
        names, statements = list(self._names(entity)), list(_statements(identifier, entity))
        for add, text, language in names:  # all are read before any is written
            add(identifier, text, language)
        for triple, is_best in statements:
            write_triple(self._writer, triple, is_best=is_best)

    def _names(self, entity: dict[str, Any]) -> Iterator[tuple[Callable[[str, str, str], None], str, str]]:
        """What an item is called, each text with what takes it and its language."""
        labels, descriptions = entity.get("labels") or {}, entity.get("descriptions") or {}
        for language in self._writer.languages:
            if language in labels:
                yield self._writer.add_label, _text(labels[language]), language
            if language in descriptions:
                yield self._writer.add_description, _text(descriptions[language]), language
            for alias in (entity.get("aliases") or {}).get(language, ()):
                yield self._writer.add_alias, _text(alias), language

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


def _text(told: dict[str, Any]) -> str:
    text: str = told["value"]
    text.encode()  # half a surrogate pair is no text
    return text


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
            amount = amount_of(str(value["amount"]))
            if amount is None:
                return Text(value=str(value["amount"]))
            return Quantity(amount=amount, unit=Entity(id=unit, label=unit) if unit else None)
        case "monolingualtext":
            return Text(value=value["text"], language=value["language"])
        case "globecoordinate":
            return Text(value=f"Point({value['longitude']} {value['latitude']})")  # as in RDF
        case _:
            return Text(value=str(value))


def _json_time(value: dict[str, Any]) -> Time | Text:
    match = re.fullmatch(r"([+-])0*([0-9]{1,16})-(0[0-9]|1[0-2])-([0-2][0-9]|3[01])T[0-9:]*Z?", value["time"], re.ASCII)
    if match is None or not int(match[2]) or not 0 <= value["precision"] <= 14:  # there was no year 0
        return Text(value=str(value["time"]))
    return Time(
        value=f"{match[1].strip('+')}{int(match[2]):04d}-{match[3]}-{match[4]}",
        precision=value["precision"],
        calendar="julian" if str(value.get("calendarmodel")).endswith("/Q1985786") else "gregorian",
    )


def _camel_case(datatype: str | None) -> str | None:
    """``wikibase-item`` as RDF has it: ``WikibaseItem``."""
    return "".join(part[:1].upper() + part[1:] for part in datatype.split("-")) if datatype else None
