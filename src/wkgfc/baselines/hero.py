"""HerO: hypothetical documents widen the search, the best sentences are kept, questions are asked to them, one of four
verdicts is given.

Yoon et al. 2024, "HerO at AVeriTeC: The Herd of Open Large Language Models for Verifying Real-World Claims" (FEVER).
Eight hypothetical fact-checking documents are written for a claim; BM25 over claim and documents finds sentences; a
dense ranking by the mean of all their vectors keeps ten, near copies of the claim left out; a question is written for
each, and the verdict is one of four labels.

What stands in for parts that cannot be had here: the knowledge store of AVeriTeC is what searches for the claim and
for each document bring (or the given document); the dense ranking is by words weighed by rarity instead of
SFR-Embedding-2. With the embedded reasoner nobody writes documents: the passages of a first search stand for them, and
their most telling words widen a second one (pseudo-relevance feedback; Lavrenko and Croft 2001); the verifier reads
each sentence with the claim, so that no question is needed; the four answers come of the strongest sentence of each
side.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import BaseModel, Field

from wkgfc.baselines.course import Course, run
from wkgfc.baselines.likeness import mean, plain_cosine, similarity, vector
from wkgfc.baselines.method import CannotCheck, Seen, Tools
from wkgfc.baselines.prompts import ask, in_one_line
from wkgfc.baselines.verdicts import Probabilities, four_answers, judgement, read, strongest, text_of, undecided
from wkgfc.claim import Claim, Veracity
from wkgfc.evidence import Evidence, Passage
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.reasoning.verifier import Verifier
from wkgfc.result import CheckResult
from wkgfc.sentences import sentence_spans
from wkgfc.web.bm25 import bm25
from wkgfc.web.filtering import is_near_copy

if TYPE_CHECKING:
    from wkgfc.reasoning.llm.asking import Asking

DOCUMENTS = 8  # hypothetical ones
TEMPERATURE = 0.7  # at which they are written
SENTENCES = 200  # that BM25 leaves for the dense ranking: searches bring far fewer than HerO's 10,000
KEPT = 10  # that the dense ranking keeps
COPY = 0.97  # cosine of all words above which a sentence is a copy of the claim
TELLING = 10  # words of the first passages that widen the second search


class Mind(Protocol):
    """Who writes and judges."""

    async def documents(self, course: Course) -> tuple[str, ...]:
        """Texts like those that would decide the claim."""
        ...

    async def verdict(self, course: Course, pieces: Sequence[Evidence]) -> Judgement:
        """The verdict from the sentences that were kept."""
        ...


class Hero:
    """The pipeline."""

    name = "hero"

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._mind: Mind = Prompted(tools.asking) if tools.asking is not None else ByVerifier(tools.verifier)

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """See ``Method``.

        Raises:
            CannotCheck: there is neither a web source nor a document.
        """
        if seen.web is None and not seen.documents:
            raise CannotCheck("HerO reads the web or a document, and there is neither: give --web")
        return await run(claim, seen, self._tools, self._work)

    async def _work(self, course: Course) -> Judgement:
        claim = course.state.claim.text
        documents = await self._mind.documents(course)
        passages: Sequence[Passage] = course.seen.documents or await self._searched(course, documents)
        pieces = [
            course.state.evidence.add_passage(sentence) for sentence in best_sentences(claim, documents, passages)
        ]
        return await course.conclude(
            lambda: self._mind.verdict(course, pieces), f"the {len(pieces)} best sentences are judged"
        )

    async def _searched(self, course: Course, documents: Sequence[str]) -> list[Passage]:
        limit = self._tools.settings.passages
        brought: dict[str, Passage] = {}
        queries = {course.state.claim.text: "the claim itself"} | dict.fromkeys(documents, "a hypothetical document")
        for query, reason in queries.items():
            for passage in await course.look(query, reason, limit=limit):
                brought.setdefault(passage.content_hash, passage)
        return list(brought.values())


def best_sentences(claim: str, documents: Sequence[str], passages: Sequence[Passage]) -> list[Passage]:
    """The ``KEPT`` sentences that are most like the claim and the documents together, best first.

    Each is a passage of its own, with the offsets in its page.
    """
    sentences = list({sentence.text: sentence for passage in passages for sentence in _sentences(passage)}.values())
    coarse = bm25(" ".join([claim, *documents]), [text_of(sentence) for sentence in sentences])
    order = sorted(range(len(sentences)), key=lambda place: -coarse[place])[:SENTENCES]
    wanted = mean([vector(claim), *map(vector, documents)])
    fine = [
        (similarity(wanted, vector(text_of(sentences[place]))), sentences[place])
        for place in order
        if not is_near_copy(sentences[place].text, claim) and plain_cosine(sentences[place].text, claim) <= COPY
    ]
    return [sentence for score, sentence in sorted(fine, key=lambda pair: -pair[0])[:KEPT] if score > 0]


def _sentences(passage: Passage) -> list[Passage]:
    return [
        passage.model_copy(
            update={"text": passage.text[start:end], "start": passage.start + start, "end": passage.start + end}
        )
        for start, end in sentence_spans(passage.text)
    ]


class ByVerifier:
    """HerO's parts without a language model."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier

    async def documents(self, course: Course) -> tuple[str, ...]:
        """See ``Mind``. One query: the claim with the most telling words of the passages that it brings itself."""
        if course.seen.documents:
            return ()
        claim = course.state.claim.text
        first = await course.look(claim, "passages in place of hypothetical documents", limit=DOCUMENTS)
        weights: Counter[str] = Counter()
        for passage in first:
            weights.update(mean([vector(text_of(passage))]))
        known = vector(claim)
        telling = [term for term, _ in weights.most_common() if term not in known][:TELLING]
        return (f"{claim} {' '.join(telling)}",) if telling else ()

    async def verdict(self, course: Course, pieces: Sequence[Evidence]) -> Judgement:
        """See ``Mind``."""
        if not pieces:
            return judgement(course, undecided(), otherwise="No sentence was found.")
        supports, refutes = strongest(read(course, self._verifier, pieces))
        return judgement(course, four_answers(supports, refutes))


class DocumentAnswer(BaseModel):
    """A hypothetical document."""

    passage: str = Field(min_length=1, max_length=4_000)


class QuestionAnswer(BaseModel):
    """The question that a sentence answers."""

    question: str = Field(min_length=1, max_length=600)


class VerdictAnswer(BaseModel):
    """One of the four labels."""

    reason: str = Field(max_length=1_000)
    verdict: Literal["Supported", "Refuted", "Not Enough Evidence", "Conflicting Evidence"]


class Prompted:
    """HerO's parts by a language model. Its label is taken as it is: it has no probability."""

    def __init__(self, asking: "Asking") -> None:
        self._asking = asking

    async def documents(self, course: Course) -> tuple[str, ...]:
        """See ``Mind``."""
        claim = course.state.claim
        fields = {"claim": claim.text, "speaker": claim.speaker or "somebody"}
        answers = [
            await ask(self._asking, "hero-document", DocumentAnswer, fields, sample=number, temperature=TEMPERATURE)
            for number in range(DOCUMENTS)
        ]
        return tuple(answer.passage for answer in answers)

    async def verdict(self, course: Course, pieces: Sequence[Evidence]) -> Judgement:
        """See ``Mind``."""
        claim = course.state.claim.text
        lines = []
        for number, piece in enumerate(pieces, start=1):
            if not isinstance(piece.content, Passage):
                continue
            text = in_one_line(text_of(piece.content))
            asked = await ask(self._asking, "hero-question", QuestionAnswer, {"claim": claim, "evidence": text})
            lines.append(f"{number}. {in_one_line(asked.question)} {text}")
        fields = {"claim": claim, "answers": "\n".join(lines) or "(nothing was found)"}
        said = await ask(self._asking, "hero-verdict", VerdictAnswer, fields)
        certain: Probabilities = {each: float(each == Veracity(said.verdict)) for each in Veracity}
        return judgement(course, certain, otherwise=said.reason)
