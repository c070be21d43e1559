"""What a server of OpenAI's protocol answers, for tests that ask a model over HTTP.

>>> server.on(CHAT, refuse(500), completion("Yes."))
>>> await outcome(model)
"""

import json
from typing import Any

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models import Model

from misbehaving import Behaviour, reply
from wkgfc.reasoning.llm.transport import reason_of

CHAT = "/v1/chat/completions"
QUESTION = [ModelRequest.user_text_prompt("Is Lyon in France?")]


def completion(text: str, **changed: Any) -> Behaviour:
    """What a server of OpenAI's protocol answers, with other values of what is named."""
    message = {"role": "assistant", "content": text}
    return reply(
        json.dumps(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1_700_000_000,
                "model": "tiny",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15},
            }
            | changed
        )
    )


async def outcome(model: Model) -> str:
    """What the model said, or the failure in one line."""
    try:
        response = await model_request(model, QUESTION, model_settings={"max_retries": 0})
    except AgentRunError as error:
        return reason_of(error)
    assert response.text is not None
    return response.text
