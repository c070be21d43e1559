"""What the embedded reasoner knows of relations: how English says them, what their objects are, how many they have.

``relations.json`` describes Wikidata properties, by id. For a statement (s, relation, o) its cues (``cues.py``) are

* ``forward``: stand after s and before o ("s was *born in* o");
* ``backward``: stand after o and before s ("o *wrote* s");
* ``role``: what o is to s ("the *author* of s is o", "s's *author* o");
* ``subject_role``: what s is to o ("s is a *novel* by o").

``one_value`` marks relations where another value speaks against the claim. It is set where most subjects of the
Wikidata subset have one value (``single_share``, measured by ``benchmarks/relations.py``) and sense says the same: a
person is born once, but a film that is set in Paris may be set in Rome too. A relation without an entry is known by
the words of its label alone, and never counts as one-value.
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from wkgfc.evidence import Direction, Relation
from wkgfc.reasoning.embedded.lexicon.cues import (
    Cue,
    CueIndex,
    CueMatch,
    Word,
    find_cues,
    index_cues,
    is_light,
    parse_cue,
    pieces_of,
    words_of,
)

CueKind = Literal["forward", "backward", "role", "subject_role"]
ObjectKind = Literal[
    "place", "country", "continent", "person", "organisation", "actor", "work", "event", "class", "language", "entity",
    "name", "time", "quantity",
]  # fmt: skip
CUE_KINDS: tuple[CueKind, ...] = ("forward", "backward", "role", "subject_role")

# How well the places of the cue, the subject and the object in the text fit together.
FRONTED = 0.85  # "Directed by o, s is …", "On o, s was born"
REVERSED = 0.15  # the cue with subject and object exchanged
LONE_OTHER_SIDE = 0.4  # no object given, and the subject stands where the object should
OTHER_POSSESSOR = 0.35  # "the author of something else"
NO_POSSESSOR = 0.5  # "s had o as author"
HAVING = 0.95  # "s has the atomic number o"
COMPOUND = 0.75  # "the CBS series", without a genitive
UNCONNECTED_ROLE = 0.7  # nothing says that the other argument is who has the role
INTERVENING = 0.6  # another mention stands between
PER_WORD = 0.94  # each word between the cue and its argument
FALLBACK = 0.5  # the words of the label, where no cue stands
SURER = 2.0  # times the weight of a cue from which on a longer one around it leaves it none: "official language of"

_DESCRIBED = {"place", "country", "continent", "person", "organisation", "actor", "work", "language", "class", "entity"}
_BEARERS_OF_ROLES = {"person", "actor", "organisation", "place", "work", "entity", "event"}
_POSSESSOR_WORDS = 9  # how far after "of" the possessor may begin: "director of the 1974 crime film …"
_PREPOSITIONS = {
    "of", "for", "to", "in", "at", "on", "behind", "from", "with",
}  # fmt: skip
_BEFORE_FRONTED = {"in", "on", "at", "from", "by", "during", "for", "with", "since", "until", "around", "the"}
_COPULAS = {
    "is", "was", "are", "were", "be", "been", "being", "became", "remains", "as", "namely", "named", "called",
    "include", "includes", "included", "including",
}  # fmt: skip
_HAVING = (["has"], ["have"], ["had"])
_LIST = {
    "and", "or", ",", "&", "as", "well",
}  # fmt: skip
_STOP_WORDS = {
    "of", "the", "a", "an", "in", "on", "at", "by", "for", "to", "or", "and", "is", "was", "with", "from", "as",
    "its", "it", "has", "have", "that", "which", "place", "date", "number",
}  # fmt: skip


class TextSpan(NamedTuple):
    """A stretch of a text, in characters."""

    start: int
    end: int


@dataclass(frozen=True)
class Profile:
    """One entry of the lexicon. ``says`` and ``says_inverse`` are sentences with ``{s}``, ``{o}`` and ``{a}``."""

    id: str
    label: str
    object: ObjectKind
    one_value: bool = False
    single_share: float | None = None
    symmetric: bool = False
    inverse: tuple[str, ...] = ()
    says: str = ""
    says_inverse: str = ""
    cues: tuple[tuple[CueKind, str], ...] = ()


@dataclass(frozen=True)
class RelationMatch:
    """How well a relation fits a claim.

    ``cue`` is the stretch that says it best, where one does; ``cues`` are all that say it ("belongs to", "movement").
    """

    relation: Relation
    direction: Direction
    score: float
    cue: TextSpan | None = None
    cues: tuple[TextSpan, ...] = ()


class _Owner(NamedTuple):
    relation: str
    kind: CueKind


@lru_cache(maxsize=1)
def lexicon() -> dict[str, Profile]:
    """All entries, by property id."""
    text = files("wkgfc.reasoning.embedded.lexicon").joinpath("relations.json").read_text(encoding="utf-8")
    entries: dict[str, dict[str, Any]] = json.loads(text)["relations"]
    return {identifier: _profile(identifier, entry) for identifier, entry in entries.items()}


def _profile(identifier: str, entry: dict[str, Any]) -> Profile:
    cues = tuple((kind, cue) for kind in CUE_KINDS for cue in entry.get(kind, []))
    fields = {name: value for name, value in entry.items() if name not in CUE_KINDS and name != "inverse"}
    return Profile(id=identifier, cues=cues, inverse=tuple(entry.get("inverse", ())), **fields)


@lru_cache(maxsize=1)
def role_nouns() -> frozenset[str]:
    """The nouns by which the lexicon says what something named is to something else: author, capital, founder."""
    return frozenset(
        pieces[-1].stem
        for profile in lexicon().values()
        if profile.object in _DESCRIBED
        for kind, cue in profile.cues
        if kind == "role"
        for form in cue.partition("~")[0].split()[-1].split("|")
        if (pieces := pieces_of(form))
    )


@lru_cache(maxsize=4096)
def profile_of(identifier: str, label: str) -> Profile:
    """The entry of a relation, or one made of its label."""
    known = lexicon().get(identifier)
    return known or Profile(id=identifier, label=label, object="entity", cues=_cues_of_label(label))


def _cues_of_label(label: str) -> tuple[tuple[CueKind, str], ...]:
    words = [word.text for word in words_of(label)]
    if not words:
        return ()
    phrase = " ".join(words)
    if words[-1] in _PREPOSITIONS or words[-1] in {"by", "after"}:
        cues: list[tuple[CueKind, str]] = [("forward", phrase)]
        if len(words) > 1 and words[-1] == "of":
            cues.append(("subject_role", " ".join(words[:-1])))
        return tuple(cues)
    return (("role", phrase), ("forward", f"{phrase}~0.7"))


@lru_cache(maxsize=1)
def _index() -> CueIndex[_Owner]:
    return index_cues(
        (_Owner(profile.id, kind), parse_cue(cue)) for profile in lexicon().values() for kind, cue in profile.cues
    )


@lru_cache(maxsize=1024)
def _index_of_label(identifier: str, label: str) -> CueIndex[_Owner]:
    cues: list[tuple[_Owner, Cue]] = []
    for kind, cue in profile_of(identifier, label).cues:
        cues.append((_Owner(identifier, kind), parse_cue(cue)))
    return index_cues(cues)


@lru_cache(maxsize=2048)
def is_crossed(text: str, span: TextSpan) -> bool:
    """Whether the stretch takes a word from a longer noun for a role: "state of", in "head of state of"."""
    words = words_of(text)
    for matches in _matches(text).values():
        for match in matches:
            role = TextSpan(words[match.first].start, words[match.last].end)
            is_longer = role.end - role.start > span.end - span.start
            if is_longer and match.owner.kind == "role" and role.start < span.end and span.start < role.end:
                return True
    return False


@lru_cache(maxsize=512)
def _matches(text: str) -> dict[str, tuple[CueMatch[_Owner], ...]]:
    """The cues of the lexicon that stand in a text, by relation."""
    found: dict[str, list[CueMatch[_Owner]]] = {}
    matches = list(find_cues(words_of(text), _index()))
    for match in matches:
        if not any(_is_inside(match, other) and other.weight >= SURER * match.weight for other in matches):
            found.setdefault(match.owner.relation, []).append(match)
    return {identifier: _longest(matches) for identifier, matches in found.items()}


def _longest(matches: Sequence[CueMatch[_Owner]]) -> tuple[CueMatch[_Owner], ...]:
    """Without the verbs that stand inside a longer one: in "directed by", "directed" is no cue of its own."""
    return tuple(
        match
        for match in matches
        if "role" in match.owner.kind or not any(_is_inside(match, other) for other in matches)
    )


def _is_inside(match: CueMatch[_Owner], other: CueMatch[_Owner]) -> bool:
    """Whether a cue is a part of a longer one that says a relation: in "official language of", "language of"."""
    return (
        other.first <= match.first
        and match.last <= other.last
        and other.last - other.first > match.last - match.first
        and "role" not in other.owner.kind
    )


def match_relations(
    text: str,
    subject: TextSpan,
    object_: TextSpan | None,
    relations: Iterable[tuple[Relation, Direction]],
    others: Sequence[TextSpan] = (),
) -> list[RelationMatch]:
    """How well each relation fits what ``text`` says of ``subject`` (and ``object_``), best first.

    Direction "out" reads the mention ``subject`` as the subject of the statement, "in" as its object. ``others`` are
    the other mentions of the claim. Scores are in [0, 1]; a relation that nothing speaks for has 0. Ties are broken
    by id.
    """
    around = _places(text, subject, object_, tuple(others))
    scored = [_match(text, around, relation, direction) for relation, direction in relations]
    return sorted(scored, key=lambda match: (-match.score, match.relation.id, match.direction))


def cued_relations(text: str) -> frozenset[str]:
    """The ids of the lexicon's relations of which a text has a cue; no match of another one has a cue."""
    return frozenset(_matches(text))


class _Range(NamedTuple):
    """Words from ``first`` to ``last``, both included."""

    first: int
    last: int

    def holds(self, word: int) -> bool:
        return self.first <= word <= self.last

    def overlaps(self, first: int, last: int) -> bool:
        return self.first <= last and first <= self.last


def _range(words: Sequence[Word], span: TextSpan) -> _Range | None:
    inside = [index for index, word in enumerate(words) if word.start < span.end and span.start < word.end]
    while len(inside) > 1 and words[inside[-1]].text == "'s":
        inside.pop()
    return _Range(inside[0], inside[-1]) if inside else None


class _Places(NamedTuple):
    """The words of the text, and where subject, object and others stand in it. ``outside``: the other words' stems."""

    text: str
    words: tuple[Word, ...]
    subject: _Range | None
    object: _Range | None
    others: tuple[_Range, ...]
    outside: frozenset[str]


@lru_cache(maxsize=4096)  # asked for many relations, one after the other
def _places(text: str, subject: TextSpan, object_: TextSpan | None, others: tuple[TextSpan, ...]) -> _Places:
    words = words_of(text)
    first, second = _range(words, subject), _range(words, object_) if object_ else None
    arguments = [span for span in (first, second) if span is not None]
    return _Places(
        text,
        words,
        first,
        second,
        tuple(span for other in others if (span := _range(words, other)) is not None),
        frozenset(word.stem for index, word in enumerate(words) if not any(span.holds(index) for span in arguments)),
    )


def _match(text: str, places: _Places, relation: Relation, direction: Direction) -> RelationMatch:
    profile = profile_of(relation.id, relation.label)
    if relation.id in lexicon():
        matches = _matches(text).get(relation.id, ())
    else:
        matches = tuple(find_cues(places.words, _index_of_label(relation.id, relation.label)))
    s, o = (places.subject, places.object) if direction == "out" else (places.object, places.subject)
    best, cue = 0.0, None
    cues: list[TextSpan] = []
    exchanged = _exchanged_roles(places, profile, matches, s, o)
    for match in matches:
        if match.owner.kind in {"forward", "backward"} and any(
            role.overlaps(match.first, match.last) for role in exchanged
        ):
            continue
        if s and o and profile.object == "quantity" and _follows_number(match, s, o):
            fit = _nearness(places, s.last, o.first, (s, o))
        elif any(end and end.overlaps(match.first, match.last) for end in (s, o)):
            continue
        else:
            fit = _fit(places, match, s, o)
        if profile.symmetric:
            fit = max(fit, _fit(places, match, o, s))
        stretch = TextSpan(places.words[match.first].start, places.words[match.last].end)
        if fit > REVERSED:
            cues.append(stretch)
        if match.weight * fit > best:
            best, cue = match.weight * fit, stretch
    if best < FALLBACK and relation.label and not exchanged:
        best = max(best, FALLBACK * _label_share(places, relation.label))
    return RelationMatch(relation, direction, best, cue, tuple(dict.fromkeys(cues)))


def _exchanged_roles(
    places: _Places, profile: Profile, matches: Sequence[CueMatch[_Owner]], s: _Range | None, o: _Range | None
) -> list[_Range]:
    """Where a noun says the relation of the two the other way round: "o" has the author, in "s is the author of o".

    What is no thing can stand after "of" and be the object all the same: "an area of 5 ha", "citizenship of o".
    """
    if s is None or o is None or profile.symmetric or profile.object not in _BEARERS_OF_ROLES:
        return []
    candidates = [s, o, *places.others]
    wrong: dict[CueKind, _Range] = {"role": o, "subject_role": s}
    return [
        _Range(match.first, match.last)
        for match in matches
        if match.owner.kind in wrong
        and _is_genitive(places.words, match)
        and _possessor(places.words, match, candidates)[0] == wrong[match.owner.kind]
    ]


def _is_genitive(words: Sequence[Word], match: CueMatch[_Owner]) -> bool:
    """Whether "of" follows the noun, or "'s" stands shortly before it."""
    after = [word.text for word in words[match.last + 1 : match.last + 2]]
    before = [word.text for word in words[max(match.first - 5, 0) : match.first]]
    return "of" in after or "'s" in before


def _follows_number(match: CueMatch[_Owner], s: _Range, o: _Range) -> bool:
    """Whether the cue says what a number measures: "s is 50 metres *tall*", "s has 90 *inhabitants*"."""
    is_inside = o.first <= match.first and match.last <= o.last  # "s is *larger than* 90 km2"
    return match.owner.kind == "forward" and s.last < o.first and (is_inside or o.first < match.first <= o.last + 2)


def _fit(places: _Places, match: CueMatch[_Owner], s: _Range | None, o: _Range | None) -> float:
    match match.owner.kind:
        case "forward":
            return _verb_fit(places, match, s, o)
        case "backward":
            return _verb_fit(places, match, o, s)
        case "role":
            return _role_fit(places, match, s, o)
        case "subject_role":
            return _role_fit(places, match, o, s)


def _verb_fit(places: _Places, match: CueMatch[_Owner], before: _Range | None, after: _Range | None) -> float:
    """The fit of a cue that ``before`` should precede and ``after`` follow; either may be unknown, not both."""
    if before is None or after is None:
        known = before or after
        if known is None:
            return 0.0
        is_right_side = known.last < match.first if before else known.first > match.last
        return 1.0 if is_right_side else LONE_OTHER_SIDE
    if before.last < match.first and match.last < after.first:
        near = math.sqrt(_nearness(places, before.last, match.first, (before, after)))
        return near * _nearness(places, match.last, after.first, (before, after))
    if match.last < after.first and after.last < before.first and _is_comma_between(places, after, before):
        return FRONTED * _nearness(places, match.last, after.first, (before, after))
    if after.last < before.first and before.last < match.first and _is_fronted(places, after, before):
        return FRONTED * _nearness(places, before.last, match.first, (before, after))
    return REVERSED


def _is_fronted(places: _Places, first: _Range, second: _Range) -> bool:
    """Whether the first stands as in "On o, s was born" or "Born at o, s …"."""
    before = places.words[first.first - 1].text if first.first else ""
    return before in _BEFORE_FRONTED or (first.first == 0 and _is_comma_between(places, first, second))


def _is_comma_between(places: _Places, first: _Range, second: _Range) -> bool:
    """Whether the two are parted as in "Directed by o, s is …"."""
    return "," in places.text[places.words[first.last].end : places.words[second.first].start]


def _nearness(places: _Places, last: int, first: int, arguments: tuple[_Range, _Range]) -> float:
    """How near two places are: less for every word between, and for another mention that is not in a list with it."""
    between = range(last + 1, first)
    mentions = [other for other in places.others if other not in arguments and any(map(other.holds, between))]
    bare = [
        places.words[index]
        for index in between
        if not any(other.holds(index) for other in mentions) and not is_light(places.words[index])
    ]
    is_list = bool(mentions) and all(word.text in _LIST for word in bare)
    if is_list:
        return PER_WORD
    words = [word for word in bare if word.text not in _PREPOSITIONS and word.text not in _COPULAS]
    return math.pow(PER_WORD, len(words)) * (INTERVENING if mentions else 1.0)


def _role_fit(places: _Places, match: CueMatch[_Owner], holder: _Range | None, filler: _Range | None) -> float:
    """The fit of a noun that says what ``filler`` is to ``holder``."""
    candidates = [span for span in (holder, filler, *places.others) if span is not None]
    possessor, quality = _possessor(places.words, match, candidates)
    if possessor is None:
        quality = NO_POSSESSOR
    elif filler is not None and possessor == filler:
        return REVERSED
    elif holder is None or possessor != holder:
        quality = OTHER_POSSESSOR if holder is not None else quality
    if filler is None:
        return quality
    return quality * (1.0 if _is_connected(places, match, holder, filler) else UNCONNECTED_ROLE)


def _possessor(
    words: Sequence[Word], match: CueMatch[_Owner], candidates: Sequence[_Range]
) -> tuple[_Range | None, float]:
    """Whose role it is: the mention after "of", before "'s", or right before the noun."""
    before = next((index for index in range(match.first - 1, -1, -1) if not is_light(words[index])), None)
    if before is not None and words[before].text == "as":  # "s uses o as its currency"
        first = min((span for span in candidates if span.last < before), key=lambda span: span.first, default=None)
        if first is not None:
            return first, HAVING
    after = match.last + 1
    if after < len(words) and words[after].text in _PREPOSITIONS:
        following = [span for span in candidates if after < span.first <= after + _POSSESSOR_WORDS]
        if following:
            return min(following, key=lambda span: span.first), 1.0
    for span in candidates:
        between = words[span.last + 1 : match.first]
        if between and between[0].text == "'s" and len(between) <= 5:
            if not any(word.text in _PREPOSITIONS for word in between):
                return span, 1.0
        elif not between and span.last < match.first:
            return span, COMPOUND
        elif span.last < match.first and [word.text for word in between if not is_light(word)] in _HAVING:
            return span, HAVING
    return None, 0.0


def _is_connected(places: _Places, match: CueMatch[_Owner], holder: _Range | None, filler: _Range) -> bool:
    """Whether a copula or nothing at all stands between the noun (with its possessor) and who has the role."""
    first = min(match.first, holder.first) if holder and holder.first > match.last else match.first
    last = max(match.last, holder.last) if holder and holder.first > match.last else match.last
    if holder and holder.last < match.first and filler.last < holder.first:
        first = holder.first
    if filler.first > last:
        between = places.words[last + 1 : filler.first]
    elif filler.last < first:
        between = places.words[filler.last + 1 : first]
    else:
        between = places.words[min(match.last, filler.last) + 1 : max(match.first, filler.first)]
    bare = [word for word in between if not is_light(word) and word.text != "'s"]
    if not bare:
        return True
    return bare[0].text in _COPULAS or bare[-1].text in _COPULAS


def _label_share(places: _Places, label: str) -> float:
    """The share of the label's own words that the text has outside subject and object."""
    wanted = _words_of_label(label)
    return len(wanted & places.outside) / len(wanted) if wanted else 0.0


@lru_cache(maxsize=8_192)
def _words_of_label(label: str) -> frozenset[str]:
    return frozenset(word.stem for word in pieces_of(label.lower()) if word.text not in _STOP_WORDS)
