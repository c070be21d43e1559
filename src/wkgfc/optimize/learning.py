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
from wkgfc.optimize import origins
from wkgfc.optimize.drawing import ClaimSet
from wkgfc.optimize.exploration import Explored
from wkgfc.optimize.parameters import Change, Figure, compared, fit, replay, split
from wkgfc.optimize.reward import RewardWeights
from wkgfc.reasoning.embedded.policy import EmbeddedPolicy, write_embedded_policy
from wkgfc.stores import Progress, silent

LAYOUT = 2  # of the folder: another one is refused
RUN, EXPLORED = "run.json", "explored.jsonl"
OPTIMIZER = "coordinate search"


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
    sets: Sequence[ClaimSet],
    explored_by: Callable[[str, LabelledClaim], Awaitable[Explored]],
    out: Path,
    *,
    start: EmbeddedPolicy,
    origin: Mapping[str, Any],
    held_out: float,
    seed: int,
    test: Sequence[ClaimSet] = (),
    weights: RewardWeights | None = None,
    progress: Progress = silent,
    told: Callable[[Change], None] | None = None,
) -> Learned:
    """Explore the claims that the folder does not have yet, fit, compare, and write the policy.

    Args:
        sets: claims with labels, to fit on and to hold out.
        explored_by: explores one claim of the set that is named.
        out: the folder.
        start: the policy to begin from, and to compare with.
        origin: what else a run is told from others by: sources, settings.
        held_out: the share of the claims that nothing is fitted on.
        test: further claims that both policies are compared on.
        weights: of the reward.

    Raises:
        BadInput: there are too few claims, or the folder has another run or is damaged.
    """
    weights = weights or RewardWeights()
    wanted = [(each.name, row) for each in (*sets, *test) for row in each.labelled]
    learned_from = sum(len(each.labelled) for each in sets)
    if learned_from < 4:
        given = ", ".join(each.name for each in sets)
        raise BadInput(f"{given}: {learned_from} claims with labels, which are too few to learn from")
    names = [each.name for each in (*sets, *test)]
    if len(set(names)) < len(names):
        raise BadInput(f"two files are called {next(each for each in names if names.count(each) > 1)!r}: rename one")
    said = {name: {"claims": len(each.labelled), "ids": _digest(each)} for name, each in zip(names, sets, strict=False)}
    _claim_folder(
        out,
        {"layout": LAYOUT, "sets": said, "seed": seed, "held_out": held_out, "start": start.changes(),
         "weights": origins.as_weights(weights.model_dump()), **origin},
    )  # fmt: skip
    done = {(each.source, each.id): each for each in _read_explored(out / EXPLORED)}
    for number, (name, row) in enumerate(wanted, start=1):
        known = done.get((name, row.id))
        if known is None or (known.claim, known.gold) != (row.claim, row.veracity):
            done[name, row.id] = await explored_by(name, row)
            with (out / EXPLORED).open("a", encoding="utf-8") as file:
                file.write(done[name, row.id].model_dump_json() + "\n")
        progress("explore", number, len(wanted))
    fitted, held = split([done[name, row.id] for name, row in wanted[:learned_from]], held_out, seed=seed)
    policy, changes = fit(fitted, seed=seed, start=start, weights=weights, told=told)
    groups = {"fitted on": fitted, "held out": held}
    if len(sets) > 1:
        groups |= {f"held out, {each.name}": [one for one in held if one.source == each.name] for each in sets}
    groups |= {f"test, {each.name}": [done[each.name, row.id] for row in each.labelled] for each in test}
    parts = tuple(_compared(name, start, policy, group, weights) for name, group in groups.items() if group)
    learned = Learned(policy, changes, parts)
    write_embedded_policy(policy, out)
    origins.write_origin(
        origins.Origin(
            kind="embedded",
            content=policy.mark,
            optimizer=OPTIMIZER,
            parent=start.mark.removeprefix(".") or origins.BUILT_IN,
            made_at=origins.now(),
            claims={each.name: len(each.labelled) for each in sets},
            seed=seed,
            weights=origins.as_weights(weights.model_dump()),
            validation=_validation(start, policy, held, weights),
            more={
                "changes": [asdict(change) for change in changes],
                "figures": {
                    part.name: {"n": part.n} | {name: figure.model_dump() for name, figure in part.figures.items()}
                    for part in parts
                },
            },
        ),
        out,
    )
    return learned


def _compared(
    name: str, before: EmbeddedPolicy, after: EmbeddedPolicy, group: Sequence[Explored], weights: RewardWeights
) -> Part:
    figures = compared(
        [replay(before, each, weights) for each in group], [replay(after, each, weights) for each in group]
    )
    return Part(name, len(group), figures)


def _validation(
    before: EmbeddedPolicy, after: EmbeddedPolicy, held: Sequence[Explored], weights: RewardWeights
) -> origins.Validation | None:
    rewards = [[replay(policy, each, weights).reward.total for each in held] for policy in (after, before)]
    return origins.validation_of(*rewards) if held else None


def _digest(claims: ClaimSet) -> str:
    """What tells the claims of a set from others."""
    text = "\0".join(f"{row.id}\1{row.claim}\1{row.label}" for row in claims.labelled)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


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
