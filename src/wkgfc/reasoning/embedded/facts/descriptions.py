"""What a claim describes without naming it: "the author of X", "a country whose capital is Y", "the man who wrote Z".

Such a claim says two things of one unnamed thing: what the description says, and what the rest of the claim says. One
of the two is looked up in the evidence graph; whatever bears it out stands in the description's place, and the other
is judged as a claim of its own. So the rules for dates, single values, denial, comparison and rank hold for paths of
two hops and more as they do for one.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from wkgfc.evidence import Entity, Evidence, Rank, Triple
from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.clauses import text_of
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.lexicon.cues import stem
from wkgfc.reasoning.embedded.lexicon.relations import TextSpan, match_relations, role_nouns
from wkgfc.state import BeliefState

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

LEAST_FIT = 0.6  # how well a relation must fit what a description says
CLOSE = 0.75  # of the best one's strength: a second thing that is described as well ("the directors of X")
MOST = 3  # things that one description may mean
DEPTH = 3  # descriptions within each other
SLOT = "{}"  # where what is described stands in what is said of it
_CLAUSE_PRONOUNS = {"who", "which", "that"}


@dataclass(frozen=True)
class Description:
    """A phrase of a claim, ``text[start:end]``, and what it says of the thing that it means.

    ``says`` is a statement with ``{}`` in the place of that thing. ``is_clause``: by a relative clause.
    """

    start: int
    end: int
    says: str
    is_clause: bool


@dataclass(frozen=True)
class Resolved:
    """A claim with its descriptions replaced by names: ``text``, under the linking that ``state`` has.

    ``evidence_ids`` and ``triples`` bear out that the descriptions mean what stands there, as surely as ``strength``
    in [0, 1] says. ``is_complete``: nothing else that is not at hand may be meant as well.
    """

    text: str
    state: BeliefState
    entities: tuple[Entity, ...]
    evidence_ids: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = ()
    strength: float = 1.0
    is_complete: bool = True

    @property
    def sentence(self) -> str:
        """The statements by which the descriptions were resolved, in words."""
        return " ".join(dict.fromkeys(map(verbalise, self.triples)))


def resolve(state: BeliefState, text: str) -> tuple[Resolved, ...]:
    """The readings of ``text`` with names for its descriptions; none where it has none, or nothing bears one out."""
    readings = tuple(_resolved(Resolved(text, state, ()), DEPTH))
    return tuple(reading for reading in readings if reading.entities)


def has_description(text: str) -> bool:
    """Whether the text speaks of something that it describes and does not name."""
    return bool(descriptions_of(text))


def _resolved(reading: Resolved, depth: int) -> Iterator[Resolved]:
    for description in descriptions_of(reading.text) if depth else ():
        found = _meant(reading, description)
        if found:
            for each in found:
                yield from _resolved(each, depth - 1)
            return
    yield reading


def _meant(reading: Resolved, description: Description) -> list[Resolved]:
    """The reading with each thing that a description may mean in its place, the surest first."""
    before, after = reading.text[: description.start], reading.text[description.end :]
    names = _names_in(reading.state, description.says)
    known, judged = (
        (description.says, f"{before}{SLOT}{after}") if names else (f"{before}{SLOT}{after}", description.says)
    )
    names = names or _names_in(reading.state, known)
    found: dict[str, Resolved] = {}
    for evidence, triple in reading.state.evidence.triples():
        if triple.rank is Rank.DEPRECATED or evidence.from_passage is not None:
            continue
        for name, near, score, far in _ends(triple, names):
            strength = _fit(known, name, near, far, triple) * math.sqrt(score)
            before_it = found.get(far.id)
            if strength < LEAST_FIT or (before_it is not None and before_it.strength >= strength * reading.strength):
                continue
            found[far.id] = _with(reading, judged, far, evidence, triple, strength)
    best = max((each.strength for each in found.values()), default=0.0)
    likely = [each for each in found.values() if each.strength >= CLOSE * best]
    likely.sort(key=lambda each: (-each.strength, each.entities[-1].id))
    is_complete = len(likely) <= MOST and all((each.triples[-1].count or 1) <= len(likely) for each in likely)
    return [replace(each, is_complete=reading.is_complete and is_complete) for each in likely[:MOST]]


def _names_in(state: BeliefState, text: str) -> list[tuple[str, Sequence[tuple[Entity, float]]]]:
    return [(mention, candidates) for mention, candidates in state.topic_entities.items() if mention in text]


def _ends(
    triple: Triple, names: Sequence[tuple[str, Sequence[tuple[Entity, float]]]]
) -> Iterator[tuple[str, Entity, float, Entity]]:
    """Each way in which a triple leads from a named entity to one that the names do not mean."""
    if not isinstance(triple.object, Entity):
        return
    meant = {entity.id for _, candidates in names for entity, _ in candidates}
    for near, far in ((triple.subject, triple.object), (triple.object, triple.subject)):
        if far.id in meant:
            continue
        for name, candidates in names:
            for entity, score in candidates:
                if entity.id == near.id:
                    yield name, near, score, far


def _fit(says: str, name: str, near: Entity, far: Entity, triple: Triple) -> float:
    """How well the triple's relation fits what is said of ``far`` and of the name; 0 where no cue says it."""
    start = says.find(SLOT)
    text = says.replace(SLOT, far.label, 1)
    slot = TextSpan(start, start + len(far.label))
    place = next((index for index in _occurrences(text, name) if index >= slot.end or index < start), None)
    if start < 0 or place is None or not far.label:
        return 0.0
    span = TextSpan(place, place + len(name))
    subject, object_ = (slot, span) if triple.subject.id == far.id else (span, slot)
    match = match_relations(text, subject, object_, [(triple.relation, "out")])[0]
    return match.score if match.cue is not None else 0.0


def _occurrences(text: str, name: str) -> Iterator[int]:
    index = text.find(name)
    while index >= 0:
        yield index
        index = text.find(name, index + 1)


def _with(reading: Resolved, judged: str, far: Entity, evidence: Evidence, triple: Triple, strength: float) -> Resolved:
    text = judged.replace(SLOT, far.label, 1)
    topics = {mention: found for mention, found in reading.state.topic_entities.items() if mention in text}
    return Resolved(
        text=text[:1].upper() + text[1:],
        state=replace(reading.state, topic_entities={**topics, far.label: ((far, 1.0),)}),
        entities=(*reading.entities, far),
        evidence_ids=(*reading.evidence_ids, evidence.id),
        triples=(*reading.triples, triple),
        strength=reading.strength * strength,
        is_complete=reading.is_complete,
    )


@lru_cache(maxsize=1024)
def descriptions_of(text: str) -> tuple[Description, ...]:
    """The descriptions in a text, the innermost first.

    >>> descriptions_of("The author of Dracula was born in 1847.")[0].says
    '{} is the author of Dracula'
    """
    doc = parse(text)
    found = [
        description
        for token in doc
        for description in (_by_clause(doc, token), _by_role(doc, token))
        if description is not None
    ]
    return tuple(sorted(found, key=lambda each: (each.end - each.start, each.start)))


def _by_clause(doc: "Doc", pronoun: "Token") -> Description | None:
    """ "a country whose capital is Y", "the man who wrote Z", "the country where Y lies", "an artist born in 1853"."""
    noun = doc[pronoun.i - 1] if pronoun.i else None
    if noun is not None and pronoun.lower_ == "which" and noun.lower_ == "in" and noun.i:
        noun = doc[noun.i - 1]
    if noun is None or noun.pos_ != "NOUN" or _is_predicate(noun):
        return None
    start = _start_of(noun)
    if pronoun.dep_ == "acl" and pronoun.tag_ == "VBN":
        clause = [token for token in pronoun.subtree if token.i >= pronoun.i]
        return Description(start, _end_of(clause[-1]), f"{SLOT} was {text_of(clause)}", True)
    verb = next((token for token in (pronoun.head, pronoun.head.head) if token.dep_ == "relcl"), None)
    if verb is None or pronoun.tag_ not in {"WP", "WP$", "WDT", "WRB"}:
        return None
    clause = _without_main_verb(doc, noun, [token for token in verb.subtree if token.i > pronoun.i])
    if not clause:
        return None
    end, said = _end_of(clause[-1]), text_of(clause)
    match pronoun.lower_:
        case "whose":
            return Description(start, end, f"{SLOT}'s {said}", True)
        case "where":
            return Description(start, end, f"{said} in {SLOT}", True)
        case "which" if doc[pronoun.i - 1].lower_ == "in":
            return Description(start, end, f"{said} in {SLOT}", True)
        case word if word in _CLAUSE_PRONOUNS and pronoun.dep_ in {"nsubj", "nsubjpass"}:
            return Description(start, end, f"{SLOT} {said}", True)
    return None


def _without_main_verb(doc: "Doc", noun: "Token", clause: list["Token"]) -> list["Token"]:
    """The clause up to the name that it ends with, where the parse took the rest of the claim for a part of it."""
    if not clause or noun.left_edge.i > 0 or any(token.is_alpha for token in doc[clause[-1].i + 1 :]):
        return clause
    first = next((number for number, token in enumerate(clause) if token.is_title), None)
    if first is None:
        return []
    last = first
    while last + 1 < len(clause) and clause[last + 1].is_title:
        last += 1
    return clause[: last + 1] if last + 1 < len(clause) else []


def _by_role(doc: "Doc", noun: "Token") -> Description | None:
    """ "the author of X", "X's author"; not where the claim says who that is."""
    if noun.pos_ != "NOUN" or stem(noun.lower_) not in role_nouns() or _is_predicate(noun) or _is_identified(noun):
        return None
    start = _start_of(noun)
    owner = next((child for child in noun.lefts if child.dep_ == "poss" and child.pos_ == "PROPN"), None)
    if owner is not None:
        name = doc[owner.left_edge.i : owner.i + 1].text
        role = text_of(token for token in noun.subtree if owner.right_edge.i < token.i <= noun.i)
        return Description(owner.left_edge.idx, _end_of(noun), f"{SLOT} is the {role} of {name}", False)
    preposition = next((child for child in noun.rights if child.lower_ in {"of", "behind"}), None)
    named = next((child for child in preposition.children if child.dep_ == "pobj"), None) if preposition else None
    if named is None or named.pos_ not in {"PROPN", "NOUN"} or any(token.like_num for token in named.subtree):
        return None
    last = named.right_edge
    phrase = text_of(token for token in doc[noun.left_edge.i : last.i + 1] if token.dep_ != "det" or token.i > noun.i)
    return Description(start, _end_of(last), f"{SLOT} is the {phrase}", False)


def _is_predicate(noun: "Token") -> bool:
    """Whether the noun says what something else is: "X is the author of Y"."""
    return noun.dep_ in {"attr", "appos", "oprd"}


def _is_identified(noun: "Token") -> bool:
    """Whether the claim says who or what is described: "The capital of France is Paris"."""
    if noun.dep_ != "nsubj" or noun.head.lemma_ not in {"be", "include"}:
        return False
    said = next((child for child in noun.head.children if child.dep_ in {"attr", "dobj"}), None)
    if said is None or said.ent_type_ == "NORP":
        return False
    return not any(child.lower_ in {"a", "an", "one"} for child in said.children)


def _start_of(noun: "Token") -> int:
    """Where a noun phrase begins, with its article and adjectives."""
    lefts = [child.left_edge.i for child in noun.lefts if child.dep_ in {"det", "amod", "compound", "nmod", "poss"}]
    return int(noun.doc[min([noun.i, *lefts])].idx)


def _end_of(token: "Token") -> int:
    return int(token.idx + len(token))
