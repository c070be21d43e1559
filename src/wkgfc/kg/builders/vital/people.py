"""Facts about people: life, nationality, occupations, offices with their dates, family, awards, works.

The one-line description ("English actor and filmmaker (1889–1977)", "President of the United States from 2009 to
2017") carries most; the sentences add places, offices, awards and works.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from wkgfc.evidence import Entity, Time
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article, sentences
from wkgfc.kg.builders.vital.dates import When, find_century, find_date, read_span, read_when, read_year
from wkgfc.kg.builders.vital.facts import Fact, Qualifiers, circumstances, dated, during, english
from wkgfc.kg.builders.vital.names import Names, lexicon, singular

HUMAN = "Human"
_BRACKET_AT_END = re.compile(r"\s*\(([^()]*)\)\s*$")
_OFFICE = (
    r"King of Kings|King|Queen|Emperor|Empress|Tsar|Tsarina|Pharaoh|Sultan|Caliph|Imam|Shah|Shahanshah|Khan|President|"
    r"Prime Minister|Chancellor|Premier|Emir|Doge|Regent|Viceroy|Governor-General|Governor|Archbishop|Bishop|"
    r"Patriarch|Pope|Head|Khedive|Hetman|Dictator|Leader|Supreme Leader|Ruler|Monarch|Secretary-General|Chanyu|"
    r"Grand Prince|Grand Duke|Duke|Prince|Elector|Tlatoani|Vizier|Knyaz|Queen regnant|Lord Protector|Vice President|"
    r"Secretary of State|Stadtholder|Military ruler|Spiritual leader|Military dictator|Sapa Inca"
)
_ERA = r"(?:c\. )?(?:AD )?\d{1,4}(?:/\d{1,4})?(?: (?:BCE|BC|CE|AD))?"
_TERM = re.compile(
    rf"^(?P<office>.*?)(?:,)? (?:from (?P<a>{_ERA}) (?:to|until) (?P<b>{_ERA})|(?:since (?P<c>{_ERA})))(?P<rest>.*)$"
)
_GROUP = re.compile(
    r"\b(?:band|group|duo|trio|quartet|brothers|sisters|family|families|dynasty|people|team|partnership|filmmakers|"
    r"inventors|pioneers|folklorists|theologians|missionaries|queens|musicians|company)\b",
    re.IGNORECASE,
)
_LIFE_YEARS = range(5, 116)


@lru_cache(maxsize=1)
def _occupations() -> frozenset[str]:
    return frozenset(lexicon()["occupations"])


@lru_cache(maxsize=1)
def _nationality_words() -> re.Pattern[str]:
    words = sorted({*lexicon()["demonyms"], *lexicon()["peoples"]}, key=len, reverse=True)
    return re.compile(rf"(?<![\w])(?:{'|'.join(map(re.escape, words))})(?=\W|$)")


def is_person(article: Article) -> bool:
    """Whether the article is about one human being who lived."""
    description = article.description
    plain = _BRACKET_AT_END.sub("", description)
    if re.search(r"\b(?:band|duo|trio|quartet)$", plain):
        return False
    if _GROUP.search(plain) and not re.search(r"\b(?:he|she|his|her)\b", article.extract):
        return False
    if re.search(
        r"\b(?:deity|god|goddess|mytholog\w+|fictional|legendary creature|bodhisattva|character)\b", description
    ):
        return False
    if article.topic == "People":
        return not re.match(r".*\b(?:brothers|sisters|family)$", article.label)
    if article.is_common or re.match(r"[Ll]egendary\b", description):
        return False
    if article.topic in {"Geography", "History", "Technology", "Mathematics"} and not article.title[:1].isupper():
        return False
    head = _BRACKET_AT_END.sub("", description)
    roles = {word.lower() for word in re.findall(r"[\w-]+", head)}
    bracket = _BRACKET_AT_END.search(description)
    lived = bracket is not None and bool(re.search(r"\d", bracket[1]))
    is_ruler = bool(re.match(rf"(?:[\w-]+ )*?(?:{_OFFICE}|emperor|king|queen|founder)\b", head, re.IGNORECASE))
    if not re.search(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b", article.extract):
        return article.topic == "Uncategorized" and lived and bool(roles & _occupations())
    return (
        (lived or is_ruler or bool(_TERM.match(description)))
        and (bool(roles & _occupations()) or is_ruler or _is_office(head))
    ) or bool(
        re.match(r"(?:\w+ ){0,4}(?:prophet|caliph|emperor|religious leader|preacher|apostle)\b", head, re.IGNORECASE)
        and re.search(r"\b(?:was|is) (?:an?|the)\b", article.extract)
    )


def person_facts(article: Article, names: Names) -> Iterator[Fact]:
    """All that the rules read about a person."""
    yield Fact("P31", names.titled(HUMAN), article.description)
    yield from _sex(article)
    yield from _life(article)
    roles = _BRACKET_AT_END.sub("", article.description).strip()
    first = article.first_sentence
    yield from _nationality(article, names)
    yield from _occupations_in(roles, article.description, names)
    complement = _complement(first)
    if complement:
        yield from _occupations_in(complement, first, names)
    yield from _offices(article, names)
    yield from _ruler(article, names)
    for sentence in sentences(article.extract):
        yield from _births_and_deaths(article, sentence, names)
        yield from _honours(sentence, names)
        yield from _memberships(sentence, names)
    yield from _family(article, names)
    yield from _convictions(article, names)


# --- life ------------------------------------------------------------------------------------------------------------


_HE, _SHE = r"\b(?:[Hh]e|[Hh]is|[Hh]im|[Hh]imself)\b", r"\b(?:[Ss]he|[Hh]er|[Hh]ers|[Hh]erself)\b"


def _sex(article: Article) -> Iterator[Fact]:
    """By the pronouns: those of one kind alone, "he" or "she" among them, or several times as many as of the other.

    Of 1,457 people whose sex is known otherwise and whose text has pronouns of one kind alone, all have that sex; but
    "his" alone may be another's: "Mary Magdalene … travelled with Jesus as one of his followers".
    """
    he, she = (len(re.findall(pattern, article.extract)) for pattern in (_HE, _SHE))
    if not he and not she:
        return
    pronoun, opening = (_HE, r"(?:He|His)\b") if he > she else (_SHE, r"(?:She|Her)\b")
    is_named_so = re.search(r"\b[Hh]e\b" if he > she else r"\b[Ss]he\b", article.extract)
    if (he and she) or not is_named_so:
        found = re.search(rf"(?:^|(?<=[.] )){opening}", article.extract)
        if found is None or max(he, she) < 3 * min(he, she):
            return
    label = "male" if he > she else "female"
    sentence = next((each for each in sentences(article.extract) if re.search(pronoun, each)), article.extract)
    yield Fact("P21", Entity(id=local_id(label), label=label), sentence)


def _life(article: Article) -> Iterator[Fact]:
    description = article.description
    bracket = _BRACKET_AT_END.search(description)
    if bracket is None:
        return
    head, inside = description[: bracket.start()], bracket[1].strip()
    born = re.fullmatch(r"(?:born|b\.):?\s*(?P<y>.+)", inside, re.IGNORECASE)
    if born:
        yield from dated("P569", _one_or_other(born["y"]), description)
        return
    died = re.fullmatch(r"(?:died|d\.):?\s*(?P<y>.+)", inside, re.IGNORECASE)
    if died:
        yield from dated("P570", _one_or_other(died["y"]), description)
        return
    span = read_span(inside)
    start, end = span if span is not None else (None, None)
    if start is None or end is None:
        return
    years = end.time.year - start.time.year - (1 if start.time.year < 0 < end.time.year else 0)
    if years not in _LIFE_YEARS or (_is_office(head) and not _is_lifespan(article, start, end, years)):
        return
    yield from dated("P569", start, description)
    yield from dated("P570", end, description)


def _one_or_other(text: str) -> When | None:
    """ "1934 or 1935" as "1934/1935"; a date or a year otherwise."""
    return read_year(re.sub(r"\s+or\s+", "/", text)) or (found[0] if (found := find_date(text)) else None)


def _is_office(head: str) -> bool:
    return bool(re.search(rf"\b(?:{_OFFICE})\b(?: |$)", head, re.IGNORECASE)) and not re.search(
        r"\b(?:rebel|religious|independence|tribal|civil rights|revolt|band) leader\b", head
    )


def _is_lifespan(article: Article, start: When, end: When, years: int) -> bool:
    """Whether years after an office are a life, not a reign: long enough, and no deed falls before them."""
    others = [int(year) for year in re.findall(r"(?<!\d)\d{3,4}(?!\d)", article.extract)]
    if start.time.year > 0 and any(year < start.time.year for year in others if year > start.time.year - 60):
        return False
    return years >= 40


_SUBJECT = re.compile(
    r"\b(?P<pronoun>[Hh]e|[Ss]he)\b|(?P<name>[A-ZÀ-ÞŌŠŚŽ][\w'’-]*(?: (?:of |the )*[A-ZÀ-ÞŌŠŚŽ][\w'’-]*)*)"
    r"(?=,? (?:who|was|were|is|had|served|ruled|reigned|held|became|remained|led|began|\w+ed)\b)"
)
_TITLES = {"King", "Queen", "Emperor", "Empress", "Pope", "Saint", "Sir", "Prince", "Princess", "Duke", "Lord", "The"}


def _is_said_of(article: Article, before: str) -> bool:
    """Whether the clause that ends with ``before`` is about the article's person, by the last subject in it.

    "Cardinal Fleury was chief minister from 1726 until his death" is not about Louis XV. Where no subject is
    recognised, a name of the person must stand there.
    """
    own = {*_names_in(article.label), *_names_in(article.first_sentence.split(" was ", 1)[0])}
    subjects = list(_SUBJECT.finditer(before))
    if not subjects:
        return not own.isdisjoint(_names_in(before))
    subject = subjects[-1]
    return subject["pronoun"] is not None or not own.isdisjoint(_names_in(subject["name"]))


def _names_in(text: str) -> frozenset[str]:
    """The words with a capital, titles apart."""
    return frozenset(word for word in re.findall(r"\b[A-ZÀ-ÞŌŠŚŽ][\w'’-]*", text) if word not in _TITLES)


def _births_and_deaths(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    place = (
        r"(?P<place>(?:the )?[A-ZÀ-ÞŌŠŚŽ][\w'’.-]+(?: (?:of|de|del|la|upon|in|the|am|an der|"
        r"[A-ZÀ-Þ][\w'’.-]+))*(?:, [A-Z][\w'’ -]+?)*)"
    )
    born = re.search(
        (
            rf"(?:^Born(?: (?:and raised|to [^,]{{3,80}}))? in|\b(?:He|She|"
            rf"[A-Z]\w+) was born(?: and raised)?(?: (?:on|in) [\d A-Z]\w*[\w ]*?\d)?,? in) {place}"
        ),
        sentence,
    )
    if born and (born[0].startswith("Born") or _is_said_of(article, f"{born[0].split(' was ', 1)[0]} was")):
        yield from _place("P19", born["place"], sentence, names)
    died = re.search(
        (
            rf"\b(?:He|She) (?:died|passed away)(?: of [\w ]+?| from [\w ]+?| peacefully)?(?: (?:on|"
            rf"in) [\d A-Z]\w*[\w ]*?\d)?,? in {place}"
        ),
        sentence,
    )
    if died:
        yield from _place("P20", died["place"], sentence, names)
    for verb, relation in (("born", "P569"), ("died", "P570")):
        exact = re.search(rf"\b(?:He|She|[A-Z]\w+)(?: was)? {verb} on (?=\d|[A-Z])", sentence)
        if exact and not _is_said_of(article, exact[0]):
            continue
        if exact and (found := find_date(sentence, exact.end())) and found[1] == exact.end():
            yield Fact(relation, found[0].time, sentence)


def _place(relation: str, text: str, sentence: str, names: Names) -> Iterator[Fact]:
    place = re.split(r",| and | to | into | where | when | during | before | after | under | near | as ", text)[
        0
    ].strip()
    place = re.sub(r"\s+(?:in|on|of|the)$", "", place).strip(" .")
    place = re.sub(r" in .*$", "", place)
    if not place or re.match(
        r"(?:the )?(?:\d|House of|January|February|March|April|May|June|July|August|September|October"
        r"|November|December)",
        place,
    ):
        return
    if place.split()[0] in {"He", "She", "Their", "His"} or (not place[0].isupper() and not place.startswith("the ")):
        return
    yield Fact(relation, names.entity(place), sentence)


# --- nationality and occupation --------------------------------------------------------------------------------------


def _nationality(article: Article, names: Names) -> Iterator[Fact]:
    year = _death_year(article)
    for text in (_BRACKET_AT_END.sub("", article.description), _complement(article.first_sentence) or ""):
        lead = re.split(
            r"\b(?:of|who|that|which|from|in|for|known|best|and (?:the|a|an)|during|at|by|whose|since)\b|[,;]", text
        )[0]
        source = article.description if text and article.description.startswith(text) else article.first_sentence
        born = re.match(r"(?P<d>[A-Z][\w ]+?)-born\b", lead)
        if born and (place := lexicon()["demonyms"].get(born["d"])):
            yield Fact("P19", names.titled(place), source)
            lead = lead[born.end() :]
        for word in _nationality_words().findall(lead):
            yield from _citizenship(word, lead, year, source, names)


def _citizenship(word: str, lead: str, year: int | None, source: str, names: Names) -> Iterator[Fact]:
    if (people := lexicon()["peoples"].get(word)) is not None:
        yield Fact("P172", names.titled(people), source)
        return
    country = lexicon()["demonyms"][word]
    if re.search(
        (
            rf"{re.escape(word)} (?:Football|football|rules|Church|Empire|emperor|Emperor|literature|language|"
            rf"Revolution|Catholic|Rite)\b"
        ),
        lead,
    ) and (not re.search(r"(?:emperor|Emperor)\b", lead) or word in {"Holy Roman"}):
        return
    if re.search(rf"\b(?:of the|Anglo-|Afro-|Indo-|Holy ){re.escape(word)}|{re.escape(word)}-language", lead):
        return
    if word == "Greek" and ((year is not None and year < 500) or "ncient Greek" in lead or "Classical" in lead):
        country = "Ancient Greece"
    if word == "Egyptian" and ((year is not None and year < 0) or "pharaoh" in lead or "ncient" in lead):
        country = "Ancient Egypt"
    if word == "Roman" and "Greco" in lead:
        return
    yield Fact("P27", names.titled(country), source)
    if country in {"England", "Scotland", "Wales"} and (year is None or year > 1801):
        # of the one state that they have formed since 1801
        yield Fact("P27", names.titled("United Kingdom"), source)


def _death_year(article: Article) -> int | None:
    bracket = _BRACKET_AT_END.search(article.description)
    span = read_span(bracket[1]) if bracket else None
    if span and span[1] is not None:
        return span[1].time.year
    if re.search(r"\bBCE?\b", article.description):
        return -1
    century = find_century(article.description)
    if century is not None:
        return century.time.year
    year = re.search(r"(?<!\d)(\d{3,4})(?!\d)", article.description)
    return int(year[1]) if year else None


def _complement(sentence: str) -> str | None:
    """What the first sentence says that the person was: the text after "was a" up to a clause."""
    match = re.search(r"\b(?:was|is|were) (?:an?|the|one of the)\s+(.+)$", sentence)
    if match is None or match.start() > 260:
        return None
    text = re.sub(r"\([^()]*\)", "", match[1])
    return re.split(
        (
            r"\b(?:who|whose|whom|which|that|best known|known|widely|often|considered|regarded|credited|noted|"
            r"remembered|during|under|active|based|notable|famous|from|in|at|and one|and is|and was)\b|[.;:]"
        ),
        text,
    )[0].strip(" ,")


_LIST = re.compile(r",\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s*/\s*|;\s*")
_QUALIFIERS_THAT_ADD_NOTHING = re.compile(
    r"^(?:(?:former|retired|professional|influential|prominent|prolific|renowned|leading|early|pioneering|great|noted|"
    r"famous|major|important|celebrated|popular|legendary|self-taught|contemporary|modern|ancient|medieval|classical|"
    r"late|a|an|the|competitive|acclaimed|American|lay|itinerant|amateur|full-time|fellow|chief|principal|"
    r"traditional|mystery|eminent|senior|young|controversial|world-renowned|award-winning|best-selling|versatile|"
    r"Golden Age|early modern|\d+(?:st|nd|rd|th)(?:[-/ ]\d+(?:st|nd|rd|th))?[- ]century(?: (?:BC|AD|BCE|CE))?|"
    r"Victorian-era|Renaissance|Baroque|"
    r"Classical|Romantic|Enlightenment|Modernist|Impressionist)\s+)+"
)


def _occupations_in(text: str, sentence: str, names: Names) -> Iterator[Fact]:
    seen: set[str] = set()
    for part in _LIST.split(text):
        role = re.split(
            (
                r"\s+(?:of|who|that|from|in|for|to|known|on|with|during|since|until|by|at|as|whose|responsible|"
                r"specializing|specialising)\b"
            ),
            part.strip(),
        )[0]
        role = re.sub(r"^speaking ", "", _plain_role(role))  # what is left of "French-speaking"
        words = role.split()
        if not words or words[-1].lower() not in _occupations():
            continue
        head = words[-1].lower()
        forms = [head]
        if len(words) > 1 and len(words) <= 3 and all(_is_role_word(word) for word in words[:-1]):
            forms.insert(0, " ".join(words).lower() if words[0].islower() else " ".join(words))
        for form in forms:
            if form in _TOO_GENERAL and (len(forms) > 1 or form != role.lower()):
                continue
            if form.lower() not in seen:
                seen.add(form.lower())
                yield Fact("P106", _role_entity(form, names), sentence)


_TOO_GENERAL = {
    "player",
    "officer",
    "theorist",
    "general",
    "designer",
    "director",
    "model",
    "performer",
    "driver",
    "manager",
    "executive",
    "operator",
    "official",
    "minister",
    "critic",
    "commander",
    "racer",
    "runner",
    "skater",
    "governor",
    "instrumentalist",
    "hunter",
    "rector",
    "presenter",
    "producer",
    "collector",
    "manufacturer",
    "chef",
    "trader",
}


def _plain_role(role: str) -> str:
    role = role.strip(" .,:")
    previous = None
    while previous != role:
        previous = role
        role = _QUALIFIERS_THAT_ADD_NOTHING.sub("", role + " ").strip()
        role = re.sub(r"^[A-Z][\w ]+?-born\s+", "", role)
        role = re.sub(rf"^(?:{_nationality_words().pattern})(?:[-–—/ ]|$)", "", role).strip()
    return role


def _is_role_word(word: str) -> bool:
    return (
        word.isalpha()
        and (word.islower() or word in {"Catholic", "Buddhist", "Christian", "Marxist", "Anglican", "Lutheran"})
    ) or ("-" in word and word.islower())


def _role_entity(role: str, names: Names) -> Entity:
    found = names.article(role if role[0].isupper() else role.lower())
    if found is not None and found.is_common:
        return found.entity
    label = " ".join((*role.split()[:-1], singular(role.rsplit(maxsplit=1)[-1])))
    return Entity(id=local_id(label), label=label)


# --- offices ---------------------------------------------------------------------------------------------------------


def _offices(article: Article, names: Names) -> Iterator[Fact]:
    description = article.description
    for part in re.split(
        rf";\s+(?=[A-Z])|\s+and\s+(?=(?:[\w-]+ ){{0,3}}(?:{_OFFICE})\b[^;]*\bfrom\b)|"
        rf"(?<!\d),\s+(?=(?:[A-Z][\w.]+ )?(?:{_OFFICE}|president|prime minister|emperor)\b)",
        description,
    ):
        yield from _office(part.strip(), description, names)
    for sentence in sentences(article.extract)[:4]:
        for match in re.finditer(
            r"\b(?:served as|was|became|is|as|reigned as|ruled as) (?:the )?(?:(?P<n>\d+)(?:st|nd|rd|"
            r"th) )?(?:and \w+ )?(?P<office>(?:vice |deputy )?(?:president|prime minister|chancellor|"
            r"secretary of state|governor|mayor|pope|premier|secretary-general|"
            r"secretary of the treasury)(?: of (?:the )?[A-Z][\w']+(?: (?:and|of|the|[A-Z][\w']+))*))"
            rf"(?:,? (?:serving |in office |ruling )?from (?P<a>{_ERA}) (?:to|until) (?P<b>{_ERA}))?",
            sentence,
        ):
            yield from _held(match["office"], _years(match["a"], match["b"]), match["n"], sentence, names)
            yield from _held_again(match, sentence, names)
        for match in re.finditer(
            r"\b(?:was|became|is) (?:the )?(?:(?:first|second|third|last|\d+(?:st|nd|rd|"
            r"th)) )?(?P<office>(?:King|Queen|Emperor|Empress|Tsar|Sultan|Caliph|Pope|President|Prime Minister|"
            r"Duke|Grand Duke|Grand Prince|Chancellor|Emir|Shah|Khan|Archbishop|Bishop|"
            r"Patriarch)(?: of (?:the )?[A-Z][\w']+(?: (?:and|of|the|[A-Z][\w']+))*|\b(?= from)))"
            rf",? from (?P<a>{_ERA}) (?:to|until) (?P<b>{_ERA})",
            sentence,
        ):
            yield from _held(match["office"], _years(match["a"], match["b"]), None, sentence, names)
            yield from _held_again(match, sentence, names)


_AGAIN = re.compile(
    rf"(?:, [^,.;]{{1,50}})?,? and (?:again )?from (?P<a>{_ERA}) (?:to|until) (?P<b>{_ERA})(?! ?(?:as|BC)\b)"
)


def _held_again(term: re.Match[str], sentence: str, names: Names) -> Iterator[Fact]:
    """A second term after one that has its years: "from 1940 to 1945, during the war, and again from 1951 to 1955"."""
    again = _AGAIN.match(sentence, term.end()) if term["a"] else None
    if again is not None:
        yield from _held(term["office"], _years(again["a"], again["b"]), None, sentence, names)


_RULERS = re.compile(
    r"^(?:[\w-]+ ){0,3}?(?P<r>King of Kings|King|Queen|Emperor|Empress|Tsar|Tsarina|Pharaoh|Sultan|Caliph|Shah|"
    r"Shahanshah|Khan|Emir|Grand Prince|"
    r"Grand Duke|Monarch|monarch|emperor|empress|caliph|pharaoh|king|queen|sultan)\b(?! of Arts)"
)
_POLITICIANS = re.compile(
    r"\b(?:President|Prime Minister|Chancellor|Premier) of (?:the )?(?P<c>[A-Z][\w' ]*?)(?= from| since| and|,| \(|$)"
)


def _ruler(article: Article, names: Names) -> Iterator[Fact]:
    """A king is a monarch, a president or prime minister a politician and a citizen of the country."""
    description = article.description
    if _RULERS.match(description) and not re.search(r"\b(?:wife|consort|of kings?|legendary|Queen of)\b", description):
        yield Fact("P106", names.titled("Monarch", "monarch"), description)
    head = _POLITICIANS.search(description)
    if head:
        yield Fact("P106", names.titled("Politician", "politician"), description)
        country = names.country(head["c"])
        if country is not None:
            yield Fact("P27", country.entity, description)
    is_woman = len(re.findall(r"\b[Ss]he\b", article.extract)) > len(re.findall(r"\b[Hh]e\b", article.extract))
    for sentence in sentences(article.extract):
        death = re.search(
            (
                rf"\b(?:until|till) {'her' if is_woman else 'his'} (?:own )?(?:death|assassination|execution|"
                r"murder) in (?P<y>\d{3,4})\b(?! ?BC)"
            ),
            sentence,
        )
        if death and _is_said_of(article, sentence[: death.start()]):
            yield from dated("P570", read_when(death["y"]), sentence)
        house = re.search(r"\b(?:of|from|member of) the (?P<h>(?:House of [A-Z]\w+|[A-Z][\w-]+ dynasty))\b", sentence)
        if (
            house
            and sentence == article.first_sentence
            and re.search(
                r"\b(?:[Ee]mperor|[Ee]mpress|[Kk]ing|[Qq]ueen|[Ss]ultan|[Rr]uler|[Kk]han|[Pp]rince|[Ss]hah|[Pp]haraoh|"
                r"[Cc]aliph|[Mm]ember|[Mm]onarch|[Dd]uke)s?\b",
                sentence[: house.start()],
            )
            and not re.search(
                r"\b(?:overthr\w+|founder|end|against|fall|conquer\w*|destroy\w*)\b", sentence[: house.start()]
            )
        ):
            yield Fact("P53", names.entity(house["h"]), sentence)


def _years(first: str | None, last: str | None) -> Qualifiers:
    if not first or not last:
        return ()
    span = read_span(f"{first} – {last}")
    return during(*span) if span else ()


def _office(part: str, description: str, names: Names) -> Iterator[Fact]:
    term = _TERM.match(part)
    bracket = re.match(r"^(?P<office>[^()]+?) \((?:r\. |ruled |reigned )?(?P<terms>[^()]*)\)$", part)
    spans = [span for piece in re.split(r"[;,]\s*", bracket["terms"]) if (span := read_span(piece))] if bracket else []
    if bracket and spans and re.search(r"[;,]|since|present", bracket["terms"]) and _is_office(bracket["office"]):
        for span in spans:
            yield from _held(bracket["office"], during(*span), None, description, names)
    elif term:
        office = term["office"]
        if term["c"]:
            start = read_when(term["c"])
            yield from _held(office, during(start, None), None, description, names)
            return
        yield from _held(office, _years(term["a"], term["b"]), None, description, names)
        more = re.match(rf" and (?:from )?(?P<a>{_ERA}) to (?P<b>{_ERA})", term["rest"])
        if more:
            yield from _held(office, _years(more["a"], more["b"]), None, description, names)
    elif bracket and re.search(r"\((?:r\.|ruled|reigned)", part) and (span := read_span(bracket["terms"])):
        yield from _held(bracket["office"], during(*span), None, description, names)


_OFFICE_NAME = re.compile(
    rf"(?P<rank>(?:Roman |Holy Roman |Byzantine |Mughal |Gupta |Kushan |Latin |Carolingian |Rashidun |Umayyad |"
    rf"Abbasid |"
    rf"Ottoman |Ghurid |Zulu |Shia |Western Roman |UN |U\.S\. |Habsburg |Mamluk |Chera |Chola |Vice |Acting |Deputy )?"
    rf"(?:{_OFFICE}|emperor|empress|caliph|president|sultan|king|queen|monarch|prime minister|pharaoh|vice president|"
    rf"chancellor|governor|mayor|pope|premier|secretary-general|secretary of state|secretary of the treasury|ruler|"
    rf"deputy prime minister))(?: of (?P<places>.+))?"
)


def _held(office: str, qualifiers: Qualifiers, ordinal: str | None, sentence: str, names: Names) -> Iterator[Fact]:
    office = re.sub(
        r"^(?:(?:\d+(?:st|nd|rd|th)|first|last|second|third|final|founding|Final|First|Last|Second|\w+th) )",
        "",
        office.strip(" ,"),
    )
    office = re.sub(
        r"^.*, (?=[A-Za-z. ]*(?:emperor|president|prime minister|king|President|Prime Minister)$)", "", office
    )
    match = _OFFICE_NAME.fullmatch(office)
    if match is None:
        return
    rank, places = match["rank"], match["places"]
    if rank == "Head" and places == "the Catholic Church":
        rank, places = "Pope", None
    if (
        rank
        in {"Leader", "Ruler", "ruler", "Dictator", "Head", "monarch", "Monarch", "Military ruler", "Military dictator"}
        and not places
    ):
        return
    rank = rank[:1].upper() + rank[1:]
    rank = re.sub(
        r"\b(?:emperor|caliph|president|sultan|king|queen|minister|pharaoh|monarch|secretary)\b",
        lambda m: m[0].capitalize() if places else m[0],
        rank,
    )
    extra: Qualifiers = (*(((("P1545"), english(ordinal)),) if ordinal else ()), *qualifiers)
    for place in _realms(places) if places else (None,):
        label = f"{rank} of {re.sub(r' (?:and|or)$', '', place)}" if place else rank
        label = {"U.S. president": "President of the United States"}.get(label, label)
        found = names.article(label)
        yield Fact("P39", found.entity if found else Entity(id=local_id(label), label=label), sentence, None, extra)


def _realms(places: str) -> list[str]:
    """ "England, Scotland and Ireland" as three; "the Sasanian Empire", "Great Britain" and "DR Congo" as one."""
    places = places.strip(" .,")
    parts = [part.strip() for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", places)]
    if (
        all(re.match(r"(?:the )?[A-ZÀ-Þ]", part) for part in parts)
        and "Trinidad" not in places
        and "Bosnia" not in places
    ):
        return parts
    return [places] if re.match(r"(?:the )?[A-ZÀ-Þ]", places) else []


# --- honours, memberships, family, convictions -----------------------------------------------------------------------

_AWARD = re.compile(
    r"(?<!nominated for )(?:(?:was |were |been )?(?:awarded|(?:jointly |later |posthumously )?received|won|"
    r"earned|shared|recipient of|winner of|laureate of|receiving|winning|earning|garnered)) "
    r"(?:with [\w .]+? )?(?:him |her |both |two |three |the |a |an |his |her |joint |first |"
    r"\w+ of the )*(?P<y1>\d{4} )?(?P<award>Nobel (?:Memorial )?(?:Peace )?Prizes?(?: (?:in|"
    r"for) [A-Z]\w+(?: or [A-Z]\w+| Sciences)?)?|"
    r"Fields Medal|Turing Award|Pulitzer Prize(?: (?:in|for) [A-Z]\w+)?|Booker Prize|"
    r"Presidential Medal of Freedom|Bharat Ratna|Copley Medal|Pritzker (?:Architecture )?Prize|"
    r"Kyoto Prize|Wolf Prize(?: in [A-Z]\w+)?|Abel Prize|Lenin Peace Prize|Stalin Prize|Order of Lenin|"
    r"Medal of Honor|Kluge Prize|Templeton Prize|Jerusalem Prize|Neustadt International Prize for Literature|"
    r"Miguel de Cervantes Prize|Cervantes Prize|National Medal of (?:Arts|Science)|"
    r"Victoria Cross|Légion d'honneur|Legion of Honour|Goethe Prize|Prix Goncourt|Franz Kafka Prize|"
    r"Ramon Magsaysay Award|Ballon d'Or|Hugo Award|Palme d'Or|Golden Lion|Polar Music Prize|"
    r"Kennedy Center Honors)"
    r"(?:,? (?:in|for) (?P<y2>\d{4}))?"
)


def _honours(sentence: str, names: Names) -> Iterator[Fact]:
    for match in _AWARD.finditer(sentence):
        award = match["award"]
        award = re.sub(r"Prizes", "Prize", award)
        if re.search(
            r"\b(?:nominat\w+|never|not|declin\w+|refus\w+|reject\w+|students?|would|could|his work, \w+)\b[^,;]*$",
            sentence[: match.start()],
        ):
            continue
        if not re.search(r" for (?:Fiction|Drama|Poetry|History|Biography|Literature|Music|Physics)$", award):
            award = award.split(" for ")[0]  # "Pulitzer Prize for Beloved": for what work
        year = (match["y1"] or match["y2"] or "").strip()
        qualifiers: Qualifiers = (("P585", Time(value=f"{year}-01-01", precision=9)),) if year else ()
        yield Fact("P166", names.entity(award), sentence, None, qualifiers)


_PARTY = (
    r"[A-Z][\w'’-]+(?: (?:of|the|and|for|[A-Z][\w'’-]+))* (?:Party|League|"
    r"Congress)(?: of (?:the )?[A-Z][\w']+(?: [A-Z][\w']+)*)?(?=[\s,.;(]|$)"
)


def _memberships(sentence: str, names: Names) -> Iterator[Fact]:
    for match in re.finditer(
        rf"\b(?:[Aa] |lifelong |leading |prominent |active |founding |an? early )*member of the (?P<p>{_PARTY})",
        sentence,
    ):
        if re.search(r"\bnot a?\s*$|\bnever (?:been )?a?\s*$|first Catholic\s*$", sentence[: match.start()]):
            continue
        party = re.sub(
            r"^(?:Politburo|Presidium|Central Committee)(?: of the Central Committee)? of the ", "", match["p"]
        )
        yield Fact("P102", names.entity(party), sentence)
    for match in re.finditer(
        (
            r"\b(?:[Aa] |founding |original |leading |prominent |early |key |elected |"
            r"foreign )*member of (?:the )?(?P<g>(?:(?:rock |pop |English |American |Irish )*(?:band |"
            r"group ))?(?P<n>[A-Z][\w'’-]+(?: (?:of|the|and|for|[A-Z][\w'’-]+))*))"
        ),
        sentence,
    ):
        behind = sentence[match.end() :]
        if re.match(r" (?:dynasty|family|people|royal|tribe|clan|al-|house|line|nobility|school)|-|–", behind):
            continue  # no organization
        name = re.split(r" and (?:the|a|an|was|one|[A-Z])| for ", match["n"])[0]
        name = re.sub(r" (?:of|the|and|for)(?: (?:Roman|French|German|English))?$", "", name)
        name += (re.match(r" (?:française|party|movement|club|trio|triumvirate)\b", behind) or [""])[0]
        if re.search(
            (
                r"\b(?:Party|Congress|League|House|Parliament|Senate|Church|Assembly|Catholic|Council|Cabinet|"
                r"Knesset|Duma|family|Dynasty|dynasty|Commons|Lords|Convention|Order of|Hall of Fame)\b"
            ),
            name,
        ):
            continue
        if re.search(r"\bnot a?\s*$|\bonly\s*$|\bevery\s*$", sentence[: match.start()]) or not re.match(
            r"(?:^|.*\b(?:He|She|was|is|became|and|an?|also|the)\b\s*)$", sentence[: match.start()][-40:]
        ):
            continue
        if name not in {"School", "Society", "Academy"}:
            yield Fact("P463", names.entity(name), sentence)


_KIN = {
    "wife": ("P26", "subject"),
    "husband": ("P26", "subject"),
    "consort": ("P26", "subject"),
    "daughter": ("child", "child"),
    "son": ("child", "child"),
    "father": ("P40", "subject"),
    "mother": ("P40", "subject"),
    "brother": ("P3373", "subject"),
    "sister": ("P3373", "subject"),
}


def _family(article: Article, names: Names) -> Iterator[Fact]:
    person = (
        r"(?P<n>(?:King |Queen |Emperor |Sultan |Prince |Empress |President )?[A-ZÀ-Þ][\w'’.-]+(?: (?:the|of|de|"
        r"von|van|al-\w+|ibn|[IVX]+|[A-ZÀ-Þ][\w'’.-]+))*)"
    )
    texts = [(article.description, rf"^(?:[\w-]+ )*?(?P<k>{'|'.join(_KIN)}) of {person}")]
    for sentence in sentences(article.extract)[:4]:
        texts.append(
            (
                sentence,
                (
                    rf"\b(?:[Hh]e|[Ss]he|{re.escape(article.label.split()[0])}[\w ]*) (?:was|"
                    rf"is) (?:also )?the (?:\w+ |and )*?(?P<k>{'|'.join(_KIN)}) of (?:the )?(?:\w+ )??{person}"
                ),
            )
        )
        texts.append((sentence, rf"^(?:The )?(?:[\w-]+ )?(?P<k>son|daughter) of {person}, (?:he|she)\b"))
    for text, pattern in texts:
        for match in re.finditer(pattern, text):
            other = names.article(match["n"]) or names.article(
                re.sub(r"^(?:King|Queen|Emperor|Sultan|Prince|Empress|President) ", "", match["n"])
            )
            if other is None or other.title == article.title or other.is_common or not is_person(other):
                continue
            relation, _ = _KIN[match["k"]]
            if relation == "child":
                yield Fact("P40", article.entity, text, other.entity)
            else:
                yield Fact(relation, other.entity, text)
            if relation == "P26":
                yield Fact("P26", article.entity, text, other.entity)


def _convictions(article: Article, names: Names) -> Iterator[Fact]:
    """Religion and movement, as the description and the first sentence name them before the occupation."""
    for text in (_BRACKET_AT_END.sub("", article.description), _complement(article.first_sentence) or ""):
        source = article.description if text and article.description.startswith(text) else article.first_sentence
        lead = re.split(r"\b(?:of|who|from|in|for|to|against)\b", text)[0]
        for word, religion in lexicon()["religions"].items():
            if re.search(
                rf"(?<![\w-]){re.escape(word)}(?= (?:\w+ )?(?:theologian|philosopher|monk|priest|saint|bishop|"
                rf"scholar|mystic|friar|"
                r"nun|missionary|preacher|scholar|imam|cleric|poet|apologist|sage|teacher|clergyman|pastor|"
                r"minister|reformer|guru|writer|leader|general|martyr|deacon|abbot)\b)",
                lead,
            ):
                yield Fact("P140", names.titled(religion), source)
        for word, movement in lexicon()["movements"].items():
            if re.search(
                rf"(?<![\w-]){re.escape(word)}(?= (?:\w+ )?(?:painter|artist|poet|philosopher|composer|writer|"
                rf"sculptor|architect|"
                r"novelist|theorist|author|activist|thinker|playwright|printmaker)\b)",
                lead,
            ):
                yield Fact("P135", names.titled(movement), source)
    century = find_century(article.description)
    if century is not None:
        yield Fact("P1317", century.time, article.description, None, circumstances(century))
