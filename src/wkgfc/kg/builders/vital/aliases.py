"""What an article's first sentence calls its subject before the verb, and how it says so."""

import re
from collections.abc import Iterator
from typing import Literal

from wkgfc.kg.builders.vital.articles import Article

NameKind = Literal["name", "official", "birth", "alias", "short", "pseudonym", "nickname"]

_VERB = re.compile(
    r"[,;]?\s+(?:(?:is|was|are|were)\b|refers?\s+to\b|comprises?\b|consists?\s+of\b|has\b|have\b|describes?\b|"
    r"denotes?\b|deals?\s+with\b|served\b|reigned\b|ruled\b|follows\b|occurs?\b)"
)
_ADVERB = (
    "also|and|is|was|more|better|best|most|commonly|often|sometimes|formerly|previously|historically|popularly|widely|"
    "usually|generally|colloquially|originally|traditionally|variously|otherwise|occasionally|simply|rarely|seldom|frequently|"
    "alternatively|scientifically|alternately|initially|once|posthumously|professionally|informally|mononymously|"
    "collectively|internationally|locally|now|primarily|or"
)
_LABELLED: tuple[tuple[NameKind, re.Pattern[str]], ...] = (
    ("official", re.compile(r"(?:officially|formally|in full)\s*:?\s*(?:known as |called |named )?(?P<n>.+)")),
    ("birth", re.compile(r"(?:born|né|née|birth name|born as)\s*:?\s+(?P<n>.+)")),
    (
        "pseudonym",
        re.compile(
            r"(?:(?:better |best |also )?known by (?:his|her) (?:pen name|pseudonym|stage name|nom de plume)|"
            r"(?:pen name|pseudonym|nom de plume))\s*:?,?\s+(?P<n>.+)"
        ),
    ),
    ("nickname", re.compile(r"nicknamed\s+(?P<n>.+)")),
    (
        "short",
        re.compile(
            r"(?:(?:often |commonly |usually )?(?:abbreviated|shortened)(?: (?:as|to))?|abbreviation|abbr\.)"
            r"\s*:?\s+(?P<n>.+)"
        ),
    ),
    (
        "alias",
        re.compile(
            rf"(?:(?:{_ADVERB})\s+)*(?:known|called|termed|spelled|spelt|named|referred to|rendered|transliterated)"
            rf"(?:\s+(?:{_ADVERB}))*(?:\s+(?:as|by))?\s+(?P<n>.+)"
        ),
    ),
    ("alias", re.compile(r"(?:or|aka|a\.k\.a\.|alternatively|also)\s+(?:simply |just )?(?P<n>.+)")),
)
_OPENING = (
    r"(?:also|more|better|best|commonly|formerly|known|officially|born|né|née|often|sometimes|simply|abbreviated|"
    r"nicknamed|historically|popularly|formally|alternatively|originally|colloquially|widely|usually|generally|called|"
    r"pen name|otherwise|traditionally|in full)\b"
)
_SPLIT = re.compile(
    rf"\s*[;,]\s+(?:(?:and|or)\s+)?(?={_OPENING}|[A-Z\"“])|\s*,\s+(?=or\s)|"
    r"\s+(?=(?:(?:commonly|also|better|best|popularly|sometimes|often|formerly|otherwise|generally) "
    r"(?:known|called|referred)|known (?:as|professionally)|nicknamed )\b)"
)
_ALTERNATIVES = re.compile(
    r",?\s+or\s+(?:(?:simply|just|as|the|also|commonly|sometimes|often|later) )*(?:known as |called )?|"
    r",?\s+and\s+(?:as |known as |called )?(?=[A-Z\"“])|,\s+(?=[A-Z\"“])"
)
_NOT_A_NAME = re.compile(
    r"\b(?:officially|is|was|are|were|has|have|had|been|be|being|that|which|who|whose|when|where|because|during|usually|"
    r"pronounced|meaning|literally|lit|stylized|stylised|depending|and|since|later|posthumously|after|by|as|its|their|"
    r"he|she|it|they|in|for)\b"
)
_REMARK = re.compile(
    r"\b(?:later|traditionally|previously|formerly|and|known)$|\band (?:later|traditionally|formerly)\b"
)
_SHORT = re.compile(r"[A-Z][A-Za-z0-9.&/-]{1,9}s?")
_NO_SHORT_NAME = {"US", "UK", "U.S.", "U.K.", "BC", "BCE", "AD", "CE", "II", "III", "IV", "VI", "RP", "IPA", "BrE"}
_PRONOUNS = {"he", "she", "it", "her", "him", "his", "they", "them", "we", "us", "you", "who"}
_MARKS = " –—-,;:\"“”'‘’«»"


def names_of(article: Article) -> Iterator[tuple[NameKind, str]]:
    """The subject's names in the first sentence, the title's own form left out.

    "South Africa, officially the Republic of South Africa (RSA), is …" gives ``("official", "Republic of South
    Africa")`` and ``("short", "RSA")``.
    """
    sentence = article.first_sentence[:600]
    verb = _VERB.search(sentence)
    if verb is None or verb.start() > 240:
        return
    subject = re.sub(r"^(?:In|For|Within)\s+[^,]{3,60},\s+", "", sentence[: verb.start()])
    seen = {article.label.lower(), article.title.lower()}
    for kind, found in _subject_names(subject, article):
        name = re.sub(r"^(?:the|a|an)\s+", "", found.strip(_MARKS), flags=re.IGNORECASE).strip(_MARKS)
        if name.lower() not in seen and _is_name(name, article, kind):
            seen.add(name.lower())
            yield kind, name


def _subject_names(subject: str, article: Article) -> Iterator[tuple[NameKind, str]]:
    for bracket in re.finditer(r"\(([^()]*)\)", subject):
        before = re.sub(r"\s*\([^()]*\)", "", subject[: bracket.start()])
        for part in re.split(r"[;,]", bracket[1]):
            labelled = _labelled(part.strip())
            if labelled is not None and labelled[0] != "short":
                yield labelled
            elif _SHORT.fullmatch(part.strip()) and _abbreviates(part.strip(), before):
                yield "short", part.strip()
    parts = _SPLIT.split(re.sub(r"\s*\([^()]*\)", "", subject))
    is_listed = False  # "also known as A, B or C": what goes on after the comma is a name as well
    for index, piece in enumerate(parts):
        part = piece.strip(" ,;")
        labelled = _labelled(part) if index else None
        goes_on, is_listed = is_listed, labelled is not None and labelled[0] == "alias" and " in " not in labelled[1]
        if labelled is not None:
            kind, names = labelled
            if kind != "official":
                for name in _ALTERNATIVES.split(names):
                    yield kind, name
            elif index + 1 == len(parts) or _labelled(parts[index + 1].strip(" ,;")) is not None:
                yield kind, names  # else the name itself goes on after a comma
        elif index == 0:
            first, *others = re.split(r"\s+or\s+", part)
            yield "name", first
            # "Freedom of religion or belief" has no second name, "A bedroom or bedchamber" has
            if " " not in article.label and len(others) == 1:
                yield "alias", others[0]
        elif goes_on and part[:1].isupper():
            is_listed = True
            for name in _ALTERNATIVES.split(part):
                yield "alias", name
        elif _shares_a_word(part, article.label) and len(part.split()) <= 5:
            yield "alias", part


def _labelled(part: str) -> tuple[NameKind, str] | None:
    for kind, pattern in _LABELLED:
        match = pattern.fullmatch(part)
        if match:
            return kind, match["n"]
    return None


def _abbreviates(short: str, before: str) -> bool:
    """Whether the capitals of ``short`` begin words of the text before the bracket, in their order."""
    if short in _NO_SHORT_NAME:
        return False
    letters = [letter.lower() for letter in short if letter.isupper()]
    initials = "".join(word[0].lower() for word in re.findall(r"\w+", before)[-12:])
    position = 0
    for letter in letters:
        position = initials.find(letter, position) + 1
        if position == 0:
            return False
    return len(letters) >= 2


def _shares_a_word(name: str, label: str) -> bool:
    words = {word.lower() for word in re.findall(r"\w{3,}", label)}
    return bool(words & {word.lower() for word in re.findall(r"\w{3,}", name)})


def _is_name(name: str, article: Article, kind: NameKind) -> bool:
    if not 2 <= len(name) <= 60 or len(name.split()) > 8 or not name[0].isalnum():
        return False
    if any(sign in name for sign in ',;:()[]/"“”=') or name in _NO_SHORT_NAME:
        return False
    if name.istitle() and name.lower() in _PRONOUNS:
        return False
    if _NOT_A_NAME.search(name) and not (kind == "official" and not _REMARK.search(name)):
        return False
    if kind == "short":
        return bool(_SHORT.fullmatch(name))
    if name[0].islower():
        # a name of a person or a place has a capital; what has none is a remark about it
        return kind == "alias" and article.topic not in {"People", "Geography", "History"}
    return not (article.is_common and kind == "name" and not _shares_a_word(name[:-1], article.label))
