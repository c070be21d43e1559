"""A scripted model that searches only where a sentence of its prompt says so; it criticises and rewrites too.

It rewrites what it is shown, as our own optimizer or TextGrad shows it.
"""

import re
from collections.abc import Mapping
from typing import Any

from scripted_model import Asked, ScriptedModel

SENTENCE = "Search once before you conclude."
PAGE = "Ada Verne discovered a red dye in 1871 and sold it to a mill."


def searching_model(rewrites: Mapping[str, str] | None = None) -> ScriptedModel:
    """A model that searches only where its prompt says so. It rewrites by adding what the critiques advise."""

    def answer(asked: Asked) -> Any:
        said = (asked.schema or {})["properties"]
        if "missing" in said:
            searches = SENTENCE in asked.instructions and "webSearch(" not in asked.prompt
            return {"missing": "the dye", "action": "webSearch" if searches else "verdict", "query": "red dye mill"}
        if "grades" in said:
            grade = {"id": "P1", "quote": PAGE, "relevance": 0.9, "stance": "supports", "consistency": 0.9}
            return {"grades": [grade]}
        if "statements" in said:
            sentence = {"text": "She sold it.", "evidence": ["W1"], "shows": "supports"}
            part = {"statement": 1, "sentences": [sentence], "verdict": "Supported"}
            return {"statements": [part], "sureness": 0.9}
        if "advice" in said:
            return {"reason": "it did not look", "kind": "premature_stop", "step": 2, "advice": SENTENCE}
        if "prompt" in said and rewrites is not None:
            return {"prompt": rewrites["all"]}
        if "prompt" in said:
            by_textgrad = "<VARIABLE>" in asked.prompt
            whole = r"<VARIABLE> (.*) </VARIABLE>" if by_textgrad else r"<prompt \w+>\n(.*?)\n</prompt"
            (text,) = re.findall(whole, asked.prompt, re.DOTALL)
            critiques = r"<FEEDBACK>(.*?) \(" if by_textgrad else r"^- (.*?) \("
            advice = dict.fromkeys(re.findall(critiques, asked.prompt, re.MULTILINE))
            return {"prompt": text.replace("# Question", "\n".join([*advice, "# Question"]))}
        raise AssertionError(said)

    return ScriptedModel(otherwise=answer)
