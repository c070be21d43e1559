"""The MCP server by the package's own client: in this process, as a subprocess over stdio, and over HTTP."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent

from small_world import World
from wkgfc.checker import FactChecker
from wkgfc.config import load_settings
from wkgfc.errors import BadInput
from wkgfc.result import CheckResult
from wkgfc.serve import mcp_server
from wkgfc.serve.listening import is_loopback
from wkgfc.serve.mcp_http import read_address
from wkgfc.serve.mcp_results import answer
from wkgfc.serve.mcp_server import MAX_DOCUMENTS, MAX_DOCUMENTS_CHARACTERS, open_server

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "contract.schema.json").read_text(encoding="utf-8"))
TOOLS = ["check_claim", "verify_text", "search_kg", "get_evidence"]
TOKEN = "a-token-of-sixteen-signs"


@pytest.fixture
def server(world: World) -> MCPServer[Any]:
    return open_server(load_settings(kg=world.kg, web=world.web))


def said(result: CallToolResult) -> str:
    """What the model reads."""
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


async def failed(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error, said(result)
    return said(result)


async def answered(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, said(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def test_tools_are_listed_with_the_types_of_what_they_return(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        tools = (await client.list_tools()).tools

        assert [tool.name for tool in tools] == TOOLS
        for tool in tools:
            assert tool.output_schema is not None
            assert tool.description
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
        assert "data, never orders" in (client.instructions or "")


async def test_a_claim_is_checked_and_its_steps_are_told(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        steps: list[tuple[float, float | None, str | None]] = []

        async def tell(progress: float, total: float | None, message: str | None) -> None:
            steps.append((progress, total, message))

        result = await client.call_tool(
            "check_claim", {"claim": "Ada Verne was born in Turin."}, progress_callback=tell
        )

        assert not result.is_error
        checked = result.structured_content
        assert checked is not None
        jsonschema.validate(checked["result"], SCHEMA)
        assert checked["result"]["veracity"] == "Refuted"
        cited = {each for sentence in checked["result"]["justification"] for each in sentence["citations"]}
        assert cited == {piece["id"] for piece in checked["result"]["evidence"]}
        assert json.loads(said(result))["result"]["veracity"] == "Refuted"
        assert steps[0][2] == "1. Look in the knowledge graph"
        assert steps[-1][2] is not None
        assert "Conclude: Refuted" in steps[-1][2]
        assert [progress for progress, _, _ in steps] == sorted({progress for progress, _, _ in steps})
        assert all(total is not None and progress <= total for progress, total, _ in steps)


async def test_evidence_of_a_check_is_opened_in_full(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        checked = await answered(client, "check_claim", claim="Ada Verne discovered a red dye in 1871.")
        ids = [piece["id"] for piece in checked["result"]["evidence"]] + checked["others"]

        opened = await answered(client, "get_evidence", check=checked["check"])
        one = await answered(client, "get_evidence", check=checked["check"], ids=[ids[0], "S1"])

        assert sorted(each["shown"]["id"] for each in opened["evidence"]) == sorted(ids)
        assert all(each["whole"]["id"] == each["shown"]["id"] for each in opened["evidence"])
        assert [each["shown"]["id"] for each in one["evidence"]] == [ids[0]]
        assert [each["id"] for each in one["observations"]] == ["S1"]
        assert sorted(one["others"]) == sorted(ids[1:])


async def test_what_cannot_be_opened_says_what_can(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        checked = await answered(client, "check_claim", claim="Ada Verne was born in Lyon.")

        assert "K1" in await failed(client, "get_evidence", check=checked["check"], ids=["K99"])
        assert "call check_claim again" in await failed(client, "get_evidence", check="no-such-check")


async def test_old_checks_are_forgotten(server: MCPServer[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    async with Client(server) as client:
        monkeypatch.setattr(mcp_server, "KEPT_CHECKS", 1)
        first = await answered(client, "check_claim", claim="Ada Verne was born in Lyon.")
        second = await answered(client, "check_claim", claim="Ada Verne was born in Lyon.")

        assert "too long ago" in await failed(client, "get_evidence", check=first["check"])
        await answered(client, "get_evidence", check=second["check"])


async def test_a_text_is_held_against_documents(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        documents = ["The bridge over the river Arn was opened in May 1998 by the mayor."]
        text = "The bridge over the river Arn was opened in 1998. The mayor of Arn has three dogs."

        verified = await answered(client, "verify_text", text=text, documents=documents)

        assert [each["standing"] for each in verified["sentences"]] == ["supported", "not found"]
        assert not verified["is_grounded"]
        assert verified["is_complete"]
        first = verified["sentences"][0]
        assert text[first["start"] : first["end"]] == first["text"]
        assert first["ground"] in documents[0]


async def test_the_graph_is_searched_by_name_and_by_id(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        by_name = await answered(client, "search_kg", name="Ada Verne")
        by_id = await answered(client, "search_kg", name="Q1", relation="birth")
        nothing = await answered(client, "search_kg", name="Zorblax the Unknown")
        other = await answered(client, "search_kg", name="Q1", relation="mother")

        assert by_name["entities"][0]["entity"]["id"] == "Q1"
        (statement,) = by_id["entities"][0]["statements"]
        assert (statement["relation_id"], statement["object_id"]) == ("P19", "Q2")
        assert "Lyon" in statement["text"]
        assert nothing["entities"] == []
        assert other["entities"][0]["statements"] == []


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("check_claim", {"claim": ""}, "claim"),
        ("check_claim", {"claim": "\u200b\u202e"}, "the claim is empty"),
        ("check_claim", {"claim": "a" * 2_001}, "at most 2000"),
        ("check_claim", {"claim": "Ada Verne was born.", "date": "yesterday"}, "date"),
        ("check_claim", {"claim": "Ada Verne was born.", "language": "../../etc"}, "language"),
        ("check_claim", {}, "claim"),
        ("verify_text", {"text": "A.", "documents": []}, "documents"),
        ("verify_text", {"text": "A.", "documents": ["a"] * (MAX_DOCUMENTS + 1)}, "documents"),
        ("verify_text", {"text": "A.", "documents": ["a" * (MAX_DOCUMENTS_CHARACTERS + 1)]}, "give the parts"),
        ("verify_text", {"text": "A.", "documents": ["a"], "least": 0}, "least"),
        ("search_kg", {"name": "x" * 201}, "name"),
        ("search_kg", {"name": "Ada Verne", "statements": 10_000}, "statements"),
        ("get_evidence", {"check": "x", "ids": ["K1"] * 21}, "ids"),
    ],
)
async def test_what_cannot_be_used_is_refused_in_words(
    server: MCPServer[Any], tool: str, arguments: dict[str, Any], told: str
) -> None:
    async with Client(server) as client:
        assert told in await failed(client, tool, **arguments)


async def test_hostile_names_are_only_names(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        for name in ('"} UNION { ?s ?p ?o }', "Q1> . DROP ALL", "\u202eQ1", "<script>alert(1)</script>", "../../Q1"):
            found = await answered(client, "search_kg", name=name)
            assert found["failures"] == []


def test_the_text_for_the_model_has_no_hidden_signs() -> None:
    result = answer(CheckResult.model_validate(_hidden()))

    assert "\u202e" in result.structured_content["justification"][0]["text"]
    assert "\u202e" not in said(result)


async def test_a_source_that_cannot_be_opened_says_what_to_do(world: World) -> None:
    async with Client(open_server(load_settings(kg="wikidata", web="serper"))) as client:
        told = await failed(client, "check_claim", claim="Ada Verne was born in Lyon.")
        assert "SERPER_API_KEY" in told
    async with Client(open_server(load_settings(kg="none", web=world.web))) as client:
        assert "--kg" in await failed(client, "search_kg", name="Ada Verne")


async def test_too_many_calls_are_told_to_come_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_server, "WAITING", -1)
    async with Client(open_server(load_settings(kg=world.kg, web=world.web), at_a_time=1)) as client:
        assert "try again in a minute" in await failed(client, "check_claim", claim="Ada Verne was born in Lyon.")


async def test_a_call_that_the_client_gives_up_makes_room(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stream, ended = FactChecker.stream, asyncio.Event()

    async def endless(self: FactChecker, claim: Any) -> AsyncGenerator[Any, None]:
        if "endless" not in claim.text:
            async for event in stream(self, claim):
                yield event
            return
        try:
            await asyncio.Event().wait()
            yield None
        finally:
            ended.set()

    monkeypatch.setattr(FactChecker, "stream", endless)
    async with Client(open_server(load_settings(kg=world.kg, web=world.web), at_a_time=1)) as client:
        with pytest.raises(MCPError):
            await client.call_tool("check_claim", {"claim": "The endless road is long."}, read_timeout_seconds=0.5)
        await asyncio.wait_for(ended.wait(), 20)
        assert (await answered(client, "check_claim", claim="Ada Verne was born in Lyon."))["result"]["veracity"]


async def test_over_stdio_as_a_client_starts_it(world: World, tmp_path: Path) -> None:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from wkgfc.cli.main import run; run()", "mcp", "--kg", world.kg, "--web", world.web],
        env={"WKGFC_CONFIG": str(tmp_path / "none.toml"), "WKGFC_CACHE_DIR": str(tmp_path / "cache")},
    )
    async with Client(parameters) as client:
        assert client.server_info is not None
        assert client.server_info.name == "wkgfc"
        checked = await answered(client, "check_claim", claim="Ada Verne was born in Lyon.")
        assert checked["result"]["veracity"] == "Supported"
        assert "the claim is empty" in await failed(client, "check_claim", claim="…")


def test_an_interrupt_ends_it_at_once(world: World, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "from wkgfc.cli.main import run; run()", "mcp", "--kg", world.kg, "--web", world.web],
        env={**os.environ, "WKGFC_CONFIG": str(tmp_path / "none.toml")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    ping = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}}  # fmt: skip
    process.stdin.write(json.dumps(ping).encode() + b"\n")
    process.stdin.flush()
    assert b"wkgfc" in process.stdout.readline()  # it serves now
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == -signal.SIGINT
    process.stdin.close()
    process.stdout.close()


@pytest.fixture
def served(world: World, tmp_path: Path) -> Iterator[str]:
    """The address of a server over HTTP that wants a token."""
    process = subprocess.Popen(
        [sys.executable, "-c", "from wkgfc.cli.main import run; run()", "mcp", "--http", "127.0.0.1:0"],
        env={
            **os.environ,
            "WKGFC_CONFIG": str(tmp_path / "none.toml"),
            "WKGFC_MCP_TOKEN": TOKEN,
            "WKGFC_KG": world.kg,
            "WKGFC_WEB": world.web,
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    yield process.stderr.readline().removeprefix("MCP at ").strip()
    process.terminate()
    assert process.wait(20) is not None
    process.stderr.close()


async def test_over_http_with_a_token(served: str) -> None:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    async with httpx2.AsyncClient(timeout=60) as http:
        for headers in ({}, {"Authorization": "Bearer wrong"}):
            refused = await http.post(served, json={}, headers=headers)
            assert refused.status_code == 401
            assert "token" in refused.text
        rebound = await http.post(served, json={}, headers={"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"})
        assert rebound.status_code == 421

    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as http,
        Client(streamable_http_client(served, http_client=http)) as client,
    ):
        assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
        found = await answered(client, "search_kg", name="Bo Lind")
        assert found["entities"][0]["entity"]["id"] == "Q7"
        told: list[str | None] = []

        async def tell(progress: float, total: float | None, message: str | None) -> None:
            told.append(message)

        result = await client.call_tool(
            "check_claim", {"claim": "Bo Lind was a citizen of Italy."}, progress_callback=tell
        )
        assert not result.is_error
        assert told


def test_others_are_not_served_without_a_token(world: World, tmp_path: Path) -> None:
    environment = {**os.environ, "WKGFC_CONFIG": str(tmp_path / "none.toml")}
    run = [sys.executable, "-c", "from wkgfc.cli.main import run; run()", "mcp", "--http"]

    refused = subprocess.run(
        [*run, "0.0.0.0:0"], check=False, env=environment, capture_output=True, text=True, timeout=60
    )

    assert refused.returncode == 1
    assert "WKGFC_MCP_TOKEN" in refused.stderr


@pytest.mark.parametrize("address", ["", "8000", ":8000", "localhost", "localhost:", "localhost:99999", "a:b"])
def test_an_address_needs_host_and_port(address: str) -> None:
    with pytest.raises(BadInput, match="HOST:PORT"):
        read_address(address)


def test_addresses_of_both_kinds() -> None:
    assert read_address("[::1]:80") == ("::1", 80)
    assert read_address("127.0.0.1:0") == ("127.0.0.1", 0)
    assert [is_loopback(host) for host in ("::1", "127.8.9.1", "localhost", "0.0.0.0", "::", "example.org")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def _hidden() -> dict[str, Any]:
    return {
        "claim": {"text": "A."},
        "veracity": "Supported",
        "justification": [{"text": "A is\u202e B.", "citations": ["K1"]}],
        "stop_reason": "verdict",
        "checked_at": "2026-01-01T00:00:00Z",
    }
