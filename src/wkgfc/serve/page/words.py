"""What the codes of a result are called on the page: flags, reasons to stop, outcomes, stances."""

import re
from dataclasses import dataclass

from wkgfc.claim import Veracity
from wkgfc.evidence import Stance
from wkgfc.result import CheckResult
from wkgfc.usage import Usage


@dataclass(frozen=True)
class Verdict:
    """How an outcome is shown: the name of its colour and of its icon, what it is called, and what that means."""

    colour: str
    name: str
    meaning: str


VERDICTS = {
    Veracity.SUPPORTED: Verdict("supported", "Supported", "The evidence found says that the claim is right."),
    Veracity.REFUTED: Verdict("refuted", "Refuted", "The evidence found says that the claim is wrong."),
    Veracity.NOT_ENOUGH_EVIDENCE: Verdict(
        "unknown", "Not enough evidence", "What was found neither supports nor refutes the claim."
    ),
    Veracity.CONFLICTING_EVIDENCE: Verdict(
        "conflicting", "Conflicting evidence", "Sources that stand on their own contradict each other."
    ),
}
NOT_CHECKABLE = Verdict("none", "Not checked", "This is not a claim that evidence could settle.")
NOT_BEGUN = Verdict("none", "Not checked", "The limit of the whole run was reached before.")
CANCELLED = Verdict("none", "Cancelled", "The check was stopped before its end.")
FAILED = Verdict("error", "No verdict", "The check ended with an error. An error is not a verdict.")
WITHOUT = Verdict("none", "No verdict", "The check ended without a verdict.")

_FLAGS = {
    "injection": "A page tried to give orders to the checker. It was kept out and changed nothing.",
    "benchmark": "Fact-checking sites were kept out of every search.",
    "undated_evidence": "The claim has a day, and a passage has none: it may be later than the claim.",
    "stale": "What the claim says had ended by then.",
    "compound": "The claim has several parts. Each was checked.",
    "attribution": "Who said it was checked, and not whether what they said is true.",
    "verifier_disagrees": "The verifier reads cited evidence otherwise than the language model.",
    "judge_overrules_grade": "The judge reads evidence otherwise than its grade.",
    "language": "The claim is in another language than the one that the checker reads.",
}
_STOPPED = {
    "step_limit": "The verdict was forced at the limit of steps.",
    "time_limit": "The verdict was forced when the time was up.",
    "token_limit": "The verdict was forced at the limit of tokens.",
    "cost_limit": "The verdict was forced at the limit of cost.",
    "run_limit": "The limit of the whole run was reached.",
}
_HELD_BACK = re.compile(r"held_back:(\d+) (.+)", re.DOTALL)


def verdict_of(result: CheckResult) -> Verdict:
    """How the outcome of a check is shown, one without a veracity too."""
    if result.veracity is not None:
        return VERDICTS[result.veracity]
    by_reason = {"not_checkable": NOT_CHECKABLE, "run_limit": NOT_BEGUN, "cancelled": CANCELLED}
    return by_reason.get(result.stop_reason, FAILED)


def notes(result: CheckResult) -> list[str]:
    """What a reader should know of the check, a sentence a flag. A flag without words is shown as it is."""
    said = [_STOPPED[result.stop_reason]] if result.stop_reason in _STOPPED else []
    named = (flag for flag in result.flags if flag != "held_back" and not _HELD_BACK.fullmatch(flag))
    return said + [_FLAGS.get(flag, flag) for flag in named]


def held_back(result: CheckResult) -> list[tuple[int, str]]:
    """How many passages were kept out, for each reason."""
    matches = (_HELD_BACK.fullmatch(flag) for flag in result.flags)
    return [(int(match[1]), match[2]) for match in matches if match is not None]


def stance_of(stance: Stance | None) -> tuple[str, int] | None:
    """``("for", 76)`` or ``("against", 92)``: which side evidence speaks for, and how surely in per cent."""
    if stance is None or stance.neither >= max(stance.supports, stance.refutes):
        return None
    if stance.supports >= stance.refutes:
        return "for", round(100 * stance.supports)
    return "against", round(100 * stance.refutes)


def used(usage: Usage) -> list[str]:
    """What was used, a few words each, what was not used left out."""
    parts = [
        _counted(usage.kg_queries, "graph query", "graph queries"),
        _counted(usage.entity_searches, "entity search", "entity searches"),
        _counted(usage.web_searches, "text search", "text searches"),
        _counted(usage.pages, "page read", "pages read"),
        _counted(usage.verifier_pairs, "verifier pair", "verifier pairs"),
        _counted(usage.llm_calls, "model call", "model calls"),
        _counted(usage.input_tokens + usage.output_tokens, "token", "tokens"),
        f"${usage.cost_usd:.4f}" if usage.cost_usd else "",
        f"price of {usage.unpriced_tokens:,} tokens unknown" if usage.unpriced_tokens else "",
    ]
    return [part for part in parts if part]


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}" if number else ""
