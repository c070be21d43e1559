"""One page, many addresses: which page a copy is of, and when two addresses are one page.

Archives, AMP caches and translation proxies serve other sites' pages under their own names; what is blocked, dated or
counted twice is the page behind them.
"""

import re
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

MAX_WRAPPINGS = 3  # an archived AMP page of a translation; deeper nesting is nobody's page


def original_address(url: str) -> str:
    """The address of the page that ``url`` is a copy of, or ``url`` itself.

    Known are web archives whose address has the page's own in it (``web.archive.org/web/2021…/https://…``,
    ``archive.is/2021…/https://…``, ``webcache``-like ``?url=``), AMP caches (``google.com/amp/s/…``,
    ``….cdn.ampproject.org``) and ``translate.goog``.

    >>> original_address("https://web.archive.org/web/20210225110220/https://www.snopes.com/fact-check/x/")
    'https://www.snopes.com/fact-check/x/'
    """
    for _ in range(MAX_WRAPPINGS):
        inner = _unwrapped(url)
        if inner is None:
            break
        url = inner
    return url


def canonical_address(url: str) -> str:
    """What is equal for two addresses of one page: no scheme, ``www.``, fragment, tracking, or slash at the end.

    Of a copy it is the address copied. It is a key to compare with, not an address to open.

    >>> canonical_address("http://www.bbc.co.uk/news/1/?utm_source=x#top")
    'bbc.co.uk/news/1'
    """
    address = original_address(url.strip())
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return address
    asked = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKS(name)]
    site = host.removeprefix("www.") + (f":{port}" if port not in (None, 80, 443) else "")
    query = f"?{urlencode(sorted(asked), errors='replace')}" if asked else ""
    return f"{site}{unquote(parts.path).rstrip('/')}{query}"


_TRACKS = re.compile(
    r"utm_\w+|fbclid|gclid|dclid|msclkid|yclid|igshid|mc_[ce]id|ref_src|cmpid|ocid|s?cid|amp|outputtype", re.IGNORECASE
).fullmatch
_ARCHIVES = re.compile(
    r"(?:web\.archive\.org/(?:web/)?|(?:archive\.(?:today|is|ph|li|vn|fo|md)|perma-archives\.org/warc)/)"
    r"(?:\d{4,14}\w*/|[\w*-]+/)?(?P<inner>https?:/{1,2}[^/].*)",
    re.IGNORECASE,
)
_AMP = re.compile(r"google\.[a-z.]{2,6}/amp/(?:s/)?(?P<inner>[^/]+\..+)", re.IGNORECASE)
_AMP_CACHE = re.compile(r"[^/]+\.cdn\.ampproject\.org/[a-z]/(?:s/)?(?P<inner>[^/]+\..+)", re.IGNORECASE)
_TRANSLATED = re.compile(r"(?P<host>[a-z0-9-]+)\.translate\.goog(?P<rest>/.*)?", re.IGNORECASE)


def _unwrapped(url: str) -> str | None:
    bare = re.sub(r"^https?://(?:www\.)?", "", url, count=1, flags=re.IGNORECASE)
    if (found := _ARCHIVES.match(bare)) is not None:
        return re.sub(r"^(https?):/+", r"\1://", found["inner"], count=1, flags=re.IGNORECASE)
    if (found := _AMP.match(bare) or _AMP_CACHE.match(bare)) is not None:
        return f"https://{found['inner']}"
    if (found := _TRANSLATED.match(bare)) is not None:
        # a hyphen stands for a dot, two for a hyphen
        host = found["host"].replace("--", "\0").replace("-", ".").replace("\0", "-")
        return f"https://{host}{found['rest'] or '/'}"
    return None
