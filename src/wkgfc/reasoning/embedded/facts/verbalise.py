"""Statements in words: what the verifier reads, what a justification says, and what the result shows."""

import re

from wkgfc.evidence import Entity, Missing, Qualifier, Quantity, Rank, Text, Time, Triple, Value
from wkgfc.reasoning.embedded.lexicon.cues import words_of
from wkgfc.reasoning.embedded.lexicon.relations import Profile, profile_of
from wkgfc.reasoning.embedded.values import Precision, quantity_in_words, time_in_words

START, END, POINT_IN_TIME = "P580", "P582", "P585"

_PERIOD = {START, END, POINT_IN_TIME}
_PHRASES = {  # qualifiers that read better than "label: value"
    "P39": "as {o}",
    "P453": "as {o}",
    "P794": "as {o}",
    "P2868": "as {o}",
    "P3831": "as {o}",
    "P512": "with the degree {o}",
    "P812": "in {o}",
    "P1686": "for {o}",
    "P642": "of {o}",
    "P276": "in {o}",
    "P1545": "number {o}",
    "P518": "for {o}",
    "P805": "(see {o})",
    "P1001": "for {o}",
}
_SAYS_WHAT = {"P31", "P279", "P106", "P105", "P1552"}  # instance, subclass, occupation, taxon rank, quality
_PREPOSITIONS = {"of", "by", "in", "at", "to", "with", "for", "from", "on", "after", "as", "about"}
_VOWEL = re.compile(r"(?!uni|use|usu|euro|ewe|one\b|u[\W_])[aeiou]", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
MAX_NAME = 200  # characters of a label or a literal that a sentence shows


def verbalise(triple: Triple) -> str:
    """A statement as a sentence, with its qualifiers: "X held the position of Y from 2001 to 2009."

    Times are written at their precision, quantities with their units. A statement that its source has deprecated
    says so. Never empty, and never raises, whatever the labels are.
    """
    profile = profile_of(triple.relation.id, triple.relation.label)
    subject, stated = name_of(triple.subject), name_of(triple.object)
    sentence = _sentence(profile, triple.relation.label, triple.object, subject, stated)
    context = qualifiers_in_words(triple.qualifiers)
    if context:
        sentence = f"{sentence} {context}"
    if triple.rank is Rank.DEPRECATED:
        sentence += " (withdrawn by the source)"
    return f"{sentence}."


def name_of(value: Value) -> str:
    """A value as a sentence names it."""
    match value:
        case Entity(label=label, id=identifier):
            return _short(label) or _short(identifier) or "something"
        case Time():
            try:
                return time_in_words(value)
            except (ValueError, IndexError):  # no time that a calendar has
                return _short(value.value) or "an unknown time"
        case Quantity():
            return _short(quantity_in_words(value)) or "a number"
        case Text(value=text):
            return f"“{_short(text)}”"
        case Missing(value="none"):
            return "nothing"
        case Missing():
            return "an unknown value"


def _short(text: str) -> str:
    text = _SPACE.sub(" ", text).strip()
    return text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 1]}…"


def _sentence(profile: Profile, label: str, value: Value, subject: str, stated: str) -> str:
    if isinstance(value, Missing) and value.value == "none":
        return f"{subject} has no {_short(label) or 'such value'}"
    if not profile.says:
        return _sentence_of_label(_short(label) or "related to", subject, stated)
    template = profile.says.rstrip(".")
    if isinstance(value, Time):
        is_day = value.precision >= 11
        template = template.replace(" in {o}" if is_day else " on {o}", " on {o}" if is_day else " in {o}")
    if profile.id in _SAYS_WHAT and stated[1:] == stated[1:].lower():
        stated = stated[:1].lower() + stated[1:]  # a class whose label is the title of an article
    article = "an" if _VOWEL.match(stated) else "a"
    filled = {"{s}": subject, "{o}": stated, "{a}": article}
    return re.sub(r"\{[soa]\}", lambda slot: filled[slot.group()], template)


def _sentence_of_label(label: str, subject: str, stated: str) -> str:
    words = [word.text for word in words_of(label)] or [label]
    if words[0] in {"has", "is", "was", "have"} or (words[0].endswith("s") and words[-1] in _PREPOSITIONS):
        return f"{subject} {label} {stated}"
    if words[-1] in _PREPOSITIONS:
        return f"{subject} is {label} {stated}"
    return f"The {label} of {subject} is {stated}"


def period_of(triple: Triple) -> tuple[Time | None, Time | None]:
    """The start and the end that the qualifiers give; a point in time is both."""
    times = {q.relation.id: q.value for q in triple.qualifiers if isinstance(q.value, Time)}
    point = times.get(POINT_IN_TIME)
    return times.get(START, point), times.get(END, point)


def qualifiers_in_words(qualifiers: tuple[Qualifier, ...]) -> str:
    """The context of a statement as the end of a sentence: "as Neo, from 1999 to 2003". Empty where there is none."""
    phrases: list[str] = []
    others: list[str] = []
    for qualifier in qualifiers:
        name = name_of(qualifier.value)
        identifier = qualifier.relation.id
        if identifier in _PERIOD and isinstance(qualifier.value, Time | Missing):
            continue
        if identifier in _PHRASES and not isinstance(qualifier.value, Missing):
            phrases.append(_PHRASES[identifier].replace("{o}", name))
        else:
            others.append(f"{_short(qualifier.relation.label) or identifier}: {name}")
    phrases.extend(_period_in_words(qualifiers))
    text = ", ".join(phrases)
    return f"{text} ({'; '.join(others)})".strip() if others else text


def _period_in_words(qualifiers: tuple[Qualifier, ...]) -> list[str]:
    values = {q.relation.id: q.value for q in qualifiers if q.relation.id in _PERIOD}
    start, end, point = (values.get(identifier) for identifier in (START, END, POINT_IN_TIME))
    phrases: list[str] = []
    if isinstance(start, Time) and isinstance(end, Time):
        phrases.append(f"from {name_of(start)} to {name_of(end)}")
    elif isinstance(start, Time):
        phrases.append(f"since {name_of(start)}" if end is None else f"from {name_of(start)}, and no longer")
    elif isinstance(end, Time):
        phrases.append(f"until {name_of(end)}")
    elif isinstance(end, Missing) and end.value == "unknown":
        phrases.append("until an unknown time")
    if isinstance(point, Time):
        phrases.append(f"{'on' if point.precision >= Precision.DAY else 'in'} {name_of(point)}")
    return phrases
