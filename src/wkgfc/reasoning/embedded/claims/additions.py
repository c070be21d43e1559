"""What a sentence adds about the names in it: relative clauses, appositions, leading participles."""

from typing import TYPE_CHECKING

from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.clauses import (
    CONDITION,
    SUBJECTS,
    name_tokens,
    root_of,
    sentence_of,
    subject_of,
    text_of,
)
from wkgfc.reasoning.embedded.lexicon.cues import stem
from wkgfc.reasoning.embedded.lexicon.relations import role_nouns

if TYPE_CHECKING:
    from spacy.tokens import Token


def without_additions(sentence: str) -> tuple[str, list[str]]:
    """The sentence without what it adds about its names, and the additions as sentences."""
    doc = parse(sentence)
    root = root_of(doc)
    subject = subject_of(root) if root is not None else None
    if root is None or subject is None or CONDITION.search(sentence):
        return sentence, []
    dropped: set[int] = set()
    additions: list[str] = []
    for head in [token for token in doc if token.pos_ == "PROPN"]:
        for child in head.children:
            if child.i in dropped:
                continue
            stated = _addition(head, child, root)
            if stated is not None and not dropped.intersection(token.i for token in child.subtree):
                additions.append(stated)
                dropped |= _with_commas(child)
    leading = _leading_participle(root, subject)
    if leading is not None:
        stated, tokens = leading
        additions.append(stated)
        dropped |= tokens
    if not additions:
        return sentence, []
    return sentence_of(token for token in doc if token.i not in dropped), additions


def _addition(head: "Token", child: "Token", root: "Token") -> str | None:
    """What a relative clause or an apposition of a name states, as a sentence of its own."""
    before = child.doc[child.left_edge.i - 1] if child.left_edge.i else None
    if before is None or before.i < head.i:
        return None
    if child.dep_ == "relcl":
        pronoun = next((word for word in child.children if word.dep_ in SUBJECTS), None)
        if pronoun is None or pronoun.lower_ not in ("who", "which") or pronoun.i != child.left_edge.i:
            return None
        # "who" after a person's name needs no comma; "which" and places do
        if before.text != "," and (pronoun.lower_ != "who" or head.ent_type_ != "PERSON"):
            return None
        if pronoun.lower_ == "who" and _is_owner(head) and head.ent_type_ != "PERSON":
            return None  # "the composer of X, who …"
        return sentence_of([text_of(name_tokens(head)), " ", *(word for word in child.subtree if word.i != pronoun.i)])
    if child.dep_ == "appos" and before.text == "," and child.pos_ == "NOUN":
        first = child.left_edge
        if first.lower_ not in ("a", "an", "the") or any(word.dep_ == "relcl" for word in child.children):
            return None
        closing = child.right_edge.i + 1
        if closing < len(child.doc) and child.doc[closing].text not in (",", "."):
            return None
        verb = "was" if root.tag_ in ("VBD", "VBN") else "is"
        return sentence_of([text_of(name_tokens(head)), f" {verb} ", *child.subtree])
    return None


def _is_owner(name: "Token") -> bool:
    """Whether a name only says whose role a noun before it is."""
    return name.dep_ == "pobj" and name.head.lower_ == "of" and stem(name.head.head.lower_) in role_nouns()


def _with_commas(head: "Token") -> set[int]:
    """The tokens of a subtree and the commas around it."""
    tokens = {token.i for token in head.subtree}
    first, last = min(tokens), max(tokens)
    if first and head.doc[first - 1].text == ",":
        tokens.add(first - 1)
        if last + 1 < len(head.doc) and head.doc[last + 1].text == ",":
            tokens.add(last + 1)
    return tokens


def _leading_participle(root: "Token", subject: "Token") -> tuple[str, set[int]] | None:
    """ "Born in London, X directed …" as "X was born in London"."""
    first = root.doc[0]
    if first.tag_ != "VBN" or first.head.i not in (root.i, subject.i) or subject.pos_ != "PROPN":
        return None
    subtree = list(first.subtree)
    comma = subtree[-1].i + 1
    if subtree[0].i != 0 or comma >= subject.left_edge.i or root.doc[comma].text != ",":
        return None
    stated = sentence_of([text_of(name_tokens(subject)), " was ", first.lower_, first.whitespace_, *subtree[1:]])
    return stated, {*(token.i for token in subtree), comma}
