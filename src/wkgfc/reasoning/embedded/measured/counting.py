"""Claims that count: "X has two official languages", "X borders five countries", "X has more than three children"."""

import datetime as dt
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from wkgfc.evidence import Entity, Evidence, Missing, Quantity, Rank, Triple, Value, value_key
from wkgfc.language import parse
from wkgfc.reasoning.embedded.findings import Finding, decided
from wkgfc.reasoning.embedded.measured.measures import CountRule, count_rules, measure_of_noun
from wkgfc.reasoning.embedded.measured.stated_values import ended_before, stated_values
from wkgfc.reasoning.embedded.values.agreement import Agreement
from wkgfc.reasoning.embedded.values.calendar_spans import Day
from wkgfc.reasoning.embedded.values.quantities import (
    QuantityMention,
    compare_quantity,
    quantity_in_words,
    read_quantities,
)
from wkgfc.reasoning.embedded.values.times import TimeMention, read_times

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


@dataclass(frozen=True)
class Counting:
    """What a claim counts: of ``subject`` (a phrase of the claim), as many ``noun`` as ``quantity`` says.

    ``rule`` says which relation that is. ``is_past``: the claim speaks of the past, so ended statements count.
    ``when`` is the time for which it counts, if it names one.
    """

    subject: str
    noun: str
    quantity: QuantityMention
    rule: CountRule
    is_negated: bool = False
    is_past: bool = False
    when: TimeMention | None = None

    @property
    def relations(self) -> tuple[str, ...]:
        """All property ids that may hold the answer."""
        return (*self.rule.relations, *([self.rule.number] if self.rule.number else []))


def counting_of(text: str) -> Counting | None:
    """What ``text`` counts, where a rule knows the relation; ``None`` otherwise.

    A number that is a day, a share, a rank or the measure of something is no count.
    """
    quantities = [
        quantity
        for quantity in read_quantities(text)
        if quantity.noun and not quantity.unit and not quantity.is_ordinal
    ]
    if not quantities:
        return None
    doc = parse(text)
    when = next(iter(read_times(text)), None)
    for quantity in quantities:
        if _PART_OF_NUMBER.search(text[: quantity.start]) or _RESTRICTION.match(text[quantity.end :]):
            continue
        noun = quantity.noun or ""
        verb = _governing_verb(doc, quantity)
        rule = rule_of(noun, verb.lemma_.lower() if verb is not None else "")
        subject = _subject(doc, quantity, verb) if rule is not None else ""
        if rule is not None and subject:
            return Counting(subject, noun, quantity, rule, _is_negated(verb), _is_past(verb), when)
    return None


_PART_OF_NUMBER = re.compile(r"\b(?:one|some|part|member|most|many|each|any)\s+of\s+(?:the\s+|its\s+)?$", re.IGNORECASE)
# What follows a counted noun and makes it fewer: "three albums with the first singer".
_RESTRICTION = re.compile(r"\s*(?:,\s*)?(?:with|that|who|which|whose|featuring|together|called|named)\b", re.IGNORECASE)
# Adjectives that leave as many as there are.
_PLAIN = frozenset({"different", "known", "separate", "total", "various", "distinct", "whole", "biological", "main"})


def rule_of(noun: str, verb: str) -> CountRule | None:
    """The first rule that the noun fits under the verb; with a modifier only where objects are told apart by it."""
    words = noun.split(" ")
    while len(words) > 1 and words[0] in _PLAIN:
        words = words[1:]
    for name in (" ".join(words), words[-1]):
        for rule in count_rules():
            if name in rule.nouns and (not rule.verbs or verb in rule.verbs):
                if name == words[-1] and len(words) > 1 and not rule.is_filtered:
                    continue  # "male children" are fewer than children
                return rule
    return None


def _governing_verb(doc: "Doc", quantity: QuantityMention) -> "Token | None":
    span = doc.char_span(quantity.start, quantity.end, alignment_mode="expand")
    token = span.root if span is not None else None
    while token is not None and token.pos_ not in ("VERB", "AUX"):
        if token.dep_ == "ROOT" and any(child.dep_ == "nsubj" for child in token.children):
            return token  # "X borders two countries", which the tagger may take for nouns
        if token.head.i == token.i:
            return None
        token = token.head
    return token


def _subject(doc: "Doc", quantity: QuantityMention, verb: "Token | None") -> str:
    """The phrase that the verb is said of; of "there are four languages in X", the place."""
    if verb is None:
        return ""
    subject = next((child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")), None)
    if subject is None and verb.dep_ == "conj":
        subject = next((child for child in verb.head.children if child.dep_ in ("nsubj", "nsubjpass")), None)
    has_there = any(child.dep_ == "expl" for child in verb.children)
    inside_number = subject is not None and subject.idx >= quantity.start - 1 and subject.idx < quantity.end
    if has_there or (inside_number and verb.lemma_.lower() in _PLACED):
        return _place_after(doc, quantity)
    if subject is None or inside_number or any(child.dep_ == "conj" for child in subject.children):
        return ""
    words = [token for token in subject.subtree if not _in_clause(token, subject)]
    phrase = doc.text[words[0].idx : words[-1].idx + len(words[-1])] if words else ""
    return "" if subject.pos_ == "PRON" else phrase.strip(" ,")


def _in_clause(token: "Token", head: "Token") -> bool:
    """Whether a token stands in a relative clause or an apposition of ``head``."""
    while token.i != head.i:
        is_loose = token.dep_ != "appos" or token.left_edge.i == 0 or token.doc[token.left_edge.i - 1].is_punct
        if token.dep_ in ("relcl", "appos", "acl", "punct") and is_loose:
            return True
        token = token.head
    return False


_PLACED = frozenset({"live", "reside", "inhabit", "speak"})


def _place_after(doc: "Doc", quantity: QuantityMention) -> str:
    """ "… official languages in Switzerland": the name after the counted noun."""
    match = re.match(
        r"\s*(?:(?:who\s+)?(?:live|reside|inhabit|speak)s?\s+)?(?:in|on|of|within|bordering|around)?\s*(?P<place>(?:the\s+)?[A-Z][^,.;]*)",
        doc.text[quantity.end :],
    )
    return match["place"].strip() if match else ""


def _is_negated(verb: "Token | None") -> bool:
    return verb is not None and any(child.dep_ == "neg" for child in verb.children)


def _is_past(verb: "Token | None") -> bool:
    if verb is None:
        return False
    auxiliaries = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    if any(auxiliary.tag_ in {"VBZ", "VBP"} for auxiliary in auxiliaries):
        return False
    return verb.tag_ in ("VBD", "VBN") or any(auxiliary.tag_ == "VBD" for auxiliary in auxiliaries)


def judge_counting(
    counting: Counting, evidence: Sequence[Evidence], subjects: Collection[str], as_of: dt.date
) -> Finding | None:
    """What the statements at hand say of a count.

    A stated number ("number of children") decides. A list decides where the relation is complete in practice;
    otherwise it only says "at least so many": it can bear out that number or a lower bound, and refutes nothing. It may
    lack some, and may have two names of one thing. ``None`` where nothing is stated or the list says too little.
    """
    if counting.when is not None and counting.when.latest is not None:
        latest = counting.when.latest
        if not 1 <= latest.year <= as_of.year:
            return None
        return _by_number(counting, evidence, subjects, min(as_of, dt.date(*latest)))
    return _by_number(counting, evidence, subjects, as_of) or _by_list(counting, evidence, subjects, as_of)


def _by_number(
    counting: Counting, evidence: Sequence[Evidence], subjects: Collection[str], as_of: dt.date
) -> Finding | None:
    if counting.rule.number is None:
        return None
    values = stated_values(evidence, subjects, counting.rule.number, as_of)
    measured = measure_of_noun(counting.noun) or measure_of_noun(counting.noun.split(" ")[-1])
    spread = measured.spread if measured else Decimal(0)
    outcomes = [
        compare_quantity(counting.quantity, Quantity(amount=value.value.amount), spread=spread)
        for value in values
        if isinstance(value.value, Quantity)
    ]
    holds = _agreed(outcomes)
    if holds is None:
        return None
    first = values[next((number for number, outcome in enumerate(outcomes) if outcome.agrees == holds), 0)]
    words = quantity_in_words(first.value) if isinstance(first.value, Quantity) else ""
    sentence = f"The {first.triple.relation.label} of {first.triple.subject.label} is {words}."
    strength = 0.9 if len(values) == 1 else 0.7
    return Finding("counting", decided(holds != counting.is_negated), (first.evidence.id,), sentence, strength)


def _agreed(outcomes: Sequence[Agreement]) -> bool | None:
    """Whether one of the stated numbers is the claimed one; a denial needs all of them."""
    if any(outcome.agrees for outcome in outcomes):
        return True
    if outcomes and all(outcome.disagrees for outcome in outcomes):
        return False
    return None


@dataclass(frozen=True)
class _Listed:
    """The objects of a relation: those at hand, and how many there are in all."""

    evidence_ids: tuple[str, ...]
    labels: tuple[str, ...]
    total: int
    subject: str
    relation: str
    is_whole: bool


def _by_list(
    counting: Counting, evidence: Sequence[Evidence], subjects: Collection[str], as_of: dt.date
) -> Finding | None:
    for relation in counting.rule.relations:
        listed = _listed(counting, evidence, subjects, relation, as_of)
        if listed is None:
            continue
        judged = _judge_total(counting, listed)
        if judged is None:
            continue
        holds, strength = judged
        if not listed.is_whole and counting.is_negated and counting.quantity.bound not in ("more", "at_least"):
            continue
        names = ", ".join(listed.labels[:8]) + (" …" if listed.total > min(len(listed.labels), 8) else "")
        sentence = f"{_relation_in_words(listed)} for {listed.subject}: {names}."
        return Finding("counting", decided(holds != counting.is_negated), listed.evidence_ids, sentence, strength)
    return None


def _relation_in_words(listed: _Listed) -> str:
    """The head of a list: "2 values of “official language” are stated"."""
    values = "value" if listed.total == 1 else "values"
    number = f"{listed.total}" if listed.is_whole else f"at least {listed.total}"
    are = "is" if listed.total == 1 else "are"
    return f"There {are} {number} {values} of “{listed.relation}”"


def _listed(
    counting: Counting, evidence: Sequence[Evidence], subjects: Collection[str], relation: str, as_of: dt.date
) -> _Listed | None:
    day = Day(as_of.year, as_of.month, as_of.day)
    triples = [
        (piece, piece.content)
        for piece in evidence
        if isinstance(piece.content, Triple)
        and piece.content.relation.id == relation
        and piece.content.rank is not Rank.DEPRECATED
        and not isinstance(piece.content.object, Missing)
        and _holder(piece.content, counting.rule) in subjects
    ]
    if not triples:
        return None
    count = max((triple.count or 0 for _, triple in triples), default=0)
    held = {_counted_key(counting, triple) for _, triple in triples}  # each once, whatever its terms
    current = [(piece, triple) for piece, triple in triples if counting.is_past or not ended_before(triple, day)]
    distinct: dict[str, tuple[Evidence, str]] = {}
    for piece, triple in current:
        counted, key = _counted(counting, triple), _counted_key(counting, triple)
        if _is_counted(counting, counted):
            distinct.setdefault(key, (piece, counted.label if isinstance(counted, Entity) else key))
    if counting.rule.is_filtered:
        distinct = {key: each for key, each in distinct.items() if not _is_kind_of_another(each[1], distinct.values())}
    if not distinct:
        return None
    is_whole = count <= len(held)
    is_same_kind = len(distinct) == len(held)
    total = count if not is_whole and is_same_kind else len(distinct)
    first = triples[0][1]
    return _Listed(
        evidence_ids=tuple(piece.id for piece, _ in distinct.values()),
        labels=tuple(label for _, label in distinct.values()),
        total=total,
        subject=(
            first.object.label if counting.rule.is_inward and isinstance(first.object, Entity) else first.subject.label
        ),
        relation=first.relation.label,
        is_whole=(is_whole or is_same_kind) and counting.rule.is_complete,
    )


def _is_kind_of_another(label: str, listed: Collection[tuple[Evidence, str]]) -> bool:
    """Whether another object is one of that name, so that both are one: "Nobel Prize", "Nobel Prize in Chemistry"."""
    return any(other.startswith(f"{label} ") for _, other in listed)


def _holder(triple: Triple, rule: CountRule) -> str:
    if rule.is_inward:
        return triple.object.id if isinstance(triple.object, Entity) else ""
    return triple.subject.id


def _counted(counting: Counting, triple: Triple) -> Value:
    """The end of a statement that is counted."""
    return triple.subject if counting.rule.is_inward else triple.object


def _counted_key(counting: Counting, triple: Triple) -> str:
    return value_key(_counted(counting, triple))


def _is_counted(counting: Counting, counted: object) -> bool:
    """Whether an object is one of the things that are counted, by its label and description."""
    if not isinstance(counted, Entity):
        return True
    text = f"{counted.label} {counted.description or ''}".lower()
    if counting.rule.objects:
        return counted.description is None or any(re.search(rf"\b{word}", text) for word in counting.rule.objects)
    if counting.rule.is_filtered:
        noun = dict(counting.rule.aliases).get(counting.noun, counting.noun)
        return all(re.search(rf"\b{re.escape(word)}", text) for word in noun.split(" ") if word not in _PLAIN)
    return True


def _judge_total(counting: Counting, listed: _Listed) -> tuple[bool, float] | None:
    """Whether a list of that length bears the count out, and how far that can be relied on."""
    agreement = compare_quantity(counting.quantity, Quantity(amount=Decimal(listed.total)), spread=Decimal(0))
    if listed.is_whole:
        if agreement.agrees:
            return True, 0.9
        return (False, 0.8) if agreement.disagrees else None
    match counting.quantity.bound:
        case "more" | "at_least":
            return (True, 0.85) if agreement.agrees else None
        case "exactly" | "at":
            return (True, 0.65) if listed.total == counting.quantity.amount else None
        case _:
            return None
