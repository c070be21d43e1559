"""The fact-checker and the verifier as runnables of LangChain, to stand in a chain.

They need ``langchain-core`` (the extra ``langchain``). What goes in and comes out are plain JSON objects, so that any
parser, router or tracer of LangChain can take them.
"""

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wkgfc.checker import FactChecker
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.serve.time_limit import Judge, check_within, verify_within

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable


def claim_checker(
    checker: FactChecker | None = None, *, timeout_s: float = 60.0
) -> "Runnable[str | Mapping[str, Any], dict[str, Any]]":
    """A runnable from a claim to the contract's JSON object (``docs/contract.md``).

    The input is a text, or a mapping with ``claim`` and, where it is known, ``date`` (a ``date`` or YYYY-MM-DD). When
    it is invoked it raises ``TimeoutError`` after ``timeout_s`` seconds and ``BadInput`` for what is no claim:
    LangChain's ``with_fallbacks`` and ``with_retry`` take both. Without a ``checker`` one with the settings of the
    environment is used.

    Raises:
        NotConfigured: langchain-core is not installed.
    """

    def check(given: str | Mapping[str, Any]) -> dict[str, Any]:
        fields = {"claim": given} if isinstance(given, str) else given
        return check_within(timeout_s, _text(fields, "claim"), _date(fields), checker)

    runnable: Runnable[str | Mapping[str, Any], dict[str, Any]] = _lambda()(check, name="check_claim")
    return runnable


def text_verifier(
    verifier: Judge | None = None, *, timeout_s: float = 10.0
) -> "Runnable[Mapping[str, Any], dict[str, Any]]":
    """A runnable from a mapping with ``claim`` and ``text`` to what the text says of the claim.

    The output has ``claim``, ``answer`` (supports, refutes, neither), ``probabilities`` of the three, ``sentence``
    that decided with its ``start`` and ``end`` in the text, and the name of the ``verifier``. Errors are as those of
    ``claim_checker``.

    Raises:
        NotConfigured: langchain-core is not installed.
    """

    def verify(given: Mapping[str, Any]) -> dict[str, Any]:
        return verify_within(timeout_s, _text(given, "claim"), _text(given, "text"), verifier)

    runnable: Runnable[Mapping[str, Any], dict[str, Any]] = _lambda()(verify, name="verify_text")
    return runnable


def _lambda() -> Any:
    try:
        from langchain_core.runnables import RunnableLambda  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise NotConfigured("runnables need langchain-core: pip install 'wkgfc[langchain]'") from error
    return RunnableLambda


def _text(fields: Mapping[str, Any], name: str) -> str:
    text = fields.get(name) if isinstance(fields, Mapping) else None
    if not isinstance(text, str):
        raise BadInput(f"the input needs '{name}', a text")
    return text


def _date(fields: Mapping[str, Any]) -> dt.date | None:
    date = fields.get("date")
    if date is None or isinstance(date, dt.date):
        return date
    try:
        return dt.date.fromisoformat(str(date))
    except ValueError as error:
        raise BadInput("the date is no day such as 2024-05-31") from error
