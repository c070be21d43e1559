"""Triples from the rows that the triples queries answer, whoever answered them.

A statement arrives as rows, one for each of its properties (``wkgfc.kg.queries.triples``). Here they become a triple
with its object in full, qualifiers, rank and source.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from wkgfc.evidence import (
    Direction,
    Entity,
    Missing,
    Qualifier,
    Quantity,
    Rank,
    Relation,
    Source,
    Text,
    Time,
    Triple,
    Value,
    value_key,
)
from wkgfc.kg.queries import SPARE, Row
from wkgfc.kg.vocabulary import (
    NO_UNIT,
    NO_UNIT_ID,
    PQ,
    PQV,
    PR,
    PROV,
    PS,
    PSV,
    RDF,
    TEXT,
    WDNO,
    WIKIBASE,
    XSD,
    entity_id,
    is_property_id,
    property_id,
    time_of,
)


class Term(NamedTuple):
    """An RDF term. ``datatype`` is set for literals alone; a blank node has the value ``""``."""

    value: str
    datatype: str | None = None
    language: str | None = None


class Branch(NamedTuple):
    """A pair of an entity and a relation that was asked for."""

    entity_id: str
    relation_id: str
    direction: Direction


class Called(NamedTuple):
    """What ids are called. Ids without an entry are called by themselves."""

    entities: Mapping[str, Entity]
    relations: Mapping[str, Relation]
    page: Callable[[str], str | None]  # the address that shows an entity
    source: str  # the name of the graph


_RANKS = {
    WIKIBASE + "PreferredRank": Rank.PREFERRED,
    WIKIBASE + "NormalRank": Rank.NORMAL,
    WIKIBASE + "DeprecatedRank": Rank.DEPRECATED,
}
_RANK_ORDER = {Rank.PREFERRED: 0, Rank.NORMAL: 1, Rank.DEPRECATED: 2}
_NUMBERS = {XSD + name for name in ("decimal", "integer", "double", "float", "int", "long")}
_ADDRESSES = (PR + "P854", PR + "P4656", PR + "P248")  # reference URL, Wikimedia import URL, stated in
_TITLE = PR + "P1476"
_UNKNOWN = "/.well-known/genid/"
_PRECISION = re.compile("[0-9]{1,2}", re.ASCII)
MAX_MAGNITUDE = 120  # of a number, as a power of ten: what is beyond it (1e999999999) cannot be written out
_MOMENTS = ("P585", "P580")  # point in time, start time
_END = "P582"


@dataclass
class _Statement:
    subject: Term | None
    properties: dict[str, list[Term]] = field(default_factory=dict)


@dataclass
class _Answer:
    """What was answered for one branch."""

    statements: dict[str, _Statement] = field(default_factory=dict)
    direct: list[tuple[Term | None, Term | None]] = field(default_factory=list)
    count: int = 0


class StatementRows:
    """The rows of one triples query, by branch: its number, or the relation's id where there are no numbers."""

    def __init__(self, rows: Iterable[Sequence[Term | None]]) -> None:
        """``rows`` have the columns ``queries.TRIPLE_COLUMNS``."""
        self._answers: dict[int | str, _Answer] = {}
        self._details: dict[str, dict[str, list[Term]]] = {}
        self._seen: set[str] = set()
        for row, number, subject, relation, object_, statement, predicate, value, detail, part, count in rows:
            key: int | str | None = int(number.value) if number else property_id(relation.value) if relation else 0
            if row is None or key is None:
                continue
            answer = self._answers.setdefault(key, _Answer())
            self._see(subject, object_, value, part)
            if statement and predicate and value:
                node = answer.statements.setdefault(statement.value, _Statement(subject))
                values = node.properties.setdefault(predicate.value, [])
                if value not in values:
                    values.append(value)
                if detail and part:
                    parts = self._details.setdefault(value.value, {}).setdefault(detail.value, [])
                    if part not in parts:
                        parts.append(part)
            if int(row.value) == Row.DIRECT:
                answer.direct.append((subject, object_))
            elif count:
                answer.count = max(answer.count, int(count.value))

    @property
    def branches(self) -> tuple[int | str, ...]:
        """The branches that something was answered for."""
        return tuple(self._answers)

    def entity_ids(self) -> set[str]:
        """All items and properties that the rows name."""
        return {identifier for iri in self._seen if (identifier := entity_id(iri)) is not None}

    def relation_ids(self) -> set[str]:
        """All properties that qualifiers have."""
        properties = {
            iri
            for answer in self._answers.values()
            for statement in answer.statements.values()
            for iri in (*statement.properties, *(term.value for term in statement.properties.get(RDF + "type", ())))
        }
        names = {iri.rpartition("/")[2] for iri in properties if iri.startswith((PQ, WDNO))}
        return {name for name in names if is_property_id(name)}

    def triples(
        self, branches: Mapping[int | str, Branch], limit: int, names: Called, towards: Iterable[str] = ()
    ) -> list[Triple]:
        """The triples of the branches, at most ``limit`` of each.

        Those that lead to one of ``towards`` come first, then the preferred, then the newest.

        ``Triple.count`` is the number of different ends. Deprecated statements are left out.
        """
        triples: list[Triple] = []
        wanted = frozenset(towards)
        for key, branch in branches.items():
            answer = self._answers.get(key)
            if answer is None:
                continue
            ends = [
                (triple.subject.id if branch.direction == "in" else value_key(triple.object), triple)
                for triple in self._of_branch(answer, branch, names)
            ]
            total = max(len({end for end, _ in ends}), answer.count)
            if branch.direction == "in":
                # Cut as the query for one relation cuts them, so that both ways of asking bring the same.
                leading = [pair for pair in ends if pair[0] in wanted]
                others = (pair for pair in ends if pair[0] not in wanted)
                ends = leading + list(islice(others, max(0, limit + SPARE - len(leading))))
            ends.sort(key=lambda pair: (pair[0] not in wanted, _precedence(pair[1])))
            ordered = [triple for _, triple in ends]
            triples.extend(triple.model_copy(update={"count": total}) for triple in ordered[:limit])
        return list({(triple.key, triple.rank): triple for triple in triples}.values())

    def ranked(
        self, relation_id: str, descending: bool, names: Called, factors: Mapping[str, float] | None = None
    ) -> list[Triple]:
        """The triples of a ranking, first one first; ``Triple.count`` is how many were compared.

        ``factors`` are those that the ranking was asked with.
        """
        triples: dict[str, Triple] = {}
        answer = self._answers.get(0, _Answer())
        for subject, object_ in answer.direct:
            subject_id = entity_id(subject.value) if subject else None
            if subject_id is None or object_ is None or subject_id in triples:
                continue
            branch = Branch(subject_id, relation_id, "out")
            of_subject = (each for each in answer.statements.values() if each.subject == subject)
            readable = (self._triple(statement, branch, names) for statement in of_subject)
            stated = [
                each
                for each in readable
                if each and each.rank is not Rank.DEPRECATED and _size(each.object, factors) is not None
            ]
            stated.sort(key=_precedence)
            if stated:
                best = max if descending else min  # of equal ones both take the first
                triple: Triple | None = best(stated, key=lambda each: _size(each.object, factors) or _LEAST)
            else:
                triple = self._direct(branch, None, object_, names)
            if triple is not None:
                triples[subject_id] = triple.model_copy(update={"count": answer.count})
        return sorted(triples.values(), key=lambda triple: _size(triple.object, factors) or _LEAST, reverse=descending)

    def _see(self, *terms: Term | None) -> None:
        self._seen.update(term.value for term in terms if term is not None and term.datatype is None)

    def _of_branch(self, answer: _Answer, branch: Branch, names: Called) -> list[Triple]:
        triples: list[Triple] = []
        stated: set[str] = set()
        for statement in answer.statements.values():
            triple = self._triple(statement, branch, names)
            if triple is None or triple.rank is Rank.DEPRECATED:
                continue
            triples.append(triple)
            stated.update(_plain(term) for term in statement.properties.get(PS + branch.relation_id, ()))
            if branch.direction == "in" and statement.subject is not None:
                stated.add(_plain(statement.subject))
        for subject, object_ in answer.direct:
            far_end = object_ if branch.direction == "out" else subject
            if far_end is None or _plain(far_end) in stated:
                continue
            stated.add(_plain(far_end))
            triple = self._direct(branch, subject, object_, names)
            if triple is not None:
                triples.append(triple)
        return triples

    def _triple(self, statement: _Statement, branch: Branch, names: Called) -> Triple | None:
        subject_id = branch.entity_id
        if branch.direction == "in":
            subject_id = entity_id(statement.subject.value) if statement.subject else None  # type: ignore[assignment]
        if subject_id is None:
            return None
        value = self._object(statement, branch.relation_id, names)
        rank = next((_RANKS[term.value] for term in statement.properties.get(WIKIBASE + "rank", ())
                     if term.value in _RANKS), Rank.NORMAL)  # fmt: skip
        if value is None:
            return None
        references = statement.properties.get(PROV + "wasDerivedFrom", ())
        return Triple(
            subject=_entity(subject_id, names),
            relation=_relation(branch.relation_id, names),
            object=value,
            qualifiers=tuple(self._qualifiers(statement, branch.relation_id, names)),
            rank=rank,
            source=self._source(subject_id, references, names),
            references=tuple(
                dict.fromkeys(
                    term.value
                    for reference in references
                    for name in _ADDRESSES
                    for term in self._details.get(reference.value, {}).get(name, ())
                )
            ),
        )

    def _direct(self, branch: Branch, subject: Term | None, object_: Term | None, names: Called) -> Triple | None:
        """A triple of a direct link that no statement stands behind: it has no qualifiers and no rank of its own."""
        if branch.direction == "in":
            subject_id = entity_id(subject.value) if subject else None
            value: Value | None = _entity(branch.entity_id, names)
        else:
            subject_id = branch.entity_id
            value = self._value(object_, None, names) if object_ else None
        if subject_id is None or value is None:
            return None
        return Triple(
            subject=_entity(subject_id, names),
            relation=_relation(branch.relation_id, names),
            object=value,
            source=Source(name=names.source, url=names.page(subject_id)),
        )

    def _object(self, statement: _Statement, relation_id: str, names: Called) -> Value | None:
        terms = statement.properties.get(PS + relation_id)
        if terms:
            return self._value(terms[0], statement.properties.get(PSV + relation_id), names)
        if any(term.value == WDNO + relation_id for term in statement.properties.get(RDF + "type", ())):
            return Missing(value="none")
        return None

    def _qualifiers(self, statement: _Statement, relation_id: str, names: Called) -> Iterable[Qualifier]:
        found: list[Qualifier] = []
        for predicate, terms in statement.properties.items():
            name = predicate[len(PQ) :]
            if not (predicate.startswith(PQ) and is_property_id(name)):
                continue
            nodes = statement.properties.get(PQV + name)
            values = (self._value(term, nodes, names) for term in terms)
            found.extend(Qualifier(relation=_relation(name, names), value=value) for value in values if value)
        for term in statement.properties.get(RDF + "type", ()):
            name = term.value.removeprefix(WDNO)
            if term.value.startswith(WDNO) and name != relation_id and is_property_id(name):
                found.append(Qualifier(relation=_relation(name, names), value=Missing(value="none")))
        return sorted(found, key=lambda each: (int(each.relation.id[1:]), value_key(each.value)))

    def _value(self, term: Term, nodes: Sequence[Term] | None, names: Called) -> Value | None:
        """The value of a term; ``nodes`` are the full values among which its own is."""
        if term.datatype is None:
            identifier = entity_id(term.value)
            if identifier is not None:
                return _entity(identifier, names)
            if not term.value or _UNKNOWN in term.value:
                return Missing(value="unknown")
            return Text(value=unquote(term.value) if "/Special:FilePath/" in term.value else term.value)
        if term.datatype == XSD + "dateTime":
            full = self._full(term, nodes, WIKIBASE + "timeValue")
            precision = _first(full, WIKIBASE + "timePrecision")
            calendar = _first(full, WIKIBASE + "timeCalendarModel")
            time = time_of(
                term.value, int(precision) if precision and _PRECISION.fullmatch(precision) else None, calendar
            )
            return time or Text(value=term.value)
        if term.datatype in _NUMBERS:
            try:
                amount = Decimal(term.value)
            except InvalidOperation:
                return Text(value=term.value)
            if not amount.is_finite() or abs(amount.adjusted()) > MAX_MAGNITUDE:
                return Text(value=term.value)
            unit = _first(self._full(term, nodes, WIKIBASE + "quantityAmount"), WIKIBASE + "quantityUnit")
            unit_id = entity_id(unit) if unit and unit != NO_UNIT else None
            return Quantity(amount=amount, unit=_entity(unit_id, names) if unit_id else None)
        return Text(value=term.value, language=term.language or None)

    def _full(self, term: Term, nodes: Sequence[Term] | None, key: str) -> Mapping[str, list[Term]]:
        candidates = [self._details.get(node.value, {}) for node in nodes or ()]
        if len(candidates) == 1:
            return candidates[0]
        return next((each for each in candidates if any(part.value == term.value for part in each.get(key, ()))), {})

    def _source(self, subject_id: str, references: Sequence[Term], names: Called) -> Source:
        """The text that a fact was read from, where the statement names one; the entity's page otherwise."""
        texts = sorted(reference.value for reference in references if reference.value.startswith(TEXT))
        if not texts:
            return Source(name=names.source, url=names.page(subject_id))
        details = self._details.get(texts[0], {})
        return Source(
            name=names.source,
            url=_first(details, PR + "P854") or names.page(subject_id),
            text_id=unquote(texts[0][len(TEXT) :]),
            title=_first(details, _TITLE),
        )


def _precedence(triple: Triple) -> tuple[object, ...]:
    """The order in which statements of one relation come: preferred, lasting, newest; then by what they say."""
    moments = [
        qualifier.value.year
        for name in _MOMENTS
        for qualifier in triple.qualifiers
        if qualifier.relation.id == name and isinstance(qualifier.value, Time)
    ]
    has_ended = any(qualifier.relation.id == _END for qualifier in triple.qualifiers)
    return (
        _RANK_ORDER[triple.rank],
        has_ended,
        -max(moments, default=-(10**12)),
        triple.subject.id,
        value_key(triple.object),
        tuple((each.relation.id, value_key(each.value)) for each in triple.qualifiers),
    )


_LEAST = (Decimal("-Infinity"), 0)


def _size(value: Value, factors: Mapping[str, float] | None) -> tuple[Decimal, int] | None:
    """What values are compared by: an amount, in one unit where there are factors, or a year and a day of it."""
    match value:
        case Quantity(amount=amount, unit=unit):
            if not factors:
                return amount, 0
            factor = factors.get(unit.id if unit else NO_UNIT_ID)
            return None if factor is None else (amount * Decimal(factor), 0)
        case Time():
            return Decimal(value.year), (value.month or 0) * 100 + (value.day or 0)
        case _:
            return None


def _plain(term: Term) -> str:
    is_unknown = term.datatype is None and (not term.value or _UNKNOWN in term.value)
    return "unknown" if is_unknown else f"{term.datatype} {term.value}"


def _first(details: Mapping[str, Sequence[Term]], name: str) -> str | None:
    return next((term.value for term in details.get(name, ())), None)


def _entity(identifier: str, names: Called) -> Entity:
    return names.entities.get(identifier) or Entity(id=identifier, label=identifier, url=names.page(identifier))


def _relation(identifier: str, names: Called) -> Relation:
    return names.relations.get(identifier) or Relation(id=identifier, label=identifier)
