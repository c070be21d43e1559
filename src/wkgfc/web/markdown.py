"""Markdown as plain text, with what its front matter says of it."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Markdown:
    """A Markdown file without its markup. ``title``, ``date`` and ``url`` are as written, where they are given."""

    text: str
    title: str | None = None
    date: str | None = None
    url: str | None = None


_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_MATTER_LINE = re.compile(r"^(title|date|url|link|permalink)[ \t]*:[ \t]*(\S.*)$", re.IGNORECASE | re.MULTILINE)
_HEADING = r"^ {0,3}#{1,6}[ \t]+(\S.{0,300}?)[ \t]{0,9}#{0,9}[ \t]{0,9}$"
_UNDERLINED_HEADING = r"^(?![ \t]*$)(.{1,300})\n(?:={1,300}|-{3,300})[ \t]{0,9}$"
_ANY_HEADING = re.compile(f"{_HEADING}|{_UNDERLINED_HEADING}", re.MULTILINE)

# Lengths are bounded so that no text, however odd, makes a pattern slow.
_MARKUP = tuple(
    (re.compile(pattern, re.MULTILINE), replacement)
    for pattern, replacement in (
        (r"<!--(?:[^-]|-(?!->)){0,1000}-->", ""),  # comments
        (r"^ {0,3}(?:```|~~~).*$", ""),  # fences; the code stays
        (_UNDERLINED_HEADING, r"\1\n"),
        (r"^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$", ""),  # rules
        (_HEADING, r"\1\n"),
        (r"^ {0,3}(?:>[ \t]?)+", ""),  # quotations
        (r"^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S.*$", ""),  # targets of links
        (r"!?\[([^\]\[\n]{0,500})\]\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)", r"\1"),  # links, images
        (r"!?\[([^\]\[\n]{1,500})\]\[[^\]\n]{0,200}\]", r"\1"),
        (r"<(https?://[^>\s]{1,2000})>", r"\1"),
        (r"</?[a-zA-Z][^<>\n]{0,500}>", ""),  # HTML tags
        (r"(\*\*|__)(?=\S)([^\n]{1,2000}?)(?<=\S)\1", r"\2"),  # strong
        (r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,2000})(?<=[^\s*])\*(?![\w*])", r"\1"),  # emphasis
        (r"(?<![\w_])_(?=[^\s_])([^_\n]{1,2000})(?<=[^\s_])_(?![\w_])", r"\1"),
        (r"`{1,2}([^`\n]{1,2000})`{1,2}", r"\1"),
        (r"^[ \t]*\|?[ \t]*:?-{2,}[-:| \t]*$", ""),  # the line under a table's head
        (r"\\([\\`*_{}\[\]()#+.!>~|-])", r"\1"),
        (r"\n[ \t]{0,99}(?:\n[ \t]{0,99}){2,999}", "\n\n"),
    )
)


def read_markdown(source: str) -> Markdown:
    """Plain text from Markdown; line ends are ``\\n``. The title is the front matter's, or else the first heading.

    >>> read_markdown("# A *fine* day\\n\\nIt [rained](https://weather.example/).").text
    'A fine day\\n\\nIt rained.'
    """
    given: dict[str, str] = {}
    front = _FRONT_MATTER.match(source)
    if front is not None:
        given = {name.lower(): value.strip(" \t\"'") for name, value in _FRONT_MATTER_LINE.findall(front.group(1))}
        source = source[front.end() :]
    heading = _ANY_HEADING.search(source)
    title = given.get("title") or (_plain(heading.group(1) or heading.group(2)) if heading else None)
    url = given.get("url") or given.get("link") or given.get("permalink")
    return Markdown(_plain(source), title or None, given.get("date"), url)


def _plain(text: str) -> str:
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    return text.strip()
