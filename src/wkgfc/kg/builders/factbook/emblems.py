"""What stands for a country: anthem, holidays, symbols, colours, heritage sites, its domain on the Internet."""

import re
from collections.abc import Iterator

from wkgfc.kg.builders.factbook.gazetteer import Gazetteer, an_item, typed
from wkgfc.kg.builders.factbook.notation import split_list, take_brackets
from wkgfc.kg.builders.factbook.pages import Page
from wkgfc.kg.builders.records import BuilderRecord
from wkgfc.months import MONTHS

SECTION = "Government"

_HOLIDAY = re.compile(
    rf"(?P<name>[^,\d]+?)(?: \((?P<meaning>[^()]*)\))?, (?:(?P<day>\d{{1,2}}) (?P<month>{'|'.join(MONTHS)})|"
    rf"(?P<us_month>{'|'.join(MONTHS)}) (?P<us_day>\d{{1,2}}))(?![\d-])(?: \([^()]*\))?(?:, .*)?"
)
_ANTHEM = re.compile(r'["“](?P<title>[^"“”()]{3,80})["”]?(?: ?\((?P<meaning>[^()]{3,80})\))?$')
_UNSURE = re.compile(
    r"\b(?:unknown|unkown|presumed|disputed|collective|collectively|multiple|traditional|adapted|arranged|"
    r"no lyrics|students|committee|none|or)\b|[\[\]]"
)
_SITE = re.compile(r"(?P<name>[^();:]{4,90}?)(?: \((?:c|n|m)\))?")


def anthem(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The national anthem, who wrote it and who composed it, where that is known."""
    field = "National anthem(s)"
    if not page.is_country:
        return
    found = _ANTHEM.match(page.text(SECTION, field, "title"))
    if found is None:
        return
    title = found["title"].strip()
    is_generic = re.fullmatch(r"(?:Himno Nacional|National Anthem|Patria|Motherland|Europe|Liberté)", title) is not None
    song = an_item(f"{title} ({page.label})" if is_generic else title, title, [found["meaning"] or ""])
    yield from typed(page, field, song, "National anthem")
    yield from page.state(field, page.entity, "P85", song.entity)
    makers = page.text(SECTION, field, "lyrics/music").split("/")
    if page.is_state and len(makers) == 2 and "note" not in makers[1]:
        for text, property_id in zip(makers, ("P676", "P86"), strict=True):
            for name in re.split(r", and |, | and ", text) if not _UNSURE.search(text) else ():
                person = gazetteer.person(name)
                if person is not None and name not in page.text(SECTION, "Executive branch", "head of government"):
                    yield from typed(page, field, person, "Human")
                    yield from page.state(field, song.entity, property_id, person.entity)


def holidays(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """National holidays and the day of the year that each falls on."""
    field = "National holiday"
    for clause in split_list(page.text(SECTION, field).split("\n")[0], ";"):
        found = _HOLIDAY.fullmatch(clause)
        if found is None or not page.is_country or found["name"].startswith(("previous", "note")):
            continue
        name = found["name"].strip()
        holiday = an_item(
            f"{name} ({page.label})", name, [found["meaning"] or ""] if len(found["meaning"] or "") < 30 else []
        )
        month, day = found["month"] or found["us_month"], int(found["day"] or found["us_day"])
        date = an_item(f"{month} {day}", aliases=(f"{day} {month}",))
        yield from typed(page, field, holiday, "public holiday")
        yield from typed(page, field, date, "day of the year")
        yield from page.state(field, page.entity, "P832", holiday.entity)
        yield from page.state(field, holiday.entity, "P837", date.entity)
        yield from page.state(field, holiday.entity, "P17", page.entity)


def symbols(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """National symbols and national colours."""
    if not page.is_country:
        return
    for entry in split_list(page.text(SECTION, "National symbol(s)").split("\n")[0]):
        name, _ = take_brackets(entry)
        if (
            re.fullmatch(r"[^\W\d_][\w'’ -]{2,40}", name)
            and len(name.split()) <= 4
            and not name.startswith(("no ", "each "))
        ):
            symbol = gazetteer.thing(re.sub(r"^(?:an?|the) ", "", name))
            yield symbol
            yield from page.state("National symbol(s)", page.entity, "P2238", symbol.entity)
    for entry in split_list(page.text(SECTION, "National color(s)").split("\n")[0].split(";")[0]):
        name, brackets = take_brackets(entry)
        if re.fullmatch(r"[a-z]{2,20}(?: [a-z]{2,20})?", name) and not any("all of" in words for words in brackets):
            color = gazetteer.thing(name, "color")
            yield from typed(page, "National color(s)", color, "Color")
            yield from page.state("National color(s)", page.entity, "P6364", color.entity)


def heritage(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """World Heritage Sites that the page names."""
    field = "National heritage"
    if not page.is_state:
        return
    status = an_item("World Heritage Site")
    for entry in split_list(page.text(SECTION, field, "selected World Heritage Site locales").split("\n")[0], ";"):
        found = _SITE.fullmatch(entry)
        if found is None or re.match(r"note\b|\d", found["name"]):
            continue
        if gazetteer.place(found["name"]) is None:
            site = gazetteer.thing(found["name"].strip())
            yield from typed(page, field, site, "World Heritage Site")
            yield from page.state(field, site.entity, "P1435", status.entity)
            yield from page.state(field, site.entity, "P17", page.entity)


def domain(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The top-level domain of the Internet."""
    text = page.text("Communications", "Internet country code")
    found = re.match(r"(?:metropolitan \w+ - )?(\.[a-z]{2,3})(?=$|[ ;,(])", text)
    if found is not None and page.kind != "planet":
        name = an_item(found[1])
        yield from typed(page, "Internet country code", name, "country code top-level domain")
        yield from page.state("Internet country code", page.entity, "P78", name.entity)


READERS = (anthem, holidays, symbols, heritage, domain)
