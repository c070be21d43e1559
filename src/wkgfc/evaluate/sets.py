"""The sets of claims that the tables are over, and what each method may see of each (the paper's grey cells).

A set is one of three kinds. ``open``: a claim alone, with the knowledge graph and the web of the settings. ``own_web``:
texts from the web come with each claim, and they are its web. ``grounded``: the label says whether the claim is
faithful to a document that comes with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wkgfc.baselines.registry import Known
from wkgfc.errors import BadInput
from wkgfc.evidence import Record

Kind = Literal["open", "own_web", "grounded"]
Web = Literal["none", "sources", "own", "document"]

ENDINGS = (".jsonl.gz", ".jsonl", ".json")
DEVELOPMENT = "fever_dev"  # the claims that the floors are fitted on, where a set has none of its own


@dataclass(frozen=True)
class ClaimSet:
    """A set of claims. ``paper`` is what the paper calls the set whose claims these are, or are like (``is_like``)."""

    name: str
    kind: Kind = "open"
    paper: str | None = None
    is_like: bool = False
    development: str = DEVELOPMENT


KNOWN = {
    each.name: each
    for each in (
        ClaimSet("fever_val", paper="FEVER"),
        ClaimSet("fm2_val", development="fm2_dev"),
        ClaimSet("averitec_dev", "own_web", paper="AVeriTeC"),
        ClaimSet("multihop", paper="HOVER", is_like=True),
        ClaimSet("hover_dev", paper="HOVER"),
        ClaimSet("liar_new", paper="LIAR-New"),
        ClaimSet("pubhealth", "grounded", paper="PubHealth"),
        ClaimSet("summeval", "grounded", paper="SummEval"),
        ClaimSet("aggrefact_cnn", "grounded", paper="AFact-CNN"),
        ClaimSet("scifact", "grounded"),
        ClaimSet("reveal", "grounded"),
    )
}


class Sight(Record):
    """What a method may see for the claims of a set.

    ``web``: none, the source of the settings, the claim's own texts, or its document as the only page. ``document``:
    the document is given to be read as it is.
    """

    kg: bool = False
    web: Web = "none"
    document: bool = False

    @property
    def text(self) -> str:
        """In words, for a table."""
        webs: dict[Web, str] = {
            "none": "",
            "sources": "web",
            "own": "the claim's own web texts",
            "document": "the document as the only page",
        }
        seen = (["KG"] if self.kg else []) + [webs[self.web]] * bool(webs[self.web])
        seen += ["the document"] if self.document else []
        return " and ".join(seen) or "nothing"

    @property
    def is_guarded(self) -> bool:
        """Whether the leakage guard applies: not to the document that the label is about."""
        return not self.document and self.web != "document"


def sights(method: Known, kind: Kind) -> Iterator[tuple[str, Sight]]:
    """The ways in which a method is measured on sets of a kind: a mark for its name, and what it sees.

    None where it cannot be measured there. On grounded sets a method that reads documents is given the document; one
    that retrieves does so by itself, as in the paper, and WKGFC once more with the document as its only page.
    """
    retrieves = bool(method.reads & {"kg", "web"})
    if kind == "grounded":
        if "document" in method.reads:
            yield "", Sight(document=True)
            return
        yield "", Sight(kg="kg" in method.reads, web="sources" if "web" in method.reads else "none")
        if method.reads >= {"kg", "web"}:
            yield "document", Sight(kg=True, web="document")
        return
    if method.name in {"graphrag", "graphcheck"}:
        return
    web: Web = "own" if kind == "own_web" else "sources"
    yield "", Sight(kg="kg" in method.reads, web=web if retrieves and "web" in method.reads else "none")


def find_set(name: str, data: Path | None) -> tuple[ClaimSet, Path]:
    """The set of a name and its file: a file of the folder ``data``, or a path of its own.

    Raises:
        BadInput: there is no such file; the text says where it was looked for.
    """
    path = Path(name)
    if path.is_file():
        stem = path.name.split(".")[0]
        return KNOWN.get(stem, ClaimSet(stem)), path
    if data is not None:
        for ending in ENDINGS:
            file = data / f"{name}{ending}"
            if file.is_file():
                return KNOWN.get(name, ClaimSet(name)), file
    where = f"{data} has no {name}{ENDINGS[0]}" if data is not None else "no file is called so"
    raise BadInput(f"there are no claims {name!r}: {where}")
