"""Addresses that may stand as a link: those of the web, without anything that could end the link.

A result may come from a file that others wrote, and its addresses from pages: ``javascript:`` and the like open
nothing.
"""

import re
from urllib.parse import quote, urlsplit

_NOT_IN_ADDRESS = re.compile(r"[\x00-\x20<>\"'{}|^`\\()\[\]\x7f-\x9f]|[^\x00-\x7f]")
MAX_ADDRESS = 2_000  # characters, what browsers take


def web_address(url: str | None) -> str | None:
    """An http or https address with all signs percent-encoded that a form could take for its own; ``None`` for others.

    >>> web_address("javascript:alert(1)") is None
    True
    >>> web_address("https://example.org/a (b)")
    'https://example.org/a%20%28b%29'
    """
    if not url or len(url) > MAX_ADDRESS:
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    return _NOT_IN_ADDRESS.sub(lambda sign: quote(sign[0].encode("utf-8", "replace"), safe=""), url)
