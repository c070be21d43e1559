"""What a title alone says: "Steam turbine" is a turbine, "Field (mathematics)" is studied by mathematics."""

import re
from collections.abc import Iterator

from wkgfc.kg.builders.vital.articles import Article
from wkgfc.kg.builders.vital.facts import Fact
from wkgfc.kg.builders.vital.names import Names, lexicon
from wkgfc.kg.builders.vital.people import is_person
from wkgfc.kg.builders.vital.phrases import words
from wkgfc.kg.builders.vital.syntax import is_field_of_study

# Heads that mean something else at the end of a longer title: a language family is no family of people.
_ASPECT = re.compile(
    r"(?P<aspect>History|Philosophy|Cinema|Music|Architecture|Economy|Culture|Politics|Geography|Demographics|Religion|"
    r"Education|Languages|Art|Literature|Psychology|Sociology|Chronology|Origin|Theory|Evolution) (?:of|"
    r"in) (?:the )?(?P<whole>.+)"
)
_NATIONAL_ARTS = re.compile(
    r"(?P<of>[A-Z][\w ]*?) (?:literature|cuisine|art|music|architecture|mythology|philosophy|theatre|dance|"
    r"poetry|comics)"
)


def title_facts(article: Article, names: Names) -> Iterator[Fact]:
    """The facts that the title states."""
    yield from _head(article, names)
    yield from _bracket(article, names)
    yield from _namesake(article, names)
    for other in names.namesakes(article):
        yield Fact("P1889", other.entity, article.title)
    aspect = _ASPECT.fullmatch(article.title)
    if aspect:
        whole = _whole(aspect["whole"], article, names)
        kind = names.article(aspect["aspect"].lower())
        if kind is not None and kind.topic != "People" and aspect["aspect"] not in {"Origin", "Theory", "Languages"}:
            yield Fact("P31", kind.entity, article.title)
        if whole is not None:
            yield Fact("P1269", whole.entity, article.title)
            if aspect["aspect"] == "History" and whole.topic != "History":  # else it may be a book
                yield Fact("P2184", article.entity, article.title, whole.entity)
            if names.country(whole.title) is not None:
                yield Fact("P17", whole.entity, article.title)
    arts = _NATIONAL_ARTS.fullmatch(article.title)
    country = lexicon()["demonyms"].get(arts["of"]) if arts else None
    if country and country in names:
        yield Fact("P495", names[country].entity, article.title)
    place = re.fullmatch(
        r"(?:Battle|Siege|Sack|Fall|Sinking|University) of (?P<p>[A-Z]\w+(?: [A-Z]\w+)?)", article.title
    )
    if place and (where := names.article(place["p"])) is not None and where.topic in {"Geography", "Uncategorized"}:
        yield Fact("P131" if article.title.startswith("University") else "P276", where.entity, article.title)


def _namesake(article: Article, names: Names) -> Iterator[Fact]:
    """ "Euler's formula", "Planck constant", "Nobel Prize": named after the person whose name stands in front."""
    match = re.match(r"(?P<n>[A-ZÀ-Þ][\w-]{3,})(?:['’]s?)? (?P<rest>[\w ]+)$", article.label)
    if match is None or article.topic not in {
        "Mathematics",
        "Physical sciences",
        "Technology",
        "Biology and health sciences",
    }:
        return
    person = names.by_last_name(match["n"])
    if re.search(rf"\b{match['n'].lower()}\b", article.extract) or names.lowered(match["n"])[0].islower():
        return  # a word of the language: "eddy current", "brown rat"
    if person is not None and is_person(person) and (article.label[len(match["n"])] in "'’" or match["rest"].islower()):
        yield Fact("P138", person.entity, article.title)


def _whole(phrase: str, article: Article, names: Names) -> Article | None:
    found = names.article(phrase) or names.article(phrase[:1].lower() + phrase[1:])
    return found if found is not None and found.title != article.title else None


def _head(article: Article, names: Names) -> Iterator[Fact]:
    parts = article.label.split()
    if len(parts) < 2 or not parts[-1][0].islower() or {"of", "and", "in", "for", "the"} & set(parts):
        return
    if article.topic in {"People", "Geography"}:
        return
    for start in range(1, len(parts)):
        found = names.article(" ".join(parts[start:]))
        if found is None:
            continue
        if parts[-1] == "languages":
            yield Fact("P31", names.titled("Language family"), article.title)
        elif found.is_common and found.title == found.label and found.title.lower() not in words("other_senses"):
            is_kind = article.is_common or article.topic == "Biology and health sciences"
            yield Fact("P279" if is_kind else "P31", found.entity, article.title)
        return


def _bracket(article: Article, names: Names) -> Iterator[Fact]:
    match = re.search(r"\((?P<b>[a-z][a-z ]+)\)$", article.title)
    found = names.article(match["b"]) if match else None
    if found is None or not found.is_common:
        return
    if is_field_of_study(found):
        yield Fact("P2579", found.entity, article.title)
    elif found.label.lower() not in words("vague_kinds") and found.title not in {
        "Mythology",
        "Cooking",
        "Theatre",
        "Music",
    }:
        yield Fact("P279" if article.is_common else "P31", found.entity, article.title)
