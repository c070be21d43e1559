"""The one place where a model is called: ask, read, check, ask once more with the exact complaint, else fail.

Retries of what the network does are those of ``wkgfc.http``; here an answer that cannot be used is sent back once. The
same question of a run is asked once, and each provider gets at most so many questions at a time.
"""

import asyncio
import hashlib
import json
import re
import weakref
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import AgentRunError, ModelHTTPError
from pydantic_ai.exceptions import UserError as ModelUserError
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from wkgfc import budget
from wkgfc.claim import visible_text
from wkgfc.errors import JudgementFailed
from wkgfc.pricing import cost_usd
from wkgfc.reasoning.llm.models import OpenModel
from wkgfc.reasoning.llm.places import Places
from wkgfc.reasoning.llm.transport import NoAnswer, reason_of
from wkgfc.tracing import has_content, span, tracer_provider
from wkgfc.usage import count

A = TypeVar("A", bound=BaseModel)
T = TypeVar("T")

ATTEMPTS = 2  # the question, and one repair turn
REMEMBERED = 4_096  # answers of a run that are not asked for again
QUOTED_CHARACTERS = 1_500  # of a bad answer that the repair turn shows again: an endless one is not sent back whole
CHARACTERS_A_TOKEN = 3.5  # of English prose; other languages take more tokens
EXPECTED_SHARE = 0.3  # of the longest answer, that one takes
THINKING_TOKENS = 8_000  # beside an answer's own, for what a model writes to itself first: set by hand
TOLD_CHARACTERS = 160  # of an answer or an error that an error's text shows


class Complaint(Exception):
    """What is wrong with an answer, in words that its writer can act on."""


@dataclass(frozen=True)
class Tool:
    """An action as a function that the model can call. Its arguments are fields of the question's answer."""

    name: str
    description: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Question(Generic[A, T]):
    """One judgement, asked for.

    ``read`` makes the value of an answer, and raises ``Complaint`` where it cannot be used; it is told whether the
    answer is the last one that comes, so that it may leave out what it can do without. ``allowed`` are the values that
    properties of the answer may have, by ``Class.property``; of those in ``always`` every model is told in the schema,
    of the others a local one (a hosted one takes seconds to learn a new schema).

    ``counts`` are how many a list of the answer has, at least and at most, by the list's name; a local model is told.

    ``tools``: the answer may come as a call of one of them; the call's name goes into the answer's ``action``.
    """

    judgement: str
    instructions: str
    text: str
    answer: type[A]
    read: Callable[[A, bool], T]
    max_tokens: int
    allowed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    always: frozenset[str] = frozenset()
    tools: tuple[Tool, ...] = ()


class Asking:
    """A model with what it was asked in this run. It may serve several event loops, one after the other or at a time.

    Args:
        model: the model, opened.
        places: those of its provider; without them it has eight of its own.
        timeout_s: seconds for one answer.
        temperature: of sampling; ``None`` leaves it to the model (some refuse to be told).
        max_tokens: an upper limit for every answer, below the judgement's own where that is larger.
        thinking_tokens: beside these, for what the model thinks first; without it ``THINKING_TOKENS`` for a model that
            is known to think, and none for others.
    """

    def __init__(
        self,
        model: OpenModel,
        *,
        places: Places | None = None,
        timeout_s: float = 120.0,
        temperature: float | None = 0.0,
        max_tokens: int = 4_000,
        thinking_tokens: int | None = None,
    ) -> None:
        self.model = model
        self._places, self.timeout_s = places or Places(8), timeout_s
        self._temperature, self._max_tokens = temperature, max_tokens
        room = THINKING_TOKENS if _thinks(model) else 0
        self._thinking_tokens = room if thinking_tokens is None else thinking_tokens
        self._forget()

    def _forget(self) -> None:
        self._answers: OrderedDict[str, BaseModel] = OrderedDict()
        self._asked_now: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, defaultdict[str, asyncio.Lock]] = (
            weakref.WeakKeyDictionary()
        )

    def afresh(self) -> Self:
        """The same model and places, with nothing asked yet: what it takes does not depend on what came before."""
        other = copy(self)
        other._forget()
        return other

    @property
    def name(self) -> str:
        """The model's name, as the user gave it."""
        return self.model.name

    async def ask(self, question: Question[A, T], *, sample: int = 0, temperature: float | None = None) -> T:
        """The value of the answer. The same question is not asked again, but for another ``sample``.

        Raises:
            JudgementFailed: there is no answer, or none that can be used after one complaint.
        """
        key = self._key(question, sample, temperature)
        async with self._one_at_a_time(key):
            known = self._answers.get(key)
            if isinstance(known, question.answer):
                self._answers.move_to_end(key)
                try:
                    return question.read(known, True)
                except Complaint:
                    del self._answers[key]
            answer, value = await self._answered(question, temperature)
            self._answers[key] = answer
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
            return value

    def _key(self, question: Question[Any, Any], sample: int, temperature: float | None) -> str:
        parts = [
            self.model.name,
            question.instructions,
            question.text,
            self._parameters(question),
            question.max_tokens,
            sample,
            temperature,
        ]
        return hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()

    def _one_at_a_time(self, key: str) -> asyncio.Lock:
        """Whoever asks the same in this event loop waits here, and then finds the answer."""
        loop = asyncio.get_running_loop()
        if loop not in self._asked_now:
            self._asked_now[loop] = defaultdict(asyncio.Lock)
        locks = self._asked_now[loop]
        if len(locks) > REMEMBERED:
            for other in [other for other, lock in locks.items() if not lock.locked()]:
                del locks[other]
        return locks[key]

    async def _answered(self, question: Question[A, T], temperature: float | None) -> tuple[A, T]:
        messages: list[ModelMessage] = [
            ModelRequest(parts=[UserPromptPart(question.text)], instructions=question.instructions)
        ]
        complaint = ""
        for attempt in range(1, ATTEMPTS + 1):
            response = await self._response(question, messages, temperature)
            try:
                answer = _answer_of(response, question, by_tools=self._by_tools(question))
                return answer, question.read(answer, attempt == ATTEMPTS)
            except Complaint as error:
                complaint = _writable(str(error))
            said = _writable(_shortened(_said(response), QUOTED_CHARACTERS))
            messages += [
                ModelResponse(parts=[TextPart(said or "(nothing)")]),
                ModelRequest(
                    parts=[UserPromptPart(f"This answer cannot be used: {complaint}\nAnswer again, in full.")],
                    instructions=question.instructions,
                ),
            ]
        raise JudgementFailed(f"{self.name} gave no usable answer ({question.judgement}), twice: {complaint}")

    async def _response(
        self, question: Question[Any, Any], messages: Sequence[ModelMessage], temperature: float | None
    ) -> ModelResponse:
        """One call of the model, counted.

        Raises:
            JudgementFailed: no answer came.
        """
        # The client of all requests keeps the time and asks again where that may help, and what it does is recorded.
        longest = min(question.max_tokens, self._max_tokens) + self._thinking_tokens
        settings = ModelSettings(max_tokens=longest, timeout=self.timeout_s, max_retries=0)
        # A model that refuses to be told a temperature is not told one for votes either.
        warmth = self._temperature if temperature is None or self._temperature is None else temperature
        if warmth is not None:
            settings["temperature"] = warmth
        expected = self._expected(messages, longest)
        async with self._places.place():
            with (
                span(question.judgement, "llm", model=self.name) as traced,
                budget.call(expected) as charge,
            ):
                count("llm_calls")
                parameters, instrumentation = self._parameters(question), _instrumentation()
                with self._failures(question.judgement):
                    response = await model_request(
                        self.model.model,
                        messages,
                        model_settings=settings,
                        model_request_parameters=parameters,
                        instrument=instrumentation,
                    )
                taken = self._taken(response)
                charge(taken)
                traced.set(input_tokens=taken.input_tokens, output_tokens=taken.output_tokens, cost_usd=taken.cost_usd)
        return response

    def _expected(self, messages: Sequence[ModelMessage], max_tokens: int) -> budget.Charge:
        """What a call will take, roughly: before it is made, nobody knows."""
        read = sum(
            len(part.content) if isinstance(part, UserPromptPart | TextPart) else 0
            for message in messages
            for part in message.parts
        )
        tokens = int((read + len(getattr(messages[0], "instructions", None) or "")) / CHARACTERS_A_TOKEN)
        return self._charge(tokens, int(max_tokens * EXPECTED_SHARE), self.model.model.model_name, 0, 0)

    def _taken(self, response: ModelResponse) -> budget.Charge:
        """What a call took, counted in ``Usage`` too."""
        usage = response.usage
        charge = self._charge(
            usage.input_tokens,
            usage.output_tokens,
            response.model_name or self.model.model.model_name,
            usage.cache_read_tokens,
            usage.cache_write_tokens,
        )
        count("input_tokens", charge.input_tokens)
        count("output_tokens", charge.output_tokens)
        if charge.cost_usd is None:
            count("unpriced_tokens", charge.tokens)
        else:
            count("cost_usd", charge.cost_usd)
        return charge

    def _charge(self, read: int, written: int, name: str, cache_read: int, cache_write: int) -> budget.Charge:
        model = self.model.model
        cost = cost_usd(
            name,
            model.system,
            read,
            written,
            cache_read_tokens=cache_read,
            cache_write_tokens=cache_write,
            address=None if self.model.is_local else model.base_url,
            own=self.model.price,
        )
        return budget.Charge(read, written, cost)

    @contextmanager
    def _failures(self, judgement: str) -> Iterator[None]:
        """What a provider did not answer, as ``JudgementFailed`` in one line and without its key."""
        try:
            yield
        except TimeoutError as error:
            raise JudgementFailed(
                f"{self.name} did not answer within {self.timeout_s:g} seconds ({judgement})"
            ) from error
        except ModelHTTPError as error:
            said = self.model.without_secrets(_told(error.body))
            raise JudgementFailed(
                f"{self.name} answered with status {error.status_code} ({judgement}): {said}"
            ) from None
        except (AgentRunError, ModelUserError, NoAnswer) as error:
            said = self.model.without_secrets(_told(reason_of(error)))
            raise JudgementFailed(f"{self.name} gave no answer ({judgement}): {said}") from None
        except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
            # The libraries take what a provider sends for what it should be: no choices, a date beyond all years.
            raise JudgementFailed(
                f"{self.name} gave an answer that cannot be read ({judgement}): {type(error).__name__}"
            ) from error

    def _by_tools(self, question: Question[Any, Any]) -> bool:
        return bool(question.tools) and self.model.actions == "tools"

    def _parameters(self, question: Question[Any, Any]) -> ModelRequestParameters:
        schema = _schema(question, self.model.is_local)
        if self._by_tools(question):
            return ModelRequestParameters(
                output_mode="tool",
                allow_text_output=False,
                output_tools=[_tool(each, schema) for each in question.tools],
            )
        if self.model.answers == "tool":
            tool = ToolDefinition(name="answer", parameters_json_schema=schema, description="Answer.", kind="output")
            return ModelRequestParameters(output_mode="tool", allow_text_output=False, output_tools=[tool])
        return ModelRequestParameters(
            output_mode="native" if self.model.answers == "schema" else "prompted",
            output_object=OutputObjectDefinition(json_schema=schema, name=question.answer.__name__),
            allow_text_output=True,
        )


def _thinks(model: OpenModel) -> bool:
    """Whether a model is known to think before it answers, though nobody asks it to."""
    profile = model.model.profile
    return bool(profile.get("thinking_always_enabled") or profile.get("thinking_enabled_by_default"))


def _instrumentation() -> InstrumentationSettings | bool:
    """pydantic-ai's spans, which have the attributes of the conventions for generative AI, where anybody looks on."""
    provider = tracer_provider()
    if provider is None:
        return False
    return InstrumentationSettings(tracer_provider=provider, include_content=has_content())


def _tool(tool: Tool, schema: Mapping[str, Any]) -> ToolDefinition:
    properties = {name: schema["properties"][name] for name in tool.arguments}
    return ToolDefinition(
        name=tool.name,
        description=tool.description,
        parameters_json_schema={
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        },
        kind="output",
    )


def _schema(question: Question[Any, Any], is_local: bool) -> dict[str, Any]:
    """The JSON schema of the answer, with the values that its properties may have and the lengths of its lists."""
    schema: dict[str, Any] = question.answer.model_json_schema()
    told = {name: values for name, values in question.allowed.items() if is_local or name in question.always}
    for name, part in {question.answer.__name__: schema, **schema.get("$defs", {})}.items():
        part.pop("title", None)
        part.pop("description", None)
        part["additionalProperties"] = False
        for property_name, property_schema in part.get("properties", {}).items():
            property_schema.pop("title", None)
            if is_local and (count_ := question.counts.get(f"{name}.{property_name}")):
                property_schema["minItems"], property_schema["maxItems"] = count_
            values = told.get(f"{name}.{property_name}")
            if values:
                narrowed = property_schema["items"] if property_schema.get("type") == "array" else property_schema
                narrowed.clear()
                narrowed.update({"type": "string", "enum": list(values)})
    return schema


def _answer_of(response: ModelResponse, question: Question[A, Any], *, by_tools: bool) -> A:
    """The answer that a response has.

    Raises:
        Complaint: it has none.
    """
    if response.finish_reason == "length":
        raise Complaint("it was cut, as it is too long: answer in far fewer words")
    calls = response.tool_calls
    if by_tools and calls:
        names = ", ".join(tool.name for tool in question.tools)
        if len(calls) > 1:
            raise Complaint(f"it calls {len(calls)} functions: call exactly one of {names}")
        if calls[0].tool_name not in {tool.name for tool in question.tools}:
            raise Complaint(f"there is no function {_shortened(calls[0].tool_name, 40)!r}: call one of {names}")
        arguments = calls[0].args if calls[0].args is not None else {}
        data = arguments if isinstance(arguments, dict) else _object_in(arguments or "{}")
        return _validated({**data, "action": calls[0].tool_name}, question.answer)
    if calls:
        if len(calls) > 1:
            raise Complaint(f"it calls {len(calls)} functions: answer once")
        arguments = calls[0].args or {}
        return _validated(arguments if isinstance(arguments, dict) else _object_in(arguments), question.answer)
    return _validated(_object_in(response.text or ""), question.answer)


_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


def _object_in(text: str) -> dict[str, Any]:
    """The JSON object that stands in a text, whatever is around it.

    Raises:
        Complaint: there is none.
    """
    plain = _THOUGHT.sub("", text)
    start, cut = plain.find("{"), False
    decoder = json.JSONDecoder(strict=False)
    while start >= 0:
        try:
            found, _ = decoder.raw_decode(plain, start)
        except (ValueError, RecursionError):
            cut = True
        else:
            if isinstance(found, dict):
                return found
        start = plain.find("{", start + 1) if plain.count("{") < 1_000 else -1
    if not plain.strip():
        raise Complaint("it is empty: answer with one JSON object")
    raise Complaint(
        "its JSON is not whole: answer with one JSON object and close every brace"
        if cut
        else "it is no JSON object: answer with one JSON object and nothing else"
    )


def _validated(data: Mapping[str, Any], answer: type[A]) -> A:
    try:
        return answer.model_validate(data)
    except ValidationError as error:
        told = [
            f"{'.'.join(str(part) for part in each['loc']) or 'the answer'}: {each['msg']}"
            for each in error.errors(include_url=False, include_input=False)[:4]
        ]
        raise Complaint("; ".join(told)) from None


def _said(response: ModelResponse) -> str:
    calls = [f"{call.tool_name}({call.args})" for call in response.tool_calls]
    return "\n".join([response.text or "", *calls]).strip()


def _writable(text: str) -> str:
    """A text without halves of characters, which a model may write in JSON and nobody can send."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _told(said: object) -> str:
    """What a provider said, in one short line."""
    if isinstance(said, Mapping):
        inner = said.get("error", said)
        said = inner.get("message", inner) if isinstance(inner, Mapping) else inner
    return _shortened(" ".join(visible_text(str(said or "nothing")).split()), TOLD_CHARACTERS)


def _shortened(text: str, characters: int) -> str:
    return text if len(text) <= characters else text[:characters] + "…"
