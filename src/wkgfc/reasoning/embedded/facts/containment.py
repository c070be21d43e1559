"""Whether what a statement names is the same as, within, or apart from what the claim names.

Honolulu is in Hawaii, an actor is an artist: another value is no contradiction where one holds the other. What holds
what is read from the evidence graph's own triples, and from descriptions ("city in Ohio, US").
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from wkgfc.evidence import Entity, Evidence, Triple
from wkgfc.reasoning.embedded.claims.reading import label_forms
from wkgfc.reasoning.embedded.lexicon.cues import pieces_of
from wkgfc.reasoning.embedded.lexicon.kinds import Character, Level, character_of

PLACE_RELATIONS = {"P131", "P17", "P30", "P361", "P276", "P706", "P206", "P3842", "P1376"}
CLASS_RELATIONS = {"P279", "P361", "P31"}
OWNER_RELATIONS = {"P361", "P749", "P127"}
WIDENING = PLACE_RELATIONS | CLASS_RELATIONS | OWNER_RELATIONS
MAX_HOPS = 3


class Comparison(StrEnum):
    """How a stated value relates to the claimed one."""

    SAME = "same"
    WITHIN = "within"  # the stated value lies within the claimed one, so that it bears the claim out
    AROUND = "around"  # the claimed one lies within the stated: neither borne out nor contradicted
    APART = "apart"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Compared:
    """The outcome, the evidence of what lies within what, and how sure it is, in [0, 1]."""

    outcome: Comparison
    evidence_ids: tuple[str, ...] = ()
    certainty: float = 1.0


class Surroundings:
    """What the evidence graph says of what lies within what."""

    def __init__(self, triples: Iterable[tuple[Evidence, Triple]]) -> None:
        self._wider: dict[str, list[tuple[str, str, Entity]]] = {}
        for evidence, triple in triples:
            if isinstance(triple.object, Entity) and triple.relation.id in WIDENING:
                step = (triple.relation.id, evidence.id, triple.object)
                self._wider.setdefault(triple.subject.id, []).append(step)
            elif isinstance(triple.object, Entity) and triple.relation.id in {"P150", "P36"}:
                step = ("P131", evidence.id, triple.subject)
                self._wider.setdefault(triple.object.id, []).append(step)

    def path(self, start: Entity, goal_id: str, relations: set[str] = WIDENING) -> tuple[str, ...] | None:
        """The evidence of the shortest way from ``start`` to what holds it, at most ``MAX_HOPS`` long."""
        frontier: list[tuple[Entity, tuple[str, ...]]] = [(start, ())]
        seen = {start.id}
        for _ in range(MAX_HOPS):
            reached: list[tuple[Entity, tuple[str, ...]]] = []
            for entity, way in frontier:
                for relation, evidence_id, wider in self._wider.get(entity.id, ()):
                    if relation not in relations or wider.id in seen:
                        continue
                    if wider.id == goal_id:
                        return (*way, evidence_id)
                    seen.add(wider.id)
                    reached.append((wider, (*way, evidence_id)))
            frontier = reached
        return None

    def holders(self, entity: Entity, relations: set[str]) -> list[tuple[Entity, tuple[str, ...]]]:
        """Everything that holds the entity, with the evidence of it, the nearest first."""
        found: list[tuple[Entity, tuple[str, ...]]] = []
        frontier: list[tuple[Entity, tuple[str, ...]]] = [(entity, ())]
        seen = {entity.id}
        for _ in range(MAX_HOPS):
            reached: list[tuple[Entity, tuple[str, ...]]] = []
            for inner, way in frontier:
                for relation, evidence_id, wider in self._wider.get(inner.id, ()):
                    if relation in relations and wider.id not in seen:
                        seen.add(wider.id)
                        reached.append((wider, (*way, evidence_id)))
            found += reached
            frontier = reached
        return found


def is_within_by_words(inner: Entity, outer: Entity) -> bool:
    """Whether the description of ``inner`` names ``outer``: "city in Hawaii" for Hawaii."""
    if not inner.description:
        return False
    pieces = [word.stem for word in pieces_of(inner.description)]
    return any(
        tuple(pieces[first : first + len(form)]) == form
        for form, score in label_forms(outer.label)
        for first in range(len(pieces) - len(form) + 1)
    )


def share_a_name(first: Entity, second: Entity) -> bool:
    """Whether the words of one label are all in the other: "Washington" and "Washington, D.C.", or the same name."""
    words = [{word.stem for word in pieces_of(entity.label)} for entity in (first, second)]
    return bool(words[0] and words[1]) and (words[0] <= words[1] or words[1] <= words[0])


def compare_entities(stated: Entity, claimed: Entity, kind: str, surroundings: Surroundings) -> Compared:
    """How the object of a statement relates to the entity that the claim names in its place.

    ``kind`` is the kind of object that the relation has (``Profile.object``).
    """
    if stated.id == claimed.id:
        return Compared(Comparison.SAME)
    relations = PLACE_RELATIONS if kind in {"place", "country", "continent"} else WIDENING
    if (way := surroundings.path(stated, claimed.id, relations)) is not None:
        return Compared(Comparison.WITHIN, way)
    if (way := surroundings.path(claimed, stated.id, relations)) is not None:
        return Compared(Comparison.AROUND, way)
    if stated.label.casefold() == claimed.label.casefold():
        return Compared(Comparison.UNKNOWN)
    if kind in {"place", "country", "continent"}:
        return _compare_places(stated, claimed, surroundings)
    if share_a_name(stated, claimed):
        return Compared(Comparison.UNKNOWN)
    if kind == "class":
        return _compare_classes(stated, claimed)
    return Compared(Comparison.APART, certainty=0.95)


def _compare_classes(stated: Entity, claimed: Entity) -> Compared:
    names = [[word.stem for word in pieces_of(entity.label)] for entity in (stated, claimed)]
    if len(names[0]) > 1 and len(names[1]) > 1 and names[0][-1] == names[1][-1]:
        return Compared(Comparison.APART, certainty=0.8)  # lung cancer and liver cancer
    said = [
        {word.stem for word in pieces_of(f"{entity.label} {entity.description or ''}") if len(word.stem) > 4}
        for entity in (stated, claimed)
    ]
    if said[1] & set(names[0]) or said[0] & set(names[1]):
        return Compared(Comparison.UNKNOWN)
    return Compared(Comparison.APART, certainty=0.85 if said[0] & said[1] else 0.9)


def _compare_places(stated: Entity, claimed: Entity, surroundings: Surroundings) -> Compared:
    if is_within_by_words(stated, claimed):
        return Compared(Comparison.WITHIN, certainty=0.9)
    if is_within_by_words(claimed, stated):
        return Compared(Comparison.AROUND)
    if share_a_name(stated, claimed):
        return Compared(Comparison.UNKNOWN)
    there, here = character_of(stated), character_of(claimed)
    if any(place.is_former and max(place.levels, default=Level.COUNTRY) >= Level.REGION for place in (there, here)):
        return Compared(Comparison.UNKNOWN)  # borders moved: what lies in Italy may have lain in the Papal States
    if there.levels & here.levels:
        return Compared(Comparison.APART, certainty=0.97)
    if (apart := _apart_by_holders(stated, there, claimed, here, surroundings)) is not None:
        return apart
    known = there.levels or here.levels
    if (there.levels and here.levels) or (known and max(known) >= Level.REGION):
        return Compared(Comparison.UNKNOWN)
    return Compared(Comparison.APART, certainty=0.7)


def _apart_by_holders(
    stated: Entity, there: Character, claimed: Entity, here: Character, surroundings: Surroundings
) -> Compared | None:
    """Apart, where what holds the smaller one is of the larger one's level and is another."""
    is_smaller = max(there.levels, default=Level.SITE) < max(here.levels, default=Level.SITE)
    smaller, larger, levels = (stated, claimed, here.levels) if is_smaller else (claimed, stated, there.levels)
    for holder, way in surroundings.holders(smaller, PLACE_RELATIONS):
        character = character_of(holder)
        if character.levels & levels and not character.is_former and not share_a_name(holder, larger):
            return Compared(Comparison.APART, way, certainty=0.9)
    return None
