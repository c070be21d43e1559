"""The coarse-to-fine evidence filter (paper, section 4.3): a wide search, then a judgement of each passage.

Coarse: the source's own ranking (BM25 over embedded passages), less what cannot be evidence: what the leakage guard
holds back, and passages of sites that are kept out, that repeat the claim or each other, or that give orders to their
reader.
Fine: the reasoner grades what is left for relevance, stance and consistency, and must quote the stretch that decides.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Literal

from wkgfc.evidence import NEUTRAL, Passage, Record
from wkgfc.quotes import best_sentence, folded_words, verbatim_quote
from wkgfc.reasoning.injection import looks_like_orders
from wkgfc.reasoning.reasoner import Grade, Reasoner
from wkgfc.state import BeliefState, Failed, Found, FoundInPart, Nothing, failures_of
from wkgfc.web.differences import says_otherwise, shingles_of
from wkgfc.web.leakage import Reason, guard
from wkgfc.web.search import Hit, WebSearch
from wkgfc.web.sites import is_on_site

LEAST_RELEVANCE = 0.3  # below, a passage is held back; low, as fusion and verdict weigh what is kept by its relevance
SEARCHED_PER_PASSAGE = 2  # hits asked for a passage to grade: room for copies and what is held back
CLAIM_COPY_RATIO = 0.92  # of lengths, above which a text around the claim has no content of its own (HerO, section 3.1)
MOST_WORDS_OF_A_RATING = 4  # of its own, beside the claim and the vocabulary of verdicts: too few for a reason
NEAR_COPY_SIMILARITY = 0.9  # Jaccard of three-word shingles (Broder 1997), above which two passages are one text

_VERDICTS = frozenset(
    [
        "true", "false", "supported", "refuted", "correct", "incorrect", "right", "wrong", "verified", "confirmed",
        "debunked", "proven", "disproved", "yes", "no",
    ]
)  # fmt: skip
_RATING = _VERDICTS | frozenset(
    [
        "claim", "claims", "statement", "verdict", "rating", "rated", "label", "veracity", "confidence", "answer",
        "question", "fact", "check", "checked", "checker", "final", "result", "outcome", "conclusion", "evidence",
        "enough", "not", "the", "this", "that", "following", "was", "were", "are", "has", "have", "been", "with",
        "for", "and", "very", "absolutely", "certainly", "definitely", "completely", "entirely", "doubt", "any",
        "without", "beyond", "says", "said", "our", "one",
    ]
)  # fmt: skip

HeldBack = (
    Reason
    | Literal[
        "site kept out",
        "gives orders to its reader",
        "repeats the claim",
        "copy of another passage",
        "known already",
        "not relevant",
        "quotes nothing of the passage",
    ]
)


_NOT_GRADED = Grade(relevance=0.0, stance=NEUTRAL, consistency=0.0, quote="")


class GradedPassage(Record):
    """A passage that a search brought, with what became of it.

    ``held_back`` is the reason why it is not kept; one that the coarse stage held back has a grade of nothing.
    ``grade.suspicious``: it tries to give orders to the reader's machine. Such a passage is never kept.
    """

    passage: Passage
    grade: Grade
    held_back: HeldBack | None = None

    @property
    def kept(self) -> bool:
        """Whether the passage is evidence."""
        return self.held_back is None


Gathered = FoundInPart[GradedPassage]  # what a search brought, and which parts of it did not work


async def gather(
    web: WebSearch,
    reasoner: Reasoner,
    state: BeliefState,
    query: str,
    *,
    limit: int,
    before: dt.date | None = None,
    allowed_sites: Sequence[str] = (),
    blocked_sites: Sequence[str] = (),
    benchmark: bool = False,
    least_relevance: float = LEAST_RELEVANCE,
) -> Gathered | Nothing | Failed:
    """Search for ``query`` and filter what comes: at most ``limit`` passages are graded.

    What was looked at is given back in the search's order, kept or held back with the reason, so that the trajectory
    can tell; last what the leakage guard (``wkgfc.web.leakage``, to which ``benchmark`` goes) held back, which
    ``state.held_back`` counts too. A kept passage has a grade whose relevance is at least ``least_relevance`` and whose
    quote is verbatim in it. A search that failed stays ``Failed`` with its reason.
    """
    sifted = await search(
        web,
        state,
        query,
        limit=limit,
        before=before,
        allowed_sites=allowed_sites,
        blocked_sites=blocked_sites,
        benchmark=benchmark,
    )
    if not isinstance(sifted, FoundInPart):
        return sifted
    to_grade = [entry.passage for entry in sifted.items if entry.kept]
    grades = await reasoner.grade(state, to_grade) if to_grade else ()
    graded = iter(
        [
            _graded(passage, grade, state.claim.text, least_relevance)
            for passage, grade in zip(to_grade, grades, strict=True)
        ]
    )
    return Gathered([next(graded) if entry.kept else entry for entry in sifted.items], sifted.failures)


async def search(
    web: WebSearch,
    state: BeliefState,
    query: str,
    *,
    limit: int,
    before: dt.date | None = None,
    allowed_sites: Sequence[str] = (),
    blocked_sites: Sequence[str] = (),
    benchmark: bool = False,
    known_too: bool = False,
) -> Gathered | Nothing | Failed:
    """The coarse stage of ``gather`` alone: what a search brings, without a grade, and what is held back of it.

    Of what is evidence already, and copies of it, nothing counts among the ``limit``, except with ``known_too``.
    """
    answer = await web.search(
        query,
        SEARCHED_PER_PASSAGE * limit,
        before=before,
        allowed_sites=allowed_sites,
        blocked_sites=blocked_sites,
    )
    if not isinstance(answer, Found):
        return answer
    guarded = guard(answer.items, state.claim, benchmark=benchmark)
    withheld = [
        GradedPassage(passage=item.hit.passage, grade=_NOT_GRADED, held_back=item.reason)
        for item in guarded.held_back.items
    ]
    state.held_back.update(guarded.held_back.counts)
    sifted = sift(
        guarded.kept,
        state.claim.text,
        limit=limit,
        known=() if known_too else [passage for _, passage in state.evidence.passages()],
        before=before,
        allowed_sites=allowed_sites,
        blocked_sites=blocked_sites,
    )
    looked_at = [*sifted, *withheld]
    return Gathered(looked_at, failures_of(answer)) if looked_at else Nothing()


def sift(
    hits: Iterable[Hit],
    claim: str,
    *,
    limit: int | None = None,
    known: Iterable[Passage] = (),
    before: dt.date | None = None,
    allowed_sites: Sequence[str] = (),
    blocked_sites: Sequence[str] = (),
) -> list[GradedPassage]:
    """The coarse stage: hits in order, each with the reason why it cannot be evidence, if there is one.

    It ends with the hit that is number ``limit`` of those that can be.
    Dates and sites are looked at again: not every search engine keeps to what it is asked.
    """
    accepted, evidence = _Passages(), _Passages(known)
    sifted: list[GradedPassage] = []
    left = limit
    for hit in hits:
        if left == 0:
            break
        passage = hit.passage
        held_back: HeldBack | None = None
        suspicious = looks_like_orders(passage.text) or looks_like_orders(passage.title or "")
        if before is not None and passage.date is not None and passage.date > before:
            held_back = "published after the claim"
        elif is_on_site(passage.url, blocked_sites) or (allowed_sites and not is_on_site(passage.url, allowed_sites)):
            held_back = "site kept out"
        elif suspicious:
            held_back = "gives orders to its reader"
        elif repeats_claim(passage, claim):
            held_back = "repeats the claim"
        elif evidence.hold(passage):
            held_back = "known already"
        elif accepted.hold(passage):
            held_back = "copy of another passage"
        else:
            accepted.add(passage)
            left = None if left is None else left - 1
        grade = _NOT_GRADED.model_copy(update={"suspicious": suspicious})
        sifted.append(GradedPassage(passage=passage, grade=grade, held_back=held_back))
    return sifted


def repeats_claim(passage: Passage, claim: str) -> bool:
    """Whether a passage only says the claim again: its text does, and it has no title of its own.

    Such a page has the claim from somewhere, and adds nothing. An entry of an archive that says the same in a sentence
    under a title of its own ("Eiffel Tower") is a source and stays. One that only adds a verdict never is.
    """
    if only_rates(passage.text, claim):
        return True
    return is_near_copy(passage.text, claim) and (
        passage.title is None or folded_words(claim) in folded_words(passage.title)
    )


def only_rates(text: str, claim: str) -> bool:
    """Whether a text has the claim, a verdict on it, and nothing to found that on.

    >>> only_rates("Claim: “Water boils at 100 °C.” Verdict: true, without any doubt.", "Water boils at 100 °C.")
    True
    """
    words, said = folded_words(text), folded_words(claim)
    if not said or f" {said} " not in f" {words} ":
        return False
    around = f" {words} ".replace(f" {said} ", " ").split()
    own = [word for word in around if word not in _RATING and len(word) > 2]
    return not _VERDICTS.isdisjoint(around) and len(own) <= MOST_WORDS_OF_A_RATING


def is_near_copy(text: str, claim: str) -> bool:
    """Whether two texts are the same, or one holds the other with hardly anything around it.

    >>> is_near_copy("“Water boils at 100 °C!”", "Water boils at 100 °C.")
    True
    """
    first, second = folded_words(text), folded_words(claim)
    shorter, longer = sorted((first, second), key=len)
    return bool(shorter) and f" {shorter} " in f" {longer} " and len(shorter) > CLAIM_COPY_RATIO * len(longer)


def _graded(passage: Passage, grade: Grade, claim: str, least_relevance: float) -> GradedPassage:
    if grade.suspicious:
        return GradedPassage(passage=passage, grade=grade, held_back="gives orders to its reader")
    if grade.relevance < least_relevance:
        return GradedPassage(passage=passage, grade=grade, held_back="not relevant")
    quote = verbatim_quote(grade.quote, passage.text) or best_sentence(passage.text, claim)
    if quote is None:
        return GradedPassage(passage=passage, grade=grade, held_back="quotes nothing of the passage")
    return GradedPassage(passage=passage, grade=grade.model_copy(update={"quote": quote}))


class _Passages:
    """Passages seen so far, asked whether one of them makes another one needless."""

    def __init__(self, passages: Iterable[Passage] = ()) -> None:
        self._seen: list[tuple[Passage, str, frozenset[str]]] = []
        for passage in passages:
            self.add(passage)

    def add(self, passage: Passage) -> None:
        words = folded_words(passage.text)
        self._seen.append((passage, f" {words} ", shingles_of(words.split())))

    def hold(self, passage: Passage) -> bool:
        """Whether one of them is nearly the same text, or holds this one whole on the same page.

        A sentence that a longer text of another page has taken over is left: there it stands under its own title. So
        is a text with another number, or that denies what one of them says.
        """
        words = folded_words(passage.text)
        page, shingles = _page_of(passage), shingles_of(words.split())
        return bool(words) and any(
            (page == _page_of(other) and f" {words} " in other_words)
            or (
                len(shingles & other_shingles) >= NEAR_COPY_SIMILARITY * len(shingles | other_shingles)
                and not says_otherwise(passage.text, other.text)
            )
            for other, other_words, other_shingles in self._seen
        )


def _page_of(passage: Passage) -> str | None:
    return passage.url or passage.title
