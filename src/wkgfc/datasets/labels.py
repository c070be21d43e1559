"""What the words of each set's labels mean: one table, and the paper's map to two classes (section 5.1).

"We standardize the labels into two classes: Factual Supported and Factual Refuted. The samples lacking verifiable
evidence are removed, and partially correct or ambiguous cases are merged into Factual Refuted." What counts as partly
correct is not said there for each set: ``half-true``, ``mixture`` and ``partially attributable`` do here, and
``mostly-true``, which PolitiFact calls accurate, is Supported.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from wkgfc.claim import Veracity

_S, _R = Veracity.SUPPORTED, Veracity.REFUTED
_N, _C = Veracity.NOT_ENOUGH_EVIDENCE, Veracity.CONFLICTING_EVIDENCE

# AVeriTeC's counts confirm it: 465 of 500 claims are kept, 73.76 % of them Refuted (paper, table 2: 465 and 73.7).
TWO_CLASSES: dict[Veracity, Veracity | None] = {_S: _S, _R: _R, _C: _R, _N: None}

# By set, its own words as they are released. A word means the same in every set (a test).
LABELS: dict[str, dict[str, Veracity]] = {
    "fever": {"SUPPORTS": _S, "REFUTES": _R, "NOT ENOUGH INFO": _N},
    "hover": {"SUPPORTED": _S, "NOT_SUPPORTED": _R},
    "fm2": {"SUPPORTS": _S, "REFUTES": _R},
    "creak": {"true": _S, "false": _R},
    "liar_new": {"true": _S, "mostly-true": _S, "half-true": _C, "barely-true": _R, "false": _R, "pants-fire": _R},
    "averitec": {
        "Supported": _S,
        "Refuted": _R,
        "Not Enough Evidence": _N,
        "Conflicting Evidence/Cherrypicking": _C,
    },
    "pubhealth": {"true": _S, "false": _R, "mixture": _C, "unproven": _N},
    "fire": {"true": _S, "false": _R},
    "summeval": {"consistent": _S, "inconsistent": _R},
    "aggrefact": {"1": _S, "0": _R},
    "llm_aggrefact": {"1": _S, "0": _R},
    "graphcheck": {"1": _S, "0": _R},
    "scifact": {"SUPPORT": _S, "CONTRADICT": _R, "NOT_ENOUGH_INFO": _N},
    "reveal": {
        "fully attributable": _S,
        "partially attributable": _C,
        "unsupported": _R,
        "not attributable": _R,
        "contradictory": _R,
    },
    "codex": {"SUPPORTS": _S, "REFUTES": _R},
    "multihop": {"SUPPORTS": _S, "REFUTES": _R, "NOT ENOUGH INFO": _N},
    "pairs": {"entailment": _S, "contradiction": _R, "neutral": _N, "conflicting evidence": _C, "conflicting": _C},
}


def folded(word: str) -> str:
    """A label's word without case, and with one kind of separator: ``NOT_ENOUGH_INFO`` is ``not enough info``."""
    return " ".join(word.replace("_", " ").replace("-", " ").casefold().split())


_MEANINGS = {folded(word): veracity for words in LABELS.values() for word, veracity in words.items()}


def veracity_of(word: str, dataset: str | None = None) -> Veracity | None:
    """The veracity that a label's word means in a set (in any, where none is named); ``None`` where it is no such word.

    >>> veracity_of("half-true"), veracity_of("half-true", "fever")
    (<Veracity.CONFLICTING_EVIDENCE: 'Conflicting Evidence'>, None)
    """
    if dataset is None:
        return _MEANINGS.get(folded(word))
    return next((each for known, each in LABELS[dataset].items() if folded(known) == folded(word)), None)


@dataclass(frozen=True)
class LabelUse:
    """How a label's word was read: its veracity, its class of the two (``None``: dropped), and how many rows have it.

    ``word`` is ``None`` for rows without a label, ``veracity`` for a word that no set uses.
    """

    word: str | None
    veracity: Veracity | None
    two_class: Veracity | None
    n: int


def label_map(words: Iterable[str | None]) -> list[LabelUse]:
    """How the words of some rows were read, most frequent first: what stands under every table."""
    uses = []
    for word, number in sorted(Counter(words).items(), key=lambda pair: (-pair[1], str(pair[0]))):
        veracity = veracity_of(word) if word else None
        uses.append(LabelUse(word, veracity, TWO_CLASSES[veracity] if veracity is not None else None, number))
    return uses


def label_map_in_words(uses: Iterable[LabelUse]) -> str:
    """A label map as one line.

    >>> label_map_in_words(label_map(["SUPPORTS", "SUPPORTS", "NOT ENOUGH INFO"]))
    'SUPPORTS → Supported (2); NOT ENOUGH INFO → dropped (1)'
    """
    return "; ".join(f"{use.word or 'no label'} → {use.two_class or 'dropped'} ({use.n:,})" for use in uses)
