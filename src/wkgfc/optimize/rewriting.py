"""A prompt rewritten from critiques, and what a rewritten prompt must keep.

Which prompt is rewritten follows from the kind of mistake that cost the most reward. The rewriter sees it whole.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Protocol

from pydantic import StringConstraints

from wkgfc.errors import JudgementFailed, NotConfigured
from wkgfc.evidence import Record
from wkgfc.optimize.reflection import Critique, Kind
from wkgfc.reasoning.llm import views
from wkgfc.reasoning.llm.answers import Answer
from wkgfc.reasoning.llm.asking import Asking, Complaint, Question
from wkgfc.reasoning.llm.policy import JUDGEMENTS, MAX_PROMPT_CHARACTERS, Fields, Prompt, parse_prompt

# Whose prompt answers for a kind of mistake.
JUDGEMENT_OF: Mapping[Kind, str] = {
    "insufficient_coverage": "decide",
    "premature_stop": "decide",
    "redundant_expansion": "decide",
    "mishandled_contradiction": "judge",
    "wrong_linking": "relations",
    "wrong_grading": "grade",
}
MAX_GROWTH = 2.0  # times the characters of the prompt that ships
NGRAM_WORDS = 5  # of a training claim, in a row, that a prompt may not repeat: it would learn the claim by heart
SHOWN_CRITIQUES = 12
GUARD = "between borders"  # the rule that web text is data stands in every prompt that shows some
FIELDS = Fields(frozenset({"prompt", "critiques"}), frozenset({"kind"}))
MAX_TOKENS = 4_000
_WORD = re.compile(r"\w+")


class Trial(Record):
    """A training or validation episode, in short: its claim, its reward and its critique."""

    claim_id: str
    reward: float
    critique: Critique


class Blame(Record):
    """The kind of mistake that cost most: how much reward, over which critiques."""

    kind: Kind
    cost: float
    critiques: tuple[Critique, ...]

    @property
    def judgement(self) -> str:
        """Whose prompt is to be rewritten."""
        return JUDGEMENT_OF[self.kind]


def worst(trials: Iterable[Trial], judged: Collection[str] = tuple(JUDGEMENTS)) -> Blame | None:
    """What cost the most reward, the kinds told apart; ``None`` where nothing was blamed.

    ``judged`` are the judgements that a prompt answers for: mistakes of others are not blamed.
    """
    cost: defaultdict[Kind, float] = defaultdict(float)
    critiques: defaultdict[Kind, list[Critique]] = defaultdict(list)
    for trial in trials:
        kind = trial.critique.kind
        if kind != "none" and JUDGEMENT_OF[kind] in judged:
            cost[kind] += 1.0 - trial.reward
            critiques[kind].append(trial.critique)
    if not cost:
        return None
    kind = max(sorted(cost), key=lambda each: cost[each])
    return Blame(kind=kind, cost=cost[kind], critiques=tuple(critiques[kind]))


class Rewriter(Protocol):
    """Whoever rewrites a prompt: one of the optimizers."""

    name: str

    async def rewrite(self, text: str, blame: Blame) -> str | None:
        """The whole new prompt, not yet checked; ``None``: there is none."""
        ...


class RewriteAnswer(Answer):
    """A rewritten prompt, whole."""

    prompt: Annotated[str, StringConstraints(max_length=MAX_PROMPT_CHARACTERS)]


@lru_cache(maxsize=1)
def rewriting_prompt() -> Prompt:
    """The prompt that ships with the package."""
    text = files(__package__).joinpath("prompts", "rewrite.md").read_text(encoding="utf-8")
    return parse_prompt("rewrite", text, "the built-in prompt rewrite.md", FIELDS)


class ModelRewriter:
    """Our own optimizer: a model is shown the prompt and the critiques, and writes it anew."""

    def __init__(self, asking: Asking) -> None:
        self._asking, self.name = asking, f"rewrite by {asking.name}"

    async def rewrite(self, text: str, blame: Blame) -> str | None:
        """See ``Rewriter``. An answer that is empty is sent back once."""
        prompt = rewriting_prompt()

        def read(answer: RewriteAnswer, _is_last: bool) -> str:
            if not answer.prompt.strip():
                raise Complaint("the prompt is empty: answer with the whole new prompt")
            return answer.prompt

        values = {"prompt": text, "critiques": _in_lines(blame.critiques), "kind": blame.kind}
        question = Question(
            judgement="rewrite",
            instructions=prompt.instructions,
            text=prompt.filled(values),
            answer=RewriteAnswer,
            read=read,
            max_tokens=MAX_TOKENS,
        )
        try:
            return await self._asking.ask(question)
        except JudgementFailed:
            return None


def _in_lines(critiques: Sequence[Critique]) -> str:
    told = dict.fromkeys(f"{views.clean(each.advice, 300)} ({views.clean(each.reason, 200)})" for each in critiques)
    shown = [f"- {line}" for line in list(told)[:SHOWN_CRITIQUES]]
    return "\n".join(shown) or views.NOTHING


def complaint_about_prompt(
    judgement: str, text: str | None, parent: str, shipped: str, claims: Iterable[str]
) -> str | None:
    """Why a rewritten prompt is rejected; ``None`` where it may be tried.

    Args:
        judgement: whose prompt it is.
        text: the new prompt.
        parent: the one that it was made from.
        shipped: the one that ships: the measure of its length.
        claims: the texts of the training claims.
    """
    if text is None:
        return "there is none: the model gave no answer that can be used"
    if not text.strip():
        return "it is empty"
    if _WORD.findall(text) == _WORD.findall(parent):
        return "nothing was changed"
    if len(text) > MAX_GROWTH * len(shipped):
        return f"it has {len(text):,} characters, over {MAX_GROWTH:g} times the {len(shipped):,} of the one that ships"
    try:
        parse_prompt(judgement, text, "it", JUDGEMENTS[judgement])
    except NotConfigured as error:
        return str(error)
    if GUARD in parent and GUARD not in text:
        return f"the rule about text {GUARD} is gone"
    for claim in claims:
        if (repeated := _repeated(claim, text, parent)) is not None:
            return f"it repeats a training claim: “{repeated}”"
    return None


def _repeated(claim: str, text: str, parent: str) -> str | None:
    """A run of words of a claim that a text has and its parent has not; a short claim counts whole."""
    words = [word.casefold() for word in _WORD.findall(claim)]
    size = min(NGRAM_WORDS, len(words))
    said, before = (f" {' '.join(_WORD.findall(each.casefold()))} " for each in (text, parent))
    for start in range(len(words) - size + 1):
        gram = f" {' '.join(words[start : start + size])} "
        if gram in said and gram not in before:
            return gram.strip()
    return None
