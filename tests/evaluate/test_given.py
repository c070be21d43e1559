"""The texts that come with a claim: as a web of their own, and as documents."""

import datetime as dt

from scripted import passage
from small_world import World
from wkgfc.baselines.registry import METHODS
from wkgfc.datasets import LabelledClaim
from wkgfc.datasets.claims import GoldEvidence
from wkgfc.evaluate.given import GivenTexts, seen_by, texts_of
from wkgfc.evaluate.sets import Sight, sights
from wkgfc.evaluate.workbench import Workbench
from wkgfc.state import Found, Nothing

ROW = LabelledClaim(
    id="1",
    claim="The bridge was opened in 1998.",
    label="Refuted",
    evidence=(
        GoldEvidence(text="The bridge opened in 2004.", url="https://a.example/1"),
        GoldEvidence(
            text="FACT CHECK: the claim that the bridge was opened in 1998 is false.", url="https://b.example/2"
        ),
        GoldEvidence(text="Cats sleep.", url="https://www.snopes.com/cats"),
        GoldEvidence(text=" "),
    ),
)


async def test_they_are_ranked_and_cut_and_found_again_in_their_page() -> None:
    long = "The ferry ran daily. " * 100 + "The bridge opened in May."
    web = GivenTexts([passage("Nothing of it.", url="https://a.example/1"), passage(long, url="https://b.example/2")])
    answer = await web.search("when did the bridge open", 3)
    assert isinstance(answer, Found)
    best = answer.items[0].passage
    assert "bridge" in best.text
    assert long[best.start : best.end] == best.text
    assert len(answer.items) == 3
    assert isinstance(await GivenTexts([]).search("bridge", 3), Nothing)


async def test_dates_and_sites_are_kept_to() -> None:
    late = passage("The bridge.", url="https://a.example/1").model_copy(update={"date": dt.date(2020, 1, 1)})
    web = GivenTexts([late, passage("The bridge.", url="https://b.example/2")])
    answer = await web.search("bridge", 5, before=dt.date(2019, 1, 1))
    assert isinstance(answer, Found)
    assert [hit.passage.url for hit in answer.items] == ["https://b.example/2"]
    assert isinstance(await web.search("bridge", 5, blocked_sites=["a.example", "b.example"]), Nothing)
    assert isinstance(await web.search("bridge", 5, allowed_sites=["c.example"]), Nothing)


def test_empty_texts_are_none_and_each_text_is_a_source_of_its_own() -> None:
    texts = texts_of(ROW, "averitec_dev")
    assert len(texts) == 3
    assert len({text.source.text_id for text in texts}) == 3


def test_a_claims_own_web_is_guarded_and_its_document_is_not(bench: Workbench) -> None:
    ways = dict(sights(METHODS["wkgfc"], "own_web")) | {"d": dict(sights(METHODS["wkgfc"], "grounded"))["document"]}
    own, document = (
        bench.run(
            METHODS["wkgfc-web"].make(bench.tools).check(ROW.to_claim(), seen_by(sight, ROW, bench.graph, None, "s"))
        )
        for sight in (ways[""], ways["d"])
    )
    said = {piece.url for piece in own.evidence}
    assert not said & {"https://b.example/2", "https://www.snopes.com/cats"}
    assert any(flag.startswith("held_back") for flag in own.flags)
    assert not any(flag.startswith("held_back") for flag in document.flags)


def test_what_may_be_seen_is_what_the_sight_says(bench: Workbench, world: World) -> None:
    row = world.rows("pubhealth")[0]
    nothing = seen_by(Sight(), row, bench.graph, bench.web, "s")
    assert (nothing.graph.name, nothing.web, nothing.documents) == ("none", None, ())
    both = seen_by(Sight(kg=True, web="sources"), row, bench.graph, bench.web, "s")
    assert both.graph is bench.graph
    assert both.web is bench.web
    assert both.documents == ()
    assert both.benchmark
