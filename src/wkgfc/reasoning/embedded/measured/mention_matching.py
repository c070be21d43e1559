"""From a phrase of a claim to the topic entity that it means."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from wkgfc.evidence import Entity

# "the city of Lyon", "the film Alien", "mount Fuji": words that say what is named and are no part of the name.
_KINDS = (
    "actor|actress|album|artist|athlete|author|band|book|building|capital|city|club|company|continent|country|county"
    "|director|drummer|element|film|island|king|kingdom|lake|mountain|mount|movie|nation|novel|painter|planet|player"
    "|poet|politician|president|province|queen|region|republic|river|scientist|singer|song|state|town|university"
    "|village|writer|musician|composer|philosopher|physicist|series|show|tower|bridge|ocean|sea|desert"
)
_DRESSING = re.compile(rf"\b(?:the|a|an|of|both|named|called|{_KINDS})\b", re.IGNORECASE)
_ADJECTIVE = re.compile(r"\b(?:[A-Z][a-z]+(?:an|ish|ese|ch|ic|i)|former|famous|late|great|modern|\w+-born)\b")


def fold(text: str) -> str:
    """Lower case, without diacritics and marks: what two spellings of a name have in common."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return " ".join(re.sub(r"[^\w]+", " ", plain.casefold()).split())


def entities_of(phrase: str, topic_entities: Mapping[str, Sequence[tuple[Entity, float]]]) -> tuple[Entity, ...]:
    """The candidates of the one mention that ``phrase`` names, best first; none where it only describes something.

    "The German city of Munich" names Munich; "the capital of France" names nothing that is linked: what it means is
    a hop away.
    """
    wanted = fold(phrase)
    best: tuple[float, str] | None = None
    for mention in topic_entities:
        name = fold(mention)
        if not name or not re.search(rf"(?:^| ){re.escape(name)}(?: |$)", wanted):
            continue
        rest = f" {wanted} ".replace(f" {name} ", " ", 1)
        bare = re.sub(r"\W+", "", _DRESSING.sub("", _ADJECTIVE.sub("", _restored(phrase, rest))))
        score = len(name) / (len(name) + len(bare) + 0.01)
        if re.search(r"\b(?:capital|king|queen|president|director|author|writer)\s+of\b", phrase, re.IGNORECASE):
            score *= 0.5 if not name.startswith(("king", "queen", "president")) else 1
        if best is None or (score, len(name)) > (best[0], len(fold(best[1]))):
            best = (score, mention)
    if best is None or best[0] < 0.6:
        return ()
    return tuple(entity for entity, _ in topic_entities[best[1]])


def _restored(phrase: str, folded_rest: str) -> str:
    """The words of ``phrase`` that ``folded_rest`` still has, as they were written."""
    rest = folded_rest.split()
    return " ".join(word for word in re.findall(r"[\w-]+", phrase) if fold(word) in rest)
