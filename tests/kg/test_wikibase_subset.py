"""Half a million facts of Wikidata twice, in a store and behind Oxigraph: every answer is the same."""

import os
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from loopback_http import LoopbackHttp
from oxigraph_server import oxigraph_server
from small_graphs import entity, items
from wkgfc.kg.builders.wikidata import build_wikidata
from wkgfc.kg.expansion import DIRECTIONS
from wkgfc.kg.labels import SparqlNames
from wkgfc.kg.sparql import Endpoint
from wkgfc.kg.store import NAMES, open_store
from wkgfc.kg.wikibase import Wikibase
from wkgfc.state import Retrieved

SUBSET = Path(os.environ.get("WKGFC_TEST_DATA", "")) / "kg" / "wikidata-subset.nt.gz"
FRONTIERS = 20


def as_set(answer: Retrieved[Any]) -> list[str]:
    return sorted(each.model_dump_json() for each in items(answer))


@pytest.mark.drill
@pytest.mark.timeout(1_800)
async def test_hubs_and_all_others_answer_alike(tmp_path: Path) -> None:
    if not SUBSET.exists():
        pytest.skip("needs the subset of Wikidata: set WKGFC_TEST_DATA to the folder of the benchmark data")
    build_wikidata(SUBSET, tmp_path / "kg")
    store = open_store(tmp_path / "kg")
    with sqlite3.connect(tmp_path / "kg" / NAMES) as names:
        ids = [row[0] for row in names.execute("SELECT id FROM entity WHERE links > 3 ORDER BY links DESC, id")]
    chooser = random.Random(7)
    with oxigraph_server(tmp_path, SUBSET) as url:
        endpoint = Endpoint(LoopbackHttp(), url)
        live = Wikibase(endpoint, SparqlNames(endpoint, any_case=False), name=store.name)
        for _ in range(FRONTIERS):
            frontier = [entity(each) for each in (*chooser.sample(ids[:300], 1), *chooser.sample(ids, 3))]
            towards = [entity(each) for each in chooser.sample(ids[:300], 3)]
            offered = items(await store.relations(frontier))
            assert as_set(await live.relations(frontier)) == sorted(each.model_dump_json() for each in offered)
            chosen = [(each.relation, each.direction) for each in chooser.sample(offered, min(4, len(offered)))]
            expected = as_set(await store.triples(frontier, chosen, 20, towards))
            assert as_set(await live.triples(frontier, chosen, 20, towards)) == expected
            for way in DIRECTIONS:
                around = as_set(await store.neighbourhood(frontier[0], way, 20, towards))
                assert as_set(await live.neighbourhood(frontier[0], way, 20, towards)) == around
    store.close()
