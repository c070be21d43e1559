"""The HTTP API: asked over a real connection, with a scripted checker behind it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scripted_checker import ScriptedChecker
from serving import Served, served
from wkgfc.result import CheckResult
from wkgfc.serve.gate import SAFE_METHODS

TEXT = "Nepal borders China. I like it there. Charlie Chaplin was born in London in 1889."


@pytest.fixture(autouse=True)
def _gate() -> Iterator[None]:
    ScriptedChecker.gate.clear()
    yield
    ScriptedChecker.gate.set()


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as one:
        yield one


def lines(stream: Iterator[str], kinds: int) -> list[dict[str, str]]:
    """The first events of a stream, as their fields."""
    found: list[dict[str, str]] = [{}]
    for line in stream:
        if not line:
            if len(found) == kinds:
                return found
            found.append({})
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            found[-1][name] = value
    return [each for each in found if each]


def test_a_claim_is_accepted_and_its_result_is_the_contract_s(api: Served) -> None:
    answer = api.http.post("/v1/checks", json={"claim": "Nepal borders China.", "date": "2020-01-02", "speaker": "A"})
    assert answer.status_code == 202
    body = answer.json()
    assert answer.headers["location"] == body["url"] == f"/v1/checks/{body['id']}"
    assert body["state"] in ("queued", "running")
    api.http.get(body["events_url"]).raise_for_status()  # ends when the check does
    done = api.http.get(body["url"]).json()
    result = CheckResult.model_validate(done["result"])
    assert result.claim.model_dump(mode="json") == {
        "text": "Nepal borders China.", "date": "2020-01-02", "speaker": "A", "language": "en",
    }  # fmt: skip
    assert (done["veracity"], done["confidence"]) == (result.veracity, result.confidence)
    assert result.trajectory is not None


def test_who_waits_gets_the_result_at_once_or_is_told_that_there_is_none_yet(api: Served) -> None:
    done = api.http.post("/v1/checks?wait=10", json={"claim": "Nepal borders China."})
    assert (done.status_code, done.json()["state"]) == (200, "done")
    late = api.http.post("/v1/checks?wait=0.05", json={"claim": "They wait."})
    assert (late.status_code, late.json()["state"]) == (202, "running")
    assert api.http.post("/v1/checks?wait=61", json={"claim": "x"}).status_code == 422


def test_a_stream_is_taken_up_again_where_it_broke_off(api: Served) -> None:
    check = api.submit("They wait.", wait=0.01)
    with api.http.stream("GET", check["events_url"]) as stream:
        seen = lines(stream.iter_lines(), 3)
    assert [(each["id"], each["event"]) for each in seen] == [("1", "queued"), ("2", "started"), ("3", "step_started")]
    assert json.loads(seen[2]["data"])["reason"] == "it is enough"
    ScriptedChecker.gate.set()
    with api.http.stream("GET", check["events_url"], headers={"Last-Event-ID": "3"}) as stream:
        rest = lines(stream.iter_lines(), 9)
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert [(each["id"], each["event"]) for each in rest] == [("4", "step"), ("5", "result")]
    assert json.loads(rest[1]["data"])["veracity"] == "Supported"
    assert api.http.get(check["events_url"], params={"after": 5}).text == ""
    assert api.http.get(check["events_url"], headers={"Last-Event-ID": "x"}).status_code == 422


def test_a_stream_says_that_it_is_alive_and_there_are_not_too_many(tmp_path: Path) -> None:
    with served(tmp_path, serve_heartbeat_s=0.01, serve_streams=1) as api:
        check = api.submit("They wait.", wait=0.01)
        with api.http.stream("GET", check["events_url"], params={"after": 3}) as stream:
            said = stream.iter_lines()
            assert next(said) == ": alive"
            refused = api.http.get(check["events_url"])
            assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
            assert refused.json()["error"]["code"] == "too_many_streams"
            ScriptedChecker.gate.set()
            assert "event: result" in list(said)


def test_a_check_is_cancelled_once(api: Served) -> None:
    check = api.submit("They wait.", wait=0.01)
    assert api.http.delete(check["url"]).json()["state"] == "cancelled"
    again = api.http.delete(check["url"])
    assert (again.status_code, again.json()["error"]["code"]) == (409, "conflict")
    assert "event: cancelled" in api.http.get(check["events_url"]).text


def test_a_check_is_removed_with_all_that_belongs_to_it(api: Served) -> None:
    done, runs = api.submit("Nepal borders China."), api.submit("They wait.", wait=0.01)
    api.http.post(f"{done['url']}/corrections", json={"veracity": "Refuted"})
    for check, state in ((done, "done"), (runs, "cancelled")):
        assert api.http.delete(check["url"], params={"remove": True}).json()["state"] == state
        assert api.http.get(check["url"]).status_code == 404
        assert api.http.delete(check["url"], params={"remove": True}).status_code == 404
    assert (api.http.get("/v1/corrections").text, api.http.get("/v1/checks").json()["checks"]) == ("", [])


def test_history_is_listed_page_by_page_and_searched(api: Served) -> None:
    ids = [api.submit(f"Claim {n}.")["id"] for n in range(3)]
    first = api.http.get("/v1/checks", params={"limit": 2}).json()
    assert [each["id"] for each in first["checks"]] == [ids[2], ids[1]]
    second = api.http.get("/v1/checks", params={"limit": 2, "before": first["next"]}).json()
    assert ([each["id"] for each in second["checks"]], second["next"]) == ([ids[0]], None)
    found = api.http.get("/v1/checks", params={"query": "claim 1"}).json()["checks"]
    assert [each["id"] for each in found] == [ids[1]]
    assert "result" not in found[0]
    assert api.http.get("/v1/checks", params={"before": "nothing"}).status_code == 404


def test_corrections_are_training_data(api: Served) -> None:
    check = api.submit("Nepal borders China.")
    corrected = api.http.post(f"{check['url']}/corrections", json={"veracity": "Refuted", "note": " No.\u202e "})
    assert (corrected.status_code, corrected.json()["note"]) == (201, "No.")
    assert api.http.post(f"{check['url']}/corrections", json={"evidence": "W1"}).status_code == 201
    assert api.http.post(f"{check['url']}/corrections", json={"evidence": "W9"}).status_code == 422
    assert api.http.post(f"{check['url']}/corrections", json={"veracity": "Wrong"}).status_code == 422
    answer = api.http.get("/v1/corrections")
    assert answer.headers["content-type"] == "application/x-ndjson"
    first, second = map(json.loads, answer.text.splitlines())
    assert (first["said"], first["label"], first["wrong_citation"]) == ("Supported", "Refuted", None)
    assert (second["label"], second["wrong_citation"]) == (None, "W1")
    assert first["evidence"][0]["text"] == "Nepal borders China and India."
    assert first["justification"] == [{"text": "It does.", "citations": ["W1"]}]
    api.service.jobs.correct(check["id"], veracity=None, evidence="W1", note="one\u2028two\u2029three\x85four")
    *_, last = map(json.loads, api.http.get("/v1/corrections").text.splitlines())
    assert last["note"] == "one\u2028two\u2029three\x85four"


def test_a_batch_says_how_far_it_is(api: Served) -> None:
    claims = [{"claim": "Nepal borders China."}, {"claim": "They wait."}, {"claim": "Nepal borders China."}]
    batch = api.http.post("/v1/batches", json={"claims": claims}).json()
    assert batch["checks"][0]["id"] == batch["checks"][2]["id"]
    api.http.get(batch["checks"][0]["events_url"])
    assert api.http.get(batch["url"]).json()["states"]["done"] == 2
    ScriptedChecker.gate.set()
    api.http.get(batch["checks"][1]["events_url"])
    assert api.http.get(batch["url"]).json()["states"] == {
        "queued": 0, "running": 0, "done": 3, "failed": 0, "cancelled": 0,
    }  # fmt: skip
    refused = api.http.post("/v1/batches", json={"claims": [{"claim": "a"}, {"claim": "?!"}]})
    assert refused.status_code == 422
    assert len(api.http.get("/v1/checks").json()["checks"]) == 2  # all or none


def test_a_text_s_claims_are_checked_where_they_stand(api: Served) -> None:
    accepted = api.http.post("/v1/texts", json={"text": TEXT, "title": "A page", "date": "2020-01-02"})
    assert accepted.status_code == 202
    body = accepted.json()
    assert (body["sentences"], body["claims"]) == (3, 2)
    for check in api.http.get(f"/v1/batches/{body['id']}").json()["checks"]:
        api.http.get(check["events_url"])
    whole = api.http.get(body["url"]).json()
    assert whole["states"]["done"] == 2
    report = whole["report"]
    assert report["source"]["title"] == "A page"
    assert [each["result"] is not None for each in report["sentences"]] == [True, False, True]
    assert report["sentences"][2]["result"]["claim"]["date"] == "2020-01-02"
    check = api.http.get(f"/v1/batches/{body['id']}").json()["checks"][0]
    api.http.delete(check["url"], params={"remove": True})
    assert "removed" in api.http.get(body["url"]).json()["error"]["message"]
    assert api.http.get(f"/v1/texts/{'x' * 22}").status_code == 404
    batch = api.http.post("/v1/batches", json={"claims": [{"claim": "Nepal is."}]}).json()
    assert api.http.get(f"/v1/texts/{batch['id']}").status_code == 404
    assert api.http.post("/v1/texts", json={"text": "\u200b"}).status_code == 422


def test_a_claim_is_held_against_a_text(api: Served) -> None:
    body = {"claim": "The bridge was opened in 1998.", "evidence": "It is long. The bridge was opened in May 1998."}
    said = api.http.post("/v1/verify", json=body).json()
    assert (said["answer"], said["sentence"]) == ("supports", "The bridge was opened in May 1998.")
    empty = api.http.post("/v1/verify", json={"claim": "…", "evidence": "a"})
    assert (empty.status_code, empty.json()["error"]["code"]) == (422, "invalid_request")


def test_a_full_queue_is_a_429_that_says_when_to_come_again(tmp_path: Path) -> None:
    with served(tmp_path, serve_queue=1) as api:
        api.submit("They wait.", wait=0.01)
        api.http.post("/v1/checks", json={"claim": "Next."})
        full = api.http.post("/v1/checks", json={"claim": "One more."})
        assert (full.status_code, full.json()["error"]["code"]) == (429, "queue_full")
        assert int(full.headers["retry-after"]) >= 1
        assert api.http.post("/v1/verify", json={"claim": "a b", "evidence": "a"}).status_code == 429


def test_a_bug_is_a_500_of_one_check_and_tells_nothing(api: Served) -> None:
    check = api.submit("They break.")
    assert (check["state"], check["result"]) == ("failed", None)
    assert "secret" not in json.dumps(check)
    assert api.submit("Nepal borders China.")["state"] == "done"


def test_health_and_measures(api: Served) -> None:
    api.submit("Nepal borders China.")
    assert api.http.get("/healthz").json()["status"] == "ok"
    assert api.http.get("/readyz").json()["status"] == "ready"
    for nowhere in ("/a", "/b", "/v1/checks/unknown-id-of-a-check"):
        assert api.http.get(nowhere).status_code == 404
    measures = api.http.get("/metrics").text
    assert 'wkgfc_checks_total{state="done"} 1.0' in measures
    assert 'wkgfc_verdicts_total{veracity="Supported"} 1.0' in measures
    assert 'wkgfc_requests_total{method="GET",route="other",status="404"} 2.0' in measures
    assert 'route="/v1/checks/{check}",status="404"} 1.0' in measures
    assert "wkgfc_waiting 0.0" in measures


def test_a_service_that_cannot_check_says_why(tmp_path: Path) -> None:
    with served(tmp_path, policy=tmp_path) as api:
        refused = api.http.post("/v1/checks", json={"claim": "Nepal borders China."})
        assert (refused.status_code, refused.json()["error"]["message"]) == (503, "there is no policy in that folder")
        ready = api.http.get("/readyz")
        assert (ready.status_code, ready.json()["status"]) == (503, "broken")


def test_every_answer_has_its_headers_and_every_error_its_form(api: Served) -> None:
    for path, status in (("/healthz", 200), ("/nothing", 404), ("/v1/checks/%00", 422), ("/openapi.json", 200)):
        answer = api.http.get(path, headers={"X-Request-Id": "mine-1"})
        assert (answer.status_code, answer.headers["x-request-id"]) == (status, "mine-1")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "access-control-allow-origin" not in answer.headers
        if status >= 400:
            assert answer.json()["error"]["request_id"] == "mine-1"
    own = api.http.get("/healthz", headers={"X-Request-Id": "a b<>"}).headers["x-request-id"]
    assert len(own) == 16
    assert api.http.put("/v1/checks", json={}).status_code == 405


def test_no_route_changes_anything_when_it_is_only_looked_at(api: Served) -> None:
    paths: dict[str, dict[str, Any]] = api.http.get("/openapi.json").json()["paths"]
    changing = {(m.upper(), p) for p, methods in paths.items() for m in methods if m.upper() not in SAFE_METHODS}
    assert changing == {
        ("POST", "/v1/checks"),
        ("DELETE", "/v1/checks/{check}"),
        ("POST", "/v1/checks/{check}/corrections"),
        ("POST", "/v1/batches"),
        ("POST", "/v1/verify"),
        ("POST", "/v1/texts"),
    }
