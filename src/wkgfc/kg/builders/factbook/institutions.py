"""The institutions of a country: parliament and chambers, highest court, parties, administrative divisions."""

import re
from collections.abc import Iterator, Sequence

from wkgfc.evidence import Quantity
from wkgfc.kg.builders.factbook.gazetteer import Gazetteer, an_item, typed
from wkgfc.kg.builders.factbook.notation import first_clause, read_number, split_list, take_brackets
from wkgfc.kg.builders.factbook.pages import Page
from wkgfc.kg.builders.records import BuilderRecord, Item

SECTION = "Government"

_NAME = re.compile(r"[^\W\d_][\w .,'’()/&-]{1,80}")
_KIND = re.compile(r"\d+ (?P<kind>[a-z]+)\b")
_HEAD = re.compile(r"^(\d+ (?:[^:;()]|\([^()]*\))+):")  # "5 provinces: a, b"
_LANGUAGE = re.compile(
    r"\s*\((?:Arabic|Aranese|Basque|Castilian|Catalan|Dutch|Finnish|French|German|Kurdish|Swedish|Valencian)"
    r"(?: (?:long|short) form)?\)"
)
_OTHER_NAME = re.compile(rf" or (?P<name>[^,;()]+?){_LANGUAGE.pattern}")
_ENGLISH = re.compile(r"\s*\[(?P<name>[^\[\]]+)\]$")
_SINGULARS = {
    "provinces": "Province",
    "states": "State",
    "departments": "Department",
    "districts": "District",
    "regions": "Region",
    "counties": "County",
    "governorates": "Governorate",
    "prefectures": "Prefecture",
    "parishes": "Parish",
    "municipalities": "Municipality",
    "cantons": "Canton",
    "oblasts": "Oblast",
}


def parliament(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The legislature, its chambers and their seats."""
    field = "Legislative branch"
    if not page.is_country:
        return
    legislature = _institution(
        page, gazetteer, page.text(SECTION, field, "legislature name"), "legislatures", page.code
    )
    if legislature is None:
        return
    yield from typed(page, field, legislature, "Legislature")
    yield from page.state(field, page.entity, "P194", legislature.entity)
    yield from page.state(field, legislature.entity, "P17", page.entity)
    yield from _seats(page, field, legislature, page.text(SECTION, field, "number of seats"))
    for chamber_field in ("Legislative branch - lower chamber", "Legislative branch - upper chamber"):
        name = page.text(SECTION, chamber_field, "chamber name")
        key = f"{page.code}:{take_brackets(name)[0]}"
        chamber = _institution(page, gazetteer, name, "chambers", key)
        if chamber is not None:
            yield from typed(page, chamber_field, chamber, f"{chamber_field.rpartition(' - ')[2].split()[0]} house")
            yield from page.state(chamber_field, legislature.entity, "P527", chamber.entity)
            yield from page.state(chamber_field, chamber.entity, "P361", legislature.entity)
            yield from page.state(chamber_field, chamber.entity, "P17", page.entity)
            yield from _seats(page, chamber_field, chamber, page.text(SECTION, chamber_field, "number of seats"))


def _institution(page: Page, gazetteer: Gazetteer, text: str, table: str, key: str) -> Item | None:
    name, brackets = take_brackets(re.split(r" - | or |;|\n", text)[0])
    name = re.sub(r"^Parlement\b.*", "Parliament", name.removeprefix("The ").strip())
    if (
        brackets
        and re.match(r"(?:Parliament|National|House) ?(?:Legislature|of|$)", brackets[0])
        and brackets[0] != name
    ):
        name, brackets = brackets[0], [name]
    if not _NAME.fullmatch(name) or " and " in name or len(name.split()) > 9:
        return None
    native = [words for words in brackets if " - " not in words and words[:1].isupper()]
    title = gazetteer.listed(table, key)
    if title is not None:
        return an_item(title, aliases=(gazetteer.own(page, name).entity.label, *native))
    return gazetteer.own(page, name, native)


def _seats(page: Page, field: str, body: Item, text: str) -> Iterator[BuilderRecord]:
    seats = read_number(text)
    if seats is not None and re.match(r"[\d,]+(?: \(|$|;)", text):
        yield from page.state(field, body.entity, "P1342", Quantity(amount=seats))


def divisions(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """First-order administrative divisions.

    "12 provinces, 3 public entities*; Bonaire*, Drenthe": those without a star are of the kind that is named first.
    """
    field = "Administrative divisions"
    text = page.text(SECTION, field).replace("\n", ";")
    text = _HEAD.sub(r"\1;", re.sub(r"^metropolitan \w+ - ", "", text))
    head, *groups = split_list(text, ";") or [""]
    first = _KIND.match(head)
    if not page.is_state or first is None:
        return
    is_mixed = re.search(r",| and \d", take_brackets(head)[0]) is not None
    has_aliases = (
        "center" not in f"{' '.join(groups)} {page.note(SECTION, field)}"
    )  # brackets may hold the seats' names
    heading = ""
    for group in groups:
        if re.match(r"\(?(?:see )?note\b", group):
            continue
        before, colon, members = group.rpartition(":")
        heading = before if colon else heading
        for names in _named_once(split_list(members)):
            is_starred = "*" in names[0]
            kind = _SINGULARS.get(heading) if heading else None if is_starred else _SINGULARS.get(first["kind"])
            if is_mixed and not heading and "*" not in head:
                kind = None
            is_city = is_starred or re.search(r"\b(?:city|cities|municipalit)", heading) is not None
            division = gazetteer.division(page, names, kind, is_city=is_city, has_aliases=has_aliases)
            if division is not None and division.entity != page.entity:
                yield from typed(page, field, division, *([kind] if kind else []))
                yield from page.state(field, page.entity, "P150", division.entity)
                yield from page.state(field, division.entity, "P131", page.entity)
                yield from page.state(field, division.entity, "P17", page.entity)


def _named_once(entries: Sequence[str]) -> Iterator[list[str]]:
    """The names of each division: a group whose names bear their languages in brackets is one division.

    The English name, in square brackets at the group's end, comes first.
    """
    if any(_LANGUAGE.search(_OTHER_NAME.sub("", entry)) for entry in entries):
        english = _ENGLISH.search(entries[-1])
        names = [_LANGUAGE.sub("", _ENGLISH.sub("", entry)) for entry in entries if _LANGUAGE.search(entry)]
        first = english["name"] if english else _LANGUAGE.sub("", entries[0])
        yield list(dict.fromkeys([first, *names]))
    elif any(_OTHER_NAME.search(entry) for entry in entries):
        for entry in entries:
            other = _OTHER_NAME.search(entry)
            yield [_OTHER_NAME.sub("", entry), *([other["name"]] if other else [])]
    else:
        yield from ([re.sub(r"^and ", "", entry)] for entry in entries)


def parties(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """Political parties of the country."""
    field = "Political parties"
    if not page.is_state:
        return
    for line in page.text(SECTION, field).split("\n"):
        name, brackets = take_brackets(line)
        name, _, short = name.partition(" or ")
        name = name.strip(" ;,*")
        if (
            _NAME.fullmatch(name)
            and len(name.split()) <= 8
            and re.search(
                r"\b(?:Party|Movement|Union|Front|League|Alliance|Congress|Democrats|Democratic|Labou?r|Liberals)\b",
                name,
            )
            and not re.match(r"(?:note|includes?|other|none|no |[a-z])", name)
            and ":" not in line
        ):
            aliases = [short.strip()] if re.fullmatch(r"[A-Z][\w/-]{1,11}", short.strip()) else []
            aliases += [words for words in brackets if words[:1].isupper() and len(words) < 60]
            party = gazetteer.own(page, name, aliases)
            party = Item(entity=party.entity, aliases=tuple(dict.fromkeys([name, *party.aliases])))
            yield from typed(page, field, party, "Political party")
            yield from page.state(field, party.entity, "P17", page.entity)


def highest_court(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The highest court, where the page names one alone."""
    field = "Judicial branch"
    text = first_clause(page.text(SECTION, field, "highest court(s)"))
    name, _ = take_brackets(text.split(" or ")[0])
    if not page.is_state or not re.fullmatch(r"[A-Z][\w' ]{2,60}", name) or "," in take_brackets(text)[0]:
        return
    if "Court" in name:
        court = gazetteer.own(page, name)
        yield from typed(page, field, court, "supreme court")
        yield from page.state(field, page.entity, "P209", court.entity)
        yield from page.state(field, court.entity, "P17", page.entity)


READERS = (parliament, divisions, parties, highest_court)
