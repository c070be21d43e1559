"""Which registrable domain an address belongs to: what one owner has registered, by the Public Suffix List."""

from functools import lru_cache

from wkgfc.web.sites import host_and_path


@lru_cache(maxsize=4_096)
def registrable_domain(url: str) -> str | None:
    """The domain that somebody has registered, or the host where there is none (an IP address, an unknown ending).

    Of platforms that give their users names of their own (``name.blogspot.com``) it is the user's. ``None``: no host.
    The list is https://publicsuffix.org/, as the ``tld`` package has it; nothing is fetched.

    >>> registrable_domain("https://news.bbc.co.uk/1")
    'bbc.co.uk'
    """
    from tld import get_tld  # noqa: PLC0415 - reads the list when first used

    found = host_and_path(url)
    if found is None:
        return None
    result = get_tld(f"https://{found[0]}", as_object=True, fail_silently=True, search_private=True)
    domain = getattr(result, "fld", None)
    return str(domain) if domain else found[0]
