"""What checks cost, beside every accuracy: calls, queries, tokens, money, seconds."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from wkgfc.usage import Usage


@dataclass(frozen=True)
class Costs:
    """Means a claim, but for ``cost_usd``, which is all the money, and the two of seconds, which say what they are.

    ``queries`` are those of the knowledge graph and of the web; ``verifier_pairs`` what the small model read;
    ``unpriced`` is the share of the tokens whose price is not known, and which ``cost_usd`` lacks.
    """

    n: int
    calls: float
    queries: float
    tokens: float
    verifier_pairs: float
    cost_usd: float
    unpriced: float
    seconds_median: float
    seconds_p95: float


def costs_of(usages: Sequence[Usage], seconds: Sequence[float]) -> Costs:
    """The costs of some checks: what each used, and how many seconds each took.

    Raises:
        ValueError: the two are not as many, or there are none.
    """
    if len(usages) != len(seconds) or not usages:
        raise ValueError("costs need a usage and a time for each check")
    total = sum(usages, Usage())
    number = len(usages)
    tokens = total.input_tokens + total.output_tokens
    ordered = sorted(seconds)
    return Costs(
        n=number,
        calls=total.llm_calls / number,
        queries=(total.kg_queries + total.web_searches) / number,
        tokens=tokens / number,
        verifier_pairs=total.verifier_pairs / number,
        cost_usd=total.cost_usd,
        unpriced=total.unpriced_tokens / tokens if tokens else 0.0,
        seconds_median=statistics.median(ordered),
        seconds_p95=ordered[min(int(0.95 * number), number - 1)],
    )
