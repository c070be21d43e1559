"""What a run will take before it is made: calls of language models, tokens and money.

>>> print(estimate(load_settings(reasoner="openai:gpt-4o"), claims=100).expected.calls)  # doctest: +SKIP

Two figures: what is to be expected, and what it cannot go over but for answers that have to be asked for again. Both
are from typical sizes, or the former from what the checks of an earlier run took, where its folder is given.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wkgfc.config import Settings
from wkgfc.errors import BadInput
from wkgfc.pricing import FREE, OwnPrice, cost_usd, own_price
from wkgfc.reasoning.llm.hybrid import EMBEDDED, JUDGEMENT_NAMES, JudgementName, read_choice
from wkgfc.result import CheckResult

SUFFIXES = (".json", ".jsonl")
MAX_FILES = 10_000  # of a folder that are read: their average changes no more
PASSAGES_IN_A_QUESTION = 10  # graded together, as ``views.FULL`` has it


@dataclass(frozen=True)
class Size:
    """Tokens of one call: read (instructions, question, schema) and written."""

    read: int
    written: int


# Read: the mean over the prompts of 20 claims about vital articles with the embedded stores and four characters a
# token (a passage of ``grade`` is 150). Written: twice what the shortest answer of use has.
TYPICAL: Mapping[JudgementName, Size] = {
    "screen": Size(400, 40),
    "relations": Size(750, 60),
    "entities": Size(900, 250),
    "decide": Size(1_000, 60),
    "grade": Size(1_600, 600),
    "extract": Size(700, 100),
    "judge": Size(1_450, 300),
}
# The largest: full lists of what is shown, and the longest answers that are let in (``MAX_TOKENS`` of the reasoner).
LARGEST: Mapping[JudgementName, Size] = {
    "screen": Size(600, 200),
    "relations": Size(3_000, 600),
    "entities": Size(5_000, 1_500),
    "decide": Size(4_000, 400),
    "grade": Size(5_500, 2_500),
    "extract": Size(2_500, 1_200),
    "judge": Size(5_000, 1_800),
}
EXPECTED_HOPS = 0.7  # of N that a retrieval makes: with N = 4, 2.8 on those 20 claims
EXPECTED_SEARCHES = 1.0  # a check
EXPECTED_KEPT = 0.8  # of the passages of a search: from each of these statements are extracted


@dataclass(frozen=True)
class Use:
    """What a number of checks takes. ``cost_usd`` is ``None`` where the price of a model is not known."""

    calls: float
    input_tokens: float
    output_tokens: float
    cost_usd: float | None


@dataclass(frozen=True)
class Estimate:
    """What a run will take. ``basis`` says where the expectation is from; ``unpriced`` are models without a price."""

    claims: int
    expected: Use
    at_most: Use
    basis: str
    unpriced: tuple[str, ...] = ()


def estimate(settings: Settings, claims: int, like: Path | None = None) -> Estimate:
    """What ``claims`` checks take with these settings. ``like`` is the folder of an earlier run's results.

    Limits of ``settings`` are not looked at: the estimate is there to set them.

    Raises:
        NotConfigured: the setting ``reasoner`` names nobody.
        BadInput: there are no results in the folder.
    """
    choice = read_choice(settings.reasoner)
    names = {judgement: choice.others.get(judgement, choice.main) for judgement in JUDGEMENT_NAMES}
    asked = {judgement: name for judgement, name in names.items() if name != EMBEDDED}
    if names["screen"] == choice.main:
        asked.pop("screen", None)  # by rules, but where a claim is not in English or the model is named for it
    expected, *most = (
        _together([_use(settings, asked[name], calls[name], size[name]) for name in asked if calls[name]])
        for calls, size in (
            (_expected_calls(settings), TYPICAL),
            *((_most_calls(settings, searches), _largest(settings)) for searches in (True, False)),
        )
    )
    at_most = _larger(*most)
    basis = "typical sizes of questions and answers"
    if like is not None:
        measured, number = _measured(like)
        expected = _priced(measured, settings, choice.main) if asked else Use(0, 0, 0, 0.0)
        basis = f"the average of {number:,} results in {like}"
    unpriced = tuple(sorted({name for name in asked.values() if _cost(settings, name, 1, 1) is None}))
    return Estimate(claims, _times(expected, claims), _times(at_most, claims), basis, unpriced)


def _largest(settings: Settings) -> Mapping[JudgementName, Size]:
    """The largest calls, with what the settings let a model think."""
    thoughts = settings.llm_thinking_tokens or 0
    return {
        name: Size(size.read, min(size.written, settings.llm_max_tokens) + thoughts) for name, size in LARGEST.items()
    }


def _expected_calls(settings: Settings) -> dict[JudgementName, float]:
    searches = EXPECTED_SEARCHES if settings.web != "none" else 0.0
    hops = EXPECTED_HOPS * settings.hops
    return _calls(settings, hops, searches, 1.0 + searches, EXPECTED_KEPT * settings.passages)


def _most_calls(settings: Settings, searches: bool) -> dict[JudgementName, float]:
    """Where every step between the first retrieval and the verdict is a search, or one hop further."""
    steps = float(settings.max_steps - 2)
    if searches and settings.web != "none":
        return _calls(settings, settings.hops, steps, steps, float(settings.passages))
    return _calls(settings, settings.hops + steps, 0.0, steps, 0.0)


def _calls(
    settings: Settings, hops: float, searches: float, decisions: float, kept: float
) -> dict[JudgementName, float]:
    is_faithful = settings.counting == "faithful"
    gradings = settings.passages if is_faithful else math.ceil(settings.passages / PASSAGES_IN_A_QUESTION)
    return {
        "screen": 1.0,
        "relations": hops,
        "entities": hops * (settings.beam if is_faithful else 1),
        "decide": decisions,
        "grade": searches * gradings,
        "extract": searches * kept,
        "judge": float(settings.votes),
    }


def _use(settings: Settings, name: str, calls: float, size: Size) -> Use:
    read, written = calls * size.read, calls * size.written
    return Use(calls, read, written, _cost(settings, name, math.ceil(read), math.ceil(written)))


def _cost(settings: Settings, name: str, read: int, written: int) -> float | None:
    vendor, _, model = name.partition(":")
    own: OwnPrice | None = FREE if vendor == "local" else own_price(settings.price_input_usd, settings.price_output_usd)
    return cost_usd(model, vendor, read, written, own=own, address=settings.llm_url)


def _together(uses: list[Use]) -> Use:
    costs = [use.cost_usd for use in uses if use.cost_usd is not None]
    return Use(
        sum(use.calls for use in uses),
        sum(use.input_tokens for use in uses),
        sum(use.output_tokens for use in uses),
        sum(costs) if len(costs) == len(uses) else None,
    )


def _larger(one: Use, other: Use) -> Use:
    costs = [use.cost_usd for use in (one, other) if use.cost_usd is not None]
    return Use(
        max(one.calls, other.calls),
        max(one.input_tokens, other.input_tokens),
        max(one.output_tokens, other.output_tokens),
        max(costs) if len(costs) == 2 else None,
    )


def _times(use: Use, number: int) -> Use:
    cost = None if use.cost_usd is None else use.cost_usd * number
    return Use(use.calls * number, use.input_tokens * number, use.output_tokens * number, cost)


def _priced(use: Use, settings: Settings, name: str) -> Use:
    """What was measured, at the price of the model that is to be asked now."""
    cost = _cost(settings, name, round(use.input_tokens), round(use.output_tokens))
    return Use(use.calls, use.input_tokens, use.output_tokens, cost if cost is not None else use.cost_usd)


def _measured(folder: Path) -> tuple[Use, int]:
    """The average over the results in a folder, and how many there are."""
    total = {"llm_calls": 0.0, "input_tokens": 0.0, "output_tokens": 0.0, "cost_usd": 0.0, "unpriced_tokens": 0.0}
    number = 0
    for result in _results_in(folder):
        number += 1
        for name in total:
            total[name] += getattr(result.usage, name)
    if not number:
        raise BadInput(f"there are no results of checks in {folder}: give the folder of a run, as JSON or JSONL")
    mean = {name: value / number for name, value in total.items()}
    cost = None if mean["unpriced_tokens"] else mean["cost_usd"]
    return Use(mean["llm_calls"], mean["input_tokens"], mean["output_tokens"], cost), number


def _results_in(folder: Path) -> Iterator[CheckResult]:
    """Every result of a check in the JSON and JSONL files of a folder, also below other keys of a row."""
    found = (file for file in folder.rglob("*") if file.suffix in SUFFIXES and file.is_file())
    for file in sorted(found)[:MAX_FILES]:
        text = file.read_text(encoding="utf-8", errors="replace")
        for part in text.split("\n") if file.suffix == ".jsonl" else [text]:
            try:
                row = json.loads(part) if part.strip() else None
            except ValueError:
                continue
            for value in (row, *(row.values() if isinstance(row, dict) else ())):
                result = _result(value)
                if result is not None:
                    yield result
                    break


def _result(value: Any) -> CheckResult | None:
    if not isinstance(value, dict) or "usage" not in value or "contract" not in value:
        return None
    try:
        return CheckResult.model_validate(value)
    except ValidationError:
        return None
