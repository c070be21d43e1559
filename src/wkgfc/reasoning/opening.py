"""The reasoner that the settings name, opened: the embedded one, a language model, or one for each judgement."""

from collections import defaultdict

from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.http import Http
from wkgfc.reasoning.llm.hybrid import EMBEDDED, Choice, HybridReasoner
from wkgfc.reasoning.llm.places import Places
from wkgfc.reasoning.reasoner import Reasoner


def open_reasoner(settings: Settings, choice: Choice, http: Http | None) -> Reasoner:
    """Open who makes the judgements. No model is asked anything yet.

    ``http`` sends what models are asked; it is needed where ``choice.has_model``.

    Raises:
        NotConfigured: a key, a package, a model or a prompt is missing or cannot be used; the text says which.
    """
    if not choice.has_model and settings.policy is not None:
        raise NotConfigured("--policy has the prompts of a language model: choose one with --reasoner, or leave it out")
    places: defaultdict[str, Places] = defaultdict(lambda: Places(settings.llm_concurrency))
    reasoners = {
        name: _open(name, settings, choice, http, places[name.partition(":")[0].strip()]) for name in choice.names
    }
    return reasoners[choice.main] if not choice.others else HybridReasoner(choice, reasoners)


def _open(name: str, settings: Settings, choice: Choice, http: Http | None, places: Places) -> Reasoner:
    if name == EMBEDDED:
        from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner  # noqa: PLC0415 - each where it is used
        from wkgfc.reasoning.verifier import load_verifier  # noqa: PLC0415

        return EmbeddedReasoner(load_verifier(settings.verifier))
    if http is None:
        raise ValueError("a language model needs a client to send its questions with")
    try:
        from wkgfc.reasoning.llm.opening import open_llm_reasoner  # noqa: PLC0415
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "wkgfc":
            raise
        raise NotConfigured(f"--reasoner {name} needs packages that are missing: pip install 'wkgfc[llm]'") from error
    is_screened_by_model = choice.others.get("screen") == name
    return open_llm_reasoner(name, settings, http, is_screened_by_model=is_screened_by_model, places=places)
