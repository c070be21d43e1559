"""Text from bytes of any encoding: what its byte-order mark says, what it is declared as, what it looks like.

Declared names are read as browsers read them (https://encoding.spec.whatwg.org/#names-and-labels): no other codec of
Python's can be asked for from outside, and Latin-1 means Windows-1252.
"""

import re
from collections.abc import Iterable
from itertools import islice

MAX_SEARCHED_FOR_META = 4_096  # the standard says 1,024; real pages have scripts before it
MAX_DETECTED = 60_000  # bytes that detection looks at: it is slow, and no page needs more to show its letters
BROKEN_SHARE = 0.1  # of a text's characters beyond ASCII: with fewer broken ones, UTF-8 was meant

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_META = re.compile(rb"<meta[^>]{0,500}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"\A\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)

# Labels that mean another codec of Python's than their own name, and those whose own name is the codec.
_SUPERSETS = {
    **dict.fromkeys(("ascii", "us-ascii", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1"), "cp1252"),
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk", "gb_2312-80"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "ksc5601"), "cp949"),
    **dict.fromkeys(("big5", "big5-hkscs"), "big5hkscs"),
    **dict.fromkeys(("windows-874", "tis-620", "iso-8859-11"), "cp874"),
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8"), "utf-8"),
    **dict.fromkeys(("utf-16", "utf-16le"), "utf-16-le"),
    "utf-16be": "utf-16-be",
    "euc-jp": "euc_jp",
    "iso-2022-jp": "iso2022_jp",
    "gb18030": "gb18030",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
    "ibm866": "cp866",
    "cp866": "cp866",
    **{f"windows-125{number}": f"cp125{number}" for number in range(9)},
    **{f"cp125{number}": f"cp125{number}" for number in range(9)},
    **{f"iso-8859-{number}": f"iso8859_{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
}


class Unreadable(Exception):
    """Bytes that cannot be read as text; its own text says why, in a few words."""


def decode(content: bytes, declared: Iterable[str | None] = ()) -> str:
    """The text of ``content``; line ends are ``\\n``.

    The first of these that fits every byte: the byte-order mark, the ``declared`` labels in their order, UTF-8.
    Else UTF-8 or the first declared encoding where only a few bytes are broken (they become U+FFFD), else what the
    letters look like. Of several encodings that these may be in, Windows-1252 is taken: most old text of the West is.

    >>> decode("naïve".encode("latin-1"), ["ISO-8859-1"])
    'naïve'

    Raises:
        Unreadable: it is no text in any known encoding.
    """
    for mark, codec in _MARKS:
        if content.startswith(mark):
            content = content[len(mark) :]
            try:
                return _one_kind_of_line_end(content.decode(codec))
            except UnicodeDecodeError:
                break
    codecs = [_SUPERSETS[name] for label in declared if label and (name := label.strip().lower()) in _SUPERSETS]
    for codec in dict.fromkeys((*codecs, "utf-8")):
        try:
            return _one_kind_of_line_end(content.decode(codec))
        except UnicodeDecodeError:
            continue
    for codec in dict.fromkeys(("utf-8", *codecs)):
        text = content.decode(codec, "replace")
        beyond_ascii = sum(character > "\x7f" for character in text)
        if text.count("�") <= BROKEN_SHARE * beyond_ascii:
            return _one_kind_of_line_end(text)
    return _one_kind_of_line_end(_detected(content))


def declared_in_markup(content: bytes) -> str | None:
    """The encoding that a page's own beginning names: its XML declaration or its ``<meta charset>``.

    UTF-16 cannot be declared in bytes that are read as ASCII: there, UTF-8 is meant.
    """
    beginning = content[:MAX_SEARCHED_FOR_META]
    found = _XML.search(beginning) or _META.search(beginning)
    if found is None:
        return None
    label = found.group(1).decode("ascii").lower()
    return "utf-8" if label.startswith("utf-16") else label


def _detected(content: bytes) -> str:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - only for old encodings

    sample = content
    if len(sample) > MAX_DETECTED:
        end = max(sample.rfind(b"\n", 0, MAX_DETECTED), sample.rfind(b" ", 0, MAX_DETECTED))
        sample = sample[: end if end > 0 else MAX_DETECTED]
    plausible = from_bytes(sample)
    best = plausible.best()
    if best is None:
        raise Unreadable("neither UTF-8 nor any other encoding of text")
    western = islice((each for each in plausible if each.encoding == "cp1252" and each.chaos <= best.chaos + 0.1), 1)
    return content.decode(next((each.encoding for each in western), best.encoding), "replace")


def _one_kind_of_line_end(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
