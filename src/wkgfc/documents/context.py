"""What a sentence takes from the sentences around it: whom "he" means, which day "yesterday" was, who "Merkel" is.

Rules that would rather not resolve than resolve wrongly: where two things could be meant, neither is.
"""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from wkgfc.evidence import Record, Time
from wkgfc.language import parse
from wkgfc.reasoning.embedded.values.calendar_spans import Precision
from wkgfc.reasoning.embedded.values.times import TimeMention, read_times, time_in_words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

WINDOW = 2  # sentences back in which a pronoun's name may stand
# Of a sentence that is read. A longer one is no single statement, and reading it takes time that grows with its square.
MAX_SENTENCE_CHARACTERS = 5_000

Kind = Literal["pronoun", "description", "name", "date"]


class Replacement(Record):
    """A stretch of the document, from ``start`` to ``end``, and what it means there."""

    start: int
    end: int
    said: str
    meant: str
    kind: Kind


@dataclass(frozen=True)
class Standing:
    """A sentence that stands alone. ``unclear`` are the words of it whose meaning the text does not settle."""

    text: str
    replacements: tuple[Replacement, ...]
    unclear: tuple[str, ...]


@dataclass
class _Names:
    """The names of one sentence, by spaCy's label; ``subject`` is the one that the sentence is about."""

    by_label: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    subject: str | None = None


_PERSON_PRONOUNS = {"he", "she", "him", "his", "her", "hers"}
_UNCLEAR = {"they", "them", "their", "we", "us", "our", "i", "my", "me", "you", "your", "these", "those"}
_THINGS = ("ORG", "GPE", "WORK_OF_ART", "FAC", "PRODUCT", "EVENT", "LAW", "LOC")
_DESCRIBED = {
    **dict.fromkeys(("company", "firm", "group", "bank", "organisation", "organization", "agency"), "ORG"),
    **dict.fromkeys(("city", "town", "country", "state", "nation", "island"), "GPE"),
    **dict.fromkeys(("film", "movie", "book", "novel", "album", "song", "painting"), "WORK_OF_ART"),
    **dict.fromkeys(("actor", "actress", "singer", "writer", "author", "scientist", "politician", "player"), "PERSON"),
}
# A word begins where no other goes on and has an end, so that a long run of capitals is not read from each of them.
_NAME_WORD = r"[A-Z][\w&'’-]{1,40}"
_ACRONYM = re.compile(rf"((?<!\w){_NAME_WORD}(?: (?:of|for|and|the|on|in|{_NAME_WORD})){{1,9}}) \(([A-Z]{{2,10}})\)")
_ANY_DAY = dt.date(2000, 6, 15)  # to see what a relative date is, where the day of the text is not known


def standing_alone(text: str, spans: Sequence[tuple[int, int]], date: dt.date | None = None) -> list[Standing]:
    """Every sentence of ``text`` with what it takes from the others put in. ``date`` is the day of the text.

    One over ``MAX_SENTENCE_CHARACTERS`` stays as it is, and gives nothing to the others.
    """
    sentences = [re.sub(r"\s", " ", text[start:end]) for start, end in spans]  # of the same length: offsets stay
    full = _full_names([sentence for sentence in sentences if len(sentence) <= MAX_SENTENCE_CHARACTERS])
    before: list[_Names] = []
    found: list[Standing] = []
    for sentence, (start, _) in zip(sentences, spans, strict=True):
        if len(sentence) > MAX_SENTENCE_CHARACTERS:
            before.append(_Names())
            found.append(Standing(" ".join(sentence.split()), (), ()))
            continue
        doc = parse(sentence)
        edits, unclear = _edits(doc, sentence, before, full, date)
        before.append(_names_of(doc, edits, full))
        edits.sort(key=lambda edit: edit.start)
        found.append(
            Standing(
                _applied(sentence, edits),
                tuple(edit.model_copy(update={"start": edit.start + start, "end": edit.end + start}) for edit in edits),
                tuple(dict.fromkeys(unclear)),
            )
        )
    return found


def _edits(
    doc: "Doc", sentence: str, before: Sequence[_Names], full: dict[str, str], date: dt.date | None
) -> tuple[list[Replacement], list[str]]:
    edits: list[Replacement] = []
    unclear: list[str] = []
    named: set[str] = set()  # labels of names that stand before the word
    noun = next((token.i for token in doc if _is_thing(token)), len(doc))  # the first, which a pronoun may stand for
    for token in doc:
        if token.ent_iob_ == "B":
            named.add(token.ent_type_)
        word = token.lower_
        if token.tag_ in ("PRP", "PRP$") and word in _PERSON_PRONOUNS:
            if "PERSON" not in named:
                _refer(token, token, _only(before, ("PERSON",)), "pronoun", edits, unclear)
                named.add("PERSON")
        elif token.tag_ in ("PRP", "PRP$") and word in ("it", "its"):
            if not _is_empty(token) and noun >= token.i and not named.intersection(_THINGS):
                _refer(token, token, _subject(before), "pronoun", edits, unclear)
                named.update(_THINGS)
        elif word in _UNCLEAR and token.pos_ == "PRON":
            if not (word.startswith("the") and noun < token.i):
                unclear.append(token.text)
        elif word in ("this", "that") and token.pos_ == "PRON" and token.dep_ == "nsubj" and token.tag_ == "DT":
            unclear.append(token.text)
        elif word in _DESCRIBED and (article := _bare_article(token)) is not None:
            label = _DESCRIBED[word]
            if label not in named and not _is_predicate(token):
                _refer(article, token, _only(before, (label,)), "description", edits, unclear)
    edits += [edit for token in doc if (edit := _full_name(token, sentence, full)) is not None]
    absolute = {(time.start, time.end) for time in read_times(sentence)}
    for time in read_times(sentence, date or _ANY_DAY):
        if (time.start, time.end) in absolute or time.month_day is not None:
            continue
        said = sentence[time.value_start : time.end]
        meant = _day_in_words(time)
        if date is None or meant is None:
            unclear.append(said)
        else:
            start = time.value_start
            edits.append(Replacement(start=start, end=time.end, said=said, meant=meant, kind="date"))
    return edits, unclear


def _refer(
    first: "Token", last: "Token", name: str | None, kind: Kind, edits: list[Replacement], unclear: list[str]
) -> None:
    start, end = first.idx, last.idx + len(last)
    said = first.doc.text[start:end]
    if name is None:
        unclear.append(said)
        return
    is_owner = last.tag_ == "PRP$" or last.lower_ == "hers"
    edits.append(Replacement(start=start, end=end, said=said, meant=f"{name}'s" if is_owner else name, kind=kind))


def _only(before: Sequence[_Names], labels: Sequence[str]) -> str | None:
    """The one name of these kinds in the sentences just before; none where there are two."""
    for names in reversed(before[-WINDOW:]):
        found = {name for label in labels for name in names.by_label.get(label, ())}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _subject(before: Sequence[_Names]) -> str | None:
    """What the sentence just before is about, if that is a thing and no person."""
    if not before or before[-1].subject is None:
        return None
    things = {name for label in _THINGS for name in before[-1].by_label.get(label, ())}
    return before[-1].subject if before[-1].subject in things else None


def _names_of(doc: "Doc", edits: Sequence[Replacement], full: dict[str, str]) -> _Names:
    names = _Names()
    meant = {edit.start: edit.meant.removesuffix("'s") for edit in edits}
    for entity in doc.ents:
        names.by_label[entity.label_].append(meant.get(entity.start_char, _bare(entity)))
        if entity.root.dep_ in ("nsubj", "nsubjpass") and names.subject is None:
            names.subject = names.by_label[entity.label_][-1]
    for edit in edits:
        token = next((token for token in doc if token.idx == edit.start), None)
        if edit.kind in ("pronoun", "description") and token is not None:
            word = edit.said.split()[-1].lower()
            label = "PERSON" if word in _PERSON_PRONOUNS else _DESCRIBED.get(word, "ORG")
            names.by_label[label].append(meant[edit.start])
            head = token.head if edit.kind == "description" else token
            if head.dep_ in ("nsubj", "nsubjpass") and names.subject is None:
                names.subject = meant[edit.start]
    return names


def _full_names(sentences: Sequence[str]) -> dict[str, str]:
    """Short names that stand for one longer name of the text alone: family names, and abbreviations it explains."""
    longer: defaultdict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for entity in parse(sentence).ents:
            words = _bare(entity).split()
            if entity.label_ == "PERSON" and len(words) > 1:
                longer[words[-1]].add(" ".join(words))
        for said, letters in _ACRONYM.findall(sentence):
            name = said.removeprefix("The ")
            if [word[0] for word in name.split() if word[0].isupper()] == list(letters):
                longer[letters].add(name)
    return {short: names.pop() for short, names in longer.items() if len(names) == 1}


def _full_name(token: "Token", sentence: str, full: dict[str, str]) -> Replacement | None:
    """The whole name for a short one that stands alone: not in "Angela Merkel", nor in "Merkel Street".

    Nor for a word that is no name where it stands: "In May", "White voters", "the King of Sweden".
    """
    name = full.get(token.text)
    if name is None or name in sentence or not (token.text.isupper() or _is_family_name(token)):
        return None
    beside = [token.doc[index] for index in (token.i - 1, token.i + 1) if 0 <= index < len(token.doc)]
    if any(other.pos_ == "PROPN" and other.text[:1].isupper() for other in beside):
        return None
    return Replacement(start=token.idx, end=token.idx + len(token), said=token.text, meant=name, kind="name")


def _is_family_name(token: "Token") -> bool:
    if token.pos_ != "PROPN" or token.ent_type_ in ("DATE", "TIME"):
        return False
    before, after = (token.doc[index : index + 1] for index in (token.i - 1, token.i + 1))
    return not any(other.pos_ == "DET" for other in before) and not any(other.pos_ == "NOUN" for other in after)


def _bare(entity: "Span") -> str:
    return re.sub(r"^(?:the|The|Mr\.?|Mrs\.?|Ms\.?|Dr\.?)\s+|['’]s$|\(.*$", "", entity.text).strip()


def _bare_article(noun: "Token") -> "Token | None":
    """The "the" of "the company"; none where more is said of it ("the company that he founded")."""
    left = list(noun.lefts)
    is_bare = len(left) == 1 and left[0].lower_ == "the" and left[0].i == noun.i - 1
    return (
        left[0]
        if is_bare and not any(child.dep_ in ("prep", "relcl", "acl", "appos") for child in noun.rights)
        else None
    )


def _is_predicate(token: "Token") -> bool:
    return token.dep_ in ("attr", "appos", "compound")


def _is_empty(token: "Token") -> bool:
    """Whether "it" means nothing: "it rained", "it is known that"."""
    verb = token.head
    if token.dep_ == "expl" or verb.lemma_ in ("rain", "snow"):
        return True
    if token.dep_ == "nsubjpass" and any(child.dep_ == "ccomp" for child in verb.children):
        return True
    return verb.lemma_ in ("be", "seem", "appear", "turn") and any(
        part.dep_ in ("ccomp", "xcomp", "csubj", "advcl") for child in (verb, *verb.children) for part in child.children
    )


def _is_thing(token: "Token") -> bool:
    return token.pos_ in ("NOUN", "PROPN") and token.ent_type_ not in ("DATE", "TIME")


def _day_in_words(time: TimeMention) -> str | None:
    day = time.earliest
    if day is None:
        return None
    stated = Time(value=f"{day[0]:04d}-{day[1]:02d}-{day[2]:02d}", precision=int(time.precision))
    return f"{'on' if time.precision >= Precision.DAY else 'in'} {time_in_words(stated)}"


def _applied(sentence: str, edits: Sequence[Replacement]) -> str:
    parts, at = [], 0
    for edit in edits:
        if edit.start < at:
            continue
        meant = edit.meant[:1].upper() + edit.meant[1:] if edit.start == 0 else edit.meant
        parts += [sentence[at : edit.start], meant]
        at = edit.end
    return " ".join("".join([*parts, sentence[at:]]).split())
