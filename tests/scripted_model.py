"""A language model that answers from a queue of replies, and remembers what it was asked."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.profiles import ModelProfile

from wkgfc.reasoning.llm.asking import Asking
from wkgfc.reasoning.llm.models import ActionForm, AnswerForm, OpenModel
from wkgfc.reasoning.llm.policy import JUDGEMENTS, read_policy
from wkgfc.reasoning.llm.reasoner import LLMReasoner


@dataclass(frozen=True)
class Asked:
    """One call: the last prompt, the instructions, and the names of the functions on offer."""

    prompt: str
    instructions: str
    tools: tuple[str, ...]
    turns: int
    settings: Mapping[str, Any]
    schema: Mapping[str, Any] | None

    @property
    def judgement(self) -> str:
        """The built-in prompt that it was asked by."""
        policy = read_policy()
        return next(name for name in JUDGEMENTS if policy[name].instructions == self.instructions)


Reply = ModelResponse | Exception | Mapping[str, Any] | str


def calls(*called: tuple[str, Mapping[str, Any] | str]) -> ModelResponse:
    """A response that calls functions."""
    return ModelResponse(
        parts=[
            ToolCallPart(name, arguments if isinstance(arguments, str) else dict(arguments))
            for name, arguments in called
        ]
    )


class ScriptedModel:
    """Gives its replies in order; once they are used up, what ``otherwise`` makes of the question."""

    def __init__(
        self,
        replies: Iterable[Reply] = (),
        *,
        otherwise: Callable[[Asked], Reply] | None = None,
        name: str = "scripted",
    ) -> None:
        self.replies, self.otherwise = deque(replies), otherwise
        self.asked: list[Asked] = []
        self._name = name

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        last = messages[-1]
        assert isinstance(last, ModelRequest)
        output = info.model_request_parameters.output_object
        asked = Asked(
            prompt="\n".join(str(part.content) for part in last.parts if isinstance(part, UserPromptPart)),
            instructions=last.instructions or "",
            tools=tuple(tool.name for tool in info.output_tools),
            turns=len(messages),
            settings=dict(info.model_settings or {}),
            schema=output.json_schema if output else None,
        )
        self.asked.append(asked)
        if self.replies:
            reply = self.replies.popleft()
        elif self.otherwise is not None:
            reply = self.otherwise(asked)
        else:
            raise AssertionError(f"the script has no reply to {asked.prompt[:200]}")
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, ModelResponse):
            return reply
        return ModelResponse(parts=[TextPart(reply if isinstance(reply, str) else json.dumps(reply))])

    def opened(
        self, *, answers: AnswerForm = "schema", actions: ActionForm = "schema", is_local: bool = False
    ) -> OpenModel:
        """The model as the reasoner takes it."""

        async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            return self._answer(messages, info)

        profile = ModelProfile(supports_json_schema_output=True, supports_json_object_output=True, supports_tools=True)
        model = FunctionModel(answer, model_name=self._name, profile=profile)
        return OpenModel(model, f"test:{self._name}", answers=answers, actions=actions, is_local=is_local)

    def asking(self, *, answers: AnswerForm = "schema", actions: ActionForm = "schema", **limits: Any) -> Asking:
        """What asks it."""
        return Asking(self.opened(answers=answers, actions=actions), **limits)

    def reasoner(self, *, actions: ActionForm = "schema", **parts: Any) -> LLMReasoner:
        """A reasoner that asks it by the built-in prompts."""
        return LLMReasoner(self.asking(actions=actions), read_policy(), **parts)
