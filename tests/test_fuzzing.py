"""A slice of ``benchmarks/fuzz.py``: spoiled answers crash nothing, whoever reads them."""

import random
from collections.abc import Iterator

import pytest

from fuzzing import Source, run, sources
from mutations import noise, spoiled
from search_engines import NAMES, Page, body
from wkgfc.web.reader import Reader

ANSWERS = 40  # a source


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    reader = Reader(timeout_s=120.0)  # a busy machine is slow, and this is not about that
    yield reader
    reader.close()


async def test_spoiled_answers_crash_no_source(reader: Reader) -> None:
    came: dict[str, set[str]] = {}
    for source in sources(reader):
        outcomes = await run(source, ANSWERS, seed=11)
        assert outcomes.crashes == [], source.name
        assert outcomes.answers >= ANSWERS
        came[source.name] = set(outcomes.came)
    assert {*NAMES, "wbsearchentities", "wbgetentities", "lookup", "pages", "SPARQL triples"} <= came.keys()
    assert all("failed" in kinds for kinds in came.values())
    assert all("found" in kinds for name, kinds in came.items() if name != "robots.txt"), came


async def test_a_crash_is_told_with_what_brings_it_again() -> None:
    async def ask(_: object, chooser: random.Random) -> None:
        if chooser.random() < 0.5:
            raise KeyError("a bug")

    source = Source("odd", lambda _: b"{}", ask)
    outcomes = await run(source, 20, seed=3)
    assert outcomes.crashes
    assert outcomes.came["nothing"] + len(outcomes.crashes) == 20
    crash = outcomes.crashes[0]
    assert "a bug" in crash["error"]
    again = await run(source, 1, seed=3, first=crash["number"])
    assert [each["number"] for each in again.crashes] == [crash["number"]]


def test_a_seed_brings_the_same_bytes_and_another_one_others() -> None:
    real = body("serper", "query", [Page("https://x.example/1")])
    one, same, other = ([spoiled(real, random.Random(f"{seed} {n}")) for n in range(50)] for seed in (1, 1, 2))
    assert one == same != other
    assert sum(each == real for each in one) < 5
    assert noise(random.Random(1)) == noise(random.Random(1))
