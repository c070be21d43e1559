"""The rules by which statements contradict a claim: another value in the place of the one that the claim names."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from wkgfc.evidence import Entity, Evidence, Quantity, Relation, Text, Time, Triple, value_key
from wkgfc.reasoning.embedded.claims.reading import Argument, MentionSpan, is_demonym, overlaps
from wkgfc.reasoning.embedded.facts.case import Case
from wkgfc.reasoning.embedded.facts.containment import Compared, Comparison, compare_entities
from wkgfc.reasoning.embedded.facts.sorts import is_apart, sort_of
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.lexicon.kinds import Level, character_of
from wkgfc.reasoning.embedded.lexicon.relations import Profile, TextSpan, lexicon, profile_of
from wkgfc.reasoning.embedded.values import Agreement, compare_quantity, compare_time

TIME_FIT = 0.55  # a time in the claim has few relations to choose from
UNMEASURED_SHARE = 0.92  # of a one-value relation whose share of single values is not known
LOCATED_SHARE = 0.9
OPEN_BUT_ONLY = 0.75  # "only": an open relation is then read as if it had one value
LOCATED = {"P131", "P276"}  # can have several values, but not in two countries or two cities, as a rule
SURELY_APART = 0.9  # how sure two places must be apart where a thing can be in several
INSTANCE_OF = "P31"
OTHER_SORT = 0.85  # of a refutation by what something is
CLEAR_LEAD = 2.0  # how much surer the subject must be than any other candidate of its mention
UNLIKE = 0.5  # of the score of a rival that lacks the relation
LIKELY = 0.5  # a candidate with less than this share of the best one's score is not what the claim means
UNDATED_QUANTITY = 0.6  # a quantity that changes, stated without its year
UNTOUCHED = 0.5  # of a refutation, for each name of the claim that the statements do not touch
FAR_OFF = 1.3  # times the largest or the smallest stated value, from where an undated quantity speaks


@dataclass(frozen=True)
class Refutation:
    """Statements that contradict what the claim says of ``subject``, by the value named at ``claimed``."""

    subject: TextSpan
    claimed: TextSpan
    relation: str
    evidence_ids: tuple[str, ...]
    sentence: str
    strength: float


def refutations_of(case: Case) -> list[Refutation]:
    """Every refutation, the strongest first."""
    found = [
        replace(refutation, strength=refutation.strength * math.pow(UNTOUCHED, _untouched(case, refutation)))
        for group in _groups(case)
        if (subject := _sure_subject(case, group[0][1])) is not None
        for refutation in _of_group(case, group, subject)
        if not (case.reading.denies(refutation.claimed) or case.reading.denies(refutation.subject))
    ]
    found = [each for each in found if _is_without_alternative(case, each, found)]
    return sorted(found, key=lambda refutation: (-refutation.strength, refutation.evidence_ids))


def _is_without_alternative(case: Case, refutation: Refutation, found: Sequence[Refutation]) -> bool:
    """Whether all that a claim offers beside the contradicted value is contradicted too: "in 1889 or 1890"."""
    against = {each.claimed for each in found if each.relation == refutation.relation}
    return against.issuperset(case.reading.alternatives(refutation.claimed))


def _untouched(case: Case, refutation: Refutation) -> int:
    """How many names of the claim are neither what the statements are about nor the value that they contradict.

    Of "The Congress was founded in 1885, during the Raj" the year in which the Raj began refutes nothing.
    """
    touched = (refutation.subject, refutation.claimed)
    names = {
        mention.span
        for mention in case.reading.mentions
        if any(map(str.isupper, mention.text)) and not is_demonym(mention.text)
    }
    return sum(not any(overlaps(name, span) for span in touched) for name in names)


def _groups(case: Case) -> Iterator[Sequence[tuple[Evidence, Triple]]]:
    """The statements by subject and relation; those that say the inverse of a one-value relation count as it."""
    inverted: dict[tuple[str, str], list[tuple[Evidence, Triple]]] = {}
    for evidence, triple in case.statements:
        for identifier in profile_of(triple.relation.id, triple.relation.label).inverse:
            inverse = lexicon().get(identifier)
            if inverse is not None and inverse.one_value and isinstance(triple.object, Entity):
                turned = triple.model_copy(
                    update={
                        "subject": triple.object,
                        "relation": Relation(id=identifier, label=inverse.label),
                        "object": triple.subject,
                    }
                )
                inverted.setdefault((turned.subject.id, identifier), []).append((evidence, turned))
    for group in case.groups():
        triple = group[0][1]
        yield (*group, *inverted.pop((triple.subject.id, triple.relation.id), ()))
    yield from inverted.values()


def _sure_subject(case: Case, triple: Triple) -> Argument | None:
    """The mention of a statement's subject, where it clearly means this entity and no other.

    A rival of which nothing with the relation is stated is less what a claim with that relation means.
    """
    for argument in case.reading.arguments(triple.subject):
        if not argument.is_linked or argument.score < case.parameters.least_link:
            continue
        rivals = [
            mention.candidates[entity.id] * (1.0 if case.values(entity, triple.relation.id) else UNLIKE)
            for mention in case.reading.mentions
            if mention.span == argument.span
            for entity in mention.entities
            if entity.id != triple.subject.id
        ]
        if argument.score >= CLEAR_LEAD * max(rivals, default=0.0):
            return argument
    return None


def _of_group(case: Case, group: Sequence[tuple[Evidence, Triple]], subject: Argument) -> Iterator[Refutation]:
    """What the values of one relation of one subject contradict."""
    triple = group[0][1]
    profile = profile_of(triple.relation.id, triple.relation.label)
    values = len({value_key(each.object) for _, each in group})  # a second term of one office is no further value
    is_complete = all(each.count is None or each.count <= values for _, each in group)
    if isinstance(triple.object, Time):
        if profile.one_value and is_complete:
            yield from _other_time(case, group, subject, profile)
    elif isinstance(triple.object, Quantity):
        if is_complete:
            yield from _other_quantity(case, group, subject, profile)
    elif isinstance(triple.object, Text):
        if profile.one_value and is_complete:
            yield from _other_sign(case, group, subject, profile)
    elif profile.id == INSTANCE_OF:
        if is_complete:
            yield from _other_sort(case, group, subject)
    elif is_complete and (profile.one_value or profile.id in LOCATED or case.reading.is_exclusive):
        yield from _other_entity(case, group, subject, profile)


def _share(profile: Profile) -> float:
    """How often another value speaks against a claim."""
    if not profile.one_value:
        return LOCATED_SHARE if profile.id in LOCATED else OPEN_BUT_ONLY
    return UNMEASURED_SHARE if profile.single_share is None else max(profile.single_share, UNMEASURED_SHARE)


def _other_time(
    case: Case, group: Sequence[tuple[Evidence, Triple]], subject: Argument, profile: Profile
) -> Iterator[Refutation]:
    for time in case.reading.times:
        span = TextSpan(time.value_start, time.end)
        fit = case.fit(group[0][1], subject.span, span).score
        if fit < max(TIME_FIT, case.parameters.least_fit):
            continue
        agreements = [compare_time(time, triple.object) for _, triple in group if isinstance(triple.object, Time)]
        yield from _all_against(agreements, group, subject, span, profile, fit)


def _other_quantity(
    case: Case, group: Sequence[tuple[Evidence, Triple]], subject: Argument, profile: Profile
) -> Iterator[Refutation]:
    for quantity in case.reading.quantities:
        span = TextSpan(quantity.start, quantity.end)
        fit = case.fit(group[0][1], subject.span, span).score
        if fit < case.parameters.refuting_fit:
            continue
        values = [triple.object for _, triple in group if isinstance(triple.object, Quantity)]
        agreements = [compare_quantity(quantity, value) for value in values]
        if profile.one_value:
            yield from _all_against(agreements, group, subject, span, profile, fit)
            continue
        amounts = [float(value.amount) for value in values]
        far = [
            compare_quantity(quantity, value.model_copy(update={"amount": value.amount * factor}))
            for value in values
            for factor in (_decimal(FAR_OFF), _decimal(1 / FAR_OFF))
        ]
        is_outside = not min(amounts) <= float(quantity.amount) <= max(amounts)
        if is_outside and all(agreement.disagrees for agreement in far):
            yield from _all_against(agreements, group, subject, span, profile, fit * UNDATED_QUANTITY)


def _decimal(number: float) -> Decimal:
    return Decimal(str(number))


def _in_words(statements: Sequence[tuple[Evidence, Triple]]) -> str:
    return " ".join(dict.fromkeys(verbalise(triple) for _, triple in statements))


def _all_against(
    agreements: Sequence[Agreement],
    group: Sequence[tuple[Evidence, Triple]],
    subject: Argument,
    span: TextSpan,
    profile: Profile,
    fit: float,
) -> Iterator[Refutation]:
    """A refutation where every stated value disagrees."""
    if agreements and all(agreement.disagrees for agreement in agreements):
        yield Refutation(
            subject.span,
            span,
            profile.id,
            tuple(evidence.id for evidence, _ in group),
            _in_words(group[:2]),
            math.sqrt(subject.score) * fit * (_share(profile) if profile.one_value else 1.0),
        )


_SIGN = re.compile(r"(?<![\w.])[A-Z][a-z]{0,2}(?!\w|\.\w)")


def _other_sign(
    case: Case, group: Sequence[tuple[Evidence, Triple]], subject: Argument, profile: Profile
) -> Iterator[Refutation]:
    """Another sign of one to three letters in the place of the stated one, as for an element's symbol."""
    stated = {triple.object.value for _, triple in group if isinstance(triple.object, Text)}
    if not all(_SIGN.fullmatch(value) for value in stated):
        return
    for match in _SIGN.finditer(case.reading.text):
        span = TextSpan(match.start(), match.end())
        if match.start() == 0 or overlaps(span, subject.span):
            continue
        fit = case.fit(group[0][1], subject.span, span).score
        if fit >= case.parameters.refuting_fit and match[0] not in stated:
            yield Refutation(
                subject.span,
                span,
                profile.id,
                tuple(evidence.id for evidence, _ in group),
                _in_words(group[:2]),
                math.sqrt(subject.score) * fit * _share(profile),
            )


def _other_sort(case: Case, group: Sequence[tuple[Evidence, Triple]], subject: Argument) -> Iterator[Refutation]:
    """A kind of thing that excludes what the subject is said to be."""
    claimed = sort_of(case.reading.text)
    classes = [triple.object for _, triple in group if isinstance(triple.object, Entity)]
    if claimed is None or not overlaps(claimed.subject, subject.span) or not is_apart(claimed, classes):
        return
    yield Refutation(
        subject.span,
        claimed.span,
        INSTANCE_OF,
        tuple(evidence.id for evidence, _ in group),
        _in_words(group[:2]),
        math.sqrt(subject.score) * OTHER_SORT,
    )


def _other_entity(
    case: Case, group: Sequence[tuple[Evidence, Triple]], subject: Argument, profile: Profile
) -> Iterator[Refutation]:
    stated = [(evidence, triple) for evidence, triple in group if isinstance(triple.object, Entity)]
    if len(stated) < len(group):
        return
    for mention in case.reading.mentions:
        if overlaps(mention.span, subject.span) or not _is_name(case, mention, profile):
            continue
        fit = case.fit(group[0][1], subject.span, mention.span).score
        if fit < case.parameters.refuting_fit or (profile.id in LOCATED and not _is_large(mention)):
            continue
        compared = [_against_candidates(case, triple, mention, profile) for _, triple in stated]
        if any(each is None for each in compared):
            continue
        sure = [each for each in compared if each is not None]
        if profile.id in LOCATED and min(each.certainty for each in sure) < SURELY_APART:
            continue
        ways = [identifier for each in sure for identifier in each.evidence_ids]
        yield Refutation(
            subject.span,
            mention.span,
            profile.id,
            tuple(dict.fromkeys([evidence.id for evidence, _ in stated] + ways)),
            _in_words(stated[:3]),
            math.sqrt(subject.score * (1.0 + min(1.0, sum(mention.candidates.values()))) / 2)
            * fit
            * _share(profile)
            * min(each.certainty for each in sure),
        )


def _is_name(case: Case, mention: MentionSpan, profile: Profile) -> bool:
    """Whether a mention names one thing: not "an American", "television" or "the 20th century"."""
    reading = case.reading
    values = [TextSpan(time.start, time.end) for time in reading.times]
    values += [TextSpan(quantity.start, quantity.end) for quantity in reading.quantities]
    if any(overlaps(mention.span, value) for value in values) or is_demonym(mention.text):
        return False
    if profile.object in {"class", "language"} or mention.text[:1].isupper():
        return True
    # In a text without any capital a name has none either, but what it means is known to be a person, a place …
    return not any(map(str.isupper, reading.text)) and character_of(mention.entities[0]).kind not in {None, "class"}


def _is_large(mention: MentionSpan) -> bool:
    """Whether a mention means a settlement, a country or a continent: what lies in one of a kind lies in no other."""
    levels = character_of(mention.entities[0]).levels
    return bool(levels & {Level.SETTLEMENT, Level.COUNTRY, Level.CONTINENT})


def _against_candidates(case: Case, triple: Triple, mention: MentionSpan, profile: Profile) -> Compared | None:
    """The comparison of a stated value with what a mention may mean; ``None`` where any of it may be the same."""
    stated = triple.object
    if not isinstance(stated, Entity) or any(
        overlaps(argument.span, mention.span) for argument in case.reading.arguments(stated)
    ):
        return None
    outcomes: list[Compared] = []
    best = max(mention.candidates.values(), default=0.0)
    for entity in mention.entities:
        if mention.candidates[entity.id] < LIKELY * best:
            continue
        if not _can_be_object(entity, profile):
            continue
        compared = compare_entities(stated, entity, profile.object, case.surroundings)
        if compared.outcome is not Comparison.APART:
            return None
        outcomes.append(compared)
    return min(outcomes, key=lambda each: each.certainty) if outcomes else None


def _can_be_object(entity: Entity, profile: Profile) -> bool:
    """Whether an entity is of the kind that the relation's objects are, as far as is known."""
    character = character_of(entity)
    match profile.object:
        case "continent":
            return Level.CONTINENT in character.levels
        case "country":
            return bool(character.levels & {Level.COUNTRY, Level.CONTINENT})  # what is in Nepal is not in Africa
        case "place":
            return character.kind in {None, "place", "organisation"}
        case "person":
            return character.kind in {None, "person"}
        case "organisation":
            return character.kind in {None, "organisation", "place"}
        case "class":
            return character.kind in {None, "class", "event", "language"}
        case _:
            return character.kind != "person" or profile.object in {"entity", "actor"}
