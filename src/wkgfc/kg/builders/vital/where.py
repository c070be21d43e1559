"""Where something lies, from the name of what it lies in."""

import re
from collections.abc import Iterator

from wkgfc.evidence import Entity
from wkgfc.kg.builders.vital.articles import Article
from wkgfc.kg.builders.vital.facts import Fact
from wkgfc.kg.builders.vital.names import Names, lexicon

_DIRECTION = re.compile(
    r"^(?:(?:far|the|present-day|modern-day|modern|mainland|extreme|both|parts of|the heart of|continental|upper|lower|"
    r"(?:north|south|east|west|central|mid)(?:-?(?:north|south|east|west|central))*(?:ern|ernmost|"
    r"-central)?(?: and (?:north|south|east|west|central)(?:ern)?)?|"
    r"North|South|East|West|Northern|Southern|Eastern|Western|Central|Northeastern|Northwestern|Southeastern|"
    r"Southwestern|Northeast|Northwest|Southeast|Southwest|North Central|South Central)\s+)+"
)
DIVISION = re.compile(
    r"\b(?:Prefecture|Province|State|County|Region|Oblast|Voivodeship|Governorate|Department|District|Krai)$"
)


WATER = re.compile(r"\b(?:[Rr]iver|[Ss]ea|[Ll]ake|[Oo]cean|[Gg]ulf|[Bb]ay|[Ss]trait)\b")


def is_land(article: Article) -> bool:
    """Whether the place is no part of a sea."""
    kind = re.split(r"\b(?:in|on|off|between|near|by|bordering|connecting|across|along)\b", article.description)[0]
    return not re.search(
        r"\b(?:sea|gulf|bay|strait|channel|ocean|current|trench|ridge|part|arm|inlet|body|bight|sound)\b",
        kind,
        re.IGNORECASE,
    )


def is_water(article: Article) -> bool:
    """Whether the article is about a sea, a lake, a river or a part of one."""
    kind = re.split(r"\b(?:in|between|off|that|on|near|separating|connecting|from)\b", article.description)[0]
    names_water = re.search(r"\b(?:strait|channel|sound|inlet|body of water)\b|" + WATER.pattern, kind, re.IGNORECASE)
    return bool(names_water or WATER.search(article.label)) and not re.search(
        r"\b(?:island|country|city|town|state|peninsula|region|basin|company|civili[sz]ation)\b", kind, re.IGNORECASE
    )


def water_named(name: str, names: Names) -> Entity | None:
    """The sea, lake or river of that name, also in its short form: "the Pacific"; ``None`` if it is no such name."""
    known = names.article(name)
    if known is not None:
        return known.entity if is_water(known) else None
    name = re.sub(
        r"^(?:\w*(?:north|south|east|west)\w*(?:ern)?|central|tropical|Western|Eastern|Northern|Southern) ", "", name
    )
    full = {
        "Pacific": "Pacific Ocean",
        "Atlantic": "Atlantic Ocean",
        "North Atlantic": "Atlantic Ocean",
        "South Pacific": "Pacific Ocean",
        "Mediterranean": "Mediterranean Sea",
        "Caribbean": "Caribbean Sea",
        "Baltic": "Baltic Sea",
        "Adriatic": "Adriatic Sea",
        "Arctic": "Arctic Ocean",
        "Aegean": "Aegean Sea",
        "Caspian": "Caspian Sea",
        "North Atlantic Ocean": "Atlantic Ocean",
        "South Atlantic": "Atlantic Ocean",
        "North Pacific": "Pacific Ocean",
    }.get(name, name)
    if not re.search(rf"(?:{WATER.pattern}|Channel|Sound)$", full) and not re.match(WATER.pattern, full):
        return None
    return names.entity(full)


_NO_PLACE = re.compile(
    r" or |Hemisphere|\bWar\b|['’]s\b|"
    r"\b(?:bounded|which|that|Christianity|Orthodox|Protestantism|religion|language|galaxy)\b"
)
_ON_WATER = re.compile(
    r"\b(?:Ocean|Sea|Gulf|Pacific|Atlantic|Caribbean|Mediterranean|Bay|Strait|Channel|Arctic|Antarctic|Baltic|"
    r"Adriatic|Aegean)\b"
)
_DIVISION_OF_A_STATE = re.compile(
    r"\b(?:[Cc]ity|[Ss]tate|[Pp]rovince|[Rr]egion|[Cc]ounty|[Dd]istrict|[Pp]refecture|[Mm]unicipality|[Cc]apital|"
    r"[Tt]erritory|[Oo]blast|[Dd]epartment|[Cc]ommunity|[Rr]epublic|[Dd]ivision|[Mm]etropolis|[Tt]own|[Cc]ommune)\b"
)
_IN_A_DIVISION = re.compile(
    r"\b(?:city|town|village|municipality|metropolis|capital|commune|prefecture|district|borough|settlement|university|"
    r"museum|building|skyscraper|palace|temple|church|cathedral|mosque|tower|bridge|dam|statue|park|site|mausoleum|"
    r"university|college|gurdwara|complex|library|monument|fort|fortress|residence|opera house|theatre|basilica|"
    r"volcano|"
    r"mountain|waterfall|reef|area|lake|center|centre|province|county|pyramid|chapel|landmark|stadium|seat)\b",
    re.IGNORECASE,
)


def where_is(article: Article, place: str, source: str, names: Names, *, is_in_country: bool = False) -> Iterator[Fact]:
    """The facts that a place, or an event or thing in it, lies in ``place``.

    A country is ``P17``, a continent ``P30``, a region of a continent ``P361`` with its continent, a water ``P206`` or,
    for a part of it, ``P361``; a division of a state is ``P131``, where it is known as one, is called one, or a
    country follows it (``is_in_country``: "Bavaria, Germany"); any other known place is ``P276``.
    """
    whole = re.sub(r"^the\s+", "", place.strip())
    whole = re.split(r" (?:south|north|east|west|between|off|near|along|adjacent)\b", whole)[0]
    words = lexicon()
    if not whole or _NO_PLACE.search(whole):
        return
    if whole in words["continents"]:
        yield Fact("P30", names.titled(whole), source)
        return
    region = whole[:1].upper() + whole[1:]
    if region in words["regions"]:
        yield Fact("P361", names.titled(region), source)
        yield Fact("P30", names.titled(words["regions"][region]), source)
        return
    found = names.country(whole)
    known = names.article(whole)
    bare = re.sub(r"^(?:[a-z-]+ (?:and [a-z-]+ )?)+(?:the )?", "", whole)
    if found is None and known is None and bare != whole:
        if not re.match(r"(?:upstate|downstate|suburban)\b", whole):
            yield from where_is(article, bare, source, names, is_in_country=is_in_country)
        return
    without_direction = _DIRECTION.sub("", whole)
    if found is None and known is None and without_direction not in {"", "America", "Korea", "Ireland"}:
        found = names.country(without_direction)
    if found is not None and found.title != article.title:
        yield Fact("P17", found.entity, source)
        if found.title in {"England", "Scotland", "Wales", "Northern Ireland"} and article.topic != "History":
            yield Fact("P17", names.titled("United Kingdom"), source)
        return
    if (known is not None and known.title == article.title) or not re.match(r"[A-ZÀ-ÞŌŠŚŻŽ]", whole) or " in " in whole:
        return
    if _ON_WATER.search(whole):
        water = water_named(whole, names)
        if water is not None:
            yield Fact("P206" if is_land(article) else "P361", water, source)
        return
    yield from _division(article, whole, known, source, names, is_in_country)


def _division(
    article: Article, whole: str, known: Article | None, source: str, names: Names, is_in_country: bool
) -> Iterator[Fact]:
    whole = (
        re.sub(r" of [A-Z]\w+$", "", whole) if re.search(r"\b(?:region|province|state) of [A-Z]\w+$", whole) else whole
    )
    is_settled = bool(_IN_A_DIVISION.search(article.description))
    if known is None:
        if is_settled and (is_in_country or DIVISION.search(whole)) and len(whole.split()) <= 5:
            yield Fact("P131", names.entity(whole), source)
        return
    if known.is_common or known.topic not in {"Geography", "Uncategorized", "History"}:
        return
    is_division = bool(_DIVISION_OF_A_STATE.search(known.description))
    if (
        is_settled
        and is_division
        and not re.search(r"\b(?:[Rr]iver|[Ll]ake|period|civili[sz]ation)\b", known.description)
    ):
        yield Fact("P131", known.entity, source)
    elif known.topic == "Geography" and not re.search(r"\b(?:river|lake|landmass)\b", known.description, re.IGNORECASE):
        yield Fact("P276", known.entity, source)
