"""Triples from the rows that the triples queries answer, whoever answered them.

A statement arrives as rows, one for each of its properties (``wkgfc.kg.queries.triples``). Here they become a triple
with its object in full, qualifiers, rank and source.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

from wkgfc.evidence import (
    Direction,
    Entity,
    Missing,
    Qualifier,
    Rank,
    Source,
    Triple,
    Value,
    value_key,
)
from wkgfc.kg.graph import RelatedTriples
from wkgfc.kg.precedence import LEAST, precedence, size_of
from wkgfc.kg.queries import OUTGOING, SPARE, Row, place_of
from wkgfc.kg.values import Called, Term, entity_called, first_of, plain, relation_called, value_of
from wkgfc.kg.vocabulary import (
    PQ,
    PQV,
    PR,
    PROV,
    PS,
    PSV,
    RDF,
    TEXT,
    WDNO,
    WDT,
    WIKIBASE,
    entity_id,
    is_property_id,
    property_id,
)


class Branch(NamedTuple):
    """A pair of an entity and a relation that was asked for."""

    entity_id: str
    relation_id: str
    direction: Direction


_RANKS = {
    WIKIBASE + "PreferredRank": Rank.PREFERRED,
    WIKIBASE + "NormalRank": Rank.NORMAL,
    WIKIBASE + "DeprecatedRank": Rank.DEPRECATED,
}
_ADDRESSES = (PR + "P854", PR + "P4656", PR + "P248")  # reference URL, Wikimedia import URL, stated in
_TITLE = PR + "P1476"


@dataclass
class _Statement:
    subject: Term | None
    properties: dict[str, dict[Term, None]] = field(default_factory=dict)  # the terms in order, each once


@dataclass
class _Answer:
    """What was answered for one branch."""

    statements: dict[str, _Statement] = field(default_factory=dict)
    direct: list[tuple[Term | None, Term | None]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)  # by predicate; "" for what has none
    offer: int = 0


class StatementRows:
    """The rows of one triples query, by branch: its number, or the relation's id where there are no numbers."""

    def __init__(self, rows: Iterable[Sequence[Term | None]]) -> None:
        """``rows`` have the columns ``queries.TRIPLE_COLUMNS``."""
        self._answers: dict[int | str, _Answer] = {}
        self._details: dict[str, dict[str, dict[Term, None]]] = {}
        self._seen: set[str] = set()
        for row, number, subject, relation, object_, statement, predicate, value, detail, part, count in rows:
            named = relation or (None if statement else predicate)
            key: int | str | None = int(number.value) if number else property_id(named.value) if named else 0
            if row is None or key is None:
                continue
            answer = self._answers.setdefault(key, _Answer())
            self._see(subject, object_, value, part)
            if statement and predicate and value:
                node = answer.statements.setdefault(statement.value, _Statement(subject))
                node.properties.setdefault(predicate.value, {})[value] = None
                if detail and part:
                    self._details.setdefault(value.value, {}).setdefault(detail.value, {})[part] = None
            kind = int(row.value)
            if kind == Row.DIRECT:
                answer.direct.append((subject, object_))
            elif kind == Row.COUNT and count:
                answer.counts[predicate.value if predicate else ""] = int(count.value)
            elif kind == Row.OFFER and count:
                answer.offer = max(answer.offer, int(count.value))

    def entity_ids(self) -> set[str]:
        """All items and properties that the rows name."""
        return {identifier for iri in self._seen if (identifier := entity_id(iri)) is not None}

    def relation_ids(self) -> set[str]:
        """All properties that qualifiers have, and those that branches are called by."""
        properties = {
            iri
            for answer in self._answers.values()
            for statement in answer.statements.values()
            for iri in (*statement.properties, *(term.value for term in statement.properties.get(RDF + "type", ())))
        }
        names = {iri.rpartition("/")[2] for iri in properties if iri.startswith((PQ, WDNO))}
        return {name for name in names if is_property_id(name)} | {key for key in self._answers if isinstance(key, str)}

    def triples(
        self,
        branches: Mapping[int | str, Branch],
        limit: int,
        names: Called,
        towards: Iterable[str] = (),
    ) -> dict[Branch, list[Triple]]:
        """The triples of the branches, at most ``limit`` of each.

        Those that lead to one of ``towards`` come first, then the preferred, then the newest.

        ``Triple.count`` is the number of different ends. Deprecated statements are left out.
        """
        wanted = frozenset(towards)
        found: dict[Branch, list[Triple]] = {}
        for key, branch in branches.items():
            answer = self._answers.get(key)
            if answer is None:
                continue
            ends = [
                (triple.subject.id if branch.direction == "in" else value_key(triple.object), triple)
                for triple in self._of_branch(answer, branch, limit, names, wanted - {branch.entity_id})
            ]
            total = max(len({end for end, _ in ends}), answer.counts.get(WDT + branch.relation_id, 0))
            ends.sort(key=lambda pair: (pair[0] not in wanted, precedence(pair[1])))
            found[branch] = [triple.model_copy(update={"count": total}) for _, triple in ends[:limit]]
        return found

    def around(
        self, entity: Entity, direction: Direction, limit: int, names: Called, towards: Iterable[str] = ()
    ) -> list[RelatedTriples]:
        """The relations around an entity, with their triples as ``triples`` gives them."""
        relations = [key for key in self._answers if isinstance(key, str)]
        triples = self.triples({key: Branch(entity.id, key, direction) for key in relations}, limit, names, towards)
        return [
            RelatedTriples(
                entity=entity,
                relation=relation_called(branch.relation_id, names),
                direction=direction,
                count=self._answers[branch.relation_id].offer,
                triples=tuple(found),
            )
            for branch, found in triples.items()
        ]

    def ranked(
        self, relation_id: str, descending: bool, names: Called, factors: Mapping[str, float] | None = None
    ) -> list[Triple]:
        """The triples of a ranking, first one first; ``Triple.count`` is how many were compared.

        ``factors`` are those that the ranking was asked with.
        """
        triples: dict[str, Triple] = {}
        answer = self._answers.get(0, _Answer())
        of_subject: dict[Term | None, list[_Statement]] = {}
        for statement in answer.statements.values():
            of_subject.setdefault(statement.subject, []).append(statement)
        for subject, object_ in answer.direct:
            subject_id = entity_id(subject.value) if subject else None
            if subject_id is None or object_ is None or subject_id in triples:
                continue
            branch = Branch(subject_id, relation_id, "out")
            readable = (self._triple(statement, branch, names) for statement in of_subject.get(subject, ()))
            stated = [
                each
                for each in readable
                if each and each.rank is not Rank.DEPRECATED and size_of(each.object, factors) is not None
            ]
            stated.sort(key=precedence)
            if stated:
                best = max if descending else min  # of equal ones both take the first
                holding = [each for each in stated if each.rank is stated[0].rank]
                triple: Triple | None = best(holding, key=lambda each: size_of(each.object, factors) or LEAST)
            else:
                triple = self._direct(branch, None, object_, names)
            if triple is not None:
                triples[subject_id] = triple.model_copy(update={"count": answer.counts.get("", 0)})
        return sorted(triples.values(), key=lambda triple: size_of(triple.object, factors) or LEAST, reverse=descending)

    def _see(self, *terms: Term | None) -> None:
        self._seen.update(term.value for term in terms if term is not None and term.datatype is None)

    def _of_branch(
        self, answer: _Answer, branch: Branch, limit: int, names: Called, wanted: Collection[str]
    ) -> Iterator[Triple]:
        """The triples of a branch: of many the same ones, whatever else was asked with them.

        A direct link tells something where no statement says the same. Nobody knows that while there are more
        statements than were fetched; then such links count only from what is wanted, whose statements all are there.
        """
        is_incoming = branch.direction == "in"
        room = limit + SPARE if is_incoming else max(limit, OUTGOING)
        most = max(len(answer.statements), answer.counts.get(PS + branch.relation_id, 0))
        is_whole = most == len(answer.statements) < room
        leading: list[_Statement] = []
        others: list[_Statement] = []
        for iri in sorted(answer.statements, key=place_of):
            statement = answer.statements[iri]
            (leading if is_incoming and _is_among(statement.subject, wanted) else others).append(statement)
        stated: set[str] = set()
        for statement in [*leading, *others[: max(0, room - len(leading))]]:
            triple = self._triple(statement, branch, names)
            if triple is None or triple.rank is Rank.DEPRECATED:
                continue
            yield triple
            ends = [statement.subject] if is_incoming else statement.properties.get(PS + branch.relation_id, ())
            stated.update(plain(end) for end in ends if end is not None)
        links = (
            sorted(answer.direct, key=lambda link: place_of(link[0].value if link[0] else ""))
            if is_incoming
            else answer.direct
        )
        for subject, object_ in links:
            far_end = subject if is_incoming else object_
            if far_end is None or plain(far_end) in stated:
                continue
            if not (is_incoming and _is_among(subject, wanted)):
                if not is_whole or room < 1:
                    continue
                room -= 1
            stated.add(plain(far_end))
            triple = self._direct(branch, subject, object_, names)
            if triple is not None:
                yield triple

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
            subject=entity_called(subject_id, names),
            relation=relation_called(branch.relation_id, names),
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
            value: Value | None = entity_called(branch.entity_id, names)
        else:
            subject_id = branch.entity_id
            value = value_of(object_, None, self._details, names) if object_ else None
        if subject_id is None or value is None:
            return None
        return Triple(
            subject=entity_called(subject_id, names),
            relation=relation_called(branch.relation_id, names),
            object=value,
            source=Source(name=names.source, url=names.page(subject_id)),
        )

    def _object(self, statement: _Statement, relation_id: str, names: Called) -> Value | None:
        terms = statement.properties.get(PS + relation_id)
        if terms:
            return value_of(next(iter(terms)), statement.properties.get(PSV + relation_id), self._details, names)
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
            values = (value_of(term, nodes, self._details, names) for term in terms)
            found.extend(Qualifier(relation=relation_called(name, names), value=value) for value in values if value)
        for term in statement.properties.get(RDF + "type", ()):
            name = term.value.removeprefix(WDNO)
            if term.value.startswith(WDNO) and name != relation_id and is_property_id(name):
                found.append(Qualifier(relation=relation_called(name, names), value=Missing(value="none")))
        return sorted(found, key=lambda each: (int(each.relation.id[1:]), value_key(each.value)))

    def _source(self, subject_id: str, references: Iterable[Term], names: Called) -> Source:
        """The text that a fact was read from, where the statement names one; the entity's page otherwise."""
        texts = sorted(reference.value for reference in references if reference.value.startswith(TEXT))
        if not texts:
            return Source(name=names.source, url=names.page(subject_id))
        details = self._details.get(texts[0], {})
        return Source(
            name=names.source,
            url=first_of(details, PR + "P854") or names.page(subject_id),
            text_id=unquote(texts[0][len(TEXT) :]),
            title=first_of(details, _TITLE),
        )


def _is_among(subject: Term | None, ids: Collection[str]) -> bool:
    return subject is not None and entity_id(subject.value) in ids
