"""Near copies: one text on many pages is one passage with several addresses, and one source.

Texts are compared by their shingles, stretches of three words (Broder 1997, "On the resemblance and containment of
documents"): exactly, since a search has some hundred to compare. Texts that share most and differ in a number or a
negation are two statements and both stay (``differences.py``).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from statistics import median_low

from wkgfc.web.differences import REACH, SHINGLE_WORDS, says_otherwise, shingles_of, words_of
from wkgfc.web.filtering import is_near_copy
from wkgfc.web.search import Hit

COPY_CONTAINMENT = 0.8  # of a passage's shingles that stand in another text, above which it is a copy of that
LEAST_SHINGLES = 8  # a text of fewer has no content of its own to be told by: it must be the same word for word
MOST_COMPARED = 8  # of the texts that share most with one: a page made of one sentence in variants takes no longer


def fold_copies(
    hits: Sequence[Hit], page_texts: Mapping[str, str] | None = None, claim: str | None = None
) -> list[Hit]:
    """The hits in their order, each copy folded into the first one that has its text.

    A hit is a copy if most of its shingles, or most of the other's, are in both, and no number and no negation parts
    them; so a snippet folds into the passage that it is cut from. All that only repeat the ``claim`` are copies of each
    other. ``page_texts`` are whole texts by address: a page that has a passage anywhere in it is among the passage's
    ``copies``, even if its own windows are cut elsewhere. Passages of pages that share one of them have one
    ``text_id``: they are one source.
    """
    kept: list[Hit] = []
    copies: list[dict[str, None]] = []
    holding: defaultdict[str, list[int]] = defaultdict(list)  # shingle: places in ``kept``
    sizes: list[int] = []
    repeating: int | None = None  # the place of the passage that repeats the claim
    for hit in hits:
        passage = hit.passage
        own = shingles_of(words_of(passage.text))
        repeats = claim is not None and is_near_copy(passage.text, claim)
        place = repeating if repeats and repeating is not None else _copied(passage.text, own, holding, kept, sizes)
        if place is not None:
            copies[place].update(dict.fromkeys(address for address in (passage.url, *passage.copies) if address))
            continue
        for shingle in own:
            holding[shingle].append(len(kept))
        if repeats:
            repeating = len(kept)
        kept.append(hit)
        copies.append(dict.fromkeys(passage.copies))
        sizes.append(len(own))
    for address, text in (page_texts or {}).items():
        for place in _standing_in(text, holding, kept, sizes):
            copies[place][address] = None
    return _as_one_source([_with_copies(hit, also) for hit, also in zip(kept, copies, strict=True)])


def containment(part: str, whole: str) -> float:
    """How much of ``part`` stands in ``whole``: the share of its shingles, 0 to 1.

    >>> containment("The bridge was opened in 1859.", "In short: the bridge was opened in 1859, on a Monday.")
    1.0
    """
    wanted = shingles_of(words_of(part))
    return len(wanted & shingles_of(words_of(whole))) / len(wanted) if wanted else 0.0


def _copied(
    text: str,
    own: frozenset[str],
    holding: Mapping[str, list[int]],
    kept: Sequence[Hit],
    sizes: Sequence[int],
) -> int | None:
    """The first place whose text is nearly this one, or part of it, or has it as a part."""
    shared = Counter(place for shingle in own for place in holding.get(shingle, ()))
    alike: list[int] = []
    for place in sorted(shared):
        smaller, larger = sorted((len(own), sizes[place]))
        least = COPY_CONTAINMENT * smaller if smaller >= LEAST_SHINGLES else larger
        if shared[place] >= least:
            alike.append(place)
    for place in sorted(nlargest(MOST_COMPARED, alike, key=lambda each: shared[each])):
        if not says_otherwise(text, kept[place].passage.text):
            return place
    return None


def _standing_in(
    text: str, holding: Mapping[str, list[int]], kept: Sequence[Hit], sizes: Sequence[int]
) -> Iterator[int]:
    """The places whose passages stand in a whole text."""
    words = list(re.finditer(r"\w+", text))
    first: dict[str, int] = {}  # where a shingle stands first, of those that passages have
    for start in range(len(words) - SHINGLE_WORDS + 1):
        shingle = " ".join(word.group().lower() for word in words[start : start + SHINGLE_WORDS])
        if shingle in holding:
            first.setdefault(shingle, start)
    met: defaultdict[int, list[int]] = defaultdict(list)
    for shingle, start in first.items():
        for place in holding[shingle]:
            met[place].append(start)
    for place, starts in met.items():
        if sizes[place] < LEAST_SHINGLES or len(starts) < COPY_CONTAINMENT * sizes[place]:
            continue
        passage = kept[place].passage.text
        middle, around = median_low(starts), len(words_of(passage)) + REACH
        nearby = words[max(middle - around, 0) : middle + around]
        if not says_otherwise(passage, text[nearby[0].start() : nearby[-1].end()]):
            yield place


def _with_copies(hit: Hit, also: Mapping[str, None]) -> Hit:
    passage = hit.passage
    others = tuple(address for address in also if address != passage.url)
    return hit.model_copy(update={"passage": passage.model_copy(update={"copies": others})})


def _as_one_source(hits: Sequence[Hit]) -> list[Hit]:
    """Give a passage whose text stands on the page of an earlier one that one's ``text_id``."""
    text_ids: dict[str, str] = {}
    result: list[Hit] = []
    for hit in hits:
        passage = hit.passage
        first = next((text_ids[address] for address in passage.copies if address in text_ids), None)
        if first is not None:
            source = passage.source.model_copy(update={"text_id": first})
            passage = passage.model_copy(update={"source": source})
        if passage.url is not None:
            text_ids.setdefault(passage.url, passage.source.text_id or passage.url)
        result.append(hit.model_copy(update={"passage": passage}))
    return result
