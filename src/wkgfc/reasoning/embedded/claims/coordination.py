"""What "and" and "but" join in a sentence: predicates, clauses, nouns; each as a sentence of its own."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.clauses import (
    has_tense,
    is_added,
    is_loose,
    joins_one_subject,
    name_tokens,
    root_of,
    sentence_of,
    subject_of,
    text_of,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def split_predicates(sentence: str) -> list[str]:
    """ "X was born in A and died in B" as two sentences."""
    doc = parse(sentence)
    root = root_of(doc)
    if root is None:
        return [sentence]
    subject = subject_of(root)
    chain, is_joined = _chain(root)
    if not chain or not joins_one_subject(root, subject, chain) or subject is None:
        return [sentence]
    name = text_of(token for token in subject.subtree if subject.pos_ != "PROPN" or not is_added(token, subject))
    clauses = _clauses(doc, root, chain)
    if clauses is not None:
        return clauses
    if not is_joined:
        return [sentence]
    parts: list[str] = []
    dropped: set[int] = set()
    for verb in chain:
        part = _predicate(verb, root, name)
        if part is None:
            return [sentence]
        parts.append(part)
        dropped |= {token.i for token in verb.subtree}
    dropped |= {token.i for verb in (root, *chain) for token in verb.children if token.dep_ == "cc"}
    first = [token for token in doc if token.i not in dropped]
    shared = _shared_object(root, chain)
    if shared is None:
        return [sentence]
    tail: list[Token | str] = [" ", *shared] if shared else []
    return [sentence_of([*_trimmed(first), *tail]), *parts]


def _clauses(doc: "Doc", root: "Token", chain: Sequence["Token"]) -> list[str] | None:
    """ "X is A and Y is B", where the parser takes Y for a second object of the first clause."""
    verb = chain[0]
    if len(chain) != 1 or subject_of(verb) is not None:
        return None
    start = min(
        [
            verb.i,
            *(
                child.i
                for child in verb.children
                if child.dep_ in ("aux", "auxpass", "neg", "advmod") and child.i < verb.i
            ),
        ]
    )
    joiner = next((token for token in reversed(list(doc[root.i : start])) if token.lower_ in ("and", "but")), None)
    if joiner is None or joiner.i == start - 1:
        return None
    if not any(token.pos_ in ("PROPN", "NOUN") for token in doc[joiner.i + 1 : start]):
        return None
    return [sentence_of(_trimmed(list(doc[: joiner.i]))), sentence_of(doc[joiner.i + 1 :])]


def _trimmed(tokens: Sequence["Token"]) -> list["Token"]:
    trimmed = list(tokens)
    while trimmed and trimmed[-1].is_punct and trimmed[-1].text not in ('"', "”", "’", "'", ")"):
        trimmed.pop()
    return trimmed


def _chain(root: "Token") -> tuple[list["Token"], bool]:
    """The verbs joined to ``root``, in order, and whether an "and" or a "but" of theirs joins them."""
    chain: list[Token] = []
    verb, is_joined = root, False
    while True:
        following = [child for child in verb.children if child.dep_ == "conj" and child.pos_ in ("VERB", "AUX")]
        joined = {child.lower_ for child in verb.children if child.dep_ == "cc"}
        if len(following) != 1 or (joined and not joined <= {"and", "but"}):
            return (chain if not following else []), is_joined
        is_joined = is_joined or bool(joined)
        verb = following[0]
        if verb.i < root.i:
            return [], False
        chain.append(verb)


def _predicate(verb: "Token", root: "Token", name: str) -> str | None:
    """A joined predicate with the subject, and with the auxiliaries that it shares with the first verb."""
    nested = {
        token.i
        for child in verb.children
        if child.dep_ == "conj" and child.pos_ in ("VERB", "AUX")
        for token in child.subtree
    }
    own = [
        token
        for token in verb.subtree
        if token.i not in nested and not (token.dep_ == "cc" and token.head.i == verb.i and nested)
    ]
    subject = subject_of(verb)
    if subject is not None:
        return _with_own_subject(subject, own, root, name) if has_tense(verb) else None
    if has_tense(verb):
        return sentence_of([name, " ", *own])
    shared = [child for child in root.children if child.dep_ in ("aux", "auxpass") and child.i < root.i]
    if not shared or verb.tag_ != root.tag_:
        return None  # "expressed interest in X and predicting Y" joins nouns
    return sentence_of([name, " ", *(f"{child.text} " for child in shared), *own])


def _with_own_subject(subject: "Token", own: list["Token"], root: "Token", name: str) -> str | None:
    """A joined clause; a pronoun for the first subject is replaced by it, one that may mean something else is not."""
    first = subject_of(root)
    if first is None or subject.left_edge.i - own[0].i > 1:
        return None
    if subject.pos_ != "PRON":
        owner = subject.left_edge
        if owner.tag_ == "PRP$":
            is_same = first.pos_ == "PROPN" and owner.i == own[0].i
            return sentence_of([f"{name}'s ", *own[1:]]) if is_same else None
        return sentence_of(own) if subject.pos_ in ("PROPN", "NOUN") else None
    if subject.i != own[0].i:
        return None
    is_plural = first.tag_ in ("NNS", "NNPS")
    has_object = any(child.dep_ in ("dobj", "attr", "pobj") for child in root.children)
    fits = {
        "he": first.pos_ == "PROPN",
        "she": first.pos_ == "PROPN",
        "they": is_plural or any(child.dep_ == "conj" for child in first.children),
        "it": not is_plural and first.ent_type_ != "PERSON" and not has_object,
    }
    return sentence_of([name, " ", *own[1:]]) if fits.get(subject.lower_, False) else None


# Verbs that do not take the object of a verb joined to them: "acts and produces films".
_INTRANSITIVE = frozenset(
    {"act", "sing", "dance", "rap", "perform", "live", "work", "die", "travel", "appear", "reside", "retire", "compete"}
)


def _shared_object(root: "Token", chain: Sequence["Token"]) -> list["Token"] | None:
    """The object that the last verb has for both ("wrote and directed the film"): empty where the first has its own.

    ``None`` where it cannot be told.
    """
    between = [
        child
        for child in root.children
        if root.i < child.i < chain[0].i and child.dep_ not in ("cc", "punct", "advmod")
    ]
    if between or len(chain) > 1:
        return []
    last = chain[0]
    objects = [child for child in last.children if child.dep_ in ("dobj", "prep", "agent") and child.i > last.i]
    if not objects:
        return []
    if last.i - root.i > 3 or root.tag_ != last.tag_ or root.lemma_.lower() in _INTRANSITIVE:
        return []
    return [token for child in objects for token in child.subtree]


# --- coordinated nouns ---------------------------------------------------------------------------------------------

_COLLECTIVE = frozenset(
    """combine merge unite divide separate mix join compare differ distinguish connect link consist comprise
    blend split share marry meet equal mean refer call name entitle title""".split()  # noqa: SIM905
)
_ENTITIES = frozenset({"PERSON", "GPE", "LOC", "NORP", "LANGUAGE", "ORG", "FAC"})
_PREPOSITIONS = frozenset({"in", "by", "with", "for", "from", "at", "to", "through", "across"})


def split_nouns(sentence: str) -> list[str]:
    """ "X is an actor and director", "X directed A and B" as two sentences."""
    doc = parse(sentence)
    root = root_of(doc)
    if root is None or not joins_one_subject(root, subject_of(root)) or root.lemma_.lower() in _COLLECTIVE:
        return [sentence]
    for child in root.children:
        if child.i < root.i:
            continue
        if child.dep_ == "attr" and root.lemma_ == "be":
            return _attributes(doc, child) or [sentence]
        if child.dep_ == "dobj":
            return _objects(doc, child) or [sentence]
        if child.dep_ in ("prep", "agent") and child.lower_ in _PREPOSITIONS:
            noun = next((word for word in child.children if word.dep_ == "pobj"), None)
            found = _objects(doc, noun) if noun is not None else None
            if found:
                return found
    return [sentence]


def _list(first: "Token") -> list["Token"]:
    """The nouns of a list "A, B and C"; empty where it is joined otherwise, or only by commas."""
    nouns, joiners = [first], set()
    while True:
        joiners |= {child.lower_ for child in nouns[-1].children if child.dep_ == "cc"}
        following = [child for child in nouns[-1].children if child.dep_ == "conj"]
        if len(following) != 1:
            break
        nouns.append(following[0])
    return nouns if len(nouns) > 1 and joiners == {"and"} else []


def _attributes(doc: "Doc", first: "Token") -> list[str]:
    nouns = _list(first)
    determiner = next((child for child in first.children if child.dep_ == "det"), None)
    if not nouns or determiner is None or determiner.lower_ not in ("a", "an", "the"):
        return []
    if any(noun.tag_ != "NN" and not (noun.text.isupper() and 1 < len(noun) < 5) for noun in nouns):
        return []
    last = nouns[-1]
    # What follows the list belongs to all of it ("the founder and CEO of Apple"), a clause to its last noun.
    after = [child for noun in nouns for child in noun.children if child.i > last.i]
    has_own = any(child.dep_ in ("prep", "relcl", "acl") and first.i < child.i < nouns[1].i for child in first.children)
    has_determiner = any(child.dep_ in ("det", "poss") for child in last.children)
    has_own = has_own or has_determiner  # "an actor and the son of a doctor"
    sharing = ("of", "for", "in", "at") if determiner.lower_ == "the" else ("in", "from", "at")
    shared = [token for child in after if child.dep_ == "prep" and child.lower_ in sharing for token in child.subtree]
    shared = [] if has_own else shared
    clause = [
        token
        for child in after
        if child.dep_ in ("prep", "relcl", "acl")
        for token in child.subtree
        if token not in shared
    ]
    if determiner.lower_ == "the" and not shared:
        return []
    lead = [token for token in doc if token.i < determiner.i]
    parts = []
    for noun in nouns:
        words = [
            token
            for token in noun.subtree
            if token.i == noun.i or (token.i < noun.i and token.dep_ not in ("cc", "conj", "det") and token.text != ",")
        ]
        words = [token for token in words if noun.i == first.i or token.i > nouns[nouns.index(noun) - 1].i]
        own_determiner = next((child for child in noun.children if child.dep_ == "det"), determiner)
        article = "the" if own_determiner.lower_ == "the" else _article(words[0].text if words else noun.text)
        own = [
            token
            for child in noun.children
            if noun.i < child.i < last.i and child.dep_ in ("prep", "relcl", "acl")
            for token in child.subtree
        ]
        end = [*own, *shared, *(clause if noun.i == last.i else [])]
        parts.append(sentence_of([*lead, f"{article} ", text_of(words), " ", *sorted(end, key=lambda token: token.i)]))
    return parts


def _article(word: str) -> str:
    return "an" if re.match(r"(?!eu|uni|one|us[aei]|u\.)[aeiou]|h(?:our|onest|eir)", word, re.IGNORECASE) else "a"


def _objects(doc: "Doc", first: "Token") -> list[str]:
    """One sentence for each name of a list of names of one kind, none of which can be a name with "and"."""
    nouns = _list(first)
    kinds = {noun.ent_type_ for noun in nouns}
    if not nouns or len(kinds) != 1 or not kinds <= _ENTITIES or any(noun.pos_ != "PROPN" for noun in nouns):
        return []
    spans = [next((ent for ent in doc.ents if ent.start <= noun.i < ent.end), None) for noun in nouns]
    if any(span is None for span in spans) or len({span.start for span in spans if span is not None}) != len(nouns):
        return []  # one entity has both: "Simon and Garfunkel"
    start = first.left_edge.i
    last = nouns[-1]
    end = max(token.i for token in last.subtree if not is_loose(token, last)) + 1
    parts = []
    for noun in nouns:
        own = name_tokens(noun)
        parts.append(sentence_of([*doc[:start], text_of(own), " ", *doc[end:]]))
    return parts
