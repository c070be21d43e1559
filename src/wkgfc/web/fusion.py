"""Web-to-KG integration: kept passages become triples and annotations of the evidence graph (paper, section 4.3).

Facts of the knowledge graph are anchors, web facts are hypotheses. A triple that the graph has gains the passage as
corroboration; one that is new is stored beside it, weighed by the passage's consistency; text that explains an entity
is hung on its node.
"""

from collections.abc import Iterator, Sequence

from wkgfc.evidence import Annotation
from wkgfc.reasoning.reasoner import Reasoner
from wkgfc.state import BeliefState
from wkgfc.web.filtering import GradedPassage


async def fuse(reasoner: Reasoner, state: BeliefState, graded: Sequence[GradedPassage]) -> tuple[str, ...]:
    """Add the kept passages to the evidence graph, then what they say as triples and annotations.

    Returns the ids of the evidence that is new; corroborated evidence keeps its own.
    """
    known = {evidence.id for evidence in state.evidence}
    read: list[tuple[GradedPassage, str]] = []
    for item in graded:
        for flag in _flags(item):
            if flag not in state.flags:
                state.flags.append(flag)
        if not item.kept:
            continue
        grade = item.grade
        page = state.evidence.add_passage(
            item.passage,
            relevance=grade.relevance,
            stance=grade.stance,
            consistency=grade.consistency,
            quote=grade.quote,
        )
        if page.id not in known and all(page.id != other for _, other in read):
            read.append((item, page.id))
    for item, passage_id in read:  # only now: where a limit ends the extraction, what was graded stays
        extraction = await reasoner.extract(state, item.passage, item.grade)
        for triple in extraction.triples:
            state.evidence.add_web_triple(triple, passage_id=passage_id, consistency=item.grade.consistency)
        for entity, text in extraction.annotations:
            state.evidence.annotate(Annotation(entity=entity, passage_id=passage_id, text=text))
    return tuple(evidence.id for evidence in state.evidence if evidence.id not in known)


def _flags(item: GradedPassage) -> Iterator[str]:
    """What a reader should know of a passage that was not let in."""
    if item.grade.suspicious:
        yield "injection"
    if item.held_back in ("published after the claim", "site kept out"):
        yield "held_back"
