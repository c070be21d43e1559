"""Pairs from the data sets that are fit for shipped weights (the data README marks them)."""

import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from training.verifier.pair import NEITHER, Pair, Target, target_of
from wkgfc.datasets import LabelledClaim, read_claims
from wkgfc.state import Found
from wkgfc.web.corpus import Corpus

RETRIEVED_NEITHER: Target = (0.04, 0.04, 0.92)  # a passage of another page may still say something
UNTITLED_SHARE = 0.25  # of the titled evidence loses its title, so that a title tells nothing of the class
SEARCHED = 8  # passages of a search, as the embedded reasoner takes
MAX_JOINED = 3  # sentences beside the gold one

_WIKI_LINK = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]")
_LEADING_TITLE = re.compile(r"^([^.:]{2,60})\. (?=\S)")


def plain(rows: tuple[LabelledClaim, ...], source: str, *, only: str | None = None) -> Iterator[Pair]:
    """Rows as they stand: all evidence of a row joined, with the first one's title."""
    for row in rows:
        target = target_of(row.label or "")
        if target is None or not row.evidence or (only and row.label != only):
            continue
        text = " ".join(gold.text for gold in row.evidence)
        title = (row.evidence[0].title or "").split(";")[0]
        yield Pair(title, text, row.claim, target, source)


def fever(rows: tuple[LabelledClaim, ...], titles: Mapping[str, str], rng: random.Random) -> Iterator[Pair]:
    """FEVER with titles on all classes: evidence without one gets that of its passage, or that which it begins with."""
    known = set(titles.values())
    for pair in plain(rows, "fever"):
        title, text = pair.title, pair.text
        if not title:
            title = titles.get(text.strip(), "")
            leading = _LEADING_TITLE.match(text)
            if not title and leading and leading.group(1) in known:
                title, text = leading.group(1), text[leading.end() :]
        elif rng.random() < UNTITLED_SHARE:
            title = ""
        yield Pair(title, text, pair.claim, pair.target, pair.source)


def symmetric(rows: tuple[LabelledClaim, ...]) -> Iterator[Pair]:
    """FEVER's claims with evidence changed by hand, so that the claim alone tells nothing."""
    return plain(rows, "fever_symmetric")


def feverous(rows: tuple[LabelledClaim, ...]) -> Iterator[Pair]:
    """Claims over several sentences and cells of tables; the marks of links are taken out."""
    for pair in plain(rows, "feverous"):
        text = _WIKI_LINK.sub(r"\1", pair.text)
        lines = [line.partition("\t") for line in text.split("\n")]
        title = lines[0][0] if lines[0][1] else ""
        yield Pair(title, " ".join(tail or head for head, _, tail in lines), pair.claim, pair.target, pair.source)


def foolmetwice(rows: tuple[LabelledClaim, ...], rng: random.Random) -> Iterator[Pair]:
    """FoolMeTwice: the gold sentences alone, among other sentences of their page, and those others alone (neither)."""
    for row in rows:
        target = target_of(row.label or "")
        if target is None or not row.evidence:
            continue
        title = row.evidence[0].title or ""
        gold = [piece.text for piece in row.evidence]
        yield Pair(title, " ".join(gold), row.claim, target, "fm2")
        others = [text for text in row.meta.get("retrieved", ()) if text not in gold]
        beside = rng.sample(others, min(rng.randint(1, MAX_JOINED), len(others)))
        if beside:
            mixed = [*gold, *beside]
            rng.shuffle(mixed)
            yield Pair(title, " ".join(mixed), row.claim, target, "fm2_joined")
        for text in rng.sample(others, min(1, len(others))):
            yield Pair(title, text, row.claim, (0.1, 0.1, 0.8), "fm2_retrieved")


def retrieved(
    rows: tuple[LabelledClaim, ...], corpus: Corpus, rng: random.Random, *, each: int, source: str
) -> Iterator[Pair]:
    """What a search brings along: passages of pages that do not decide the claim, as neither.

    For a claim that no page decides, any passage; for the others, passages of other pages than the gold ones.
    """
    for row in rows:
        answer = corpus.find(row.claim, SEARCHED)
        if not isinstance(answer, Found):
            continue
        pages = set(row.meta.get("pages", ())) | {gold.title for gold in row.evidence if gold.title}
        undecided = target_of(row.label or "") == NEITHER
        passages = [hit.passage for hit in answer.items if undecided or hit.passage.title not in pages]
        for passage in rng.sample(passages, min(each, len(passages))):
            yield Pair(passage.title or "", passage.text, row.claim, RETRIEVED_NEITHER, source)


def silent(rows: tuple[LabelledClaim, ...], corpus: Corpus) -> Iterator[Pair]:
    """The hardest of neither: for claims that no page decides, passages of the very page that the claim is about."""
    for row in rows:
        if target_of(row.label or "") != NEITHER:
            continue
        answer = corpus.find(row.claim, SEARCHED)
        for hit in answer.items if isinstance(answer, Found) else ():
            title = hit.passage.title or ""
            if title and title.partition(" (")[0].casefold() in row.claim.casefold():
                yield Pair(title, hit.passage.text, row.claim, NEITHER, "fever_silent")


def joined(rows: tuple[LabelledClaim, ...], corpus: Corpus, rng: random.Random) -> Iterator[Pair]:
    """Gold evidence among other passages of its page: longer texts of which one sentence decides."""
    for row in rows:
        target = target_of(row.label or "")
        if target is None or target == NEITHER or not row.evidence or not row.evidence[0].title:
            continue
        answer = corpus.find(f"{row.evidence[0].title} {row.claim}", SEARCHED)
        gold = row.evidence[0]
        beside = [
            hit.passage.text
            for hit in (answer.items if isinstance(answer, Found) else ())
            if hit.passage.title == gold.title and gold.text not in hit.passage.text
        ]
        if beside:
            texts = [gold.text, *beside[: rng.randint(1, 2)]]
            rng.shuffle(texts)
            yield Pair(gold.title or "", " ".join(texts), row.claim, target, "fever_joined")


def passage_titles(path: Path) -> dict[str, str]:
    """The title of each text of a passages file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {row["text"].strip(): row["title"] for row in map(json.loads, lines) if row.get("title")}


def natural_pairs(data: Path, corpus: Corpus, seed: int) -> dict[str, list[Pair]]:
    """All pairs by source, in the files' order."""
    rng = random.Random(seed)

    def rows(name: str) -> tuple[LabelledClaim, ...]:
        return read_claims(data / f"{name}.jsonl.gz", on_problem=lambda _: None)  # a row without a claim is no pair

    fever_rows, fm2_rows = rows("claims/fever_dev"), rows("claims/fm2_dev")
    titles = passage_titles(data / "corpus/passages.jsonl.gz")
    by_source: dict[str, list[Pair]] = defaultdict(list)
    for pairs in (
        fever(fever_rows, titles, rng),
        joined(fever_rows, corpus, rng),
        retrieved(fever_rows, corpus, rng, each=2, source="fever_retrieved"),
        foolmetwice(fm2_rows, rng),
        retrieved(fm2_rows, corpus, rng, each=1, source="fm2_searched"),
        symmetric(rows("train/fever_symmetric")),
        feverous(rows("train/feverous")),
        plain(rows("train/climate_fever"), "climate_fever"),
        plain(rows("train/cad_snli"), "cad_snli"),
        plain(rows("train/conjnli"), "conjnli"),
        plain(rows("train/docnli_mnli"), "mnli_entailed", only="entailment"),
    ):
        for pair in pairs:
            by_source[pair.source].append(pair)
    return by_source
