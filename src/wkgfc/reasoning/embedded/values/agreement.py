"""How a value that a claim names compares with a value that a source states."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """``SILENT``: the stated value neither bears the claimed one out nor contradicts it."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    SILENT = "silent"


@dataclass(frozen=True)
class Agreement:
    """The outcome of one comparison, and the reason for it in half a sentence that names both values."""

    outcome: Outcome
    reason: str

    @property
    def agrees(self) -> bool:
        """Whether the stated value bears the claimed one out."""
        return self.outcome is Outcome.AGREES

    @property
    def disagrees(self) -> bool:
        """Whether the stated value contradicts the claimed one."""
        return self.outcome is Outcome.DISAGREES


def agrees(reason: str) -> Agreement:
    """An agreement that bears the claimed value out."""
    return Agreement(Outcome.AGREES, reason)


def disagrees(reason: str) -> Agreement:
    """An agreement that contradicts the claimed value."""
    return Agreement(Outcome.DISAGREES, reason)


def silent(reason: str) -> Agreement:
    """An agreement that says nothing of the claimed value."""
    return Agreement(Outcome.SILENT, reason)
