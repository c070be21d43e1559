"""The page as the service renders it: what it shows, what it escapes, what it links to."""

import datetime as dt
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from checked_results import ATTACK, checked
from wkgfc.claim import Veracity, read_claim, visible_text
from wkgfc.config import load_settings
from wkgfc.documents.claims import claims_of
from wkgfc.evidence import Entity, EvidenceGraph, Relation, Source, Triple
from wkgfc.result import CheckResult, EarlierCheck
from wkgfc.serve.api.texts import report_of
from wkgfc.serve.app import make_app
from wkgfc.serve.page.assets import load_assets
from wkgfc.serve.page.drawing import MAX_NODES, elements, size, topic_entities
from wkgfc.serve.page.rendering import Renderer, per_cent
from wkgfc.serve.page.text_page import text_values
from wkgfc.serve.page.views import AROUND, excerpt, stages
from wkgfc.serve.service import Service
from wkgfc.state import InitKGRetrieval, Observation, SearchWeb, Step
from wkgfc.usage import Usage


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, tag: str, name: str) -> list[str]:
        return [attributes[name] or "" for each, attributes in self.found if each == tag and name in attributes]


class Site:
    """The pages of a service whose workers do not run, and what is put into it."""

    def __init__(self, folder: Path, **given: Any) -> None:
        app = make_app(load_settings(serve_dir=folder, serve_workers=0, **given))
        self.service: Service = app.state.service
        self.http = TestClient(app, base_url="http://127.0.0.1")

    def page(self, path: str, status: int = 200) -> Elements:
        answer = self.http.get(path)
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"].startswith("text/html")
        return Elements(answer.text)

    def finished(self, result: CheckResult) -> str:
        """The id of a check that is done with this result."""
        (job,) = self.service.jobs.add([result.claim])
        self.service.jobs.start(job.id)
        self.service.jobs.finish(job.id, result.to_json(trace=True))
        return job.id


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    one = Site(tmp_path)
    yield one
    one.service.jobs.close()


def step(number: int, outcome: Any = "found", **given: Any) -> Step:
    return Step(
        number=number,
        action=given.get("action", InitKGRetrieval()),
        reason="it is the first",
        observation=Observation(id=f"S{number}", outcome=outcome, text="what came of it", **given.get("observed", {})),
        started_at=dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
        seconds=given.get("seconds", 0.5),
        usage=given.get("usage", Usage()),
    )


def test_a_finished_check_shows_verdict_reasons_evidence_and_steps_without_scripts(
    site: Site, result: CheckResult
) -> None:
    page = site.page(f"/checks/{site.finished(result)}")
    text = " ".join(page.text.split())
    for part in (
        "Charlie Chaplin was born in 1890.", "said by A speaker", "made on 1 January 2020", "Refuted", "90 %",
        "He was born in 1889.", "other years", "start time 16 June 1943", "How it came to this", "0.10 s in all",
    ):  # fmt: skip
        assert part in text
    assert {"#e-K1", "#e-W1"} <= set(page.values("a", "href"))
    ids = [attributes["id"] for _, attributes in page.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {"e-K1", "e-K2", "e-W1", "e-S1"} <= set(ids)


def test_what_fact_checkers_said_before_stands_beside_the_verdict(site: Site, result: CheckResult) -> None:
    said = {
        "claim": ATTACK,
        "rating": "Mostly false",
        "url": "https://facts.example/1",
        "reviewed_on": dt.date(2020, 5, 1),
    }
    checks = (EarlierCheck(**said), EarlierCheck(**said | {"url": "javascript:alert(1)", "publisher": ATTACK}))
    page = site.page(f"/checks/{site.finished(result.model_copy(update={'earlier_checks': checks}))}")
    assert "Mostly false, facts.example" in " ".join(page.text.split())
    assert "1 May 2020" in page.text
    assert "https://facts.example/1" in page.values("a", "href")
    assert not [address for address in page.values("a", "href") if address.startswith("javascript")]
    assert "What fact-checkers" not in site.page(f"/checks/{site.finished(result)}").text


def test_the_deciding_quote_is_marked_where_it_stands(site: Site, result: CheckResult) -> None:
    long = "A beginning. " * 60 + "Chaplin was born in 1890." + " An end." * 60
    evidence = tuple(
        each.model_copy(update={"text": long, "quote": "Chaplin was born in 1890."}) if each.id == "W1" else each
        for each in result.evidence
    )
    answer = site.http.get(f"/checks/{site.finished(result.model_copy(update={'evidence': evidence}))}").text
    assert "A beginning. <mark>Chaplin was born in 1890.</mark> An end." in answer
    assert "The whole passage" in answer


@given(st.text(), st.text(min_size=1), st.text())
def test_an_excerpt_is_a_stretch_of_its_text_with_the_quote_whole(before: str, quote: str, after: str) -> None:
    text = before + quote + after
    shown = excerpt(text, quote)
    assert shown.quote == quote
    assert shown.before + shown.quote + shown.after in text
    assert len(shown.before) <= AROUND
    assert len(shown.after) <= AROUND
    assert (shown.whole or shown.before + shown.quote + shown.after) == text


def test_a_quote_that_is_not_in_its_text_marks_nothing() -> None:
    shown = excerpt("What the page says.", "What it does not say.")
    assert (shown.before, shown.quote) == ("What the page says.", "")


def test_hostile_texts_are_shown_and_nothing_of_them_is_markup(site: Site, hostile: CheckResult) -> None:
    check = site.finished(hostile)
    site.http.post(f"/v1/checks/{check}/corrections", json={"evidence": "K1", "note": ATTACK}).raise_for_status()
    for path in (f"/checks/{check}", "/", "/history", f"/history?query={quote(ATTACK)}"):
        page = site.page(path)
        assert all(src.startswith("/static/") for src in page.values("script", "src"))
        assert all("src" in attributes for tag, attributes in page.found if tag == "script")
        assert not page.values("a", "onclick")
        assert not {tag for tag, _ in page.found} & {"iframe", "object", "embed", "style", "base", "img"}
        assert not [name for _, attributes in page.found for name in attributes if name.startswith("on")]
        assert not [name for _, attributes in page.found for name in attributes if name == "style"]
        for href in page.values("a", "href"):
            assert href.startswith(("/", "#", "https://", "http://"))
        assert "\u202e" not in page.text
        assert "\x1b" not in page.text
    assert "<script>alert(1)</script>" in site.page(f"/checks/{check}").text  # as text


@given(st.text(max_size=200))
def test_no_text_becomes_markup_and_what_is_seen_of_it_stays(text: str) -> None:
    renderer = Renderer(load_assets())
    plain = Elements(renderer.render("refused.html", root="", here="", title="title", text=""))
    page = Elements(renderer.render("refused.html", root="", here="", title="title", text=f"[{text}]"))
    assert [tag for tag, _ in page.found] == [tag for tag, _ in plain.found]
    assert f"[{visible_text(text)}]" in page.text


def test_only_addresses_of_the_web_are_links_and_they_tell_nothing(site: Site, result: CheckResult) -> None:
    page = site.page(f"/checks/{site.finished(result)}")
    outside = [attributes for tag, attributes in page.found if tag == "a" and "://" in (attributes["href"] or "")]
    assert outside
    assert {attributes["rel"] for attributes in outside} == {"noopener noreferrer nofollow"}


def test_the_policy_lets_nothing_inline_and_nothing_from_elsewhere(site: Site, result: CheckResult) -> None:
    answer = site.http.get(f"/checks/{site.finished(result)}")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_what_failed_and_what_was_held_back_is_said(site: Site, result: CheckResult) -> None:
    check = site.finished(
        result.model_copy(
            update={
                "errors": ("S2: the endpoint answered 503",),
                "flags": ("injection", "held_back:3 from fact-checking sites", "held_back:1 published after the claim"),
            }
        )
    )
    text = " ".join(site.page(f"/checks/{check}").text.split())
    assert "What failed S2: the endpoint answered 503" in text
    assert "A page tried to give orders" in text
    assert "Held back: 3 passages from fact-checking sites." in text
    assert "Held back: 1 passage published after the claim." in text


@pytest.mark.parametrize("veracity", Veracity)
def test_every_verdict_has_its_colour_its_icon_and_its_words(
    site: Site, result: CheckResult, veracity: Veracity
) -> None:
    html = site.http.get(f"/checks/{site.finished(result.model_copy(update={'veracity': veracity}))}").text
    assert re.search(rf'<h2 id="verdict">{veracity}</h2>', html, re.IGNORECASE)
    assert 'class="verdict-word"><svg class="icon"' in html


def test_without_a_verdict_there_is_the_reason_and_no_confidence(site: Site) -> None:
    text = site.page(f"/checks/{site.finished(checked('', None, None))}").text
    assert "An error is not a verdict." in text
    assert "S1: the model gave no answer" in text
    assert "confidence" not in text.replace("no confidence", "")


def test_a_running_check_shows_its_steps_and_goes_on_where_they_end(site: Site) -> None:
    jobs = site.service.jobs
    (job,) = jobs.add([read_claim("Nepal borders China.")])
    assert "Waiting" in site.page(f"/checks/{job.id}").text
    jobs.start(job.id)
    jobs.note(
        job.id, "step", step(1, "failed", observed={"reason": "the endpoint answered 503"}).model_dump(mode="json")
    )
    action = SearchWeb(query="<b>borders</b>").model_dump(mode="json")
    jobs.note(job.id, "step_started", {"number": 2, "action": action, "reason": "it is missing"})
    page = site.page(f"/checks/{job.id}")
    assert page.values("ol", "data-seq") == ["4"]
    assert page.values("meta", "http-equiv") == ["refresh"]  # inside of noscript
    text = " ".join(page.text.split())
    assert "Failed: what came of it" in text
    assert "the endpoint answered 503" in text
    assert "Search for “<b>borders</b>” Why: it is missing" in text


def test_failed_and_cancelled_checks_say_so(site: Site) -> None:
    jobs = site.service.jobs
    failed, cancelled = jobs.add([read_claim("Nepal borders China."), read_claim("It does not.")])
    jobs.fail(failed.id, "given up after 60 seconds")
    jobs.cancel(cancelled.id)
    assert "given up after 60 seconds" in site.page(f"/checks/{failed.id}").text
    assert "The check was stopped before its end." in site.page(f"/checks/{cancelled.id}").text


def test_history_is_searched_and_goes_back(site: Site) -> None:
    jobs = site.service.jobs
    jobs.add([read_claim(f"Claim number {number} is a claim.") for number in range(60)])
    jobs.add([read_claim("Nepal borders China.")])
    found = site.page("/history?query=nepal")
    assert "Nepal borders China." in found.text
    assert "number 59" not in found.text
    first = site.page("/history")
    (older,) = [href for href in first.values("a", "href") if "before=" in href]
    assert "Claim number 0 is a claim." in site.page(older).text
    assert "No claim has “zzz”" in site.page("/history?query=zzz").text


def test_a_correction_is_shown_beside_the_check(site: Site, result: CheckResult) -> None:
    check = site.finished(result)
    sent = {"veracity": "Supported", "evidence": "W1", "note": "Read it again."}
    site.http.post(f"/v1/checks/{check}/corrections", json=sent).raise_for_status()
    text = " ".join(site.page(f"/checks/{check}").text.split())
    assert "The verdict should be Supported. W1 does not say what it is cited for. Read it again." in text


def test_a_result_is_taken_along_in_every_form(tmp_path: Path, result: CheckResult) -> None:
    site = Site(tmp_path, publisher_name="The Desk", publisher_url="https://desk.example")
    check = site.finished(result)
    links = {href for href in site.page(f"/checks/{check}").values("a", "href") if "/export/" in href}
    assert len(links) == 9
    for link in links:
        answer = site.http.get(link)
        assert answer.status_code == 200
        assert answer.headers["content-disposition"].startswith(f'attachment; filename="{check}.')
    whole = site.http.get(f"/checks/{check}/export/json").json()
    assert CheckResult.model_validate(whole) == result
    review = site.http.get(f"/checks/{check}/export/claimreview").json()
    assert review["url"] == f"http://127.0.0.1/checks/{check}"
    site.service.jobs.close()


def test_a_form_that_cannot_be_had_is_not_offered_and_says_why(site: Site, result: CheckResult) -> None:
    check = site.finished(result)
    assert not [href for href in site.page(f"/checks/{check}").values("a", "href") if "claimreview" in href]
    assert "publisher_name" in site.page(f"/checks/{check}/export/claimreview", 409).text
    site.page(f"/checks/{check}/export/nothing", 404)


def test_what_is_not_there_is_said_on_a_page(site: Site) -> None:
    for path in ("/checks/none", "/texts/none", "/history?before=none", "/checks/none/export/json"):
        assert "There is no such" in site.page(path, 404).text
    assert site.http.get("/checks/none/graph").status_code == 404
    assert site.http.get("/static/..%2f..%2froutes.py").status_code == 404
    assert site.http.get("/static/cytoscape.LICENSE").status_code == 404


def test_a_text_of_which_a_check_was_removed_says_so(site: Site) -> None:
    text = "Nepal borders China. It is high."
    sentences = [each.model_dump(mode="json") for each in claims_of(text)]
    about: dict[str, Any] = {
        "text": text,
        "title": None,
        "date": None,
        "sentences": sentences,
        "numbers": [0],
        "notes": [],
        "usage": {},
    }
    jobs = site.service.jobs
    batch = jobs.add_batch("text", [read_claim(text[:20])], [0], about)
    page = site.page(f"/texts/{batch.id}")
    assert page.values("a", "href").count("#c1") == 1
    assert "0 of 1 claims checked" in page.text
    kept = jobs.add_batch("text", [read_claim("It is high.")], [0], {**about, "numbers": [0, 1]})
    assert "not whole any more" in site.page(f"/texts/{kept.id}", 410).text


def test_claims_that_share_words_show_the_text_once(site: Site) -> None:
    text = "Ada was born in 1889 and died in 1977. What a life! So be it."
    first, second, third = (each.model_dump(mode="json") for each in claims_of(text))
    within = {**first, "end": 20, "text": text[:20]}
    about: dict[str, Any] = {
        "text": text,
        "title": None,
        "date": None,
        "sentences": [first, within, {**within, "standing": "unclear"}, second, third],
        "numbers": [0, 1],
        "notes": [],
        "usage": {},
    }
    batch = site.service.jobs.add_batch("text", [read_claim(text[:38]), read_claim(text[:20])], [0, 1], about)
    values = text_values(batch, report_of(batch))

    assert "".join(each.text for each in values["stretches"]) == f"{text[:38]}[2]{text[38:]}"
    assert [each.number for each in values["stretches"] if each.number] == [1, 2]


def test_files_are_kept_by_their_content(site: Site) -> None:
    page = site.page("/")
    (style,) = [href for href in page.values("link", "href") if "page.css" in href]
    answer = site.http.get(style)
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]


def test_the_graph_is_numbers_kinds_and_hops(site: Site, result: CheckResult) -> None:
    drawn = site.http.get(f"/checks/{site.finished(result)}/graph").json()
    nodes = {node["data"]["label"]: node["data"] for node in drawn["nodes"]}
    assert nodes["Charlie Chaplin"]["kind"] == "topic"
    assert nodes["16 April 1889"]["kind"] == "value"
    assert nodes["Oona O'Neill"]["hop"] == 1
    assert nodes["Charlie Chaplin"]["evidence"] == ["K1", "K2"]
    assert nodes["W1: Chaplin was born in 1890."]["evidence"] == ["W1"]
    kinds = [edge["data"]["kind"] for edge in drawn["edges"]]
    assert kinds == ["kg", "kg", "annotation", "contradiction"]
    assert [edge["data"]["against"] for edge in drawn["edges"]] == [True, False, False, True]
    assert {node["data"]["id"] for node in drawn["nodes"]} == {"n0", "n1", "n2", "n3"}


def test_a_node_s_address_is_of_the_web_or_none(hostile: CheckResult) -> None:
    assert {node["data"]["address"] for node in elements(hostile)["nodes"]} == {None}


def large(result: CheckResult, number: int) -> CheckResult:
    """A result whose graph has ``number`` statements of things that nothing joins; the last one is cited."""
    graph = EvidenceGraph()
    for each in range(number):
        graph.add_kg_triple(
            Triple(
                subject=Entity(id=f"Q{2 * each + 1}", label=f"thing {each}"),
                relation=Relation(id="P361", label="part of"),
                object=Entity(id=f"Q{2 * each + 2}", label=f"whole {each}"),
                source=Source(name="test"),
            ),
            hop=1,
        )
    last = result.evidence[0].model_copy(update={"id": f"K{number}", "used": True})
    return result.model_copy(update={"graph": graph.to_record(), "evidence": (last,)})


def test_a_large_graph_is_cut_to_what_is_cited_first_and_says_so(site: Site, result: CheckResult) -> None:
    cut = large(result, 150)
    drawn = elements(cut)
    assert (len(drawn["nodes"]), drawn["all"]) == (MAX_NODES, 300)
    assert "thing 149" in {node["data"]["label"] for node in drawn["nodes"]}
    names = {node["data"]["id"] for node in drawn["nodes"]}
    assert all({edge["data"]["source"], edge["data"]["target"]} <= names for edge in drawn["edges"])
    assert (size(cut).nodes, size(cut).edges, size(cut).all) == (MAX_NODES, len(drawn["edges"]), 300)
    assert "200 of 300 nodes are drawn" in site.page(f"/checks/{site.finished(cut)}").text


def test_topic_entities_are_those_of_the_claim_or_those_that_the_first_hop_shares(result: CheckResult) -> None:
    assert result.graph is not None
    assert topic_entities(result.graph, "Charlie Chaplin was born.") == {"entity:Q882"}
    assert topic_entities(result.graph, "The Tramp was born.") == {"entity:Q882"}  # both statements are of him


def test_a_timeline_shows_shares_of_the_time_and_what_was_used() -> None:
    first, second = stages([step(1, seconds=3.0, usage=Usage(kg_queries=2)), step(2, seconds=1.0)])
    assert (first.start, first.width, second.start, second.width) == (0.0, 75.0, 75.0, 25.0)
    assert first.used == ("2 graph queries",)


@pytest.mark.parametrize(
    ("share", "words"), [(0.0, "0 %"), (0.001, "under 1 %"), (0.5, "50 %"), (0.999, "over 99 %"), (1.0, "100 %")]
)
def test_nearly_sure_is_not_sure(share: float, words: str) -> None:
    assert per_cent(share) == words
