"""Which part of WKGFC lost a claim: linking, retrieval, grading, judging or stopping; each claim counts once.

What a claim needs is what its set names (``needed.py``); where a set names nothing, what a search brought has to do.
"""

import re
from collections.abc import Mapping

from wkgfc.evaluate.records import ClaimRecord

LOSSES: Mapping[str, str] = {
    "no_verdict": "no verdict: refused as no claim, or an error",
    "linking": "linking: nothing of what the set names is in its statements",
    "judging": "judging: all that is needed was there",
    "stopping": "stopping: not all was there, and nothing was searched for",
    "grading": "grading: every passage that a search brought was held back",
    "retrieval": "retrieval: not all that is needed was found and kept",
}
_NONE_KEPT = re.compile(r"[1-9]\d* passages, 0 kept")  # how the observation of a search says it


def lost_at(record: ClaimRecord) -> str:
    """The part that lost a failed claim, by the names of ``LOSSES``."""
    if record.result.veracity is None:
        return "no_verdict"
    recall = record.recall
    if recall.entities == 0:
        return "linking"
    needed = recall.sentences if recall.sentences is not None else recall.pages
    if needed is None:
        needed = recall.entities
    if needed == 1:
        return "judging"
    is_of_graph = recall.sentences is None and recall.pages is None and recall.entities is not None
    steps = record.result.trajectory.steps if record.result.trajectory else ()
    searches = [step.observation for step in steps if step.action.name == "webSearch"]
    if not searches:
        return "stopping"
    if not is_of_graph and all(_NONE_KEPT.search(observation.text) for observation in searches):
        return "grading"
    was_found = any(observation.outcome == "found" for observation in searches)
    return "judging" if needed is None and was_found else "retrieval"
