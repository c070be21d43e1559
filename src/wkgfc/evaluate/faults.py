"""Chains with a fault: wrong at one hop, or with a statement that the graph does not have."""

from collections.abc import Sequence

from wkgfc.evaluate.chains import Step, Value
from wkgfc.evaluate.phrases import PHRASES, Phrase
from wkgfc.evaluate.walks import Path, Shape, Walker
from wkgfc.evidence import Time

_CANDIDATES = 40  # values that are tried for one that is wrong
_DIED = ("P20", "P119", "P570")  # relations that say of someone that they are dead
_USUAL = 3  # subjects that a continent or the like has, to be named in place of another
_EXCHANGED = 0.4  # of wrong nested claims: those of which a relation is exchanged


class Faults:
    """Puts one fault into the chains of a walker."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._facts, self._chance, self._hops = walker.facts, walker.chance, walker.hops

    def wrong(self, shape: Shape) -> Path | None:
        """A chain of which one hop is wrong; ``None`` where this walk leads to none."""
        path = self._walker.true(shape)
        if path is None:
            return None
        if shape == "joined":
            return self._with_other_node(path, self._chance.randrange(self._hops))
        if shape == "nested" and self._chance.random() < _EXCHANGED:
            return self._with_other_relation(path, self._chance.randrange(self._hops - 1))
        return self._with_other_end(path)

    def _with_other_end(self, path: Path) -> Path | None:
        last = path.steps[-1]
        if last.backwards:  # another work, which someone else made
            wrong = next(
                (
                    each
                    for each in self._sampled(self._walker.subjects[last.relation])
                    if each not in path.nodes
                    and self._facts.is_clear(each)
                    and self._walker.is_subject(each, last.phrase)
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
        rest = (
            self._walker.walk("joined", claimed, self._hops, path.steps[: hop + 1])
            if isinstance(claimed, str)
            else None
        )
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
                if value is None or not isinstance(at, str) or not self._walker.fits(at, PHRASES[relation], value):
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
                for each in self._sampled(self._walker.objects[phrase.relation])
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
        return phrase.object != "thing" or len(facts.bearers(claimed, phrase.relation)) >= _USUAL

    def _sampled(self, values: Sequence[str]) -> list[str]:
        return self._chance.sample(values, min(_CANDIDATES, len(values)))

    def missing(self, shape: Shape) -> Path | None:
        """A path of which one statement is not in the graph."""
        hop = self._hops - 1 if shape == "returning" else self._chance.randrange(self._hops)
        start = self._walker.start()
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
            step = self._walker.onwards(shape, nodes[-1], steps, is_last=False)
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
        subjects = self._sampled(self._walker.subjects[self._chance.choice(others).relation])
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
            if self._walker.can_say(shape, phrase, hop, is_last)
            and phrase.open
            and phrase.relation not in {step.relation for step in path.steps}
            and (not path.steps or self._walker.goes_on(path.steps[-1].phrase, phrase))
            and self._is_gap(at, phrase)
        ]
        if not gaps:
            return None
        phrase = self._chance.choice(gaps)
        if phrase.object == "time":
            return self._with_time(path, at, phrase)
        # What the claim says comes behind the gap: true of something else that has the relation, so that it reads well.
        for reached in self._sampled(self._walker.objects[phrase.relation]):
            if reached in path.nodes or not self._facts.fits(reached, phrase.object):
                continue
            if (is_last or shape == "joined") and not self._facts.is_clear(reached):
                continue
            steps = (*path.steps, Step(at, phrase.relation, reached))
            rest = self._walker.walk(shape, reached, self._hops, steps) if not is_last else Path((reached,), steps)
            if rest is not None and not set(rest.nodes) & set(path.nodes):
                return Path((*path.nodes, *rest.nodes), rest.steps, hop + 1, "missing", path.steps)
        return None

    def _with_time(self, path: Path, at: str, phrase: Phrase) -> Path | None:
        other = self._facts.value(self._chance.choice(self._walker.subjects[phrase.relation]), phrase.relation)
        if not isinstance(other, Time):
            return None
        steps = (*path.steps, Step(at, phrase.relation, other))
        return Path((*path.nodes, other), steps, len(steps), "missing", path.steps)

    def _is_gap(self, subject: str, phrase: Phrase) -> bool:
        """Whether nothing is stated, though it would be usual; of a death, only where the dead is known to be dead."""
        facts = self._facts
        if not self._walker.is_subject(subject, phrase) or not facts.says_nothing(subject, phrase):
            return False
        if not facts.is_usual(subject, phrase):
            return False
        return phrase.relation not in _DIED or any(facts.values(subject, each) for each in _DIED)
