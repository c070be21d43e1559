"""``wkgfc mcp``: the fact-checker as tools for programs that speak the Model Context Protocol."""

import sys
from typing import Annotated

import typer

from wkgfc.errors import NotConfigured


def mcp(
    http: Annotated[
        str | None, typer.Option(help="HOST:PORT to serve on by HTTP. Without it: standard input and output.")
    ] = None,
    kg: Annotated[str | None, typer.Option(help="Knowledge graph, as in 'wkgfc check'.")] = None,
    web: Annotated[str | None, typer.Option(help="Passages, as in 'wkgfc check'.")] = None,
    reasoner: Annotated[str | None, typer.Option(help="Who judges, as in 'wkgfc check'.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Calls that work at a time.")] = 4,
) -> None:
    """Serve the tools check_claim, verify_text, search_kg and get_evidence by MCP (docs/mcp.md).

    Examples:

        wkgfc mcp

        wkgfc mcp --http 127.0.0.1:8770 --kg wikidata --web serper
    """
    import asyncio
    import signal
    from contextlib import suppress

    from wkgfc.config import load_settings

    settings = load_settings(kg=kg, web=web, reasoner=reasoner)
    try:
        from wkgfc.serve.listening import listen
        from wkgfc.serve.mcp_http import PATH, read_address, refuse_open_door, serve_http
        from wkgfc.serve.mcp_server import open_server
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "wkgfc":
            raise
        raise NotConfigured("this needs a package that is missing: pip install 'wkgfc[mcp]'") from error
    server = open_server(settings, at_a_time=concurrency)
    if http is None:
        # Ctrl-C ends it at once, by the system: its thread that reads standard input cannot be told to stop, and a
        # handler of Python's would wait for the loop, which sleeps until the next message. It keeps nothing to lose.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        server.run("stdio")
        return
    host, port = read_address(http)
    refuse_open_door(host, settings.mcp_token)
    listening = listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    print(f"MCP at http://{shown}:{listening.getsockname()[1]}{PATH}", file=sys.stderr, flush=True)
    with suppress(KeyboardInterrupt):
        asyncio.run(serve_http(server, listening, settings.mcp_token))
