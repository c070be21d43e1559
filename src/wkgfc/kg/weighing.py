"""What speaks for a candidate of a mention, and what that makes of it beside the others.

A mention is linked by a choice between its candidates and "none of them". What a candidate has for it is a sum of
features with learned weights: how the mention meets its name, how much the graph says about it, and how well its
description, its type and its neighbours fit the rest of the claim. The sums go through a softmax in which "none" takes
part.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from wkgfc.claim import Claim
from wkgfc.evidence import Entity
from wkgfc.kg.graph import Candidate, Neighbour
from wkgfc.kg.mentions import Span
from wkgfc.kg.names import MATCH_ALIAS_FOLDED, fold, unbracketed

SMOOTHING = 3  # links added to every candidate's, as few say little about which is better known
INSTANCE_OF = "P31"
HUMAN = "human"

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
# Words that types and descriptions of Wikidata use, for those that claims use.
_SAME = {"movie": "film", "tv": "television", "series": "show", "actress": "actor", "single": "song"}
_STOP_WORDS = frozenset(
    {"a", "an", "the", "of", "in", "on", "at", "by", "for", "to", "and", "or", "is", "are", "was", "were", "be", "been"}
    | {"from", "with", "as", "that", "which", "it", "its", "his", "her", "he", "she", "they", "their", "has", "have"}
    | {"had", "not", "who"}
)


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


_NOTHING = Features(*(0.0 for _ in Features._fields))


@dataclass(frozen=True)
class Weights:
    """The weights of the features, and what "none of them" has for it.

    Learned by training/linking.py on half of FEVER's claims with ``meta.items`` and 2,000 sentences of T-REx, over the
    Wikidata subset. Only ``deed`` is set by hand: too few of those claims have rivals that it tells apart.
    """

    label: float = 1.8
    exact: float = 1.0
    dominance: float = 3.4
    links: float = 0.8
    part: float = -1.2
    part_dominance: float = 2.5
    rival: float = 0.2
    belongs: float = -0.2
    description: float = 0.4
    type: float = 1.0
    stated: float = 0.3
    deed: float = 1.5
    neighbours: float = 1.8
    coherence: float = 3.0
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


def priors_of(span: Span, candidates: Sequence[Candidate]) -> list[Features]:
    """The features that need no more than the look-up."""
    links = Counter[bool]()
    for candidate in candidates:
        links[is_whole(candidate)] += candidate.links + SMOOTHING
    mention = _terms(span.text)
    features: list[Features] = []
    for candidate in candidates:
        whole = is_whole(candidate)
        dominance = (candidate.links + SMOOTHING) / links[whole]
        features.append(
            _NOTHING._replace(
                label=float(_meets_label(candidate)),
                exact=_exactness(span, candidate.matched) if whole else 0.0,
                dominance=dominance if whole else 0.0,
                links=math.log1p(candidate.links) / 10 if whole else 0.0,
                part=float(True not in links),
                part_dominance=dominance if True not in links else 0.0,
                rival=float(not whole and True in links),
                belongs=float(_belongs(candidate.entity, mention)),
            )
        )
    return features


def _exactness(span: Span, name: str) -> float:
    spellings = {span.text, _ARTICLE.sub("", span.text)}
    if span.has_article:
        name = _ARTICLE.sub("", name)
    if name in spellings:
        return 1.0
    is_same = name.casefold() in {spelling.casefold() for spelling in spellings}
    return 0.0 if not is_same else 0.5 if span.is_cased else 1.0


def is_whole(candidate: Candidate) -> bool:
    """Whether the mention met a whole name of it."""
    return candidate.match >= MATCH_ALIAS_FOLDED


def _meets_label(candidate: Candidate) -> bool:
    return fold(candidate.matched) in {fold(candidate.entity.label), fold(unbracketed(candidate.entity.label))}


def _belongs(entity: Entity, mention: frozenset[str]) -> bool:
    return mention <= _terms(entity.description or "") and not mention <= _terms(entity.label)


def shares_of(utilities: Sequence[float], none: float) -> list[float]:
    """Softmax of the utilities and of "none of them", which is left out of the answer."""
    highest = max([none, *utilities])
    weights = [math.exp(utility - highest) for utility in utilities]
    total = sum(weights) + math.exp(none - highest)
    return [weight / total for weight in weights]


def prior_shares(looked: LookUp, weights: Weights) -> list[float]:
    """The shares of a mention's candidates before the rest of the claim is looked at."""
    return shares_of([weights.utility(prior) for prior in priors_of(looked.span, looked.candidates)], weights.none)


def features_of(
    claim: Claim, met: Sequence[LookUp], surroundings: Sequence[Neighbour], weights: Weights = WEIGHTS
) -> list[list[Features]]:
    """The features of every candidate of every mention, in order."""
    near: dict[str, list[Neighbour]] = {}
    for neighbour in surroundings:
        near.setdefault(neighbour.entity_id, []).append(neighbour)
    priors = [prior_shares(looked, weights) for looked in met]
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
    for candidate, prior in zip(looked.candidates, priors_of(span, looked.candidates), strict=True):
        facts = near.get(candidate.entity.id, ())
        types = {fact.other.label.casefold() for fact in facts if fact.relation_id == INSTANCE_OF}
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
                    beside.get(candidate.entity.id, 0.0),
                    prior.part * named.get(candidate.entity.id, 0.0),  # "Keller" beside "Helen Keller"
                    *(named.get(fact.other.id, 0.0) for fact in facts),
                ),
                person=person,
            )
        )
    return row


def _rarity(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """How few of the texts have each word: 1 for a word of one, 0 for a word of all."""
    counts = Counter(word for text in texts for word in text)
    return {word: math.log((len(texts) + 1) / count) / math.log(len(texts) + 1) for word, count in counts.items()}


def _stem(word: str) -> str:
    word = _SAME.get(word, word)
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=32_768)
def _terms(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in fold(text).split() if word not in _STOP_WORDS)
