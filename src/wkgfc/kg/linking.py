"""From the claim's words to entities of the knowledge graph: the topic entities that retrieval starts from.

A mention is linked by a choice between its candidates and "none of them". What a candidate has for it is a sum of
features (``Features``) with the weights of ``Weights``: how the mention meets its name, how much the graph says about
it, and how well its description, its type and its neighbours fit the rest of the claim. The sums go through a softmax
in which "none" takes part, so that a score is a share of 1 and an abstention is possible.
"""

import asyncio
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from wkgfc.claim import Claim
from wkgfc.evidence import Entity, Record
from wkgfc.kg.graph import Candidate, KnowledgeGraph, NameTable, Neighbour, Neighbourhood
from wkgfc.kg.mentions import Role, Span, outermost, propose
from wkgfc.kg.names import MATCH_ALIAS_FOLDED, fold, unbracketed
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

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
INSTANCE_OF = "P31"
HUMAN = "human"


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


class Features(NamedTuple):
    """What speaks for a candidate, each from 0 to 1 where nothing else is said.

    A candidate is met by its whole name, or by a part of one (``MATCH_TAIL`` and below).
    """

    label: float  # 1: the label is met (or a part of it), not an alias
    exact: float  # 1: a whole name is met to the letter, but for an article before it; 0.5: but for capitals
    dominance: float  # whole: its share of the links of all whole ones
    links: float  # whole: logarithm of its links, 1 at about 22,000
    part: float  # 1: only a part of its name is met, and nothing bears the whole name
    part_dominance: float  # such a part: its share of the links of all
    rival: float  # 1: a part of its name is met, while something bears the whole name
    belongs: float  # 1: its description says that it belongs to what is called so: "county in Maine"
    description: float  # words of its description that the claim has and other candidates' have not
    type: float  # 1: a word of its type stands in the claim
    stated: float  # 1: the claim says that it is a thing of its type, or of its description
    deed: float  # 1: a verb of the claim says what it is, and it is one; -1: it is something else
    neighbours: float  # entities that it has a fact with and that the claim names in words
    coherence: float  # facts with the candidates of other mentions
    person: float  # 1: recognised as a person and one; -1: only one of the two


@dataclass(frozen=True)
class Weights:
    """The weights of the features, and what "none of them" has for it.

    Learned by training/linking.py on half of FEVER's claims with ``meta.items`` and 2,000 sentences of T-REx, over the
    Wikidata subset. Only ``deed`` is set by hand: too few of those claims have rivals that it tells apart.
    """

    label: float = 1.8
    exact: float = 1.0
    dominance: float = 3.3
    links: float = 0.9
    part: float = -1.3
    part_dominance: float = 2.4
    rival: float = 0.1
    belongs: float = -0.1
    description: float = 0.4
    type: float = 0.9
    stated: float = 0.4
    deed: float = 1.5
    neighbours: float = 1.7
    coherence: float = 2.9
    person: float = 0.5
    none: float = 3.6

    def utility(self, features: Features) -> float:
        """The weighted sum of the features."""
        return math.fsum(getattr(self, name) * value for name, value in features._asdict().items())


WEIGHTS = Weights()


@dataclass(frozen=True)
class LookUp:
    """A span with the candidates that the graph gave for it."""

    span: Span
    candidates: tuple[Candidate, ...]


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
        shares = _shares([weights.utility(each) for each in features], weights.none)
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
    remaining = propose(parse(claim.text), graph.known if isinstance(graph, NameTable) else None)
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
            if not candidate.is_page and (known is None or candidate.match > known.match):
                found[candidate.entity.id] = candidate
    return tuple(sorted(found.values(), key=lambda candidate: (-candidate.match, -candidate.links))[:SEARCHED])


def _links(span: Span, candidates: Sequence[Candidate], weights: Weights) -> bool:
    """Whether any candidate may turn out likelier than none, once the rest of the claim is looked at."""
    return any(weights.utility(prior) > weights.none - LIFT for prior in _priors(span, candidates))


def _priors(span: Span, candidates: Sequence[Candidate]) -> list[Features]:
    """The features that need no more than the look-up."""
    links = Counter[bool]()
    for candidate in candidates:
        links[_is_whole(candidate)] += candidate.links + 1
    mention = _terms(span.text)
    features: list[Features] = []
    for candidate in candidates:
        is_whole = _is_whole(candidate)
        dominance = (candidate.links + 1) / links[is_whole]
        features.append(
            _NOTHING._replace(
                label=float(_meets_label(candidate)),
                exact=_exactness(span, candidate.matched) if is_whole else 0.0,
                dominance=dominance if is_whole else 0.0,
                links=math.log1p(candidate.links) / 10 if is_whole else 0.0,
                part=float(True not in links),
                part_dominance=dominance if True not in links else 0.0,
                rival=float(not is_whole and True in links),
                belongs=float(_belongs(candidate.entity, mention)),
            )
        )
    return features


_NOTHING = Features(*(0.0 for _ in Features._fields))


def _exactness(span: Span, name: str) -> float:
    spellings = {span.text, _ARTICLE.sub("", span.text)}
    if span.has_article:
        name = _ARTICLE.sub("", name)
    if name in spellings:
        return 1.0
    is_same = name.casefold() in {spelling.casefold() for spelling in spellings}
    return 0.0 if not is_same else 0.5 if span.is_cased else 1.0


def _is_whole(candidate: Candidate) -> bool:
    return candidate.match >= MATCH_ALIAS_FOLDED


def _meets_label(candidate: Candidate) -> bool:
    return fold(candidate.matched) in {fold(candidate.entity.label), fold(unbracketed(candidate.entity.label))}


def _belongs(entity: Entity, mention: frozenset[str]) -> bool:
    return mention <= _terms(entity.description or "") and not mention <= _terms(entity.label)


def _shares(utilities: Sequence[float], none: float) -> list[float]:
    """Softmax of the utilities and of "none of them", which is left out of the answer."""
    highest = max([none, *utilities])
    weights = [math.exp(utility - highest) for utility in utilities]
    total = sum(weights) + math.exp(none - highest)
    return [weight / total for weight in weights]


def _prior_shares(looked: LookUp, weights: Weights) -> list[float]:
    return _shares([weights.utility(prior) for prior in _priors(looked.span, looked.candidates)], weights.none)


def worth_asking(met: Sequence[LookUp], weights: Weights = WEIGHTS) -> list[str]:
    """The candidates whose surroundings can change a choice, and those clear already that they may be near to.

    Hubs are left out: who is next to a hub says so itself.
    """
    ids: list[str] = []
    is_unclear = False
    for looked in met:
        shares = _prior_shares(looked, weights)
        total = sum(shares)
        ranked = sorted(zip(shares, looked.candidates, strict=True), key=lambda pair: -pair[0])
        is_unclear |= bool(ranked) and ranked[0][0] < IS_CLEAR * total
        ids += [
            candidate.entity.id
            for share, candidate in ranked[:MAX_ASKED]
            if share > 0.01 * total and candidate.links <= HUB
        ]
    return list(dict.fromkeys(ids))[:MAX_CONTEXT] if is_unclear else []


def features_of(
    claim: Claim, met: Sequence[LookUp], surroundings: Sequence[Neighbour], weights: Weights = WEIGHTS
) -> list[list[Features]]:
    """The features of every candidate of every mention, in order."""
    near: dict[str, list[Neighbour]] = {}
    for neighbour in surroundings:
        near.setdefault(neighbour.entity_id, []).append(neighbour)
    priors = [_prior_shares(looked, weights) for looked in met]
    return [_features(claim, looked, near, *_beliefs(met, priors, near, index)) for index, looked in enumerate(met)]


def _beliefs(
    met: Sequence[LookUp], priors: Sequence[Sequence[float]], near: Mapping[str, Sequence[Neighbour]], but: int
) -> tuple[dict[str, float], dict[str, float]]:
    """How likely each entity is named by a mention other than ``but``, and how likely each is next to such a one."""
    named: dict[str, float] = {}
    beside: dict[str, float] = {}
    for index, (looked, shares) in enumerate(zip(met, priors, strict=True)):
        if index == but:
            continue
        for candidate, share in zip(looked.candidates, shares, strict=True):
            entity_id = candidate.entity.id
            named[entity_id] = max(named.get(entity_id, 0.0), share)
            for neighbour in near.get(entity_id, ()):
                beside[neighbour.other.id] = max(beside.get(neighbour.other.id, 0.0), share)
    return named, beside


def _features(
    claim: Claim,
    looked: LookUp,
    near: Mapping[str, Sequence[Neighbour]],
    named: Mapping[str, float],
    beside: Mapping[str, float],
) -> list[Features]:
    span = looked.span
    rest = _terms(claim.text[: span.start] + " " + claim.text[span.end :])
    stated = frozenset(word for text in span.stated for word in _terms(text))
    doers = frozenset(_stem(word) for word in span.doers)
    rarity = _rarity([_terms(candidate.entity.description or "") & rest for candidate in looked.candidates])
    row: list[Features] = []
    for candidate, prior in zip(looked.candidates, _priors(span, looked.candidates), strict=True):
        facts = near.get(candidate.entity.id, ())
        types = {fact.other.label for fact in facts if fact.relation_id == INSTANCE_OF}
        others = {fact.other.label for fact in facts if fact.relation_id != INSTANCE_OF}
        type_words = {_stem(words[-1]) for label in types if (words := fold(label.partition(" of ")[0]).split())}
        description = _terms(candidate.entity.description or "")
        shared = sum(rarity[word] for word in description & rest)
        named_near = sum(1 for label in others if (terms := _terms(label)) and terms <= rest)
        person = 0.0
        if types and span.label is not None and (span.label == "PERSON" or HUMAN in types):
            person = 1.0 if span.label == "PERSON" and HUMAN in types else -1.0
        row.append(
            prior._replace(
                description=shared / (1 + shared),
                type=float(bool(type_words & rest)),
                stated=float(bool(stated & (type_words | description))),
                deed=0.0 if not doers or not types else 1.0 if doers & type_words else -1.0,
                neighbours=named_near / (1 + named_near),
                coherence=max(
                    beside.get(candidate.entity.id, 0.0), *(named.get(fact.other.id, 0.0) for fact in facts), 0.0
                ),
                person=person,
            )
        )
    return row


def _rarity(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """How few of the texts have each word: 1 for a word of one, 0 for a word of all."""
    counts = Counter(word for text in texts for word in text)
    return {word: math.log((len(texts) + 1) / count) / math.log(len(texts) + 1) for word, count in counts.items()}


_SAME = {"movie": "film", "tv": "television", "series": "show", "actress": "actor", "single": "song"}
_STOP_WORDS = frozenset(
    {"a", "an", "the", "of", "in", "on", "at", "by", "for", "to", "and", "or", "is", "are", "was", "were", "be", "been"}
    | {"from", "with", "as", "that", "which", "it", "its", "his", "her", "he", "she", "they", "their", "has", "have"}
    | {"had", "not", "who"}
)


def _stem(word: str) -> str:
    word = _SAME.get(word, word)
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=32_768)
def _terms(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in fold(text).split() if word not in _STOP_WORDS)


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
