"""GraphCheck: the facts of the claim and of the document as graphs, encoded, aligned and judged with the document.

Chen et al. 2025, "GraphCheck: Breaking Long-Term Text Barriers with Extracted Knowledge Graph-Powered Fact-Checking"
(ACL). A language model takes triples from claim and document, a graph attention network encodes both graphs into two
soft tokens before the prompt of a frozen model, which says whether the claim is supported.

The trained network and a model that takes soft tokens cannot be had here. In their place an encoder without anything
learned passes each node's words to its neighbours, twice, and each of the claim's facts is shown with the document's
facts that are most like it. With the embedded reasoner triples come from a parse, and the verifier judges the document
with the whole claim and, for each fact of the claim, the sentences of its aligned facts; the claim is supported as far
as the geometric mean of the document's score and of the least supported fact's.
"""

import math
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from wkgfc.baselines.course import Course, run
from wkgfc.baselines.graphrag import note_facts
from wkgfc.baselines.method import CannotCheck, Seen, Tools
from wkgfc.baselines.prompts import ask, in_one_line, lines_view
from wkgfc.baselines.text_graph import Fact, aligned, facts_of
from wkgfc.baselines.verdicts import judgement, read, strongest, text_of, two_answers
from wkgfc.claim import Claim
from wkgfc.evidence import Evidence, Passage
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.result import CheckResult

ALIGNED = 3  # facts of the document beside each of the claim
CLAIM_FACTS = 12  # of the claim that are judged one by one
DOCUMENT_CHARACTERS = 12_000  # of the document that a language model is shown


class VerdictAnswer(BaseModel):
    """Whether the claim is supported, and which of its facts are not."""

    unsupported: list[str] = Field(max_length=20)
    verdict: Literal["supported", "unsupported"]


class GraphCheck:
    """Graphs of claim and document, judged together with the document."""

    name = "graphcheck"

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """See ``Method``.

        Raises:
            CannotCheck: no document is given.
        """
        if not seen.documents:
            raise CannotCheck("GraphCheck compares a claim with a given document, and these claims have none")
        return await run(claim, seen, self._tools, self._work)

    async def _work(self, course: Course) -> Judgement:
        pieces = course.give(course.seen.documents)
        text = "\n\n".join(text_of(piece.content) for piece in pieces if isinstance(piece.content, Passage))
        of_claim = (await facts_of(course.state.claim.text, self._tools.asking))[:CLAIM_FACTS]
        of_document = await facts_of(text, self._tools.asking)
        beside = aligned(of_claim, of_document, ALIGNED)
        note_facts(course, pieces[0], list(dict.fromkeys(fact for facts in beside for fact in facts)))
        reason = f"{len(of_claim)} facts of the claim against {len(of_document)} of the document"
        return await course.conclude(lambda: self._judge(course, pieces, text, of_claim, beside), reason)

    async def _judge(
        self, course: Course, pieces: Sequence[Evidence], text: str, facts: Sequence[Fact], beside: Sequence[list[Fact]]
    ) -> Judgement:
        if self._tools.asking is not None:
            fields = {
                "claim": course.state.claim.text,
                "claim_graph": lines_view(fact.text for fact in facts),
                "document": in_one_line(text, DOCUMENT_CHARACTERS),
                "document_graph": lines_view(dict.fromkeys(fact.text for found in beside for fact in found)),
            }
            said = await ask(self._tools.asking, "graphcheck-verdict", VerdictAnswer, fields)
            missing = f"Not borne out: {'; '.join(said.unsupported)}." if said.unsupported else ""
            return judgement(course, two_answers(float(said.verdict == "supported")), otherwise=missing)
        whole, _ = strongest(read(course, self._tools.verifier, pieces))
        return judgement(
            course,
            two_answers(math.sqrt(whole * self._least(facts, beside)) if facts else whole),
            otherwise="The document does not bear out all facts of the claim.",
        )

    def _least(self, facts: Sequence[Fact], beside: Sequence[list[Fact]]) -> float:
        """How far the claim's fact that has least support is supported by what is aligned with it."""
        texts = [" ".join(dict.fromkeys(fact.sentence for fact in found)) for found in beside]
        scores = self._tools.verifier.score(texts, [fact.text for fact in facts]).tolist()
        return float(min(supports for supports, _, _ in scores))
