"""The reasoner that the settings name, opened: the embedded one, a language model, or one for each judgement."""

from collections import defaultdict

from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.http import Http
from wkgfc.reasoning.debate import DebateReasoner, Sides
from wkgfc.reasoning.llm.calibration import Calibration, must_be_of, read_calibration
from wkgfc.reasoning.llm.hybrid import EMBEDDED, Choice, HybridReasoner, read_choice
from wkgfc.reasoning.llm.places import Places
from wkgfc.reasoning.reasoner import Reasoner


def open_reasoner(settings: Settings, choice: Choice, http: Http | None) -> Reasoner:
    """Open who makes the judgements. No model is asked anything yet.

    ``http`` sends what models are asked; it is needed where ``choice.has_model``.

    Raises:
        NotConfigured: a key, a package, a model or a prompt is missing or cannot be used; the text says which.
    """
    choice = choice.of_checks
    places: defaultdict[str, Places] = defaultdict(lambda: Places(settings.llm_concurrency))
    judge = choice.others.get("judge", choice.main)
    calibration = None if judge == EMBEDDED else read_calibration(settings.policy)
    reasoners = {
        name: _open(
            name,
            settings,
            choice,
            http,
            places[name.partition(":")[0].strip()],
            calibration if name == judge else None,
        )
        for name in choice.names
    }
    reasoner = reasoners[choice.main] if not choice.others else HybridReasoner(choice, reasoners)
    if settings.mode == "debate":
        reasoner = DebateReasoner(reasoner, _sides(reasoners[choice.others.get("decide", choice.main)]))
    if calibration is not None:
        must_be_of(calibration, reasoner, settings.votes)
    return reasoner


def _sides(reasoner: Reasoner) -> Sides:
    """The sides of whoever decides: a model speaks for both, the embedded reasoner by rules."""
    from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner  # noqa: PLC0415 - each where it is used

    if isinstance(reasoner, EmbeddedReasoner):
        from wkgfc.reasoning.embedded.texts.sides import RuleSides  # noqa: PLC0415

        return RuleSides(reasoner)
    from wkgfc.reasoning.llm.reasoner import LLMReasoner  # noqa: PLC0415

    assert isinstance(reasoner, LLMReasoner)
    return reasoner


def _open(
    name: str, settings: Settings, choice: Choice, http: Http | None, places: Places, calibration: Calibration | None
) -> Reasoner:
    if name == EMBEDDED:
        from wkgfc.reasoning.embedded.policy import read_embedded_policy  # noqa: PLC0415 - each where it is used
        from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner  # noqa: PLC0415
        from wkgfc.reasoning.verifier import load_verifier  # noqa: PLC0415

        learned = read_embedded_policy(settings.policy, is_needed=not read_choice(settings.reasoner).has_model)
        return EmbeddedReasoner(load_verifier(settings.verifier), learned)
    if http is None:
        raise ValueError("a language model needs a client to send its questions with")
    try:
        from wkgfc.reasoning.llm.opening import open_llm_reasoner  # noqa: PLC0415
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "wkgfc":
            raise
        raise NotConfigured(f"--reasoner {name} needs packages that are missing: pip install 'wkgfc[llm]'") from error
    is_screened_by_model = choice.others.get("screen") == name
    return open_llm_reasoner(
        name, settings, http, is_screened_by_model=is_screened_by_model, places=places, calibration=calibration
    )
