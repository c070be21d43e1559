"""The language model alone: from its own knowledge, or with the document that the data set gives.

The paper's "large-scale" and "small-scale LLMs" of table 1: they answer directly on Wikipedia's and the web's claims,
and see the gold document on the others (section 5.2). A verifier has no knowledge of its own: the embedded reasoner
can only read a document.
"""

from typing import Literal

from pydantic import BaseModel, Field

from wkgfc.baselines.course import Course, run
from wkgfc.baselines.method import CannotCheck, Seen, Tools
from wkgfc.baselines.prompts import ask, in_one_line
from wkgfc.baselines.verdicts import judgement, read, strongest, text_of, two_answers
from wkgfc.claim import Claim
from wkgfc.evidence import Passage
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.result import CheckResult

DOCUMENT_CHARACTERS = 24_000  # that are shown


class VerdictAnswer(BaseModel):
    """The model's answer."""

    reason: str = Field(max_length=1_000)
    verdict: Literal["Supported", "Refuted"]


class Direct:
    """No retrieval: one judgement."""

    name = "direct"

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """See ``Method``.

        Raises:
            CannotCheck: the embedded reasoner is given no document.
        """
        if self._tools.asking is None and not seen.documents:
            raise CannotCheck(
                "the embedded reasoner knows nothing by itself, so it cannot judge a claim without evidence: "
                "give a language model with --reasoner"
            )
        return await run(claim, seen, self._tools, self._work)

    async def _work(self, course: Course) -> Judgement:
        pieces = course.give(course.seen.documents)

        async def judge() -> Judgement:
            if self._tools.asking is None:
                supports, _ = strongest(read(course, self._tools.verifier, pieces))
                return judgement(course, two_answers(supports), otherwise="The document does not say so.")
            fields = {"claim": course.state.claim.text}
            if pieces:
                texts = (text_of(piece.content) for piece in pieces if isinstance(piece.content, Passage))
                fields["document"] = in_one_line("\n\n".join(texts), DOCUMENT_CHARACTERS)
            name = "direct-document" if pieces else "direct"
            said = await ask(self._tools.asking, name, VerdictAnswer, fields)
            return judgement(course, two_answers(float(said.verdict == "Supported")), otherwise=said.reason)

        return await course.conclude(judge, "the document alone" if pieces else "the model's own knowledge alone")
