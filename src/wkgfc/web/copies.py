"""Near copies: one text on many pages is one passage with several addresses, and one source.

Texts are compared by their shingles, stretches of three words (Broder 1997, "On the resemblance and containment of
documents"): exactly, since one search brings a few thousand windows at most.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from wkgfc.web.filtering import is_near_copy
from wkgfc.web.search import Hit

SHINGLE_WORDS = 3
COPY_CONTAINMENT = 0.8  # of a passage's shingles that stand in another text, above which it is a copy of that
LEAST_SHINGLES = 8  # a text of fewer has no content of its own to be told by: it must be the same word for word


def fold_copies(
    hits: Sequence[Hit], page_texts: Mapping[str, str] | None = None, claim: str | None = None
) -> list[Hit]:
    """The hits in their order, each copy folded into the first one that has its text.

    A hit is a copy if most of its shingles, or most of the other's, are in both; so a snippet folds into the passage
    that it is cut from. All that only repeat the ``claim`` are copies of each other. ``page_texts`` are whole texts by
    address: a page that has a passage anywhere in it is among the passage's ``copies``, even if its own windows are
    cut elsewhere. Passages of pages that share one of them have one ``text_id``: they are one source.
    """
    kept: list[Hit] = []
    copies: list[dict[str, None]] = []
    holding: defaultdict[str, list[int]] = defaultdict(list)  # shingle: places in ``kept``
    sizes: list[int] = []
    repeating: int | None = None  # the place of the passage that repeats the claim
    for hit in hits:
        passage = hit.passage
        own = frozenset(shingles(passage.text))
        repeats = claim is not None and is_near_copy(passage.text, claim)
        place = repeating if repeats and repeating is not None else _copied(own, holding, sizes)
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
        for place in _standing_in(text, holding, sizes):
            copies[place][address] = None
    return _as_one_source([_with_copies(hit, also) for hit, also in zip(kept, copies, strict=True)])


def containment(part: str, whole: str) -> float:
    """How much of ``part`` stands in ``whole``: the share of its shingles, 0 to 1.

    >>> containment("The bridge was opened in 1859.", "In short: the bridge was opened in 1859, on a Monday.")
    1.0
    """
    wanted = frozenset(shingles(part))
    return len(wanted.intersection(shingles(whole))) / len(wanted) if wanted else 0.0


def shingles(text: str) -> Iterator[str]:
    """The stretches of three words of a text, or all of a shorter one, in lower case and without punctuation."""
    found = re.findall(r"\w+", text.lower())
    if 0 < len(found) < SHINGLE_WORDS:
        yield " ".join(found)
    for start in range(len(found) - SHINGLE_WORDS + 1):
        yield " ".join(found[start : start + SHINGLE_WORDS])


def _copied(own: frozenset[str], holding: Mapping[str, list[int]], sizes: Sequence[int]) -> int | None:
    """The first place whose text is nearly this one, or part of it, or has it as a part."""
    shared = Counter(place for shingle in own for place in holding.get(shingle, ()))
    for place in sorted(shared):
        smaller, larger = sorted((len(own), sizes[place]))
        least = COPY_CONTAINMENT * smaller if smaller >= LEAST_SHINGLES else larger
        if shared[place] >= least:
            return place
    return None


def _standing_in(text: str, holding: Mapping[str, list[int]], sizes: Sequence[int]) -> Iterator[int]:
    """The places whose passages stand in a whole text."""
    met: Counter[int] = Counter(place for shingle in set(shingles(text)) & holding.keys() for place in holding[shingle])
    for place, shared in met.items():
        if sizes[place] >= LEAST_SHINGLES and shared >= COPY_CONTAINMENT * sizes[place]:
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
