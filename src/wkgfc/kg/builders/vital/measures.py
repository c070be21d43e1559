"""Numbers with units that a text states of a place: population, area, length, height."""

import re
from collections.abc import Iterator
from decimal import Decimal

from wkgfc.evidence import Entity, Quantity, Time
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article
from wkgfc.kg.builders.vital.facts import Fact, Qualifiers

_HEIGHTS = (
    "elevation of|elevation above sea level of|summit elevation of|summit height of|rising to|"
    "rising to a height of|rises to|"
    "at an elevation of|at an altitude of|at a height of|height of|peak elevation of|stands at|stands|,? at"
)
_NUMBER = r"(?P<n>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)"
_SCALE = {"million": 10**6, "billion": 10**9, "thousand": 10**3, "trillion": 10**12}
_UNITS = {
    "km2": ("Square kilometre", "square kilometre"),
    "square kilometres": ("Square kilometre", "square kilometre"),
    "square kilometers": ("Square kilometre", "square kilometre"),
    "sq km": ("Square kilometre", "square kilometre"),
    "sq mi": ("Square mile", "square mile"),
    "square miles": ("Square mile", "square mile"),
    "km": ("Kilometre", "kilometre"),
    "kilometres": ("Kilometre", "kilometre"),
    "kilometers": ("Kilometre", "kilometre"),
    "m": ("Metre", "metre"),
    "metres": ("Metre", "metre"),
    "meters": ("Metre", "metre"),
    "mi": ("Mile", "mile"),
    "miles": ("Mile", "mile"),
    "ft": ("Foot (unit)", "foot"),
    "feet": ("Foot (unit)", "foot"),
}
_APPROXIMATE = re.compile(
    r"\b(?:about|around|approximately|roughly|some|nearly|almost|over|more than|an estimated|estimated|c\.|"
    r"close to|just over|just under|under)\s*$"
)


def quantity(number: str, scale: str | None, unit: str | None) -> Quantity:
    """A number as written ("1,234.5", "2.8 million") with its unit's own node."""
    amount = Decimal(number.replace(",", "")) * _SCALE.get(scale or "", 1)
    entity = None
    if unit is not None:
        title, label = _UNITS[unit]
        entity = Entity(id=local_id(title), label=label)
    return Quantity(amount=Decimal(int(amount)) if amount == int(amount) else amount, unit=entity)


def _as_of(sentence: str, start: int, end: int) -> Qualifiers:
    """The year that stands nearest to the number at ``start`` to ``end``, where the text says that it is of it."""
    around = [
        (min(abs(match.start() - end), abs(start - match.end())), match["y"])
        for match in re.finditer(
            r"\b(?:[Aa]s of|[Ii]n|according to|at|At) (?:[a-z0-9-]+ ){0,2}(?:[A-Z]\w+ )?(?:\d{1,2}, )?"
            r"(?P<y>(?:19|20)\d{2})\b",
            sentence,
        )
    ]
    if not around or min(around)[0] > 60:
        return ()
    return (("P585", Time(value=f"{min(around)[1]}-01-01", precision=9)),)


def measure_facts(article: Article, sentence: str) -> Iterator[Fact]:
    """The population, area, length and height that the sentence states of the article's subject."""
    population = re.search(
        rf"\b(?:(?:[Ii]ts|[Tt]he city['’]s|[Tt]he|has an?|with an?|had an?|having an?|estimated|and a|"
        rf"total) (?:estimated |total |city |city proper |resident |municipal |urban )*population(?: of| is|"
        rf" was| stands at| estimated at| exceeding)?|population of) "
        rf"(?:is |was |of |over |about |around |approximately |roughly |nearly |almost |more than |"
        rf"an estimated |estimated (?:at|to be) |just over |just under |some )*{_NUMBER}(?: (?P<s>million|"
        rf"billion))?(?! ?(?:%|percent|per|km|mi|or more))",
        sentence,
    )
    if population and not re.search(
        (
            r"\b(?:metropolitan|metro|greater|urban|agglomeration|combined|region|world['’]s|whose|density|"
            r"among|in 19\d\d the|district|island of|while|state|province|the country['’]s)\b"
        ),
        sentence[max(0, population.start() - 90) : population.end() + 3],
        re.IGNORECASE,
    ):
        amount = quantity(population["n"], population["s"], None)
        is_of_another = (
            re.search(r"\bcapital\b", sentence[: population.start()]) and "apital" not in article.description
        )
        if amount.amount >= 500 and not is_of_another:
            yield Fact("P1082", amount, sentence, None, _as_of(sentence, population.start(), population.end()))
    area = re.search(
        (
            rf"\b(?:(?:a |an |total |land |surface |its )+area of|[Cc]overing(?: an area of)?|"
            rf"[Cc]overs(?: an area of)?|spans|spanning(?: an area of)?|[Ii]ts (?:total |surface )?area is|"
            rf"encompasses|encompassing|area of) (?:about |around |approximately |roughly |nearly |almost |over |"
            rf"more than |some |just over |just under |an area of |an estimated |"
            rf"a total of )*{_NUMBER}(?: (?P<s>million))? (?P<u>square kilometres|square kilometers|sq km|km2|"
            rf"square miles|sq mi)"
        ),
        sentence,
    )
    if (
        area
        and not re.search(r"\b[Rr]iver\b", article.description)
        and not re.search(
            (
                r"\b(?:metropolitan|metro|greater|urban|drainage|basin|catchment|watershed|land area of the|state|"
                r"province|[Pp]ark|reserve)\b"
            ),
            sentence[max(0, area.start() - 50) : area.start() + 25],
        )
    ):
        yield Fact("P2046", quantity(area["n"], area["s"], area["u"]), sentence)
    length = re.search(
        (
            rf"\b(?:(?:total )?length of|[Ff]lowing(?: for)?|[Ff]lows(?: for)?|runs for|(?P<is>is|at|measures|"
            rf"measuring)) (?:about |around |approximately |roughly |nearly |almost |over |more than |"
            rf"some )*{_NUMBER} ?(?P<u>kilometres|kilometers|km|miles|mi|metres|meters|"
            rf"m)\b(?: \([^()]*\))?(?P<after> long| in length)?"
        ),
        sentence,
    )
    if (
        length
        and (not length["is"] or length["after"])
        and re.search(
            (
                r"\b(?:[Rr]iver|[Cc]anal|[Ww]all|[Bb]ridge|[Tt]unnel|[Rr]ailway|[Rr]ange|[Tt]ributary|[Ll]ake|"
                r"[Gg]lacier|waterway)\b"
            ),
            article.description,
        )
    ):
        yield Fact("P2043", quantity(length["n"], None, length["u"]), sentence)
    height = re.search(
        (
            rf"\b(?:{_HEIGHTS}) (?:a height of |about |around |approximately |roughly |nearly |almost |over |"
            rf"more than |some )*{_NUMBER} ?(?P<u>metres|meters|m|feet|ft)\b"
        ),
        sentence,
    )
    if height:
        around = f"{article.label} {sentence[max(0, height.start() - 90) : height.end() + 60]}"
        if re.search(
            r"\b(?:[Mm]ountain|[Vv]olcano|[Ss]tratovolcano|[Pp]eak|[Cc]ity|[Cc]apital|[Ll]ake)\b", article.description
        ) and not re.search(r"[Rr]ange|[Mm]ountains|\bbelow\b|\bice\b|crater", f"{article.description} {around}"):
            yield Fact("P2044", quantity(height["n"], None, height["u"]), sentence)
        elif re.search(
            r"\b(?:[Tt]ower|[Ss]kyscraper|[Ss]tatue|[Bb]uilding|[Ff]alls|[Ww]aterfall|[Pp]yramid|[Dd]am)\b",
            article.description,
        ):
            yield Fact("P2048", quantity(height["n"], None, height["u"]), sentence)
    tall = re.search(
        rf"{_NUMBER}[ -]?(?P<u>metres|meters|metre|meter|m|feet|foot|ft)(?: \([^()]*\))?[ -]tall\b", sentence
    )
    if tall and re.search(
        r"\b(?:[Tt]ower|[Ss]kyscraper|[Ss]tatue|[Bb]uilding|[Pp]yramid|[Dd]am)\b", article.description
    ):
        unit = {"metre": "metres", "meter": "metres", "foot": "feet"}.get(tall["u"], tall["u"])
        yield Fact("P2048", quantity(tall["n"], None, unit), sentence)
