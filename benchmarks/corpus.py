"""How fast an index of passages answers, and how often it finds a claim's gold sentence and page.

    python benchmarks/corpus.py --index INDEX --claims fever_val.jsonl.gz fm2_val.jsonl.gz --limit 1000 [--json]

``--index`` is what ``wkgfc corpus build`` made; claims are files of the shape of the project's benchmark data, of which
rows whose evidence names its page count. A sentence is found when a hit of its page holds it, or is one of the
sentences that it consists of; a page is found when a hit bears its title. An index that was built around the gold
sentences is a closed world: say so beside its figures.
"""

import argparse
import gzip
import json
import re
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wkgfc.state import Found
from wkgfc.web.corpus import Corpus, open_corpus

DEPTHS = (1, 5, 8)
_NO_WORD = re.compile(r"\W+")


def main() -> None:
    """Print the table, or with ``--json`` the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--claims", type=Path, nargs="+", required=True)
    parser.add_argument("--limit", type=int, default=None, help="claims taken of each file, from its beginning")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    started = time.perf_counter()
    corpus = open_corpus(asked.index)
    opened_ms = 1000 * (time.perf_counter() - started)
    figures = {
        "index": {"passages": len(corpus), "opened_ms": round(opened_ms, 2), "version": corpus.version},
        "claims": {file.name.split(".")[0]: measure(corpus, file, asked.limit) for file in asked.claims},
    }
    print(json.dumps(figures, indent=1) if asked.json else table(figures))


def measure(corpus: Corpus, claims: Path, limit: int | None) -> dict[str, Any]:
    """Recall of gold sentence and page at each depth, and milliseconds a search."""
    milliseconds: list[float] = []
    sentences, pages = dict.fromkeys(DEPTHS, 0), dict.fromkeys(DEPTHS, 0)
    for claim, gold in gold_rows(claims, limit):
        started = time.perf_counter()
        answer = corpus.find(claim, max(DEPTHS))
        milliseconds.append(1000 * (time.perf_counter() - started))
        hits = answer.items if isinstance(answer, Found) else []
        found = [(plain(hit.passage.title or ""), plain(hit.passage.text)) for hit in hits]
        for depth in DEPTHS:
            pages[depth] += any(title in titles for title, _ in found[:depth] for titles, _ in gold)
            sentences[depth] += any(
                title in titles and (sentence in text or text in sentence)
                for title, text in found[:depth]
                for titles, sentence in gold
            )
    count = len(milliseconds)
    if not count:
        raise SystemExit(f"{claims} has no claim whose evidence names its page")
    milliseconds.sort()
    return {
        "claims": count,
        "sentence": {depth: round(number / count, 4) for depth, number in sentences.items()},
        "page": {depth: round(number / count, 4) for depth, number in pages.items()},
        "median_ms": round(statistics.median(milliseconds), 3),
        "p95_ms": round(milliseconds[int(0.95 * count)], 3),
    }


def gold_rows(claims: Path, limit: int | None) -> Iterator[tuple[str, list[tuple[list[str], str]]]]:
    """Claims with their gold evidence: titles of its pages (some rows join several with "; ") and its text, plain."""
    taken = 0
    with gzip.open(claims, "rt", encoding="utf-8") as rows:
        for line in rows:
            row = json.loads(line)
            gold = [
                ([plain(title) for title in piece["title"].split("; ")], plain(piece["text"]))
                for piece in row.get("evidence", [])
                if piece.get("title")
            ]
            if not gold or row["label"] == "NOT ENOUGH INFO":
                continue
            if limit is not None and taken >= limit:
                return
            taken += 1
            yield row["claim"], gold


def plain(text: str) -> str:
    """Lower case, with nothing but words: editions of Wikipedia differ in dashes, brackets and spaces."""
    return _NO_WORD.sub(" ", text).strip().lower()


def table(figures: dict[str, Any]) -> str:
    """The figures as text."""
    index = figures["index"]
    lines = [
        f"{index['passages']:,} passages, opened in {index['opened_ms']} ms",
        f"{'claims':<14}{'rows':>6}  "
        + "".join(f"{f'{what} @{depth}':>13}" for what in ("sentence", "page") for depth in DEPTHS)
        + f"{'median ms':>11}{'p95 ms':>9}",
    ]
    for name, row in figures["claims"].items():
        shares = [row[what][depth] for what in ("sentence", "page") for depth in DEPTHS]
        lines.append(
            f"{name:<14}{row['claims']:>6}  "
            + "".join(f"{share:>13.3f}" for share in shares)
            + f"{row['median_ms']:>11.2f}{row['p95_ms']:>9.2f}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
