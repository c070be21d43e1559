"""All formats of claim files, and which one a file has."""

from collections.abc import Iterable

from pydantic import ValidationError

from wkgfc.datasets.claims import LabelledClaim
from wkgfc.datasets.codex import CODEX
from wkgfc.datasets.documents import AGGREFACT, GRAPHCHECK, LLM_AGGREFACT, REVEAL, SCIFACT, SUMMEVAL
from wkgfc.datasets.press import AVERITEC, FIRE, LIAR_NEW, PUBHEALTH
from wkgfc.datasets.rows import Fields, Format, Place, RowProblem, columns
from wkgfc.datasets.wikipedia import CREAK, FEVER, FOOL_ME_TWICE, HOVER
from wkgfc.errors import BadInput


def _plain(fields: Fields, _: Place) -> LabelledClaim:
    try:
        return LabelledClaim.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise RowProblem(f"no labelled claim ({where}: {first['msg']})") from error


# One object a line, the shape that everything here is turned into.
PLAIN = Format("plain", "one object a line", (columns("id", "claim"),), _plain)

FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        FEVER, HOVER, FOOL_ME_TWICE, CREAK, LIAR_NEW, AVERITEC, PUBHEALTH, FIRE, SUMMEVAL, AGGREFACT, LLM_AGGREFACT,
        GRAPHCHECK, SCIFACT, REVEAL, CODEX, PLAIN,
    )
}  # fmt: skip


def format_named(name: str) -> Format:
    """The format of a name.

    Raises:
        BadInput: there is none of that name.
    """
    if name not in FORMATS:
        raise BadInput(f"no format is called “{name[:60]}”: {', '.join(FORMATS)}")
    return FORMATS[name]


def format_of(fields: Fields) -> Format | None:
    """The format whose columns a row has; of several the one that asks for most. Rows with an id of ours are plain."""
    fitting = [
        (len(wanted), each.name) for each in FORMATS.values() for wanted in each.columns if wanted <= fields.keys()
    ]
    return FORMATS[max(fitting, key=lambda pair: (pair[0], pair[1] == PLAIN.name))[1]] if fitting else None


def columns_in_words(formats: Iterable[Format]) -> str:
    """What each format asks for."""
    return "; ".join(f"{each.name}: {', '.join(sorted(each.columns[0]))}" for each in formats)
