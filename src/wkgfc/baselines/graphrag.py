"""GraphRAG: a text becomes a graph with reports on its communities, and a local search answers from both.

Edge et al. 2024, "From Local to Global: A Graph RAG Approach to Query-Focused Summarization", and the package
``graphrag`` for local search: the entities that are most like the question, ten of them, with ten relations each, the
reports on their communities (0.15 of the room; first those that have most of them) and the text they come from (0.5).
It indexes the given document alone, as in the paper's table 1, and is asked whether the document bears the claim out.

What stands in for parts that cannot be had here: label propagation for hierarchical Leiden (one level), words weighed
by rarity for embeddings. With the embedded reasoner facts come from a parse, a report is the sentences of its facts,
and the verifier reads what the search found as one text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from wkgfc.baselines.course import Course, run
from wkgfc.baselines.likeness import similarity, vector
from wkgfc.baselines.method import CannotCheck, Seen, Tools
from wkgfc.baselines.prompts import ask, lines_view
from wkgfc.baselines.text_graph import Fact, as_triples, communities, facts_of
from wkgfc.baselines.verdicts import judgement, text_of, two_answers, undecided
from wkgfc.claim import Claim
from wkgfc.evidence import Evidence, Passage, Stance
from wkgfc.reasoning.reasoner import Judgement
from wkgfc.result import CheckResult
from wkgfc.sentences import sentence_spans

ENTITIES = 10  # top_k_entities
RELATIONS = 10  # top_k_relationships
REPORTS = 8  # communities that get a report: those with most of the entities found
REPORT_SENTENCES = 5
ROOM_CHARACTERS = 12_000  # of what the answer is given
TEXT_SHARE = 0.5  # text_unit_prop
REPORT_SHARE = 0.15  # community_prop


class ReportAnswer(BaseModel):
    """A report on a community."""

    report: str = Field(min_length=1, max_length=3_000)


class VerdictAnswer(BaseModel):
    """Whether the claim is borne out."""

    reason: str = Field(max_length=1_000)
    verdict: Literal["Supported", "Refuted"]


@dataclass(frozen=True)
class Found:
    """What a local search brings: reports, facts, and sentences of the text in its order."""

    reports: tuple[str, ...]
    facts: tuple[Fact, ...]
    sentences: tuple[str, ...]


class GraphRag:
    """Index and local search over the given documents."""

    name = "graphrag"

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """See ``Method``.

        Raises:
            CannotCheck: no document is given.
        """
        if not seen.documents:
            raise CannotCheck("GraphRAG indexes a given document, and these claims have none")
        return await run(claim, seen, self._tools, self._work)

    async def _work(self, course: Course) -> Judgement:
        pieces = course.give(course.seen.documents)
        text = "\n\n".join(text_of(piece.content) for piece in pieces if isinstance(piece.content, Passage))
        facts = await facts_of(text, self._tools.asking)
        found = await self._local_search(course.state.claim.text, text, facts)
        note_facts(course, pieces[0], found.facts)
        return await course.conclude(
            lambda: self._judge(course, pieces, found),
            f"{len(facts)} facts, of which the search found {len(found.facts)}",
        )

    async def _local_search(self, claim: str, text: str, facts: Sequence[Fact]) -> Found:
        wanted = vector(claim)
        likeness = {node: similarity(wanted, vector(name)) for fact in facts for node, name in _ends(fact)}
        best = sorted(likeness, key=lambda node: (-likeness[node], node))[:ENTITIES]
        near = [node for node in best if likeness[node] > 0]
        chosen: list[Fact] = []
        for node in near:
            around = [fact for fact in facts if node in fact.ends]
            around.sort(key=lambda fact: -similarity(wanted, vector(fact.text)))
            chosen += [fact for fact in around[:RELATIONS] if fact not in chosen]
        matches = [
            (len(set(near) & {end for fact in group for end in fact.ends}), group) for group in communities(facts)
        ]
        matches.sort(key=lambda pair: -pair[0])
        reports = [await self._report(group, claim) for number, group in matches[:REPORTS] if number]
        sentences = [text[start:end] for start, end in sentence_spans(text)]
        sentences.sort(key=lambda sentence: -similarity(wanted, vector(sentence)))
        kept = set(_within(sentences, int(TEXT_SHARE * ROOM_CHARACTERS)))
        kept |= {fact.sentence for fact in chosen if fact.sentence}
        return Found(
            reports=tuple(_within(reports, int(REPORT_SHARE * ROOM_CHARACTERS))),
            facts=tuple(chosen),
            sentences=tuple(text[start:end] for start, end in sentence_spans(text) if text[start:end] in kept),
        )

    async def _report(self, group: Sequence[Fact], claim: str) -> str:
        if self._tools.asking is not None:
            fields = {"facts": lines_view(fact.text for fact in group)}
            return (await ask(self._tools.asking, "graphrag-report", ReportAnswer, fields)).report
        wanted = vector(claim)
        sentences = dict.fromkeys(fact.sentence for fact in group if fact.sentence)
        best = sorted(sentences, key=lambda sentence: -similarity(wanted, vector(sentence)))[:REPORT_SENTENCES]
        return " ".join(sentence for sentence in sentences if sentence in best)

    async def _judge(self, course: Course, pieces: Sequence[Evidence], found: Found) -> Judgement:
        claim = course.state.claim.text
        if self._tools.asking is not None:
            fields = {
                "claim": claim,
                "reports": lines_view(found.reports),
                "relations": lines_view(fact.text for fact in found.facts),
                "sources": lines_view(found.sentences),
            }
            said = await ask(self._tools.asking, "graphrag-answer", VerdictAnswer, fields)
            return judgement(course, two_answers(float(said.verdict == "Supported")), otherwise=said.reason)
        texts = [" ".join(found.sentences), *found.reports]
        texts = [text for text in texts if text.strip()]
        if not texts:
            return judgement(course, undecided(), otherwise="The search found nothing in the document.")
        scores = self._tools.verifier.score(texts, [claim] * len(texts)).tolist()
        supports, refutes, neither = max(scores, key=lambda score: score[0])
        course.state.evidence.update(pieces[0].id, stance=Stance(supports=supports, refutes=refutes, neither=neither))
        return judgement(course, two_answers(supports), otherwise="Nothing that the search found says so.")


def note_facts(course: Course, document: Evidence, facts: Sequence[Fact]) -> None:
    """Keep the facts that were used with the evidence: as triples that were read from the document."""
    if isinstance(document.content, Passage):
        for triple in as_triples(facts, document.content):
            course.state.evidence.add_web_triple(triple, passage_id=document.id, consistency=1.0)


def _ends(fact: Fact) -> list[tuple[str, str]]:
    return list(zip(fact.ends, (fact.subject, fact.object), strict=True))


def _within(texts: Sequence[str], room: int) -> list[str]:
    """The first texts that have room."""
    kept: list[str] = []
    for text in texts:
        if sum(map(len, kept)) + len(text) > room:
            break
        kept.append(text)
    return kept
