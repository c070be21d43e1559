"""Walks through a knowledge graph: chains of statements, each the only one of its subject and relation."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from wkgfc.evaluate.chains import Facts, Step, Value
from wkgfc.evaluate.phrases import PHRASES, Phrase
from wkgfc.evidence import Time

Shape = Literal["nested", "returning", "relative", "joined"]

_LEAST = 5  # subjects of a relation that a claim may begin with


@dataclass(frozen=True)
class Path:
    """What a claim goes through, and what the graph has of it.

    ``nodes`` begin with what the claim names first; ``steps`` lead from each to the next, as the claim says it.
    ``odd`` is the hop that is wrong or missing, counted from one, ``how`` it came so (``object``, ``relation``,
    ``missing``), and ``known`` the statements that the graph has instead.
    """

    nodes: tuple[Value, ...]
    steps: tuple[Step, ...]
    odd: int | None = None
    how: str | None = None
    known: tuple[Step, ...] = ()


class Walker:
    """Walks chains of a number of statements through a graph, by chance."""

    def __init__(self, facts: Facts, chance: random.Random, hops: int) -> None:
        self.facts, self.chance, self.hops = facts, chance, hops
        self.subjects = {relation: list(facts.subjects(relation)) for relation in PHRASES}
        self.objects = {relation: list(facts.objects(relation)) for relation in PHRASES}

    def true(self, shape: Shape) -> Path | None:
        """A chain that the graph has; ``None`` where this walk leads to none."""
        start = self.start()
        return self.walk(shape, start, self.hops) if start else None

    def start(self) -> str | None:
        """Something that a claim can begin with."""
        relations = [each for each, subjects in self.subjects.items() if len(subjects) >= _LEAST]
        if not relations:
            return None
        relation = self.chance.choice(relations)
        start = self.chance.choice(self.subjects[relation])
        return start if self.is_subject(start, PHRASES[relation]) and self.facts.is_clear(start) else None

    def walk(self, shape: Shape, start: str, hops: int, begun: tuple[Step, ...] = ()) -> Path | None:
        """A path of ``hops`` statements from a thing, each the only one of its kind."""
        nodes: list[Value] = [start]
        steps = list(begun)
        for hop in range(len(begun), hops):
            at = nodes[-1]
            if not isinstance(at, str):
                return None
            is_last = hop == hops - 1
            is_return = is_last and shape == "returning"
            step = self.way_back(at) if is_return else self.onwards(shape, at, steps, is_last)
            if step is None:
                return None
            reached = step.subject if step.backwards else step.object
            if reached in nodes:
                return None
            if (is_last or shape == "joined") and isinstance(reached, str) and not self.facts.is_clear(reached):
                return None
            nodes.append(reached)
            steps.append(step)
        return Path(tuple(nodes), tuple(steps))

    def onwards(self, shape: Shape, at: str, before: Sequence[Step], is_last: bool) -> Step | None:
        """A statement of ``at`` that is its only one of the relation, which no step before has."""
        said = {step.relation for step in before}
        found = [
            (phrase, value)
            for phrase in PHRASES.values()
            if phrase.relation not in said
            and (not before or self.goes_on(before[-1].phrase, phrase))
            and self.can_say(shape, phrase, len(before), is_last)
            and (value := self.facts.value(at, phrase.relation)) is not None
            and self.fits(at, phrase, value)
        ]
        if not found:
            return None
        phrase, value = self.chance.choice(found)
        return Step(at, phrase.relation, value)

    def goes_on(self, before: Phrase, phrase: Phrase) -> bool:
        """Whether what one relation leads to is of the kind that another begins with."""
        return phrase.subject == before.object or (phrase.relation == "P36" and before.object == "place")

    def way_back(self, at: str) -> Step | None:
        """A statement that has ``at`` for its object, and no other object."""
        found = [
            (phrase, bearer)
            for phrase in PHRASES.values()
            if phrase.inverse and phrase.exact
            for bearer in self.facts.bearers(at, phrase.relation)
            if self.facts.value(bearer, phrase.relation) == at and self.fits(bearer, phrase, at)
        ]
        if not found:
            return None
        phrase, bearer = self.chance.choice(found)
        return Step(bearer, phrase.relation, at, backwards=True)

    def can_say(self, shape: Shape, phrase: Phrase, hop: int, is_last: bool) -> bool:
        """Whether a relation can stand at a hop of a shape. The last one can be wrong, whatever the label is."""
        if is_last:
            return phrase.exact and (hop > 0 or phrase.says is not None)
        if phrase.object == "time":
            return False
        if shape in {"nested", "returning"}:
            return phrase.is_description
        return phrase.says is not None or (hop > 0 and phrase.noun is not None)

    def fits(self, at: str, phrase: Phrase, value: Value) -> bool:
        """Whether both ends of a statement are of the kinds that its phrase speaks of."""
        return self.is_subject(at, phrase) and (isinstance(value, Time) or self.facts.fits(value, phrase.object))

    def is_subject(self, at: str, phrase: Phrase) -> bool:
        """Whether a thing is of the kind that has a relation."""
        return self.facts.has_capital(at) if phrase.relation == "P36" else self.facts.fits(at, phrase.subject)
