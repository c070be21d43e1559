"""Which noun a relative clause is of, where the parse hangs it on another word."""

from typing import TYPE_CHECKING

from wkgfc.reasoning.embedded.lexicon.cues import stem
from wkgfc.reasoning.embedded.lexicon.relations import role_nouns

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def moved_relatives(doc: "Doc") -> tuple[dict[int, list["Token"]], set[int]]:
    """Relative clauses that the parse hangs on another word, by the noun that they are of, and their verbs.

    Those with "whose" are of the noun before. "The composer of X, who …" speaks of the composer.
    """
    apart: dict[int, list[Token]] = {}
    for token in doc:
        name, of = token.head.head, token.head.head.head
        is_added = token.lower_ == "who" and token.i > 0 and doc[token.i - 1].text == ","
        is_of_role = of.lower_ == "of" and of.head.pos_ == "NOUN" and stem(of.head.lower_) in role_nouns()
        if is_added and token.head.dep_ == "relcl" and name.dep_ == "pobj" and is_of_role:
            apart.setdefault(of.head.i, []).append(token.head)
    for token in doc:
        verb = token.head.head
        if token.tag_ != "WP$" or verb.i < token.i or token.i < 1:
            continue
        noun = doc[token.i - 1] if doc[token.i - 1].text != "," else doc[max(token.i - 2, 0)]
        if (verb.dep_ != "relcl" or verb.head.i != noun.i) and noun.pos_ in {"NOUN", "PROPN", "PRON"}:
            apart.setdefault(noun.i, []).append(verb)
    return apart, {verb.i for verbs in apart.values() for verb in verbs}


def object_of(preposition: "Token | None") -> "Token | None":
    """What stands behind a preposition."""
    return next((child for child in preposition.children if child.dep_ == "pobj"), None) if preposition else None


def verb_over(token: "Token") -> int:
    """The index of the verb whose clause a token is in."""
    return next((above.i for above in token.ancestors if above.pos_ in {"VERB", "AUX"}), -1)
