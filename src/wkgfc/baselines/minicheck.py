"""MiniCheck: a small model reads the claim with each chunk of the text; the best chunk decides.

Tang, Laban and Durrett 2024, "MiniCheck: Efficient Fact-Checking of LLMs on Grounding Documents" (EMNLP). The score of
a document is the greatest over its chunks, and a claim is supported where it exceeds 0.5; there is no third answer.
Here our verifier stands in for its model. It reads a long text in windows of its own length instead of 500 words, each
weighed by how much of the claim it has, and a claim of several sentences sentence by sentence.
Where no document is given, the passages that a search for the claim brings are the documents.
"""

from wkgfc.baselines.course import Course, run
from wkgfc.baselines.method import Seen, Tools
from wkgfc.baselines.verdicts import judgement, read, strongest, two_answers, undecided
from wkgfc.claim import Claim
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.result import CheckResult


class MiniCheck:
    """A verifier over windows of the given or the retrieved text."""

    name = "minicheck"

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """See ``Method``."""

        async def work(course: Course) -> Judgement:
            limit = self._tools.settings.passages
            pieces = (
                course.give(seen.documents)
                if seen.documents
                else await course.search(claim.text, "the claim itself is the query", limit=limit)
            )

            async def judge() -> Judgement:
                supports, _ = strongest(read(course, self._tools.verifier, pieces))
                answers = two_answers(supports) if pieces else undecided()
                return judgement(course, answers, otherwise="No text that was read says so.")

            return await course.conclude(judge, "the best of all windows decides")

        return await run(claim, seen, self._tools, work)
