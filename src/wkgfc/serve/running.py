"""The service run by uvicorn, until Ctrl-C or SIGTERM: what runs is finished, what waits is kept."""

import asyncio
import logging
import signal
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from wkgfc.config import Settings
from wkgfc.serve.app import make_app
from wkgfc.serve.listening import address_of, listen
from wkgfc.serve.service import Service

_ENDING_S = 5  # beyond the time of running checks, for their answers to be sent


class Server(uvicorn.Server):
    """Tells the service to begin nothing more as soon as it is asked to stop, so that streams come to an end.

    Unlike uvicorn's own it does not send itself the signal again at the end: a service that was told to stop and did
    has done its work.
    """

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Hear Ctrl-C and SIGTERM in the block."""
        before = {sig: signal.signal(sig, self.handle_exit) for sig in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sig, handler in before.items():
                signal.signal(sig, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C, or SIGTERM. A second Ctrl-C ends at once."""
        super().handle_exit(sig, frame)
        end = self._service.hurry if self.force_exit else self._service.drain
        asyncio.get_running_loop().call_soon_threadsafe(end)


def run_service(settings: Settings, *, open_page: bool = False) -> None:
    """Serve until told to stop.

    Raises:
        NotConfigured: nothing can listen there, or no check can be run; the text says what to do.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    listening = listen(settings.serve_host, settings.serve_port)
    app = make_app(settings)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.serve_trusted_proxies),
        forwarded_allow_ips=list(settings.serve_trusted_proxies),
        timeout_graceful_shutdown=int(settings.serve_shutdown_s) + _ENDING_S,
        lifespan="on",
        ws="none",
    )
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    service: Service = app.state.service
    address = address_of(settings.serve_host, listening)
    try:
        asyncio.run(_serve(Server(config, service), listening, service, address, open_page))
    finally:
        service.abandon()  # after a second Ctrl-C, or a fault: a process that is left would keep this one from ending


async def _serve(server: Server, listening: socket.socket, service: Service, address: str, open_page: bool) -> None:
    serving = asyncio.create_task(server.serve([listening]))
    try:
        ready = asyncio.create_task(service.ready())
        print(f"WKGFC listens on {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
        await asyncio.wait({ready, serving}, return_when=asyncio.FIRST_COMPLETED)
        if ready.done() and (failure := ready.exception()) is not None:
            server.should_exit = True
            service.drain()
            await serving
            raise failure
        if ready.done():
            print("ready", file=sys.stderr, flush=True)
            if open_page:
                await asyncio.to_thread(webbrowser.open, address)
        await serving
    finally:
        ready.cancel()
