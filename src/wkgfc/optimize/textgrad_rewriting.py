"""TextGrad as an optimizer of prompts (Yuksekgonul et al., 2024; paper, section 4.4), over our own models.

An episode of the agent runs outside of TextGrad's graph, so its backward pass would find nothing: the critiques are
given to the prompt as its gradients, and ``TextualGradientDescent`` makes the step. What TextGrad does beside that is
kept from happening: it shows its optimizer a variable's first and last ten words alone, so that a prompt would be
rewritten unseen; its import makes a folder ``logs`` and writes every prompt there, and imports LiteLLM, which asks the
network for prices.
"""

import asyncio
import importlib
import logging
import os
import sys
import tempfile
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from types import ModuleType
from typing import Any

from wkgfc.errors import JudgementFailed, NotConfigured
from wkgfc.optimize.reflection import Critique
from wkgfc.optimize.rewriting import MAX_TOKENS, SHOWN_CRITIQUES, Blame, RewriteAnswer, rewriting_prompt
from wkgfc.reasoning.llm import views
from wkgfc.reasoning.llm.asking import Asking, Question

LOG_DIR = "TEXTGRAD_LOG_DIR"
LITELLM = "litellm"
OPEN, CLOSE = "<IMPROVED_VARIABLE>", "</IMPROVED_VARIABLE>"
ROLE = "prompt of a fact-checker for the judgement “{judgement}”"
FORM = " Give that answer, with its tags, as the value of “prompt”."
_loading = threading.Lock()


def load_textgrad() -> Any:
    """The module ``textgrad``, without what its import does beside.

    Raises:
        NotConfigured: it is not installed.
    """
    with _loading:
        if "textgrad" in sys.modules:
            return sys.modules["textgrad"]
        try:
            with _without_litellm(), _logging_nowhere():
                return importlib.import_module("textgrad")
        except ImportError as error:
            raise NotConfigured(
                "--optimizer textgrad needs packages that are missing: pip install 'wkgfc[textgrad]'"
            ) from error


@contextmanager
def _without_litellm() -> Iterator[None]:
    """In the block an import of LiteLLM gives a stand-in, which imports the real one when it is used."""
    if LITELLM in sys.modules:
        yield
        return

    def completion(*arguments: Any, **named: Any) -> Any:
        return importlib.import_module(LITELLM).completion(*arguments, **named)

    stand_in = ModuleType(LITELLM)
    vars(stand_in)["completion"] = completion
    sys.modules[LITELLM] = stand_in
    try:
        yield
    finally:
        del sys.modules[LITELLM]


@contextmanager
def _logging_nowhere() -> Iterator[None]:
    """The block's log of prompts and answers goes into a folder that is gone after it, and ends there."""
    before = os.environ.get(LOG_DIR)
    logger = logging.getLogger("textgrad")
    with tempfile.TemporaryDirectory() as folder:
        os.environ[LOG_DIR] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[LOG_DIR]
            else:
                os.environ[LOG_DIR] = before
            for handler in list(logger.handlers):
                logger.removeHandler(handler)
                handler.close()
            logger.setLevel(logging.WARNING)


class TextGradRewriter:
    """Rewrites a prompt by a step of TextGrad's ``TextualGradientDescent``; see ``Rewriter``.

    Raises:
        NotConfigured: TextGrad is not installed.
    """

    def __init__(self, asking: Asking) -> None:
        self._textgrad = load_textgrad()
        self._asking, self.name = asking, f"textgrad {version('textgrad')} by {asking.name}"

    async def rewrite(self, text: str, blame: Blame) -> str | None:
        """See ``Rewriter``. The step is made in a thread, as TextGrad waits for its engine."""
        engine = _Engine(self._asking, asyncio.get_running_loop())
        try:
            return await asyncio.to_thread(self._step, text, blame, engine)
        except JudgementFailed:
            return None

    def _step(self, text: str, blame: Blame, engine: "_Engine") -> str:
        role = ROLE.format(judgement=blame.judgement)
        prompt = self._textgrad.Variable(text, requires_grad=True, role_description=role)
        prompt.get_short_value = lambda *_, **__: prompt.value  # the whole of it
        prompt.gradients = []  # a set has an order of its own in every process
        for critique in _told_apart(blame.critiques):
            feedback = _harmless(f"{critique.advice} ({critique.reason})")
            gradient = self._textgrad.Variable(feedback, role_description=f"feedback to {role}")
            prompt.gradients.append(gradient)
            prompt.gradients_context[gradient] = {
                "context": f"A claim was checked with the prompt, and step {critique.step} was wrong: {critique.kind}.",
                "response_desc": "a step of a check, and the verdict",
                "variable_desc": role,
            }
        optimizer = self._textgrad.TextualGradientDescent(
            parameters=[prompt],
            engine=engine,
            constraints=rules(),
            new_variable_tags=[OPEN, CLOSE],
            optimizer_system_prompt=self._textgrad.optimizer.optimizer_prompts.OPTIMIZER_SYSTEM_PROMPT + FORM,
        )
        optimizer.step()
        return str(prompt.value)


class _Engine:
    """What TextGrad asks: our model, in the event loop that it belongs to. Nothing is kept on disk."""

    def __init__(self, asking: Asking, loop: asyncio.AbstractEventLoop) -> None:
        self._asking, self._loop = asking, loop
        self.model_string = asking.name

    def __call__(self, prompt: str, system_prompt: str | None = None, **_: Any) -> str:
        return self.generate(prompt, system_prompt)

    def generate(self, prompt: str, system_prompt: str | None = None, **_: Any) -> str:
        """The answer between TextGrad's tags, whether the model wrote them or not."""
        question = Question(
            judgement="rewrite",
            instructions=system_prompt or "",
            text=prompt,
            answer=RewriteAnswer,
            read=lambda answer, _is_last: answer.prompt,
            max_tokens=MAX_TOKENS,
        )
        answered: Coroutine[Any, Any, str] = self._asking.ask(question)
        said = asyncio.run_coroutine_threadsafe(answered, self._loop).result()
        return said if OPEN in said else f"{OPEN}{said}{CLOSE}"


def rules() -> list[str]:
    """What a rewrite must keep, as the prompt of our own optimizer has it, for TextGrad's constraints."""
    lines = rewriting_prompt().instructions.splitlines()
    return [line.removeprefix("- ") for line in lines if line.startswith("- ")]


def _told_apart(critiques: tuple[Critique, ...]) -> list[Critique]:
    """The critiques that say something different, as many as are shown."""
    return list({(each.advice, each.reason): each for each in reversed(critiques)}.values())[::-1][:SHOWN_CRITIQUES]


def _harmless(text: str) -> str:
    """A critique without marks that could end its own part of the question: a page may have written into it."""
    return views.clean(text, 500).replace("<", "‹").replace(">", "›")
