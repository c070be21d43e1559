"""Claims that rank: "X is the largest country in Africa", "X is the second highest mountain", "one of the oldest …"."""

import datetime as dt
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from wkgfc.evidence import Entity, Evidence, Quantity, Relation, Time, Triple
from wkgfc.reasoning.embedded.findings import Finding, decided
from wkgfc.reasoning.embedded.measured.measures import (
    Measure,
    Order,
    measure,
    measure_of_adjective,
    measure_of_noun,
    measure_of_phrase,
    measure_phrases,
    words,
)
from wkgfc.reasoning.embedded.measured.stated_values import stated_values
from wkgfc.reasoning.embedded.values.calendar_spans import stated_span
from wkgfc.reasoning.embedded.values.quantities import quantity_in_words
from wkgfc.reasoning.embedded.values.times import time_in_words
from wkgfc.reasoning.embedded.values.units import convert, unit_of_label
from wkgfc.reasoning.reasoner import Ranking


@dataclass(frozen=True)
class Superlative:
    """What a claim ranks.

    ``subject`` is the phrase of what it says to come first (or ``rank``-th); ``kind`` the noun for what is compared, in
    the singular ("country"), ``None`` where the claim gives none ("has the largest population in Europe"); ``place``
    the phrase for where, or an adjective ("African"). ``order``: whether the greatest or the least value is meant.
    ``is_among``: "one of the largest". ``is_negated``: the claim denies it. ``is_past``: it speaks of an earlier time.
    """

    subject: str
    measure: Measure
    order: Order
    kind: str | None
    place: str | None = None
    rank: int = 1
    is_among: bool = False
    is_negated: bool = False
    is_past: bool = False

    @property
    def descending(self) -> bool:
        """Whether the ranking begins with the greatest value."""
        return self.order == "greater"


_RANKS = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
_RANK = rf"(?:(?P<rank>{'|'.join(_RANKS)}|\d{{1,2}}(?:st|nd|rd|th))[ -]+)?"
_COPULA = (
    r"(?P<copula>is|are|was|were|became|remains|ranks\s+as|ranked\s+as|has\s+been|isn['’]t|wasn['’]t|aren['’]t|has|have|had"
    r"|is\s+considered|is\s+known\s+as|is\s+currently|was\s+once)(?P<negation>\s+not)?"
)
_END = r"(?:\s*,\s+(?:and|which|who|with|but|covering|located)\b.*)?"


def _any(options: Sequence[str]) -> str:
    return "|".join(re.escape(option).replace(r"\ ", r"\s+") for option in options)


@lru_cache(maxsize=1)
def _forms() -> tuple[re.Pattern[str], ...]:
    superlatives = _any([word for word in words("irregular") if word.endswith("est")])
    adjectives, nouns = _any(words("adjectives")), _any(words("nouns"))
    best = rf"(?:(?P<degree>most|least)\s+(?P<long>{adjectives})|(?P<short>{superlatives}))"
    where = r"(?:\s+(?:in|on|of|within|throughout|from|inside|among)\s+(?P<place>.+?))?"
    by = rf"(?:,?\s+(?P<phrase>{_any(measure_phrases())}))?"
    kind = r"(?P<kind>(?:[A-Za-z-]+\s+){0,3}?[a-z-]+)"
    among = r"(?P<among>(?:one|some|two|three)\s+of\s+|among\s+)?"
    owner = r"(?P<owner>[A-Z][\w.\s-]*?)['’]s?"
    size = r"(?P<size>largest|biggest|highest|greatest|longest|smallest|lowest|shortest|most|fewest)"
    subject, after = r"(?P<subject>[^,]+?(?:,[^,]+,)?)", r"(?P<subject>.+?)"
    article = rf"(?:the|{owner})\s+(?:[a-z]+(?:\s+city)?\s+and\s+(?:the\s+)?)?"
    head = rf"{among}{article}{_RANK}{best}(?:\s+and\s+[a-z-]+(?:\s+[a-z-]+)?)?"
    forms = (
        rf"{subject}\s+{_COPULA}\s+{head}\s+{kind}{by}{where}{by.replace('phrase', 'phrase_after')}{_END}",
        rf"{head}\s+{kind}{by}{where}{by.replace('phrase', 'phrase_after')}\s+{_COPULA}\s+{after}",
        rf"{subject}\s+{_COPULA}\s+{among}{article}{_RANK}{size}\s+(?P<noun>{nouns})s?"
        rf"(?:\s+(?:of|among)\s+(?:any|all)(?:\s+the)?\s+(?P<kind>[a-z]+))?{where}{_END}",
    )
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


_WHOLE_WORLD = re.compile(
    r"(?:the\s+)?(?:whole\s+|entire\s+)?(?:world|earth|globe|planet(?:\s+earth)?|universe|all\s+time|history|existence|all)"
    r"(?:\s+(?:today|now|so\s+far))?",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:there|it|he|she|they|this|that|what|which|who|these|those|we|you|i|one)\b.*", re.IGNORECASE)


def superlative_of(text: str) -> Superlative | None:
    """What ``text`` ranks, or ``None`` where it ranks nothing, or by something that no relation measures."""
    sentence = re.sub(r"(?<!\b[A-Z])[.!]+$", "", text.strip())
    if not re.search(r"est\b|\bmost\b|\bleast\b", sentence, re.IGNORECASE):
        return None
    for pattern in _forms():
        match = pattern.fullmatch(sentence)
        found = _build(match) if match else None
        if found is not None:
            return found
    return None


def _build(match: re.Match[str]) -> Superlative | None:
    groups = match.groupdict()
    subject = _name(groups["subject"])
    copula = (groups.get("copula") or "").lower()
    kind, adjective = _kind(groups.get("kind"))
    measured = _measured(groups, kind)
    has = copula in ("has", "have", "had")
    if measured is None or not subject or has != (groups.get("noun") is not None):
        return None
    if groups.get("noun") is None and kind is None:
        return None
    place = groups.get("owner") or groups.get("place") or adjective
    phrase = groups.get("phrase") or groups.get("phrase_after")
    named = measure_of_phrase(phrase or "")
    is_past = copula.startswith(("was", "were", "ranked"))
    if place is not None:
        cut = _CUT.split(place)[0].strip()
        is_past = is_past or bool(re.search(r"\d{4}|\buntil\b", place[len(cut) :]))
        place, inner = _without_measure(cut)
        named = named or inner
    if place is not None and (_WHOLE_WORLD.fullmatch(place) or place.lower() in ("world", "earth", "today")):
        place = None
    if place is not None and not re.search(r"[A-Z]", place):
        return None  # "in its class": what is compared is not said by a name
    measure_, order = measured
    rank = (groups.get("rank") or "").lower()
    return Superlative(
        subject=subject,
        measure=named or measure_,
        order=order,
        kind=kind.removeprefix("grossing ") if kind else None,
        place=place,
        rank=_RANKS.get(rank) or int(re.sub(r"\D", "", rank) or 1),
        is_among=groups.get("among") is not None,
        is_negated=groups.get("negation") is not None or copula.endswith(("n't", "n’t")),
        is_past=is_past,
    )


_CUT = re.compile(r",|\s(?:until|as\s+of|with|after|when|that|which|for|during|since|in\s+\d{4})\b|\s+and\s+(?=[a-z])")


def _measured(groups: dict[str, str | None], kind: str | None) -> tuple[Measure, Order] | None:
    if groups.get("noun"):
        noun = measure_of_noun(groups["noun"] or "")
        size = (groups.get("size") or "").lower()
        order: Order = "less" if size in ("smallest", "lowest", "shortest", "fewest") else "greater"
        return (noun, order) if noun else None
    word = groups.get("short") or groups.get("long") or ""
    found = measure_of_adjective(word, kind.split(" ")[-1] if kind else None)
    if kind is not None and kind.startswith("grossing "):
        found = (measure("box office"), found[1]) if found else None
    if found is None:
        return None
    measured, order = found
    degree = (groups.get("degree") or "").lower()
    if degree == "least":
        order = "less" if order == "greater" else "greater"
    return measured, order


def _name(phrase: str | None) -> str:
    """The subject without an apposition; empty where it is a pronoun or a clause."""
    name = re.sub(r",.*$", "", (phrase or "").strip()).strip(" \"“”'")
    name = re.sub(r"\s+(?:also|currently|still)$", "", name)
    name = re.sub(r"^(?:currently|undoubtedly|no doubt|named|called|probably|of course|still)\s+", "", name)
    if re.search(
        r"[.!?]\s+[A-Z]|\s(?:is|was|are|were|has|had|that|which|who)\s|\s(?:and|was|were|it|he|she|they)$", name
    ):
        return ""
    if re.match(r"(?:in|on|at|a|an|of|by|to|from|not|[a-z]+ed|originally)\s", name):
        return ""
    return "" if _PRONOUN.fullmatch(name) else name


_PLURALS = {
    "countries": "country",
    "cities": "city",
    "people": "person",
    "universities": "university",
    "men": "man",
    "series": "series",
}
# Words that show that a kind is none: "highest award given by", "fastest growing industry", "the largest in the world".
_PHRASAL = frozenset(
    {
        "of", "in", "on", "for", "by", "given", "to", "the", "a", "from", "at", "with", "earning", "paid", "rated",
        "running", "selling", "growing", "ranked", "ranking", "scoring", "living", "serving", "known",
    }
)  # fmt: skip
_KIN = frozenset({"son", "daughter", "sister", "brother", "child", "sibling", "adviser", "ever", "one"})


def _kind(phrase: str | None) -> tuple[str | None, str | None]:
    """The noun for what is compared, in the singular, and the adjective of a place before it ("African country")."""
    if not phrase:
        return None, None
    parts = phrase.split()
    adjectives = [part for part in parts[:-1] if part[:1].isupper()]
    plain = [part.lower() for part in parts if not part[:1].isupper()]
    if not plain:
        return None, None
    last = plain[-1]
    if _PHRASAL.intersection(plain) or last in _KIN:
        return None, None
    singular = _PLURALS.get(last) or (
        last[:-3] + "y" if last.endswith("ies") else last[:-1] if re.search(r"[^su]s$", last) else last
    )
    modifiers = [part for part in plain[:-1] if part not in ("single", "known", "current", "modern", "such", "ever")]
    return " ".join([*modifiers, singular]), (adjectives[-1] if adjectives else None)


def _without_measure(place: str) -> tuple[str, Measure | None]:
    for phrase in measure_phrases():
        if place.lower().endswith(" " + phrase):
            return place[: -len(phrase)].strip(" ,"), measure_of_phrase(phrase)
    return place, None


def ranking_of(superlative: Superlative, relation: Relation, instance_of: Entity, within: Entity | None) -> Ranking:
    """The question to the knowledge graph, once the ids of the kind and of the place are known.

    ``relation`` is one of ``superlative.measure.relations``: the first that the graph has for entities of the kind.
    """
    return Ranking(relation=relation, instance_of=instance_of, within=within, descending=superlative.descending)


def judge_superlative(
    superlative: Superlative,
    ranked: Sequence[Evidence],
    subjects: Collection[str],
    evidence: Sequence[Evidence] = (),
    as_of: dt.date | None = None,
) -> Finding | None:
    """What a ranking says of a superlative.

    ``ranked`` is the answer to ``ranking_of``, first place first; ``subjects`` are the ids that the subject means. A
    subject that the list does not reach is judged by its own value in ``evidence``, and by nothing if there is none:
    absence from the list refutes nothing.
    """
    places = _places(ranked)
    if not places:
        return None
    compared = max([len(places), *(triple.count or 0 for _, triple in places)])
    position = next((number for number, (_, triple) in enumerate(places, 1) if triple.subject.id in subjects), None)
    if position is not None:
        finding = _judge_position(superlative, places, _with_ties(places, position), compared)
        is_denied = finding is not None and finding.stance.polarity < 0
        return None if superlative.is_past and is_denied else finding  # what was first need not be so any more
    if superlative.is_past or superlative.is_among or superlative.rank > len(places):
        return None
    holder = places[superlative.rank - 1]
    own = stated_values(evidence, subjects, holder[1].relation.id, as_of or dt.datetime.now(dt.UTC).date())
    if not own or any(_beats(superlative, value.value, holder[1].object) is not False for value in own):
        return None
    sentence = (
        f"{_line(superlative, holder[1], superlative.rank)}{_compared(superlative)}; "
        f"the {holder[1].relation.label} of {own[0].triple.subject.label} is {_words(own[0].value)}."
    )
    ids = (holder[0].id, own[0].evidence.id)
    return Finding("superlative", decided(superlative.is_negated), ids, sentence, 0.8)


Place = tuple[Evidence, Triple]


def _places(ranked: Sequence[Evidence]) -> list[Place]:
    """One statement for each subject, the first of the list."""
    found: dict[str, Place] = {}
    for piece in ranked:
        if isinstance(piece.content, Triple) and isinstance(piece.content.object, (Quantity, Time)):
            found.setdefault(piece.content.subject.id, (piece, piece.content))
    return list(found.values())


def _with_ties(places: list[Place], position: int) -> int:
    """The best position among those with the same value."""
    value = places[position - 1][1].object
    return next(number for number, (_, triple) in enumerate(places, 1) if triple.object == value)


def _judge_position(superlative: Superlative, places: list[Place], position: int, compared: int) -> Finding | None:
    own = places[position - 1]
    if superlative.is_among:
        top = max(3, compared // 10)
        if position > top and (compared < 10 or position <= compared // 4):
            return None
        holds, strength, other = position <= top, 0.8, places[0]
    else:
        holds = position == superlative.rank
        strength = 0.9 if compared >= 5 else 0.6
        other = places[superlative.rank - 1] if superlative.rank <= len(places) else places[0]
    sentence = _line(superlative, own[1], position)
    ids = [own[0].id]
    if not holds and other[1].subject.id != own[1].subject.id:
        ids.insert(0, other[0].id)
        rank = next(number for number, place in enumerate(places, 1) if place is other)
        sentence = f"{_line(superlative, other[1], rank)}; {sentence}"
    sentence = f"{sentence[:1].upper()}{sentence[1:]}{_compared(superlative)}."
    return Finding("superlative", decided(holds != superlative.is_negated), tuple(ids), sentence, strength)


def _compared(superlative: Superlative) -> str:
    """What is ranked: " among the countries in Africa", " among African countries"."""
    if superlative.kind is None:
        return f" in {superlative.place}" if superlative.place else ""
    irregular = {singular: plural for plural, singular in _PLURALS.items()}
    ending = superlative.kind[:-1] + "ies" if re.search(r"[^aeiou]y$", superlative.kind) else superlative.kind + "s"
    kinds = irregular.get(superlative.kind, ending)
    if superlative.place is None:
        return f" among the {kinds} of the world"
    if re.search(r"(?:an|ish|ese|ic|ch)$", superlative.place):
        return f" among {superlative.place} {kinds}"
    return f" among the {kinds} in {superlative.place}"


def _line(superlative: Superlative, triple: Triple, position: int) -> str:
    ordinal = {1: "first", **{number: word for word, number in _RANKS.items()}}.get(position, f"number {position}")
    return (
        f"{triple.subject.label} comes {ordinal} by {triple.relation.label} ({_words(triple.object)})"
        if superlative.descending
        else f"{triple.subject.label} comes {ordinal} from below by {triple.relation.label} ({_words(triple.object)})"
    )


def _words(value: object) -> str:
    if isinstance(value, Quantity):
        return quantity_in_words(value)
    return time_in_words(value) if isinstance(value, Time) else str(value)


def _beats(superlative: Superlative, own: Quantity | Time, other: object) -> bool | None:
    """Whether the subject's value would come before the other; ``None`` where they cannot be told apart."""
    if isinstance(own, Time) and isinstance(other, Time):
        one, two = stated_span(own), stated_span(other)
        if one.meets(two):
            return None
        return (one.earliest > two.latest) == superlative.descending
    if isinstance(own, Quantity) and isinstance(other, Quantity):
        unit = unit_of_label(own.unit.label) if own.unit else None
        value = convert(other.amount, unit_of_label(other.unit.label) if other.unit else None, unit)
        if value is None or abs(own.amount - value) <= max(abs(own.amount), abs(value)) * superlative.measure.spread:
            return None
        return (own.amount > value) == superlative.descending
    return None
