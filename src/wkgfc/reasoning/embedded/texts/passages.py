"""Passages graded for a claim, and what graded passages say of it together.

The fine filter of the paper's section 4.3, without an LLM. A passage is read by the verifier only where it is on the
claim's topic, and then as its title and the one to three sentences that share most with the claim. What the verifier
says counts as far as the passage is relevant. The consistency is the probability that the stance is right.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from wkgfc.claim import Claim
from wkgfc.evidence import NEUTRAL, Evidence, Passage, Record, Stance
from wkgfc.reasoning.embedded.lexicon.terms import TermStatistics, load_term_statistics, terms_of
from wkgfc.reasoning.embedded.texts.relevance import Topic, logistic, read_topic, relevance, relevance_features
from wkgfc.reasoning.embedded.texts.value_conflicts import Speaks, holds_within, is_silent, values_speak
from wkgfc.reasoning.injection import looks_like_orders
from wkgfc.reasoning.reasoner import Grade
from wkgfc.reasoning.verifier import Verifier
from wkgfc.sentences import sentence_spans, trimmed_span

WINDOW_SENTENCES = 3  # read at once: what 160 tokens hold, and the best of 1, 2, 3 and all on claims of CREAK and CoDEx
SENTENCE_CHARACTERS = 600  # a "sentence" that is longer is cut: a table, a list, a text without full stops
PASSAGE_CHARACTERS = 20_000  # of a passage that are read
LEAST_PROBABILITY = 0.02  # of a stance, before logarithms: the verifier is never that sure and right

CONSISTENCY_FEATURES = {
    "bias": "1",
    "relevance": "the logarithm of the odds of relevance",
    "decisiveness": "the size of the logarithm of the odds of support against refutation",
    "supports": "1 where it speaks for the claim",
    "coverage": "how much of the claim's content words the title and the sentences that were read have, by rarity",
    "coverage_supports": "the coverage where it speaks for the claim",
    "conflict": "1 where a date or a number of the claim, or of what it denies, is not the one of these sentences",
}
DECISION_FEATURES = {
    "bias": "1",
    "supports": "1 where the passages together speak for the claim",
    "decisiveness": "the size of the logarithm of the odds of support against refutation of all together",
    "consistency": "the logarithm of the odds of the greatest consistency among the passages of the stronger side",
    "agreement": "how far all passages speak for one side, by weight: 0 to 1",
    "texts": "the logarithm of how many different texts speak for the stronger side",
}


class PassageParameters(Record):
    """What is learned here; the file ``parameters.json`` has the values under ``passages``.

    ``relevance``, ``consistency`` and ``decision`` are weights of logistic models over the features named in
    ``RELEVANCE_FEATURES``, ``CONSISTENCY_FEATURES`` and ``DECISION_FEATURES``. The logarithm of the odds of support
    against refutation is ``scale`` times the verifier's plus ``shift``: the verifier leans to refutation.
    ``conflict`` is the logarithm of the odds that a conflict of dates or numbers refutes.
    A passage weighs among others by its relevance to the power of ``sharpness`` and the odds of its consistency to the
    power of ``trust``. Passages under ``least_relevance`` are
    not read by the verifier, and of the others no more than ``max_pairs``.
    """

    relevance: Mapping[str, float]
    consistency: Mapping[str, float]
    decision: Mapping[str, float]
    scale: float
    shift: float
    conflict: float
    sharpness: float
    trust: float
    least_relevance: float
    max_pairs: int


@lru_cache(maxsize=1)
def load_passage_parameters() -> PassageParameters:
    """The parameters that ship with the package."""
    text = files("wkgfc.reasoning.embedded").joinpath("parameters.json").read_text(encoding="utf-8")
    return PassageParameters.model_validate(json.loads(text)["passages"])


@dataclass(frozen=True)
class Reading:
    """A passage before the verifier sees it.

    ``window`` is the stretch that shares most with the claim, ``quote`` the sentence of it that does; both are verbatim
    in the passage, and empty where it has no text. ``coverage`` is that of ``CONSISTENCY_FEATURES``.
    """

    relevance_features: Mapping[str, float]
    window: str
    quote: str
    coverage: float


def read_passage(topic: Topic, passage: Passage, statistics: TermStatistics) -> Reading:
    """What a passage has of a claim's topic, and where."""
    text = passage.text[:PASSAGE_CHARACTERS]
    spans = _sentences(text)
    terms = [frozenset(terms_of(text[start:end])) for start, end in spans]
    features = relevance_features(topic, passage.title, frozenset().union(*terms), statistics)
    if not spans:
        return Reading(features, "", "", 0.0)
    first, last = _window(topic, terms, statistics)
    beyond_title = topic.terms - set(terms_of(passage.title or ""))
    deciding = max(range(first, last + 1), key=lambda number: statistics.weight(beyond_title & terms[number]))
    read = frozenset(terms_of(passage.title or "")).union(*terms[first : last + 1])
    return Reading(
        relevance_features=features,
        window=text[spans[first][0] : spans[last][1]],
        quote=text[spans[deciding][0] : spans[deciding][1]],
        coverage=statistics.coverage(topic.terms, read),
    )


def _window(topic: Topic, terms: Sequence[frozenset[str]], statistics: TermStatistics) -> tuple[int, int]:
    """First and last of the sentences that share most with the claim; of equals the fewest, then the first."""
    if len(terms) <= WINDOW_SENTENCES:
        return 0, len(terms) - 1
    runs = [
        (first, first + length - 1)
        for length in range(1, WINDOW_SENTENCES + 1)
        for first in range(len(terms) - length + 1)
    ]
    return max(
        runs, key=lambda run: round(statistics.weight(topic.terms & frozenset().union(*terms[run[0] : run[1] + 1])), 6)
    )


def _sentences(text: str) -> list[tuple[int, int]]:
    return [piece for span in sentence_spans(text) for piece in _cut(text, *span)]


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A sentence as it is, or in pieces of at most ``SENTENCE_CHARACTERS``, cut at white space where there is some."""
    pieces = []
    while end - start > SENTENCE_CHARACTERS:
        limit = start + SENTENCE_CHARACTERS
        space = text.rfind(" ", start + 1, limit)
        stop = space if space > start else limit
        pieces.append(trimmed_span(text, start, stop))
        start = stop
    pieces.append(trimmed_span(text, start, end))
    return [piece for piece in pieces if piece is not None]


def evidence_text(title: str | None, text: str) -> str:
    """A text with its title, as the verifier was trained to read it."""
    return f"{title}: {text}" if title else text


def grade_passages(
    claim: Claim,
    passages: Sequence[Passage],
    mentions: Sequence[str],
    verifier: Verifier,
    parameters: PassageParameters | None = None,
) -> tuple[Grade, ...]:
    """One grade a passage, in order. ``mentions`` are the names of the claim's topic entities, as the claim has them.

    The stance is the verifier's, its "leans" corrected, times the relevance; the quote is the sentence of the passage,
    verbatim, that shares most with what the claim says of its topic. A passage that the verifier did not read is
    neutral, with a consistency of 0: one that is off the topic, or that names no value where the claim turns on one.
    """
    learned = parameters or load_passage_parameters()
    statistics = load_term_statistics()
    topic = read_topic(claim.text, mentions, statistics)
    readings = [read_passage(topic, passage, statistics) for passage in passages]
    relevances = [relevance(reading.relevance_features, learned.relevance) for reading in readings]
    on_topic = [
        number
        for number in sorted(range(len(passages)), key=lambda number: -relevances[number])
        if relevances[number] >= learned.least_relevance
        and readings[number].window
        and not is_silent(claim.text, passages[number].title, readings[number].window)
    ][: learned.max_pairs]
    texts = [evidence_text(passages[number].title, readings[number].window) for number in on_topic]
    scores = dict(zip(on_topic, verifier.score(texts, [claim.text] * len(texts)).tolist(), strict=True))
    return tuple(
        _grade(claim, passage, readings[number], relevances[number], scores.get(number), learned)
        for number, passage in enumerate(passages)
    )


def _grade(
    claim: Claim,
    passage: Passage,
    reading: Reading,
    relevant: float,
    scores: Sequence[float] | None,
    learned: PassageParameters,
) -> Grade:
    suspicious = looks_like_orders(passage.text[:PASSAGE_CHARACTERS])
    if scores is None:
        return Grade(relevance=relevant, stance=NEUTRAL, consistency=0.0, quote=reading.quote, suspicious=suspicious)
    scores = as_heard(claim, passage.title, reading.window, scores)
    values = values_speak(claim, passage.title, reading.window, load_term_statistics())
    said = stance_of(scores, learned, values)
    features = consistency_features(relevant, said, reading.coverage, values)
    consistent = logistic(weighed_sum(features, learned.consistency))
    return Grade(
        relevance=relevant,
        stance=_weighed(said, relevant),
        consistency=consistent,
        quote=reading.quote,
        suspicious=suspicious,
    )


def as_heard(claim: Claim, title: str | None, window: str, scores: Sequence[float]) -> Sequence[float]:
    """The verifier's three probabilities; "neither" where it refutes what nothing in the ``window`` contradicts."""
    return (0.0, 0.0, 1.0) if scores[1] > scores[0] and holds_within(claim, title, window) else scores


def stance_of(scores: Sequence[float], learned: PassageParameters, values: Speaks = 0) -> Stance:
    """The stance of a passage that is on the topic, from the verifier's three probabilities.

    Where its dates or numbers speak against the claim (``values`` under 0) or for it while the rest agrees, that
    counts, whatever the verifier says.
    """
    supports, refutes, neither = scores
    odds = learned.scale * math.log((supports + LEAST_PROBABILITY) / (refutes + LEAST_PROBABILITY)) + learned.shift
    odds = {-1: min(odds, -learned.conflict), 0: odds, 1: max(odds, learned.conflict)}[values]
    share = logistic(odds)
    return Stance(supports=share * (1 - neither), refutes=(1 - share) * (1 - neither), neither=neither)


def _weighed(stance: Stance, relevant: float) -> Stance:
    supports, refutes = stance.supports * relevant, stance.refutes * relevant
    return Stance(supports=supports, refutes=refutes, neither=max(0.0, 1.0 - supports - refutes))


def consistency_features(relevant: float, said: Stance, coverage: float, values: Speaks) -> dict[str, float]:
    """The features by the names of ``CONSISTENCY_FEATURES``; ``said`` is the stance before relevance weighs it."""
    odds = log_odds(said)
    return {
        "bias": 1.0,
        "relevance": math.log(relevant / (1.0 - relevant)),
        "decisiveness": abs(odds),
        "supports": float(odds > 0),
        "coverage": coverage,
        "coverage_supports": coverage * (odds > 0),
        "conflict": float(values != 0),
    }


def log_odds(stance: Stance) -> float:
    """The logarithm of the odds of support against refutation; relevance makes no difference to it."""
    least = 1e-6
    return math.log((stance.supports + least) / (stance.refutes + least))


def combine_passages(graded: Sequence[Evidence], parameters: PassageParameters | None = None) -> Stance:
    """What graded passages say together: calibrated probabilities of support, refutation and neither.

    Support against refutation is the mean over the passages, each with its weight: it does not grow with a text that
    is found again and again. Whether it decides the claim is a logistic model over ``DECISION_FEATURES``, which counts
    the different texts behind it. Without a passage that the verifier read, the answer is neither.
    """
    learned = parameters or load_passage_parameters()
    voices = [
        Voice(
            weight=weight_of(piece.relevance, piece.consistency or 0.0, learned),
            odds=log_odds(piece.stance),
            consistency=piece.consistency or 0.0,
            text=piece.text_id,
            relevance=piece.relevance,
        )
        for piece in graded
        if piece.stance is not None and piece.stance.neither < 1.0 and piece.relevance
    ]
    if not voices:
        return NEUTRAL
    decided = logistic(weighed_sum(decision_features(voices), learned.decision)) * relevance_of_side(voices)
    supports = logistic(together(voices))
    return Stance(supports=decided * supports, refutes=decided * (1.0 - supports), neither=1.0 - decided)


@dataclass(frozen=True)
class Voice:
    """What one passage weighs, says (the logarithm of the odds of support) and is worth, and the text it is from.

    ``relevance`` is the probability that it is about what the claim is about.
    """

    weight: float
    odds: float
    consistency: float
    text: str
    relevance: float = 1.0


def weight_of(relevant: float, consistent: float, learned: PassageParameters) -> float:
    """What a passage weighs among others, over zero."""
    worth = min(max(consistent, 0.001), 0.999)
    return math.exp(learned.sharpness * math.log(relevant) + learned.trust * math.log(worth / (1.0 - worth)))


def together(voices: Sequence[Voice]) -> float:
    """The logarithm of the odds of support against refutation of all voices: their weighed mean."""
    return _mean([voice.weight for voice in voices], [voice.odds for voice in voices])


def relevance_of_side(voices: Sequence[Voice]) -> float:
    """How far the most relevant of the passages on the stronger side is about the claim."""
    odds = together(voices)
    return max((voice.relevance for voice in voices if (voice.odds > 0) == (odds > 0)), default=0.0)


def decision_features(voices: Sequence[Voice]) -> dict[str, float]:
    """The features by the names of ``DECISION_FEATURES``."""
    odds = together(voices)
    siding = [voice for voice in voices if (voice.odds > 0) == (odds > 0)]
    best = min(max((voice.consistency for voice in siding), default=0.0), 0.999)
    best = max(best, 0.001)
    return {
        "bias": 1.0,
        "supports": float(odds > 0),
        "decisiveness": abs(odds),
        "consistency": math.log(best / (1.0 - best)),
        "agreement": abs(
            _mean([voice.weight for voice in voices], [math.copysign(1.0, voice.odds) for voice in voices])
        ),
        "texts": math.log(max(len({voice.text for voice in siding}), 1)),
    }


def _mean(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)


def weighed_sum(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The sum of features by their weights."""
    return sum(weights[name] * value for name, value in features.items())
