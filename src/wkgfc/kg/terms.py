"""Terms written into SPARQL: an IRI, a literal, a language. Whatever the text, it stays inside its term.

Source: SPARQL 1.1 Query Language, sections 4.1 and 19.8 (IRIREF, STRING_LITERAL2, ECHAR, LANGTAG).
"""

import re

# A sign of an IRI: none that could end the term, none that an engine refuses (RFC 3987, section 2.2).
_NO_CHARACTERS = r"\ud800-\uf8ff\ufdd0-\ufdef\ufff0-\uffff\U000e0000-\U0010ffff" + "".join(
    f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(1, 14)
)
_SIGN = rf"(?:[^\x00-\x20<>\"{{}}|^`\\\[\]%#\x7f-\x9f\s{_NO_CHARACTERS}]|%[0-9A-Fa-f]{{2}})"
_IRI = re.compile(
    rf"https?://(?:(?![/?:@]){_SIGN}){{1,300}}(?::[0-9]{{1,5}})?(?:[/?]{_SIGN}{{0,2000}})?(?:#{_SIGN}{{0,2000}})?"
)
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NOT_PLAIN = re.compile(r'[\\"\x00-\x1f\x7f-\x9f\u2028\u2029]')
_LANGUAGE = re.compile("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}", re.ASCII)
_HALF = re.compile(r"[\ud800-\udfff]")


def iri(text: str) -> str:
    """An http or https IRI as a term.

    Raises:
        ValueError: ``text`` is none, or has a sign that could end the term.
    """
    if not is_iri(text):
        raise ValueError(f"no IRI: {text[:80]!r}")
    return f"<{text}>"


def is_iri(text: str) -> bool:
    """Whether ``text`` is an http or https IRI that can stand in a query."""
    return _IRI.fullmatch(text) is not None


def literal(text: str, language: str | None = None) -> str:
    """Any text as a literal; control characters and whatever could end it are escaped.

    Halves of characters, which no query can hold, are left out.

    Raises:
        ValueError: ``language`` is none.
    """
    escaped = _NOT_PLAIN.sub(_escape, _HALF.sub("", text))
    return f'"{escaped}"' if language is None else f'"{escaped}"@{language_tag(language)[1:-1]}'


def language_tag(tag: str) -> str:
    """A language as the string that ``LANG`` compares with.

    Raises:
        ValueError: it is none.
    """
    if not is_language(tag):
        raise ValueError(f"no language: {tag[:20]!r}")
    return f'"{tag}"'


def is_language(tag: str) -> bool:
    """Whether ``tag`` is a language that can stand in a query."""
    return _LANGUAGE.fullmatch(tag) is not None


def _escape(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[0]) or f"\\u{ord(match[0]):04X}"
