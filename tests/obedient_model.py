"""A language model that does as its prompts ask, by their ids: for counts and for the whole way of a check."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from scripted_model import Asked, Reply


def shown(asked: Asked, letter: str) -> list[str]:
    """The ids with a letter that begin lines of the prompt."""
    return re.findall(rf"^({letter}\d+) ", asked.prompt, re.MULTILINE)


def quotes(asked: Asked) -> dict[str, str]:
    """The first sentence of each passage that the prompt shows."""
    return dict(re.findall(r"^(P\d+) \[[^\]]*\] ([^.]*\.)", asked.prompt, re.MULTILINE))


def obedient(
    *,
    enough: bool = False,
    action: Mapping[str, Any] | None = None,
    verdict: str = "Supported",
    stance: str = "supports",
) -> Callable[[Asked], Reply]:
    """What such a model answers: all that leads on is chosen, the evidence is cited, the verdict is ``verdict``.

    ``action`` is chosen until a step of its name was made.
    """

    def answer(asked: Asked) -> Reply:
        match asked.judgement:
            case "screen":
                return {"reason": "It states something.", "kind": "claim"}
            case "relations":
                out = re.findall(r"^(R\d+) out ", asked.prompt, re.MULTILINE)
                return {"relations": [{"id": each, "relevance": 0.9} for each in (out or shown(asked, "R"))[:4]]}
            case "entities":
                return {
                    "keep": [{"id": each, "relevance": 0.8} for each in shown(asked, "T")],
                    "next": [{"id": each, "relevance": 0.7} for each in shown(asked, "E")],
                    "enough": enough,
                }
            case "decide":
                is_done = action is None or f"{action['action']}(" in asked.prompt
                return {"missing": "nothing", "action": "verdict", "query": ""} if is_done else dict(action or {})
            case "grade":
                return {
                    "grades": [
                        {"id": each, "quote": quote, "relevance": 0.9, "stance": stance, "consistency": 0.8}
                        for each, quote in quotes(asked).items()
                    ]
                }
            case "extract":
                return {"triples": [], "explanations": []}
        evidence = [*shown(asked, "K"), *shown(asked, "W")][:2]
        statements = re.findall(r"^(\d+)\. ", asked.prompt, re.MULTILINE)
        side = {"Supported": "supports", "Refuted": "refutes"}.get(verdict, "neither")
        sentence = {"text": "So it is.", "evidence": evidence or shown(asked, "S"), "shows": side}
        return {
            "statements": [
                {"statement": int(number), "sentences": [sentence], "verdict": verdict} for number in statements
            ],
            "sureness": 0.99,
        }

    return answer
