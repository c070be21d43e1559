"""Which network addresses are on the public internet, and what a name resolves to.

A page that a search found may name any address, the ones of this machine and of its house among them. What is not
known to be public is refused. Source: IANA's registries of special-purpose addresses (RFC 6890, RFC 8190).
"""

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Resolve = Callable[[str, int], Awaitable[list[str]]]

_REFUSED_V4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by a provider's customers; one cloud keeps its metadata here
            "127.0.0.0/8",  # loopback
            "168.63.129.16/32",  # a cloud's host, though its number is public
            "169.254.0.0/16",  # link-local, metadata
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments; one cloud keeps its metadata here
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private
            "198.18.0.0/15",  # benchmarks of networks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
        ),
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")  # all that has been given out; everything else is special
_REFUSED_V6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4: any IPv4 address in disguise
            "3fff::/20",  # documentation
        ),
    )
)
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")  # on IPv6-only networks every IPv4 site has such an address


class NameNotFound(Exception):
    """A host name has no address. ``lasting``: the name servers say so, rather than being out of reach."""

    def __init__(self, lasting: bool) -> None:
        self.lasting = lasting
        super().__init__("no such name" if lasting else "the name cannot be looked up now")


def is_public(address: str) -> bool:
    """Whether ``address``, an IPv4 or IPv6 address in its usual text, is one of the public internet.

    An IPv6 address that stands for an IPv4 one (mapped, NAT64) counts as that one. What is no address is not public.
    """
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(number, IPv6Address):
        if number.scope_id is not None:
            return False
        if number in _MAPPED or number in _NAT64:
            number = IPv4Address(int(number) & 0xFFFFFFFF)
        else:
            return number in _GLOBAL_V6 and not any(number in network for network in _REFUSED_V6)
    return not any(number in network for network in _REFUSED_V4)


async def resolve_name(host: str, port: int) -> list[str]:
    """The addresses of ``host``, which may be an address itself, in the system's order of preference.

    The look-up runs in a thread of its own that nothing waits for at the end: it cannot be stopped, and a silent name
    server must not hold up a check that is over.

    Raises:
        NameNotFound: it has none, or the name servers do not answer.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def settle(outcome: list[str] | Exception) -> None:
        if found.done():
            return
        if isinstance(outcome, Exception):
            found.set_exception(outcome)
        else:
            found.set_result(outcome)

    def look_up() -> None:
        outcome: list[str] | Exception
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            outcome = list(dict.fromkeys(str(row[4][0]) for row in rows))
        except UnicodeError:  # no name at all: an empty label, one of more than 63 letters
            outcome = NameNotFound(lasting=True)
        except OSError as error:
            outcome = NameNotFound(lasting=error.errno == socket.EAI_NONAME)
        except Exception as error:  # a bug, which belongs to who waits and not to this thread
            outcome = error
        try:
            loop.call_soon_threadsafe(settle, outcome)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    threading.Thread(target=look_up, name="wkgfc-resolve", daemon=True).start()
    return await found
