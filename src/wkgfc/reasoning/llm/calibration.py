"""How far a verdict of one language model can be relied on: a temperature that was fitted on checks by that very model.

The file ``calibration.json`` of a policy folder has it, with whom it was fitted to; it is used for no other reasoner.
``wkgfc optimize confidence`` makes one. Source: Guo et al., "On Calibration of Modern Neural Networks", ICML 2017.
"""

import re
from pathlib import Path

from pydantic import Field, ValidationError

from wkgfc.claim import Veracity
from wkgfc.errors import NotConfigured
from wkgfc.evidence import Record
from wkgfc.reasoning.reasoner import Judgement, Reasoner
from wkgfc.whole_files import write_whole

FILE = "calibration.json"
MAX_BYTES = 100_000
COLDEST, HOTTEST = 0.2, 5.0  # temperatures that a fit may come to

_FOLDER_OF_MODEL = re.compile(r"(?<=local:)[^,]*[/\\](?=[^,/\\]+)")


class Quality(Record):
    """What probabilities are worth on claims with labels: log loss, Brier score and expected calibration error."""

    log_loss: float
    brier: float
    calibration_error: float


class Calibration(Record):
    """A temperature and where it came from.

    ``reasoner`` is the name and the policy of whom it was fitted to (``name_of``), ``votes`` how many verdicts were
    asked for. ``before`` and ``after`` are measured on ``claims`` claims, ``after`` each on claims that the temperature
    was not fitted on.
    """

    temperature: float = Field(ge=COLDEST, le=HOTTEST)
    reasoner: str = Field(max_length=2_000)
    votes: int = Field(ge=1)
    claims: int = Field(ge=1)
    before: Quality
    after: Quality

    @property
    def mark(self) -> str:
        """What tells the version of a calibrated policy from that of the same one without."""
        return f".t{self.temperature:g}"


def name_of(name: str, policy: str) -> str:
    """A reasoner as a calibration names it; of a model file the folder does not matter."""
    return f"{_FOLDER_OF_MODEL.sub('', name)} {policy}"


def read_calibration(folder: Path | None) -> Calibration | None:
    """The calibration in a policy folder, or ``None`` where it has none.

    Raises:
        NotConfigured: there is one that cannot be used; the text says why.
    """
    path = folder / FILE if folder else None
    if path is None or not path.is_file():
        return None
    try:
        if path.stat().st_size > MAX_BYTES:
            raise NotConfigured(f"the calibration {path} has more than {MAX_BYTES:,} bytes")
        return Calibration.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        said = ": ".join(filter(None, (".".join(map(str, first["loc"])), first["msg"])))
        raise NotConfigured(f"the calibration {path} cannot be used: {said}") from error
    except OSError as error:
        raise NotConfigured(f"the calibration {path} cannot be read: {error.strerror}") from error


def write_calibration(calibration: Calibration, folder: Path) -> Path:
    """Write it into a policy folder; the file is there whole or not at all."""
    return write_whole(folder / FILE, calibration.model_dump_json(indent=1) + "\n")


def must_be_of(calibration: Calibration, reasoner: Reasoner, votes: int) -> None:
    """See that a calibration is of the reasoner that it is used for.

    Raises:
        NotConfigured: it was fitted to another model, to other prompts, or to another number of votes.
    """
    here = name_of(reasoner.name, reasoner.policy.replace(calibration.mark, ""))
    if (calibration.reasoner, calibration.votes) != (here, votes):
        raise NotConfigured(
            f"the policy's {FILE} was fitted to {calibration.reasoner} (votes: {calibration.votes}), and this is "
            f"{here} (votes: {votes}): fit it anew with 'wkgfc optimize confidence', or delete the file"
        )


def tempered(judgement: Judgement, temperature: float) -> Judgement:
    """The judgement with its probabilities at a temperature; the verdict stays."""
    probabilities = at_temperature(judgement.probabilities, temperature)
    return judgement.model_copy(
        update={"probabilities": probabilities, "confidence": probabilities[judgement.veracity]}
    )


def at_temperature(probabilities: dict[Veracity, float], temperature: float) -> dict[Veracity, float]:
    """Probabilities to the power of one over the temperature, summing to one: above 1 less sure, below 1 surer."""
    powers = {veracity: each ** (1.0 / temperature) for veracity, each in probabilities.items()}
    total = sum(powers.values())
    return {veracity: each / total for veracity, each in powers.items()}
