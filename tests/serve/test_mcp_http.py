"""The door of the MCP server over HTTP: a page in a browser that calls this machine by another name stays outside."""

from collections.abc import Iterator

import pytest
from mcp.server.mcpserver import MCPServer
from starlette.testclient import TestClient

from wkgfc.serve.mcp_http import PATH, http_app

PING = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}}  # fmt: skip
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(params=["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def http(request: pytest.FixtureRequest) -> Iterator[TestClient]:
    host = f"[{request.param}]" if ":" in request.param else request.param
    with TestClient(http_app(MCPServer("a"), request.param, None), base_url=f"http://{host}:8770") as client:
        yield client


def test_its_own_names_are_let_in(http: TestClient) -> None:
    own = str(http.base_url).rstrip("/")
    assert http.post(PATH, json=PING, headers=ACCEPT).status_code == 200
    assert http.post(PATH, json=PING, headers={**ACCEPT, "Origin": own}).status_code == 200
    assert http.post(PATH, json=PING, headers={**ACCEPT, "Host": "localhost:8770"}).status_code == 200


def test_another_host_or_origin_is_refused(http: TestClient) -> None:
    for host in ("evil.example", "evil.example:8770", "127.0.0.1.evil.example:8770"):
        assert http.post(PATH, json=PING, headers={**ACCEPT, "Host": host}).status_code == 421
    for origin in ("http://evil.example", "null", "https://127.0.0.1.evil.example"):
        assert http.post(PATH, json=PING, headers={**ACCEPT, "Origin": origin}).status_code == 403
