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
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

from wkgfc.datasets import LabelledClaim
from wkgfc.evaluate.chains import Facts, Step
from wkgfc.evaluate.faults import Faults
from wkgfc.evaluate.phrases import SOME, Kind, named, sentence, when
from wkgfc.evaluate.walks import Path, Shape, Walker
from wkgfc.evidence import Time, value_key

Label = Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]

SHAPES: tuple[Shape, ...] = ("nested", "returning", "relative", "joined")
LABELS: tuple[Label, ...] = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
HOPS = (2, 3, 4)

_TRIES = 400  # walks for one claim before another shape is tried
_REUSED = 4  # claims of one label and number of hops that begin at one thing


def multihop_claims(
    facts: Facts,
    *,
    each: int,
    seed: int = 0,
    hops: Sequence[int] = HOPS,
    without: Iterable[LabelledClaim] = (),
    told: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[LabelledClaim]:
    """Claims of each number of hops, ``each`` of them, a third of each label; fewer where the graph has no more.

    The same graph, number and seed give the same claims. None is one of ``without``, or begins at what one of these
    begins at: another seed alone draws some of the same. ``told`` is called with how many are done, of how many.
    """
    earlier = list(without)
    begun = {start for row in earlier if (start := start_of(row)) is not None}
    total, done = each * len(hops), 0
    for number in hops:
        claims: list[LabelledClaim] = []
        texts = {row.claim for row in earlier}
        for place, label in enumerate(LABELS):
            wanted = each // len(LABELS) + (place < each % len(LABELS))
            maker = _Maker(facts, random.Random(f"{seed} {number} {label}"), number, label, begun)
            for _ in range(wanted):
                claim = maker.claim(texts)
                if claim is None:
                    break
                claims.append(claim)
                done += 1
                told(done, total)
        random.Random(f"{seed} {number}").shuffle(claims)
        yield from claims


def start_of(row: LabelledClaim) -> str | None:
    """What a multi-hop claim begins at; ``None`` of any other claim."""
    items = row.meta.get("items")
    return items[0] if "chain" in row.meta and isinstance(items, list) and items else None


class _Maker:
    """Makes the claims of one number of hops and one label; none begins at one of ``begun``."""

    def __init__(self, facts: Facts, chance: random.Random, hops: int, label: Label, begun: Collection[str]) -> None:
        self._facts, self._hops, self._label, self._begun = facts, hops, label, begun
        self._walker = Walker(facts, chance, hops)
        self._faults = Faults(self._walker)
        self._made = 0
        self._starts: Counter[str] = Counter()

    def claim(self, texts: set[str]) -> LabelledClaim | None:
        """The next claim, whose text is in none of ``texts``; ``None`` where none is found."""
        shapes = [*SHAPES[self._made % len(SHAPES) :], *SHAPES[: self._made % len(SHAPES)]]
        for shape in shapes:
            for _ in range(_TRIES):
                path = self._path(shape)
                if path is None or path.nodes[0] in self._begun or self._starts[str(path.nodes[0])] >= _REUSED:
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
                return self._walker.true(shape)
            case "REFUTES":
                return self._faults.wrong(shape)
            case _:
                return self._faults.missing(shape)

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
