"""The relation lexicon against data: shares of single values, and the right relation among a subject's own.

    python benchmarks/relations.py --triples wikidata-subset.nt.gz
    python benchmarks/relations.py --facts trex_facts.jsonl.gz --kg STORE --limit 1000

The first prints, for each one-value relation of ``relations.json``, how many subjects have one value in a file of
N-Triples, beside the share that the lexicon notes. The second takes facts with sentences that name both ends (T-REx)
and ranks all relations that the subject has in the knowledge graph by the sentence: "top k" is the share of facts whose
relation is among the first k. Most sentences of T-REx name both ends without stating the fact, so neither figure can
come near 1; a quarter of the subjects, by a hash of their id, is held out from tuning, and only those are used here.
"""

import argparse
import asyncio
import gzip
import hashlib
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from wkgfc.claim import Claim
from wkgfc.evidence import Entity, Relation
from wkgfc.kg.store import EmbeddedStore, open_store
from wkgfc.reasoning.embedded.facts.selection import select_relations
from wkgfc.reasoning.embedded.lexicon.relations import lexicon
from wkgfc.reasoning.reasoner import OfferedRelation
from wkgfc.state import BeliefState, Found

HELD_OUT = 64  # of 256 values of the first byte of a hash
MAX_CHARACTERS = 400  # of a sentence
LEAST_RELATIONS = 4  # that the subject must have
_DIRECT = re.compile(r"^<[^>]*/entity/(\w+)> <[^>]*/prop/direct/(P\d+)> (.*) \.$")


def main() -> None:
    """Read the arguments and print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triples", type=Path, help="N-Triples with Wikidata's direct properties, plain or gzip")
    parser.add_argument("--facts", type=Path, help="facts with sentences, one JSON object a line, gzip")
    parser.add_argument("--kg", type=Path, help="PATH of a store that has the subjects of the facts")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    console = Console(highlight=False)
    if arguments.triples:
        console.print(shares(arguments.triples))
    if arguments.facts and arguments.kg:
        facts = list(stated(arguments.facts))
        random.Random(arguments.seed).shuffle(facts)
        console.print(asyncio.run(ranks(facts, open_store(arguments.kg), arguments.limit)))


def shares(path: Path) -> Table:
    """For each one-value relation: subjects, the share with one value, and the share that the lexicon notes."""
    values: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    wanted = {identifier for identifier, profile in lexicon().items() if profile.one_value}
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            if (match := _DIRECT.match(line)) and match[2] in wanted:
                values[match[2]][match[1]].add(match[3])
    table = Table("id", "relation", "subjects", "single", "noted", box=None)
    for identifier in sorted(values, key=lambda each: -len(values[each])):
        subjects = values[identifier]
        share = sum(len(each) == 1 for each in subjects.values()) / len(subjects)
        profile = lexicon()[identifier]
        table.add_row(identifier, profile.label, str(len(subjects)), f"{share:.2f}", str(profile.single_share or ""))
    return table


def stated(path: Path) -> Iterator[dict[str, Any]]:
    """The held-out facts with a short sentence that names both ends."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            fact = json.loads(line)
            if hashlib.sha256(fact["sub_uri"].encode()).digest()[0] >= HELD_OUT:
                continue
            sentence = fact["sentences"][0]
            is_short = len(sentence) <= MAX_CHARACTERS
            if is_short and fact["sub_label"] in sentence and fact["obj_label"] in sentence:
                yield fact


async def ranks(facts: list[dict[str, Any]], graph: EmbeddedStore, limit: int) -> Table:
    """Where the right relation stands among those of the subject, by relation and over all."""
    first, fourth, seen, offers = Counter[str](), Counter[str](), Counter[str](), 0
    for fact in facts:
        known = await graph.entities([fact["sub_uri"], fact["obj_uri"]])
        ends = {entity.id: entity for entity in known.items} if isinstance(known, Found) else {}
        subject, value = ends.get(fact["sub_uri"]), ends.get(fact["obj_uri"])
        if subject is None or value is None:
            continue
        offered = await offers_of(graph, subject, fact["predicate_id"])
        if len(offered) < LEAST_RELATIONS:
            continue
        state = BeliefState(claim=Claim(text=fact["sentences"][0]))
        state.topic_entities[fact["sub_label"]] = ((subject, 1.0),)
        state.topic_entities[fact["obj_label"]] = ((value, 1.0),)
        ranked = [each.relation.id for each in select_relations(state, offered, 4).relations]
        relation = fact["predicate_id"]
        seen[relation] += 1
        offers += len(offered)
        first[relation] += ranked[:1] == [relation]
        fourth[relation] += relation in ranked
        if seen.total() >= limit:
            break
    table = Table("id", "relation", "facts", "top 1", "top 4", box=None)
    for relation, count in seen.most_common():
        label = lexicon()[relation].label if relation in lexicon() else ""
        table.add_row(relation, label, str(count), f"{first[relation] / count:.2f}", f"{fourth[relation] / count:.2f}")
    total = max(seen.total(), 1)
    table.add_row(
        "all", f"{offers / total:.1f} to choose from", str(total), f"{first.total() / total:.3f}",
        f"{fourth.total() / total:.3f}",
    )  # fmt: skip
    return table


async def offers_of(graph: EmbeddedStore, subject: Entity, relation: str) -> list[OfferedRelation]:
    """The relations that the subject has, the right one among them."""
    answer = await graph.relations([subject])
    offered = [each for each in (answer.items if isinstance(answer, Found) else ()) if each.direction == "out"]
    if all(each.relation.id != relation for each in offered):
        label = lexicon()[relation].label if relation in lexicon() else relation
        right = Relation(id=relation, label=label)
        offered.append(OfferedRelation(relation=right, direction="out", entities=(subject,), count=1))
    return offered


if __name__ == "__main__":
    main()
