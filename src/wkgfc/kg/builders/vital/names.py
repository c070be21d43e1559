"""Which article of the vital list a phrase means, and the word lists that the rules share."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article, proper_words

_DETERMINER = re.compile(r"^(?:the|a|an|this|these|its|their|his|her|modern-day|present-day|modern)\s+", re.IGNORECASE)
_IRREGULAR = {
    "people": "people",
    "men": "man",
    "women": "woman",
    "children": "child",
    "mice": "mouse",
    "lice": "louse",
    "geese": "goose",
    "feet": "foot",
    "teeth": "tooth",
    "oxen": "ox",
    "phenomena": "phenomenon",
    "criteria": "criterion",
    "genera": "genus",
    "phyla": "phylum",
    "taxa": "taxon",
    "larvae": "larva",
    "algae": "alga",
    "fungi": "fungus",
    "nuclei": "nucleus",
    "stimuli": "stimulus",
    "vertices": "vertex",
    "matrices": "matrix",
    "indices": "index",
    "axes": "axis",
    "theses": "thesis",
    "crises": "crisis",
    "analyses": "analysis",
    "hypotheses": "hypothesis",
    "knives": "knife",
    "lives": "life",
    "leaves": "leaf",
    "wolves": "wolf",
    "halves": "half",
    "shelves": "shelf",
    "hooves": "hoof",
    "thieves": "thief",
    "loaves": "loaf",
    "movies": "movie",
    "cookies": "cookie",
    "calories": "calorie",
    "pies": "pie",
    "ties": "tie",
    "shoes": "shoe",
    "canoes": "canoe",
    "lenses": "lens",
    "gases": "gas",
    "buses": "bus",
    "viruses": "virus",
    "axe": "axe",
    "feces": "feces",
    "riches": "riches",
    "irises": "iris",
    "concerti": "concerto",
    "subspecies": "subspecies",
    "kinkajous": "kinkajou",
    "toes": "toe",
    "wives": "wife",
    "calves": "calf",
    "elves": "elf",
    "selves": "self",
    "niches": "niche",
    "caches": "cache",
    "psyches": "psyche",
    "aches": "ache",
    "diagnoses": "diagnosis",
    "syntheses": "synthesis",
    "oases": "oasis",
    "prostheses": "prosthesis",
    "parentheses": "parenthesis",
    "neuroses": "neurosis",
    "psychoses": "psychosis",
    "bacteria": "bacterium",
    **{word: word for word in ("species", "series", "clothes", "means", "headquarters", "mathematics", "goods")},
}


@lru_cache(maxsize=1)
def lexicon() -> Mapping[str, Any]:
    """The word lists beside this file: demonyms, peoples, religions, movements, countries, regions, occupations."""
    data: Mapping[str, Any] = json.loads(Path(__file__).with_name("lexicon.json").read_text(encoding="utf-8"))
    return data


@lru_cache(maxsize=1 << 14)
def singular(word: str) -> str:
    """The singular of an English plural, by rule; a word that is none comes back as it is."""
    lower = word.lower()
    if lower in _IRREGULAR:
        found = _IRREGULAR[lower]
        return found if word.islower() else found.capitalize()
    if lower.endswith(("ss", "us", "is", "ics", "ous")) or not lower.endswith("s") or len(lower) < 4:
        return word
    if lower.endswith("ies") and len(lower) > 4:
        return word[:-1] if lower.endswith("pies") and len(lower) > 7 else word[:-3] + "y"
    if lower.endswith(("daches", "haches", "taches", "maches")):
        return word[:-1]
    if lower.endswith(("sses", "shes", "ches", "xes", "zzes", "oes", "viruses")):
        return word[:-2]
    return word[:-1]


def singular_phrase(phrase: str) -> str:
    """The phrase with its head in the singular: its last word, or the word before an "of"."""
    head, link, rest = phrase.partition(" of ")
    words = head.split(" ")
    words[-1] = singular(words[-1])
    return " ".join(words) + link + rest


def without_determiner(phrase: str) -> str:
    """The phrase without an article or a pronoun in front, and without marks around."""
    return _DETERMINER.sub("", phrase.strip(' ,;:."“”()')).strip()


class Names:
    """Which article a phrase means.

    A name written with a capital inside a sentence means an article whose title is a name; a phrase in lower case
    means one whose title is a common noun. A title with brackets is met by its bare form only inside the same topic,
    and only if no other article has that bare form: the brackets say that the bare form usually means something else.
    """

    def __init__(self, articles: Iterable[Article], aliases: Mapping[str, Iterable[str]] | None = None) -> None:
        self._titles: dict[str, Article] = {}
        self._common: dict[str, Article] = {}
        bare: dict[str, list[Article]] = defaultdict(list)
        for article in articles:
            self._titles[article.title] = article
            if article.label != article.title:
                bare[article.label].append(article)
            elif article.is_common:
                self._common[article.title.lower()] = article
        self._bare = {
            (name.lower() if found[0].is_common else name): found[0]
            for name, found in bare.items()
            if len(found) == 1 and name not in self._titles
        }
        words = lexicon()
        self._fixed = {name: title for name, title in words["country_names"].items() if title in self._titles}
        self._countries = {title for title in words["countries"] if title in self._titles}
        self._aliases: dict[str, str] = {}
        self._other_names = {title: tuple(found) for title, found in (aliases or {}).items()}
        self._read_aliases(aliases or {})
        self._namesakes: dict[str, list[Article]] = defaultdict(list)
        for article in self._titles.values():
            self._namesakes[article.label].append(article)
        self._proper = proper_words(self._titles.values())
        last: dict[str, list[Article]] = defaultdict(list)
        for article in self._titles.values():
            if article.topic in {"People", "Uncategorized"} and " " in article.label and not article.is_common:
                last[article.label.split()[-1]].append(article)
        self._last_names = {name: found[0] for name, found in last.items() if len(found) == 1}

    def _read_aliases(self, aliases: Mapping[str, Iterable[str]]) -> None:
        taken: set[str] = set()
        for title, names in aliases.items():
            for name in names:
                if name in self._titles or name.lower() in self._common or name in taken:
                    continue
                if self._aliases.setdefault(name, title) != title:
                    del self._aliases[name]
                    taken.add(name)

    def __contains__(self, title: object) -> bool:
        return title in self._titles

    def __getitem__(self, title: str) -> Article:
        return self._titles[title]

    def article(self, phrase: str, topic: str | None = None) -> Article | None:
        """The article that the phrase means, for a text of ``topic``; ``None`` where none does for certain."""
        phrase = phrase.strip(" ,;:.\"“”'’()")
        for name in dict.fromkeys((phrase, without_determiner(phrase))):
            found = self._exact(name, topic) if name else None
            if found is not None:
                return found
        return None

    def _exact(self, name: str, topic: str | None) -> Article | None:
        if name in self._fixed:
            return self._titles[self._fixed[name]]
        if not name[:1].islower():
            for form in (name, "The " + name):
                found = self._titles.get(form)
                if found is not None and not (found.is_common and " " not in name):
                    return found
            if (found := self._bare.get(name)) is not None and found.topic == topic:
                return found
        else:
            for form in (name.lower(), singular_phrase(name.lower())):
                if form in self._common:
                    return self._common[form]
                if (found := self._bare.get(form)) is not None and found.topic == topic:
                    return found
        title = self._aliases.get(name) or (self._aliases.get(singular_phrase(name)) if name[:1].islower() else None)
        found = self._titles[title] if title is not None else None
        if name[:1].islower() and " " not in name:
            return None  # "note" is another name of banknotes, and of much else
        return found

    def entity(self, phrase: str, topic: str | None = None) -> Entity:
        """The phrase as a node: the article it means, else one of its own whose label is the phrase.

        A phrase in lower case is put in the singular, so that "rodents" and "rodent" are one.
        """
        found = self.article(phrase, topic)
        if found is not None:
            return found.entity
        label = without_determiner(phrase) or phrase.strip()
        if label[:1].islower():
            label = singular_phrase(label)
        return Entity(id=local_id(label), label=label)

    def titled(self, title: str, label: str | None = None) -> Entity:
        """The node of what Wikipedia calls ``title``, whether it is an article here or not."""
        if title in self._titles:
            return self._titles[title].entity
        return Entity(id=local_id(title), label=label or title)

    def lowered(self, phrase: str) -> str:
        """The phrase without the capital that only a sentence's or a description's beginning gave it."""
        first = re.split(r"[\s,]", phrase, maxsplit=1)[0]
        if first.lower() in self._common and re.match(r"\w+ [a-z]", phrase):
            return phrase[:1].lower() + phrase[1:]  # "Ocean around Antarctica"
        is_name = (
            first in self._proper or first in lexicon()["demonyms"] or bool(re.match(r"[A-Z].*[A-Z]|[A-Z]\.", first))
        )
        return phrase if is_name else phrase[:1].lower() + phrase[1:]

    def names_of(self, article: Article) -> tuple[str, ...]:
        """What else the article calls its subject."""
        return self._other_names.get(article.title, ())

    def namesakes(self, article: Article) -> list[Article]:
        """The other articles whose title is the same but for what stands in brackets."""
        return [other for other in self._namesakes.get(article.label, ()) if other.title != article.title]

    def by_last_name(self, name: str) -> Article | None:
        """The one article on somebody whose name ends in ``name``, where there is just one."""
        return self._last_names.get(name)

    def country(self, name: str) -> Article | None:
        """The country that exists today of that name."""
        found = self.article(name)
        return found if found is not None and found.title in self._countries else None
