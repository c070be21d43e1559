"""An LLM reasoner as the settings say."""

from wkgfc.config import Settings
from wkgfc.http import Http
from wkgfc.reasoning.llm.asking import Asking
from wkgfc.reasoning.llm.calibration import Calibration
from wkgfc.reasoning.llm.models import open_model
from wkgfc.reasoning.llm.places import Places
from wkgfc.reasoning.llm.policy import read_policy
from wkgfc.reasoning.llm.reasoner import LLMReasoner
from wkgfc.reasoning.llm.second_opinion import SecondOpinion
from wkgfc.reasoning.llm.views import FULL, SHORT


def open_llm_reasoner(
    choice: str,
    settings: Settings,
    http: Http,
    *,
    is_screened_by_model: bool = False,
    places: Places | None = None,
    calibration: Calibration | None = None,
) -> LLMReasoner:
    """The reasoner of the model that ``choice`` names. ``places`` are those of its provider.

    Raises:
        NotConfigured: the model or the policy cannot be opened.
    """
    policy = read_policy(settings.policy)
    asking = open_asking(choice, settings, http, places)
    is_short = asking.model.is_local if settings.llm_prompts == "auto" else settings.llm_prompts == "short"
    return LLMReasoner(
        asking,
        policy,
        limits=SHORT if is_short else FULL,
        counting=settings.counting,
        screening="model" if is_screened_by_model else "auto",
        attributions=settings.attributions,
        votes=settings.votes,
        opinion=_second_opinion(settings),
        calibration=calibration,
    )


def open_asking(choice: str, settings: Settings, http: Http, places: Places | None = None) -> Asking:
    """The model that ``choice`` names, to be asked as the settings say. ``places`` are those of its provider.

    Raises:
        NotConfigured: the model cannot be opened.
    """
    return Asking(
        open_model(choice, settings, http),
        places=places or Places(settings.llm_concurrency),
        timeout_s=settings.llm_timeout_s,
        temperature=None if settings.llm_temperature == "model" else settings.llm_temperature,
        max_tokens=settings.llm_max_tokens,
        thinking_tokens=settings.llm_thinking_tokens,
    )


def _second_opinion(settings: Settings) -> SecondOpinion | None:
    if settings.second_opinion == "none":
        return None
    from wkgfc.reasoning.verifier import load_verifier  # noqa: PLC0415 - the model where it is used

    return SecondOpinion(load_verifier(settings.verifier), is_shown=settings.second_opinion == "shown")
