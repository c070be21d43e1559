"""The episodes of a finished or half-finished run, for the experience buffer."""

from collections.abc import Iterator
from pathlib import Path

from wkgfc.errors import BadInput
from wkgfc.evaluate.cell import read_cell
from wkgfc.evaluate.records import ClaimRecord, Results
from wkgfc.optimize.episodes import Episode, GoldFound

METHOD = "wkgfc"  # the agent with all its parts: what others did is no experience of its policy


def episodes_of(folder: Path) -> Iterator[Episode]:
    """The episodes of a run of 'wkgfc evaluate run', in the order in which they were made; claims without a label not.

    Raises:
        BadInput: the folder has no run, one of another version, or one of another method.
    """
    cell = read_cell(folder)
    if cell.method != METHOD or cell.without is not None:
        method = cell.method + (f" without {cell.without}" if cell.without else "")
        raise BadInput(f"{folder} is a run of {method}: experience is of {METHOD} with all its parts")
    for record in Results(folder).read():
        if (episode := episode_of(record, cell.set_name)) is not None:
            yield episode


def episode_of(record: ClaimRecord, source: str) -> Episode | None:
    """A record as an episode; ``None`` where the claim has no label."""
    if record.gold is None:
        return None
    recall = record.recall
    found = GoldFound(pages=recall.pages, sentences=recall.sentences, entities=recall.entities)
    return Episode(claim_id=record.id, source=source, gold=record.gold, found=found, result=record.result)
