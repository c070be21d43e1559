"""Multi-hop claims from a knowledge graph: two to four hops, true, wrong at one hop, or not to be decided.

HOVER's claims need several pages of Wikipedia; these need several statements. A chain of statements is walked in the
graph, each the only one of its subject and relation, and said in one sentence of one of four shapes:

* ``nested``: "The birthplace of the director of X is in Y."
* ``returning``: "The director of X composed the music of Y": the last hop goes backwards.
* ``relative``: "X was directed by someone who was born in a place that is in Y."
* ``joined``: "X was directed by A, who was born in B, which is in Y": all are named.

SUPPORTS: the graph has the whole chain. REFUTES: it has another value at the wrong hop, of a relation that has one
value, and the claimed one is apart from it (``Facts.are_apart``; places lie in other countries, countries on other
continents); or, nested, a relation is exchanged, so that the value is true of another path ("the composer" for "the
director"). NOT ENOUGH INFO: of one hop nothing is stated, forwards or backwards, of a thing of a class that usually has
the relation. Only things whose label says which they are, are named (``Facts.is_clear``). All of it is relative to
the graph: what is not to be decided here may be known elsewhere.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from wkgfc.datasets import LabelledClaim
from wkgfc.evaluate.chains import Facts, Step, Value
from wkgfc.evaluate.phrases import PHRASES, SOME, Kind, Phrase, named, sentence, when
from wkgfc.evidence import Time, value_key

Shape = Literal["nested", "returning", "relative", "joined"]
Label = Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]

SHAPES: tuple[Shape, ...] = ("nested", "returning", "relative", "joined")
LABELS: tuple[Label, ...] = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
HOPS = (2, 3, 4)

_TRIES = 400  # walks for one claim before another shape is tried
_CANDIDATES = 40  # values that are tried for one that is wrong
_LEAST = 5  # subjects of a relation that a claim may begin with
_REUSED = 4  # claims of one label and number of hops that begin at one thing
_DIED = ("P20", "P119", "P570")  # relations that say of someone that they are dead


@dataclass(frozen=True)
class Path:
    """A chain with what is claimed of it.

    ``nodes`` are what the claim goes through, from what it names first; ``steps`` lead from each to the next.
    ``claimed`` takes the place of the last node, where that is wrong. ``odd`` is the hop that is wrong or missing,
    counted from one, and ``missing`` what nothing is stated of.
    """

    nodes: tuple[Value, ...]
    steps: tuple[Step, ...]
    odd: int | None = None
    how: str | None = None
    known: tuple[Step, ...] = ()


def multihop_claims(
    facts: Facts,
    *,
    each: int,
    seed: int = 0,
    hops: Sequence[int] = HOPS,
    told: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[LabelledClaim]:
    """Claims of each number of hops, ``each`` of them, a third of each label; fewer where the graph has no more.

    The same graph, number and seed give the same claims. ``told`` is called with how many are done, of how many.
    """
    total, done = each * len(hops), 0
    for number in hops:
        claims: list[LabelledClaim] = []
        texts: set[str] = set()
        for place, label in enumerate(LABELS):
            wanted = each // len(LABELS) + (place < each % len(LABELS))
            maker = _Maker(facts, random.Random(f"{seed} {number} {label}"), number, label)
            for _ in range(wanted):
                claim = maker.claim(texts)
                if claim is None:
                    break
                claims.append(claim)
                done += 1
                told(done, total)
        random.Random(f"{seed} {number}").shuffle(claims)
        yield from claims


class _Maker:
    """Makes the claims of one number of hops and one label."""

    def __init__(self, facts: Facts, chance: random.Random, hops: int, label: Label) -> None:
        self._facts, self._chance, self._hops, self._label = facts, chance, hops, label
        self._made = 0
        self._starts: Counter[str] = Counter()
        self._subjects = {relation: list(facts.subjects(relation)) for relation in PHRASES}
        self._objects = {relation: list(facts.objects(relation)) for relation in PHRASES}

    def claim(self, texts: set[str]) -> LabelledClaim | None:
        """The next claim, whose text is in none of ``texts``; ``None`` where none is found."""
        shapes = [*SHAPES[self._made % len(SHAPES) :], *SHAPES[: self._made % len(SHAPES)]]
        for shape in shapes:
            for _ in range(_TRIES):
                path = self._path(shape)
                if path is None or self._starts[str(path.nodes[0])] >= _REUSED:
                    continue
                text = self._text(shape, path)
                if text is None or text in texts:
                    continue
                texts.add(text)
                self._starts[str(path.nodes[0])] += 1
                self._made += 1
                return LabelledClaim(
                    id=f"multihop-{self._hops}-{self._label[0]}-{self._made}",
                    claim=text,
                    label=self._label,
                    meta=self._meta(shape, path),
                )
        return None

    def _path(self, shape: Shape) -> Path | None:
        match self._label:
            case "SUPPORTS":
                return self._true(shape)
            case "REFUTES":
                return self._wrong(shape)
            case _:
                return self._missing(shape)

    # walking

    def _true(self, shape: Shape) -> Path | None:
        start = self._start(shape)
        return self._walk(shape, start, self._hops) if start else None

    def _start(self, shape: Shape) -> str | None:
        """Something that a claim can begin with."""
        relations = [each for each, subjects in self._subjects.items() if len(subjects) >= _LEAST]
        if not relations:
            return None
        relation = self._chance.choice(relations)
        start = self._chance.choice(self._subjects[relation])
        return start if self._is_subject(start, PHRASES[relation]) and self._facts.is_clear(start) else None

    def _walk(self, shape: Shape, start: str, hops: int, begun: tuple[Step, ...] = ()) -> Path | None:
        """A path of ``hops`` statements from a thing, each the only one of its kind."""
        nodes: list[Value] = [start]
        steps = list(begun)
        for hop in range(len(begun), hops):
            at = nodes[-1]
            if not isinstance(at, str):
                return None
            is_last = hop == hops - 1
            is_return = is_last and shape == "returning"
            step = self._return(at) if is_return else self._onwards(shape, at, steps, is_last)
            if step is None:
                return None
            reached = step.subject if step.backwards else step.object
            if reached in nodes:
                return None
            if (is_last or shape == "joined") and isinstance(reached, str) and not self._facts.is_clear(reached):
                return None
            nodes.append(reached)
            steps.append(step)
        return Path(tuple(nodes), tuple(steps))

    def _onwards(self, shape: Shape, at: str, before: Sequence[Step], is_last: bool) -> Step | None:
        """A statement of ``at`` that is its only one of the relation, which no step before has."""
        said = {step.relation for step in before}
        found = [
            (phrase, value)
            for phrase in PHRASES.values()
            if phrase.relation not in said
            and (not before or self._goes_on(before[-1].phrase, phrase))
            and self._can_say(shape, phrase, len(before), is_last)
            and (value := self._facts.value(at, phrase.relation)) is not None
            and self._fits(at, phrase, value)
        ]
        if not found:
            return None
        phrase, value = self._chance.choice(found)
        return Step(at, phrase.relation, value)

    def _goes_on(self, before: Phrase, phrase: Phrase) -> bool:
        """Whether what one relation leads to is of the kind that another begins with."""
        return phrase.subject == before.object or (phrase.relation == "P36" and before.object == "place")

    def _return(self, at: str) -> Step | None:
        """A statement that has ``at`` for its object, and no other object."""
        found = [
            (phrase, bearer)
            for phrase in PHRASES.values()
            if phrase.inverse and phrase.exact
            for bearer in self._facts.bearers(at, phrase.relation)
            if self._facts.value(bearer, phrase.relation) == at and self._fits(bearer, phrase, at)
        ]
        if not found:
            return None
        phrase, bearer = self._chance.choice(found)
        return Step(bearer, phrase.relation, at, backwards=True)

    def _can_say(self, shape: Shape, phrase: Phrase, hop: int, is_last: bool) -> bool:
        """Whether a relation can stand at a hop of a shape. The last one can be wrong, whatever the label is."""
        if is_last:
            return phrase.exact and (hop > 0 or phrase.says is not None)
        if phrase.object == "time":
            return False
        if shape in {"nested", "returning"}:
            return phrase.is_description
        return phrase.says is not None or (hop > 0 and phrase.noun is not None)

    def _fits(self, at: str, phrase: Phrase, value: Value) -> bool:
        return self._is_subject(at, phrase) and (isinstance(value, Time) or self._facts.fits(value, phrase.object))

    def _is_subject(self, at: str, phrase: Phrase) -> bool:
        """Whether a thing is of the kind that has a relation."""
        return self._facts.has_capital(at) if phrase.relation == "P36" else self._facts.fits(at, phrase.subject)

    # wrong at one hop

    def _wrong(self, shape: Shape) -> Path | None:
        path = self._true(shape)
        if path is None:
            return None
        if shape == "joined":
            return self._with_other_node(path, self._chance.randrange(self._hops))
        if shape == "nested" and self._chance.random() < 0.4:
            return self._with_other_relation(path, self._chance.randrange(self._hops - 1))
        return self._with_other_end(path)

    def _with_other_end(self, path: Path) -> Path | None:
        last = path.steps[-1]
        if last.backwards:  # another work, which someone else made
            wrong = next(
                (
                    each
                    for each in self._sampled(self._subjects[last.relation])
                    if each not in path.nodes
                    and self._facts.is_clear(each)
                    and self._is_subject(each, last.phrase)
                    and (other := self._facts.value(each, last.relation)) is not None
                    and self._facts.are_apart(other, last.object)
                ),
                None,
            )
            value = self._facts.value(wrong, last.relation) if wrong else None
            if wrong is None or value is None:
                return None
            known = (*path.steps[:-1], Step(wrong, last.relation, value, backwards=True))
            return Path((*path.nodes[:-1], wrong), path.steps, self._hops, "object", known)
        claimed = self._other_value(last.phrase, last.object, path.nodes)
        if claimed is None:
            return None
        return Path((*path.nodes[:-1], claimed), path.steps, self._hops, "object", path.steps)

    def _with_other_node(self, path: Path, hop: int) -> Path | None:
        """Joined: another thing at one hop, of which the rest of the claim is true."""
        step = path.steps[hop]
        if not step.phrase.exact:
            return None
        claimed = self._other_value(step.phrase, step.object, path.nodes)
        if claimed is None:
            return None
        if hop == self._hops - 1:
            return Path((*path.nodes[:-1], claimed), path.steps, hop + 1, "object", path.steps)
        rest = self._walk("joined", claimed, self._hops, path.steps[: hop + 1]) if isinstance(claimed, str) else None
        if rest is None or set(rest.nodes) & set(path.nodes[: hop + 1]):
            return None
        nodes = (*path.nodes[: hop + 1], *rest.nodes)
        return Path(nodes, rest.steps, hop + 1, "object", (*path.steps[: hop + 1], *rest.steps[hop + 1 :]))

    def _with_other_relation(self, path: Path, hop: int) -> Path | None:
        """Nested: the claim says another relation at one hop, and keeps the value that is true of the first."""
        before = path.steps[hop]
        facts = self._facts
        others = [
            phrase
            for phrase in PHRASES.values()
            if phrase.is_description
            and (phrase.subject, phrase.object) == (before.phrase.subject, before.phrase.object)
            and phrase.relation != before.relation
        ]
        self._chance.shuffle(others)
        for phrase in others:
            steps = list(path.steps[:hop])
            at: Value | None = path.nodes[hop]
            for relation in (phrase.relation, *(step.relation for step in path.steps[hop + 1 :])):
                value = facts.value(at, relation) if isinstance(at, str) else None
                if value is None or not isinstance(at, str) or not self._fits(at, PHRASES[relation], value):
                    break
                steps.append(Step(at, relation, value))
                at = value
            if len(steps) == self._hops and self._is_wrong(path.steps[-1].phrase, steps[-1].object, path.nodes[-1]):
                said = (*path.steps[:hop], Step(before.subject, phrase.relation, before.object), *path.steps[hop + 1 :])
                return Path(path.nodes, said, hop + 1, "relation", tuple(steps))
        return None

    def _other_value(self, phrase: Phrase, true: Value, nodes: Sequence[Value]) -> Value | None:
        """A value of the same relation that is wrong, and is named by its label."""
        if isinstance(true, Time):
            year = true.year + self._chance.choice((-1, 1)) * self._chance.randint(2, 30)
            return true.model_copy(update={"value": f"{year:04d}{true.value[-6:]}"}) if 1000 <= year <= 2025 else None
        return next(
            (
                each
                for each in self._sampled(self._objects[phrase.relation])
                if each not in nodes and self._facts.is_clear(each) and self._is_wrong(phrase, true, each)
            ),
            None,
        )

    def _is_wrong(self, phrase: Phrase, true: Value, claimed: Value) -> bool:
        """Whether a value cannot be right beside the true one."""
        facts = self._facts
        if isinstance(true, Time) or isinstance(claimed, Time):
            return isinstance(true, Time) and isinstance(claimed, Time) and true.year != claimed.year
        if not facts.fits(claimed, phrase.object) or not facts.are_apart(true, claimed):
            return False
        if phrase.object == "place":
            countries = facts.country(true), facts.country(claimed)
            return None not in countries and countries[0] != countries[1]
        if phrase.object == "country":
            continents = facts.continent(true), facts.continent(claimed)
            return None not in continents and continents[0] != continents[1]
        return True

    def _sampled(self, values: Sequence[str]) -> list[str]:
        return self._chance.sample(values, min(_CANDIDATES, len(values)))

    # not to be decided

    def _missing(self, shape: Shape) -> Path | None:
        """A path of which one statement is not in the graph."""
        hop = self._hops - 1 if shape == "returning" else self._chance.randrange(self._hops)
        start = self._start(shape)
        if start is None:
            return None
        path = self._begin(shape, start, hop)
        if path is None:
            return None
        at = path.nodes[-1]
        if not isinstance(at, str):
            return None
        return self._returning_nowhere(path, at) if shape == "returning" else self._leading_nowhere(shape, path, at)

    def _begin(self, shape: Shape, start: str, hops: int) -> Path | None:
        """The first hops of a longer path."""
        nodes, steps = [start], list[Step]()
        for _ in range(hops):
            step = self._onwards(shape, nodes[-1], steps, is_last=False)
            reached = step.object if step else None
            if step is None or not isinstance(reached, str) or reached in nodes:
                return None
            if shape == "joined" and not self._facts.is_clear(reached):
                return None
            nodes.append(reached)
            steps.append(step)
        return Path(tuple(nodes), tuple(steps))

    def _returning_nowhere(self, path: Path, at: str) -> Path | None:
        """The last hop: a work of which it is not stated who made it."""
        last = path.steps[-1].phrase
        phrases = [
            phrase
            for phrase in PHRASES.values()
            if phrase.inverse
            and phrase.exact
            and phrase.open
            and (phrase.object == last.object and phrase.subject != "person")
            # What is the capital of one country is hardly that of another, though nothing is stated of that one.
            and not (last.inverse and last.subject == "country")
        ]
        if not phrases:
            return None
        phrase = self._chance.choice(phrases)
        others = [other for other in PHRASES.values() if other.subject == phrase.subject]
        subjects = self._sampled(self._subjects[self._chance.choice(others).relation])
        for each in subjects:
            if each not in path.nodes and self._facts.is_clear(each) and self._is_gap(each, phrase):
                steps = (*path.steps, Step(each, phrase.relation, at, backwards=True))
                return Path((*path.nodes, each), steps, self._hops, "missing", path.steps)
        return None

    def _leading_nowhere(self, shape: Shape, path: Path, at: str) -> Path | None:
        hop = len(path.steps)
        is_last = hop == self._hops - 1
        gaps = [
            phrase
            for phrase in PHRASES.values()
            if self._can_say(shape, phrase, hop, is_last)
            and phrase.open
            and phrase.relation not in {step.relation for step in path.steps}
            and (not path.steps or self._goes_on(path.steps[-1].phrase, phrase))
            and self._is_gap(at, phrase)
        ]
        if not gaps:
            return None
        phrase = self._chance.choice(gaps)
        if phrase.object == "time":
            return self._with_time(path, at, phrase)
        # What the claim says comes behind the gap: true of something else that has the relation, so that it reads well.
        for reached in self._sampled(self._objects[phrase.relation]):
            if reached in path.nodes or not self._facts.fits(reached, phrase.object):
                continue
            if (is_last or shape == "joined") and not self._facts.is_clear(reached):
                continue
            steps = (*path.steps, Step(at, phrase.relation, reached))
            rest = self._walk(shape, reached, self._hops, steps) if not is_last else Path((reached,), steps)
            if rest is not None and not set(rest.nodes) & set(path.nodes):
                return Path((*path.nodes, *rest.nodes), rest.steps, hop + 1, "missing", path.steps)
        return None

    def _with_time(self, path: Path, at: str, phrase: Phrase) -> Path | None:
        other = self._facts.value(self._chance.choice(self._subjects[phrase.relation]), phrase.relation)
        if not isinstance(other, Time):
            return None
        steps = (*path.steps, Step(at, phrase.relation, other))
        return Path((*path.nodes, other), steps, len(steps), "missing", path.steps)

    def _is_gap(self, subject: str, phrase: Phrase) -> bool:
        """Whether nothing is stated, though it would be usual; of a death, only where the dead is known to be dead."""
        facts = self._facts
        if not self._is_subject(subject, phrase) or not facts.says_nothing(subject, phrase):
            return False
        if not facts.is_usual(subject, phrase):
            return False
        return phrase.relation not in _DIED or any(facts.values(subject, each) for each in _DIED)

    # saying it

    def _text(self, shape: Shape, path: Path) -> str | None:
        names = [self._name(path, index) for index in range(len(path.nodes))]
        steps = path.steps
        if any(name is None for name in self._named(shape, names)):
            return None
        words = [name or "" for name in names]
        match shape:
            case "nested" | "returning":
                said = words[0]
                for step in steps[:-1]:
                    said = step.phrase.description(said)
                last = steps[-1]
                if last.backwards:
                    return sentence(last.phrase.inverted(said, words[-1]))
                return sentence(last.phrase.clause(said, words[-1]))
            case "relative":
                said = words[-1]
                for index in range(self._hops - 1, 0, -1):
                    some, pronoun = SOME[self._kind(path, index)]
                    said = f"{some} {steps[index].phrase.relative(pronoun, said)}"
                return sentence(steps[0].phrase.clause(words[0], said))
            case "joined":
                said = steps[0].phrase.clause(words[0], words[1])
                for index in range(1, self._hops):
                    pronoun = "who" if self._kind(path, index) == "person" else "which"
                    said += f", {steps[index].phrase.relative(pronoun, words[index + 1])}"
                return sentence(said)

    def _named(self, shape: Shape, names: Sequence[str | None]) -> Sequence[str | None]:
        return names if shape == "joined" else (names[0], names[-1])

    def _kind(self, path: Path, index: int) -> Kind:
        """What kind of thing stands at a place of the path."""
        if index == 0:
            return path.steps[0].phrase.subject
        step = path.steps[index - 1]
        return step.phrase.subject if step.backwards else step.phrase.object

    def _name(self, path: Path, index: int) -> str | None:
        node = path.nodes[index]
        if isinstance(node, Time):
            return when(node)
        entity = self._facts.entity(node)
        if entity is None:
            return None
        return named(entity.label, self._kind(path, index), self._facts.class_labels(node))

    def _meta(self, shape: Shape, path: Path) -> dict[str, Any]:
        """The hops, the shape, and the chain: what the graph has, and what the claim says instead."""

        def written(step: Step) -> list[str]:
            value = step.object if isinstance(step.object, str) else value_key(step.object)
            return [step.subject, step.relation, value]

        meta: dict[str, Any] = {"hops": self._hops, "shape": shape, "chain": [written(each) for each in path.steps]}
        if path.odd is not None:
            meta["chain"] = [written(each) for each in path.known]
            meta["wrong_hop" if path.how != "missing" else "missing_hop"] = path.odd
            meta["how"] = path.how
            step = path.steps[path.odd - 1]
            if path.how == "relation":
                step = path.steps[path.odd - 1]
            elif step.backwards:
                step = replace(step, subject=str(path.nodes[-1]))
            else:
                step = replace(step, object=path.nodes[path.odd])
            meta["claimed"] = written(step)
        meta["items"] = [each for each in path.nodes if isinstance(each, str)]
        return meta
