"""What a worker of the service does beside checks: a claim held against a text, and the claims of a text found."""

import asyncio
import datetime as dt
from typing import Any, Literal

from wkgfc.config import Settings
from wkgfc.errors import BadInput
from wkgfc.serve.time_limit import verify_within

Task = Literal["verify", "claims"]
VERIFY_S = 60.0  # of one verification, which reads a few dozen stretches of a text at most: seconds, not minutes


def perform(task: Task, of: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Do one task with what it is of, and return what comes of it as JSON.

    Raises:
        BadInput: what it is of cannot be used.
        NotConfigured: the verifier or the language model of the embedded reasoner cannot be loaded.
    """
    return verify(of, settings) if task == "verify" else claims(of, settings)


def verify(of: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """What the text ``evidence`` says of ``claim``: the answer, the probabilities, the sentence that decided."""
    from wkgfc.reasoning.verifier import load_verifier  # noqa: PLC0415 - in the worker, not in the service

    try:
        return verify_within(VERIFY_S, of["claim"], of["evidence"], load_verifier(settings.verifier))
    except TimeoutError:
        raise BadInput(f"the text takes more than {VERIFY_S:g} seconds to read: give the part that matters") from None


def claims(of: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """The sentences of ``text`` with what each claims, and the numbers of the ``most`` that are worth a check.

    By rule, or by the language model that the setting ``reasoner`` names for claims; ``notes`` and ``usage`` are its.
    """
    from wkgfc.documents.checking import chosen  # noqa: PLC0415
    from wkgfc.documents.finding import text_claims  # noqa: PLC0415
    from wkgfc.documents.opening import SourceText  # noqa: PLC0415

    date = dt.date.fromisoformat(of["date"]) if of["date"] else None
    source = SourceText(text=of["text"], title=of["title"], date=date)
    found = asyncio.run(text_claims(source, settings, date=date))
    return {
        "sentences": [each.model_dump(mode="json") for each in found.sentences],
        "numbers": chosen(found.sentences, of["most"]),
        "notes": list(found.notes),
        "usage": found.usage.model_dump(mode="json"),
    }
