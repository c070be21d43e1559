"""Text from bytes in any encoding, declared or not, right or wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.web.encoding import Unreadable, declared_in_markup, decode

FRENCH = "Le pont a été inauguré en présence du préfet ; les élèves de l'école y étaient déjà à midi. " * 4
RUSSIAN = "Мост через реку был открыт в прошлом году при большом стечении народа. " * 4
JAPANESE = "橋は月曜日に市長によって開通した。全長は三百二十メートルである。" * 4


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        (FRENCH, "utf-8", "UTF-8"),
        (FRENCH, "cp1252", "ISO-8859-1"),
        ("It’s “so”", "cp1252", "latin1"),
        (FRENCH, "iso8859_15", "iso-8859-15"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8_r", " KOI8-R "),
        (JAPANESE, "cp932", "Shift_JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        ("橋樑於星期一開通", "big5hkscs", "big5"),
        ("这座桥星期一通车", "gb18030", "gb2312"),
        ("다리가 월요일에 개통되었다", "cp949", "euc-kr"),
    ],
)
def test_a_declared_encoding_is_read_as_browsers_read_it(text: str, codec: str, label: str) -> None:
    assert decode(text.encode(codec), [label]) == text


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_stronger_than_what_is_declared(codec: str) -> None:
    assert decode(RUSSIAN.encode(codec), ["windows-1252"]) == RUSSIAN


def test_a_declaration_that_does_not_fit_is_not_believed() -> None:
    assert decode(RUSSIAN.encode(), ["us-ascii", "euc-kr"]) == RUSSIAN


@pytest.mark.parametrize("label", ["utf-7", "rot13", "zlib", "unicode_escape", "idna", "x" * 100, "", None])
def test_no_other_codec_can_be_asked_for(label: str | None) -> None:
    assert decode(b"+ADw-script+AD4- \\u0041", [label]) == "+ADw-script+AD4- \\u0041"


def test_a_few_broken_bytes_are_shown_as_unknown() -> None:
    content = RUSSIAN.encode()
    assert decode(content[:21] + b"\xff" + content[21:]).count("�") in (1, 2, 3)


def test_line_ends_are_of_one_kind() -> None:
    assert decode(b"a\r\nb\rc\nd") == "a\nb\nc\nd"


@pytest.mark.parametrize(
    ("markup", "label"),
    [
        (b'<meta charset="windows-1251">', "windows-1251"),
        (b"<META HTTP-EQUIV=Content-Type CONTENT='text/html; charset=Shift_JIS'>", "shift_jis"),
        (b'<?xml version="1.0" encoding="ISO-8859-2"?><html>', "iso-8859-2"),
        (b'<meta charset="utf-16">', "utf-8"),
        (b"<p>charset=x</p>", None),
        (b"<meta charset=" + b"x" * 10_000, "x" * 40),
    ],
)
def test_a_page_declares_its_encoding_itself(markup: bytes, label: str | None) -> None:
    assert declared_in_markup(markup) == label


@settings(deadline=None)
@given(st.binary(max_size=2_000), st.one_of(st.none(), st.sampled_from(["utf-8", "gb2312", "iso-2022-jp", "utf-16"])))
def test_any_bytes_are_read_or_refused(content: bytes, label: str | None) -> None:
    try:
        text = decode(content, [label, declared_in_markup(content)])
    except Unreadable:
        return
    assert text.encode().decode() == text
    assert "\r" not in text
