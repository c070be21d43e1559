"""Answers spoiled in the ways in which answers are spoiled: cut, with bits turned, of other types, or not there at all.

Everything is drawn from the generator that is given, so that a seed brings the same bytes again.
"""

import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

MOST_BYTES = 300  # of an answer that is nothing but noise

_BITS = 8
_DEEP = "a list in a list in a list"
_DEEP_IN_JSON = f'"{_DEEP}"'.encode()
_TEXTS = (
    "",
    " ",
    "\x00",
    "\ud800",
    "\u202e",
    "0",
    "-1",
    "1e999999999",
    "9" * 400,
    "NaN",
    "Q20",
    "P31",
    "http://www.wikidata.org/entity/Q20",
    "https://x.example/1",
    "http://[",
    "javascript:alert(1)",
    "-0000-00-00T00:00:00Z",
    "2020-02-30",
    "' OR 1=1 --",
    "} SERVICE <http://evil.example/> {",
    "<script>",
    "&#x110000;",
    "a" * 5_000,
)
_MARKUP = (
    b"<div>",
    b"</div>",
    b"<table><tr>",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"&#0;",
    b"&nbsp;",
    b"\x00",
    b"\xff\xfe",
    b"<meta charset='utf-7'>",
    b"<base href='//['>",
    b'<a class="result__a" href="//duckduckgo.com/l/?uddg=%">',
    b"<svg><foreignObject>",
    b"<title>",
    b"<article>" * 50,
)


def noise(chooser: random.Random) -> bytes:
    """Bytes by chance, sometimes none."""
    return chooser.randbytes(chooser.randrange(MOST_BYTES))


def spoiled(real: bytes, chooser: random.Random) -> bytes:
    """A real answer, spoiled once to three times; one in five is noise instead."""
    if chooser.random() < 0.2:
        return noise(chooser)
    for _ in range(chooser.choice((1, 1, 1, 2, 3))):
        real = chooser.choice(_WAYS)(real, chooser)
    return real


def _cut(real: bytes, chooser: random.Random) -> bytes:
    return real[: chooser.randrange(len(real) + 1)]


def _without_a_piece(real: bytes, chooser: random.Random) -> bytes:
    start, end = sorted(chooser.randrange(len(real) + 1) for _ in range(2))
    return real[:start] + real[end:]


def _with_a_piece_twice(real: bytes, chooser: random.Random) -> bytes:
    start, end = sorted(chooser.randrange(len(real) + 1) for _ in range(2))
    return real[:end] + real[start:]


def _with_bits_turned(real: bytes, chooser: random.Random) -> bytes:
    turned = bytearray(real)
    for _ in range(chooser.choice((1, 1, 2, 8, 64)) if turned else 0):
        turned[chooser.randrange(len(turned))] ^= 1 << chooser.randrange(_BITS)
    return bytes(turned)


def _with_noise_inside(real: bytes, chooser: random.Random) -> bytes:
    place = chooser.randrange(len(real) + 1)
    return real[:place] + noise(chooser) + real[place:]


def _with_markup_inside(real: bytes, chooser: random.Random) -> bytes:
    for _ in range(chooser.randrange(1, 6)):
        place = chooser.randrange(len(real) + 1)
        real = real[:place] + chooser.choice(_MARKUP) + real[place:]
    return real


def _with_types_swapped(real: bytes, chooser: random.Random) -> bytes:
    """JSON with some of its values replaced, left out or called otherwise; other bytes as they are, cut."""
    try:
        document = json.loads(real)
    except (ValueError, RecursionError):
        return _cut(real, chooser)
    holder = {"": copy.deepcopy(document)}
    for _ in range(chooser.choice((1, 1, 2, 5))):
        places = _places(holder)
        inside, key = chooser.choice(places)
        match chooser.randrange(6), inside:
            case 0, dict() if key:
                del inside[key]
            case 1, dict() if key:
                inside[chooser.choice(_TEXTS[:6]) or "other"] = inside.pop(key)
            case 2, _:
                inside[key] = [inside[key]]
            case 3, _:
                inside[key] = {"value": inside[key]}
            case _:
                inside[key] = _anything(chooser)
    depth = chooser.choice((10, 400, 100_000))  # Python writes none as deep as it has to read
    return json.dumps(holder[""]).encode().replace(_DEEP_IN_JSON, b"[" * depth + b"]" * depth)


def _places(document: Any) -> list[tuple[Any, Any]]:
    """Every place of a document as what holds it and the key or number there."""
    places: list[tuple[Any, Any]] = []
    waiting = [document]
    while waiting:
        each = waiting.pop()
        inner = each.items() if isinstance(each, dict) else enumerate(each) if isinstance(each, list) else ()
        for key, value in inner:
            places.append((each, key))
            waiting.append(value)
    return places


def _anything(chooser: random.Random) -> Any:
    simple: Sequence[Any] = (None, True, False, 0, -1, 10**30, 0.5, 1e308, [], {}, [None], [[[[]]]], {"a": {"b": None}})
    if chooser.random() < 0.1:
        return _DEEP
    return chooser.choice(_TEXTS) if chooser.random() < 0.5 else chooser.choice(simple)


_WAYS: Sequence[Callable[[bytes, random.Random], bytes]] = (
    _cut,
    _without_a_piece,
    _with_a_piece_twice,
    _with_bits_turned,
    _with_noise_inside,
    _with_markup_inside,
    _with_types_swapped,
    _with_types_swapped,
    _with_types_swapped,
)
