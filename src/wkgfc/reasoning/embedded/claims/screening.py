"""Whether a claim can be checked at all. An opinion, a prediction, a question or an order cannot.

To refuse a claim that could be checked is the worse mistake: where the signs are mixed, it is a claim.
"""

import datetime as dt
import json
import re
from collections import Counter
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from wkgfc.claim import Checkability, Claim
from wkgfc.language import english, parse
from wkgfc.reasoning.embedded.claims.attribution import Attribution, attribution_of
from wkgfc.reasoning.embedded.values.calendar_spans import Day
from wkgfc.reasoning.embedded.values.times import read_times

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

__all__ = ["Attribution", "attribution_of", "screen"]

Kind = Literal["claim", "opinion", "prediction", "question", "order", "fragment"]

_REASONS: dict[Kind, str] = {
    "opinion": "It is an opinion: whether it is so depends on taste or values, not on facts that a source could state.",
    "prediction": "It is a prediction: it speaks of what has not happened by the claim's date.",
    "question": "It is a question: it asks and states nothing. Put what you believe as a statement.",
    "order": "It is an order or a request: it asks for something to be done and states nothing.",
    "fragment": "It is no full statement: it says of nothing what it is or does. Write one sentence with a verb.",
}
_CHECKABLE = Checkability(is_checkable=True)


@lru_cache(maxsize=16)
def _words(section: str) -> frozenset[str]:
    """A list of ``screening.json``, which says what each list is."""
    path = files("wkgfc.reasoning.embedded.claims") / "screening.json"
    return frozenset(json.loads(path.read_text(encoding="utf-8"))[section]["words"])


def screen(claim: Claim) -> Checkability:
    """Whether ``claim`` can be checked, and if not, what it is instead and why.

    What someone said can be checked as said, whatever it is. A text of several sentences can be checked if one of
    them can. Only English is screened; a claim in another language counts as one.
    """
    if not claim.language.lower().startswith("en"):
        return _CHECKABLE
    kinds = [_kind(sentence, claim) for sentence in parse(claim.text).sents if re.search(r"\w", sentence.text)]
    if not kinds or "claim" in kinds or (len(kinds) > 1 and set(kinds) == {"fragment"}):
        return _CHECKABLE if kinds else _refused("fragment")
    real = [kind for kind in kinds if kind != "fragment"] or kinds
    if attribution_of(claim.text) is not None:
        return _CHECKABLE
    return _refused(Counter(real).most_common(1)[0][0])


def _refused(kind: Kind) -> Checkability:
    return Checkability(is_checkable=False, kind=kind, reason=_REASONS[kind])


def _kind(sentence: "Span", claim: Claim) -> Kind:
    text = sentence.text.strip()
    if _is_question(sentence, text):
        return "question"
    if _is_order(sentence, text):
        return "order"
    if _is_fragment(sentence):
        return "fragment"
    if _is_prediction(sentence, text, claim.reference_date):
        return "prediction"
    return "opinion" if _is_opinion(sentence, text) else "claim"


# --- questions -------------------------------------------------------------------------------------------------------

_AUXILIARIES = (
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|isn['’]t|aren['’]t|wasn['’]t"
    r"|weren['’]t|don['’]t|doesn['’]t|didn['’]t|hasn['’]t|haven['’]t|can['’]t|couldn['’]t|won['’]t|wouldn['’]t)"
)
_ASKING = re.compile(rf"(?:(?:who|what|when|where|why|which|how|whose|whom)\b.*|{_AUXILIARIES}\s+.*)", re.IGNORECASE)
_PLAIN_QUESTION = re.compile(
    r"(?:who|what|when|where|why|how|which\s+[a-z]+|how\s+(?:many|much|old|long|tall|far)\s?[a-z]*)\s+"
    r"(?:is|are|was|were|did|does|do|can|will|has|have|had)\s+.+"
)
_FINITE = {"VBZ", "VBD", "VBP", "MD"}


def _is_question(sentence: "Span", text: str) -> bool:
    if re.search(r"\?[\"”’')\s]*$", text):
        # "He debuted with What's My Name?" ends with a name and asks nothing
        ends_with_name = re.search(r"[A-Z][\w’'-]*[,:\s)]+[(]?[A-Z][\w’'-]*[)]?\?$", text) is not None
        return not ends_with_name or _ASKING.match(text) is not None
    lowered = text[:1].lower() + text[1:]
    finite = [token for token in sentence if token.tag_ in _FINITE]
    if _PLAIN_QUESTION.fullmatch(lowered) and len(finite) <= 2:
        # "What We Do in the Shadows is a film" has its verb after a name
        return not any(token.text[:1].isupper() for token in sentence[1:2])
    first = sentence[0]
    if first.tag_ not in _FINITE or not re.fullmatch(_AUXILIARIES, first.lower_) or len(sentence) < 4:
        return False
    subjects = [token for token in sentence if token.dep_ in ("nsubj", "nsubjpass", "expl")]
    is_inverted = (
        bool(subjects) and subjects[0].left_edge.i == first.i + 1 and subjects[0].head.i in (first.i, first.head.i)
    )
    return is_inverted and len(finite) == 1 and first.ent_type_ == ""


# --- orders ----------------------------------------------------------------------------------------------------------

_POLITE = re.compile(
    r"(?:please|kindly)\b|.*\bplease[.!]*$|(?:do not|don['’]t|never|always|let['’]s|let us)\s+[a-z]+", re.IGNORECASE
)


def _is_order(sentence: "Span", text: str) -> bool:
    words = [token for token in sentence if not token.is_punct and not token.is_space]
    if len(words) > 2 and words[0].lower_ in ("always", "never", "just", "now") and words[1].is_lower:
        words = words[1:]
    if len(words) < 2:
        return False
    first = words[0]
    if first.lower_ not in _words("orders") or (
        first.text[:1].isupper() and words[1].text[:1].isupper() and first.lower_ != "please"
    ):
        return False
    root = sentence.root
    subjects = [child for child in root.children if child.dep_ in ("nsubj", "nsubjpass", "csubj", "expl")]
    if any(subject.i < root.i for subject in subjects) and not _POLITE.match(text):
        return False
    is_base = first.tag_ in ("VB", "VBP", "NN", "NNP", "UH", "RB", "JJ")
    opens = root.i == first.i or _POLITE.match(text) is not None
    second = [child for child in root.children if child.dep_ == "conj"]
    if any(part.dep_ in ("nsubj", "nsubjpass") for child in second for part in child.children):
        return False  # "Take a look and you will see"
    finite = [
        token for token in (root, *root.children, *second) if token.tag_ in ("VBZ", "VBD", "MD") and token.i != first.i
    ]
    return is_base and opens and not finite


# --- fragments -------------------------------------------------------------------------------------------------------

_VERBAL = re.compile(r"[a-z]+(?:ed|es|s|ing)|won|led|met|ran|sat|sang|wrote|put|set|hit|cut|let")


_FUNCTION_WORDS = frozenset({"the", "of", "and", "in", "to", "for", "with", "on", "at", "by", "from", "an"})


def _is_fragment(sentence: "Span") -> bool:
    if sum(token.is_alpha for token in sentence) < 2:
        return True
    if any(token.pos_ in ("VERB", "AUX") or token.tag_ == "MD" for token in sentence):
        first = sentence[0]
        is_subordinate = first.dep_ == "mark" and first.head.dep_ == "ROOT"
        return is_subordinate and first.lower_ in ("because", "although", "though", "whereas", "unless")
    letters = [letter for letter in sentence.text if letter.isalpha()]
    if sum(letter.isupper() for letter in letters) > 0.4 * len(letters) > 4:
        return False  # in capitals, where the parser takes verbs for names
    words = [token.lower_ for token in sentence if token.is_alpha]
    if len(words) >= 5 and not _FUNCTION_WORDS.intersection(words):
        return False  # a headline, or another language
    # The parser takes rare verbs for nouns: a word after a name or a noun that could be a verb counts as one.
    return not any(
        token.is_lower
        and _could_be_verb(token.text)
        and (token.nbor(-1).pos_ in ("NOUN", "PROPN", "PRON", "ADV") or token.nbor(-1).is_title)
        for token in sentence[1:]
    )


@lru_cache(maxsize=1)
def _known_verbs() -> frozenset[str]:
    """The verbs that the pipeline's lemmatizer knows, in their base and irregular forms; none where it has no table."""
    lemmatizer = english().get_pipe("lemmatizer") if english().has_pipe("lemmatizer") else None
    lookups = getattr(lemmatizer, "lookups", None)
    if lookups is None:
        return frozenset()
    tables = [lookups.get_table(name) for name in ("lemma_index", "lemma_exc") if lookups.has_table(name)]
    return frozenset(verb for table in tables for verb in table.get("verb", ()))


def _could_be_verb(word: str) -> bool:
    return _VERBAL.fullmatch(word) is not None or word in _known_verbs()


# --- predictions -----------------------------------------------------------------------------------------------------

_FUTURE = re.compile(
    r"\b(?:tomorrow|someday|some\s+day|one\s+day|soon|eventually|in\s+the\s+(?:near\s+|distant\s+)?future|sooner\s+or\s+later"
    r"|next\s+(?:year|month|week|decade|century|summer|winter|season|election|time|spring|game|match)|within\s+(?:the\s+next\s+)?"
    r"\w+\s+(?:years?|months?|weeks?|decades?|days?)|in\s+the\s+(?:next|coming)\s+\w+|in\s+(?:\d+|two|three|five|ten|twenty|fifty|a)\s+(?:hundred\s+)?(?:years?|months?|decades?)"
    r"|by\s+the\s+end\s+of|never\s+again|forever|this\s+(?:year|season|summer|winter|november))\b",
    re.IGNORECASE,
)


def _is_prediction(sentence: "Span", text: str, now: dt.date) -> bool:
    """A main verb in the future, and a sign that more is meant than a habit ("water will boil at 100 °C")."""
    unquoted = re.sub(r"[“\"][^”\"]*[”\"]", " ", text)
    heads = [sentence.root, *(child for child in sentence.root.children if child.dep_ == "conj")]
    future = next((head for head in heads if _is_future(head)), None)
    if future is None or not re.search(r"\b(?:will|won['’]t|shall|going\s+to)\b|['’]ll\b", unquoted, re.IGNORECASE):
        return False
    if re.match(r"(?:if|when|whenever|once|unless)\b|.*\s(?:if|whenever)\s", text, re.IGNORECASE):
        return False
    today = Day(now.year, now.month, now.day)
    times = [time for time in read_times(text, now) if time.month_day is None]
    if any(time.limits.latest < today for time in times):
        return False
    if any(time.limits.earliest > today or time.limits.latest > today for time in times if time.bound != "since"):
        return True
    subject = next((child for child in future.children if child.dep_ in ("nsubj", "nsubjpass")), None)
    is_named = subject is not None and (
        subject.pos_ == "PRON" or any(word.ent_type_ or word.pos_ == "PROPN" for word in subject.subtree)
    )
    if subject is not None and any(child.lower_ == "next" for child in subject.children):
        return True
    if future.lower_ == "going" or future.lemma_.lower() in ("overtake", "surpass", "replace", "collapse"):
        return True
    if _FUTURE.search(unquoted):
        return True
    is_definite = subject is not None and any(
        child.lower_ in ("the", "this", "that", "our", "my") for child in subject.children
    )
    return future.lemma_.lower() in _words("happenings") and (is_named or is_definite)


def _is_future(head: "Token") -> bool:
    auxiliaries = {child.lower_ for child in head.children if child.dep_ in ("aux", "auxpass")}
    if auxiliaries & {"will", "wo", "'ll", "’ll", "shall"}:
        return True
    if head.lower_ == "going" and any(child.dep_ == "xcomp" for child in head.children):
        return any(child.lower_ in ("is", "are", "'s", "'re", "am", "’s") for child in head.children)
    return False


# --- opinions --------------------------------------------------------------------------------------------------------

_ATTITUDE = re.compile(
    r"(?:(?:personally|honestly|frankly)\s*,?\s+)?(?:i|we)\s+(?:(?:really|truly|just|still|also|do|firmly|strongly|honestly|personally|absolutely)\s+)*"
    r"(?-i:think|believe|feel|love|hate|prefer|hope|wish|want|like|guess|doubt|enjoy|adore|dislike|suspect|suppose|agree|disagree"
    r"|don['’]t\s+(?:think|believe|like|want|feel))\b"
    r"|.*\b(?:in\s+my\s+(?:humble\s+)?(?:opinion|view|book)|if\s+you\s+ask\s+me|as\s+far\s+as\s+i['’]?m?\s+concerned|imho|to\s+my\s+mind)\b"
    r"|(?:to|for)\s+me\s*,|my\s+(?:favou?rite|opinion|view|feeling)\b|it\s+seems\s+to\s+me\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:considered|regarded|voted|ranked|rated|named|called|deemed|known|thought|believed|seen|reviewed|praised|according"
    r"|critics?|poll|survey|magazine|award(?:s|ed)?|prize|nominated|studies|scientists|researchers|list(?:s|ed)?|many\s+people|widely|reportedly|record)\b",
    re.IGNORECASE,
)
# "Good for the skin", "good at chess", "a good conductor": measured by something else than taste.
_MEASURED_BY = frozenset({"for", "at", "with", "against", "to", "of"})


def _is_opinion(sentence: "Span", text: str) -> bool:
    unquoted = re.sub(r"[“\"][^”\"]*[”\"]", " ", text)
    if _ATTITUDE.match(unquoted.strip()):
        return True
    root = sentence.root
    if _REPORTED.search(unquoted):
        return False
    return _is_norm(sentence, unquoted) or _is_taste(root)


def _is_norm(sentence: "Span", text: str) -> bool:
    """What ought to be: "should", "ought to", "must" of the main verb, "it is time to", "there is nothing better"."""
    root = sentence.root
    modals = {child.lower_ for child in root.children if child.dep_ == "aux"}
    if (
        modals & {"should", "ought"}
        or root.lower_ == "ought"
        or any(child.lower_ == "ought" for child in root.children)
    ):
        return not re.search(r"\bshould\s+have\b|\bif\b|\bmedical|\bdoctor|\brecipe", text, re.IGNORECASE)
    return bool(
        re.match(
            r"(?:it\s+is|it['’]s)\s+(?:time\s+(?:to|for|that)|a\s+(?:shame|pity|disgrace)|wrong\s+(?:to|that)|important\s+(?:to|that)"
            r"|better\s+to|best\s+to|worth|unfair|immoral|wise)\b|nothing\s+(?:is|beats|tastes)\b|there\s+is\s+nothing\s+(?:better|worse)"
            r"|(?:everyone|everybody|people|we|society)\s+(?:must|needs?\s+to|has\s+to|have\s+to|ought\s+to)\b",
            text.strip(),
            re.IGNORECASE,
        )
    )


def _is_taste(root: "Token") -> bool:
    subject = next((child for child in root.children if child.dep_ in ("nsubj", "nsubjpass")), None)
    if root.tag_ == "VBN" and root.lower_ in _words("tastes") and subject is not None:
        return not any(child.dep_ == "agent" for child in root.children)
    if (
        subject is not None
        and root.lemma_ == "be"
        and any(
            word.lower_ in ("best", "worst", "greatest") and word.dep_ == "amod" and subject.lower_ not in _RANKED
            for word in subject.children
        )
    ):
        return not any(word.dep_ in ("relcl", "acl") for word in subject.children)
    if root.lemma_.lower() in _words("taste_verbs") and not any(
        child.dep_ in ("dobj", "prep") for child in root.children
    ):
        return True
    if root.lemma_.lower() not in _words("copulas") or any(
        child.dep_ == "conj" and child.pos_ in ("VERB", "AUX") and not _is_taste(child) for child in root.children
    ):
        return False
    for child in root.children:
        if child.dep_ in ("acomp", "oprd", "advmod") and child.i > root.i and child.lower_ in _words("tastes"):
            return not any(
                part.dep_ == "prep" and part.lower_ in _MEASURED_BY for part in (*child.children, *child.rights)
            )
        if child.dep_ == "acomp" and _has_graded_taste(child):
            return True
        if any(part.dep_ == "prep" and part.lower_ in ("for", "at", "with") for part in child.children):
            continue
        if child.dep_ == "attr" and root.lemma_.lower() == "be" and child.lower_ not in _words("factual_nouns"):
            return _is_tasteful_noun(child)
    return False


# "The best picture of 1994", "the best seller": names of awards and lists.
_RANKED = frozenset(
    {"picture", "seller", "man", "friend", "actor", "actress", "director", "song", "album", "time", "source"}
)


def _has_graded_taste(word: "Token") -> bool:
    """ "more beautiful", "so boring": a degree before a word of taste, joined by "and" as well."""
    return any(
        part.dep_ == "conj" and part.lower_ in _words("tastes") for part in word.children
    ) and word.lower_ in _words("tastes")


def _is_tasteful_noun(noun: "Token") -> bool:
    """ "the best film ever", "a beautiful city", "a masterpiece"."""
    if noun.lower_ in _words("judging_nouns"):
        return not any(child.dep_ == "prep" for child in noun.children)
    for word in noun.children:
        if word.dep_ != "amod" or word.lower_ not in _words("tastes") or word.text[:1].isupper():
            continue
        following = word.nbor().text if word.i + 1 < len(word.doc) else ""
        if following == "-" or following.lower() in _words("factual_after_taste"):
            continue
        return not any(child.dep_ in ("acl", "relcl") for child in noun.children)
    return False
