"""The models that a name means, and what is said where one cannot be opened."""

import builtins
from pathlib import Path
from typing import Any

import pytest

from wkgfc.config import load_settings
from wkgfc.errors import NotConfigured
from wkgfc.http import Answer, Request, Unanswered
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.reasoning.llm.models import VENDORS, open_model
from wkgfc.reasoning.opening import open_reasoner

KEYS = {
    "openai_api_key": "geheim-1",
    "anthropic_api_key": "geheim-2",
    "gemini_api_key": "geheim-3",
    "openrouter_api_key": "geheim-4",
    "azure_openai_api_key": "geheim-5",
    "azure_openai_endpoint": "https://mine.openai.azure.com",
    "openai_api_version": "2024-10-21",
    "llm_url": None,
}


class Nobody:
    """A client that nothing may be asked with."""

    async def send(self, request: Request) -> Answer | Unanswered:
        raise AssertionError(f"nothing is asked when a model is opened: {request.url}")


@pytest.mark.parametrize("vendor", list(VENDORS))
def test_each_vendor_s_model_is_opened_without_asking_it(vendor: str) -> None:
    url = "http://127.0.0.1:9/v1" if vendor == "openai-compatible" else None
    name = "maker/some-model"
    opened = open_model(f"{vendor}:{name}", load_settings(**{**KEYS, "llm_url": url}), Nobody())
    assert (opened.name, opened.model.model_name) == (f"{vendor}:{name}", name)
    assert opened.actions == ("tools" if VENDORS[vendor].answers_tools_well else "schema")
    assert opened.answers in ("schema", "tool")
    assert "geheim" not in repr(opened)
    assert opened.without_secrets("geheim-1 geheim-2 geheim-3 geheim-4 geheim-5").count("[secret]") == sum(
        need.endswith("key") for need in VENDORS[vendor].needs
    )


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("openai:gpt-4o", "needs OPENAI_API_KEY: set it, or choose --reasoner embedded"),
        ("anthropic:claude-x", "needs ANTHROPIC_API_KEY"),
        ("google:gemini-x", "needs GEMINI_API_KEY"),
        ("azure:gpt-4o", "needs AZURE_OPENAI_API_KEY and AZURE_OPENAI_ENDPOINT"),
        ("openai-compatible:x", "needs LLM_URL"),
        ("gpt-4o", "there is no reasoner 'gpt-4o': choose embedded or VENDOR:MODEL, of openai, anthropic"),
        ("openai:", "there is no reasoner 'openai:'"),
        (":gpt-4o", "there is no reasoner ':gpt-4o'"),
        ("openrouter:x", "needs OPENROUTER_API_KEY"),
        ("aliens:x", "there is no reasoner 'aliens:x'"),
        ("local:nowhere.gguf", "nowhere.gguf"),
        ("embeded", "there is no reasoner 'embeded'"),
    ],
)
def test_what_is_missing_is_named(choice: str, said: str) -> None:
    with pytest.raises(NotConfigured, match=said):
        open_model(choice, load_settings(), Nobody())


def test_a_name_that_a_vendor_does_not_take_is_told() -> None:
    with pytest.raises(NotConfigured, match="openrouter:x cannot be opened: OpenRouter model names must be prefixed"):
        open_model("openrouter:x", load_settings(openrouter_api_key="geheim"), Nobody())


def test_a_missing_package_is_answered_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name.startswith("pydantic_ai.models.openai"):
            raise ModuleNotFoundError("No module named 'openai'", name="openai")
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(NotConfigured, match=r"pip install 'wkgfc\[llm\]'"):
        open_model("openai:gpt-4o", load_settings(openai_api_key="geheim"), Nobody())


@pytest.mark.parametrize(("actions", "answers"), [("schema", "prompt"), ("tools", "tool")])
def test_the_settings_say_how_it_is_held_to_a_form(actions: str, answers: str) -> None:
    settings = load_settings(openai_api_key="geheim", llm_actions=actions, llm_answers=answers)
    opened = open_model("openai:gpt-4o", settings, Nobody())
    assert (opened.actions, opened.answers) == (actions, answers)


def test_a_policy_of_prompts_needs_a_model(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="its prompts are for a language model"):
        open_reasoner(load_settings(policy=tmp_path), read_choice("embedded"), None)


def test_all_that_a_choice_names_is_opened() -> None:
    reasoner = open_reasoner(load_settings(openai_api_key="k"), read_choice("openai:a, judge=openai:b"), Nobody())
    assert reasoner.name == "openai:a, judge=openai:b"
    assert reasoner.policy.startswith("llm-")
    with pytest.raises(NotConfigured, match="ANTHROPIC_API_KEY"):
        open_reasoner(load_settings(openai_api_key="k"), read_choice("openai:a, judge=anthropic:b"), Nobody())
