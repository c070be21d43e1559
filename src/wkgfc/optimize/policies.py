"""The policies that are at hand: the one that ships, and folders, each with what it changes and where it came from."""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wkgfc.errors import BadInput, NotConfigured
from wkgfc.optimize.origins import BUILT_IN, FILE, Origin, prompts_digest, read_origin
from wkgfc.optimize.prompts import prompts_in, shipped_prompt
from wkgfc.reasoning.embedded.policy import FILE as PARAMETERS
from wkgfc.reasoning.embedded.policy import EmbeddedPolicy, read_embedded_policy
from wkgfc.reasoning.llm.calibration import FILE as CALIBRATION
from wkgfc.reasoning.llm.calibration import Calibration, read_calibration
from wkgfc.reasoning.llm.policy import JUDGEMENTS, SUFFIX

MAX_FOLDERS = 1_000  # looked at in one place: more is not where anybody keeps policies


@dataclass(frozen=True)
class Policy:
    """A policy. ``folder`` is ``None`` for the one that ships; ``problem`` says why one cannot be used."""

    folder: Path | None
    parameters: EmbeddedPolicy | None = None
    prompts: dict[str, str] | None = None
    origin: Origin | None = None
    problem: str | None = None
    calibration: Calibration | None = None

    @property
    def name(self) -> str:
        """What it is called: its folder."""
        return BUILT_IN if self.folder is None else str(self.folder)

    @property
    def kinds(self) -> tuple[str, ...]:
        """What it has: parameters of the embedded reasoner, prompts of a language model, or both."""
        return tuple(
            kind for kind, part in (("embedded", self.parameters), ("prompts", self.prompts)) if part is not None
        )

    @property
    def was_changed(self) -> bool:
        """Whether what it has is not what its origin tells of: somebody changed it since."""
        if self.origin is None or self.problem is not None:
            return False
        if self.origin.kind == "embedded":
            return self.parameters is None or self.parameters.mark != self.origin.content
        return prompts_digest(self.prompts or {}) != self.origin.content


def read_policy_folder(folder: Path) -> Policy:
    """The policy in a folder, whether it can be used or not.

    Raises:
        BadInput: there is no such folder, or no policy in it.
    """
    if not is_policy(folder):
        raise BadInput(f"{folder} is no policy: 'wkgfc policy list' shows those at hand, 'wkgfc optimize' makes one")
    origin = read_origin(folder)
    try:
        parameters = read_embedded_policy(folder) if (folder / PARAMETERS).is_file() else None
        prompts = prompts_in(folder) if any(folder.glob("*" + SUFFIX)) or parameters is None else None
        calibration = read_calibration(folder)
    except NotConfigured as error:
        return Policy(folder, origin=origin, problem=str(error))
    return Policy(folder, parameters, prompts, origin, calibration=calibration)


def built_in() -> Policy:
    """The policy that ships with the package."""
    return Policy(None, EmbeddedPolicy(), {})


def is_policy(folder: Path) -> bool:
    """Whether a folder has anything of a policy."""
    try:
        names = (PARAMETERS, FILE, CALIBRATION, *(each + SUFFIX for each in JUDGEMENTS))
        return any((folder / name).is_file() for name in names)
    except OSError:
        return False


def policies_in(places: Iterable[Path]) -> Iterator[Policy]:
    """The policies among some folders and the folders in them, each once, by their names."""
    seen: set[Path] = set()
    for place in places:
        try:
            inside = sorted(each for each in place.iterdir() if each.is_dir())[:MAX_FOLDERS]
        except OSError:
            continue
        for folder in (place, *inside):
            if (resolved := folder.resolve()) not in seen and is_policy(folder):
                seen.add(resolved)
                yield read_policy_folder(folder)


@dataclass(frozen=True)
class Difference:
    """Two policies compared: parameters by name with both values, and a diff for each prompt."""

    parameters: dict[str, tuple[Any, Any]]
    prompts: dict[str, str]


def difference(first: Policy, second: Policy) -> Difference:
    """What the second has otherwise than the first. What a policy does not have is as it ships.

    Raises:
        BadInput: one of them cannot be used.
    """
    for each in (first, second):
        if each.problem is not None:
            raise BadInput(each.problem)
    parts = [(each.parameters or EmbeddedPolicy()).model_dump(mode="json") for each in (first, second)]
    parameters = {
        f"{part}.{name}": (value, parts[1][part][name])
        for part, values in parts[0].items()
        for name, value in values.items()
        if value != parts[1][part][name]
    }
    prompts = {}
    for name in JUDGEMENTS:
        before, after = ((each.prompts or {}).get(name) or shipped_prompt(name) for each in (first, second))
        if before != after:
            lines = difflib.unified_diff(before.splitlines(), after.splitlines(), first.name, second.name, lineterm="")
            prompts[name] = "\n".join(lines)
    return Difference(parameters, prompts)
