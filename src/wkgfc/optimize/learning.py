"""One run of learning the embedded policy, in a folder that a later run goes on with, and that ``--policy`` takes.

``run.json`` says what is run; a folder that says something else is refused. ``explored.jsonl`` has a line for each
claim that was explored, only ever appended to. ``embedded.json`` is the policy, ``policy.json`` where it came from and
how it compares with the one that it began from, on the claims that it was fitted on, and on those held out.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput
from wkgfc.optimize.exploration import Explored
from wkgfc.optimize.parameters import Change, Figure, compared, fit, replay, split
from wkgfc.reasoning.embedded.policy import EmbeddedPolicy, write_embedded_policy
from wkgfc.stores import Progress, silent

LAYOUT = 1  # of the folder: another one is refused
RUN, EXPLORED, ORIGIN = "run.json", "explored.jsonl", "policy.json"


@dataclass(frozen=True)
class Part:
    """A part of the claims, and how both policies do there."""

    name: str
    n: int
    figures: Mapping[str, Figure]


@dataclass(frozen=True)
class Learned:
    """The policy, the changes that led there, and the comparisons."""

    policy: EmbeddedPolicy
    changes: tuple[Change, ...]
    parts: tuple[Part, ...]


async def learn(
    rows: Sequence[LabelledClaim],
    explored_by: Callable[[LabelledClaim], Awaitable[Explored]],
    out: Path,
    *,
    source: str,
    start: EmbeddedPolicy,
    origin: Mapping[str, Any],
    held_out: float,
    seed: int,
    test: Sequence[LabelledClaim] = (),
    progress: Progress = silent,
    told: Callable[[Change], None] | None = None,
) -> Learned:
    """Explore the claims that the folder does not have yet, fit, compare, and write the policy.

    Args:
        rows: claims with labels, to fit on and to hold out.
        explored_by: explores one claim.
        out: the folder.
        source: what the set of claims is called.
        start: the policy to begin from, and to compare with.
        origin: what else a run is told from others by: sources, settings.
        held_out: the share of ``rows`` that nothing is fitted on.
        test: further claims that both policies are compared on.

    Raises:
        BadInput: there are too few claims, or the folder has another run or is damaged.
    """
    labelled = [row for row in rows if row.veracity is not None]
    tested = [row for row in test if row.veracity is not None]
    if len(labelled) < 4:
        raise BadInput(f"{source} has {len(labelled)} claims with labels: too few to learn from")
    ids = [row.id for row in (*labelled, *tested)]
    if len(set(ids)) < len(ids):
        twice = next(each for each in ids if ids.count(each) > 1)
        raise BadInput(f"two claims have the id {twice!r}: give claims to test on that are not learned from")
    digest = hashlib.sha256("\0".join(f"{row.id}\1{row.claim}\1{row.label}" for row in labelled).encode())
    _claim_folder(
        out,
        {"layout": LAYOUT, "source": source, "claims": len(labelled), "ids": digest.hexdigest()[:16], "seed": seed,
         "held_out": held_out, "start": start.changes(), **origin},
    )  # fmt: skip
    done = {each.id: each for each in _read_explored(out / EXPLORED)}
    for number, row in enumerate((*labelled, *tested), start=1):
        known = done.get(row.id)
        if known is None or (known.claim, known.gold) != (row.claim, row.veracity):
            done[row.id] = await explored_by(row)
            with (out / EXPLORED).open("a", encoding="utf-8") as file:
                file.write(done[row.id].model_dump_json() + "\n")
        progress("explore", number, len(ids))
    fitted, held = split([done[row.id] for row in labelled], held_out, seed=seed)
    policy, changes = fit(fitted, seed=seed, start=start, told=told)
    groups = {"fitted on": fitted, "held out": held, "test": [done[row.id] for row in tested]}
    parts = tuple(_compared(name, start, policy, group) for name, group in groups.items() if group)
    learned = Learned(policy, changes, parts)
    _write(learned, out, source, seed)
    return learned


def _compared(name: str, before: EmbeddedPolicy, after: EmbeddedPolicy, group: Sequence[Explored]) -> Part:
    figures = compared([replay(before, each) for each in group], [replay(after, each) for each in group])
    return Part(name, len(group), figures)


def _claim_folder(out: Path, said: dict[str, Any]) -> None:
    """Say in the folder what is run there, or see that it says so already."""
    path = out / RUN
    said = json.loads(json.dumps(said))
    try:
        if path.exists():
            before = json.loads(path.read_bytes())
            differing = [name for name in {*before, *said} if before.get(name) != said.get(name)]
            if differing:
                told = "; ".join(
                    f"{name} was {before.get(name)}, is {said.get(name)}" for name in sorted(differing)[:3]
                )
                raise BadInput(f"{out} has another run ({told}): give another --out, or delete it")
            return
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise BadInput(f"{out} has files, but no run that could be gone on with: give another --out")
        path.write_text(json.dumps(said, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except (OSError, ValueError, AttributeError) as error:
        raise BadInput(f"{out} cannot be used: {error}") from error


def _read_explored(path: Path) -> Iterator[Explored]:
    """The claims that were explored. A last line that a kill tore is cut off."""
    if not path.exists():
        return
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        with path.open("r+b") as file:
            file.truncate(len(whole))
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            yield Explored.model_validate_json(line)
        except ValidationError as error:
            raise BadInput(f"{path}, line {number} is damaged, or of another version: delete the file") from error


def _write(learned: Learned, out: Path, source: str, seed: int) -> None:
    said = {
        "layout": LAYOUT,
        "kind": "embedded",
        "mark": learned.policy.mark,
        "claims": source,
        "seed": seed,
        "changes": [asdict(change) for change in learned.changes],
        "figures": {
            part.name: {"n": part.n} | {name: figure.model_dump() for name, figure in part.figures.items()}
            for part in learned.parts
        },
    }
    write_embedded_policy(learned.policy, out)
    fresh = out / f"{ORIGIN}.new"
    fresh.write_text(json.dumps(said, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    fresh.replace(out / ORIGIN)
