"""Facts about events, periods and former states: when, where, between whom, part of what."""

import re
from collections.abc import Iterator

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article, sentences
from wkgfc.kg.builders.vital.dates import find_date, read_span, read_when, read_year
from wkgfc.kg.builders.vital.facts import Fact, dated
from wkgfc.kg.builders.vital.names import Names, lexicon
from wkgfc.kg.builders.vital.places import location_in_sentence
from wkgfc.kg.builders.vital.where import where_is

_EVENT = (
    r"wars?|battle|conflicts?|revolution|rebellion|revolt|uprising|invasion|conquest|campaign|genocide|famine|"
    r"crisis|treaty|massacre|attacks?|earthquake|pandemic|"
    r"epidemic|conference|congress|meeting|expedition|partition|coup|crusades?|civil war|siege|disaster|"
    r"accident|plague|protests?|strike|riots?|massacres|war of independence|"
    r"election|assassination|eruption|confrontation|rivalry|persecution|cyclone|embargo|scandal|crash|"
    r"demonstrations|unrest|movement|depression|murder|overthrow|collapse|program|theatre|theater|operation"
)
_STATE = (
    r"empire|kingdom|dynasty|caliphate|state|republic|khanate|sultanate|civili[sz]ation|confederation|duchy|"
    r"principality|city-state|monarchy|commonwealth|union|federation|emirate|polity|country|culture|colony|tsardom|"
    r"shogunate"
)
_PERIOD = r"period|era|age|epoch|years|time"


def event_kind(article: Article) -> str | None:
    """What of this file's subjects the article is about: ``event``, ``state``, ``period``, or none of them."""
    if article.is_common:
        return None
    description = re.sub(r"\s*\([^()]*\)", "", article.description)
    description = re.sub(r"^(?:Series|Set|Group|Wave|Period) of ", "", description)
    head = (
        re.split(
            (
                r"\b(?:in|of|on|between|by|from|that|which|at|during|against|after|for|centred|based|over|to|with|"
                r"led)\b|[,;]"
            ),
            description,
        )[0]
        .strip()
        .lower()
    )
    if article.topic not in {
        "History",
        "Uncategorized",
        "Society and social sciences",
        "Physical sciences",
        "Philosophy and religion",
    }:
        return None
    if re.search(rf"\b(?:{_EVENT})$", head) and (
        re.search(r"\d", article.description)
        or article.topic == "History"
        or re.search(r"\b(?:19|18|17|20)\d\d\b", article.first_sentence)
    ):
        return "event"
    if article.topic == "History":
        if re.search(rf"\b(?:{_STATE})$", head):
            return "state"
        if re.search(rf"\b(?:{_PERIOD})$", head):
            return "period"
    return None


def event_facts(article: Article, names: Names) -> Iterator[Fact]:
    """All that the rules read about an event, a former state or a period."""
    kind = event_kind(article)
    start_relation, end_relation = ("P571", "P576") if kind == "state" else ("P580", "P582")
    yield from _kind(article, names)
    yield from _span(article, kind, start_relation, end_relation)
    yield from _place(article, kind, names)
    yield from _of_a_war(article, names)
    for fact in location_in_sentence(article, article.first_sentence, names):
        if fact.relation in {"P17", "P30"}:
            yield fact
    yield from _sides(article, article.description, 0, kind, names)
    for number, sentence in enumerate(sentences(article.extract)[:5]):
        yield from _dates(article, sentence, number, kind, start_relation, end_relation)
        yield from _sides(article, sentence, number, kind, names)
        if kind == "state":
            yield from _state(article, sentence, names)


def _kind(article: Article, names: Names) -> Iterator[Fact]:
    description = re.sub(r"\s*\([^()]*\)", "", article.description)
    description = re.sub(r"^(?:Series|Set|Group|Wave|Period) of ", "", description)
    head = re.split(
        (
            r"\b(?:in|of|on|between|by|from|that|which|at|during|against|after|for|centred|based|over|to|with|led|"
            r"given)\b|[,;]"
        ),
        description,
    )[0].strip()
    words = [
        word
        for word in head.split()
        if not re.fullmatch(
            (
                r"(?:c\.|[\d–-]+|\d+s?(?:–\d+s?)?|\d+(?:st|nd|rd|th)(?:-\w+)?|Early|Late|Former|Last|Ancient|Major|"
                r"First|Second|Third|Fourth|BC|AD|BCE|CE|\w+teenth)"
            ),
            word,
        )
    ]
    while words and (
        words[0] in lexicon()["demonyms"]
        or words[0] in lexicon()["peoples"]
        or re.fullmatch(r"[A-Z][\w-]+-led", words[0])
    ):
        if (
            (country := lexicon()["demonyms"].get(words[0]))
            and country in names
            and country not in {"Ancient Rome", "Ancient Greece"}
            and not re.search(r"-led$", words[0])
        ):
            yield Fact("P17", names.titled(country), article.description)
        words = words[1:]
    if not words or not re.search(rf"\b(?:{_EVENT}|{_STATE}|{_PERIOD})$", words[-1].lower()):
        return
    phrase = " ".join(words)
    phrase = phrase if re.match(r"[A-Z][a-z]+ [A-Z]", phrase) else phrase[:1].lower() + phrase[1:]
    for form in dict.fromkeys((phrase, words[-1].lower())):
        if (
            form in {"state", "time", "years", "movement", "country", "program", "union"}
            or not form.islower()
            or len(form) > 40
        ):
            continue
        found = names.article(form)
        label = re.sub(r"s$", "", form) if re.search(r"(?:wars|conflicts|crusades|protests|attacks)$", form) else form
        yield Fact(
            "P31",
            found.entity if found is not None and found.is_common else Entity(id=local_id(label), label=label),
            article.description,
        )


def _span(article: Article, kind: str | None, start_relation: str, end_relation: str) -> Iterator[Fact]:
    description = article.description
    text = None
    bracket = re.search(r"\(([^()]*\d[^()]*)\)\s*$", description)
    era = r"(?: (?:BC|BCE|AD|CE))?"
    years = re.match(rf"(?:The )?(?P<y>(?:c\. )?\d{{1,4}}{era}\s*[–-]\s*(?:c\. )?\d{{1,4}}{era})\b(?!-)", description)
    between = re.search(
        (
            r"\b(?:from|between) (?P<a>(?:c\. |AD )?\d{2,4}(?: (?:BC|BCE))?) (?:to|and|until) (?P<b>(?:c\. |"
            r"AD )?\d{2,4}(?: (?:BC|BCE|AD|CE))?)"
        ),
        description,
    )
    at_end = re.search(r",? (?P<y>(?:c\. )?\d{3,4}(?: BC)?\s*[–-]\s*\d{2,4}(?: (?:BC|BCE|AD|CE))?)$", description)
    if bracket:
        text = bracket[1]
    elif years:
        text = years["y"]
    elif between:
        text = f"{between['a']} – {between['b']}"
    elif at_end:
        text = at_end["y"]
    span = read_span(text) if text else None
    if span is not None:
        yield from dated(start_relation, span[0], description)
        yield from dated(end_relation, span[1], description)
        return
    if kind == "event":
        year = re.match(r"(?:The )?(?P<y>\d{3,4}(?: BC)?)\b(?![–-])", description) or (
            bracket if bracket and re.fullmatch(r"\d{3,4}(?: BC)?", bracket[1]) else None
        )
        if year and (when := read_year(year[1])):
            yield from dated("P585", when, description)


def _place(article: Article, kind: str | None, names: Names) -> Iterator[Fact]:
    description = re.sub(r"\s*\([^()]*\)", "", article.description)
    match = re.search(r"\b(?P<p>in|of|on) (?P<w>(?:the )?(?:[\w-]+ )*?[A-ZÀ-Þ][^;]*)$", description)
    if match is None or (match["p"] == "of" and kind != "state"):
        return
    text = re.split(
        (
            r"\b(?:from|between|that|which|during|against|by|of|with|to|as|around|, \d|led|fought|\d{3,4}|based|"
            r"after|and the)\b"
        ),
        match["w"],
    )[0].strip(" ,")
    for place in re.split(r",\s+(?:and\s+)?|\s+and\s+", text):
        if re.match(r"(?:the )?(?:[\w-]+ )*?[A-ZÀ-Þ]", place) and not re.search(
            r"\b(?:Ages?|War|Wars|History|history|Europe's|century|Period|Empire's|Cold)\b", place
        ):
            for fact in where_is(article, place, article.description, names):
                if fact.relation == "P131" and names.article(re.sub(r"^the ", "", place)) is None and kind == "event":
                    continue
                if fact.relation == "P361":
                    yield Fact("P276", fact.value, fact.sentence)
                else:
                    yield Fact(
                        "P276" if fact.relation in {"P131", "P206"} else fact.relation, fact.value, fact.sentence
                    )
    war = re.search(
        (
            r"\b(?:of|in|during|within|part of) (?:the )?(?P<w>(?:[A-Z][\w–'-]+ )*?(?:(?:[\w-]+ )?War(?:s)?(?: "
            r"[IVX]+)?(?: of (?:the )?[A-Z]\w+(?: [A-Z]\w+)*)?|Crusades|Reconquista|Holocaust|Revolution))\b"
        ),
        description,
    )
    if war and (whole := names.article(war["w"])) is not None and whole.title != article.title:
        yield Fact("P361", whole.entity, article.description)


_DATE = (
    r"(?:\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|"
    r"December),? \d{3,4}|(?:January|February|March|April|May|June|July|August|September|October|November|"
    r"December)(?: \d{1,2},)? \d{3,4}|(?:AD )?\d{3,4}(?: (?:BCE|BC|AD|CE))?)"
)


def _of_a_war(article: Article, names: Names) -> Iterator[Fact]:
    match = re.search(
        r"\b(?P<w>World War I{1,2}|Cold War|Napoleonic Wars) (?:battle|campaign|conflict|operation|theatre)\b",
        article.description,
    )
    if match and (whole := names.article(match["w"])) is not None and whole.title != article.title:
        yield Fact("P361", whole.entity, article.description)


def _dates(
    article: Article, sentence: str, number: int, kind: str | None, start_relation: str, end_relation: str
) -> Iterator[Fact]:
    if number and not re.match(
        (
            rf"(?:It|The (?:war|battle|conflict|revolution|empire|kingdom|dynasty|genocide|rebellion|siege|period|"
            rf"state|famine|pandemic|treaty|crisis|uprising|caliphate|republic)|{re.escape(article.label)}|"
            rf"The {re.escape(article.label)})\b"
        ),
        sentence,
    ):
        return
    span = re.search(
        (
            rf"\b(?:from|between|lasted from|lasting from|fought from|existed from|ruled from|ruling from|spanning|"
            rf"took place from|took place between|occurred between) (?:about |around )?(?P<a>{_DATE}) (?:to|until|"
            rf"and|through|till) (?:about |around )?(?P<b>{_DATE})"
        ),
        sentence,
    )
    if (
        span
        and len(sentence[: span.start()]) < 200
        and not re.search(r"\b(?:which|who|whose|after|ruled by|by [A-Z]\w+)\b[^,]*$", sentence[: span.start()])
    ):
        both = read_span(f"{span['a']} – {span['b']}")  # "431 to 404 BC": the era is that of both
        start, end = both if both is not None else (read_when(span["a"]), read_when(span["b"]))
        yield from dated(start_relation, start, sentence)
        yield from dated(end_relation, end, sentence)
        return
    if kind == "event" and not number:
        on = re.search(rf"\b(?:on|fought on|took place on|occurred on|signed on|began on) (?P<d>{_DATE})", sentence)
        found = find_date(on["d"]) if on else None
        if on and found and len(sentence[: on.start()]) < 160:
            relation = "P580" if "began" in on[0] else "P585"
            yield from dated(relation, found[0], sentence)
    begun = re.search(
        (
            rf"\b(?P<v>began|started|begun|ended|concluded|was founded|was established|was formed|was dissolved|"
            rf"was abolished|collapsed|fell|broke out|was fought|took place|occurred|"
            rf"was signed)\b(?: \w+){{0,2}}? (?:in|on) (?P<d>{_DATE})(?P<more> (?:and|to|until) )?"
        ),
        sentence,
    )
    if (
        begun
        and len(sentence[: begun.start()]) < 90
        and not re.search(r"\b(?:who|which|when|after|before|until|whose|where)\b", sentence[: begun.start()])
    ):
        verb = begun["v"]
        when = read_when(begun["d"])
        if verb in {"ended", "concluded", "was dissolved", "was abolished", "collapsed", "fell"}:
            yield from dated(end_relation, when, sentence)
        elif verb in {"was fought", "took place", "occurred", "was signed"}:
            if kind == "event":
                yield from dated("P585", when, sentence)
        else:
            yield from dated(start_relation, when, sentence)


_NAME = r"(?:the )?[A-ZÀ-ÞŌŠ][\w'’.-]+(?: (?:of|the|and the|[A-ZÀ-ÞŌŠ][\w'’.-]+))*"


def _sides(article: Article, sentence: str, number: int, kind: str | None, names: Names) -> Iterator[Fact]:
    if (
        kind != "event"
        or number > 1
        or not re.search(
            r"\b(?:war|battle|conflict|Battle|War|siege|Siege|wars|campaign|conflicts|confrontation|rivalry|treaty)\b",
            article.description + article.label,
        )
    ):
        return
    for match in re.finditer(
        (
            rf"\b(?:between|fought by|waged by|waged between|fought between) (?:the governments of "
            rf")?(?P<a>{_NAME}(?:(?:, (?:and )?| and ){_NAME})*)"
        ),
        sentence,
    ):
        for part in re.split(r",\s*(?:and\s+)?|\s+and\s+(?=(?:the )?[A-Z])", match["a"]):
            found = names.article(part.strip())
            if found is None or found.is_common or found.title == article.title or re.search(r"\d", part):
                continue
            if found.topic in {"Geography", "History", "Uncategorized"} and not re.search(
                r"\b(?:[Cc]ontinent|war|period|[Rr]egion|[Rr]iver|[Ss]ea)\b", found.description
            ):
                yield Fact("P710", found.entity, sentence)
    war = re.search(
        (
            r"\b(?:(?:part|phase|theat(?:re|er)|campaign|battle|front|conflict|engagement) (?:of|in|during)|"
            r"during) (?:the )?(?P<w>(?:[A-Z][\w–'-]+ )*?(?:War(?:s)?(?: [IVX]+)?(?: of (?:the )?[A-Z]\w+(?: "
            r"[A-Z]\w+)*)?|Crusade|Revolution|Reconquista))\b"
        ),
        sentence,
    )
    if (
        not number
        and war
        and (whole := names.article(war["w"])) is not None
        and whole.title != article.title
        and len(sentence[: war.start()]) < 170
    ):
        yield Fact("P361", whole.entity, sentence)


def _state(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    capital = re.search(
        (
            r"\b(?:[Ii]ts capital(?: city)?(?: was| were|,)|with (?:its|their|a) capital (?:at|in|of)|"
            r"capital (?:was|at|in)|from (?:its|their) capital(?: city)?(?: of|"
            r" at)?) (?:the city of )?(?P<c>[A-ZÀ-Þ][\w'’-]+(?: [A-Z][\w'’-]+)*)"
        ),
        sentence,
    )
    if capital:
        place = names.article(capital["c"])
        if place is not None and not place.is_common and place.topic in {"Geography", "History", "Uncategorized"}:
            yield Fact("P36", place.entity, sentence)
    founder = re.search(
        (
            r"\b(?:founded|established)(?: in [\d ]+(?:BC|AD)?)? by (?:the )?(?:[\w-]+ "
            r")*?(?P<n>[A-ZÀ-ÞŌŠ][\w'’-]+(?: (?:of|the|al-\w+|ibn|[IVX]+|[A-ZÀ-Þ][\w'’-]+))*)"
        ),
        sentence,
    )
    if (
        founder
        and re.match(rf"(?:It|The|{re.escape(article.label)})\b", sentence)
        and len(sentence[: founder.start()]) < 140
    ):
        person = names.article(founder["n"])
        if (
            person is not None
            and person.topic in {"People", "Uncategorized"}
            and re.search(r"\b(?:[Hh]e|[Hh]is|[Ss]he)\b", person.extract)
        ):
            yield Fact("P112", person.entity, sentence)
    after = re.search(
        (
            r"\b(?:preceded by|succeeded|succeeding|followed) (?:the )?(?P<n>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)* "
            r"(?:dynasty|Empire|Kingdom|Republic|Caliphate|Sultanate|Khanate))"
        ),
        sentence,
    )
    if after and (other := names.article(after["n"])) is not None and other.title != article.title:
        yield Fact("P1365", other.entity, sentence)
    before = re.search(
        (
            r"\b(?:succeeded by|followed by|replaced by|superseded by) (?:the )?(?P<n>[A-Z][\w'’-]+(?: "
            r"[A-Z][\w'’-]+)* (?:dynasty|Empire|Kingdom|Republic|Caliphate|Sultanate|Khanate))"
        ),
        sentence,
    )
    if before and (other := names.article(before["n"])) is not None and other.title != article.title:
        yield Fact("P1366", other.entity, sentence)
