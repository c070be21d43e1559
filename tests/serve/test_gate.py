"""The gate of the service: keys, names, origins, rates, sizes, and bodies that were made to break it."""

import base64
import json
import socket
from pathlib import Path

import pytest

from scripted_checker import ScriptedChecker
from serving import Served, served
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.serve import gate
from wkgfc.serve.keys import KeyRing
from wkgfc.serve.rates import Rates

CLAIM = {"claim": "Nepal borders China."}
JSON = {"Content-Type": "application/json"}


def code(answer: object) -> str:
    return str(answer.json()["error"]["code"])  # type: ignore[attr-defined]


def test_once_there_is_a_key_nobody_gets_in_without(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    with served(tmp_path) as api:
        assert api.http.get("/v1/checks").status_code == 200
        key = ring.add("desk")
        refused = api.http.get("/v1/checks")
        assert (refused.status_code, code(refused), refused.headers["www-authenticate"]) == (401, "no_key", "Bearer")
        for path in ("/metrics", "/openapi.json", "/nothing", "/"):
            assert api.http.get(path).status_code == 401
        assert api.http.get("/healthz").status_code == api.http.get("/readyz").status_code == 200
        bearer = {"Authorization": f"Bearer {key}"}
        assert api.http.get("/v1/checks", headers=bearer).status_code == 200
        assert api.http.post("/v1/checks", headers=bearer, json=CLAIM).status_code == 202
        wrong = (f"Bearer {key}x", f"Bearer {key[:-1]}", f"Token {key}", key, "Bearer", "Basic ?", "Bearer wkgfc__", "")
        for each in wrong:
            assert api.http.get("/v1/checks", headers={"Authorization": each}).status_code == 401
        ring.remove("desk")
        assert api.http.get("/v1/checks", headers=bearer).status_code == 401
        ring.path.write_text("[{", encoding="utf-8")  # damaged: nobody gets in
        assert api.http.get("/v1/checks", headers=bearer).status_code == 503
        ring.path.unlink()
        assert api.http.get("/v1/checks").status_code == 200


def test_a_browser_asks_a_person_for_the_key(tmp_path: Path) -> None:
    key = KeyRing(tmp_path).add("desk")
    with served(tmp_path) as api:
        asked = api.http.get("/v1/checks", headers={"Accept": "text/html,*/*"})
        assert asked.headers["www-authenticate"].startswith("Basic realm=")
        given = base64.b64encode(f"me:{key}".encode()).decode()
        assert api.http.get("/v1/checks", headers={"Authorization": f"Basic {given}"}).status_code == 200


def test_only_a_hash_of_a_key_is_kept(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    one, other = ring.add("desk"), ring.add("desk")
    kept = ring.path.read_text(encoding="utf-8")
    assert ring.path.stat().st_mode & 0o077 == 0
    assert one.rpartition("_")[2] not in kept
    assert [key.name for key in ring.all()] == ["desk", "desk"]
    first, second = json.loads(kept)
    assert first["salt"] != second["salt"]
    found = KeyRing(tmp_path).find(other)
    assert found is not None
    assert found.id == second["id"]
    assert KeyRing(tmp_path).find(one.replace(first["id"], second["id"])) is None
    with pytest.raises(BadInput, match="several keys"):
        ring.remove("desk")
    with pytest.raises(BadInput, match="there is no key"):
        ring.remove("nobody")
    with pytest.raises(BadInput, match="a name"):
        ring.add("a\nb")
    ring.path.write_text('[{"id": 1}]', encoding="utf-8")
    with pytest.raises(NotConfigured, match="cannot be read"):
        ring.all()


def test_whoever_asks_too_often_waits_and_the_others_do_not(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    keys = [{"Authorization": f"Bearer {ring.add(name)}"} for name in ("a", "b")]
    with served(tmp_path, serve_rate=3) as api:
        claims = {"claims": [CLAIM] * 4}
        assert api.http.post("/v1/batches", headers=keys[0], json=claims).status_code == 202
        late = api.http.get("/v1/checks", headers=keys[0])
        assert (late.status_code, code(late)) == (429, "too_many_requests")
        assert 20 <= int(late.headers["retry-after"]) <= 40
        assert api.http.get("/v1/checks", headers=keys[1]).status_code == 200
        assert api.http.get("/healthz").status_code == 200


def test_tokens_come_back_one_by_one() -> None:
    now = [0.0]
    rates = Rates(60, clock=lambda: now[0])
    assert [rates.take("a") for _ in range(61)] == [0] * 60 + [1]
    now[0] = 1.0
    assert (rates.take("a"), rates.take("a"), rates.take("b")) == (0, 1, 0)
    rates.charge("b", 89)  # a large batch is let in once, and paid for afterwards
    assert rates.take("b") == 31
    now[0] = 1e6
    assert [rates.take("b") for _ in range(61)][-1] == 1


FOREIGN = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://[", "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)


def test_another_site_s_page_changes_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as api:
        for headers in FOREIGN:
            refused = api.http.post("/v1/checks", json=CLAIM, headers=headers)
            assert (refused.status_code, code(refused)) == (403, "foreign_origin"), headers
            assert api.http.delete("/v1/checks/a", headers=headers).status_code == 403
        assert api.http.get("/v1/checks").json()["checks"] == []
        own = {"Origin": api.address, "Sec-Fetch-Site": "same-origin"}
        assert api.http.post("/v1/checks", json=CLAIM, headers=own).status_code == 202


def test_what_a_form_can_send_is_not_taken(tmp_path: Path) -> None:
    with served(tmp_path) as api:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
            refused = api.http.post("/v1/checks", content=json.dumps(CLAIM), headers={"Content-Type": kind})
            assert (refused.status_code, code(refused)) == (415, "not_json")


def test_origins_that_are_named_may(tmp_path: Path) -> None:
    desk = {"Origin": "https://desk.example"}
    with served(tmp_path, serve_origins=("https://desk.example",)) as api:
        asked = {**desk, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
        allowed = api.http.options("/v1/checks", headers=asked)
        assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (200, desk["Origin"])
        done = api.http.post("/v1/checks", json=CLAIM, headers=desk)
        assert (done.status_code, done.headers["access-control-allow-origin"]) == (202, desk["Origin"])
        other = {"Origin": "https://evil.example"}
        assert api.http.post("/v1/checks", json=CLAIM, headers=other).status_code == 403


def test_a_name_that_was_made_to_lead_here_is_not_answered(tmp_path: Path) -> None:
    with served(tmp_path) as api:
        for host in ("evil.example", "127.0.0.1.evil.example", "", "[", "localhost@evil.example:1"):
            assert api.http.get("/v1/checks", headers={"Host": host}).status_code in (400, 421)
        for host in ("localhost", "LOCALHOST:80", "[::1]:8765", "127.0.0.1"):
            assert api.http.get("/v1/checks", headers={"Host": host}).status_code == 200
    with served(tmp_path, serve_host="0.0.0.0", serve_hosts=("Facts.example",)) as api:
        assert api.http.get("/v1/checks", headers={"Host": "facts.example"}).status_code == 200
        assert api.http.get("/v1/checks").status_code == 421


def raw(api: Served, request: bytes) -> bytes:
    """What the service answers to these bytes, until it closes the connection or has answered."""
    host, _, port = api.address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(request)
        return connection.recv(65_536)


def test_a_body_over_the_limit_is_refused_whether_it_says_its_length_or_not(tmp_path: Path) -> None:
    with served(tmp_path, serve_body_bytes=1_000) as api:
        large = api.http.post("/v1/checks", content=b" " * 1_001, headers=JSON)
        assert (large.status_code, code(large)) == (413, "too_large")
        head = b"POST /v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        assert b" 413 " in raw(api, head + b"Content-Length: 999999999999\r\n\r\n").split(b"\r\n")[0]
        chunked = head + b"Transfer-Encoding: chunked\r\n\r\n" + b"200\r\n" + b" " * 512 + b"\r\n"
        assert b" 413 " in raw(api, chunked + b"200\r\n" + b" " * 512 + b"\r\n").split(b"\r\n")[0]
        assert api.http.post("/v1/checks", json=CLAIM).status_code == 202


def test_a_body_that_does_not_come_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "BODY_S", 0.05)
    with served(tmp_path) as api:
        head = b"POST /v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        assert b" 408 " in raw(api, head + b"Content-Length: 10\r\n\r\n{").split(b"\r\n")[0]


HOSTILE = (
    b"[" * 100_000,
    b'{"claim": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    b'{"claim": "\\ud800"}',
    b'{"claim": "\xff\xfe"}',
    b'{"claim": "\\u0000\\u202e"}',
    b'{"claim": 1e999}',
    b'{"claim": "a", "date": ' + b"9" * 5_000 + b"}",
    b'{"claim": "a", "date": NaN}',
    b'{"claim": "a", "date": "0000-00-00"}',
    b'{"claim": "a", "speaker": "\\udfff"}',
    b'{"claim": "a", "language": "en\\n"}',
    b'{"claim": "a", "state": "done"}',
    b'{"claim": ["a"]}',
    b'{"claim": {"$ne": null}}',
    b'{"claim": "' + b"a" * 4_001 + b'"}',
    b'{"claim": "' + b"a " * 1_999 + b'"',
    b"null",
    b"",
    b"\x00",
)


def test_a_hostile_body_is_refused_and_harms_nobody(tmp_path: Path) -> None:
    ScriptedChecker.gate.set()
    with served(tmp_path) as api:
        for body in HOSTILE:
            refused = api.http.post("/v1/checks", content=body, headers=JSON)
            assert refused.status_code in (400, 422), (body[:40], refused.text)
            assert len(refused.json()["error"]["message"]) <= 300
        assert api.http.get("/v1/checks").json()["checks"] == []
        assert api.submit("Nepal borders China.")["state"] == "done"


def test_what_is_not_seen_is_taken_out_of_what_is_kept(tmp_path: Path) -> None:
    ScriptedChecker.gate.set()
    with served(tmp_path) as api:
        body = {"claim": "Nepal\u202e borders\u0000 <script>China</script>.", "speaker": "a\u200b\nb"}
        claim = api.http.post("/v1/checks?wait=9", json=body).json()["claim"]
        assert (claim["text"], claim["speaker"]) == ("Nepal borders <script>China</script>.", "a b")
