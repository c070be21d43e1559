"""A denied statement as what it denies: "X was not born in Y" as "X was born in Y", and a flag."""

import re
from typing import TYPE_CHECKING

from wkgfc.language import parse

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_STEMS = {"wo": "will", "ca": "can", "sha": "shall", "ai": "is", "can": "can"}  # "won't", "can't", "shan't", "cannot"
_NOBODY = {
    "nobody": "somebody", "no one": "someone", "nothing": "something", "none": "some", "nowhere": "somewhere",
}  # fmt: skip
_BUT = re.compile(
    r"\bnot\b[^.]*\bbut\b|\bnot\s+(?:only|just|merely|necessarily)\b"
    r"|\bnot\s+(?:\w+\s+)?until\b|\b(?:no|not)\s+(?:earlier|later)\s+than\b",
    re.IGNORECASE,
)


_UNTRUE = r"(?:false|untrue|incorrect|wrong|an?\s+(?:myth|lie|hoax|misconception|falsehood))"
_CALLED_UNTRUE = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"it(?:['’]s|\s+(?:is|was))(?P<not>\s+not)?\s+{_UNTRUE}(?:\s+to\s+(?:say|claim|state))?\s+that\s+(?P<said>.+)",
        rf"(?:the\s+(?:claim|statement|idea|belief|rumou?r|story)\s+)?that\s+(?P<said>.+)\s+(?:is|was)(?P<not>\s+not)?\s+{_UNTRUE}",
    )
)


def called_untrue(text: str) -> str | None:
    """What ``text`` calls untrue; ``None`` where it calls nothing so.

    >>> called_untrue("It is false that Charlie Chaplin was born in Paris.")
    'Charlie Chaplin was born in Paris.'
    """
    for form in _CALLED_UNTRUE:
        match = form.fullmatch(text.strip().rstrip(".!"))
        if match is not None and match["not"] is None:
            return f"{match['said'][:1].upper()}{match['said'][1:]}."
    return None


def positive_form(text: str) -> tuple[str, bool]:
    """What ``text`` says or denies, and whether it denies it.

    Only the denial of the main statement counts. A text with none, with two, or with one that leaves part of it
    standing ("not only … but", "not until 1950") or bounds a time ("no later than 1950") comes back as it is, with
    ``False``. What is called untrue is denied.

    >>> positive_form("Charlie Chaplin was not born in Paris.")
    ('Charlie Chaplin was born in Paris.', True)
    """
    untrue = called_untrue(text)
    if untrue is not None:
        said, is_denied = positive_form(untrue)
        return said, not is_denied
    if not _MAY_DENY.search(text) or _BUT.search(text):
        return text, False
    doc = parse(text)
    roots = [token for token in doc if token.dep_ == "ROOT"]
    if len(roots) != 1:
        return text, False
    changes = _changes(doc, roots[0])
    if changes is None:
        return text, False
    written = "".join(changes.get(token.i, token.text_with_ws) for token in doc)
    written = re.sub(r"\s+([,.;:!?])", r"\1", " ".join(written.split()))
    return written[:1].upper() + written[1:], True


_SCOPE = re.compile(
    r"(?:\b(?:not|never|nor)\b|n['’]t\b)"
    r"(?!\s+(?:only|just|merely|necessarily|(?:earlier|later)\s+than|(?:\w+\s+)?until)\b)"
    r"[^,;.!?]*?(?=[,;.!?]|\s(?:but|and|although|though|while|because|which|who)\b|$)"
)


def denied_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The stretches of a text that "not" reaches, which ``positive_form`` has left in it: "not in 1890" beside "in
    1889"."""
    return tuple(match.span() for match in _SCOPE.finditer(text))


_MAY_DENY = re.compile(
    r"\b(?:not|never|no|nobody|none|nothing|neither|nor|nowhere|cannot|no\s+one)\b|n['’]t\b", re.IGNORECASE
)


def _changes(doc: "Doc", root: "Token") -> dict[int, str] | None:
    """How the tokens that deny ``root`` are written instead, by index; ``None`` where nothing or too much denies it."""
    not_all = _by_not_all(doc)
    if not_all is not None:
        return not_all
    if any(child.dep_ == "conj" and child.pos_ in ("VERB", "AUX") for child in root.children):
        return None  # what is denied of two predicates?
    denials = [
        found
        for found in (
            _by_adverb(root),
            _by_determiner(doc, root),
            _by_pronoun(doc, root),
            _by_neither(root),
        )
        if found is not None
    ]
    if len(denials) != 1:
        return None
    first = min(denials[0])
    return _without_any(doc, first) | denials[0]


_SOME = {
    "any": "some", "anyone": "someone", "anybody": "somebody", "anything": "something", "anywhere": "somewhere",
}  # fmt: skip


def _without_any(doc: "Doc", first: int) -> dict[int, str]:
    """ "any" after a denial is "some" without it."""
    return {
        token.i: _SOME[token.lower_] + token.whitespace_ for token in doc if token.i > first and token.lower_ in _SOME
    }


def _by_adverb(root: "Token") -> dict[int, str] | None:
    """ "was not born", "didn't win", "never won", "is no longer"."""
    heads = [root, *(child for child in root.children if child.dep_ in ("aux", "auxpass", "cop"))]
    adverbs = [
        child
        for head in heads
        for child in head.children
        if (child.dep_ == "neg" or child.lower_ == "never")
        and child.lower_ in ("not", "n't", "n’t", "never", "no")
        and _is_before_or_next(child, root)
    ]
    longer = [child for child in root.children if child.lower_ == "longer" and child.nbor(-1).lower_ == "no"]
    if len(adverbs) + len(longer) != 1 or (
        adverbs
        and adverbs[0].i <= 1
        and not any(child.i < root.i for child in root.children if child.dep_ in ("nsubj", "nsubjpass", "expl"))
    ):
        return None  # none, two, or an order: "don't ask"
    if longer:
        return {longer[0].i - 1: "", longer[0].i: ""}
    adverb = adverbs[0]
    changes = {adverb.i: ""}
    auxiliary = root.doc[adverb.i - 1] if adverb.i else None
    if auxiliary is not None and adverb.lower_ != "never":
        changes |= _without_do(auxiliary, root)
    return changes


def _is_before_or_next(adverb: "Token", root: "Token") -> bool:
    """Whether an adverb stands where it denies the main verb: before it, or right after a copula."""
    return adverb.i < root.i or adverb.i == root.i + 1


def _without_do(auxiliary: "Token", root: "Token") -> dict[int, str]:
    """The auxiliary in full, and "does not live" as "lives"; "did not win" stays "did win"."""
    gap = " "
    if auxiliary.lower_ in _STEMS:
        return {auxiliary.i: _STEMS[auxiliary.lower_] + gap}
    if auxiliary.lower_ == "does" and auxiliary.dep_ == "aux" and root.tag_ in ("VB", "VBP"):
        return {auxiliary.i: "", root.i: _third_person(root.text) + root.whitespace_}
    if auxiliary.lower_ == "do" and auxiliary.dep_ == "aux":
        return {auxiliary.i: ""}
    if auxiliary.lower_ == "did" and root.lower_ == "have":
        return {auxiliary.i: "", root.i: "had" + root.whitespace_}
    return {auxiliary.i: auxiliary.text + gap}


def _third_person(verb: str) -> str:
    if verb.lower() == "have":
        return "has"
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def _by_determiner(doc: "Doc", root: "Token") -> dict[int, str] | None:
    """ "has no rivers", "there are no lakes", "no human has walked on Mars"."""
    found = []
    for child in root.children:
        if child.dep_ not in ("nsubj", "nsubjpass", "dobj", "attr") or child.lower_ == "one":
            continue
        found += [
            (child, word)
            for word in child.children
            if word.lower_ == "no" and word.dep_ in ("det", "neg") and _is_word(doc, word)
        ]
    if len(found) != 1:
        return None
    noun, word = found[0]
    if word.i + 1 < len(doc) and doc[word.i + 1].lower_ in ("longer", "more", "fewer", "less", "other"):
        return None
    article = ""
    if noun.tag_ == "NN" and noun.dep_ in ("nsubj", "nsubjpass", "attr") and noun.lower_ != "evidence":
        article = "an " if doc[word.i + 1].text[:1].lower() in "aeiou" else "a "
    return {word.i: article}


def _is_word(doc: "Doc", word: "Token") -> bool:
    """Whether "no" is a word of the sentence and not of a name ("No Country for Old Men", "No. 1")."""
    following = doc[word.i + 1].text if word.i + 1 < len(doc) else ""
    is_in_name = word.ent_type_ not in ("", "CARDINAL") or following[:1].isupper() or following == "."
    return not (word.text[:1].isupper() and is_in_name) and following != "."


def _by_pronoun(doc: "Doc", root: "Token") -> dict[int, str] | None:
    """ "Nobody lives there", "none of the rivers"."""
    subject = next((child for child in root.children if child.dep_ in ("nsubj", "nsubjpass", "dobj")), None)
    if subject is None:
        return None
    if subject.lower_ in _NOBODY and not any(child.dep_ in ("det", "compound") for child in subject.children):
        return {subject.i: _NOBODY[subject.lower_] + subject.whitespace_}
    if subject.lower_ == "one" and subject.i and doc[subject.i - 1].lower_ == "no":
        return {subject.i - 1: "", subject.i: "someone" + subject.whitespace_}
    return None


def _by_neither(root: "Token") -> dict[int, str] | None:
    """ "is neither in Africa nor in Asia" denies "is in Africa or in Asia"."""
    words = list(root.subtree)
    neither = [word for word in words if word.lower_ == "neither" and word.i > root.sent.start]
    nor = [word for word in words if word.lower_ == "nor"]
    if len(neither) != 1 or len(nor) != 1 or nor[0].i < neither[0].i:
        return None
    return {neither[0].i: "", nor[0].i: "or" + nor[0].whitespace_}


def _by_not_all(doc: "Doc") -> dict[int, str] | None:
    """ "Not all birds fly" denies "All birds fly"."""
    if len(doc) > 2 and doc[0].lower_ == "not" and doc[1].lower_ in ("all", "every", "everyone", "everybody"):
        return {0: ""}
    return None
