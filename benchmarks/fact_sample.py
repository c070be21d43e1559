"""Facts of the embedded knowledge graph by chance, with the text behind them, for a person to read and judge.

    python benchmarks/fact_sample.py --builder vital --relation P106 --relation P27 --seed 1 --n 100
    python benchmarks/fact_sample.py --builder vital --counts

One fact a line: subject, object with its qualifiers, and of the sentence that states it the part around the object. The
same seed draws the same facts as long as the rules are the same. ``--counts`` prints how many facts each relation has,
how many statements the median article is the subject of, and is the subject or the object of, among the facts of the
articles and in the whole embedded graph, and the seconds that the extraction took.
"""

import argparse
import random
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

from wkgfc.evidence import Entity, Quantity, Triple, Value
from wkgfc.kg.builders.awards import Awards
from wkgfc.kg.builders.elements import Elements
from wkgfc.kg.builders.factbook import Factbook
from wkgfc.kg.builders.records import Builder
from wkgfc.kg.builders.vital.builder import VitalArticles
from wkgfc.stores import silent

BUILDERS: dict[str, Callable[[], Builder]] = {"factbook": Factbook, "elements": Elements, "awards": Awards}
Line = tuple[str, str, str, str]  # relation, subject, object, sentence


def main() -> None:
    """Print the sample, or the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--builder", choices=("vital", *BUILDERS), default="vital")
    parser.add_argument("--relation", action="append", default=[], help="a Wikidata property; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--width", type=int, default=90, help="characters of the sentence")
    parser.add_argument("--counts", action="store_true")
    asked = parser.parse_args()
    if asked.counts and asked.builder == "vital":
        print(counts(VitalArticles()))
        return
    lines = list(vital_lines(VitalArticles()) if asked.builder == "vital" else built_lines(BUILDERS[asked.builder]()))
    if asked.counts:
        for relation, number in Counter(line[0] for line in lines).most_common():
            print(relation, number)
        return
    for relation, drawn in sample(lines, asked.relation, asked.seed, asked.n).items():
        print(f"== {relation}")
        for _, subject, value, sentence in drawn:
            print(f"{subject} | {value} | {around(sentence, value, asked.width)}")


def vital_lines(builder: VitalArticles) -> Iterator[Line]:
    """The facts of the vital articles with their sentences."""
    for article, facts in builder.facts(builder.articles):
        for fact in facts:
            subject = fact.subject.label if fact.subject is not None else article.title
            yield fact.relation, subject, shown(fact.value, fact.qualifiers), fact.sentence


def built_lines(builder: Builder) -> Iterator[Line]:
    """The facts of another builder; of these the text is the title of their source."""
    for record in builder.records(silent):
        if isinstance(record, Triple):
            qualifiers = [(qualifier.relation.id, qualifier.value) for qualifier in record.qualifiers]
            title = (record.source.title if record.source is not None else None) or ""
            yield record.relation.id, record.subject.label, shown(record.object, qualifiers), title


def shown(value: Value, qualifiers: Iterable[tuple[str, Value]]) -> str:
    """A value as a reader takes it in, its qualifiers in brackets."""
    return " ".join((plain(value), *(f"[{relation} {plain(each)}]" for relation, each in qualifiers)))


def plain(value: Value) -> str:
    """A value without its qualifiers."""
    if isinstance(value, Entity):
        return value.label
    if isinstance(value, Quantity):
        return f"{value.amount:,}" + (f" {value.unit.label}" if value.unit is not None else "")
    return str(getattr(value, "value", value))


def sample(lines: Iterable[Line], relations: list[str], seed: int, number: int) -> dict[str, list[Line]]:
    """So many lines of each relation (of all, where none is named), drawn by chance without repetition."""
    by_relation: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_relation[line[0]].append(line)
    return {
        relation: random.Random(seed).sample(by_relation[relation], min(number, len(by_relation[relation])))
        for relation in relations or sorted(by_relation)
    }


def around(sentence: str, value: str, width: int) -> str:
    """The part of a sentence in which the value stands."""
    words = value.split(" [", maxsplit=1)[0].lower().split()
    found = sentence.lower().find(words[-1][:6]) if words else -1
    start = max(0, min(found - width // 2, len(sentence) - width)) if found >= 0 else 0
    return sentence[start : start + width]


def ends(subject: str, value: Value) -> set[str]:
    """The ids of the things that a fact is about."""
    return {subject, value.id} if isinstance(value, Entity) else {subject}


def counts(builder: VitalArticles) -> str:
    """How many facts the vital articles give, by relation and by article."""
    started = time.perf_counter(), time.process_time()
    subjects: Counter[str] = Counter()
    both: Counter[str] = Counter()
    relations: Counter[str] = Counter()
    for article, facts in builder.facts(builder.articles):
        for fact in facts:
            subject = (fact.subject or article.entity).id
            relations[fact.relation] += 1
            subjects[subject] += 1
            both.update(ends(subject, fact.value))
    wall, processor = time.perf_counter() - started[0], time.process_time() - started[1]
    articles = [article.entity.id for article in builder.articles]
    in_all, both_in_all = Counter(subjects), Counter(both)
    for other in BUILDERS.values():
        for record in other().records(silent):
            if isinstance(record, Triple):
                in_all[record.subject.id] += 1
                both_in_all.update(ends(record.subject.id, record.object))
    lines = [f"{relation} {number}" for relation, number in relations.most_common()]
    for name, of_each in (
        ("as subject", subjects),
        ("as subject or object", both),
        ("as subject in the whole graph", in_all),
        ("as subject or object in the whole graph", both_in_all),
    ):
        numbers = [of_each[identifier] for identifier in articles]
        share = sum(number >= 6 for number in numbers) / max(1, len(numbers))
        lines.append(f"an article {name}: median {statistics.median(numbers or [0])}, six or more {share:.3f}")
    lines.append(
        f"facts {sum(relations.values())}, articles {len(articles)}, {wall:.0f} s, of them {processor:.0f} s CPU"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
