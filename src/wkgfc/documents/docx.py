"""The text of Word documents (Office Open XML): paragraphs as a reader sees them.

Source: ECMA-376, part 1, sections 17.3 (paragraphs, runs) and 15.2 (core properties).
"""

import datetime as dt
import io
import lzma
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any

from wkgfc.web.encoding import Unreadable

SIGNATURE = b"PK\x03\x04"
MAX_PART_BYTES = 30_000_000  # of the text's XML, unpacked: that of a book of a thousand pages has about ten million

_DAMAGED = (  # what the readers of archives raise
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, KeyError, NotImplementedError, RuntimeError, EOFError, OSError,
    ValueError,
)  # fmt: skip
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"  # the same text again
_NOT_SEEN = {f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", _FALLBACK}
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_CREATED = "{http://purl.org/dc/terms/}created"


@dataclass(frozen=True, slots=True)
class Docx:
    """The text, a blank line between paragraphs; title and day of creation from the document's own properties."""

    text: str
    title: str | None = None
    created: dt.date | None = None


def read_docx(content: bytes) -> Docx:
    """The main text. Deleted and hidden text, headers, footers, notes and comments are left out.

    Raises:
        Unreadable: it is no Word document, a damaged one, or unpacks to more than ``MAX_PART_BYTES``.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            document = _parsed(_part(archive, "word/document.xml"))
            names = set(archive.namelist())
            core = _parsed(_part(archive, "docProps/core.xml")) if "docProps/core.xml" in names else None
    except _DAMAGED as error:
        raise Unreadable(f"not a Word document that can be read ({type(error).__name__})") from error
    paragraphs = ["".join(_pieces(paragraph)).strip() for paragraph in _paragraphs(document)]
    title = core.findtext(_TITLE) if core is not None else None
    return Docx(
        "\n\n".join(paragraph for paragraph in paragraphs if paragraph),
        title.strip() or None if title else None,
        _day(core.findtext(_CREATED)) if core is not None else None,
    )


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as file:
        content = file.read(MAX_PART_BYTES + 1)  # what the archive says of its own size may be a lie
    if len(content) > MAX_PART_BYTES:
        raise Unreadable(f"a Word document whose text unpacks to over {MAX_PART_BYTES:,} bytes")
    return content


def _parsed(content: bytes) -> Any:
    from lxml import etree  # noqa: PLC0415 - only for Word documents

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        tree = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise Unreadable("not a Word document that can be read (its XML is damaged)") from error
    if tree.getroottree().docinfo.doctype:
        raise Unreadable("a Word document with a document type of its own, which none needs")
    return tree


def _paragraphs(document: Any) -> Any:
    """The paragraphs that stand in no other one, as that of a text box does."""
    for paragraph in document.iter(f"{_W}p"):
        above = {ancestor.tag for ancestor in paragraph.iterancestors()}
        if f"{_W}p" not in above and not above & _NOT_SEEN:
            yield paragraph


def _pieces(element: Any) -> Any:
    for child in element:
        if child.tag in _NOT_SEEN or (child.tag == f"{_W}r" and _is_hidden(child)):
            continue
        if child.tag == f"{_W}t":
            yield child.text or ""
        elif child.tag in (f"{_W}tab", f"{_W}br", f"{_W}cr"):
            yield " "
        elif child.tag == f"{_W}noBreakHyphen":
            yield "-"
        elif isinstance(child.tag, str):
            yield from _pieces(child)
            if child.tag == f"{_W}p":  # of a text box
                yield " "


def _is_hidden(run: Any) -> bool:
    """Whether the property is there and not switched off (section 17.17.4)."""
    vanish = run.find(f"{_W}rPr/{_W}vanish")
    return vanish is not None and vanish.get(f"{_W}val") not in ("0", "false", "off")


def _day(text: str | None) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None
