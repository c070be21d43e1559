"""The part of a knowledge graph that multi-hop claims are made from, in memory: who has what, and how surely.

Only relations that ``phrases`` can say are read. A value counts as *the* value of its subject where no other is stated,
of whatever rank, and it has no end.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wkgfc.evaluate.phrases import PHRASES, Kind, Phrase
from wkgfc.evidence import Entity, Time
from wkgfc.kg.links import Links
from wkgfc.kg.names import MATCH_ALIAS_FOLDED, Names
from wkgfc.kg.store import NAMES

Value = str | Time  # an entity's id, or a time

_WITHIN = ("P131", "P17", "P30", "P276", "P361", "P279", "P706")  # from a thing to what it lies in, or is a kind of
_OF_PEOPLE = ("P569", "P570", "P19", "P20", "P21", "P106")  # only people have them
_HUMAN = "Q5"
_EXACT_INVERSES = {"P36": ("P1376",), "P184": ("P185",), "P127": ("P1830",), "P749": ("P355",)}  # one says as much
_PLACES = ("P19", "P20", "P36", "P119", "P131", "P159", "P740")  # what they lead to is a place
_OF_WORKS = ("P57", "P50", "P86", "P58", "P170", "P449", "P577")  # only works have them
_HAPPENS = ("P585", "P580", "P582")  # what has them is an event
_UNITS = {
    "state", "province", "county", "department", "region", "oblast", "canton", "prefecture", "voivodeship", "territory",
}  # fmt: skip
_NUMBER = re.compile(r"\bNo\.? ?\d")  # "Symphony No. 9": there are many
_STEPS = 12  # how far a place is followed to what it lies in
_YEARS = range(1000, 2101)
_USUAL = 0.02  # of the subjects of a relation: the share of a class from which it is usual among them


@dataclass(frozen=True)
class Step:
    """A statement of a chain. ``backwards``: the chain goes from the object to the subject."""

    subject: str
    relation: str
    object: Value
    backwards: bool = False

    @property
    def phrase(self) -> Phrase:
        """How it is said."""
        return PHRASES[self.relation]


class Facts:
    """The statements, classes and names of one store."""

    def __init__(self, store: Path) -> None:
        """Read a store.

        Raises:
            NotConfigured: there is none, or it is damaged.
        """
        links = Links(store)
        self._names = Names(store / NAMES)
        self._stated: dict[str, dict[str, list[Value]]] = {}
        self._inverse: dict[str, dict[str, list[str]]] = {}
        ended: set[tuple[str, str]] = set()
        inverse = {each for phrase in PHRASES.values() for each in phrase.inverse_relations}
        for relation in sorted(PHRASES.keys() | inverse):
            is_time = relation in PHRASES and PHRASES[relation].object == "time"
            read = links.times_of(relation) if is_time else links.of(relation)
            values: dict[str, dict[Value, None]] = defaultdict(dict)
            for link in read:
                values[link.subject][link.object] = None
                if link.has_ended:
                    ended.add((link.subject, relation))
            self._stated[relation] = {
                each: sorted(found, key=str) for each, found in sorted(values.items()) if each not in found
            }
            backwards: dict[str, list[str]] = defaultdict(list)
            for subject, found in self._stated[relation].items():
                for value in found:
                    if isinstance(value, str):
                        backwards[value].append(subject)
            self._inverse[relation] = backwards
        self._ended = ended
        self._classes = _values_of(links, "P31")
        self._within = _merged(_values_of(links, each) for each in _WITHIN)
        self._people = {each for each, kinds in self._classes.items() if _HUMAN in kinds}
        for relation in _OF_PEOPLE:
            known = self._stated.get(relation) or _values_of(links, relation)
            self._people.update(known)
        self._countries = set(self._inverse["P17"]) | set(self._inverse["P27"])
        self._places = {each for relation in _PLACES for each in self._inverse[relation]} | set(self._stated["P131"])
        self._places -= {each for relation in _HAPPENS for each in self._stated[relation]} | self._people
        self._works = {each for relation in _OF_WORKS for each in self._stated[relation]} | set(self._inverse["P85"])
        self._entities: dict[str, Entity] = {}
        self._is_clear: dict[str, bool] = {}
        self._usual = {relation: self._usual_classes(relation) for relation in PHRASES}

    def subjects(self, relation: str) -> Sequence[str]:
        """Who has a relation, in a fixed order."""
        return list(self._stated[relation])

    def objects(self, relation: str) -> Sequence[str]:
        """What a relation leads to, in a fixed order."""
        return sorted(self._inverse[relation])

    def values(self, subject: str, relation: str) -> Sequence[Value]:
        """All values that are stated, of any rank."""
        return self._stated[relation].get(subject, ())

    def bearers(self, value: str, relation: str) -> Sequence[str]:
        """The subjects that have a value."""
        return self._inverse[relation].get(value, ())

    def value(self, subject: str, relation: str) -> Value | None:
        """The value, where there is one that holds and no other. Times of one year are one, of that year."""
        values = self.values(subject, relation)
        if (subject, relation) in self._ended or not values:
            return None
        if isinstance(values[0], Time):
            return _time([each for each in values if isinstance(each, Time)])
        backwards = {each for other in _EXACT_INVERSES.get(relation, ()) for each in self.bearers(subject, other)}
        return values[0] if len(values) == 1 and backwards <= {values[0]} else None

    def says_nothing(self, subject: str, phrase: Phrase) -> bool:
        """Whether nothing is stated of a subject and a relation, nor the other way round."""
        if self.values(subject, phrase.relation):
            return False
        return not any(self.bearers(subject, each) or self.values(subject, each) for each in phrase.inverse_relations)

    def is_usual(self, subject: str, phrase: Phrase) -> bool:
        """Whether things of its class usually have the relation."""
        if phrase.subject == "person":
            return subject in self._people and bool(self._stated[phrase.relation])
        return bool(self._usual[phrase.relation].intersection(self._classes.get(subject, ())))

    def fits(self, entity: str, kind: Kind) -> bool:
        """Whether a thing is of a kind, as far as the graph says."""
        match kind:
            case "person":
                return entity in self._people
            case "country":
                return entity in self._countries
            case "place":
                return entity in self._places and entity not in self._countries
            case "work":
                return entity in self._works and entity not in self._people
            case "group":
                return not (entity in self._places or entity in self._countries or entity in self._people)
            case _:
                return entity not in self._people

    def has_capital(self, entity: str) -> bool:
        """Whether it is a country or a part of one, such as a state or a province."""
        if entity in self._countries:
            return True
        words = {word for label in self.class_labels(entity) for word in label.casefold().split()}
        return entity in self._places and bool(words & _UNITS)

    def entity(self, identifier: str) -> Entity | None:
        """A thing with its label."""
        if identifier not in self._entities:
            found = self._names.entities([identifier])
            self._entities[identifier] = found[0] if found else Entity(id=identifier, label="")
        entity = self._entities[identifier]
        return entity if entity.label else None

    def class_labels(self, identifier: str) -> list[str]:
        """The labels of what it is an instance of."""
        known = (self.entity(each) for each in self._classes.get(identifier, ()))
        return [each.label for each in known if each is not None]

    def is_clear(self, identifier: str) -> bool:
        """Whether its label says which thing is meant: no other has it as a label or alias, case and accents aside.

        Nor is it a word that begins small, a number, or a label with brackets or marks that a sentence cannot hold.
        """
        known = self._is_clear.get(identifier)
        if known is None:
            known = self._is_clear[identifier] = self._has_clear_label(identifier)
        return known

    def _has_clear_label(self, identifier: str) -> bool:
        entity = self.entity(identifier)
        if entity is None:
            return False
        label = entity.label
        if not 3 <= len(label) <= 60 or not label[0].isupper() or any(sign in label for sign in '()[]{}?!;:"“”/|,…'):
            return False
        if (
            label.isdigit()
            or _NUMBER.search(label)
            or label.endswith(".")
            or label.startswith(("List of", "History of"))
        ):
            return False
        met = self._names.candidates(label, 6)
        return [each.entity.id for each in met if each.match >= MATCH_ALIAS_FOLDED] == [identifier]

    def are_apart(self, one: Value, other: Value) -> bool:
        """Whether neither is, is a kind of, or lies in the other; for places, that they lie in different countries."""
        if isinstance(one, Time) or isinstance(other, Time):
            return one != other
        around, about = self._around(one), self._around(other)
        if one in about or other in around:
            return False
        labels = [entity.label.casefold() for each in (one, other) if (entity := self.entity(each))]
        return len(labels) == 2 and labels[0] not in labels[1] and labels[1] not in labels[0]

    def country(self, place: str) -> str | None:
        """The one country that a place is in."""
        value = self.value(place, "P17")
        return value if isinstance(value, str) else None

    def continent(self, country: str) -> str | None:
        """The one continent that a country is in."""
        value = self.value(country, "P30")
        return value if isinstance(value, str) else None

    def is_country(self, entity: str) -> bool:
        """Whether something is in it as in a country."""
        return entity in self._countries

    def _around(self, start: str) -> set[str]:
        """Everything that a thing lies in, or is a kind of."""
        found, frontier = {start}, [start]
        for _ in range(_STEPS):
            frontier = [each for inner in frontier for each in self._within.get(inner, ()) if each not in found]
            if not frontier:
                break
            found.update(frontier)
        return found

    def _usual_classes(self, relation: str) -> set[str]:
        subjects = self._stated[relation]
        counted = Counter(each for subject in subjects for each in self._classes.get(subject, ()))
        return {each for each, number in counted.items() if number >= max(3, _USUAL * len(subjects))}


def _time(values: Sequence[Time]) -> Time | None:
    years = {value.year for value in values if value.precision >= 9}
    if len(years) != 1 or any(value.precision < 9 for value in values) or not years <= set(_YEARS):
        return None
    if len(values) == 1 and values[0].precision >= 11:
        return values[0]
    return Time(value=f"{years.pop():04d}-00-00", precision=9)


def _values_of(links: Links, relation: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for link in links.of(relation):
        if isinstance(link.object, str):
            found[link.subject].add(link.object)
    return found


def _merged(tables: Iterable[dict[str, set[str]]]) -> dict[str, set[str]]:
    merged: dict[str, set[str]] = defaultdict(set)
    for table in tables:
        for subject, values in table.items():
            merged[subject] |= values
    return merged


def steps_of(chain: Sequence[Step]) -> Iterator[list[str | Time]]:
    """A chain as lists of subject, relation and object."""
    for step in chain:
        yield [step.subject, step.relation, step.object]
