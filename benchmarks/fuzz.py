"""Spoiled answers for everything that reads answers of others: none may crash it.

    python benchmarks/fuzz.py --answers 100000 --seed 0 [--json]

Answers are the tests' own (``tests/fuzzing.py``: every search engine, Wikidata's Action API and query service,
DBpedia's lookup and endpoint, pages, the Internet Archive, robots.txt), cut, with bits turned, values of other types,
or noise, a tenth of them with a status of failure. The table has for each source how many questions found something,
found nothing or failed, the slowest of them, and how many crashed; ``--json`` tells where. ``--source NAME --first N``
asks question N of a source again. The status is 1 where anything crashed.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from fuzzing import Outcomes, Source, run, sources
from wkgfc.web.reader import Reader


def main() -> None:
    """Print the table, or with ``--json`` the figures and the crashes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=100_000, help="to all sources together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--source", help="this source alone")
    parser.add_argument("--first", type=int, default=0, help="the question to begin with")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    reader = Reader()
    started = time.perf_counter()
    try:
        asked = [each for each in sources(reader) if arguments.source in (None, each.name)]
        if not asked:
            parser.error(f"there is no source {arguments.source!r}")
        outcomes = asyncio.run(ask_all(asked, arguments.answers, arguments.seed, arguments.first))
    finally:
        reader.close()
    seconds = time.perf_counter() - started
    crashes = sum(len(each.crashes) for each in outcomes.values())
    if arguments.json:
        rows = {name: {**vars(each), "came": dict(each.came)} for name, each in outcomes.items()}
        print(json.dumps({"seed": arguments.seed, "seconds": round(seconds), "sources": rows}, indent=1))
    else:
        print(table(outcomes))
        total = sum(each.answers for each in outcomes.values())
        print(f"{total:,} answers, {crashes} crashes, {seconds:.0f} s")
    raise SystemExit(1 if crashes else 0)


async def ask_all(asked: Sequence[Source], answers: int, seed: int, first: int) -> dict[str, Outcomes]:
    """The outcomes by source, each of which gets an equal part of the answers."""
    part = -(-answers // len(asked))
    return {source.name: await run(source, part, seed, first) for source in asked}


def table(outcomes: dict[str, Outcomes]) -> str:
    """The figures as text."""
    lines = [f"{'source':<26}{'answers':>9}{'found':>9}{'nothing':>9}{'failed':>9}{'slowest':>11}{'crashes':>9}"]
    for name, each in outcomes.items():
        came = "".join(f"{each.came[kind]:>9,}" for kind in ("found", "nothing", "failed"))
        lines.append(f"{name:<26}{each.answers:>9,}{came}{each.slowest_ms:>8,.0f} ms{len(each.crashes):>9}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
