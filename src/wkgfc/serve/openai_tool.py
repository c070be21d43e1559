"""The fact-checker and the verifier as tools of OpenAI's function calling.

``tool_definitions`` goes into a request, and ``run_tool`` answers each call that comes back; what it returns is the
content of the message of role ``tool`` (Chat Completions) or the output of a ``function_call_output`` (Responses). The
schemas are strict: each property is required, no other is allowed. Source: OpenAI's guide to function calling. The
arguments come from a model, so they are read as text from outside is.
"""

import datetime as dt
import json
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from wkgfc.checker import FactChecker
from wkgfc.errors import BadInput
from wkgfc.serve.time_limit import Judge, check_within, verify_within

MAX_ARGUMENTS_CHARACTERS = 4_000_000  # of the JSON: a text of the longest that is read, with its escapes

Arguments = TypeVar("Arguments", bound=BaseModel)


class CheckClaim(BaseModel):
    """Arguments of ``check_claim``."""

    model_config = ConfigDict(extra="forbid", strict=True)

    claim: str
    date: dt.date | None


class VerifyText(BaseModel):
    """Arguments of ``verify_text``."""

    model_config = ConfigDict(extra="forbid", strict=True)

    claim: str
    text: str


_CLAIM = {
    "type": "string",
    "description": "One self-contained statement of fact, at most 2000 characters: names instead of pronouns.",
}
_FUNCTIONS: tuple[dict[str, Any], ...] = (
    {
        "name": "check_claim",
        "description": (
            "Check a claim against a knowledge graph and texts. Returns the veracity (Supported, Refuted, Not Enough "
            "Evidence, Conflicting Evidence, or null after an error), a confidence computed from the evidence, and a "
            "justification whose sentences cite the evidence."
        ),
        "properties": {
            "claim": _CLAIM,
            "date": {
                "type": ["string", "null"],
                "description": "The day on which the claim was made, as YYYY-MM-DD; null for today.",
            },
        },
    },
    {
        "name": "verify_text",
        "description": (
            "Say whether one given text supports a claim, refutes it or does neither, with probabilities and the "
            "sentence of the text that decided. Nothing is searched for."
        ),
        "properties": {
            "claim": _CLAIM,
            "text": {"type": "string", "description": "The text to hold the claim against, of any length."},
        },
    },
)


def tool_definitions(api: Literal["chat", "responses"] = "chat") -> list[dict[str, Any]]:
    """The definitions of ``check_claim`` and ``verify_text`` for the ``tools`` of a request."""
    functions = [
        {
            "name": function["name"],
            "description": function["description"],
            "strict": True,
            "parameters": {
                "type": "object",
                "properties": {name: dict(schema) for name, schema in function["properties"].items()},
                "required": list(function["properties"]),
                "additionalProperties": False,
            },
        }
        for function in _FUNCTIONS
    ]
    if api == "responses":
        return [{"type": "function", **function} for function in functions]
    return [{"type": "function", "function": function} for function in functions]


def run_tool(
    name: str,
    arguments_json: str,
    *,
    checker: FactChecker | None = None,
    verifier: Judge | None = None,
    timeout_s: float = 60.0,
) -> str:
    """The answer to a call of a tool, as JSON text: the result, or ``{"error": {"code", "message"}}``.

    The code is ``unknown_tool``, ``bad_arguments`` or ``time_limit`` (over ``timeout_s`` seconds); the message is for
    the model, which can call again. ``check_claim`` gives the contract (``docs/contract.md``), ``verify_text`` the
    answer with its probabilities and the sentence. Without ``checker`` and ``verifier`` those of the settings are used.

    Raises:
        NotConfigured: a source cannot be opened; that is nothing that the model can mend.
    """
    try:
        match name:
            case "check_claim":
                asked = _read(CheckClaim, arguments_json)
                answer = check_within(timeout_s, asked.claim, asked.date, checker)
            case "verify_text":
                given = _read(VerifyText, arguments_json)
                answer = verify_within(timeout_s, given.claim, given.text, verifier)
            case _:
                known = " and ".join(str(function["name"]) for function in _FUNCTIONS)
                answer = _error("unknown_tool", f"there is no such tool: the tools are {known}")
    except BadInput as error:
        answer = _error("bad_arguments", str(error))
    except TimeoutError:
        answer = _error("time_limit", f"no answer within {timeout_s:g} s: the claim was not judged")
    return json.dumps(answer, ensure_ascii=False)


def _read(model: type[Arguments], arguments_json: str) -> Arguments:
    """The arguments of a call.

    Raises:
        BadInput: they are not what the schema says.
    """
    if len(arguments_json) > MAX_ARGUMENTS_CHARACTERS:
        raise BadInput(f"the arguments have over {MAX_ARGUMENTS_CHARACTERS:,} characters: give less text")
    try:
        return model.model_validate_json(arguments_json.encode("utf-8", "replace"))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        raise BadInput(f"{where}: {first['msg']}" if where else first["msg"]) from error


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}
