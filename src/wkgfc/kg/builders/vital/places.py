"""Facts about places: what kind, where, capital of what, what borders it, how large, how many live there.

The one-line description has a grammar of its own ("Capital and largest city of Norway", "River in Central Asia",
"City in Bavaria, Germany"); the sentences add numbers with units, neighbours and founding.
"""

import re
from collections.abc import Iterator

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article, sentences
from wkgfc.kg.builders.vital.dates import read_when
from wkgfc.kg.builders.vital.facts import Fact, dated
from wkgfc.kg.builders.vital.measures import measure_facts
from wkgfc.kg.builders.vital.names import Names, lexicon, singular_phrase
from wkgfc.kg.builders.vital.people import is_person
from wkgfc.kg.builders.vital.where import DIVISION, WATER, is_land, is_water, water_named, where_is

_PLACE_KINDS = (
    "city|town|village|capital|metropolis|municipality|commune|borough|settlement|port|country|nation|state|"
    "republic|province|region|subregion|"
    "territory|department|county|prefecture|district|island|islands|archipelago|peninsula|continent|river|lake|"
    "sea|ocean|bay|gulf|"
    "strait|channel|canal|mountain|mountains|range|volcano|stratovolcano|peak|plateau|desert|basin|valley|"
    "plain|plains|forest|rainforest|park|waterfall|"
    "waterfalls|falls|glacier|reef|delta|steppe|savanna|fjord|cape|headland|isthmus|trench|ridge|reservoir|"
    "wetland|swamp|lagoon|canyon|"
    "massif|monolith|caldera|microstate|dependency|kingdom|principality|emirate|exclave|enclave|highlands|coast|"
    "tributary|body of water|waterway|community|division|subdivision|area|community|castle|palace|temple|"
    "church|cathedral|mosque|"
    "building|skyscraper|tower|bridge|dam|museum|library|university|stadium|monument|statue|landmark|fort|"
    "fortress|pyramid|"
    "mausoleum|monastery|tunnel|railway|airport|wall|theatre|amphitheatre|amphitheater|basilica|chapel|complex|"
    "sculpture|site|ruins|shrine|citadel|observatory|college|school|institute|hospital|zoo|garden|cemetery|"
    "street|square|avenue|boulevard|gallery|opera house|concert hall|station|necropolis|ziggurat|residence|"
    "arena"
)
_KIND = re.compile(rf"\b(?P<k>{_PLACE_KINDS})\b", re.IGNORECASE)
_LIST = re.compile(r",\s*(?:and\s+)?|\s+and\s+")


def is_place(article: Article) -> bool:
    """Whether the article is about one place on a planet, natural or made."""
    if article.is_common or not article.description:
        return False
    if article.topic == "Geography":
        return True
    if article.topic not in {
        "Uncategorized",
        "History",
        "Arts",
        "Technology",
        "Philosophy and religion",
        "Society and social sciences",
    }:
        return False
    head = re.split(r"\b(?:in|of|on|between|near|at|along)\b|[,;(]", article.description)[0].strip()
    head = re.sub(r"\s+(?:primarily|mostly|largely|mainly|partly|located|situated)$", "", head)
    kind = re.search(rf"\b(?:{_PLACE_KINDS})$", head, re.IGNORECASE)
    if kind is None or kind[0].lower() in {
        "division",
        "subdivision",
        "theatre",
        "channel",
        "railway",
        "area",
        "falls",
        "port",
    }:
        return False
    if re.search(r"\b(?:based|denomination|war|conflict)\b", article.description):
        return False
    return bool(re.search(r"\b(?:in|of|on|between|near|at|along) (?:[\w-]+ )*?(?:the )?[A-Z]", article.description))


def place_facts(article: Article, names: Names) -> Iterator[Fact]:
    """All that the rules read about a place."""
    yield from _description(article, names)
    first = article.first_sentence
    yield from location_in_sentence(article, first, names)
    for sentence in sentences(article.extract):
        yield from _capital(article, sentence, names)
        yield from measure_facts(article, sentence)
        yield from _neighbours(article, sentence, names)
        yield from _waters(article, sentence, names)
        yield from _languages(article, sentence, names)
        yield from _founding(article, sentence, names)


def _description(article: Article, names: Names) -> Iterator[Fact]:
    description = re.sub(r"\s*\([^()]*\)", "", article.description)
    for clause in re.split(r";\s*", description):
        yield from _clause(article, clause, names)


def _clause(article: Article, clause: str, names: Names) -> Iterator[Fact]:
    source = article.description
    capital = re.match(
        r"(?:The )?(?P<head>(?:[\w-]+ )*?[Cc]apital(?: city)?(?:,? and (?:the )?(?:the "
        r")?(?:most populous|largest|second-largest|main|\w+) (?:city|municipality))?|"
        r"(?:Most populous|Largest|Second-largest|Second most populous) city|Capital|Administrative center|"
        r"Administrative centre|Seat) (?:of|in) (?P<of>.+)$",
        clause,
    )
    if capital and re.search(r"[Cc]apital|center|centre|[Ss]eat", capital["head"]):
        places = _places(capital["of"])
        if places:
            whole = names.entity(places[0])
            if not re.search(
                r"\b(?:seat|temporary|former|ancient|historical|ceremonial|cultural|economic|commercial|financial)\b",
                capital["head"],
                re.IGNORECASE,
            ):
                yield Fact("P1376", whole, source)
                yield Fact("P36", article.entity, source, whole)
            yield from _within(article, places, source, names)
        yield Fact("P31", names.titled("Capital city", "capital city"), source)
        if re.search(r"\bcity\b|[Cc]apital", capital["head"]):
            yield Fact("P31", names.titled("City", "city"), source)
        return
    located = re.match(r"(?P<kind>.+?) (?P<p>in|of|on|off|between|from) (?P<where>(?:the )?[\w -]*?[A-Z].*)$", clause)
    kind = located["kind"] if located else clause
    for part in re.split(r"\s*,\s*(?:and )?|\s+and\s+|\s*&\s*", kind):
        yield from _kind(part.strip(), source, names)
    if located is None or re.search(
        r"\b(?:north|south|east|west|outside|north\w+|south\w+|middle|\w+ern side|edge)$", kind
    ):
        yield from _adjective_country(article, clause, names)
        return
    yield from _adjective_country(article, located["kind"], names)
    where = re.split(
        (
            r"\b(?:consisting|including|comprising|known|built|used|that|which|between|with|and the most|"
            r"and largest|located|situated|famous|connecting|linking|halfway|bordering|named|near|overlooking|"
            r"dedicated|completed|from)\b"
        ),
        located["where"],
    )[0].strip(" ,")
    if located["p"] in {"in", "of", "from"}:
        yield from _within(article, _places(where), source, names)
    elif located["p"] == "on":
        yield from _on(where, source, names)


def _kind(phrase: str, source: str, names: Names) -> Iterator[Fact]:
    """The kind of place as a phrase, and the more general kind that it ends in."""
    phrase = re.sub(r"^(?:The |A |An )", "", phrase)
    phrase = re.sub(
        r"^(?:(?:[Ll]argest|[Ss]econd-largest|[Mm]ajor|[Mm]ain|[Mm]ost populous|[Ll]arge|[Ss]mall|[Vv]ast|"
        r"[Ff]amous|[Dd]eep|[Nn]arrow|[Hh]igh|[Tt]all|"
        r"[Oo]ne|U\.S\.|US|\d+(?:st|nd|rd|th)-century|\d{4}|[Mm]odern|[Ff]ormer|[Ll]ater|[Hh]ighly|[Ss]econd|"
        r"[Ff]lat|[Oo]pen|[Mm]ostly|[Ll]ong|[Cc]entral|[Ss]outhern|[Nn]orthern|[Ee]astern|[Ww]estern|"
        r"[Ee]asternmost|[Ww]esternmost|[Ss]outhernmost|[Nn]orthernmost|[Nn]ortheasternmost|[Cc]olossal|"
        r"[Ee]arly|[Bb]ronze|[Aa]ge)\s+)+",
        "",
        phrase,
    )
    words = phrase.split()
    while words and (
        words[0] in lexicon()["demonyms"]
        or (
            re.fullmatch(r"[A-Z][\w-]+(?:n|ish|ese|an|ic)", words[0])
            and len(words) > 1
            and words[0] in lexicon()["demonyms"]
        )
    ):
        words = words[1:]
    words = words[1:] if words and words[0].lower() in {"the", "a", "an"} else words
    phrase = " ".join(words)
    if not words or not _KIND.search(words[-1]) or "'s" in phrase or "’s" in phrase:
        return
    phrase = phrase[:1].lower() + phrase[1:] if not re.match(r"[A-Z]{2}|[A-Z][a-z]+ [A-Z]", phrase) else phrase
    forms = [phrase]
    if len(words) > 1:
        forms.append(words[-1].lower())
    for form in forms:
        if form in {"body", "area", "site", "division", "one", "complex", "coast"} or len(form) > 45:
            continue
        found = names.article(form)
        entity = found.entity if found is not None and found.is_common else None
        label = singular_phrase(form)
        yield Fact("P31", entity or Entity(id=local_id(label), label=label), source)


_DEMONYM = re.compile(r"(?P<a>U\.S\.|(?:South |North |New |Sri |Costa )?[A-Z][\w-]+)\b(?! Ocean)")


def _adjective_country(article: Article, kind: str, names: Names) -> Iterator[Fact]:
    words = re.match(r"(?:(?:\d{4}|[\w-]+-century|[A-Z]?[a-z-]+) )?(?P<rest>.*)", kind)
    # as it stands first: in "South African port city" the first word is no qualifier
    demonyms = (_DEMONYM.match(text) for text in (kind, words["rest"] if words else ""))
    country = next(
        (found for match in demonyms if match and (found := lexicon()["demonyms"].get(match["a"])) is not None), None
    )
    if country and country in names and country not in {"Ancient Rome", "Ancient Greece", "Ancient Egypt"}:
        yield Fact("P17", names.titled(country), article.description)


_KIND_OF_PLACE = re.compile(
    r"^(?:the )?(?:city|state|province|region|island|mountains|department|kingdom|county) of (?:the )?(?=[A-Z])"
)


def _places(text: str) -> list[str]:
    """The places that a description names, the smallest first: "Bavaria, Germany", "Denmark and Sweden"."""
    text = text.strip(" .,")
    found = []
    for part in re.split(r",\s+(?:and\s+)?|\s+and\s+|\s*&\s*", text):
        place = _KIND_OF_PLACE.sub("", part.strip())
        if re.match(r"(?:the )?(?:[\w-]+ )*?[A-ZÀ-ÞŌŠ]", place):
            found.append(place)
    return found


def _within(article: Article, places: list[str], source: str, names: Names) -> Iterator[Fact]:
    """Where a place is. A country is ``P17``, a continent ``P30``, a region ``P361``, what else ``P131``."""
    ends_in_country = len(places) > 1 and names.country(re.sub(r"^the ", "", places[-1])) is not None
    for place in places:
        yield from where_is(article, place, source, names, is_in_country=ends_in_country)


def _on(where: str, source: str, names: Names) -> Iterator[Fact]:
    if re.search(r"\b(?:River|Sea|Lake|Ocean|Gulf|Bay|coast)\b", where):
        match = re.search(
            (
                r"(?:the )?(?P<w>(?:River |Lake |Gulf of |Bay of )?[A-Z][\w'-]+(?: [A-Z][\w'-]+)*(?: (?:River|Sea|"
                r"Lake|Ocean|Gulf|Bay))?)"
            ),
            where,
        )
        water = water_named(match["w"], names) if match else None
        if water is not None:
            yield Fact("P206", water, source)


def location_in_sentence(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    """Where the sentence "X is a … in Y, Z" says that X is."""
    match = re.search(
        (
            r"\b(?:is|was|are|were) (?:an? |the |one of the )(?:[\w,'’ -]*?)\b(?:located |situated |"
            r"lying )?(?P<p>in|of) (?P<w>(?:the )?(?:[\w-]+ )*?[A-ZÀ-Þ][^.;()]*)"
        ),
        sentence,
    )
    if match is None:
        return
    text = re.split(
        (
            r"\b(?:that|which|with|whose|where|located|situated|on the|along|at|near|by|from|as|about|and the|"
            r"and is|and an?|is|it|covering|between|bordering|bounded|to the|for|consisting|known|comprising|"
            r"having|after|behind|one|lying|surrounded|since|encompassing|stretching)\b"
        ),
        match["w"],
    )[0]
    places = [place for place in _places(text) if not place.startswith(("its ", "their "))]
    for place in places[:4]:
        for fact in where_is(article, place, sentence, names):
            is_known = (
                getattr(fact.value, "label", "") in names or names.article(re.sub(r"^the ", "", place)) is not None
            )
            if fact.relation in {"P17", "P30"} or (is_known and fact.relation != "P276"):
                yield fact


def _capital(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    its = re.search(
        (
            rf"\b(?:[Ii]ts|[Tt]he|{re.escape(article.label)}['’]s) (?:national |state |provincial |administrative |"
            rf"nation['’]s |country['’]s )?capital(?: city)?(?:,? (?:and|and its) (?:largest|"
            rf"most populous) (?:city|municipality))?(?: is| was|,) (?:the city of )?(?P<c>[A-ZÀ-ÞŌ][\w'’.-]+(?: "
            rf"(?:de|of|da|la|[A-Z][\w'’.-]+))*)"
        ),
        sentence,
    )
    is_country = names.country(article.title) is not None
    of_another = its is not None and re.match(r".*\b(?:national|nation['’]s|country['’]s)\b", its[0]) and not is_country
    if its and not its["c"].startswith("The ") and not of_another:
        found = names.article(its["c"])
        is_place_name = found is None or (
            found.topic in {"Geography", "Uncategorized", "History"} and not found.is_common
        )
        if is_place_name and (found is None or found.title != article.title):
            yield Fact("P36", names.entity(its["c"]), sentence)
    of = re.search(
        (
            rf"^(?:{re.escape(article.label)}|It|The city)\b[^.;]*?\b(?:is|serves as) (?:both )?the (?:federal |"
            rf"administrative |state |provincial |national )?capital(?: city)?(?:,? and (?:the )?(?:\w+[- "
            rf"]){{0,4}}(?:city|municipality))? of (?:the )?(?:(?:[A-Z][a-z]+ )?(?:state|province|region|federal state|"
            rf"autonomous region|department|prefecture|canton|republic|country|island|county|district|Republic|"
            rf"Kingdom) of )?(?P<o>[A-ZÀ-ÞŌ][\w'’-]+(?: (?:of|and|the|[A-ZÀ-Þ][\w'’-]+))*)"
        ),
        sentence,
    )
    if of:
        target = re.split(r" and ", of["o"])[0]
        whole = names.article(target)
        is_place_name = (
            whole is not None and whole.title != article.title and whole.topic in {"Geography", "Uncategorized"}
        )
        if is_place_name or (whole is None and DIVISION.search(target)):
            of_what = whole.entity if whole is not None else names.entity(target)
            yield Fact("P1376", of_what, sentence)
            yield Fact("P36", article.entity, sentence, of_what)


_NAME = r"[A-ZÀ-ÞŌŠŚŻŽ][\w'’.-]+(?: (?:of|and the|the|[A-ZÀ-ÞŌŠŚŻŽ][\w'’.-]+))*"


def _neighbours(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    for match in re.finditer(
        (
            r"\b(?:[Bb]ordered (?:by|to)|[Bb]ounded (?:by|to|on)|[Bb]orders|shares (?:land |maritime |"
            r"its )?(?:land )?borders? with|[Bb]ordering|sharing (?:land )?borders with|is bordered|borders? (?:on|"
            r"with))\b(?P<rest>[^.]*)"
        ),
        sentence,
    ):
        subject = sentence[: match.start()]
        if re.search(r"\b(?:whose|which was|maritime)\b[^,]*$", subject) or "maritime" in match[0][:60]:
            continue
        rest = re.split(
            (
                r"\b(?:It|capital|covers|covering|population|maritime|coast|while|whose|which|with an?|has|is|are|"
                r"including|and covers|and has|and is|shares|sharing|separated|across)\b"
            ),
            match["rest"],
        )[0]
        for name in re.findall(_NAME, rest):
            for piece in re.split(r",| and the | and ", name):
                other = names.article(re.sub(r"^[Tt]he ", "", piece.strip()))
                if other is None or other.title == article.title or other.topic not in {"Geography", "Uncategorized"}:
                    continue
                if is_water(other):
                    if is_land(article):
                        yield Fact("P206", other.entity, sentence)
                elif re.search(
                    (
                        r"\b(?:[Cc]ountry|[Ss]tate|[Pp]rovince|[Rr]egion|[Tt]erritory|[Cc]ommunity|[Cc]ounty|"
                        r"[Dd]epartment)\b"
                    ),
                    other.description,
                ) and re.search(
                    (
                        r"\b(?:[Cc]ountry|[Ss]tate|[Pp]rovince|[Rr]egion|[Tt]erritory|[Cc]ommunity|[Rr]epublic|"
                        r"[Mm]icrostate)\b"
                    ),
                    article.description,
                ):
                    yield Fact("P47", other.entity, sentence)


def _waters(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    coast = _COAST.search(sentence)
    water = water_named(coast["w"], names) if coast else None
    if water is not None and sentence == article.first_sentence and is_land(article):
        yield Fact("P206", water, sentence)
    on = re.search(
        (
            rf"\b(?:on|along|at) the (?:\w+ )?(?:banks?|shores?|shore|estuary|mouth|right bank|left bank|"
            rf"eastern bank|western bank|coast) of (?:the )?(?P<w>(?:River |Lake |Gulf of |Bay of )?{_NAME})|"
            rf"\b(?:located|situated|lies|stands) on (?:the )?(?P<v>(?:River |Lake )?{_NAME} (?:River|Sea|Ocean|"
            rf"Lake)|River {_NAME}|Lake {_NAME})"
        ),
        sentence,
    )
    if on and is_land(article) and not re.search(r"\b(?:[Rr]iver|[Ll]ake|[Cc]ountry)\b", article.description):
        shore = names.article(on["w"] or on["v"])
        if shore is not None and is_water(shore):
            yield Fact("P206", shore.entity, sentence)
    if re.search(r"\b[Rr]iver\b|[Tt]ributary", article.description):
        mouth = re.search(
            (
                rf"\b(?:empt(?:ies|ying)|flow(?:s|ing)|drain(?:s|ing)|discharg(?:es|ing)|"
                rf"debouch\w+)(?: [\w-]+){{0,5}}? into (?:the )?(?P<w>(?:Lake |Gulf of |Bay of )?{_NAME})"
            ),
            sentence,
        )
        if (
            mouth
            and (lake := names.article(re.split(r" and | at | near ", mouth["w"])[0])) is not None
            and lake.title != article.title
            and WATER.search(lake.description + " " + lake.label)
        ):
            yield Fact("P403", lake.entity, sentence)
        tributary = re.search(
            rf"\btributary of (?:the )?(?P<w>{_NAME})",
            sentence if re.match(rf"(?:The )?{re.escape(article.label)}\b|It\b", sentence) else "",
        )
        if tributary and (river := names.article(tributary["w"])) is not None and river.title != article.title:
            yield Fact("P403", river.entity, sentence)
        through = re.search(
            r"\b(?:flow(?:s|ing)|runs|running|pass(?:es|ing)) (?:[\w-]+ )*?through (?P<p>[^.;]*)", sentence
        )
        if through:
            for name in re.findall(
                _NAME, re.split(r"\b(?:before|into|to|and then|from|until|where|which)\b", through["p"])[0]
            ):
                for piece in re.split(r",| and ", name):
                    country = names.country(re.sub(r"^the ", "", piece.strip()))
                    if country is not None:
                        yield Fact("P17", country.entity, sentence)


_COAST = re.compile(
    r"\b(?P<w>Atlantic|Pacific|Mediterranean|Caribbean|Baltic|Adriatic|Aegean|Black Sea|Red Sea|"
    r"Caspian)(?: Sea| Ocean)? (?:coast|coastline|shore)\b"
)


def _languages(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    match = re.search(
        (
            r"\b(?:[Ii]ts |[Tt]he |The country['’]s )?(?:sole |only )?official languages?(?: of [A-Z]\w+)? (?:is|"
            r"are) (?P<l>[A-Z][^.;]*)"
        ),
        sentence,
    )
    if match and re.search(r"\b(?:[Cc]ountry|[Ss]tate|[Tt]erritory|[Rr]epublic|[Rr]egion)\b", article.description):
        for part in _LIST.split(re.split(r"\b(?:which|while|with|but|although|spoken|is|are)\b", match["l"])[0]):
            found = names.article(f"{part.strip()} language") or names.article(part)
            if (
                part.strip()
                and found is not None
                and re.search(r"language|Language|script", found.title + found.description)
            ):
                yield Fact("P37", found.entity, sentence)


def _founding(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    match = re.search(
        (
            rf"^(?:{re.escape(article.label)}|It|The (?:city|town|university|museum|settlement|building|country|"
            rf"park|library|bridge|temple|church|palace|tower|college|institution|"
            rf"fort))\b(?P<pre>[^.;]{{0,40}}?)\b(?:was|were) (?:first |originally |officially |"
            rf"formally )?(?P<v>founded|established|built|constructed|completed|opened|inaugurated|"
            rf"erected)\b(?P<rest>[^.;]*)"
        ),
        sentence,
    )
    if match is None or re.search(r"\b(?:not|if|before|after|until)\b", match["pre"]):
        return
    verb, rest = match["v"], match["rest"]
    when = re.search(
        (
            r"^[^,]{0,60}?\b(?:in|on) (?P<w>(?:the year )?(?:AD )?(?:\d{1,2} [A-Z]\w+ |"
            r"[A-Z]\w+ (?:\d{1,2}, )?)?\d{3,4}(?! (?:metres|m|feet))(?:\s?BCE?)?)\b"
        ),
        rest,
    )
    if when:
        relation = "P1619" if verb in {"opened", "inaugurated"} else "P571"
        yield from dated(relation, read_when(when["w"]), sentence)
    by = re.search(rf"^[^,]{{0,50}}?\bby (?:the )?(?:[a-z-]+ ){{0,3}}(?P<n>{_NAME})", rest)
    if by and verb in {"founded", "established"}:
        founder = names.article(re.sub(r"^(?:King|Queen|Emperor|Sultan|Pope|Caliph) ", "", by["n"])) or names.article(
            by["n"]
        )
        if founder is not None and is_person(founder):
            yield Fact("P112", founder.entity, sentence)
