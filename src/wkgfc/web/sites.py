"""Which site a page belongs to: a host name with its subdomains, with or without the beginning of a path.

Hosts are compared turned round, most general part first (``org.wikipedia.en/wiki/Charlie_Chaplin``), the
sort-friendly form that web archives use (http://crawler.archive.org/articles/user_manual/glossary.html#surt):
then a host with its subdomains, or a folder with its pages, is a prefix.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote, urlsplit

_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_WORLD_WIDE_WEB = "www."


@lru_cache(maxsize=16_384)  # the sites that are kept out are asked about for every hit
def host_and_path(address: str) -> tuple[str, str] | None:
    """The host name (lower case, no ``www.``, no port, international names in ASCII) and the path of an address.

    ``address`` is a URL or a site as people write it (``bbc.co.uk/news``, ``.gov``). ``None`` where there is no
    host: a local file, or text that is no address.

    >>> host_and_path("https://www.BBC.co.uk:443/news/")
    ('bbc.co.uk', '/news')
    """
    text = address.strip()
    if not _SCHEME.match(text):
        text = "//" + text.removeprefix("//")
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").strip(".").removeprefix(_WORLD_WIDE_WEB)
    except ValueError:  # brackets that are no IPv6 address
        return None
    if not host or parts.scheme == "file":
        return None
    if not host.isascii():
        try:
            host = host.encode("idna").decode()
        except UnicodeError:
            return None
    return host, "/" + unquote(parts.path).strip("/") if parts.path.strip("/") else ""


def turned_round(address: str) -> str | None:
    """The address with its host turned round, no scheme and no query: ``uk.co.bbc/news``. ``None``: no host."""
    found = host_and_path(address)
    if found is None:
        return None
    host, path = found
    return ".".join(reversed(host.split("."))) + path


def host_and_parents(address: str) -> list[str]:
    """The host of an address and every domain above it: ``en.wikipedia.org``, ``wikipedia.org``, ``org``."""
    found = host_and_path(address)
    if found is None:
        return []
    labels = found[0].split(".")
    return [".".join(labels[first:]) for first in range(len(labels))]


def is_on_site(url: str | None, sites: Iterable[str]) -> bool:
    """Whether a page belongs to one of the sites. A page without an address, or of a local file, is on none.

    >>> is_on_site("https://news.bbc.co.uk/sport/1", ["bbc.co.uk"])
    True
    >>> is_on_site("https://notbbc.co.uk/", ["bbc.co.uk"])
    False
    """
    page = host_and_path(url) if url else None
    if page is None:
        return False
    for site in sites:
        wanted = host_and_path(site)
        if wanted is None:
            continue
        host_fits = page[0] == wanted[0] or page[0].endswith("." + wanted[0])
        path_fits = not wanted[1] or page[1] == wanted[1] or page[1].startswith(wanted[1] + "/")
        if host_fits and path_fits:
            return True
    return False
