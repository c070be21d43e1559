"""Lives of people as the French summaries of the vital articles tell them.

The English summaries leave out what stands in brackets behind a name; the French ones of the same package say "née le
7 novembre 1867 à Varsovie et morte le 4 juillet 1934". Only articles with the very title of an English one are read,
and only where no year contradicts the English text: then both are about the same person.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Entity, Source, Time
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import DISTRIBUTION, Article
from wkgfc.kg.builders.vital.dates import day_time
from wkgfc.kg.builders.vital.facts import Fact
from wkgfc.kg.builders.vital.names import Names, lexicon

_MAX_TITLE, _MAX_EXTRACT = 200, 4000  # the longest that are read
_READ = 500  # characters of a text: the life stands behind the name
_LIFE_YEARS = range(5, 116)
_PRECISION_YEAR, _PRECISION_DAY = 9, 11

_MONTHS = (
    *("janvier", "février", "mars", "avril", "mai", "juin"),
    *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
)
_PLACE = r"[A-ZÀ-ÞŌŠŽ][\w'’-]*(?:[ -][A-ZÀ-ÞŌŠŽd][\w'’-]*){0,4}"
_SAME = r"(?:cette|la) même ville"
_AT = (
    rf"(?:,?\s+(?:à|dans)\s+(?P<place>(?:le \d{{1,2}}e arrondissement de )?{_PLACE}|{_SAME})"
    r"|\s+au\s+(?P<masculine>Caire|Cap))(?=[\s,.;)])(?!\s+ou\b)"
)
_DATE = rf"le\s+(?P<day>1er|\d{{1,2}})\s+(?P<month>{'|'.join(_MONTHS)})\s+(?P<year>\d{{3,4}})(?!\d)"
# A second date, another calendar, an era or a doubt behind the date: it is then not the day that the text gives.
_UNSURE = (
    r"(?!\s*(?:ou\b|av\b|avant\b|/|\(\s*(?:ou\b|\d|1er\b|julien|grégorien|calendrier)|(?:dans le|du)\s+calendrier"
    r"|\([^()]{0,60}calendrier|\([^()]{0,20}\d{4}))"
)
_NAME = r"(?:[A-ZÀ-ÞŌŠŽ][^,;()\d]{1,60}?,?\s+)?"  # the name at birth
_BORN = re.compile(rf"\b(?P<born>née?)\s+{_NAME}{_DATE}{_UNSURE}(?:{_AT})?")
_DIED = re.compile(
    rf"\b(?:mort|décédé|assassiné|exécuté|guillotiné|fusillé|tué)e?\s+(?:(?:assassiné|exécuté|guillotiné|décapité)e?\s+)?"
    rf"{_DATE}{_UNSURE}(?:{_AT})?"
)
_TOPICS = {"Geography", "Uncategorized", "History"}
_CITY = re.compile(r"\b(?:city|capital|town|metropolis|municipality|commune)\b", re.IGNORECASE)

_RUIN = re.compile(r"\b(?:ancient|archaeological)\b", re.IGNORECASE)  # "Carthage" is then one of its namesakes


def french_file(english: Path) -> Path:
    """Where the package keeps the French summaries, beside the English ones."""
    return english.with_name("summaries_fr-fr.json")


def read_french(file: Path) -> Mapping[str, str]:
    """The extracts of a file of French summaries, by title.

    Raises:
        NotConfigured: the file is missing or is not what the package's should be.
    """
    try:
        records = json.loads(file.read_text(encoding="utf-8")).values()
        return {
            str(record["title"])[:_MAX_TITLE]: " ".join(str(record["extract"])[:_MAX_EXTRACT].split())
            for record in records
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotConfigured(f"{file} cannot be read as article summaries: install {DISTRIBUTION} again") from error


def french_url(title: str) -> str:
    """The address of the French Wikipedia's article of that title."""
    return "https://fr.wikipedia.org/wiki/" + quote(title.replace(" ", "_"), safe="_-.,()'!*~:/")


def with_french_life(article: Article, facts: Sequence[Fact], french: str, names: Names) -> Iterator[Fact]:
    """A person's facts, with what the French text adds: sex, days and places of birth and death.

    A year of birth or death gives way to the day in it. Where one of the years is another, nothing is added.
    """
    life = list(_life(article, french, names))
    said = {fact.relation: fact.value for fact in life if isinstance(fact.value, Time)}
    years = [
        (fact.relation, fact.value.year)
        for fact in facts
        if isinstance(fact.value, Time) and fact.relation in said and fact.value.precision >= _PRECISION_YEAR
    ]
    if any(said[relation].year != year for relation, year in years) or not _is_possible(facts, said):
        yield from facts
        return
    for fact in facts:
        is_coarser = (
            isinstance(fact.value, Time)
            and fact.relation in said
            and fact.value.precision == _PRECISION_YEAR
            and not fact.qualifiers
        )
        if not is_coarser:
            yield fact
    yield from life


def _is_possible(facts: Sequence[Fact], said: Mapping[str, Time]) -> bool:
    """Whether birth and death, from whichever text, are a life apart."""
    times = {**{fact.relation: fact.value for fact in facts if isinstance(fact.value, Time)}, **said}
    if "P569" not in times or "P570" not in times:
        return True
    return times["P570"].year - times["P569"].year in _LIFE_YEARS


def _life(article: Article, text: str, names: Names) -> Iterator[Fact]:
    beginning = text[:_READ]
    source = Source(
        name="embedded",
        url=french_url(article.title),
        title=article.title,
        text_id="vital-fr:" + article.title,
    )
    born, died = _BORN.search(beginning), _DIED.search(beginning)
    birthplace = _place(born, names) if born else None
    found: list[Fact] = []
    if born:
        label = "female" if born["born"] == "née" else "male"
        found.append(Fact("P21", Entity(id=local_id(label), label=label), beginning))
        found += _events("P569", "P19", born, birthplace, beginning)
    if died:
        is_same = died["place"] is not None and re.fullmatch(_SAME, died["place"]) is not None
        found += _events("P570", "P20", died, birthplace if is_same else _place(died, names), beginning)
    yield from (replace(fact, source=source) for fact in found)


def _events(when: str, where: str, match: re.Match[str], place: Entity | None, text: str) -> Iterator[Fact]:
    day = 1 if match["day"] == "1er" else int(match["day"])
    time = day_time(int(match["year"]), _MONTHS.index(match["month"]) + 1, day)
    if time is None or time.precision != _PRECISION_DAY:
        return
    yield Fact(when, time, text)
    if place is not None:
        yield Fact(where, place, text)


def _place(match: re.Match[str], names: Names) -> Entity | None:
    """The city of the vital list that the text names; another place has a name in French, which it may not share."""
    written = match["place"] or match["masculine"]
    if written is None:
        return None
    name = re.sub(r"^le \d{1,2}e arrondissement de | \d{1,2}e$", "", written)
    cities: Mapping[str, str] = lexicon()["french_cities"]
    title = cities.get(name, name)
    if title == name and name in cities.values():
        return None  # "Cairo" in a French text is not Le Caire but a town in Georgia
    if title not in names:
        return None
    article = names[title]
    is_city = not article.is_common and article.topic in _TOPICS and _CITY.search(article.description)
    return article.entity if is_city and not _RUIN.search(article.description) else None
