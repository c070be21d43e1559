"""FIRE: verify or search, step by step, until the model is sure, begins to repeat itself, or runs out of steps.

Xie et al. 2025, "FIRE: Fact-checking with Iterative Retrieval and Verification" (Findings of NAACL). At each step one
judgement either gives the final answer (True or False) or the next query; a search brings three results, whose text is
the knowledge of the next step. It stops early where a next query is asked for that is nearly the one before, or though
the newest results were nearly those before; then, and after five steps, a last judgement must answer.

With the embedded reasoner the verifier judges each result, and the step is sure where its greatest probability reaches
the bound at which WKGFC's own verdict counts as decided; queries are written by the embedded reasoner's rules. The
likeness of queries and results is the cosine of their words weighed by rarity, in place of all-MiniLM-L6-v2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import BaseModel

from wkgfc.baselines.course import Course, run
from wkgfc.baselines.likeness import cosine
from wkgfc.baselines.method import CannotCheck, Seen, Tools
from wkgfc.baselines.prompts import ask, texts_view
from wkgfc.baselines.verdicts import judgement, read, strongest, text_of, two_answers, undecided
from wkgfc.claim import Claim
from wkgfc.evidence import Passage
from wkgfc.reasoning.embedded.texts.queries import write_query
from wkgfc.reasoning.embedded.verdict import VerdictParameters
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.reasoning.verifier import Verifier
from wkgfc.result import CheckResult
from wkgfc.state import SearchWeb

if TYPE_CHECKING:
    from wkgfc.reasoning.llm.asking import Asking

RESULTS = 3  # num_searches
MAX_STEPS = 5  # max_steps
ALIKE = 0.9  # the cosine above which a query or a result is a repetition
TEMPERATURE = 0.5


@dataclass(frozen=True)
class Sure:
    """The final answer: the probability that the claim is true."""

    true: float


@dataclass(frozen=True)
class Ask:
    """More is to be known: the next query, or ``None`` where nothing new could be asked."""

    query: str | None


class Mind(Protocol):
    """Who makes FIRE's two judgements."""

    async def verify_or_search(self, course: Course) -> Sure | Ask:
        """The final answer, or the next query."""
        ...

    async def must_answer(self, course: Course) -> float | None:
        """The probability that the claim is true; ``None`` where nothing is known."""
        ...


class Fire:
    """The loop."""

    name = "fire"

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._mind: Mind = Prompted(tools.asking) if tools.asking is not None else ByVerifier(tools.verifier)

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """See ``Method``.

        Raises:
            CannotCheck: there is no web source.
        """
        if seen.web is None:
            raise CannotCheck("FIRE searches the web, and there is no source for it: give --web")
        return await run(claim, seen, self._tools, self._loop)

    async def _loop(self, course: Course) -> Judgement:
        results: list[str] = []
        queries: list[str] = []
        why = f"the limit of {MAX_STEPS} steps is reached"
        for _ in range(MAX_STEPS):
            said = await self._mind.verify_or_search(course)
            if isinstance(said, Sure):
                return await self._answer(course, said.true, "the model is sure")
            if said.query is None:
                why = "nothing new could be asked"
                break
            if any(cosine(said.query, before) > ALIKE for before in queries[-1:]):
                why = "the new query repeats the one before"
                break
            if len(results) > 1 and cosine(*results[-2:]) > ALIKE:
                why = "the results repeat those before"
                break
            queries.append(said.query)
            brought = await course.search(said.query, "not sure yet", limit=RESULTS)
            results.append(" ".join(text_of(piece.content) for piece in brought if isinstance(piece.content, Passage)))
        return await self._answer(course, await self._mind.must_answer(course), why)

    async def _answer(self, course: Course, true: float | None, reason: str) -> Judgement:
        async def judge() -> Judgement:
            answers = undecided() if true is None else two_answers(true)
            return judgement(course, answers, otherwise="No result was found that says so.")

        return await course.conclude(judge, reason)


class ByVerifier:
    """FIRE's judgements by a verifier that reads each result."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier

    async def verify_or_search(self, course: Course) -> Sure | Ask:
        """See ``Mind``."""
        supports, refutes = self._sides(course)
        if max(supports, refutes) >= VerdictParameters().sufficient:
            return Sure(supports / (supports + refutes))
        asked = any(isinstance(step.action, SearchWeb) for step in course.state.steps)
        claim = course.state.claim.text
        return Ask(write_query(course.state, [claim]) if asked else claim)

    async def must_answer(self, course: Course) -> float | None:
        """See ``Mind``."""
        supports, refutes = self._sides(course)
        return supports / (supports + refutes) if supports + refutes else None

    def _sides(self, course: Course) -> tuple[float, float]:
        return strongest(read(course, self._verifier, list(course.state.evidence)))


class StepAnswer(BaseModel):
    """What is said at a step. ``query`` is empty where the answer is final."""

    final_answer: Literal["True", "False", "none"]
    query: str = ""


class FinalAnswer(BaseModel):
    """What must be said at the end."""

    final_answer: Literal["True", "False"]


class Prompted:
    """FIRE's judgements by a language model. An answer is taken as it is: it has no probability."""

    def __init__(self, asking: "Asking") -> None:
        self._asking = asking

    async def verify_or_search(self, course: Course) -> Sure | Ask:
        """See ``Mind``."""
        said = await ask(self._asking, "fire-step", StepAnswer, _fields(course), temperature=TEMPERATURE)
        if said.final_answer != "none":
            return Sure(float(said.final_answer == "True"))
        return Ask(said.query.strip() or None)

    async def must_answer(self, course: Course) -> float | None:
        """See ``Mind``."""
        said = await ask(self._asking, "fire-final", FinalAnswer, _fields(course))
        return float(said.final_answer == "True")


def _fields(course: Course) -> dict[str, str]:
    passages: Sequence[Passage] = [passage for _, passage in course.state.evidence.passages()]
    return {"claim": course.state.claim.text, "knowledge": texts_view(passages)}
