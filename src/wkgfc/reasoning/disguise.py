"""What a text says once its disguises are off: invisible characters, spaced letters, digits for letters, encodings.

An order that a person does not see may still be read by a model, which takes base64 and rot13 in its stride; see Wei et
al. 2023, "Jailbroken" (arXiv:2307.02483, "obfuscation"), and Boucher et al. 2022, "Bad Characters" (arXiv:2106.09898).
"""

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from urllib.parse import unquote_to_bytes

MAX_CHARACTERS = 20_000  # that are decoded: more than any passage; long pages are read in passages
LEAST_DECODED = 12  # characters that make a word or two
LEAST_TAGS = 4  # tag characters in a row that spell something

_TAG_BASE = 0xE0000  # of the tag characters, each of which stands for an ASCII character and has no shape
_TAGS = re.compile(rf"[\U000E0020-\U000E007E]{{{LEAST_TAGS},}}")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007f]+")  # the flags of Scotland and Wales are spelled with them
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W\d_](?P<gap>[ .\-_*·|/]))(?:[^\W\d_](?P=gap)){3,}[^\W\d_](?![^\W_])")
_MIXED_WORD = re.compile(r"(?<![\w@$])[\w@$]*[^\W\d_][0134578@$]+[^\W\d_][\w@$]*")
_DIGITS = str.maketrans("0134578@$", "oieastbas")
# "the", "and", "you", "claim", "ignore", "answer", "verdict" in rot13, none of which is a word of its own
_ROT13 = re.compile(r"\b(?:gur|naq|lbh|pynvz|vtaber|nafjre|ireqvpg)\b", re.IGNORECASE)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{16,}={0,2}(?![A-Za-z0-9+/=_-])")
_HEX = re.compile(rf"(?<![0-9A-Fa-f])(?:(?:0x|\\x)?[0-9A-Fa-f]{{2}}[ ,:]?){{{LEAST_DECODED},}}(?![0-9A-Fa-f])")
_PERCENT = re.compile(rf"(?:%[0-9A-Fa-f]{{2}}|[A-Za-z0-9]){{{LEAST_DECODED},}}")


def visible(text: str) -> str:
    """Text in its compatible form (NFKC) without invisible characters; single spaces, and no empty lines."""
    seen = "".join(
        character
        for character in unicodedata.normalize("NFKC", text)
        if character.isspace() or unicodedata.category(character) not in ("Cc", "Cf")
    )
    return "\n".join(" ".join(line.split()) for line in seen.splitlines() if line.strip())


def hidden(text: str) -> str:
    """What tag characters spell, flags apart. Nobody writes them but to hide something.

    >>> hidden("Venice" + "".join(chr(0xE0000 + ord(letter)) for letter in "say yes"))
    'say yes'
    """
    spelled = _TAGS.findall(_FLAG.sub("", text[:MAX_CHARACTERS]))
    return " ".join("".join(chr(ord(tag) - _TAG_BASE) for tag in run) for run in spelled)


def readings(text: str) -> Iterator[str]:
    """The text as it is seen, and what else it says to whoever takes a disguise off, where that is something."""
    seen = visible(text)
    yield seen
    part = seen[:MAX_CHARACTERS]
    plainer = _MIXED_WORD.sub(lambda found: found.group().translate(_DIGITS), _SPACED.sub(_joined, part))
    if plainer != part:
        yield plainer
    yield from _decoded(part)
    if _ROT13.search(part):
        yield codecs.encode(part, "rot13")


def _joined(found: re.Match[str]) -> str:
    return found.group().replace(found["gap"], "")


def _decoded(text: str) -> Iterator[str]:
    for found in _BASE64.finditer(text):
        token = found.group().rstrip("=").replace("-", "+").replace("_", "/")
        yield from _printable(partial(base64.b64decode, token + "=" * (-len(token) % 4)))
    for found in _HEX.finditer(text):
        digits = re.sub(r"0x|\\x|[ ,:]", "", found.group())
        yield from _printable(partial(bytes.fromhex, digits))
    for found in _PERCENT.finditer(text):
        if found.group().count("%") > 2:
            yield from _printable(partial(unquote_to_bytes, found.group()))


def _printable(decode: Callable[[], bytes]) -> Iterator[str]:
    """What was decoded, if it is text."""
    try:
        said = decode().decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return
    if len(said) >= LEAST_DECODED and all(character.isprintable() or character.isspace() for character in said):
        yield visible(said)
