"""What training may not see: claims, pages and evidence sentences of the splits that figures are computed on."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from training.verifier.pair import Pair
from wkgfc.datasets import LabelledClaim, read_claims
from wkgfc.sentences import sentence_spans

# Splits that a figure of the project is computed on, by their files below the data folder.
MEASURED = (
    "claims/fever_val",
    "claims/fm2_val",
    "claims/codex_s_valid",
    "claims/codex_m_valid",
    "claims/hover_dev",
    "claims/liar_new",
    "claims/averitec_dev",
    "claims/aggrefact_cnn",
    "claims/summeval",
    "claims/pubhealth",
    "claims/scifact",
    "claims/reveal",
    "claims/fire_factool_qa",
    "claims/fire_felm_wk",
    "claims/fire_factcheckbench",
    "claims/fire_bingcheck",
    "train/healthver_dev",
)
PAGES_OF = ("claims/fever_val", "claims/fm2_val")  # whose pages, too, training may not see
LEAST_SENTENCE = 25  # characters: shorter ones ("He was born in Paris.") are shared by chance

_NOT_WORD = re.compile(r"[\W_]+")


def normal(text: str) -> str:
    """A text without case, accents, punctuation and spacing, so that copies of it are equal."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return _NOT_WORD.sub(" ", plain.casefold()).strip()


@dataclass
class HeldOut:
    """What the measured splits hold: normalised claims, page titles and evidence sentences; ids of graph subjects."""

    claims: set[str] = field(default_factory=set)
    pages: set[str] = field(default_factory=set)
    sentences: set[str] = field(default_factory=set)
    subjects: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, data: Path) -> "HeldOut":
        """Of all measured splits below a data folder."""
        held = cls()
        for name in MEASURED:
            for row in read_claims(data / f"{name}.jsonl.gz"):
                held.add(row, with_pages=name in PAGES_OF)
        return held

    def add(self, row: LabelledClaim, *, with_pages: bool) -> None:
        """Hold one row out."""
        self.claims.add(normal(row.claim))
        self.sentences.update(sentence for gold in row.evidence for sentence in _sentences(gold.text))
        if with_pages:
            titles = [gold.title for gold in row.evidence if gold.title] + list(row.meta.get("pages", ()))
            self.pages.update(normal(title) for titled in titles for title in titled.split(";"))
        if "triple" in row.meta:
            self.subjects.add(row.meta["triple"][0])

    def has_page(self, title: str) -> bool:
        """Whether a title, or one of several with semicolons between them, is of a page that is held out."""
        return any(normal(each) in self.pages for each in title.split(";"))

    def leaks(self, pair: Pair) -> bool:
        """Whether a pair shares its claim, its page or a sentence of its evidence with what is held out."""
        return (
            normal(pair.claim) in self.claims
            or self.has_page(pair.title)
            or any(sentence in self.sentences for sentence in _sentences(pair.text))
        )


def without_leaks(pairs: Iterable[Pair], held: HeldOut) -> Iterator[Pair]:
    """The pairs that share nothing with what is held out."""
    return (pair for pair in pairs if not held.leaks(pair))


def _sentences(text: str) -> Iterator[str]:
    for piece in (text, *(text[start:end] for start, end in sentence_spans(text))):
        sentence = normal(piece)
        if len(sentence) >= LEAST_SENTENCE:
            yield sentence
