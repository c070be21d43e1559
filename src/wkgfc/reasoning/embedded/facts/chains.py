"""The chains of statements by which a claim's unnamed things are found, one step after the other.

A clause of the claim's outline that has one end that is known and one that is not is a step: whatever a statement
with a fitting relation leads to may stand in the empty place. What is left are clauses of which all is known; they
are judged as claims of their own. So the rules for dates, single values, denial, comparison and rank hold at the end
of a chain as they do for one statement.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from wkgfc.evidence import Direction, Entity, Evidence, Rank, Relation, Triple
from wkgfc.reasoning.embedded.claims.outline import Clause, Outline, filled, outline_of
from wkgfc.reasoning.embedded.facts.containment import PLACE_RELATIONS
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.lexicon.kinds import Kind, Level, character_of
from wkgfc.reasoning.embedded.lexicon.relations import TextSpan, is_crossed, match_relations
from wkgfc.reasoning.reasoner import ChosenRelation, OfferedRelation
from wkgfc.state import BeliefState

LEAST_FIT = 0.6  # how well a relation must fit what a clause says
LEAST_LINK = 0.25  # how surely a name must mean what a step begins with
CLOSE = 0.9  # of the best one's strength: a second thing that is described as well ("the directors of X")
MOST = 3  # things that one description may mean
MAX_CHAINS = 12  # of one claim
UNKNOWN = "Xanthus"  # a name in the place of what is not known yet
# What a noun says of a place: "the country where X lies" is no county.
_LEVELS = {
    "country": {Level.COUNTRY}, "nation": {Level.COUNTRY}, "city": {Level.SETTLEMENT}, "town": {Level.SETTLEMENT},
    "village": {Level.SETTLEMENT}, "continent": {Level.CONTINENT}, "state": {Level.REGION, Level.COUNTRY},
    "province": {Level.REGION}, "region": {Level.REGION}, "county": {Level.REGION, Level.DISTRICT},
}  # fmt: skip
_KINDS: Mapping[str, Kind] = {
    "someone": "person", "somebody": "person", "person": "person", "man": "person", "woman": "person",
    "place": "place", "location": "place",
}  # fmt: skip
_ORGANISATIONS = {"organisation", "organization", "company", "group", "band", "firm", "university"}

_CLASSES = {"P31", "P279", "P106", "P21", "P105", "P1906", "P1313"}  # lead to what a thing is, or to an office

Known = Sequence[tuple[TextSpan, Entity, float]]
Order = Literal["surest", "first", "last"]
ORDERS: tuple[Order, ...] = ("surest", "first", "last")
_Step = tuple[float, Entity, Evidence, Triple]  # how well it fits, what it leads to, and by which statement


@dataclass(frozen=True)
class Chain:
    """What stands for the unnamed things, as far as it was found, and the statements that lead there.

    ``strength`` in [0, 1] is that of the weakest step. ``is_complete``: nothing else that is not at hand may be meant
    as well. ``clauses`` are those that no step went through.
    """

    found: Mapping[int, Entity]
    clauses: tuple[Clause, ...]
    evidence_ids: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = ()
    strength: float = 1.0
    is_complete: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether all that is unnamed was found."""
        return all(number in self.found for clause in self.clauses for number in clause.unnamed)

    @property
    def sentence(self) -> str:
        """The statements of the steps, in words."""
        return " ".join(dict.fromkeys(map(verbalise, self.triples)))

    def text(self, clause: Clause) -> str:
        """A clause as a sentence, with names for what was found."""
        labels = {number: self.found[number].label if number in self.found else UNKNOWN for number in clause.unnamed}
        text, _ = filled(clause.text, labels)
        return f"{text[:1].upper()}{text[1:]}."

    def linking(self, state: BeliefState, clause: Clause) -> BeliefState:
        """The state with the linking that holds for a clause."""
        topics = {name: candidates for name, candidates in state.topic_entities.items() if name in clause.text}
        for number in clause.unnamed:
            if number in self.found:
                topics[self.found[number].label] = ((self.found[number], 1.0),)
        return replace(state, topic_entities=topics)


def outline_for(state: BeliefState, text: str) -> Outline | None:
    """The outline of a text under the state's linking; ``None`` where it has none."""
    return outline_of(text, tuple(name for name in state.topic_entities if name in text))


def chains_of(state: BeliefState, text: str, order: Order = "surest") -> tuple[Chain, ...]:
    """The chains of a text as far as the evidence has them; none where it has no outline.

    ``order`` says which clause is gone first where several lead on: the one that leads to the fewest things ("of all
    that lies in Turkey, only the place where someone died is meant"), or the first or the last of the outline.
    """
    outline = outline_for(state, text)
    if outline is None:
        return ()
    chains: list[Chain] = []
    for chain in _followed(state, outline, Chain({}, outline.clauses), order):
        chains.append(chain)
        if len(chains) == MAX_CHAINS:
            return tuple(replace(each, is_complete=False) for each in chains)
    return tuple(chains)


def all_chains(state: BeliefState, text: str) -> tuple[Chain, ...]:
    """The chains of a text in every order, each once."""
    found = {tuple(chain.found.items()): chain for order in ORDERS for chain in chains_of(state, text, order)}
    return tuple(found.values())


def _followed(state: BeliefState, outline: Outline, chain: Chain, order: Order) -> Iterator[Chain]:
    ways: list[list[Chain]] = []
    for clause in chain.clauses:
        empty = [number for number in clause.unnamed if number not in chain.found]
        if len(empty) == 1 and not clause.is_kind and (steps := _steps(state, outline, chain, clause, empty[0])):
            ways.append(steps)
    if not ways:
        yield chain
        return
    for each in min(ways, key=_openness) if order == "surest" else ways[0 if order == "first" else -1]:
        yield from _followed(state, outline, each, order)


def _openness(steps: Sequence[Chain]) -> tuple[bool, bool, int]:
    """How much else may be meant: what a thing has is better known than all that have it."""
    is_of_known = all(step.triples[-1].object == [*step.found.values()][-1] for step in steps)
    return (not all(step.is_complete for step in steps), not is_of_known, len(steps))


def _steps(state: BeliefState, outline: Outline, chain: Chain, clause: Clause, empty: int) -> list[Chain]:
    """The chain with each thing that may stand in an empty place, the surest first."""
    text, slot, known = _read(state, chain, clause, empty)
    found: dict[str, _Step] = {}
    for evidence, triple in state.evidence.triples():
        if triple.rank is Rank.DEPRECATED or evidence.from_passage is not None or triple.relation.id in _CLASSES:
            continue
        for span, score, far, direction in _ends(triple, known):
            fit = _fit(text, span, slot, triple.relation, direction)
            if fit >= LEAST_FIT and (far.id not in found or found[far.id][0] < fit * score):
                found[far.id] = (fit * score, far, evidence, triple)
    fitting = _called([*found.values()], outline.nouns[empty - 1])
    best = max((strength for strength, *_ in fitting), default=0.0)
    close = [each for each in fitting if each[0] >= CLOSE * best]
    holders = _holders(state, {each[1].id for each in close}) if len(close) > 1 else set()
    likely = sorted((each for each in close if each[1].id not in holders), key=lambda each: (-each[0], each[1].id))
    is_complete = len(likely) <= MOST and all((triple.count or 1) <= len(likely) for _, _, _, triple in likely)
    rest = tuple(each for each in chain.clauses if each != clause)
    return [
        Chain(
            found={**chain.found, empty: far},
            clauses=rest,
            evidence_ids=(*chain.evidence_ids, evidence.id),
            triples=(*chain.triples, triple),
            strength=min(chain.strength, strength),
            is_complete=chain.is_complete and is_complete,
        )
        for strength, far, evidence, triple in likely[:MOST]
    ]


def _holders(state: BeliefState, ids: set[str]) -> set[str]:
    """Those of some things that hold others of them: who was born in Buenos Aires was also born in Argentina."""
    return {
        triple.object.id
        for _, triple in state.evidence.triples()
        if isinstance(triple.object, Entity)
        and triple.relation.id in PLACE_RELATIONS
        and triple.subject.id in ids
        and triple.object.id in ids - {triple.subject.id}
    }


def _read(state: BeliefState, chain: Chain, clause: Clause, empty: int) -> tuple[str, TextSpan, Known]:
    """A clause with one empty place: its text, that place, and where what is known stands in it."""
    labels = {number: chain.found[number].label if number in chain.found else UNKNOWN for number in clause.unnamed}
    text, spans = filled(clause.text, labels)
    known = [(span, chain.found[number], 1.0) for number, span in spans.items() if number in chain.found]
    for name, candidates in state.topic_entities.items():
        if not any(map(str.isupper, name)):
            continue  # a common noun names nothing that a step could begin with
        place = text.find(name)
        span = TextSpan(place, place + len(name))
        if place >= 0 and not any(span.start < each.end and each.start < span.end for each in spans.values()):
            known += [(span, entity, score**0.5) for entity, score in candidates if score >= LEAST_LINK]
    return text, spans[empty], known


def _ends(triple: Triple, known: Known) -> Iterator[tuple[TextSpan, float, Entity, Direction]]:
    """Each way in which a triple leads from what is known to what is not."""
    if not isinstance(triple.object, Entity):
        return
    ids = {entity.id for _, entity, _ in known}
    for span, entity, score in known:
        if entity.id == triple.subject.id and triple.object.id not in ids:
            yield span, score, triple.object, "out"
        elif entity.id == triple.object.id and triple.subject.id not in ids:
            yield span, score, triple.subject, "in"


@lru_cache(maxsize=4096)
def _fit(text: str, near: TextSpan, far: TextSpan, relation: Relation, direction: Direction) -> float:
    """How well a relation fits what a clause says of its two ends; 0 where no cue says it."""
    subject, object_ = (near, far) if direction == "out" else (far, near)
    match = match_relations(text, subject, object_, [(relation, "out")])[0]
    return match.score if match.cue is not None and not is_crossed(text, match.cue) else 0.0


def _called(found: Sequence[_Step], noun: str) -> Sequence[_Step]:
    """Those of the things found that are called by a noun; where none is known to be, those that may be."""
    levels = _LEVELS.get(noun)
    if levels is None:
        return [each for each in found if _may_be_called(each[1], noun)]
    known = [(each, character_of(each[1])) for each in found]
    return [each for each, character in known if character.levels & levels] or [
        each for each, character in known if not character.levels and character.kind in {None, "place"}
    ]


def _may_be_called(entity: Entity, noun: str) -> bool:
    """Whether a thing may be called by a noun, as far as its description says."""
    kind = character_of(entity).kind
    if noun in _ORGANISATIONS:
        return kind not in {"person", "work"}
    meant = _KINDS.get(noun) or character_of(Entity(id=noun, label=noun, description=noun)).kind
    return meant in {None, "class"} or kind in {None, meant}


def relations_for(state: BeliefState, text: str, offered: Sequence[OfferedRelation]) -> list[ChosenRelation]:
    """The offered relations by which the chains of a text go on, the best first."""
    scores: dict[tuple[str, Direction], ChosenRelation] = {}
    outline = outline_for(state, text)
    begun = [Chain({}, outline.clauses)] if outline is not None else []
    for chain in (*begun, *all_chains(state, text)):
        for clause in chain.clauses:
            empty = [number for number in clause.unnamed if number not in chain.found]
            if clause.is_kind or len(empty) > 1:
                continue
            for chosen in _asked(state, chain, clause, empty[0], offered) if empty else ():
                key = (chosen.relation.id, chosen.direction)
                if key not in scores or scores[key].score < chosen.score:
                    scores[key] = chosen
    return sorted(scores.values(), key=lambda each: (-each.score, each.relation.id, each.direction))


def _asked(
    state: BeliefState, chain: Chain, clause: Clause, empty: int, offered: Sequence[OfferedRelation]
) -> Iterator[ChosenRelation]:
    """The relations by which a clause may lead from what is known of it to what is not."""
    text, slot, known = _read(state, chain, clause, empty)
    for offer in offered:
        ids = {entity.id for entity in offer.entities}
        fits = (
            _fit(text, span, slot, offer.relation, offer.direction) for span, entity, _ in known if entity.id in ids
        )
        if (score := max(fits, default=0.0)) >= LEAST_FIT:
            yield ChosenRelation(relation=offer.relation, direction=offer.direction, score=min(score, 1.0))
