"""The claims of a text by whom the setting ``reasoner`` names for them: by rule, or by a language model."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wkgfc.budget import Budget, Limits, spending
from wkgfc.config import Settings
from wkgfc.documents.claims import TextSentence, claims_of, unread
from wkgfc.documents.opening import SourceText
from wkgfc.documents.worthiness import LEAST
from wkgfc.errors import NotConfigured
from wkgfc.http import Http
from wkgfc.reasoning.llm.hybrid import EMBEDDED, read_choice
from wkgfc.stores import Progress, silent
from wkgfc.usage import Meter, Usage, metered

if TYPE_CHECKING:
    from wkgfc.reasoning.llm.asking import Asking


@dataclass(frozen=True)
class TextClaims:
    """The sentences of a text with what they claim, what was not read or by rule instead, and what it took."""

    sentences: Sequence[TextSentence]
    notes: Sequence[str] = ()
    usage: Usage = field(default_factory=Usage)


async def text_claims(
    source: SourceText,
    settings: Settings,
    *,
    date: dt.date | None = None,
    least: float = LEAST,
    budget: Budget | None = None,
    http: Http | None = None,
    progress: Progress = silent,
) -> TextClaims:
    """The claims of a text, found by ``claims=…`` of the setting ``reasoner``, or by whom it names first.

    ``date`` is the day of the text. ``budget`` is that of the run, ``http`` what sends instead of the network.

    Raises:
        NotConfigured: the model, its key or the prompt cannot be used.
    """
    who = read_choice(settings.reasoner).finds_claims
    if who == EMBEDDED:
        return TextClaims(claims_of(source.text, date=date, least=least), unread(source.text))
    from wkgfc.network import Network  # noqa: PLC0415 - and the HTTP libraries with it

    network = Network(settings, http=http)
    asking = _asking(who, settings, network.models)
    from wkgfc.documents.model_claims import find_claims  # noqa: PLC0415 - what it imports is there now
    from wkgfc.documents.prompt import claims_prompt  # noqa: PLC0415

    prompt = claims_prompt(settings.policy)
    meter = Meter()
    async with network.connected():
        with metered(meter), spending(budget or Budget(Limits())):
            found = await find_claims(
                source.text,
                asking,
                prompt,
                title=source.title,
                date=date,
                least=least,
                told=lambda done, total: progress("finding claims", done, total),
            )
    return TextClaims(found.sentences, (*unread(source.text), *found.notes), meter.total)


def _asking(who: str, settings: Settings, http: Http) -> "Asking":
    try:
        from wkgfc.reasoning.llm.opening import open_asking  # noqa: PLC0415 - a model's libraries where one is asked
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "wkgfc":
            raise
        raise NotConfigured(f"--reasoner {who} needs packages that are missing: pip install 'wkgfc[llm]'") from error
    return open_asking(who, settings, http)
