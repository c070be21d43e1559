"""The same sets from Hugging Face, by its ``datasets`` library where that is installed (the extra ``datasets``).

Their columns are those of the releases, with classes as numbers and, in FEVER and SciFact, a row for each piece of
evidence: rows of one claim that follow each other are put together.
"""

from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

from wkgfc.datasets.claims import LabelledClaim
from wkgfc.datasets.formats import FORMATS, columns_in_words, format_named, format_of
from wkgfc.datasets.reading import OnProblem, Problem, Seen, converted
from wkgfc.datasets.rows import Place, RowProblem
from wkgfc.errors import BadInput, NotConfigured

PREFIX = "hf:"  # of a source's name: hf:NAME:SPLIT, or hf:NAME:CONFIGURATION:SPLIT


def read_hugging_face(
    source: str, *, format: str | None = None, on_problem: OnProblem | None = None
) -> tuple[LabelledClaim, ...]:
    """The rows of a data set on Hugging Face, such as ``hf:fever/fever:v1.0:labelled_dev``.

    Raises:
        NotConfigured: the library is not installed, or the set cannot be loaded.
        BadInput: the name is none, its columns are unknown; or, without ``on_problem``, a row is wrong.
    """
    parts = source.removeprefix(PREFIX).split(":")
    if not 2 <= len(parts) <= 3 or not all(parts):
        raise BadInput(f"{source[:80]}: write {PREFIX}NAME:SPLIT or {PREFIX}NAME:CONFIGURATION:SPLIT")
    try:
        load_dataset = import_module("datasets").load_dataset
    except (ImportError, AttributeError):  # not there, or a folder of that name in its place
        raise NotConfigured("reading from Hugging Face needs its library: pip install 'wkgfc[datasets]'") from None
    name, *configuration, split = parts
    try:
        loaded = load_dataset(name, *configuration, split=split)
    except Exception as error:  # whatever the library, its network and its loaders raise
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise NotConfigured(f"{source} cannot be loaded: {reason}") from error
    return tuple(claims_of(loaded, source, format=format, on_problem=on_problem))


def claims_of(
    loaded: Any, source: str, *, format: str | None = None, on_problem: OnProblem | None = None
) -> Iterator[LabelledClaim]:
    """The claims of a loaded ``datasets.Dataset``."""
    classes = {name: feature.names for name, feature in loaded.features.items() if hasattr(feature, "names")}
    chosen = format_named(format) if format is not None else format_of(dict.fromkeys(loaded.features))
    if chosen is None:
        raise BadInput(
            f"{source}: no format has these columns ({', '.join(loaded.features)[:200]}); "
            f"known are {columns_in_words(FORMATS.values())}"
        )
    place = Path(source.replace("/", "_").replace(":", "_"))
    last: LabelledClaim | None = None
    with closing(Seen()) as seen:
        for index, row in enumerate(loaded):
            for name, names in classes.items():
                value = row[name]  # -1 stands for no class
                row[name] = names[value] if isinstance(value, int) and 0 <= value < len(names) else None
            try:
                claim = converted(chosen, row, Place(place, index))
                if claim is None:
                    continue
                goes_on = last is not None and last.id == claim.id
                if not goes_on:
                    seen.add(claim.id, index + 1)
            except RowProblem as problem:
                named = Problem(Path(source), index + 1, str(problem))
                if on_problem is None:
                    raise BadInput(str(named)) from problem
                on_problem(named)
                continue
            if last is not None and goes_on:
                last = _together(last, claim)
                continue
            if last is not None:
                yield last
            last = claim
    if last is not None:
        yield last


def _together(first: LabelledClaim, second: LabelledClaim) -> LabelledClaim:
    """Two rows of one claim: the evidence of both."""
    meta = dict(first.meta)
    for name, value in second.meta.items():
        if isinstance(value, list) and isinstance(meta.get(name, []), list):
            meta[name] = [*meta.get(name, []), *(each for each in value if each not in meta.get(name, []))]
    evidence = (*first.evidence, *(each for each in second.evidence if each not in first.evidence))
    return first.model_copy(update={"meta": meta, "evidence": evidence})
