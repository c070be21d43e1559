"""Claims that measure: comparisons, counts, ranks, numbered offices, spans, ages, durations; what the evidence says.

Each of them is read from the claim, asks for relations of its own, and is judged by the values at hand.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from wkgfc.evidence import Entity, Evidence, Relation
from wkgfc.reasoning.embedded.claims.reading import label_forms
from wkgfc.reasoning.embedded.facts.containment import PLACE_RELATIONS
from wkgfc.reasoning.embedded.findings import Finding
from wkgfc.reasoning.embedded.lexicon.cues import pieces_of
from wkgfc.reasoning.embedded.lexicon.kinds import Level, character_of
from wkgfc.reasoning.embedded.lexicon.relations import lexicon
from wkgfc.reasoning.embedded.measured.ages import age_of, judge_age
from wkgfc.reasoning.embedded.measured.comparisons import comparison_of, judge_comparison
from wkgfc.reasoning.embedded.measured.counting import Counting, counting_of, judge_counting
from wkgfc.reasoning.embedded.measured.durations import duration_of, judge_duration
from wkgfc.reasoning.embedded.measured.having import having_of
from wkgfc.reasoning.embedded.measured.lifespans import judge_presence, presence_of
from wkgfc.reasoning.embedded.measured.measures import measure
from wkgfc.reasoning.embedded.measured.mention_matching import entities_of, fold
from wkgfc.reasoning.embedded.measured.ordinals import POSITION_HELD, judge_office_number, office_number_of
from wkgfc.reasoning.embedded.measured.superlatives import Superlative, judge_superlative, ranking_of, superlative_of
from wkgfc.reasoning.reasoner import OfferedRelation, Ranking
from wkgfc.state import BeliefState

INSTANCE_OF = "P31"
UNTOUCHED = 0.5  # of a count, for each name of the claim that it says nothing of
KINDS = {  # what graphs call the kinds that claims rank; the first that the evidence has is taken
    "country": ("sovereign state", "country"),
    "nation": ("sovereign state", "country"),
    "state": ("sovereign state", "country"),
    "city": ("city", "big city", "town"),
    "peak": ("mountain",),
    "element": ("chemical element",),
}


def needed_relations(text: str) -> tuple[str, ...]:
    """The ids of the properties that a claim's comparison, count or rank is judged by, the most telling first."""
    comparison, superlative = comparison_of(text), superlative_of(text)
    counting = counting_of(text) or having_of(text)
    ids: list[str] = []
    if comparison:
        ids += comparison.relations
    if counting:
        ids += counting.relations
    if superlative:
        ids += [INSTANCE_OF, *superlative.measure.relations]
    if office_number_of(text):
        ids.append(POSITION_HELD)
    if (presence := presence_of(text)) is not None:
        ids += presence.relations
    if (age := age_of(text)) is not None:
        ids += age.relations
    if (duration := duration_of(text)) is not None:
        ids += duration.relations
    return tuple(dict.fromkeys(ids))


def ranking_for(state: BeliefState, text: str, offered: Sequence[OfferedRelation]) -> Ranking | None:
    """The question that a superlative puts to the graph, once its kind and its place are known as entities.

    Asked for once.
    """
    superlative = superlative_of(text)
    kind = unranked_kind(state, text)
    if superlative is None or kind is None:
        return None
    known = {offer.relation.id: offer.relation for offer in offered}
    identifier = superlative.measure.relations[0]
    relation = known.get(identifier) or Relation(id=identifier, label=_label(identifier))
    return ranking_of(superlative, relation, kind, _place(state, superlative))


def unranked_kind(state: BeliefState, text: str) -> Entity | None:
    """The class that a superlative's ranking goes over, where the graph can be asked for it and was not yet."""
    superlative = superlative_of(text)
    if superlative is None or state.ranked or not superlative.measure.relations:
        return None
    if superlative.place and _place(state, superlative) is None:
        return None
    return _kind(state, superlative)


def _label(identifier: str) -> str:
    known = lexicon().get(identifier)
    return known.label if known is not None else identifier


def _kind(state: BeliefState, superlative: Superlative) -> Entity | None:
    """The class that is ranked: a type of the subject whose name is the claim's word, or an entity of that name.

    Where the claim has no word for it ("has the longest coastline"), the type of the subject that is ranked most.
    """
    subjects = {entity.id for entity in entities_of(superlative.subject, state.topic_entities)}
    classes = [
        triple.object
        for _, triple in state.evidence.triples()
        if triple.relation.id == INSTANCE_OF
        and isinstance(triple.object, Entity)
        and (superlative.kind is not None or triple.subject.id in subjects)
    ]
    linked = [entity for candidates in state.topic_entities.values() for entity, _ in candidates]
    if superlative.kind is None:
        names = [name for kinds in KINDS.values() for name in kinds]
        ranked = {fold(entity.label): entity for entity in reversed(classes)}
        return next((ranked[name] for name in names if name in ranked), None)
    for name in KINDS.get(superlative.kind, (superlative.kind,)):
        for entity in (*classes, *linked):
            if fold(entity.label) == name:
                return entity
    return next((entity for entity in classes if fold(entity.label).split()[-1:] == [superlative.kind]), None)


def _place(state: BeliefState, superlative: Superlative) -> Entity | None:
    """The entity of the superlative's place: one that is linked, or one in the evidence whose adjective it is."""
    if not superlative.place:
        return None
    linked = next(iter(entities_of(superlative.place, state.topic_entities)), None)
    if linked is not None:
        return linked
    said = tuple(word.stem for word in pieces_of(superlative.place))
    places = (triple.object for _, triple in state.evidence.triples() if triple.relation.id in PLACE_RELATIONS)
    return next(
        (
            place
            for place in places
            if isinstance(place, Entity) and said in {form for form, _ in label_forms(place.label)}
        ),
        None,
    )


def measured_findings(state: BeliefState, text: str) -> tuple[Finding, ...]:
    """What the evidence says of each measure in ``text``."""
    return tuple(finding for judge in _JUDGES if (finding := judge(state, text)) is not None)


def _stated(state: BeliefState) -> tuple[Evidence, ...]:
    """The statements of the knowledge graph; facts read from passages are judged with their passages."""
    return tuple(evidence for evidence, _ in state.evidence.triples() if evidence.from_passage is None)


def _ids(state: BeliefState, phrase: str) -> frozenset[str]:
    return frozenset(entity.id for entity in entities_of(phrase, state.topic_entities)[:1])


def _comparison(state: BeliefState, text: str) -> Finding | None:
    comparison = comparison_of(text)
    if comparison is None:
        return None
    left, right = _ids(state, comparison.left), _ids(state, comparison.right)
    if not left or not right:
        return None
    if comparison.measure.name == "size" and _is_land(state, comparison.left) and _is_land(state, comparison.right):
        comparison = replace(comparison, measure=measure("area"), right_measure=measure("area"))
    return judge_comparison(comparison, _stated(state), left, right, state.claim.reference_date)


def _is_land(state: BeliefState, phrase: str) -> bool:
    """Whether a phrase means a country or a continent, of which "larger" speaks by area and not by population."""
    entities = entities_of(phrase, state.topic_entities)[:1]
    return any(character_of(entity).levels & {Level.COUNTRY, Level.CONTINENT} for entity in entities)


def _counting(state: BeliefState, text: str) -> Finding | None:
    counting = counting_of(text) or having_of(text)
    if counting is None or not (subjects := _ids(state, counting.subject)):
        return None
    found = judge_counting(counting, _stated(state), subjects, state.claim.reference_date)
    return replace(found, strength=found.strength * UNTOUCHED ** _untouched(state, text, counting)) if found else None


def _untouched(state: BeliefState, text: str, counting: Counting) -> int:
    """How many names of a text a count says nothing of: "the 2010 Census", of an undated population."""
    said = f"{counting.subject} {counting.noun} {text[counting.quantity.start : counting.quantity.end]}"
    stems = {word.stem for word in pieces_of(said)}
    names = [mention for mention in state.topic_entities if mention in text and any(map(str.isupper, mention))]
    return sum(not {word.stem for word in pieces_of(name)} <= stems for name in names)


def _superlative(state: BeliefState, text: str) -> Finding | None:
    superlative = superlative_of(text)
    if superlative is None or not (subjects := _ids(state, superlative.subject)):
        return None
    ranked = [state.evidence[evidence_id] for evidence_id in state.ranked]
    return judge_superlative(superlative, ranked, subjects, _stated(state), state.claim.reference_date)


def _office_number(state: BeliefState, text: str) -> Finding | None:
    claimed = office_number_of(text)
    if claimed is None or not (subjects := _ids(state, claimed.subject)):
        return None
    return judge_office_number(claimed, _stated(state), subjects)


def _presence(state: BeliefState, text: str) -> Finding | None:
    claimed = presence_of(text)
    if claimed is None or not (subjects := _ids(state, claimed.subject)):
        return None
    return judge_presence(claimed, _stated(state), subjects, state.claim.reference_date)


def _age(state: BeliefState, text: str) -> Finding | None:
    claimed = age_of(text)
    if claimed is None or not (subjects := _ids(state, claimed.subject)):
        return None
    return judge_age(claimed, _stated(state), subjects, state.claim.reference_date)


def _duration(state: BeliefState, text: str) -> Finding | None:
    claimed = duration_of(text)
    if claimed is None or not (subjects := _ids(state, claimed.subject)):
        return None
    return judge_duration(claimed, _stated(state), subjects, state.claim.reference_date)


_JUDGES: tuple[Callable[[BeliefState, str], Finding | None], ...] = (
    _comparison,
    _counting,
    _superlative,
    _office_number,
    _presence,
    _age,
    _duration,
)
