"""The guard that every test runs under."""

import contextlib
import socket
from typing import Any

import pytest

from offline import is_here, offline


def swallow(owner: Any, name: str, *arguments: Any) -> None:
    """Call a function of ``owner`` under a guard, and take no notice of a refusal."""
    with offline(), contextlib.suppress(OSError):
        getattr(owner, name)(*arguments)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost", "", None])
def test_this_machine_may_be_reached(host: str | None) -> None:
    assert is_here(host)


@pytest.mark.parametrize("address", ["93.184.215.14", "10.0.0.1", "169.254.169.254"])
def test_nothing_else_may_even_if_the_test_takes_no_notice(address: str) -> None:
    with socket.socket() as sock:
        for name in ("connect", "connect_ex"):
            with pytest.raises(AssertionError, match=f"tests are offline, .*{address}"):
                swallow(sock, name, (address, 80))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, pytest.raises(AssertionError):
        swallow(sock, "sendto", b"hello", (address, 53))


def test_names_are_not_looked_up_but_addresses_are() -> None:
    with pytest.raises(AssertionError, match=r"example\.org"):
        swallow(socket, "getaddrinfo", "example.org", 80)
    swallow(socket, "getaddrinfo", "0x7f.1", 80)
