"""From the claim's words to entities of the knowledge graph: the topic entities that retrieval starts from.

Spans of the claim are looked up, the longest first; ``kg.weighing`` weighs what each may mean against the others and
against "none of them", so that a score is a share of 1 and an abstention is possible.
"""

import asyncio
from collections.abc import Mapping, Sequence

from wkgfc.claim import Claim
from wkgfc.evidence import Entity, Record
from wkgfc.kg.foreign_mentions import propose_by_shape
from wkgfc.kg.graph import Candidate, KnowledgeGraph, NameTable, Neighbour, Neighbourhood
from wkgfc.kg.mentions import Role, Span, outermost, propose
from wkgfc.kg.names import fold
from wkgfc.kg.weighing import WEIGHTS, LookUp, Weights, features_of, is_whole, prior_shares, priors_of, shares_of
from wkgfc.language import parse
from wkgfc.state import Failed, Found

MAX_CANDIDATES = 4  # entities kept for a mention
MAX_MENTIONS = 8
MAX_SEARCHES = 24  # look-ups of names for a claim
SEARCHED = 30  # candidates asked for
MAX_CONTEXT = 32  # candidates whose neighbours are asked for
MAX_ASKED = 8  # of them for one mention
HUB = 1_000  # links above which an entity's neighbours are not asked for
LIFT = 3.0  # what the rest of a claim can do for a candidate at most, about
LEAST = 0.1  # a candidate is kept only with at least this share
CLOSE = 0.2  # a candidate is kept while its score is at least this share of the best one's
IS_CLEAR = 0.95  # a share above which the neighbours of a mention's candidates are not asked for

# How often the gold page's item is what a mention names, by the mention's role: in the half of FEVER's claims that the
# weights were learned on, raised a little for what is rarely asked about there (a KG is also asked about objects).
SALIENCE_OF_FIRST_NAME: Mapping[Role, float] = {"subject": 0.95, "object": 0.65, "other": 0.65}
SALIENCE: Mapping[Role, float] = {"subject": 0.35, "object": 0.25, "other": 0.2}
SALIENCE_OF_NOUN: Mapping[Role, float] = {"subject": 0.2, "object": 0.1, "other": 0.1}


class LinkedEntity(Record):
    """A candidate kept for a mention. ``score`` in [0, 1] is its share against the others and against "none"."""

    entity: Entity
    score: float


class Mention(Record):
    """A linked mention: ``claim.text[start:end] == text``.

    ``candidates`` are sorted by score and never empty. ``salience`` in [0, 1] says how far the claim is about it.
    """

    text: str
    start: int
    end: int
    role: Role
    salience: float
    candidates: tuple[LinkedEntity, ...]


class Unlinked(Record):
    """A mention that nothing in the graph fits, with the reason."""

    text: str
    start: int
    end: int
    reason: str


class LinkedClaim(Record):
    """What a claim's words name. ``mentions`` are sorted by salience: what the claim is about comes first.

    ``failures`` are the reasons of look-ups that did not work while others did.
    """

    mentions: tuple[Mention, ...] = ()
    unlinked: tuple[Unlinked, ...] = ()
    failures: tuple[str, ...] = ()

    @property
    def abstention(self) -> str | None:
        """Why nothing was linked, or ``None`` where something was."""
        if self.mentions:
            return None
        if self.unlinked:
            return "nothing in the knowledge graph is named " + " or ".join(f"“{u.text}”" for u in self.unlinked[:4])
        return "the claim names nothing that could be looked up"

    @property
    def ranked(self) -> tuple[LinkedEntity, ...]:
        """All candidates of all mentions, each entity once, by salience times score."""
        best: dict[str, LinkedEntity] = {}
        for mention in self.mentions:
            for candidate in mention.candidates:
                score = mention.salience * candidate.score
                if candidate.entity.id not in best or score > best[candidate.entity.id].score:
                    best[candidate.entity.id] = LinkedEntity(entity=candidate.entity, score=score)
        return tuple(sorted(best.values(), key=lambda linked: -linked.score))

    @property
    def topic_entities(self) -> dict[str, tuple[tuple[Entity, float], ...]]:
        """The form that ``BeliefState.topic_entities`` has."""
        topics: dict[str, tuple[tuple[Entity, float], ...]] = {}
        for mention in self.mentions:
            topics.setdefault(mention.text, tuple((c.entity, c.score) for c in mention.candidates))
        return topics


async def link(
    claim: Claim, graph: KnowledgeGraph, *, weights: Weights = WEIGHTS, max_candidates: int = MAX_CANDIDATES
) -> LinkedClaim | Failed:
    """The mentions of a claim with the entities that each may mean.

    Mentions do not overlap: a longer one that links is preferred to those inside it. Where no look-up worked, the
    outcome is ``Failed``: a failure is never an empty linking.
    """
    met, unlinked, failures = await look_up(claim, graph, weights)
    if failures and not met:
        return Failed(failures[0])
    surroundings: Sequence[Neighbour] = ()
    if isinstance(graph, Neighbourhood) and (ids := worth_asking(met, weights)):
        answer = await graph.neighbours(ids)
        if isinstance(answer, Failed):
            failures = (*failures, answer.reason)
        elif isinstance(answer, Found):
            surroundings = answer.items
    mentions: list[Mention] = []
    first_name = next((looked.span for looked in met if looked.span.kind != "noun"), None)
    for looked, features in zip(met, features_of(claim, met, surroundings, weights), strict=True):
        shares = shares_of([weights.utility(each) for each in features], weights.none)
        order = sorted(zip(looked.candidates, shares, strict=True), key=lambda pair: -pair[1])
        kept = tuple(
            LinkedEntity(entity=candidate.entity, score=share)
            for candidate, share in order[:max_candidates]
            if share >= max(CLOSE * order[0][1], LEAST)
        )
        if kept:
            mentions.append(_mention(looked.span, kept, looked.span is first_name))
        else:
            unlinked = (*unlinked, _unlinked(looked.span, "what bears the name does not fit the claim"))
    return LinkedClaim(mentions=_by_salience(mentions)[:MAX_MENTIONS], unlinked=unlinked, failures=failures)


async def look_up(
    claim: Claim, graph: KnowledgeGraph, weights: Weights = WEIGHTS
) -> tuple[tuple[LookUp, ...], tuple[Unlinked, ...], tuple[str, ...]]:
    """The spans of the claim that meet names, in the order of the text; those that meet none; reasons of failures.

    Spans that no other covers are looked up first, then those inside the ones that met nothing.
    """
    known = graph.known if isinstance(graph, NameTable) else None
    is_english = claim.language.lower().startswith("en")
    remaining = propose(parse(claim.text), known) if is_english else propose_by_shape(claim.text, known)
    met: list[LookUp] = []
    missed: list[Span] = []
    failures: list[str] = []
    searches = 0
    while remaining and searches < MAX_SEARCHES:
        batch = outermost(remaining)[: MAX_SEARCHES - searches]
        searches += len(batch)
        for span, answer in zip(batch, await asyncio.gather(*(_search(span, graph) for span in batch)), strict=True):
            if isinstance(answer, Failed):
                failures.append(answer.reason)
            elif _links(span, answer, weights):
                met.append(LookUp(span, answer))
            else:
                missed.append(span)
        done = {(span.start, span.end) for span in batch}
        remaining = tuple(
            span
            for span in remaining
            if (span.start, span.end) not in done and not any(span.overlaps(looked.span) for looked in met)
        )
    met.sort(key=lambda looked: looked.span.start)
    unlinked = tuple(
        _unlinked(span, "nothing is named so")
        for span in outermost(missed)
        if not any(span.overlaps(looked.span) for looked in met)
    )
    return tuple(met), unlinked, tuple(dict.fromkeys(failures))


async def _search(span: Span, graph: KnowledgeGraph) -> tuple[Candidate, ...] | Failed:
    found: dict[str, Candidate] = {}
    for form in span.forms:
        answer = await graph.candidates(form, SEARCHED)
        if isinstance(answer, Failed):
            return answer
        for candidate in answer.items if isinstance(answer, Found) else ():
            known = found.get(candidate.entity.id)
            if candidate.is_page:
                continue
            if span.is_cased and not is_whole(candidate) and not _is_written_alike(form, candidate.matched):
                continue
            if known is None or candidate.match > known.match:
                found[candidate.entity.id] = candidate
    return tuple(sorted(found.values(), key=lambda candidate: (-candidate.match, -candidate.links))[:SEARCHED])


def _is_written_alike(form: str, name: str) -> bool:
    """Whether what is capitalised in a mention is so in a longer name too: "Severe" is no "severe storm"."""
    capitalised = {fold(word) for word in form.split() if word[:1].isupper()}
    return all(word[:1].isupper() for word in name.split() if word[:1].isalpha() and fold(word) in capitalised)


def _links(span: Span, candidates: Sequence[Candidate], weights: Weights) -> bool:
    """Whether any candidate may turn out likelier than none, once the rest of the claim is looked at."""
    return any(weights.utility(prior) > weights.none - LIFT for prior in priors_of(span, candidates))


def worth_asking(met: Sequence[LookUp], weights: Weights = WEIGHTS) -> list[str]:
    """The candidates whose surroundings can change a choice, and those clear already that they may be near to.

    Hubs are left out: who is next to a hub says so itself.
    """
    ids: list[str] = []
    is_unclear = False
    for looked in met:
        shares = prior_shares(looked, weights)
        total = sum(shares)
        ranked = sorted(zip(shares, looked.candidates, strict=True), key=lambda pair: -pair[0])
        is_unclear |= bool(ranked) and ranked[0][0] < IS_CLEAR * total
        ids += [
            candidate.entity.id
            for share, candidate in ranked[:MAX_ASKED]
            if share > 0.01 * total and candidate.links <= HUB
        ]
    return list(dict.fromkeys(ids))[:MAX_CONTEXT] if is_unclear else []


def _mention(span: Span, candidates: tuple[LinkedEntity, ...], is_first_name: bool) -> Mention:
    return Mention(
        text=span.text,
        start=span.start,
        end=span.end,
        role=span.role,
        salience=(SALIENCE_OF_FIRST_NAME if is_first_name else SALIENCE_OF_NOUN if span.kind == "noun" else SALIENCE)[
            span.role
        ],
        candidates=candidates,
    )


def _by_salience(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    return tuple(sorted(mentions, key=lambda mention: (-mention.salience, mention.start)))


def _unlinked(span: Span, reason: str) -> Unlinked:
    return Unlinked(text=span.text, start=span.start, end=span.end, reason=reason)
