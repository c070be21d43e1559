"""Whether a passage is about what the claim is about: the probability that it is of a page on the claim's topic.

A small verifier takes passages about something else for support or refutation, so relevance must weigh what it says.
It is a logistic model over the features of ``RELEVANCE_FEATURES``, learned from which pages decide labelled claims.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from wkgfc.reasoning.embedded.lexicon.terms import (
    TermStatistics,
    is_content,
    load_term_statistics,
    stems_of,
    terms_of,
    written_words,
)

RELEVANCE_FEATURES = {
    "bias": "1",
    "untitled": "1 where the title names nothing: there is none, or it is a headline and belongs to the text",
    "title": "how much of the title's name the claim has, by rarity",
    "title_other": "1 where the title has a word of a name of the claim, and each of them words that the other lacks",
    "title_short": "1 where the title has more words than a name of the claim that is in it: a family name alone",
    "title_inner": "1 where the title's name is but a part of a name of the claim: Isaac, of Isaac Newton",
    "title_first": "1 where the claim begins with the title's name, and not with a longer one",
    "namesake": "1 where the title's bracket says what it is (a film, a song) and the claim has no word of that",
    "names": "how much of the claim's names title and text have, by rarity, in the mean over the names",
    "all_names": "1 where they have all of them",
    "coverage": "how much of the claim's content words title and text have, by rarity",
    "untitled_names": "the names again, where the title names nothing",
    "untitled_coverage": "the coverage again, where the title names nothing",
}

_ARTICLES = (("the",), ("a",), ("an",))
_TITLE_CHARACTERS = 300  # of a title that are read
_NAME_WORDS = 4  # content words up to which a title may be a name although it has words in lower case ("Blue whale")
_BRACKET = re.compile(r"\s*\(([^()]*)\)\s*$")
_SITE = re.compile(r"\s+[|•·–—-]\s+(?:[^|•·–—-]+)$")  # "Charlie Chaplin - Wikipedia", "… | BBC News"


@dataclass(frozen=True)
class Topic:
    """What a claim is about: its words in order, its content words, and the content words of each of its names."""

    words: tuple[str, ...]
    terms: frozenset[str]
    names: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class TitleName:
    """The name in a title, and the words of its bracket that say which of several namesakes is meant."""

    words: tuple[str, ...]
    terms: frozenset[str]
    bracket: frozenset[str]


def read_topic(claim: str, mentions: Sequence[str] = (), statistics: TermStatistics | None = None) -> Topic:
    """The topic of a claim. Its names are those of ``mentions`` that are written as names, or all where none is.

    Runs of words that begin with a capital are names as well where no mention has a word of them; the first word of
    the claim only if it is a rare one.
    """
    written = [mention for mention in mentions if any(map(str.isupper, mention))]
    names = [terms for mention in written or mentions if (terms := frozenset(terms_of(mention)))]
    known = frozenset[str]().union(*names)
    runs = [run for run in _capital_runs(claim, statistics or load_term_statistics()) if not run & known]
    return Topic(stems_of(claim), frozenset(terms_of(claim)), tuple(dict.fromkeys(names + runs)))


def _capital_runs(text: str, statistics: TermStatistics) -> list[frozenset[str]]:
    runs: list[list[str]] = [[]]
    for number, word in enumerate(written_words(text)):
        is_name = is_content(word) and (word[0].isupper() or (word[0].isdigit() and bool(runs[-1])))
        if is_name and (number > 0 or statistics.is_rare(terms_of(word)[0])):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    return [frozenset(terms_of(" ".join(run))) for run in runs if run]


def read_title(title: str | None) -> TitleName | None:
    """The name in a title, or ``None`` where there is no title or it is a headline.

    >>> sorted(read_title("2 Hearts (Kylie Minogue song)").bracket)
    ['kyli', 'minogu', 'song']
    >>> read_title("How the Eiffel Tower was saved from the men who wanted it gone") is None
    True
    """
    plain = _SITE.sub("", (title or "")[:_TITLE_CHARACTERS])
    bracket = _BRACKET.search(plain)
    name = _BRACKET.sub("", plain)
    content = [word for word in written_words(name) if is_content(word)]
    if not written_words(name) or (len(content) > _NAME_WORDS and any(word[0].islower() for word in content)):
        return None
    terms = frozenset(terms_of(name)) or frozenset(stems_of(name))  # "The Who" has no content word
    return TitleName(stems_of(name), terms, frozenset(terms_of(bracket[1]) if bracket else ()))


def relevance_features(
    topic: Topic, title: str | None, text_terms: Collection[str], statistics: TermStatistics
) -> dict[str, float]:
    """The features of a passage with the content words ``text_terms``, by the names of ``RELEVANCE_FEATURES``."""
    name = read_title(title)
    there = set(text_terms) | set(terms_of(title or ""))
    shares = [statistics.coverage(wanted, there) for wanted in topic.names]
    coverage = statistics.coverage(topic.terms, there)
    features = {
        "bias": 1.0,
        "untitled": float(name is None),
        "title": 0.0,
        "title_other": 0.0,
        "title_short": 0.0,
        "title_inner": 0.0,
        "title_first": 0.0,
        "namesake": 0.0,
        "names": sum(shares) / len(shares) if shares else coverage,
        "all_names": float(min(shares, default=coverage) > 0.99),
        "coverage": coverage,
        "untitled_names": 0.0,
        "untitled_coverage": 0.0,
    }
    if name is None:
        features |= {"untitled_names": features["names"], "untitled_coverage": coverage}
    else:
        share = statistics.coverage(name.terms, topic.terms | set(topic.words))
        is_inner = any(name.terms < each for each in topic.names) and name.terms not in topic.names
        features |= {
            "title": share,
            "title_other": float(share < 0.99 and _shares_a_word(topic.names, name.terms)),
            "title_short": float(share < 0.99 and any(each <= name.terms for each in topic.names)),
            "title_inner": float(is_inner),
            "title_first": float(not is_inner and _begins_with(topic.words, name.words)),
            "namesake": float(bool(name.bracket) and not name.bracket & topic.terms),
        }
    return features


def _shares_a_word(names: Sequence[frozenset[str]], title: frozenset[str]) -> bool:
    """Whether a title has words of names of the claim, but none of these names whole."""
    sharing = [name for name in names if name & title]
    return bool(sharing) and not any(name <= title for name in sharing)


def _begins_with(words: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Whether a text begins with a name, an article apart."""
    start = 1 if words[:1] in _ARTICLES and name[:1] not in _ARTICLES else 0
    return words[start : start + len(name)] == name


def relevance(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The probability, over zero and under one, that a passage with these features is on the claim's topic."""
    return logistic(sum(weights[name] * value for name, value in features.items()))


def logistic(value: float) -> float:
    """The probability whose logarithm of odds is ``value``, kept off zero and one."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))
