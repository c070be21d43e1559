"""Wikidata as it is asked live: the query service is a real Oxigraph, the Action API a small server of the tests."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from action_api import Item, action_api, error
from loopback_http import LoopbackHttp, ScriptedHttp
from misbehaving import Misbehaving, misbehaving, refuse, reply
from oxigraph_server import oxigraph_server
from scripted import ScriptedReasoner
from small_graphs import HOSTILE, WORLD, entity, ids, items, n_triples, relation
from wkgfc.claim import read_claim
from wkgfc.errors import NotConfigured
from wkgfc.http import Answer, Request, Unanswered
from wkgfc.kg.expansion import Beam, Counting, expand
from wkgfc.kg.graph import KnowledgeGraph
from wkgfc.kg.linking import link
from wkgfc.kg.wikibase import Wikibase
from wkgfc.kg.wikidata import open_wikidata, user_agent
from wkgfc.state import BeliefState, Failed, Found, Nothing
from wkgfc.usage import metered

CONTACT = "desk@news.example"
ITEMS = {
    "Q5": Item({"en": "human"}),
    "Q10": Item(
        {"en": "Charlie Chaplin", "de": "Charlie Chaplin", "fr": "Charlot"},
        {"en": "English actor", "de": "englischer Schauspieler"},
        {"en": ("Charles Chaplin",)},
        sitelinks=180,
    ),
    "Q20": Item({"en": "London", "fr": "Londres"}, {"en": "capital of the United Kingdom"}, sitelinks=300),
    "Q21": Item({"mul": "Bristol"}),
    "Q30": Item({"en": "United Kingdom", "de": "Vereinigtes Königreich"}, sitelinks=340),
    "Q50": Item({"en": "Chaplin"}, {"en": "Wikimedia disambiguation page"}),
    "Q51": Item({"en": "Wikimedia Deutschland"}, {"en": "Wikimedia chapter in Germany"}),
    "Q200": Item({"en": "London"}, {"en": "city in Ontario, Canada"}, sitelinks=40),
    "Q201": Item({"en": "London Bridge"}, {"en": "bridge"}, sitelinks=30),
}
REDIRECTS = {"Q99": "Q10"}
COUNTINGS: tuple[Counting, Counting] = ("batched", "faithful")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("world")
    lines = n_triples(WORLD) + (
        "<http://www.wikidata.org> <http://schema.org/dateModified> "
        '"2026-11-30T12:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n'
    )
    (folder / "world.nt").write_text(lines, encoding="utf-8")
    with oxigraph_server(folder, folder / "world.nt") as url:
        yield url


@pytest.fixture
async def api() -> AsyncIterator[Misbehaving]:
    async with misbehaving() as server:
        server.on("/w/api.php", action_api(ITEMS, REDIRECTS))
        yield server


def wikidata(service: str, api: Misbehaving, client: Any = None, language: str = "en") -> Wikibase:
    return open_wikidata(
        client or LoopbackHttp(), CONTACT, endpoint=service, api=api.url("/w/api.php"), language=language
    )


@pytest.mark.parametrize(
    ("contact", "expected"),
    [
        ("desk@news.example", "desk-news.example/1.0 (desk@news.example) WKGFC/"),
        (" https://news.example/checks ", "news.example-checks/1.0 (https://news.example/checks) WKGFC/"),
    ],
)
def test_the_user_agent_names_who_asks_and_not_the_library(contact: str, expected: str) -> None:
    assert user_agent(contact).startswith(expected)


@pytest.mark.parametrize(
    "contact", [None, "", "  ", "me", "a@b", "x\r\nHost: evil", "desk@news.example\n(", "é@é.é", "http://"]
)
def test_without_a_contact_it_says_why_one_is_needed(contact: str | None) -> None:
    with pytest.raises(NotConfigured, match=r"WKGFC_CONTACT.*policy asks .* say who runs it"):
        open_wikidata(LoopbackHttp(), contact)


async def test_every_request_says_who_asks_and_yields_to_a_server_that_lags(service: str, api: Misbehaving) -> None:
    client = LoopbackHttp()
    graph: KnowledgeGraph = wikidata(service, api, client)
    await graph.candidates("London")
    await graph.relations([entity("Q10")])
    assert {request.headers["User-Agent"] for request in client.sent} == {user_agent(CONTACT)}
    assert {seen.headers["user-agent"] for seen in api.seen} == {user_agent(CONTACT)}
    assert {seen.params["maxlag"] for seen in api.seen} == {"5"}
    assert graph.version == "2026-11-30T12:00:00+00:00"  # what the query service says of itself


async def test_candidates_come_with_what_they_are_called_and_how_well_known_they_are(
    service: str, api: Misbehaving
) -> None:
    graph = wikidata(service, api)
    london, ontario, bridge = items(await graph.candidates("London"))
    assert [each.entity.id for each in (london, ontario, bridge)] == ["Q20", "Q200", "Q201"]
    assert london.entity.description == "capital of the United Kingdom"
    assert london.entity.url == "https://www.wikidata.org/wiki/Q20"
    assert (london.links, ontario.links) == (22_500, 400)
    assert london.match == ontario.match == 1.0 > bridge.match > 0
    (by_alias,) = items(await graph.candidates("Charles Chaplin"))
    assert (by_alias.entity.label, by_alias.matched, by_alias.match) == ("Charlie Chaplin", "Charles Chaplin", 0.95)
    pages = {each.entity.id: each.is_page for each in items(await graph.candidates("Chaplin"))}
    assert pages == {"Q50": True}
    assert [each.is_page for each in items(await graph.candidates("Wikimedia Deutschland"))] == [False]


async def test_what_no_name_begins_with_is_sought_in_the_full_text(service: str, api: Misbehaving) -> None:
    graph = wikidata(service, api)
    (found,) = items(await graph.candidates("Kingdom"))
    assert (found.entity.id, found.matched) == ("Q30", "United Kingdom")
    assert await graph.candidates("Kalinka") == Nothing()
    sought = [seen.params["srsearch"] for seen in api.seen if "srsearch" in seen.params]
    assert sought == ["kingdom", "kalinka"]
    await graph.candidates('haswbstatement:P31=Q5 OR -intitle:"x" insource:/y/')
    assert api.seen[-1].params["srsearch"] == "haswbstatement p31 q5 or intitle x insource y"


async def test_names_are_in_the_claims_language_and_in_english_where_it_has_none(
    service: str, api: Misbehaving
) -> None:
    german = wikidata(service, api, language="de")
    known = items(await german.entities(["Q30", "Q20", "Q21", "Q10"]))
    assert [each.label for each in known] == ["Vereinigtes Königreich", "London", "Bristol", "Charlie Chaplin"]
    assert known[-1].description == "englischer Schauspieler"
    french = german.in_language("fr")
    assert [each.entity.id for each in items(await french.candidates("Londres"))] == ["Q20"]
    assert [each.entity.id for each in items(await french.candidates("United Kingdom"))] == ["Q30"]


@pytest.mark.parametrize(
    ("tag", "sent"),
    [
        ("de-DE", "de|en|mul"),
        ("de_AT", "de-at|de|en|mul"),
        ("pt-BR", "pt-br|pt|en|mul"),
        ("zh-Hant-TW", "zh-hant|zh|en|mul"),
        ("en-US", "en|mul"),
    ],
)
async def test_languages_are_sent_by_codes_that_wikidata_knows(
    service: str, api: Misbehaving, tag: str, sent: str
) -> None:
    graph = wikidata(service, api, language=tag)
    items(await graph.candidates("London"))
    asked = [seen.params for seen in api.seen]
    assert {each["languages"] for each in asked if "languages" in each} == {sent}
    assert {each["language"] for each in asked if "language" in each} <= {sent.partition("|")[0], "en"}


async def test_redirected_and_deleted_items_are_what_they_are(service: str, api: Misbehaving) -> None:
    graph = wikidata(service, api)
    asked = ["Q99", "Q20", "Q10", "Q404", "no id", "Q9999999999"]
    assert [each.id for each in items(await graph.entities(asked))] == ["Q10", "Q20"]
    assert api.seen[-1].params["ids"] == "Q10|Q20|Q404|Q99"  # an id beyond all ids would fail the whole call
    assert await graph.entities(["Q404"]) == Nothing()


async def test_fifty_items_a_call(service: str, api: Misbehaving) -> None:
    with metered() as meter:
        await wikidata(service, api).entities([f"Q{number}" for number in range(1, 121)])
    assert sorted(len(seen.params["ids"].split("|")) for seen in api.seen) == [20, 50, 50]
    assert (meter.total.entity_searches, meter.total.kg_queries) == (3, 0)


async def test_triples_come_from_the_query_service_and_names_from_the_api(service: str, api: Misbehaving) -> None:
    graph = wikidata(service, api)
    (citizenship,) = items(await graph.triples([entity("Q10")], [(relation("P27"), "out")], 5))
    assert (citizenship.subject.label, citizenship.object.label) == ("Charlie Chaplin", "United Kingdom")
    assert citizenship.relation.label == "country of citizenship"
    assert citizenship.source.url == "https://www.wikidata.org/wiki/Q10"
    mayors = items(await graph.triples([entity("Q20")], [(relation("P6"), "out")], 5))
    assert {each.object.label for each in mayors} == {"Q41", "Q42"}  # deleted since: the fact stays, with its id


async def test_a_claim_is_linked(service: str, api: Misbehaving) -> None:
    linked = await link(read_claim("Charlie Chaplin was born in London."), wikidata(service, api))
    assert not isinstance(linked, Failed)
    assert ids(each.candidates[0].entity for each in linked.mentions) == {"Q10", "Q20"}


async def test_both_ways_of_counting_gather_the_same_evidence(service: str, api: Misbehaving) -> None:
    evidence: dict[Counting, set[Any]] = {}
    for counting in COUNTINGS:
        state = BeliefState(claim=read_claim("It is so."), frontier=tuple(map(entity, ("Q10", "Q20", "Q21", "Q22"))))
        with metered() as meter:
            await expand(wikidata(service, api), ScriptedReasoner(), state, Beam(counting=counting), hops=2)
        assert state.hops == 2
        assert meter.total.kg_queries == (4 if counting == "batched" else 2 * len(state.expanded))
        evidence[counting] = {each.key for _, each in state.evidence.triples()}
    assert evidence["batched"] == evidence["faithful"]
    assert len(evidence["batched"]) > 10


MAXLAG = json.dumps(error("maxlag", "Waiting for 10.64.48.35: 5.3 seconds lagged.", lag=5.3, type="db"))


async def test_a_server_that_lags_is_asked_again_after_the_time_it_names(service: str, api: Misbehaving) -> None:
    api.on("/w/api.php", reply(MAXLAG, headers={"Retry-After": "5"}), action_api(ITEMS))
    assert [each.id for each in items(await wikidata(service, api).entities(["Q20"]))] == ["Q20"]
    assert len(api.seen) == 2


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (reply(MAXLAG), "maxlag (Waiting for 10.64.48.35"),
        (reply(json.dumps(error("ratelimited", "You've exceeded your rate limit."))), "ratelimited"),
        (reply(json.dumps(error("readonly", "a\n\u202e<b>\x00"))), "readonly (a <b>)"),
        (reply(json.dumps({"errors": [{"code": "no-such-entity", "text": "No"}]})), "no-such-entity (No)"),
        (reply(json.dumps({"error": "odd"})), "unknown"),
        (reply(json.dumps({"success": 1})), "another question"),
        (reply(json.dumps({"search": None, "entities": None, "query": None})), "another question"),
        (reply("[]"), "no answer"),
        (reply("null"), "no answer"),
        (reply('{"entities": {"Q20"'), "cut off"),
        (reply("<html>", "text/html"), "text/html"),
        (reply(""), "empty"),
        (refuse(403), "403"),
        (refuse(500), "500"),
    ],
)
async def test_what_goes_wrong_is_a_failure_with_its_reason(
    service: str, api: Misbehaving, behaviour: Any, reason: str
) -> None:
    api.on("/w/api.php", behaviour)
    graph = wikidata(service, api)
    for outcome in (
        await graph.candidates("London"),
        await graph.entities(["Q20"]),
        await graph.triples([entity("Q10")], [(relation("P27"), "out")], 5),
    ):
        assert isinstance(outcome, Failed)
        assert reason in outcome.reason
        assert "\n" not in outcome.reason


async def test_an_answer_that_leaves_items_out_is_asked_for_the_rest(service: str, api: Misbehaving) -> None:
    """The API cuts an answer that grows too large, and only warns of it."""
    half = {"entities": {"Q20": {"id": "Q20", "labels": {"en": {"value": "London"}}}}, "warnings": {}, "success": 1}
    api.on("/w/api.php", reply(json.dumps(half)), action_api(ITEMS))
    known = items(await wikidata(service, api).entities(["Q20", "Q30"]))
    assert [each.label for each in known] == ["London", "United Kingdom"]
    api.on("/w/api.php", reply(json.dumps(half)))
    outcome = await wikidata(service, api).entities(["Q20", "Q30"])
    assert isinstance(outcome, Failed)
    assert "sent nothing of 1 items" in outcome.reason


async def test_hits_without_ids_are_a_failure(service: str, api: Misbehaving) -> None:
    api.on("/w/api.php", reply(json.dumps({"search": [{"label": "London"}, None, {"id": "Lexeme:L1"}]})))
    outcome = await wikidata(service, api).candidates("London")
    assert isinstance(outcome, Failed)
    assert "hits without ids" in outcome.reason


async def test_a_hit_needs_no_more_than_its_id(service: str, api: Misbehaving) -> None:
    bare = {"search": [{"id": "Q20"}, {"id": "Q20"}, {"id": None}, {"id": "Q21", "match": [], "label": 5}]}
    api.on("/w/api.php", reply(json.dumps(bare)), action_api(ITEMS))
    (found,) = items(await wikidata(service, api).candidates("London"))
    assert (found.entity.id, found.matched) == ("Q20", "London")


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_labels_are_data(service: str, api: Misbehaving, text: str) -> None:
    api.on("/w/api.php", action_api({"Q30": Item({"en": text}, {"en": text}, {"en": (text,)})}))
    graph = wikidata(service, api)
    (known,) = items(await graph.entities(["Q30"]))
    assert (known.label, known.description) == (text, text)
    (found,) = items(await graph.triples([entity("Q10")], [(relation("P27"), "out")], 5))
    assert found.object.label == text


async def test_the_scholarly_graph_is_another_address() -> None:
    client = ScriptedHttp(lambda _: Unanswered("no"))
    await open_wikidata(client, CONTACT, endpoint="https://query-scholarly.example/sparql").relations([entity("Q1")])
    assert {request.url for request in client.sent} == {"https://query-scholarly.example/sparql"}


def test_an_address_that_is_none_is_told_at_once() -> None:
    with pytest.raises(NotConfigured, match="https://"):
        open_wikidata(LoopbackHttp(), CONTACT, api="www.wikidata.org/w/api.php")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=9)
    | st.sampled_from(["Q20", "Q99", "London", "alias"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                re.findall(
                    r"\S+",
                    "entities search query id Q20 Q30 labels descriptions aliases sitelinks en value match text type "
                    "title redirects from to missing error code",
                )
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@given(st.lists(JSON, min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_whatever_the_api_answers_nothing_raises(documents: list[Any]) -> None:
    turn = iter(range(10_000))

    def answer(_: Request) -> bytes | Answer | Unanswered:
        number = next(turn)
        return json.dumps(documents[number % len(documents)]).encode() if number < 40 else Unanswered("enough")

    graph = open_wikidata(ScriptedHttp(answer), CONTACT)

    async def ask() -> None:
        for outcome in (
            await graph.candidates("London"),
            await graph.entities(["Q20", "Q30"]),
            await graph.in_language("de").candidates("Q20"),
        ):
            assert isinstance(outcome, (Found, Nothing, Failed))
            for each in outcome.items if isinstance(outcome, Found) else ():
                each.model_dump_json()

    asyncio.run(ask())
