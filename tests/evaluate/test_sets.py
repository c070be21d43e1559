"""What each method may see of each kind of set: the paper's grey cells."""

from pathlib import Path

import pytest

from small_world import World
from wkgfc.baselines.registry import METHODS
from wkgfc.errors import BadInput
from wkgfc.evaluate.published import beside, paper
from wkgfc.evaluate.sets import KNOWN, Sight, find_set, sights

SEEN = {
    "majority": ("nothing", "nothing", "nothing"),
    "minicheck": ("web", "the claim's own web texts", "the document"),
    "direct": ("nothing", "nothing", "the document"),
    "hero": ("web", "the claim's own web texts", "the document"),
    "fire": ("web", "the claim's own web texts", "web"),
    "graphrag": (None, None, "the document"),
    "graphcheck": (None, None, "the document"),
    "tog": ("KG", "KG", "KG"),
    "wkgfc": ("KG and web", "KG and the claim's own web texts", "KG and web"),
}


@pytest.mark.parametrize("name", SEEN)
def test_sights(name: str) -> None:
    found = []
    for kind in ("open", "own_web", "grounded"):
        sight = dict(sights(METHODS[name], kind)).get("")
        found.append(sight.text if sight else None)
    assert tuple(found) == SEEN[name]


def test_wkgfc_is_measured_twice_where_there_is_a_document() -> None:
    ways = dict(sights(METHODS["wkgfc"], "grounded"))
    assert ways["document"] == Sight(kg=True, web="document")
    assert not ways["document"].is_guarded
    assert ways[""].is_guarded


def test_sets_are_found_by_name_or_path(world: World) -> None:
    known, path = find_set("pubhealth", world.folder)
    assert (known.kind, path.name) == ("grounded", "pubhealth.jsonl")
    known, _ = find_set(str(world.folder / "fever_val.jsonl"), None)
    assert known is KNOWN["fever_val"]
    with pytest.raises(BadInput, match="no hover"):
        find_set("hover", world.folder)
    with pytest.raises(BadInput, match="no file is called so"):
        find_set("hover", None)
    assert find_set(str(world.folder / "pages.jsonl"), Path("/nowhere"))[0].name == "pages"


def test_the_papers_figures_stand_beside_ours_with_their_model() -> None:
    assert beside("table1", "wkgfc", KNOWN["fever_val"]) == "paper 91.9, GPT-4o"
    assert beside("table1", "direct", KNOWN["pubhealth"]) == "paper 67, GPT-4o"
    assert beside("table1", "wkgfc", KNOWN["multihop"]) == "paper on HOVER 72.8, GPT-4o"
    assert beside("table1", "graphrag", KNOWN["fever_val"]) == ""
    assert beside("table1", "tog", KNOWN["fever_val"]) == ""
    assert beside("table4", "over_confidence", KNOWN["averitec_dev"]) == "paper 15, GPT-4o"
    assert beside("table1", "wkgfc", KNOWN["fm2_val"]) == ""


@pytest.mark.parametrize("name", ["table1", "table3", "table4"])
def test_the_papers_tables_are_whole(name: str) -> None:
    table = getattr(paper(), name)
    assert all(len(row.figures) == len(table.columns) for row in table.rows)
