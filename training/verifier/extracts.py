"""Pairs from longer texts: a sentence of a passage is the claim, as it stands or with one thing changed."""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from training.verifier.edits import denied, numbers_changed
from training.verifier.pair import SUPPORTS, Pair, Target
from wkgfc.sentences import sentence_spans

LENGTHS = (40, 240)  # characters of a sentence that becomes a claim
LEAST_SENTENCES = 3
TITLE_WORDS = 5  # longer ones are seldom names
WINDOW = 650  # characters of the evidence, about 150 tokens
SWAPPED: Target = (0.03, 0.67, 0.30)  # another name in its place: mostly false, sometimes true beside it
LEFT_OUT: Target = (0.06, 0.06, 0.88)  # what is left of the passage may still say something of it

_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_PRONOUN = re.compile(r"^(?:He|She|It|They)(?= (?:is|was|are|were|has|had|have|[a-z]+ed)\b)")
_LEANS = re.compile(  # on a sentence before it
    r"^(?:This|That|These|Those|He|She|It|They|His|Her|Its|Their|There|Here|However|But|And|Then|Also|Both|Such|Another"
    r"|Later|Thus|Therefore|As such|For example|In addition|Some|Other|Others|Many|The (?:latter|former|first|second)"
    r"|The (?:film|book|song|album|series|company|game|show|novel|town|city|band|group|team|play|story|episode))\b"
)
_NAME = re.compile(
    r"\b(in|by|of|from|with|and|to|at|for|as) ((?:the )?[A-Z][\w'’-]+(?: (?:(?:of|de|von|van) )?[A-Z][\w'’-]+)*)"
)
_TIME = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|AD|BC|BCE|CE)\b"
)


def extracted_pairs(titles: Mapping[str, str], rng: random.Random, *, number: int) -> Iterator[Pair]:
    """At most ``number`` pairs out of passages (their titles by their texts), one of each.

    A sentence that stands for itself is the claim, a pronoun at its beginning replaced by the title, what is in
    brackets left out. It is supported by the sentences around it; refuted, mostly, with another number, denied, or with
    another name behind the same preposition (one of the passage where it has one); and undecided where the sentence
    itself is left out of the evidence.
    """
    passages = [
        (title, text, spans) for text, title in titles.items() if len(spans := sentence_spans(text)) >= LEAST_SENTENCES
    ]
    rng.shuffle(passages)
    elsewhere: dict[str, list[str]] = defaultdict(list)
    for _, text, _ in passages:
        for preposition, name in _names(text):
            elsewhere[preposition].append(name)
    made = 0
    for title, text, spans in passages:
        if made == number:
            return
        sentences = [text[start:end] for start, end in spans]
        claims = [(at, claim) for at, each in enumerate(sentences) if (claim := standing_alone(title, each))]
        if not claims:
            continue
        at, claim = rng.choice(claims)
        pair = _changed(Pair(title, _around(sentences, at), claim, SUPPORTS, "extract"), sentences, at, elsewhere, rng)
        if pair is not None:
            made += 1
            yield pair


def standing_alone(title: str, sentence: str) -> str | None:
    """The sentence as a claim that needs no other beside it; ``None`` where it leans on what is before it."""
    name = title.partition(" (")[0]
    claim = _BRACKETS.sub("", sentence)
    if 0 < len(name.split()) <= TITLE_WORDS:
        claim = _PRONOUN.sub(lambda _: name, claim)
    if _LEANS.match(claim) or not claim.endswith(".") or not LENGTHS[0] <= len(claim) <= LENGTHS[1]:
        return None
    return claim


def _changed(
    pair: Pair, sentences: list[str], at: int, elsewhere: Mapping[str, list[str]], rng: random.Random
) -> Pair | None:
    """The pair, or one made of it; ``None`` where the change that was drawn cannot be made."""
    kind = rng.choices(("as it is", "number", "denied", "name", "left out"), (7, 4, 3, 4, 4))[0]
    if kind == "as it is":
        return pair
    if kind == "left out":
        rest = _around([*sentences[:at], *sentences[at + 1 :]], min(at, len(sentences) - 2))
        return Pair(pair.title, rest, pair.claim, LEFT_OUT, pair.source)
    if kind == "name":
        claim = _with_another_name(pair.claim, " ".join(sentences), elsewhere, rng)
        return None if claim is None else Pair(pair.title, pair.text, claim, SWAPPED, pair.source)
    other = next((numbers_changed if kind == "number" else denied)([pair], rng), None)
    return None if other is None else Pair(pair.title, pair.text, other.claim, other.target, pair.source)


def _around(sentences: list[str], at: int) -> str:
    """Whole sentences on both sides of one, as many as fit; the shorter side grows first."""
    first, last, length = at, at + 1, len(sentences[at])
    while True:
        beside = [each for each in (first - 1, last) if 0 <= each < len(sentences)]
        beside = [each for each in beside if length + len(sentences[each]) < WINDOW]
        if not beside:
            return " ".join(sentences[first:last])
        chosen = min(beside, key=lambda each: abs(each - at))
        first, last = min(first, chosen), max(last, chosen + 1)
        length += len(sentences[chosen]) + 1


def _with_another_name(claim: str, passage: str, elsewhere: Mapping[str, list[str]], rng: random.Random) -> str | None:
    found = [each for each in _NAME.finditer(claim) if not _TIME.search(each.group(2))]
    if not found:
        return None
    chosen = rng.choice(found)
    here = [name for preposition, name in _names(passage) if preposition == chosen.group(1) and name not in claim]
    pool = here or elsewhere.get(chosen.group(1), [])
    other = rng.choice(pool) if pool else claim
    if other in claim or chosen.group(2) in other:
        return None
    return claim[: chosen.start(2)] + other + claim[chosen.end(2) :]


def _names(text: str) -> Iterable[tuple[str, str]]:
    """Prepositions and the names behind them."""
    return [(each.group(1), each.group(2)) for each in _NAME.finditer(text) if not _TIME.search(each.group(2))]
