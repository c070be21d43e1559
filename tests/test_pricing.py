"""Prices of calls: from the list where it has the model, from the settings elsewhere, unknown otherwise."""

import pytest

from wkgfc.pricing import FREE, OwnPrice, cost_usd, own_price

pytest.importorskip("genai_prices")


def test_a_model_of_the_list_costs_what_the_list_says() -> None:
    """gpt-4o: 2.50 dollars for a million tokens read, 10 for a million written (OpenAI's price page, 2025)."""
    assert cost_usd("gpt-4o", "openai", 1_000, 100) == pytest.approx(0.0025 + 0.001)


def test_tokens_from_the_providers_cache_are_cheaper() -> None:
    whole = cost_usd("gpt-4o", "openai", 1_000, 0)
    cached = cost_usd("gpt-4o", "openai", 1_000, 0, cache_read_tokens=800)
    assert whole is not None
    assert cached is not None
    assert cached < whole


@pytest.mark.parametrize(("model", "provider"), [("my-model", "openai"), ("gpt-4o", "nobody"), ("x", None)])
def test_an_unknown_price_is_not_zero(model: str, provider: str | None) -> None:
    assert cost_usd(model, provider, 1_000, 100) is None


def test_the_settings_give_the_price_of_ones_own_server() -> None:
    assert cost_usd("my-model", "openai", 1_000_000, 500_000, own=OwnPrice(2.0, 4.0)) == pytest.approx(4.0)
    assert cost_usd("my-model", None, 1_000, 100, own=FREE) == 0.0
    assert own_price(None, None) is None
    assert own_price(0.0, None) == FREE


def test_the_list_goes_before_the_settings() -> None:
    assert cost_usd("gpt-4o", "openai", 1_000, 0, own=FREE) == pytest.approx(0.0025)


def test_a_provider_is_known_by_its_address() -> None:
    assert cost_usd("gpt-4o", None, 1_000, 0, address="https://api.openai.com/v1/") == pytest.approx(0.0025)
    assert cost_usd("gpt-4o", "openai", 1_000, 0, address="http://localhost:8080/v1") == pytest.approx(0.0025)
