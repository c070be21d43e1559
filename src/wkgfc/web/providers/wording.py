"""The wording of a query: cleaned, cut to what an engine takes, with its sites as operators."""

from collections.abc import Sequence
from dataclasses import dataclass

from wkgfc.claim import visible_text
from wkgfc.web.sites import host_and_path


@dataclass(frozen=True)
class Syntax:
    """What an engine takes in a query: its length, and which operators for sites it has.

    ``paths``: ``site:`` takes a path. ``alternatives``: several ``site:`` can be joined with ``OR``.
    """

    max_characters: int
    max_words: int
    paths: bool = False
    alternatives: bool = True


def cleaned(query: str, max_characters: int, max_words: int = 10_000) -> str:
    """The query in one line without invisible characters, cut at the end of a word. Empty: there is nothing to ask."""
    words = visible_text(query).split()[:max_words]
    line = " ".join(words)
    if not any(character.isalnum() for character in line):
        return ""
    if len(line) <= max_characters:
        return line
    cut = line[: max_characters + 1].rsplit(" ", 1)[0]
    return cut[:max_characters]


def with_sites(query: str, allowed: Sequence[str], blocked: Sequence[str], syntax: Syntax) -> str:
    """The query with ``site:`` and ``-site:`` operators, as far as they fit.

    Allowed sites are all in it or none, as some of them alone would lose pages of the others. Where the engine's
    ``site:`` has no paths, an allowed site is its host and a blocked one with a path is left out: what comes back is
    looked at again anyway.
    """
    line = cleaned(query, syntax.max_characters, syntax.max_words)
    if not line:
        return ""
    sites = [site for site in (_operand(site, syntax.paths, narrow=False) for site in allowed) if site]
    if sites and (len(sites) == 1 or syntax.alternatives):
        operators = " OR ".join(f"site:{site}" for site in dict.fromkeys(sites))
        longer = f"{line} ({operators})" if len(sites) > 1 else f"{line} {operators}"
        line = longer if _fits(longer, syntax) else line
    for site in blocked:
        operand = _operand(site, syntax.paths, narrow=True)
        longer = f"{line} -site:{operand}"
        if operand and _fits(longer, syntax):
            line = longer
    return line


def hosts_of(sites: Sequence[str], *, whole: bool) -> list[str]:
    """The host names of sites, each once. ``whole``: only of those that are a host without a path."""
    found = [host_and_path(site) for site in sites]
    return list(dict.fromkeys(each[0] for each in found if each is not None and not (whole and each[1])))


def _operand(site: str, paths: bool, *, narrow: bool) -> str | None:
    found = host_and_path(site)
    if found is None:
        return None
    host, path = found
    if path and not paths:
        return None if narrow else host
    operand = host + path
    plain = operand.isascii() and operand.isprintable() and not any(character in ' "()' for character in operand)
    return operand if plain else None


def _fits(line: str, syntax: Syntax) -> bool:
    return len(line) <= syntax.max_characters and len(line.split()) <= syntax.max_words
