"""Where a learned policy came from: what ``policy.json`` of its folder says, whoever made it.

A folder without one was written by hand. What stands there is only ever shown, so a file that is damaged or of another
version says nothing, and the policy beside it can be used all the same.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from wkgfc.evidence import Record
from wkgfc.whole_files import write_whole

FILE = "policy.json"
MAX_BYTES = 20_000_000  # of the file: a run of a hundred candidates with their diffs has some hundred kilobytes
BUILT_IN = "built-in"


class Validation(Record):
    """The mean reward on claims that nothing was fitted on, with its bootstrap interval, and what it was before."""

    n: int
    before: float | None
    reward: float
    low: float
    high: float


class Origin(Record):
    """Where a policy came from. ``parent`` is the version that it was made from, ``claims`` how many of each set.

    ``content`` is the digest of what was learned: another one in the folder was changed since.
    """

    layout: Literal[2] = 2
    kind: Literal["embedded", "prompts"]
    content: str = Field(max_length=100)
    optimizer: str = Field(max_length=300)
    parent: str = Field(max_length=300)
    made_at: dt.datetime
    claims: dict[str, int]
    seed: int
    weights: dict[str, float]
    validation: Validation | None
    more: dict[str, Any] = {}  # what only policies of this kind have: changes and figures, or the candidates


def prompts_digest(prompts: Mapping[str, str]) -> str:
    """What tells prompts from others, those that ship with the package apart."""
    text = "\0".join(f"{name}\1{prompts[name]}" for name in sorted(prompts))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def validation_of(after: Sequence[float], before: Sequence[float] | None) -> Validation:
    """The mean of the rewards with its interval."""
    rewards = np.array(after)
    draws = np.random.default_rng(0).integers(len(rewards), size=(1000, len(rewards)))
    low, high = np.quantile(rewards[draws].mean(axis=1), [0.025, 0.975])
    earlier = None if before is None else float(np.mean(before))
    return Validation(n=len(rewards), before=earlier, reward=float(rewards.mean()), low=float(low), high=float(high))


def write_origin(origin: Origin, folder: Path) -> None:
    """Write it; the file is there whole or not at all."""
    write_whole(folder / FILE, json.dumps(origin.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n")


def read_origin(folder: Path) -> Origin | None:
    """What the folder says of itself; ``None`` where it says nothing that can be read."""
    path = folder / FILE
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        return Origin.model_validate_json(path.read_bytes())
    except (OSError, ValidationError, RecursionError):
        return None


def now() -> dt.datetime:
    """The time to write down, to the second."""
    return dt.datetime.now(dt.UTC).replace(microsecond=0)


def as_weights(values: Mapping[str, float]) -> dict[str, float]:
    """The weights of a reward as they are written down."""
    return {name: round(value, 6) for name, value in values.items()}
