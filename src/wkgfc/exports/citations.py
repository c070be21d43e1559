"""The cited evidence as a list of references: Markdown, CSL-JSON, BibTeX.

Source of CSL-JSON: https://github.com/citation-style-language/schema
"""

import json
import re
from typing import TYPE_CHECKING, Any

from wkgfc.claim import visible_text
from wkgfc.exports.links import web_address

if TYPE_CHECKING:
    import datetime as dt

    from wkgfc.result import CheckResult, CitedEvidence

_MARKDOWN = re.compile(r"[\\`*_{}\[\]()<>#+!|~&]")
_MARKDOWN_BEGINNING = re.compile(r"^(\d{0,9})([-.])(?=[\s-]|$)")  # of a list, or of a line across the page
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "$": r"\$", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_",
}  # fmt: skip


def cited(result: "CheckResult") -> list["CitedEvidence"]:
    """The evidence that the justification cites, in the order of its ids."""
    return [piece for piece in result.evidence if piece.used]


def cited_sentences(result: "CheckResult") -> str:
    """The sentences of the justification, each with its citations: ``He sang. [K1, W2] She left. [K3]``."""
    return " ".join(f"{each.text} [{', '.join(each.citations)}]" for each in result.justification)


def reasons(result: "CheckResult") -> str:
    """``cited_sentences``, or why there are none."""
    return cited_sentences(result) or result.checkability.reason or "; ".join(result.errors)


def markdown_citations(result: "CheckResult") -> str:
    """A list with an item a piece: its id, what it says, and the link that opens it."""
    return "".join(f"- **{piece.id}** {_markdown_item(piece)}\n" for piece in cited(result))


def csl_json(result: "CheckResult") -> str:
    """A CSL-JSON array, as Zotero and pandoc read it."""
    return json.dumps([_csl(piece, result) for piece in cited(result)], ensure_ascii=False, indent=2) + "\n"


def bibtex(result: "CheckResult") -> str:
    """A BibTeX entry (``@misc``) a piece, its key ``wkgfc`` and its id."""
    return "\n".join(_entry(piece, result) for piece in cited(result))


def _markdown_item(piece: "CitedEvidence") -> str:
    said = markdown_text(piece.quote or piece.text)
    title = markdown_text(piece.title or piece.source)
    address = web_address(piece.url)
    link = f"[{title}]({address})" if address else title
    day = f", {piece.date.isoformat()}" if piece.date else ""
    return f"{f'“{said}”' if piece.kind == 'passage' else said} — {link}{day}"


def markdown_text(text: str) -> str:
    """Text on one line in which no sign is markup."""
    return _MARKDOWN_BEGINNING.sub(r"\1\\\2", _MARKDOWN.sub(lambda sign: f"\\{sign[0]}", _line(text)))


def _csl(piece: "CitedEvidence", result: "CheckResult") -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": piece.id,
        "type": "webpage" if piece.kind == "passage" else "dataset",
        "title": _line(piece.title or piece.text),
        "container-title": _line(piece.source),
        "note": _line(piece.quote or piece.text),
        "accessed": _csl_date((piece.retrieved_at or result.checked_at).date()),
    }
    address = web_address(piece.url)
    if address:
        item["URL"] = address
    if piece.date:
        item["issued"] = _csl_date(piece.date)
    return item


def _csl_date(day: "dt.date") -> dict[str, list[list[int]]]:
    return {"date-parts": [[day.year, day.month, day.day]]}


def _entry(piece: "CitedEvidence", result: "CheckResult") -> str:
    fields = {
        "title": _latex(piece.title or piece.text),
        "howpublished": _latex(piece.source),
        "note": _latex(piece.quote or piece.text),
        "urldate": (piece.retrieved_at or result.checked_at).date().isoformat(),
    }
    if piece.date:
        fields |= {"year": str(piece.date.year), "month": str(piece.date.month)}
    address = web_address(piece.url)
    if address:
        fields["url"] = address
    key = re.sub(r"\W", "", piece.id, flags=re.ASCII)
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@misc{{wkgfc{key},\n{lines}}}\n"


def _latex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in _line(text))


def _line(text: str) -> str:
    return " ".join(visible_text(text).split())
