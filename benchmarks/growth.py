"""How the cost of a batch grows with its claims: seconds, and questions to sources, with the power law that fits.

    python benchmarks/growth.py --reasoner embedded --claims FILE --kg STORE --web INDEX --sizes 10,100,1000
    python benchmarks/growth.py --reasoner mocked --claims FILE --kg STORE --web INDEX --sizes 10,100,1000,10000
    python benchmarks/growth.py --reasoner mocked --claims FILE --kg STORE --web INDEX --plot growth.svg

FILE has claims that are all different, such as those that ``--sentences PASSAGES --out FILE`` makes: the first two
sentences of each passage of a JSONL file, in no order. Each size is a run of its own with claims of its own, in a
process that has opened its stores before. The mocked reasoner judges nothing: it links, follows the rarest relations
that it is offered for two hops, searches once for the claim itself and ends, so that what is left are the sources and
the runner.

Prints one JSON object. The exponent b of ``value = a * claims ** b`` is 1 where a claim costs the same in a large run
as in a small one, and below 1 where claims share what they ask. ``--plot`` draws both as SVG.
"""

import argparse
import asyncio
import datetime as dt
import gzip
import json
import os
import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from wkgfc.batch.checks import OpenedChecks
from wkgfc.batch.identity import Identity
from wkgfc.batch.rows import ClaimRow
from wkgfc.batch.runner import Runner
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import Store
from wkgfc.claim import Checkability, Claim, Veracity
from wkgfc.config import load_settings
from wkgfc.datasets import read_claims
from wkgfc.evaluate.pictures import draw
from wkgfc.evidence import Entity, Passage, Stance, Triple
from wkgfc.reasoning.reasoner import (
    ChosenRelation,
    Decision,
    EntitySelection,
    Extraction,
    Grade,
    Judgement,
    OfferedRelation,
    RelationSelection,
    ScoredEntity,
    ScoredTriple,
)
from wkgfc.result import Sentence
from wkgfc.sentences import sentence_spans
from wkgfc.state import BeliefState, ExpandKG, GiveVerdict, SearchWeb

DAY = dt.date(2026, 1, 1)
HOPS = 2
PLACES = 2
SHORTEST = 30  # characters of a sentence that is taken for a claim
LONGEST = 90
SENTENCES = 2  # of a passage, from its beginning


class MockedReasoner:
    """Takes what is rarest and says that there is not enough evidence: all that it costs is what it retrieves."""

    name = "mocked"
    policy = "mocked-reasoner-1"

    async def screen(self, claim: Claim) -> Checkability:
        """Everything can be checked."""
        return Checkability(is_checkable=True)

    async def select_relations(
        self, state: BeliefState, offered: Sequence[OfferedRelation], max_relations: int
    ) -> RelationSelection:
        """The rarest ones."""
        first = sorted(offered, key=lambda each: (each.count, each.relation.id, each.direction))[:max_relations]
        return RelationSelection(
            relations=tuple(
                ChosenRelation(relation=each.relation, direction=each.direction, score=0.5) for each in first
            )
        )

    async def select_entities(
        self, state: BeliefState, triples: Sequence[Triple], max_triples: int, max_entities: int
    ) -> EntitySelection:
        """The first triples, and what they lead to."""
        kept = sorted(triples, key=lambda each: each.key)[:max_triples]
        ends = {
            each.object.id: each.object
            for each in kept
            if isinstance(each.object, Entity) and each.object.id not in state.expanded
        }
        return EntitySelection(
            triples=tuple(ScoredTriple(triple=each, score=0.5) for each in kept),
            frontier=tuple(ScoredEntity(entity=end, score=0.5) for end in list(ends.values())[:max_entities]),
        )

    async def decide(self, state: BeliefState) -> Decision:
        """Hops, then a search for the claim, then the end."""
        if state.frontier and state.hops < HOPS:
            return Decision(action=ExpandKG(), reason="a hop is left")
        if not state.queries:
            return Decision(action=SearchWeb(query=state.claim.text), reason="nothing was searched for")
        return Decision(action=GiveVerdict(), reason="all was done")

    async def grade(self, state: BeliefState, passages: Sequence[Passage]) -> tuple[Grade, ...]:
        """All are silent."""
        silent_one = Stance(supports=0.0, refutes=0.0, neither=1.0)
        return tuple(Grade(relevance=0.5, stance=silent_one, consistency=0.5, quote="") for _ in passages)

    async def extract(self, state: BeliefState, passage: Passage, grade: Grade) -> Extraction:
        """Nothing."""
        return Extraction()

    async def judge(self, state: BeliefState, *, forced: bool) -> Judgement:
        """Never enough."""
        unknown = Veracity.NOT_ENOUGH_EVIDENCE
        return Judgement(
            veracity=unknown,
            probabilities={each: float(each is unknown) for each in Veracity},
            confidence=0.5,
            justification=(Sentence(text="Nothing was judged.", citations=(state.steps[-1].observation.id,)),),
        )


def write_sentences(passages: Path, out: Path) -> int:
    """Write the first sentences of each passage as claims, each sentence once; return how many there are."""
    seen: set[str] = set()
    with gzip.open(passages, "rt", encoding="utf-8") as lines:
        for line in lines:
            text = str(json.loads(line).get("text") or "")
            for start, end in sentence_spans(text)[:SENTENCES]:
                is_text = sum(map(str.isalpha, text[start:end])) > (end - start) / 2
                if is_text and SHORTEST <= end - start <= LONGEST:
                    seen.add(text[start:end])
    shuffled = random.Random(0).sample(sorted(seen), len(seen))
    with out.open("w", encoding="utf-8") as file:
        for number, text in enumerate(shuffled):
            file.write(json.dumps({"id": f"s{number}", "claim": text}, ensure_ascii=False) + "\n")
    return len(shuffled)


def growth(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """What each size costs, and the exponents."""
    sizes = [int(each) for each in arguments.sizes.split(",")]
    claims = read_claims(arguments.claims, limit=sum(sizes), seed=0)
    if len(claims) < sum(sizes):
        raise SystemExit(f"{arguments.claims} has {len(claims):,} claims, which are fewer than {sum(sizes):,}")
    # What was drawn is in the order of the file. Parses and pairs of the verifier are remembered: no claim comes twice.
    left = iter(random.Random(1).sample(claims, len(claims)))
    settings = load_settings(kg=arguments.kg, web=arguments.web)
    reasoner = MockedReasoner() if arguments.reasoner == "mocked" else None
    found: dict[int, dict[str, float]] = {}
    for size in sizes:
        checks = OpenedChecks(settings, reasoner=reasoner).checks(places=PLACES, today=DAY, run="run", trace=False)
        asyncio.run(checks.check([ClaimRow(0, 0, "first", "The Earth is a planet.")]))  # what is opened, is open
        rows = [ClaimRow(number, number, row.id, row.claim) for number, row in enumerate(islice(left, size))]
        store = Store(SqliteDatabase(folder / str(size) / "runs.sqlite"))
        identity = Identity(policy=arguments.reasoner, sources=("local",))
        run = store.add_claims(store.begin("run", identity, "claims", "digest", DAY), rows, is_last=True)
        began, cpu = time.perf_counter(), time.process_time()
        ending = asyncio.run(Runner(store, run, checks).go())
        found[size] = {
            "seconds": round(time.perf_counter() - began, 2),
            "cpu_s": round(time.process_time() - cpu, 2),
            "errors": ending.progress.errors,
            "wanted": ending.progress.asked.wanted.total(),
            "sent": ending.progress.asked.sent.total(),
        }
        store.close()
    fits = {name: exponent(sizes, [found[size][name] for size in sizes]) for name in ("cpu_s", "wanted", "sent")}
    if arguments.plot:
        plot(found, arguments.plot)
    return {"sizes": found, "exponents": {name: round(value, 3) for name, value in fits.items()}}


def exponent(sizes: Sequence[int], values: Sequence[float]) -> float:
    """The b of ``value = a * size ** b``, by least squares of the logarithms."""
    import numpy as np

    slope, _ = np.polyfit(np.log(sizes), np.log(np.maximum(values, 1e-9)), 1)
    return float(slope)


def plot(found: Mapping[int, Mapping[str, float]], path: Path) -> None:
    """Draw what a claim costs over the size of the run, that in the smallest run being 1."""
    import math

    said = {"cpu_s": "seconds of a core", "wanted": "questions wanted", "sent": "questions sent"}
    smallest = min(found)
    data = [
        {
            "row": words,
            "column": "over log10 of the claims of a run",
            "x": math.log10(size),
            "value": (row[name] / size) / (found[smallest][name] / smallest),
        }
        for name, words in said.items()
        for size, row in found.items()
    ]
    draw(data, f"a claim, beside one of {smallest}", "lines", path)


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reasoner", choices=["embedded", "mocked"], default="mocked")
    parser.add_argument("--claims", type=Path)
    parser.add_argument("--kg", default="embedded")
    parser.add_argument("--web", default="embedded")
    parser.add_argument("--sizes", default="10,100,1000,10000")
    parser.add_argument("--plot", type=Path, help="an SVG file to draw")
    parser.add_argument("--sentences", type=Path, help="passages (JSONL, gzip) whose sentences are written to --out")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    if arguments.sentences:
        print(f"{write_sentences(arguments.sentences, arguments.out):,} claims")
        return
    load = os.getloadavg()
    with tempfile.TemporaryDirectory(prefix="wkgfc-growth-") as folder:
        found = growth(arguments, Path(folder))
    print(json.dumps({"load_before": load, "load_after": os.getloadavg(), **found}, indent=1))


if __name__ == "__main__":
    main()
