"""Earlier fact-checks: what is asked, how an answer is read, every fault, and that no verdict rests on them."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from rich.console import Console

from loopback_http import ScriptedHttp
from misbehaving import JSON, Behaviour, Misbehaving, bomb, cut, hang_up, redirect, refuse, reply
from small_world import World
from wkgfc.checker import FactChecker
from wkgfc.claim import read_claim
from wkgfc.config import load_settings
from wkgfc.errors import NotConfigured
from wkgfc.exports.notebook import result_html
from wkgfc.http import Request
from wkgfc.http.client import LiveHttp
from wkgfc.liveness import probe_all
from wkgfc.recording import STANDS_FOR
from wkgfc.render import result_view
from wkgfc.result import CheckResult, EarlierCheck
from wkgfc.state import Failed, Found, Nothing, Retrieved
from wkgfc.web.earlier_checks import KEY, GoogleFactCheck

PATH = "/v1alpha1/claims:search"
SECRET = SecretStr("key-that-nobody-may-see")
CLAIM = read_claim("Ada Verne was born in Turin.")


def review(number: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "publisher": {"name": "The Desk", "site": "desk.example"},
        "url": f"https://desk.example/{number}",
        "title": "Where was she born?",
        "reviewDate": "2021-03-04T10:00:00Z",
        "textualRating": "False",
        "languageCode": "en",
        **changes,
    }


def claim(*reviews: Any, **changes: Any) -> dict[str, Any]:
    return {
        "text": "Ada Verne comes from Turin",
        "claimant": "Bo Lind",
        "claimDate": "2021-03-01T00:00:00Z",
        "claimReview": list(reviews) or [review()],
        **changes,
    }


def answer(*claims: Any) -> Behaviour:
    return reply(json.dumps({"claims": list(claims), "nextPageToken": "x"}), JSON)


def checks(got: Retrieved[EarlierCheck]) -> list[EarlierCheck]:
    assert isinstance(got, Found), got
    return list(got.items)


@pytest.fixture
def lookup(server: Misbehaving, http: LiveHttp) -> GoogleFactCheck:
    return GoogleFactCheck(http, SECRET, url=server.url(PATH))


async def test_what_is_sent_and_what_is_read(server: Misbehaving, lookup: GoogleFactCheck) -> None:
    server.on(PATH, answer(claim()))

    (check,) = checks(await lookup.search(CLAIM))

    assert server.seen[0].params == {
        "query": CLAIM.text,
        "languageCode": "en",
        "pageSize": "10",
        "key": SECRET.get_secret_value(),
    }
    assert check == EarlierCheck(
        claim="Ada Verne comes from Turin",
        claimant="Bo Lind",
        claimed_on=dt.date(2021, 3, 1),
        rating="False",
        publisher="The Desk",
        title="Where was she born?",
        url="https://desk.example/1",
        reviewed_on=dt.date(2021, 3, 4),
        language="en",
    )


async def test_the_limit_holds_the_order_stays_and_a_page_comes_once(
    server: Misbehaving, lookup: GoogleFactCheck
) -> None:
    server.on(PATH, answer(claim(review(1), review(2)), claim(review(1)), *(claim(review(n)) for n in range(3, 20))))

    assert [check.url[-2:] for check in checks(await lookup.search(CLAIM))] == ["/1", "/2", "/3", "/4", "/5"]


@pytest.mark.parametrize("body", ["{}", '{"claims": []}', '{"claims": null}'])
async def test_no_claims_are_nothing(server: Misbehaving, lookup: GoogleFactCheck, body: str) -> None:
    server.on(PATH, reply(body, JSON))
    assert await lookup.search(CLAIM) == Nothing()


@pytest.mark.parametrize("junk", [None, 1, [], {}, True, "", "   ", "\u200b"])
@pytest.mark.parametrize("place", ["claim", "review"])
async def test_every_field_may_be_of_any_type(
    server: Misbehaving, lookup: GoogleFactCheck, junk: Any, place: str
) -> None:
    broken = (
        [claim(**{field: junk}) for field in claim()]
        if place == "claim"
        else [claim(review(**{field: junk})) for field in review()]
    )
    server.on(PATH, answer(*broken, junk, claim(review(7))))

    got = checks(await lookup.search(CLAIM, 50))

    assert got[-1].url == "https://desk.example/7"
    assert all(check.rating and check.claim and check.url.startswith("https://") for check in got)


async def test_text_from_outside_is_made_legible_and_addresses_are_of_the_web(
    server: Misbehaving, lookup: GoogleFactCheck
) -> None:
    hostile = review(textualRating="<b>Fal\u202ese</b>\u200b &amp; worse", title="x" * 5_000)
    server.on(PATH, answer(claim(review(url="javascript:alert(1)"), review(url="file:///etc/passwd"), hostile)))

    (check,) = checks(await lookup.search(CLAIM))

    assert check.rating == "False & worse"
    assert len(check.title or "") == 300


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (refuse(400, body='{"error": {"message": "API key not valid."}}'), f"the key was refused (400): check {KEY}"),
        (refuse(403, body='{"error": {"message": "API has not been used"}}'), f"refused (403): check {KEY}"),
        (refuse(429), "the limit of requests is reached (429)"),
        (refuse(400, body='{"error": {"message": "Bad\\nlanguage"}}'), "answered 400 (Bad Request) (Bad language)"),
        (refuse(404), "answered 404"),
        (refuse(500), "answered 500"),
        (refuse(503), "answered 503"),
        (redirect(PATH), "redirected more than"),
        (hang_up(), "cut off"),
        (cut(b'{"claims"', JSON), "cut off"),
        (bomb(5_000_000, JSON), "sent more than"),
        (reply(b"<html>", "text/html"), "and not"),
        (reply(b"", JSON), "an empty answer"),
        (reply(b"no json", JSON), "no JSON"),
        (reply(b"[" * 100_000, JSON), "no JSON"),
        (reply(b"[1]", JSON), "another form"),
        (reply(b'{"error": "gone"}', JSON), "another form"),
        (reply(b'{"claims": "none"}', JSON), "no list"),
        (reply(b'{"claims": [{"claim": 1}, 2]}', JSON), "none of 2 can be read"),
    ],
)  # fmt: skip
async def test_a_fault_is_a_failure_and_not_nothing(
    server: Misbehaving, lookup: GoogleFactCheck, behaviour: Behaviour, said: str
) -> None:
    server.on(PATH, behaviour)

    got = await lookup.search(CLAIM)

    assert isinstance(got, Failed)
    assert got.reason.startswith("google-factcheck")
    assert said in got.reason
    assert "\n" not in got.reason
    assert SECRET.get_secret_value() not in got.reason


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda each: st.lists(each) | st.dictionaries(st.text(), each), max_leaves=20))  # fmt: skip  # noqa: E501
async def test_no_answer_breaks_it(content: Any) -> None:
    http = ScriptedHttp(lambda request: json.dumps({"claims": [content, claim(content), claim(review(url=content))]}).encode())  # fmt: skip  # noqa: E501
    assert isinstance(await GoogleFactCheck(http, SECRET).search(CLAIM), Found | Failed)


def answered(request: Request) -> bytes:
    return json.dumps({"claims": [claim(review(textualRating="True <b>"))]}).encode()


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, SECRET.get_secret_value())


@pytest.mark.usefixtures("key")
def test_they_stand_beside_a_verdict_that_does_not_see_them(world: World) -> None:
    http = ScriptedHttp(answered)
    given: dict[str, Any] = {"kg": world.kg, "web": world.web}

    beside = FactChecker(load_settings(**given, earlier_checks=True), http=http).check(CLAIM)
    alone = FactChecker(load_settings(**given)).check(CLAIM)

    assert beside.earlier_checks is not None
    assert [check.rating for check in beside.earlier_checks] == ["True"]
    assert alone.earlier_checks is None
    assert (beside.veracity, beside.confidence, beside.evidence) == (alone.veracity, alone.confidence, alone.evidence)
    assert beside.usage.web_searches == alone.usage.web_searches + 1
    assert CheckResult.model_validate_json(beside.model_dump_json()) == beside
    assert "does not rest on" in result_html(beside)
    console = Console(width=200, record=True)
    console.print(result_view(beside))
    assert "The Desk, 2021-03-04: True" in console.export_text()


@pytest.mark.usefixtures("key")
def test_a_look_up_that_fails_is_told_and_changes_nothing_else(world: World) -> None:
    http = ScriptedHttp(lambda request: b"no json")

    result = FactChecker(load_settings(kg=world.kg, web=world.web, earlier_checks=True), http=http).check(CLAIM)

    assert str(result.veracity) == "Refuted"
    assert result.earlier_checks is None
    assert any(error.startswith("earlier checks: google-factcheck: ") for error in result.errors)


@pytest.mark.usefixtures("key")
def test_a_benchmark_asks_for_none(world: World) -> None:
    http = ScriptedHttp(answered)

    result = FactChecker(
        load_settings(kg=world.kg, web=world.web, earlier_checks=True, benchmark=True), http=http
    ).check(CLAIM)

    assert http.sent == []
    assert result.earlier_checks is None


def test_without_a_key_it_is_said_what_to_do(world: World) -> None:
    with pytest.raises(NotConfigured, match=f"set {KEY}"):
        FactChecker(load_settings(kg=world.kg, web=world.web, earlier_checks=True)).open()


@pytest.mark.usefixtures("key")
async def test_the_doctor_asks_it_one_question(world: World) -> None:
    settings = load_settings(kg=world.kg, web=world.web, earlier_checks=True)

    (answer,) = await probe_all(settings, http=ScriptedHttp(answered))

    assert (answer.source, answer.works, answer.text) == ("earlier checks", True, "found a check by The Desk")


@pytest.mark.usefixtures("key")
def test_a_recorded_look_up_is_run_again_without_a_key(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wkgfc.http.cassette import Recorder
    from wkgfc.recording import note_check, note_result, read_run

    path = tmp_path / "run.jsonl.gz"
    settings = load_settings(kg=world.kg, web=world.web, earlier_checks=True)
    recorder = Recorder(path)
    note_check(recorder, CLAIM, settings)
    first = FactChecker(settings, http=ScriptedHttp(answered), recorder=recorder).check(CLAIM)
    note_result(recorder, first)
    recorder.close()
    monkeypatch.delenv(KEY)

    run = read_run(path)
    again = FactChecker(run.settings(), http=run.http()).check(run.claim)

    assert run.settings().google_factcheck_api_key == SecretStr(STANDS_FOR)
    assert again.earlier_checks == first.earlier_checks
    assert SECRET.get_secret_value().encode() not in path.read_bytes()
