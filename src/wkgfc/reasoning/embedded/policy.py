"""The embedded policy: what of it is learned, as a file ``embedded.json`` of a policy folder (paper, section 4.4).

The file has what differs from the policy that ships, by the same names::

    {"verdict": {"sufficient": 0.7}, "steering": {"max_searches": 1}, "passages": {"sharpness": 1.5}}
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Record
from wkgfc.reasoning.embedded.facts.selection import PROMISING
from wkgfc.reasoning.embedded.texts.passages import PassageParameters, load_passage_parameters
from wkgfc.reasoning.embedded.verdict import Share, VerdictParameters
from wkgfc.whole_files import write_whole

FILE = "embedded.json"
MAX_BYTES = 100_000  # of the file: more is no policy


class Steering(Record):
    """What is learned of how far to look."""

    max_searches: int = Field(2, ge=0, le=5)  # web searches of one check
    max_expansions: int = Field(1, ge=0, le=3)  # hops beyond the first retrieval
    promising: Share = PROMISING  # the score of a frontier entity from which on a further hop is worth its query
    after_search: Share | None = None  # the probability above which no second search is made; else ``sufficient``


class EmbeddedPolicy(Record):
    """Everything that is learned of the embedded reasoner beside its lexicons and its verifier."""

    verdict: VerdictParameters = VerdictParameters()
    steering: Steering = Steering()
    passages: PassageParameters = Field(default_factory=load_passage_parameters)

    def sufficient(self, *, is_after_search: bool) -> float:
        """The probability of Supported or Refuted above which no more evidence is looked for."""
        learned = self.steering.after_search if is_after_search else None
        return self.verdict.sufficient if learned is None else learned

    def changes(self) -> dict[str, dict[str, Any]]:
        """What differs from the policy that ships, as the file has it."""
        own, shipped = self.model_dump(mode="json"), EmbeddedPolicy().model_dump(mode="json")
        differing = {
            part: {name: value for name, value in own[part].items() if value != shipped[part][name]} for part in own
        }
        return {part: values for part, values in differing.items() if values}

    @property
    def mark(self) -> str:
        """What its version is told from others by: empty for the one that ships."""
        changes = self.changes()
        text = json.dumps(changes, sort_keys=True)
        return f".{hashlib.sha256(text.encode()).hexdigest()[:8]}" if changes else ""

    def having(self, changes: dict[str, dict[str, Any]]) -> "EmbeddedPolicy":
        """This policy with other values.

        Raises:
            ValueError: there is no such value, or it cannot be so (``ValidationError``).
        """
        data = self.model_dump()
        for part, values in changes.items():
            if part not in data or not isinstance(values, dict):
                raise ValueError(f"there is no part “{part}” with values by name: {', '.join(data)}")
            unknown = [name for name in values if name not in data[part]]
            if unknown:
                raise ValueError(f"{part} has no “{unknown[0]}”, only {', '.join(data[part])}")
            data[part] = {**data[part], **values}
        learned = EmbeddedPolicy.model_validate(data)
        _same_features(learned, self)
        return learned


def _same_features(learned: EmbeddedPolicy, shipped: EmbeddedPolicy) -> None:
    """Weights are of the features that there are, no more and no fewer."""
    for name in ("relevance", "consistency", "decision"):
        features, wanted = set(getattr(learned.passages, name)), set(getattr(shipped.passages, name))
        if features != wanted:
            raise ValueError(f"passages.{name} needs a weight for each of {', '.join(sorted(wanted))}, and no other")


def read_embedded_policy(folder: Path | None, *, is_needed: bool = True) -> EmbeddedPolicy:
    """The policy in a folder; the one that ships without a folder, or (not ``is_needed``) where it has none.

    Raises:
        NotConfigured: there is no such folder, no policy in it, or one that cannot be used; the text says why.
    """
    if folder is None:
        return EmbeddedPolicy()
    if not folder.is_dir():
        raise NotConfigured(f"there is no policy folder {folder}: name one of 'wkgfc optimize', or leave --policy out")
    path = folder / FILE
    if not path.is_file():
        if not is_needed:
            return EmbeddedPolicy()
        raise NotConfigured(
            f"the policy folder {folder} has no {FILE}: its prompts are for a language model (--reasoner), or leave "
            "--policy out"
        )
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
        said = json.loads(path.read_bytes())
        if not isinstance(said, dict):
            raise ValueError("it is no JSON object")
        return EmbeddedPolicy().having(said)
    except (OSError, ValueError, RecursionError) as error:
        raise NotConfigured(f"the policy {path} cannot be used: {_told(error)}") from error


def _told(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return " ".join(str(error).split())


def write_embedded_policy(policy: EmbeddedPolicy, folder: Path) -> None:
    """Write what differs from the policy that ships; the file is there whole or not at all."""
    write_whole(folder / FILE, json.dumps(policy.changes(), indent=1) + "\n")
