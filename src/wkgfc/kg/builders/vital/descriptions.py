"""What the one-line description says of named things of any kind: where they are from, when, of which field."""

import re
from collections.abc import Iterator

from wkgfc.evidence import Entity, Text
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article, sentences
from wkgfc.kg.builders.vital.dates import read_span
from wkgfc.kg.builders.vital.facts import Fact, dated
from wkgfc.kg.builders.vital.measures import quantity
from wkgfc.kg.builders.vital.names import Names, lexicon
from wkgfc.kg.builders.vital.where import where_is

_IN = re.compile(
    r"\b(?P<p>in|from|of) (?P<w>(?:the )?(?:(?:north|south|east|west|central|"
    r"mid)[a-z-]* )?[A-ZÀ-Þ][\w'’.-]+(?:[ ,]+(?:and |the |of )?[A-ZÀ-Þ][\w'’.-]+)*)"
)
_CENTURY = re.compile(r"\b(?P<c>\d{1,2}(?:st|nd|rd|th))[- ]century\b(?! BC)")
_BRACKET = re.compile(r"\((?P<span>[^()]*\d[^()]*)\)$")
_YEAR = r"(?:c\. )?(?:AD )?(?:\d{3,4}|\d{1,4} (?:AD|BCE?|CE))"
_FROM_TO = re.compile(
    r"(?:\b(?:from|between|flourished)|,) (?P<first>(?:c\. )?\d{1,4}(?: (?:AD|BCE?|CE))?) (?:to|and) "
    rf"(?P<last>{_YEAR})(?=$|[;,]| \()"
)
_TAKES_PLACE = re.compile(
    r"\b(?:wars?|battle|revolution|conflicts?|crash|crisis|rebellion|sociopolitical|emergence|movement|era|attacks?|struggle)\b",
    re.IGNORECASE,
)
_ELEMENT = re.compile(r"Chemical element with atomic number (?P<n>\d+) \((?P<s>[A-Z][a-z]?)\)")
_SPEAKERS = re.compile(
    r"\b(?P<n>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?) ?(?P<s>million|billion)? (?:native |total |first-language |"
    r"L1 )?speakers\b"
)
_NO_PLACE = re.compile(
    r"\b(?:mythology|religion|religions|Bible|War|literature|Church|Age|Ages|Age|Testament|Christianity|Islam|"
    r"Judaism|Buddhism|Hinduism|history|philosophy|science|Games|Street|Union|Sun|Earth|Jupiter|Saturn|Neptune|"
    r"Mars|Moon|Solar|Milky)\b"
)


def description_facts(article: Article, names: Names) -> Iterator[Fact]:
    """Place, time and field of a named thing; symbol and number of a chemical element; speakers of a language."""
    description = article.description
    element = _ELEMENT.fullmatch(description)
    if element:
        yield from _element(element, article, names)
    if not article.is_common and article.topic != "Biology and health sciences":
        for match in _IN.finditer(description):
            where = match["w"]
            if _NO_PLACE.search(where) or (
                match["p"] == "of"
                and not re.search(
                    (
                        r"\b(?:agency|party|branch|law|army|currency|parliament|legislature|language|railway|"
                        r"airline|court|bank|religion|festival|team|company)\b"
                    ),
                    description[: match.start()].lower(),
                )
            ):
                continue
            for place in re.split(r",\s+(?:and\s+)?|\s+and\s+", where):
                if match["p"] == "from":
                    found = names.article(place)
                    if found is not None and is_origin(found, names):
                        yield Fact("P495", found.entity, description)
                    continue
                for fact in where_is(article, place, description, names):
                    if (
                        fact.relation in {"P17", "P30", "P361"}
                        or names.article(re.sub(r"^the ", "", place)) is not None
                    ):
                        relation = "P276" if fact.relation == "P361" else fact.relation
                        yield Fact(relation, fact.value, description)
        yield from span_facts(article)
    moon = re.search(r"\b[Mm]oons? of (?P<p>[A-Z]\w+)|\borbiting (?P<o>[A-Z]\w+)", description)
    if (
        moon
        and (around := names.article(moon["p"] or moon["o"]) or names.article(f"{moon['p'] or moon['o']} (planet)"))
        is not None
    ):
        yield Fact("P397", around.entity, description)
    formula = re.search(
        r"\b(?:chemical |molecular )?formula (?:of )?(?P<f>[A-Z][A-Za-z0-9()₂₃₄₅₆+−=-]{1,24})(?=[\s,.;)]|$)",
        article.extract,
    )
    if (
        formula
        and article.topic in {"Physical sciences", "Biology and health sciences", "Technology"}
        and re.search(r"[A-Z].*(?:[A-Z]|\d)", formula["f"])
    ):
        sentence = next(each for each in sentences(article.extract) if "formula" in each)
        is_whole = formula["f"].count("(") == formula["f"].count(")")
        if is_whole:
            yield Fact("P274", Text(value=formula["f"].rstrip("-=+")), sentence)
    symbol = re.search(r"\(?symbols?:? (?P<s>[A-Za-zΩµ°Å]{1,4})\b", article.first_sentence)
    if symbol and re.search(r"\bunit\b", description):
        yield Fact("P5061", Text(value=symbol["s"]), article.first_sentence)
    constellation = re.search(
        r"\bconstellation(?: of)? (?P<c>[A-Z]\w+(?: [A-Z]\w+)?)", f"{description}. {article.first_sentence}"
    )
    if constellation and constellation["c"] != article.label and not article.is_common:
        found = names.article(f"{constellation['c']} (constellation)") or names.article(constellation["c"])
        is_one = found is not None and "onstellation" in found.description
        yield Fact(
            "P59",
            found.entity
            if found is not None and is_one
            else Entity(id=local_id(f"{constellation['c']} (constellation)"), label=constellation["c"]),
            description,
        )
    yield from period_facts(article, names)
    if article.topic == "Mathematics" and article.is_common:
        yield Fact("P2579", names.titled("Mathematics"), description or article.first_sentence)


def span_facts(article: Article) -> Iterator[Fact]:
    """From when to when it was there, by the end of its description: "(1922–1991)", "from 1922 to 1991"."""
    description = article.description
    bracket, from_to = _BRACKET.search(description), _FROM_TO.search(description)
    span = read_span(bracket["span"]) if bracket else None
    if span is None and from_to is not None:
        span = read_span(f"{from_to['first']} to {from_to['last']}")
    if span is None or re.search(r"\bborn\b", description):
        return
    took_place = _TAKES_PLACE.search(description) and not re.search(r"\b(?:barrier|wall)\b", description)
    yield from dated("P580" if took_place else "P571", span[0], description)
    if took_place or not re.search(r"\b(?:artwork|painting|album|series of)\b", description, re.IGNORECASE):
        yield from dated("P582" if took_place else "P576", span[1], description)


def is_origin(article: Article, names: Names) -> bool:
    """Whether the article is about a country, a continent, a region or a town: where a thing may come from."""
    if names.country(article.title) is not None or article.title in lexicon()["continents"]:
        return True
    return (
        article.topic in {"Geography", "Uncategorized"}
        and not article.is_common
        and bool(
            re.search(r"\b(?:country|state|region|city|province|island|area)\b", article.description, re.IGNORECASE)
        )
    )


def period_facts(article: Article, names: Names) -> Iterator[Fact]:
    """The century or the period that the description names."""
    description = article.description
    for word, period in lexicon()["periods"].items():
        if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", description) and article.title != period:
            yield Fact("P2348", names.titled(period), description)
            break
    century = _CENTURY.search(description)
    if century:
        label = f"{century['c']} century"
        yield Fact("P2348", names.titled(label, label), description)


def _element(match: re.Match[str], article: Article, names: Names) -> Iterator[Fact]:
    yield Fact("P31", names.titled("Chemical element"), article.description)
    yield Fact("P1086", quantity(match["n"], None, None), article.description)
    yield Fact("P246", Text(value=match["s"]), article.description)
    for sentence in sentences(article.extract):
        group = re.search(r"\b(?:group|Group) (?P<g>\d{1,2})\b", sentence)
        if group and 1 <= int(group["g"]) <= 18:
            label = f"group {group['g']} element"
            yield Fact("P361", Entity(id=local_id(f"Group {group['g']} element"), label=label), sentence)
            return


def speakers_of(article: Article) -> Iterator[Fact]:
    """How many speakers the first sentences give a language."""
    for sentence in sentences(article.extract)[:4]:
        speakers = _SPEAKERS.search(sentence)
        before = sentence[max(0, speakers.start() - 30) : speakers.start()] if speakers else ""
        if speakers and not re.search(r"\b(?:second|additional|L2|family)\b", before):
            yield Fact("P1098", quantity(speakers["n"], speakers["s"], None), sentence)
            return
