"""A long text in windows of whole sentences that a verifier can read, and what its windows say of a claim together."""

import math
from collections import Counter
from collections.abc import Sequence

MAX_WINDOWS = 32  # windows of one text that are read: those that share most with the claim
SINGLE_SENTENCES = 4  # read alone as well: in a window of other things a sentence says less to the model
OVERLAP_SHARE = 3  # a window begins with the last sentence of the one before, if that takes a third of it at most

Probabilities = tuple[float, float, float]  # supports, refutes, neither


def windows_of(
    offsets: Sequence[tuple[int, int]], sentences: Sequence[tuple[int, int]], room: int
) -> list[tuple[int, int]]:
    """Ranges of tokens, each of ``room`` tokens at most, that end with a sentence where they can.

    ``offsets`` are the characters of each token, ``sentences`` those of each sentence, both in order. Every token is
    in a window. Neighbours share a sentence where it is short, so that no two sentences are always apart.
    """
    if not offsets:
        return []
    pieces = list(pieces_of(offsets, sentences, room))
    windows: list[tuple[int, int]] = []
    first = last = 0  # pieces of the window
    while first < len(pieces):
        last = first
        while last + 1 < len(pieces) and pieces[last + 1][1] - pieces[first][0] <= room:
            last += 1
        windows.append((pieces[first][0], pieces[last][1]))
        if last + 1 == len(pieces):
            break
        shared = pieces[last][1] - pieces[last][0]
        fits = pieces[last + 1][1] - pieces[last][0] <= room
        first = last if last > first and shared * OVERLAP_SHARE <= room and fits else last + 1
    return windows


def pieces_of(
    offsets: Sequence[tuple[int, int]], sentences: Sequence[tuple[int, int]], room: int
) -> list[tuple[int, int]]:
    """Sentences as ranges of tokens; those that are too long in parts."""
    ends, token = [], 0
    for _, end in sentences:
        while token < len(offsets) and offsets[token][0] < end:
            token += 1
        ends.append(token)
    pieces, start = [], 0
    for end in dict.fromkeys([*ends, len(offsets)]):
        for at in range(start, end, room):
            pieces.append((at, min(at + room, end)))
        start = max(start, end)
    return pieces


def likeness(windows: Sequence[Sequence[int]], claim: Sequence[int]) -> list[float]:
    """How much of the claim each window has: the share of its tokens, each by how few windows have it, in [0, 1]."""
    wanted = set(claim)
    having = [wanted.intersection(window) for window in windows]
    number = Counter(token for tokens in having for token in tokens)
    weight = {token: math.log(1 + len(windows) / count) for token, count in number.items()}
    most = sum(weight.values())
    return [sum(weight[token] for token in tokens) / most if most else 0.0 for tokens in having]


def combined(scores: Sequence[Probabilities], like: Sequence[float]) -> tuple[Probabilities, int]:
    """The probabilities of a whole text from those of its windows, and which window decided.

    Each side is what its strongest window says, weighed by how much of the claim the window has beside the one that
    has most; nothing is left for "neither" but what the stronger side leaves.
    """
    if len(scores) == 1:
        return scores[0], 0
    most = max(like) or 1.0
    weights = [math.sqrt(each / most) for each in like]
    sides = [[score[side] * weight for score, weight in zip(scores, weights, strict=True)] for side in (0, 1)]
    best = [max(range(len(scores)), key=side.__getitem__) for side in sides]
    supports, refutes = sides[0][best[0]], sides[1][best[1]]
    neither = 1 - max(supports, refutes)
    total = supports + refutes + neither
    decided = best[0] if supports >= refutes else best[1]
    return (supports / total, refutes / total, neither / total), decided
