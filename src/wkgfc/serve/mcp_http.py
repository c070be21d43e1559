"""The MCP server over HTTP (the protocol's streamable transport, at ``/mcp``): where it listens, and who may ask it."""

import hmac
import socket
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import SecretStr
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from wkgfc.errors import BadInput, NotConfigured
from wkgfc.serve.listening import is_loopback

PATH = "/mcp"
MAX_REQUEST_BYTES = 2_000_000  # the documents of one verify_text, in any script, and what is around them
MAX_SESSIONS = 200
SESSION_IDLE_S = 1_800.0


def read_address(address: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``; a host of IPv6 stands in brackets.

    Raises:
        BadInput: it is no such address.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65_535:
        raise BadInput(f"{address!r} is no HOST:PORT, as 127.0.0.1:8770")
    return host.removeprefix("[").removesuffix("]"), int(port)


def refuse_open_door(host: str, token: SecretStr | None) -> None:
    """Refuse to serve others without a token.

    Raises:
        NotConfigured: others reach ``host``, and there is no token.
    """
    if token is None and not is_loopback(host):
        raise NotConfigured(f"others reach {host}: set WKGFC_MCP_TOKEN to a long secret, or listen on 127.0.0.1")


def http_app(server: MCPServer[Any], host: str, token: SecretStr | None) -> ASGIApp:
    """The server as an application. With a ``token`` every request must bring it as a bearer token.

    On loopback, whichever address of it, requests that name another host are refused, as a page in a browser can make
    them.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_REQUEST_BYTES,
        session_idle_timeout=SESSION_IDLE_S,
        max_sessions=MAX_SESSIONS,
        transport_security=_names_of(host) if is_loopback(host) else None,
        host=host,
    )
    return app if token is None else _WithToken(app, token)


def _names_of(host: str) -> TransportSecuritySettings:
    """What this machine's own requests call it, with any port. The package knows these names for three hosts only."""
    names = {"127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host}
    hosts = [each for name in sorted(names) for each in (name, f"{name}:*")]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{each}" for each in hosts])


async def serve_http(server: MCPServer[Any], listening: socket.socket, token: SecretStr | None) -> None:
    """Serve on a socket that listens, until the process is told to end."""
    import uvicorn  # noqa: PLC0415 - not needed to make the application

    host = listening.getsockname()[0]
    config = uvicorn.Config(http_app(server, host, token), log_level="warning", access_log=False)
    await uvicorn.Server(config).serve(sockets=[listening])


class _WithToken:
    """Lets through what brings the token."""

    def __init__(self, app: ASGIApp, token: SecretStr) -> None:
        self._app, self._wanted = app, f"Bearer {token.get_secret_value()}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = b"".join(value for name, value in scope["headers"] if name == b"authorization")
            if not hmac.compare_digest(given, self._wanted):
                refusal = PlainTextResponse(
                    "send the server's token: Authorization: Bearer …\n", 401, {"WWW-Authenticate": "Bearer"}
                )
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)
