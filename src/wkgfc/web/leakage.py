"""The leakage guard: nothing that was published later, and nobody else's answer, is taken for evidence.

A benchmark's claims were checked by people whose articles stand on the web, and are quoted there. A system that finds
them is scored on reading an answer. Three things are held back, each with its reason, and the result says how many:

* what is known to be published after the claim's date, by the passage's own date or by the one in its address;
* pages of fact-checking sites and sections (``wkgfc.web.fact_checkers``), in benchmark mode;
* pages that quote the claim together with the marks of a verdict on it: its own fact-check, or a report of that.

Without a claim date and outside benchmark mode nothing is held back: earlier fact-checks are what a newsroom looks for.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Literal

from wkgfc.claim import Claim
from wkgfc.evidence import Passage, Record
from wkgfc.web.addresses import canonical_address
from wkgfc.web.dates import published_in_address
from wkgfc.web.fact_checkers import is_fact_check
from wkgfc.web.search import Hit

Reason = Literal["published after the claim", "from fact-checking sites", "quoting the claim with a verdict"]

# Of the claim's two-word shingles (Broder 1997), the share that a stretch of text must have to be a quotation of it.
# A word changed in a claim of n words breaks two of its n - 1 shingles: 0.6 leaves a fifth of the words free. Of the
# 1,929 sentences of averitec_dev that are from no fact-checking site 46 reach it, nearly all of them the claim where it
# was made or reported; from 0.5 down come sentences that share the subject alone (benchmarks/leakage.py --shares).
QUOTED_SHARE = 0.6
WINDOW = 2  # times the claim's words: the stretch that is looked at, so that a long page does not add up to a quotation
MAX_CHARACTERS = 100_000  # of a passage that is looked at; passages are far shorter


class Withheld(Record):
    """A hit that is not used, and why."""

    hit: Hit
    reason: Reason


class HeldBack(Record):
    """What was held back of one or more searches."""

    items: tuple[Withheld, ...] = ()

    @property
    def counts(self) -> dict[Reason, int]:
        """How many hits each reason holds back, most first."""
        return dict(Counter(item.reason for item in self.items).most_common())

    @property
    def flags(self) -> tuple[str, ...]:
        """What a result says of it: ``held_back:3 from fact-checking sites``."""
        return tuple(f"held_back:{number} {reason}" for reason, number in self.counts.items())


class Guarded(Record):
    """The hits that may be used, in the search's order, and what was held back.

    ``undated`` are the addresses (or titles) of kept hits whose day of publication nobody says: they may be later than
    the claim. It is empty where no date matters.
    """

    kept: tuple[Hit, ...] = ()
    held_back: HeldBack = HeldBack()
    undated: tuple[str, ...] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        """What a result says of it, ``undated:2 of 5 passages`` with it."""
        marks = (f"undated:{len(self.undated)} of {len(self.kept)} passages",) if self.undated else ()
        return (*self.held_back.flags, *marks)


def guard(hits: Iterable[Hit], claim: Claim, *, benchmark: bool = False) -> Guarded:
    """Sort hits into those that may be used for ``claim`` and those that are held back.

    ``benchmark``: the claim has been checked by others, and their answers are out of bounds. Where one passage of a
    page quotes the claim with a verdict, the page's other passages go with it.
    """
    found = list(hits)
    reasons = [reason_to_hold_back(hit.passage, claim, benchmark=benchmark) for hit in found]
    answers = {
        _page(hit.passage)
        for hit, reason in zip(found, reasons, strict=True)
        if reason == "quoting the claim with a verdict"
    }
    kept: list[Hit] = []
    withheld: list[Withheld] = []
    for hit, own in zip(found, reasons, strict=True):
        reason = own or ("quoting the claim with a verdict" if _page(hit.passage) in answers else None)
        if reason is None:
            kept.append(hit)
        else:
            withheld.append(Withheld(hit=hit, reason=reason))
    matters = benchmark or claim.date is not None
    undated = [hit.passage for hit in kept if matters and is_undated(hit.passage)]
    return Guarded(
        kept=tuple(kept),
        held_back=HeldBack(items=tuple(withheld)),
        undated=tuple(passage.url or passage.title or passage.content_hash for passage in undated),
    )


def reason_to_hold_back(passage: Passage, claim: Claim, *, benchmark: bool = False) -> Reason | None:
    """Why a passage must not be used for a claim, or ``None``. See the module's text for the rules."""
    if claim.date is not None and is_later(passage, claim):
        return "published after the claim"
    if not benchmark and claim.date is None:
        return None
    fact_check = is_fact_check(passage.url)
    if benchmark and fact_check:
        return "from fact-checking sites"
    text = f"{passage.title or ''}\n{passage.text[:MAX_CHARACTERS]}"
    if (fact_check or has_verdict_marks(text, claim.text)) and quoted_share(claim.text, text) >= QUOTED_SHARE:
        return "quoting the claim with a verdict"
    return None


def is_later(passage: Passage, claim: Claim) -> bool:
    """Whether a passage is known to be published after the claim's date."""
    if claim.date is None:
        return False
    if passage.date is not None and passage.date > claim.date:
        return True
    return published_in_address(passage.url).is_after(claim.date)


def is_undated(passage: Passage) -> bool:
    """Whether neither the passage nor its address says when it was published."""
    return passage.date is None and published_in_address(passage.url).earliest is None


def quoted_share(claim: str, text: str) -> float:
    """How much of a claim some stretch of ``text`` repeats: the largest share of its two-word shingles, 0 to 1.

    The stretch has at most ``WINDOW`` times the claim's words. Letter case and punctuation make no difference. In
    Chinese and Japanese, written without spaces, each character is a word.

    >>> quoted_share("5G causes COVID-19.", "FACT CHECK: No, 5G causes COVID-19 is a false claim")
    1.0
    """
    said, words = _words(claim), _words(text)
    wanted = set(_pairs(said))
    if not wanted:  # a claim of one word: there or not
        return float(bool(said) and said[0] in words)
    inside: Counter[tuple[str, str]] = Counter()
    best = 0
    shingles = _pairs(words)
    for end, shingle in enumerate(shingles):
        if shingle in wanted:
            inside[shingle] += 1
        left = end - WINDOW * len(said)
        if left >= 0 and shingles[left] in wanted:
            inside[shingles[left]] -= 1
            if not inside[shingles[left]]:
                del inside[shingles[left]]
        best = max(best, len(inside))
    return best / len(wanted)


def has_verdict_marks(text: str, claim: str) -> bool:
    """Whether a text has the wording of a fact-check: that it is one, a rating, ClaimReview's fields, its makers.

    What the claim says itself is no such mark: "the president called it a hoax" is reported in the same words. The
    marks are English ones, and the core of those in the other languages that claims most often come in.
    """
    said = claim.lower()
    return any(mark.group().lower() not in said for mark in _VERDICT.finditer(text))


_VERDICT = re.compile(
    r"""\b(?:
        fact[- ]?check(?:s|ed|er|ers|ing)? | debunk(?:s|ed|ing)? | hoax(?:es)? | pants[ ]on[ ]fire | four[ ]pinocchios
        | (?:false|misleading|baseless|unfounded|bogus|viral|debunked)[ ](?:claims?|posts?|rumou?rs?|messages?)
        | claims?[ ](?:is|are|was|were)[ ](?:\w+ly[ ])?
          (?:false|true|misleading|incorrect|baseless|unfounded|fake|wrong)
        | (?:rated|we[ ]rate|rating|verdict|ruling|conclusion)\W{0,3}(?:\w+\W{1,3}){0,4}?
          (?:false|true|misleading|incorrect|fake|mixture|unproven|no[ ]evidence)
        | claim: | mostly[ ](?:false|true) | half[- ]true | partly[ ]false | missing[ ]context
        | claim-?reviewed? | reviewrating
        | politifact | snopes | full[ ]fact | factcheck\.org | lead[ ]stories | africa[ ]check | alt[ ]news
        | boom[ ]live | misbar | dubawa | pesacheck | newschecker | vishvas[ ]news | check[ ]your[ ]fact
        # German
        | fakten-?(?:check(?:s|er)?|finder) | falsch(?:meldung|behauptung|nachricht)(?:en)? | fehlinformation(?:en)?
        | (?:behauptung|aussage|meldung)(?:en)?[ ](?:ist|sind|war|waren)[ ](?:\w+[ ])?
          (?:falsch|irreführend|unbelegt|frei[ ]erfunden|unwahr)
        | (?:bewertung|urteil|fazit)\W{0,3}(?:\w+\W{1,3}){0,4}?(?:falsch|richtig|irreführend|unbelegt)
        | behauptung: | mimikama | correctiv
        # French
        | infox | intox | désintox | vrai[ ]ou[ ]faux | c['’]est[ ]faux
        | fausses?[ ](?:informations?|nouvelles?|affirmations?|rumeurs?)
        | (?:affirmation|information|rumeur|vidéo|publication)s?[ ](?:est|sont)[ ](?:\w+[ ])?
          (?:fausse|trompeuse|infondée|mensongère)s?
        | (?:verdict|conclusion)\W{0,3}(?:\w+\W{1,3}){0,4}?(?:faux|vrai|trompeur)
        # Spanish and Portuguese
        | bulos? | desmentid[oa]s? | desinformación | (?:es|é)[ ](?:totalmente[ ])?(?:fals[oa]|engaños[oa]|enganos[oa])
        | (?:noticia|afirmación|notícia|afirmação|alegação)s?[ ](?:\w+[ ])?(?:fals[oa]|engañosa|enganosa)s?
        | (?:veredicto|calificación|conclusión|classificação|conclusão)\W{0,3}(?:\w+\W{1,3}){0,4}?
          (?:fals[oa]|verdader[oa]|verdadeir[oa]|engaños[oa]|enganos[oa])
        | falso: | boatos? | checagem | fato[ ]ou[ ]fake | maldita\.es | newtral | chequeado | aos[ ]fatos
        | agência[ ]lupa
        # Italian
        | bufal[ae] | è[ ](?:fals[oa]|infondat[oa]) | (?:notizi[ae]|affermazion[ei])[ ](?:\w+[ ])?fals[ae]
        # Dutch, Polish, Turkish, Indonesian, Russian
        | nepnieuws | fałsz(?:ywe|ywa)? | fake[ ]newsy? | asılsız | hoaks | фейк(?:и|а|ов)? | фактчек(?:инг)?
    )(?!\w)
    # Chinese, Japanese, Korean, Hindi, Arabic
    | 谣言 | 謠言 | 辟谣 | 闢謠 | 事实核查 | 事實查核 | 不实信息 | 不實訊息 | 假消息 | ファクトチェック | 偽情報 | デマ
    | 팩트체크 | 가짜[ ]?뉴스 | फैक्ट[ ]?चेक | تدقيق[ ]الحقائق | خبر[ ]زائف""",
    re.IGNORECASE | re.VERBOSE,
)


def _page(passage: Passage) -> str:
    return canonical_address(passage.url) if passage.url else passage.content_hash


# Thai and its neighbours, which have no spaces either, are taken apart by their vowel signs, which are no ``\w``.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])\w)+")


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    return list(pairwise(words))
