"""What kind of thing an entity is, as far as its description says: a city, a former country, a person, a language.

Descriptions are short nominal phrases ("American actor and filmmaker (1889–1977)", "city in Ohio, US"): the words
before the first "in", "of", "by" … say what the entity is.
"""

import json
import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from importlib.resources import files
from typing import Literal, cast

from wkgfc.evidence import Entity

Kind = Literal["person", "place", "organisation", "work", "language", "event", "class"]


class Level(IntEnum):
    """How large a place is; a place can only be part of one of a higher level, or of its own."""

    SITE = 0
    DISTRICT = 1
    SETTLEMENT = 2
    REGION = 3
    COUNTRY = 4
    CONTINENT = 5


@dataclass(frozen=True)
class Character:
    """What a description says. A place can be of several levels; ``is_former``: it exists no longer."""

    kind: Kind | None = None
    levels: frozenset[Level] = frozenset()
    is_former: bool = False


_CUT = re.compile(
    r"\s(?:in|of|by|from|that|who|which|on|at|for|with|located|situated|originating|spoken|written|used|existing"
    r"|comprising|to|during|near|best known|known|based)\s|[;(]"
)
_SEGMENT = re.compile(r",| and | & ")
_YEARS = re.compile(r"\b(?:c\. ?)?\d{3,4}\s?[–—-]\s?(?:c\. ?)?\d{2,4}\b|\bbetween \d{3,4}\b")
_CAPITAL = re.compile(r"\bcapital\b")
_FORMER = re.compile(r"\b(?:former|formerly|historical|historic|ancient|defunct|medieval|existed|dissolved)\b")
_STATE_OF_THE_WORLD = re.compile(
    r"state (?:in|on|of|situated|located|off) .*\b(?:africa|asia|europe|oceania|caribbean|pacific|ocean|america|east)\b"
)


def _alternatives(words: str, last: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\s-])(?:{words}){last}$")


@lru_cache(maxsize=1)
def _patterns() -> tuple[dict[Level, re.Pattern[str]], dict[Kind, re.Pattern[str]]]:
    """The patterns of ``kinds.json``: what the head of a description ends with."""
    text = files("wkgfc.reasoning.embedded.lexicon").joinpath("kinds.json").read_text(encoding="utf-8")
    table = json.loads(text)
    levels = {Level[name.upper()]: _alternatives("|".join(words), "") for name, words in table["levels"].items()}
    kinds = {cast(Kind, name): _alternatives("|".join(words), "s?") for name, words in table["kinds"].items()}
    return levels, kinds


_CONTINENTS = {
    "africa", "antarctica", "asia", "australia and oceania", "europe", "north america", "oceania", "south america",
    "americas", "the americas", "eurasia",
}  # fmt: skip


def character_of(entity: Entity) -> Character:
    """What the description of an entity says; nothing where there is none or it says nothing known."""
    if entity.label.lower() in _CONTINENTS:
        return Character("place", frozenset({Level.CONTINENT}))
    return _read(entity.description.strip().lower()) if entity.description else Character()


def may_be(entity: Entity, kind: str) -> bool:
    """Whether an entity is of the kind that a relation's objects are (``Profile.object``), as far as is known.

    What nothing is known of may be anything but a continent or a class.
    """
    character = character_of(entity)
    match kind:
        case "place":
            return character.kind in {None, "place"}
        case "country":
            return character.kind is None or Level.COUNTRY in character.levels
        case "continent":
            return Level.CONTINENT in character.levels
        case "person":
            return character.kind in {None, "person"}
        case "organisation" | "work" | "language" | "event":
            return character.kind in {None, kind}
        case "class":
            return character.kind in {"class", "language"}
        case _:
            return True


@lru_cache(maxsize=4096)
def _read(description: str) -> Character:
    segments = [part.strip() for part in _SEGMENT.split(_CUT.split(description, maxsplit=1)[0]) if part.strip()]
    is_former = bool(_FORMER.search(description))
    level_patterns, kind_patterns = _patterns()
    if any(kind_patterns["person"].search(segment) for segment in segments):
        return Character("person")
    kinds = [next((kind for kind, words in kind_patterns.items() if words.search(each)), None) for each in segments]
    levels = {level for segment in segments for level, words in level_patterns.items() if words.search(segment)}
    kind = next((kind for kind in kinds if kind is not None), None)
    if levels and any(_CAPITAL.search(segment) for segment in segments):
        levels.add(Level.SETTLEMENT)  # "federal capital district", "capital and largest municipality"
    if levels and kind in {None, "class", "organisation"}:
        if levels == {Level.REGION} and "united states" not in description and _STATE_OF_THE_WORLD.search(description):
            levels = {Level.COUNTRY}
        is_past = is_former or (max(levels) >= Level.REGION and bool(_YEARS.search(description)))
        return Character("place", frozenset(levels), is_past)
    return Character(kind, frozenset(), is_former)
