"""What a call of a language model costs, by the price list of genai-prices, which comes with pydantic-ai.

A model that the list does not have has no known price, which is not a price of zero: a server of one's own is given one
with the settings ``price_input_usd`` and ``price_output_usd``.
"""

from dataclasses import dataclass
from typing import Any

PER = 1_000_000  # tokens that a price is given for


@dataclass(frozen=True)
class OwnPrice:
    """Dollars for a million tokens, read and written, of models that the price list does not have."""

    input_usd: float
    output_usd: float


FREE = OwnPrice(0.0, 0.0)  # a model on this machine


def own_price(input_usd: float | None, output_usd: float | None) -> OwnPrice | None:
    """The price that the settings give; one of the two alone makes the other nothing."""
    return None if input_usd is None and output_usd is None else OwnPrice(input_usd or 0.0, output_usd or 0.0)


def cost_usd(
    model: str,
    provider: str | None,
    input_tokens: int,
    output_tokens: int,
    *,
    cache_read_tokens: int = 0,
    cache_write_tokens: int = 0,
    address: str | None = None,
    own: OwnPrice | None = None,
) -> float | None:
    """Dollars for tokens of a model, or ``None`` where nobody knows its price.

    ``input_tokens`` are all tokens read; those of them that came from the provider's cache, or went into it, have
    prices of their own. The provider is found by its ``address`` first, then by its name.
    """
    known = _listed(model, provider, address, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens)
    if known is not None:
        return known
    return None if own is None else (input_tokens * own.input_usd + output_tokens * own.output_usd) / PER


def _listed(
    model: str,
    provider: str | None,
    address: str | None,
    input_tokens: int,
    output_tokens: int,
    cache_read_tokens: int,
    cache_write_tokens: int,
) -> float | None:
    try:
        from genai_prices import calc_price  # noqa: PLC0415 - it comes with pydantic-ai alone
        from genai_prices.types import Usage  # noqa: PLC0415
    except ImportError:
        return None
    usage = Usage(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cache_read_tokens=cache_read_tokens,
        cache_write_tokens=cache_write_tokens,
    )
    found_by: list[dict[str, Any]] = [{"provider_api_url": address}] if address else []
    if provider:
        found_by.append({"provider_id": provider})
    for reference in found_by:
        try:
            return float(calc_price(usage, model, **reference).total_price)
        except (LookupError, ValueError):  # no such provider, no such model, or usage that makes no sense
            continue
    return None
