"""A claim as the rules over statements read it: its mentions, tense, values, and the words that change what it says."""

import datetime as dt
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple, cast

from wkgfc.evidence import Entity
from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.longer_names import names_around
from wkgfc.reasoning.embedded.claims.negation import denied_spans
from wkgfc.reasoning.embedded.lexicon.cues import Word, pieces_of, stem
from wkgfc.reasoning.embedded.lexicon.relations import TextSpan
from wkgfc.reasoning.embedded.values import QuantityMention, TimeMention, read_quantities, read_times
from wkgfc.state import BeliefState

Tense = Literal["present", "past", "none"]

# How surely a stretch of the claim that nothing links means an entity that a statement names.
LABEL = 0.85  # its whole label
DEMONYM = 0.85  # "American" for the United States of America
PART_OF_LABEL = 0.6  # "rock" for "rock music", "Spielberg" for "Steven Spielberg"

OTHER_NAME = 0.25  # of a link, where another candidate is called what the claim says, and this one is not
OTHER_CASE = 0.5  # of a link of a lower-case word to a part of a name

# How far a noun with a modifier of its own, by spaCy's labels, means what it means alone.
_MODIFIERS = {"compound": 0.2, "poss": 0.25, "nmod": 0.35, "amod": 0.4}
_BEARERS = {
    "band", "group", "singer", "musician", "artist", "album", "song", "film", "movie", "series", "show", "novel",
    "book", "writer", "author", "rapper", "player", "team", "actor", "actress", "producer", "guitarist", "single",
    "game", "duo", "trio", "sitcom", "drama", "comedy", "composer", "star", "club", "league", "magazine", "act",
    "performer", "director", "fiction", "franchise", "program", "programme", "soundtrack", "record", "ep",
    "athlete", "coach", "event", "tournament",
}  # fmt: skip

_APPOSED = {  # "the movement expressionism": the noun says what is named and narrows nothing
    "movement", "genre", "religion", "language", "sport", "disease", "instrument", "style", "award", "prize", "field",
    "profession", "occupation", "group", "industry", "currency", "position", "rank", "degree", "subject",
}  # fmt: skip

_EXCLUSIVE = re.compile(
    r"\b(?:only|exclusively|solely|strictly|merely|nothing but|no one but|nobody but|alone)\b", re.I
)
_DENIALS = re.compile(
    r"\b(?:refus\w*|reject(?:s|ed)?|declin(?:es|ed)|fail(?:s|ed) to|avoid(?:s|ed)?|turn(?:s|ed) down|passed over"
    r"|incapable|unable|lack(?:s|ed)?|without|outside(?: of)?|except(?: for)?|other than|anyone but|anything but"
    r"|anywhere but|yet to|ineligible|fired from|far from|unrelated|unlike|prevented from|banned from|neither)\b",
    re.IGNORECASE,
)
_NUMBERS = r"\s+(?:[$€£\d]|an?\s|one|two|three|four|five|six|seven|eight|nine|ten|half|twice|all)"
_DOUBTS = re.compile(
    r"\b(?:pretend\w*|dream\w*|hop(?:es|ed|ing) to|plan(?:s|ned|ning)? to|want(?:s|ed)? to|tr(?:y|ies|ied) to"
    rf"|(?:almost|nearly)(?!{_NUMBERS})|allegedly|supposedly|rumou?red|instead of|rather than|may have|might"
    r"|could have|would have|stop(?:s|ped)|quit|hate[sd]?|oppos(?:es|ed)|cancel(?:s|ed|led))\b",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:current|currently|still|now|nowadays|today|incumbent|at present|as of today)\b", re.IGNORECASE)
_EQUAL = {
    "actress": "actor",
    "movie": "film",
    "picture": "film",
    "soccer": "football",
    "author": "writer",
    "vocalist": "singer",
    "nation": "country",
    "poetess": "poet",
    "authoress": "writer",
    "cinematographer": "cinematographer",
    "attorney": "lawyer",
    "basketballer": "basketball player",
    "waitress": "waiter",
    "hostess": "host",
    "businesswoman": "businessperson",
    "businessman": "businessperson",
    "telly": "television",
    "tv": "television",
}
_GENERIC_ENDS = {"music", "film", "language"}
_TITLES = {
    "president", "king", "queen", "emperor", "empress", "pope", "sir", "lady", "lord", "dame", "prince", "princess",
    "duke", "duchess", "saint", "st", "dr", "mr", "mrs", "ms", "prof", "professor", "general", "captain", "admiral",
    "chancellor", "minister", "senator", "governor", "bishop", "archbishop", "cardinal", "sultan", "tsar", "jr",
}  # fmt: skip
_LISTED = re.compile(r",|,?\s+or(?:\s+(?:in|on|at|of|from|by|the|an?))*")
_HYPHENS = "-‐‑"
_AFTER_A_HYPHEN = {"born", "based", "language", "speaking", "style", "winning", "nominated", "raised", "educated"}
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")
_SMALL_WORDS = {
    "a", "an", "the", "of", "in", "on", "at", "by", "for", "to", "from", "with", "and", "or", "as", "is", "was",
    "are", "were", "be", "been", "being", "has", "had", "have", "do", "does", "did", "it", "its", "his", "her",
    "their", "he", "she", "they", "this", "that", "which", "who", "whom", "there", "'s", "into", "during", "about",
    "also", "one", "name", "named", "called",
}  # fmt: skip


@dataclass(frozen=True)
class MentionSpan:
    """A linked mention. ``candidates`` maps entity ids to linking scores."""

    span: TextSpan
    text: str
    candidates: dict[str, float]
    entities: tuple[Entity, ...]


class Argument(NamedTuple):
    """Where a claim names an entity, and how surely, in [0, 1]."""

    span: TextSpan
    score: float
    is_linked: bool


@dataclass(frozen=True)
class Reading:
    """What the rules need to know of a claim's text.

    ``is_exclusive``: it says "only". ``is_denied``: it denies in other words than "not" ("refused to", "outside of").
    ``is_doubted``: it says less than that something is so ("hoped to", "almost"). ``is_of_now``: it says "currently".
    """

    text: str
    today: dt.date
    mentions: tuple[MentionSpan, ...]
    tense: Tense
    times: tuple[TimeMention, ...]
    quantities: tuple[QuantityMention, ...]
    is_exclusive: bool
    is_denied: bool
    is_doubted: bool
    is_of_now: bool
    pieces: tuple[Word, ...] = field(repr=False)

    @cached_property
    def denials(self) -> tuple[TextSpan, ...]:
        """Where the words stand by which ``is_denied`` was read."""
        return tuple(TextSpan(match.start(), match.end()) for match in _DENIALS.finditer(self.text))

    def denies(self, span: TextSpan) -> bool:
        """Whether a "not" of the text reaches what stands there."""
        return any(overlaps(span, TextSpan(*denied)) for denied in denied_spans(self.text))

    def alternatives(self, span: TextSpan) -> tuple[TextSpan, ...]:
        """What the claim offers beside the value at ``span``: 1890 beside 1889, in "in 1889 or 1890"."""
        values = sorted(self.others(span))
        listed, joints = [span], ""
        for value in (
            *(value for value in values if value.start >= span.end),
            *(value for value in reversed(values) if value.end <= span.start),
        ):
            first, second = sorted((value, max(listed) if value > span else min(listed)))
            joint = self.text[first.end : second.start].rstrip()
            if _LISTED.fullmatch(joint) is not None:
                listed, joints = [*listed, value], joints + joint
        return tuple(listed[1:]) if "or" in joints else ()

    @cached_property
    def _arguments(self) -> dict[tuple[str, bool], tuple[Argument, ...]]:
        return {}

    @cached_property
    def _positions(self) -> dict[str, list[int]]:
        """The indices of the pieces, by their normal stem."""
        positions: dict[str, list[int]] = {}
        for index, word in enumerate(self.pieces):
            positions.setdefault(_normal(word), []).append(index)
        return positions

    def arguments(self, entity: Entity, *, as_class: bool = False) -> tuple[Argument, ...]:
        """Where the claim names an entity: mentions linked to it, else words that are its label; best first.

        ``as_class``: the entity stands where a class stands, so that a label like "Chemical element" is a common noun
        with a capital and no name.
        """
        key = (entity.id, as_class)
        if key not in self._arguments:
            self._arguments[key] = self._arguments_of(entity, as_class)
        return self._arguments[key]

    def _arguments_of(self, entity: Entity, as_class: bool) -> tuple[Argument, ...]:
        linked = [
            Argument(
                mention.span,
                mention.candidates[entity.id]
                * _agreement(mention, entity)
                * self._narrowness(mention.span, entity.label)
                * self._wholeness(mention.span, entity),
                True,
            )
            for mention in self.mentions
            if entity.id in mention.candidates
        ]
        if linked:
            return tuple(sorted(linked, key=lambda argument: (-argument.score, argument.span)))
        is_title = as_class and entity.label[1:] == entity.label[1:].lower()
        return self.named(entity.label[:1].lower() + entity.label[1:] if is_title else entity.label)

    def others(self, *spans: TextSpan | None) -> tuple[TextSpan, ...]:
        """The spans of the mentions, times and quantities that overlap with none of ``spans``."""
        places = [mention.span for mention in self.mentions]
        places += [TextSpan(time.value_start, time.end) for time in self.times]
        places += [TextSpan(quantity.start, quantity.end) for quantity in self.quantities]
        taken = [span for span in spans if span is not None]
        return tuple(dict.fromkeys(place for place in places if not any(overlaps(place, span) for span in taken)))

    def assertions(self) -> tuple[TextSpan, ...]:
        """What the claim asserts besides words: its mentions, times, quantities and demonyms."""
        demonyms = [TextSpan(word.start, word.end) for word in self.pieces if (_normal(word),) in _demonym_runs()]
        return tuple(dict.fromkeys((*self.others(), *demonyms)))

    def named(self, label: str) -> tuple[Argument, ...]:
        """Where the claim has the words of a label, whatever is linked there; best first."""
        found = [
            Argument(span, score * self._narrowness(span, label), False)
            for form, score in label_forms(label)
            for span in self._runs(form, is_name=label[:1].isupper())
            if not any(overlaps(span, mention.span) and not _holds(span, mention.span) for mention in self.mentions)
        ]
        best: dict[TextSpan, Argument] = {}
        for argument in found:
            if argument.span not in best or argument.score > best[argument.span].score:
                best[argument.span] = argument
        return tuple(sorted(best.values(), key=lambda argument: (-argument.score, argument.span)))

    def _runs(self, form: tuple[str, ...], *, is_name: bool) -> list[TextSpan]:
        """The places where the stems of ``form`` stand in a row."""
        spans: list[TextSpan] = []
        for first in self._positions.get(form[0], ()):
            run = self.pieces[first : first + len(form)]
            if tuple(map(_normal, run)) != form:
                continue
            span = TextSpan(run[0].start, run[-1].end)
            if self._is_cut(first, first + len(form)):
                continue
            if not is_name or any(character.isupper() for character in self.text[span.start : span.end]):
                spans.append(span)
        return spans

    def _narrowness(self, span: TextSpan, label: str) -> float:
        """How far a common noun stands for itself: "rock" in "folk rock" names something narrower."""
        if label[:1].isupper():
            return 1.0
        last = max(
            (token for token in parse(self.text) if token.idx < span.end), key=lambda token: token.idx, default=None
        )
        if last is None:
            return 1.0
        if last.dep_ in _MODIFIERS and last.head.i > last.i and last.head.text.lower() not in _BEARERS:
            return _MODIFIERS[last.dep_]
        left = [token for token in last.lefts if token.dep_ in _MODIFIERS and token.idx + len(token) <= span.start]
        narrowing = [
            token
            for token in left
            if not token.ent_type_
            and token.lower_ not in _APPOSED
            and not any(overlaps(TextSpan(token.idx, token.idx + len(token)), each.span) for each in self.mentions)
        ]
        return min((_MODIFIERS[token.dep_] for token in narrowing), default=1.0)

    def _wholeness(self, span: TextSpan, entity: Entity) -> float:
        """How surely a mention means itself and not the longest name around it, by its share of that name's words.

        "French" in "Excuse My French" and "Rye" in "The Catcher in the Rye" are of another thing. Titles, demonyms,
        words that other mentions have and words of the entity's own label take nothing from a mention. A mention
        without a capital is no name.
        """
        if not any(map(str.isupper, self.text[span.start : span.end])):
            return 1.0
        own = {_normal(word) for word in pieces_of(entity.label)}
        others = [mention.span for mention in self.mentions if not _holds(span, mention.span)]
        least = 1.0
        for name in names_around(self.text, span):
            words = [word for word in self.pieces if word.start >= name.start and word.end <= name.end]
            inside = [word for word in words if overlaps(TextSpan(word.start, word.end), span)]
            further = [
                word
                for word in words
                if word not in inside
                and word.text not in _SMALL_WORDS
                and word.text not in _TITLES
                and not word.text[0].isdigit()
                and (_normal(word),) not in _demonym_runs()
                and _normal(word) not in own
                and not any(overlaps(TextSpan(word.start, word.end), other) for other in others)
            ]
            said = [word for word in inside if word.text not in _SMALL_WORDS]
            least = min(least, len(said) / (len(said) + len(further)) if said else 1.0)
        return least * least  # most of a name is not the name

    def _is_cut(self, first: int, after: int) -> bool:
        """Whether a run of pieces begins or ends within a word: "writer" in "singer-songwriter", not in "-born"."""
        before = self.text[self.pieces[first].start - 1 : self.pieces[first].start]
        if before in _HYPHENS and before:
            return True
        last = self.pieces[after - 1]
        if self.text[last.end : last.end + 1] not in _HYPHENS or last.end == len(self.text):
            return False
        return not (after < len(self.pieces) and self.pieces[after].text in _AFTER_A_HYPHEN)


def _agreement(mention: MentionSpan, entity: Entity) -> float:
    """Less than 1 where the mention is the very name of another candidate, or writes a name as a common noun."""
    said = tuple(map(_normal, pieces_of(mention.text)))

    def is_named(other: Entity) -> bool:
        return any(form == said for form, _ in label_forms(other.label))

    if is_named(entity):
        return 1.0
    if mention.text[:1].islower() and entity.label[:1].isupper():
        return OTHER_CASE
    return OTHER_NAME if any(is_named(other) for other in mention.entities if other.id != entity.id) else 1.0


def overlaps(first: TextSpan, second: TextSpan) -> bool:
    """Whether two spans share a character."""
    return first.start < second.end and second.start < first.end


def _holds(outer: TextSpan, inner: TextSpan) -> bool:
    """Whether the first span is the second or more: "President of France" has the mention "France" in it."""
    return outer.start <= inner.start and inner.end <= outer.end


def _normal(word: Word) -> str:
    return stem(_EQUAL.get(word.text, _EQUAL.get(word.stem, word.text)))


@lru_cache(maxsize=8192)
def label_forms(label: str) -> tuple[tuple[tuple[str, ...], float], ...]:
    """The runs of stems by which a text may name what bears the label, each with how surely it does."""
    bare = _BRACKETS.sub("", label).strip() or label
    pieces = list(pieces_of(bare))
    if pieces and pieces[0].text in {"the", "a", "an"}:
        pieces = pieces[1:]
    whole = tuple(map(_normal, pieces))
    if not whole:
        return ()
    forms = [(whole, LABEL)]
    if len(whole) > 1 and pieces[-1].text in _GENERIC_ENDS:
        forms.append((whole[:-1], PART_OF_LABEL))
    if len(whole) > 1 and whole[:1] in _demonym_runs():  # "yen" for "Japanese yen", "dollar" for "Canadian dollar"
        forms.append((whole[1:], PART_OF_LABEL))
    forms.extend((form, DEMONYM) for form in _demonyms().get(bare.lower(), ()))
    return tuple(forms)


@lru_cache(maxsize=1)
def _demonyms() -> dict[str, tuple[tuple[str, ...], ...]]:
    """For the label of a country, in lower case: the runs of stems of its demonyms."""
    text = files("wkgfc.reasoning.embedded.lexicon").joinpath("demonyms.json").read_text(encoding="utf-8")
    table = cast(dict[str, list[str]], json.loads(text)["demonyms"])
    forms: dict[str, list[tuple[str, ...]]] = {}
    for demonym, countries in table.items():
        for country in countries:
            forms.setdefault(country.lower(), []).append(tuple(map(_normal, pieces_of(demonym))))
    return {country: tuple(runs) for country, runs in forms.items()}


def is_demonym(text: str) -> bool:
    """Whether the text is a word for the people of a country: "American", "the French"."""
    words = tuple(_normal(word) for word in pieces_of(text) if word.text not in {"the", "a", "an"})
    return words in _demonym_runs()


@lru_cache(maxsize=1)
def _demonym_runs() -> frozenset[tuple[str, ...]]:
    runs = {run for runs in _demonyms().values() for run in runs}
    return frozenset(runs | {(*run[:-1], f"{run[-1]}s") for run in runs})


def read_claim_text(state: BeliefState, text: str | None = None) -> Reading:
    """The reading of a claim, or of the part ``text`` of it, under the linking that the state has."""
    text = state.claim.text if text is None else text
    return Reading(
        text=text,
        today=state.claim.reference_date,
        mentions=_mentions(text, state),
        tense=_tense(text),
        times=read_times(text, state.claim.reference_date),
        quantities=read_quantities(text),
        is_exclusive=bool(_EXCLUSIVE.search(text)),
        is_denied=bool(_DENIALS.search(text)),
        is_doubted=bool(_DOUBTS.search(text)),
        is_of_now=bool(_NOW.search(text)),
        pieces=pieces_of(text),
    )


def _mentions(text: str, state: BeliefState) -> tuple[MentionSpan, ...]:
    found: list[MentionSpan] = []
    for mention, candidates in state.topic_entities.items():
        for span in _occurrences(text, mention):
            scores: dict[str, float] = {}
            for entity, score in candidates:
                scores[entity.id] = max(score, scores.get(entity.id, 0.0))
            found.append(MentionSpan(span, mention, scores, tuple(entity for entity, _ in candidates)))
    return tuple(sorted(found, key=lambda mention: (mention.span, mention.text)))


def _occurrences(text: str, mention: str) -> list[TextSpan]:
    """The whole-word occurrences of a mention, as it is written or else in any case."""
    if not mention.strip():
        return []
    pattern = rf"(?<!\w){re.escape(mention)}(?!\w)"
    for flags in (re.NOFLAG, re.IGNORECASE):
        spans = [TextSpan(match.start(), match.end()) for match in re.finditer(pattern, text, flags)]
        if spans:
            return spans
    return []


def _tense(text: str) -> Tense:
    """The tense of the main verb: what "is" means at the claim's date and "was" does not."""
    for token in parse(text):
        if token.dep_ != "ROOT":
            continue
        verbs = [token, *(child for child in token.children if child.dep_ in {"aux", "auxpass", "cop"})]
        tenses = [
            tense for verb in verbs for tense in verb.morph.get("Tense", []) if "Fin" in verb.morph.get("VerbForm", [])
        ]
        if tenses:
            return "present" if "Pres" in tenses else "past"
    return "none"


def content_words(text: str) -> Sequence[Word]:
    """The words that say something: without articles, pronouns, prepositions and auxiliaries."""
    return [word for word in pieces_of(text) if word.text not in _SMALL_WORDS]
