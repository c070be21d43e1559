"""The Factbook's section "Government": names, capital, form of government, rulers, independence, memberships."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from wkgfc.evidence import Text, Time
from wkgfc.kg.builders.factbook.gazetteer import Gazetteer, an_item, typed
from wkgfc.kg.builders.factbook.notation import read_time, split_list, take_brackets
from wkgfc.kg.builders.factbook.pages import Page, qualifier
from wkgfc.kg.builders.records import BuilderRecord, Item

SECTION = "Government"

_CLASSES = {"sovereign state": ("Country", "Sovereign state"), "country": ("Country",)}
_NAME = re.compile(r"[^\W\d_][\w .,'’()/&-]{1,80}")
_CAPITAL = re.compile(
    r"(?P<name>[^(),;]+?(?:, D\.C\.)?)"
    r"(?: \((?P<note>[^()]*(?:\[[^\]]*\])?[^()]*)\)| is the (?P<role>[a-z]+ capital))?"
)
_CAPITAL_ROLE = re.compile(
    r"(?P<role>(?:[a-z]+(?: and [a-z]+)?|constitutional \[legislative and judicial\]) capital|seat of government)"
)
_FORMS = (  # words of the form of government, and what they say; the first that fits of each line
    (re.compile(r"semi-presidential republic"), ("Semi-presidential republic", "Republic")),
    (re.compile(r"(?<!-)\bpresidential republic"), ("Presidential system", "Republic")),
    (re.compile(r"parliamentary (?:democratic )?republic"), ("Parliamentary republic", "Republic")),
    (re.compile(r"constitutional federal republic|federal republic"), ("Republic",)),
    (re.compile(r"theocratic republic"), ("Theocracy", "Republic")),
    (re.compile(r"parliamentary constitutional monarchy"), ("Constitutional monarchy", "Parliamentary system")),
    (re.compile(r"(?<!parliamentary )constitutional monarchy"), ("Constitutional monarchy",)),
    (re.compile(r"^absolute monarchy"), ("Absolute monarchy",)),
    (re.compile(r"ecclesiastical elective monarchy"), ("Elective monarchy", "Theocracy")),
    (re.compile(r"parliamentary democracy"), ("Parliamentary system",)),
    (re.compile(r"communist"), ("Communist state",)),
    (re.compile(r"^dictatorship"), ("Dictatorship",)),
    (re.compile(r"^military regime"), ("Military dictatorship",)),
    (re.compile(r"^theocratic\b(?! republic)"), ("Theocracy",)),
    (re.compile(r"^federal\b|semi-presidential federation|federal republic|federation of"), ("Federation",)),
)
_HOLDER = re.compile(r"(?P<who>.+?) \((?:since )?(?P<since>[^(),;]*\d[^(),;]*?)(?:[,;][^()]*)?\)")
_OF_REALM = re.compile(r" of (?:the Netherlands|Denmark|Norway)$")
_ROYAL = {"King", "Queen", "Emperor", "Sultan", "Prince", "Amir", "Grand Duke", "Pope", "Sultan and Prime Minister"}
_PLAIN_OFFICES = {"President", "Prime Minister", "King", "Queen", "Emperor", "Chancellor", "Premier", "Sultan", "Amir"}
_FROM = re.compile(
    r"(?:declared |declared independence |independence (?:proclaimed )?)?from (?P<whom>(?:the )?[A-Z][\w ]+?)"
    r"(?: control over .*|;.*|,.*)?"
)
_FOUNDED = re.compile(
    r"\b(?:from|declared|established|establishment|proclaimed|unified|unification|formed|founding|founded|union|united|"
    r"split|merger|sovereign state|independence|following League of Nations mandate)\b"
)
_EARLIER = re.compile(r"[;,]?\s*(?:notable earlier dates?|note\b|divided into|not acknowledged).*", re.S)


def names(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The country with all its names, what it is, and the official one in English."""
    field = "Country name"
    aliases = [page.title, *page.aliases]
    for part in ("conventional long form", "conventional short form", "local long form", "local short form", "former"):
        is_former = part == "former"
        for name in re.split(
            r"[;,]" if is_former else r"[;/]", page.text(SECTION, field, part) if page.is_country else ""
        ):
            clean, comments = take_brackets(name)
            is_name = _NAME.fullmatch(clean) and clean.lower() not in ("none", "none provided") and "note" not in clean
            if is_name and not (is_former and (comments or gazetteer.is_known(clean))):
                aliases.append(clean)
    for name in re.split(r"[;/,]| or ", take_brackets(page.text(SECTION, field, "abbreviation"))[0]):
        if re.fullmatch(r"[A-Za-z. ]{3,10}|US|UK|NZ", name.strip()):
            aliases.append(name.strip())
    classes = _CLASSES.get(page.kind, (page.kind,))
    country = Item(entity=page.entity, aliases=tuple(dict.fromkeys(name for name in aliases if name != page.label)))
    yield from typed(page, field, country, *classes)
    official = page.text(SECTION, field, "conventional long form").split(";")[0]
    if page.is_country and official.lower() != "none" and _NAME.fullmatch(official):
        name = re.sub(r"\s*\([^()]*\)$", "", official)
        yield from page.state(field, page.entity, "P1448", Text(value=name, language="en"))


def sovereign(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The state that a territory belongs to."""
    state = gazetteer.page(page.of) if page.of else None
    if state is not None:
        yield from page.state("Dependency status", page.entity, "P17", state.entity)


def capital(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The capital, or the capitals with what each is the capital of."""
    if not page.is_country:
        return
    text = page.text(SECTION, "Capital", "name").split("\n")[0]
    for clause in re.split(r";|\),", text):
        if clause.strip().startswith(("note", "located", "some ")):
            continue
        found = _CAPITAL.fullmatch(clause.strip() + (")" if clause.count("(") > clause.count(")") else ""))
        if found is None:
            continue
        name = re.sub(r" in Romanian$", "", found["name"].strip())
        city = gazetteer.capital(page, name)
        if city is None:
            continue
        role = _CAPITAL_ROLE.search(found["note"] or "") or _CAPITAL_ROLE.search(found["role"] or "")
        if role is not None and role["role"].startswith("commercial"):
            continue
        part = an_item(role["role"].replace(" [legislative and judicial]", "")) if role else None
        if part is not None:
            yield part
        is_the_country = city.entity == page.entity
        yield from typed(page, "Capital", city, *([] if is_the_country else ["City", "Capital city"]))
        yield from page.state(
            "Capital", page.entity, "P36", city.entity, qualifier("P3831", part.entity if part else None)
        )
        if not is_the_country:
            yield from page.state("Capital", city.entity, "P17", page.entity)


def form_of_government(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The form of government, in the words of Wikipedia's articles on such forms."""
    text = page.text(SECTION, "Government type")
    if not page.is_country or text.startswith("formerly") or " in name" in text:
        return
    clause = re.split(r"[;(\n]", text)[0].strip()
    said: list[str] = []
    for pattern, forms in _FORMS:
        if pattern.search(clause):
            said += forms
    for name in dict.fromkeys(said):
        form = an_item(name)
        yield form
        yield from page.state("Government type", page.entity, "P122", form.entity)


class Holder(NamedTuple):
    """Who holds an office since when."""

    office: str | None
    person: Item
    since: Time | None


def read_holder(text: str, gazetteer: Gazetteer, of: str) -> Holder | None:
    """The first office-holder that a text names with a date; ``of`` is the country for the description."""
    found = _HOLDER.match(re.sub(r"; also spelled [^(;]+(?= \()", "", re.split(r"[;,] represented by", text)[0]))
    since = read_time(found["since"]) if found else None
    if found is None or since is None:
        return None
    who = found["who"]
    office = next((office for office in gazetteer.offices() if who.startswith(f"{office} ")), None)
    name = _OF_REALM.sub("", who.removeprefix(office or "").strip())
    title = office.partition(" (")[0] if office else None
    person = gazetteer.person(name, f"{title} of {of}" if title and " of " not in title and title != "Pope" else None)
    if person is None:
        return None
    if title in _ROYAL:
        royal = title.partition(" and ")[0]
        person = Item(entity=person.entity, aliases=(*person.aliases, *(f"{royal} {name}" for name in person.aliases)))
    return Holder(title, person, since)


def rulers(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """Chief of state and head of government, each since when, and the office that a state's own ones hold."""
    if not page.is_country:
        return
    field = "Executive branch"
    said: set[tuple[str, str]] = set()
    is_realm = "Commonwealth realm" in page.text(SECTION, "Government type") and page.code != "uk"
    for part, property_id, office_property in (
        ("chief of state", "P35", "P1906"),
        ("head of government", "P6", "P1313"),
    ):
        holder = read_holder(page.text(SECTION, field, part), gazetteer, gazetteer.in_words(page))
        if holder is None:
            continue
        since = qualifier("P580", holder.since)
        yield from typed(page, field, holder.person, "Human")
        yield from page.state(field, page.entity, property_id, holder.person.entity, since)
        if holder.office in _PLAIN_OFFICES and page.is_state and not (is_realm and part == "chief of state"):
            office = an_item(f"{holder.office} of {gazetteer.in_words(page)}")
            yield from typed(page, field, office, "position")
            yield from page.state(field, page.entity, office_property, office.entity)
            if (holder.person.entity.id, office.entity.id) not in said:  # who is both bears one office, once
                said.add((holder.person.entity.id, office.entity.id))
                yield from page.state(field, holder.person.entity, "P39", office.entity, since)


def independence(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """When the country began as a state, and from whom it separated.

    The first date of the field is the inception where the text speaks of founding or of independence; each date
    "from" a known state is a separation from it. Earlier dates that the text calls notable are history, not this.
    """
    field = "Independence"
    text = _EARLIER.sub("", page.text(SECTION, field).split("\n")[0])
    if not page.is_state or text.startswith(("none", "no official")):
        return
    event = an_item("Independence")
    for number, clause in enumerate(split_list(text, ";")):
        date = read_time(clause)
        comments = take_brackets(clause)[1]
        comment = comments[0] if comments else ""
        if date is None:
            continue
        if (number == 0 and _FOUNDED.search(comment)) or (not comment and date.precision == 11):
            yield from page.state(field, page.entity, "P571", date)
        separation = _FROM.fullmatch(comment)
        state = gazetteer.place(separation["whom"]) if separation else None
        when = qualifier("P585", date)
        if state is not None and state != page.entity:
            yield Item(entity=state)
            yield from page.state(field, page.entity, "P807", state, when)
        if separation or "declared independence" in comment or "independence declared" in comment:
            yield event
            yield from page.state(field, page.entity, "P793", event.entity, when, qualifier("P807", state))


def memberships(page: Page, gazetteer: Gazetteer) -> Iterator[BuilderRecord]:
    """The organizations that the country is a full member of: observers, associates and candidates are none.

    The field keeps some memberships that have ended; those that the table of names knows are left out.
    """
    field = "International organization participation"
    text = re.sub(r"^[^:]{20,160}: (?=[A-Z])", "", page.text(SECTION, field).split("\n")[0])
    if page.kind in ("planet", "continent"):
        return
    for entry in split_list(text):
        name, brackets = take_brackets(entry)
        if brackets and not all(
            words in ("NGOs", "nonregional member", "Chinese Taipei", "regional") for words in brackets
        ):
            continue
        organization = gazetteer.organization(page, name)
        if organization is not None and organization.entity != page.entity:
            yield from typed(page, field, organization, "international organization")
            yield from page.state(field, page.entity, "P463", organization.entity)


READERS = (names, sovereign, capital, form_of_government, rulers, independence, memberships)
