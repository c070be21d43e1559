"""Texts from files of all kinds, from a pipe and from a page; what is hostile or too large is refused in a line."""

import datetime as dt
import io
import sys
import zipfile
from pathlib import Path

import pytest

from wkgfc.config import load_settings
from wkgfc.documents import docx, opening
from wkgfc.documents.docx import read_docx
from wkgfc.documents.opening import open_text
from wkgfc.errors import BadInput
from wkgfc.web.encoding import Unreadable

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
CORE = (
    '<cp:p xmlns:cp="x" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
    "<dc:title>A report</dc:title><dcterms:created>2019-05-04T10:00:00Z</dcterms:created></cp:p>"
)


def docx_of(body: str, head: str = "", core: str = CORE) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"{head}<w:document {W}><w:body>{body}</w:body></w:document>")
        archive.writestr("docProps/core.xml", core)
    return file.getvalue()


def run(text: str, properties: str = "") -> str:
    return f"<w:r>{properties}<w:t>{text}</w:t></w:r>"


def opened(path: Path, content: bytes) -> opening.SourceText:
    path.write_bytes(content)
    return open_text(str(path), load_settings())


def test_plain_text_and_markdown(tmp_path: Path) -> None:
    assert opened(tmp_path / "a.txt", "Nepal grenzt an Größe.".encode("latin-1")).text == "Nepal grenzt an Größe."
    page = opened(tmp_path / "a.md", b"---\ndate: 2019-05-04\n---\n# Title\n\nNepal **borders** China.")
    assert (page.title, page.date, page.text) == ("Title", dt.date(2019, 5, 4), "Title\n\nNepal borders China.")


def test_html_is_read_in_a_process_of_its_own(tmp_path: Path) -> None:
    words = "Nepal borders China and India, and its capital is Kathmandu, a city in a valley. " * 5
    page = (
        f"<!doctype html><html><head><title>A page</title></head><body><article><p>{words}</p></article></body></html>"
    )

    assert "Nepal borders China" in opened(tmp_path / "a", page.encode()).text


def test_word_documents_as_a_reader_sees_them(tmp_path: Path) -> None:
    shown = '<w:rPr><w:vanish w:val="0"/></w:rPr>'
    body = (
        f"<w:p>{run('Nepal ')}{run('borders China.')}</w:p><w:p><w:del>{run('deleted')}</w:del>"
        f"{run('hidden', '<w:rPr><w:vanish/></w:rPr>')}{run('It is ', shown)}{run('old.')}</w:p><w:p/>"
    )
    document = opened(tmp_path / "a.docx", docx_of(body))

    assert document.text == "Nepal borders China.\n\nIt is old."
    assert (document.title, document.date) == ("A report", dt.date(2019, 5, 4))


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 no archive",
        docx_of("<w:p>", ""),
        docx_of(f"<w:p>{run('&x;')}</w:p>", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
        docx_of(f"<w:p>{run('&b;')}</w:p>", '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'),
    ],
)
def test_a_word_document_that_is_damaged_or_attacks_is_unreadable(content: bytes) -> None:
    with pytest.raises(Unreadable, match="Word document"):
        read_docx(content)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_word_document_whose_packed_text_is_damaged_is_unreadable(method: int) -> None:
    name = "word/document.xml"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr(name, "".join(f"<a>{number}</a>" for number in range(1_000)))
    content = bytearray(file.getvalue())
    begin = 30 + len(name)  # behind the header of the only file
    for at in range(begin, begin + 60):
        damaged = bytearray(content)
        damaged[at : at + 8] = b"\xff" * 8
        with pytest.raises(Unreadable, match="Word document"):
            read_docx(bytes(damaged))


def test_a_word_document_that_unpacks_to_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docx, "MAX_PART_BYTES", 1_000)
    with pytest.raises(Unreadable, match="unpacks to over 1,000"):
        read_docx(docx_of(f"<w:p>{run('a' * 5_000)}</w:p>"))


def test_from_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Nepal borders China.")))
    assert open_text("-", load_settings()).text == "Nepal borders China."


def test_what_cannot_be_read_is_said_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        open_text(str(tmp_path / "none.txt"), load_settings())
    with pytest.raises(BadInput, match="has no text"):
        opened(tmp_path / "a.txt", b" \n")
    with pytest.raises(BadInput, match="cannot be read: "):
        open_text("http://127.0.0.1/secret", load_settings(robots=False))
    monkeypatch.setattr(opening, "MAX_CHARACTERS", 10)
    with pytest.raises(BadInput, match="give it in parts"):
        opened(tmp_path / "a.txt", b"Nepal borders China.")
