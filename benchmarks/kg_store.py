"""What a store of a knowledge graph holds, how it was built, and how fast it answers.

    python benchmarks/kg_store.py --store STORE [--entities 500] [--seed 1] [--json]

``--store`` is what ``wkgfc kg build`` made. Entities are drawn by chance from all that have a fact; hubs are the 20
that most facts are about or lead to. Every figure is the whole call of the store as retrieval makes it, values and
labels included, in milliseconds and in one thread: ``first`` is the median of the first time it is asked, the others
are over the fastest of three, which a busy machine disturbs less.
"""

import argparse
import asyncio
import json
import random
import sqlite3
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from wkgfc.evidence import Direction, Entity, Relation
from wkgfc.kg.store import NAMES, EmbeddedStore, open_store
from wkgfc.reasoning.reasoner import OfferedRelation, Ranking
from wkgfc.state import Failed, Found, Retrieved

HUBS = 20
FRONTIER = 4  # the paper's k
TRIPLES = 5
TRIES = 3
RANKINGS = [("P1082", "Q515"), ("P2044", "Q8502"), ("P569", "Q5")]  # population of cities, elevation, date of birth

Ask = Callable[[], Awaitable[Retrieved[Any]]]


def main() -> None:
    """Print the table, or with ``--json`` the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--entities", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    started = time.perf_counter()
    store = open_store(asked.store)
    opened_ms = 1000 * (time.perf_counter() - started)
    entities, hubs = draw(asked.store, asked.entities, asked.seed)
    figures = {
        "store": {**store.describe().model_dump(), "opened_ms": round(opened_ms, 1)},
        "milliseconds": asyncio.run(measure(store, entities, hubs)),
    }
    print(json.dumps(figures, indent=1) if asked.json else table(figures))


def draw(path: Path, number: int, seed: int) -> tuple[list[Entity], list[Entity]]:
    """Entities by chance, and the hubs."""
    names = sqlite3.connect(f"{(path / NAMES).resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    rows = names.execute("SELECT id, label FROM entity WHERE links > 0 ORDER BY links DESC, id").fetchall()
    names.close()
    known = [Entity(id=identifier, label=label) for identifier, label in rows]
    return random.Random(seed).sample(known, min(number, len(known))), known[:HUBS]


async def measure(store: EmbeddedStore, entities: Sequence[Entity], hubs: Sequence[Entity]) -> dict[str, Any]:
    """Milliseconds of each kind of question."""
    await store.relations(entities[:1])  # the first question of a process also loads what it needs
    figures: dict[str, Any] = {}
    frontiers = [entities[start : start + FRONTIER] for start in range(0, len(entities), FRONTIER)]
    kinds: list[tuple[str, Sequence[Entity], Sequence[Sequence[Entity]]]] = [
        ("an entity", entities, [[each] for each in entities]),
        ("a hub", hubs, [[each] for each in hubs]),
        (f"a frontier of {FRONTIER}", entities, frontiers),
    ]
    for name, _, groups in kinds:
        offers: list[Sequence[OfferedRelation]] = []
        figures[f"relations of {name}"] = await timed([relations_of(store, group, offers) for group in groups])
        figures[f"triples of {name}"] = await timed(
            [triples_of(store, group, offer) for group, offer in zip(groups, offers, strict=True)]
        )
    directions: tuple[Direction, Direction] = ("out", "in")
    for name, some, _ in kinds[:2]:
        for direction in directions:
            figures[f"neighbourhood {direction} of {name}"] = await timed(
                [neighbourhood_of(store, each, direction) for each in some[:100]]
            )
    forties = [[each.id for each in entities[start : start + 40]] for start in range(0, len(entities), 40)]
    figures["neighbours of 40 entities"] = await timed([neighbours_of(store, ids) for ids in forties])
    figures["candidates of a label"] = await timed([candidates_of(store, each.label) for each in entities])
    figures["a ranking"] = await timed([ranking_of(store, *pair) for pair in RANKINGS])
    return figures


def relations_of(store: EmbeddedStore, group: Sequence[Entity], offers: list[Sequence[OfferedRelation]]) -> Ask:
    """The relations query of a hop; what it brings is kept for the next one."""

    number = len(offers)
    offers.append(())

    async def ask() -> Retrieved[OfferedRelation]:
        answer = await store.relations(group)
        offers[number] = answer.items if isinstance(answer, Found) else ()
        return answer

    return ask


def triples_of(store: EmbeddedStore, group: Sequence[Entity], offer: Sequence[OfferedRelation]) -> Ask:
    """The triples query of a hop, for the relations with the most triples."""
    chosen: list[tuple[Relation, Direction]] = [(each.relation, each.direction) for each in offer[:FRONTIER]]
    return lambda: store.triples(group, chosen, TRIPLES)


def neighbourhood_of(store: EmbeddedStore, entity: Entity, direction: Direction) -> Ask:
    """The paper's query for an entity and a direction."""
    return lambda: store.neighbourhood(entity, direction, TRIPLES)


def neighbours_of(store: EmbeddedStore, ids: Sequence[str]) -> Ask:
    """Linking's question for the surroundings of candidates."""
    return lambda: store.neighbours(ids)


def candidates_of(store: EmbeddedStore, mention: str) -> Ask:
    """Linking's question for candidates."""
    return lambda: store.candidates(mention)


def ranking_of(store: EmbeddedStore, relation: str, kind: str) -> Ask:
    """A superlative's question."""
    ranking = Ranking(relation=Relation(id=relation, label=relation), instance_of=Entity(id=kind, label=kind))
    return lambda: store.ranking(ranking, 10)


async def timed(questions: Sequence[Ask]) -> dict[str, Any]:
    """Median, 95th percentile and maximum over the questions, and how many brought something."""
    first: list[float] = []
    milliseconds: list[float] = []
    brought = 0
    for ask in questions:
        tries = []
        for _ in range(TRIES):
            started = time.perf_counter()
            answer = await ask()
            tries.append(1000 * (time.perf_counter() - started))
        if isinstance(answer, Failed):
            raise SystemExit(answer.reason)
        brought += isinstance(answer, Found)
        first.append(tries[0])
        milliseconds.append(min(tries))
    milliseconds.sort()
    return {
        "asked": len(questions),
        "found": brought,
        "first": round(statistics.median(first), 2),
        "median": round(statistics.median(milliseconds), 2),
        "p95": round(milliseconds[int(0.95 * len(milliseconds))], 2),
        "max": round(milliseconds[-1], 2),
    }


def table(figures: dict[str, Any]) -> str:
    """The figures as text."""
    store = figures["store"]
    names = ("items", "facts", "relations", "rdf_triples")
    contents = ", ".join(f"{store['contents'][name]:,} {name}" for name in names)
    lines = [
        f"{store['name']}: {contents}",
        f"{store['bytes'] / 1e6:,.0f} MB, built in {store['seconds']:.0f} s, opened in {store['opened_ms']} ms",
        f"{'milliseconds':<32}{'asked':>8}{'found':>8}{'first':>10}{'median':>10}{'p95':>10}{'max':>10}",
    ]
    for name, row in figures["milliseconds"].items():
        numbers = "".join(f"{row[each]:>10.2f}" for each in ("first", "median", "p95", "max"))
        lines.append(f"{name:<32}{row['asked']:>8}{row['found']:>8}{numbers}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
