"""The trajectory as JSON Lines: a line a step."""

import json
from typing import TYPE_CHECKING

from wkgfc.errors import BadInput

if TYPE_CHECKING:
    from wkgfc.result import CheckResult


def trajectory(result: "CheckResult") -> str:
    """Every step with the claim that it belongs to: ``{"claim", "number", "action", "reason", "observation", …}``.

    Raises:
        BadInput: it was left out of the result.
    """
    if result.trajectory is None:
        raise BadInput("the result has no trajectory: write it with 'wkgfc check --json --trace'")
    # ASCII alone: readers that take U+2028 for the end of a line find none.
    rows = ({"claim": result.claim.text, **step.model_dump(mode="json")} for step in result.trajectory.steps)
    return "".join(f"{json.dumps(row, ensure_ascii=True)}\n" for row in rows)
