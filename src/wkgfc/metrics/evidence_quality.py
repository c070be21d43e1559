"""Whether the right evidence was found, and whether what is cited bears out the sentence that cites it."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wkgfc.evidence import Entity, Triple
from wkgfc.result import CheckResult

SUPPORTS = 0.5  # the verifier's probability of support from which a sentence counts as borne out

Scorer = Callable[[Sequence[str], Sequence[str]], Any]  # texts and claims → supports, refutes, neither: a row a pair


@dataclass(frozen=True)
class Needed:
    """What a data set says is needed to decide a claim: titles of pages, sentences, ids of entities."""

    pages: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gathered:
    """What a check gathered: titles of its evidence, texts of its passages, ids of the entities in its triples."""

    pages: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()
    entities: frozenset[str] = frozenset()


@dataclass(frozen=True)
class EvidenceRecall:
    """The share of each kind of what was needed that was gathered; ``None``: none of that kind was needed."""

    pages: float | None
    sentences: float | None
    entities: float | None


def letters(text: str) -> str:
    """Letters and digits alone, in lower case: two editions of a sentence differ in spaces and marks."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def gathered_by(result: CheckResult) -> Gathered:
    """What a check gathered. Entities need its evidence graph, which results keep unless they went through JSON."""
    entities: set[str] = set()
    for evidence in result.graph.evidence if result.graph else ():
        if isinstance(evidence.content, Triple):
            entities.update(
                each.id for each in (evidence.content.subject, evidence.content.object) if isinstance(each, Entity)
            )
    return Gathered(
        pages=frozenset(letters(each.title) for each in result.evidence if each.title),
        texts=tuple(letters(each.text) for each in result.evidence if each.kind == "passage"),
        entities=frozenset(entities),
    )


def evidence_recall(needed: Needed, gathered: Gathered) -> EvidenceRecall:
    """How much of what was needed was gathered. A sentence counts where a passage has it, marks and spaces aside."""
    return EvidenceRecall(
        pages=_share(letters(page) in gathered.pages for page in needed.pages),
        sentences=_share(any(letters(each) in text for text in gathered.texts) for each in needed.sentences),
        entities=_share(each in gathered.entities for each in needed.entities),
    )


def mean_recall(recalls: Iterable[EvidenceRecall]) -> EvidenceRecall:
    """The mean of each share over the claims that have it."""
    all_of_them = list(recalls)

    def mean(name: str) -> float | None:
        values = [value for each in all_of_them if (value := getattr(each, name)) is not None]
        return float(np.mean(values)) if values else None

    return EvidenceRecall(pages=mean("pages"), sentences=mean("sentences"), entities=mean("entities"))


def _share(found: Iterable[bool]) -> float | None:
    values = list(found)
    return float(np.mean(values)) if values else None


@dataclass(frozen=True)
class CitationSupport:
    """Of ``citations`` of stored evidence, how many the verifier finds to bear out the sentence that cites them."""

    citations: int
    supported: int

    @property
    def share(self) -> float | None:
        """The share of citations that are borne out; ``None`` without citations."""
        return self.supported / self.citations if self.citations else None


def citation_support(results: Iterable[CheckResult], score: Scorer) -> CitationSupport:
    """Ask a verifier of each citation whether its evidence says the sentence. Citations of observations do not count.

    ``score`` is ``Verifier.score``. The verifier that judged the claim judges itself here: a figure is worth more from
    another one.
    """
    texts: list[str] = []
    sentences: list[str] = []
    for result in results:
        stored = {each.id: each.quote or each.text for each in result.evidence}
        for sentence in result.justification:
            for citation in sentence.citations:
                if citation in stored:
                    texts.append(stored[citation])
                    sentences.append(sentence.text)
    if not texts:
        return CitationSupport(0, 0)
    supported = sum(float(row[0]) > SUPPORTS for row in score(texts, sentences))
    return CitationSupport(len(texts), supported)
