"""Why WKGFC was wrong: the paper's three observations (section 5.7), and names for the rest.

* Insufficient KG (IK): the agent asks for a web search after it has the knowledge graph's evidence. The paper says
  "even after the retrieved KG is enhanced"; its shares of IK and OC sum to nearly 100 on every set, which they can
  only where every search counts. Searches after an ``expandKG`` are shown by themselves.
* Exceeding the maximum steps (EM): a limit forced the verdict.
* Over-confidence (OC): the verdict came right after the first retrieval, with no further action.

The three overlap. What none of them covers is named: further hops without a search, an execution error, a claim that
was refused as no claim.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wkgfc.evaluate.records import ClaimRecord
from wkgfc.metrics import two_way_points
from wkgfc.state import ExpandKG, SearchWeb


@dataclass(frozen=True)
class Mistake:
    """A kind of mistake: its name, what it means, and whether a failed check is of it."""

    name: str
    title: str
    holds: Callable[[ClaimRecord], bool]


def _actions(record: ClaimRecord) -> list[str]:
    return [step.action.name for step in record.result.trajectory.steps] if record.result.trajectory else []


def insufficient_kg(record: ClaimRecord) -> bool:
    """A web search was asked for."""
    return "webSearch" in _actions(record)


def insufficient_after_expansion(record: ClaimRecord) -> bool:
    """A web search was asked for after the knowledge graph had been expanded further."""
    steps = record.result.trajectory.steps if record.result.trajectory else ()
    expanded = False
    for step in steps:
        if isinstance(step.action, SearchWeb) and expanded:
            return True
        expanded = expanded or isinstance(step.action, ExpandKG)
    return False


def exceeding_steps(record: ClaimRecord) -> bool:
    """A limit forced the verdict: of steps, time, tokens or money."""
    return record.result.stop_reason.endswith("_limit") and record.result.veracity is not None


def over_confidence(record: ClaimRecord) -> bool:
    """The verdict came right after the first retrieval, forced by nothing."""
    return _actions(record) == ["initKGRetrieval", "verdict"] and not exceeding_steps(record)


def only_hops(record: ClaimRecord) -> bool:
    """The knowledge graph was expanded further, and nothing searched for."""
    actions = _actions(record)
    return "expandKG" in actions and "webSearch" not in actions


def execution_error(record: ClaimRecord) -> bool:
    """The check ended without a verdict, as an error."""
    return record.result.veracity is None and record.result.stop_reason != "not_checkable"


def refused(record: ClaimRecord) -> bool:
    """The claim was refused as no claim that can be checked."""
    return record.result.stop_reason == "not_checkable"


MISTAKES = (
    Mistake("insufficient_kg", "insufficient KG (IK)", insufficient_kg),
    Mistake("after_expansion", "of it: a search after expandKG", insufficient_after_expansion),
    Mistake("exceeding_steps", "exceeding steps (EM)", exceeding_steps),
    Mistake("over_confidence", "over-confidence (OC)", over_confidence),
    Mistake("only_hops", "further hops, no search", only_hops),
    Mistake("execution_error", "execution error", execution_error),
    Mistake("refused", "refused as no claim", refused),
)


def failed(records: Sequence[ClaimRecord]) -> list[ClaimRecord]:
    """The checks that do not get the full point of the two-way score: wrong, without a lean, or without a verdict."""
    return [
        record
        for record in records
        if record.two_class is not None and two_way_points(record.prediction(record.two_class)) != 1.0
    ]
