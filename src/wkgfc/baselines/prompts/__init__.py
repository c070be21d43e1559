"""The prompts of the methods that ask a language model, one file a judgement, and how they are asked.

A file has the form of the policy's prompts (``wkgfc.reasoning.llm.policy``): its fields, instructions, question. Values
stand between borders that no text from outside can forge.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from wkgfc.claim import visible_text
from wkgfc.evidence import Passage

if TYPE_CHECKING:
    from wkgfc.reasoning.llm.asking import Asking
    from wkgfc.reasoning.llm.policy import Prompt

A = TypeVar("A", bound=BaseModel)

MAX_TOKENS = 1_500  # of an answer
SHOWN_CHARACTERS = 1_200  # of one text
MAX_TEXTS = 40

_FILE = re.compile(
    r"\A---\nfields: (?P<fields>.+)\n---\n+# Instructions\n(?P<instructions>.*?)\n# Question\n(?P<question>.*)\Z",
    re.DOTALL,
)


@lru_cache(maxsize=32)
def prompt_named(name: str) -> "Prompt":
    """The prompt in ``NAME.md`` of this folder."""
    from wkgfc.reasoning.llm.policy import Prompt  # noqa: PLC0415 - a language model's libraries where one is asked

    text = (files(__package__) / f"{name}.md").read_text(encoding="utf-8")
    parts = _FILE.match(text)
    if parts is None:
        raise ValueError(f"{name}.md has not the form of a prompt")
    return Prompt(name, parts["instructions"].strip(), parts["question"].strip())


async def ask(
    asking: "Asking",
    name: str,
    answer: type[A],
    fields: Mapping[str, str],
    *,
    sample: int = 0,
    temperature: float | None = None,
    max_tokens: int = MAX_TOKENS,
) -> A:
    """Ask one judgement.

    Raises:
        JudgementFailed: no usable answer came, though it was asked for once more.
    """
    from wkgfc.reasoning.llm.asking import Question  # noqa: PLC0415 - see above

    prompt = prompt_named(name)

    def as_it_is(value: A, _: bool) -> A:
        return value

    question = Question(
        judgement=name,
        instructions=prompt.instructions,
        text=prompt.filled(fields),
        answer=answer,
        read=as_it_is,
        max_tokens=max_tokens,
    )
    return await asking.ask(question, sample=sample, temperature=temperature)


def in_one_line(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """A text from outside in one line, cut at ``limit`` characters."""
    line = " ".join(visible_text(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def texts_view(passages: Sequence[Passage]) -> str:
    """Passages, one a line with a number."""
    shown = [
        f"{number}. {in_one_line(f'{each.title}: {each.text}' if each.title else each.text)}"
        for number, each in enumerate(passages[:MAX_TEXTS], start=1)
    ]
    return "\n".join(shown) or "(nothing yet)"


def lines_view(lines: Iterable[str]) -> str:
    """Short texts of ours or from outside, one a line."""
    return "\n".join(in_one_line(line) for line in lines) or "(nothing)"
