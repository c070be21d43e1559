"""The text of PDF documents."""

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from wkgfc.web.encoding import Unreadable

if TYPE_CHECKING:
    from pypdf import PdfReader

SIGNATURE = b"%PDF-"
SIGNATURE_WITHIN = 1_024  # readers allow that much before it (ISO 32000-1, annex H.3.4.1)


@dataclass(frozen=True, slots=True)
class Pdf:
    """The text of a document, a blank line between its pages, and what its own fields say of it.

    ``complete`` is whether all of its pages are in the text, each to its end.
    """

    text: str
    title: str | None = None
    author: str | None = None
    created: dt.date | None = None
    complete: bool = True


def read_pdf(stream: BinaryIO, max_pages: int, max_characters: int | None = None) -> Pdf:
    """The text of a PDF's first ``max_pages`` pages, at most ``max_characters`` of it.

    A document that is encrypted with an empty password, as many are against changes, is read; with another, it is not.
    A hostile document can take any time and memory here: what comes from outside is read in a process that can be
    ended (``wkgfc.web.reader``).

    Raises:
        Unreadable: it is no PDF, a damaged one, or locked.
    """
    import pypdf  # noqa: PLC0415 - only for PDF

    try:
        reader = pypdf.PdfReader(stream, strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("a PDF that is locked by a password")
        pages: list[str] = []
        left = max_characters
        for page in reader.pages[:max_pages]:
            pages.append(page.extract_text())
            if left is not None and (left := left - len(pages[-1])) <= 0:
                break
        complete = len(pages) == len(reader.pages) and (left is None or left >= 0)
        title, author = _field(reader, "title"), _field(reader, "author")
        created = _field(reader, "creation_date")
    except Unreadable:
        raise
    except Exception as error:  # a broken PDF breaks the parser in its own ways; the reason is reported
        raise Unreadable(f"not a PDF that can be read ({type(error).__name__})") from error
    text = "\n\n".join(pages)
    return Pdf(
        text=_valid(text if max_characters is None else text[:max_characters]),
        title=_valid(str(title)) if title else None,
        author=_valid(str(author)) if author else None,
        created=created.date() if isinstance(created, dt.datetime) else None,
        complete=complete,
    )


def number_of_pages(stream: BinaryIO) -> int:
    """How many pages a PDF says that it has.

    Raises:
        Unreadable: it is no PDF, or a damaged one.
    """
    import pypdf  # noqa: PLC0415 - only for PDF

    try:
        return len(pypdf.PdfReader(stream, strict=False).pages)
    except Exception as error:  # as above
        raise Unreadable(f"not a PDF that can be read ({type(error).__name__})") from error


def _field(reader: "PdfReader", name: str) -> object:
    """What a document's own field says; ``None`` where that cannot be read."""
    try:
        return getattr(reader.metadata, name, None)
    except Exception:  # a date of another form, a field that leads nowhere: the text is there all the same
        return None


def _valid(text: str) -> str:
    """Text that goes through UTF-8: half a surrogate pair from a broken font is shown as unknown."""
    return text.encode("utf-8", "replace").decode()
