"""The models that a name means: ``openai:gpt-4o``, ``anthropic:…``, ``google:…``, ``ollama:…``, ``local:PATH.gguf`` …

Whatever speaks OpenAI's protocol (llama.cpp, LM Studio, a gateway) is ``openai-compatible:MODEL`` with its address in
the setting ``llm_url``. Keys come from the settings, which read the environment under the vendors' own names.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import SecretStr

from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.http import Http
from wkgfc.pricing import FREE, OwnPrice, own_price

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.models import Model

AnswerForm = Literal["schema", "tool", "prompt"]
ActionForm = Literal["tools", "schema"]

HIDDEN = "[secret]"
OLLAMA_URL = "http://localhost:11434/v1"
VLLM_URL = "http://localhost:8000/v1"
LOCAL = "local"


@dataclass(frozen=True)
class OpenModel:
    """A model that can be asked.

    ``answers`` is how it is made to keep to a form: by the provider's JSON schema, by a function that it calls, or by
    words in the prompt. ``actions``: whether it is offered the actions as functions or as a schema. ``is_local``: it is
    small and on this machine, so prompts are kept short. ``price`` counts where the price list does not have the model.
    """

    model: "Model"
    name: str
    answers: AnswerForm
    actions: ActionForm
    is_local: bool = False
    price: OwnPrice | None = None
    secrets: tuple[SecretStr, ...] = ()

    def without_secrets(self, text: str) -> str:
        """``text`` without the keys of this model's provider."""
        for secret in self.secrets:
            if value := secret.get_secret_value():
                text = text.replace(value, HIDDEN)
        return text


@dataclass(frozen=True)
class Vendor:
    """How the models of one vendor are opened. ``needs`` are the settings that must be there."""

    open: "Callable[[str, Settings, AsyncClient | None], Model]"
    needs: tuple[str, ...] = ()
    may_need: tuple[str, ...] = ()
    answers_tools_well: bool = True


def open_model(choice: str, settings: Settings, http: Http) -> OpenModel:
    """The model that ``choice`` names; nothing is asked of it yet. ``http`` sends its requests.

    Raises:
        NotConfigured: there is no such vendor, a package, an address or a key is missing; the text says which.
    """
    vendor_name, _, name = (part.strip() for part in choice.partition(":"))
    if not name or (vendor_name not in VENDORS and vendor_name != LOCAL):
        raise NotConfigured(
            f"there is no reasoner {choice!r}: choose embedded or VENDOR:MODEL, of {', '.join(CHOICES)}"
        )
    if vendor_name == LOCAL:
        return _open_local(choice, name, settings, http)
    vendor = VENDORS[vendor_name]
    missing = [needed.upper() for needed in vendor.needs if not _value(settings, needed)]
    if missing:
        raise NotConfigured(f"--reasoner {choice} needs {' and '.join(missing)}: set it, or choose --reasoner embedded")
    try:
        from pydantic_ai.exceptions import UserError  # noqa: PLC0415 - seconds of import, where it is used

        from wkgfc.reasoning.llm.transport import model_client  # noqa: PLC0415
    except ImportError as error:
        raise NotConfigured(_install(choice)) from error
    try:
        model = vendor.open(name, settings, model_client(http, timeout_s=settings.llm_timeout_s))
    except ImportError as error:
        raise NotConfigured(_install(choice)) from error
    except UserError as error:
        raise NotConfigured(f"--reasoner {choice} cannot be opened: {error}") from None
    secrets = tuple(
        value for each in (*vendor.needs, *vendor.may_need) if isinstance(value := getattr(settings, each), SecretStr)
    )
    return OpenModel(
        model,
        choice,
        answers=_answer_form(model, settings),
        actions=_action_form(model, settings, vendor),
        price=own_price(settings.price_input_usd, settings.price_output_usd),
        secrets=secrets,
    )


def _install(choice: str) -> str:
    return f"--reasoner {choice} needs packages that are missing: pip install 'wkgfc[llm]'"


def _open_local(choice: str, name: str, settings: Settings, http: Http) -> OpenModel:
    from wkgfc.reasoning.llm.local import model_path, open_local_model  # noqa: PLC0415 - where it is used

    model = open_local_model(model_path(name, settings), settings, http)
    return OpenModel(model, choice, answers="schema", actions="schema", is_local=True, price=FREE)


def _answer_form(model: "Model", settings: Settings) -> AnswerForm:
    if settings.llm_answers != "auto":
        return settings.llm_answers
    if model.profile.get("supports_json_schema_output", False):
        return "schema"
    return "tool" if model.profile.get("supports_tools", True) else "prompt"


def _action_form(model: "Model", settings: Settings, vendor: Vendor) -> ActionForm:
    if settings.llm_actions != "auto":
        return settings.llm_actions
    return "tools" if vendor.answers_tools_well and model.profile.get("supports_tools", True) else "schema"


def _value(settings: Settings, name: str) -> str | None:
    value = getattr(settings, name)
    return value.get_secret_value() if isinstance(value, SecretStr) else value


def _openai(name: str, settings: Settings, client: "AsyncClient | None") -> "Model":
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415 - seconds of import, where it is used
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    provider = OpenAIProvider(base_url=settings.llm_url, api_key=_value(settings, "openai_api_key"), http_client=client)
    return OpenAIChatModel(name, provider=provider)


def _compatible(name: str, settings: Settings, client: "AsyncClient | None") -> "Model":
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider  # noqa: PLC0415

    provider = OpenAICompatibleProvider(
        "openai-compatible",
        base_url=settings.llm_url or "",
        api_key=_value(settings, "llm_api_key"),
        http_client=client,
    )
    return OpenAIChatModel(name, provider=provider)


def _ollama(name: str, settings: Settings, client: "AsyncClient | None") -> "Model":
    from pydantic_ai.models.ollama import OllamaModel  # noqa: PLC0415
    from pydantic_ai.providers.ollama import OllamaProvider  # noqa: PLC0415

    provider = OllamaProvider(
        base_url=settings.llm_url or OLLAMA_URL, api_key=_value(settings, "llm_api_key"), http_client=client
    )
    return OllamaModel(name, provider=provider)


def _vllm(name: str, settings: Settings, client: "AsyncClient | None") -> "Model":
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.providers.vllm import VLLMProvider  # noqa: PLC0415

    provider = VLLMProvider(
        base_url=settings.llm_url or VLLM_URL, api_key=_value(settings, "llm_api_key"), http_client=client
    )
    return OpenAIChatModel(name, provider=provider)


def _openrouter(name: str, settings: Settings, client: "AsyncClient | None") -> "Model":
    from pydantic_ai.models.openrouter import OpenRouterModel  # noqa: PLC0415
    from pydantic_ai.providers.openrouter import OpenRouterProvider  # noqa: PLC0415

    return OpenRouterModel(
        name, provider=OpenRouterProvider(api_key=_value(settings, "openrouter_api_key"), http_client=client)
    )


def _azure(name: str, settings: Settings, client: "AsyncClient | None") -> "Model":
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.providers.azure import AzureProvider  # noqa: PLC0415

    provider = AzureProvider(
        azure_endpoint=settings.azure_openai_endpoint,
        api_version=settings.openai_api_version,
        api_key=_value(settings, "azure_openai_api_key"),
        http_client=client,
    )
    return OpenAIChatModel(name, provider=provider)


def _anthropic(name: str, settings: Settings, client: "AsyncClient | None") -> "Model":
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    provider = AnthropicProvider(
        api_key=_value(settings, "anthropic_api_key"), base_url=settings.llm_url, http_client=client
    )
    return AnthropicModel(name, provider=provider)


def _google(name: str, settings: Settings, client: "AsyncClient | None") -> "Model":
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415

    provider = GoogleProvider(api_key=_value(settings, "gemini_api_key"), base_url=settings.llm_url, http_client=client)
    return GoogleModel(name, provider=provider)


VENDORS: Mapping[str, Vendor] = {
    "openai": Vendor(_openai, needs=("openai_api_key",)),
    "anthropic": Vendor(_anthropic, needs=("anthropic_api_key",)),
    "google": Vendor(_google, needs=("gemini_api_key",)),
    "openrouter": Vendor(_openrouter, needs=("openrouter_api_key",)),
    "azure": Vendor(_azure, needs=("azure_openai_api_key", "azure_openai_endpoint"), may_need=("openai_api_version",)),
    # Small models behind these call functions badly: the actions are a schema, unless the settings say otherwise.
    "ollama": Vendor(_ollama, may_need=("llm_api_key",), answers_tools_well=False),
    "vllm": Vendor(_vllm, may_need=("llm_api_key",), answers_tools_well=False),
    "openai-compatible": Vendor(_compatible, needs=("llm_url",), may_need=("llm_api_key",), answers_tools_well=False),
}
CHOICES = (*VENDORS, LOCAL)
