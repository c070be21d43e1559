"""Connections that are made to the very address that was looked at.

The name is resolved once, its addresses are checked, and one of them is dialled: between the check and the connection
there is no second look-up that could answer otherwise. The host name stays what certificates and ``Host`` are for.

Through a proxy, a page's name is resolved and checked here all the same, and the proxy is given the address. Other
names, those of services that the settings name, it looks up itself.
"""

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any

import httpcore2

from wkgfc.http.addresses import NameNotFound, Resolve, is_public
from wkgfc.http.proxy import Proxy, ProxyFault

# A name as sites have it. Anything else may be an address in one of its spellings (0x7f.1), or a name of the house.
_NAME = re.compile(
    r"(?:[A-Za-z0-9_-]{1,63}\.)+(?!0x)[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.?", re.ASCII | re.IGNORECASE
)


class Forbidden(Exception):
    """An address that ``public_only`` does not allow. Its text is one line."""


@dataclass(frozen=True)
class PublicOnly:
    """What a request may reach that is ``public_only``: public addresses and those of ``networks``, on ``ports``."""

    ports: frozenset[int] = frozenset({80, 443})
    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    def check(self, host: str, port: int, addresses: Iterable[str]) -> None:
        """Raises ``Forbidden`` unless all ``addresses`` of ``host`` may be reached."""
        if port not in self.ports:
            raise Forbidden(f"{host} was named with port {port}, which pages do not have")
        for address in addresses:
            if not (is_public(address) or self._is_allowed(address)):
                raise Forbidden(f"{host} is not on the public internet")

    def _is_allowed(self, address: str) -> bool:
        try:
            number = ip_address(address)
        except ValueError:
            return False
        return any(number in network for network in self.networks)


class Dialler(httpcore2.AsyncNetworkBackend):
    """Resolves, checks where there is something to check, and connects."""

    def __init__(
        self,
        resolve: Resolve,
        public: PublicOnly | None,
        network: httpcore2.AsyncNetworkBackend | None = None,
        proxy: Proxy | None = None,
    ) -> None:
        self._resolve, self._public, self._proxy = resolve, public, proxy
        self._network = network or httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's interface
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to one of the addresses of ``host``, trying each in turn within ``timeout`` seconds.

        Raises:
            NameNotFound: the name has no address.
            Forbidden: one of its addresses may not be reached.
            httpcore2.ConnectError, httpcore2.ConnectTimeout: none of them takes the connection.
            ProxyFault: the proxy opens no way to it.
        """
        started = time.monotonic()
        proxy = self._proxy if self._proxy and not self._proxy.is_exempt(host) else None
        if proxy is not None and (self._public is None or proxy.resolves):
            if self._public is not None:
                self._public.check(host, port, [] if _NAME.fullmatch(host) else [host])
            return await proxy.connect(host, port, timeout, self._network, self._resolve)
        addresses = await self._resolve(host, port)
        if not addresses:
            raise NameNotFound(lasting=True)
        if self._public is not None:
            self._public.check(host, port, addresses)
        for tried, address in enumerate(addresses):
            share = None
            if timeout is not None:  # an address that does not answer leaves time for the next
                share = max(0.001, (timeout - (time.monotonic() - started)) / (len(addresses) - tried))
            try:
                if proxy is not None:
                    return await proxy.connect(address, port, share, self._network, self._resolve)
                return await self._network.connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout, ProxyFault):
                if tried == len(addresses) - 1:
                    raise
        raise AssertionError("unreachable: the last address returns or raises")

    async def sleep(self, seconds: float) -> None:
        """Wait; part of what the library asks of a network."""
        await self._network.sleep(seconds)
