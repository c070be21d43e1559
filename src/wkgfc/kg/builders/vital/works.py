"""Facts about works: who made them, when, of what kind, about and based on what."""

import re
from collections.abc import Iterator
from functools import lru_cache

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article, sentences
from wkgfc.kg.builders.vital.dates import read_span, read_when, read_year
from wkgfc.kg.builders.vital.facts import Fact, dated
from wkgfc.kg.builders.vital.names import Names, lexicon, without_determiner
from wkgfc.kg.builders.vital.people import is_person

_KINDS_BY_MAKER = {
    "P57": "film|animated film|silent film|documentary",
    "P50": "novel|novella|book|play|poem|epic poem|tragedy|comedy|treatise|essay|short story|epic|sonnet|ode|pamphlet|"
    "dialogue|text|work|works|textbook|"
    "trilogy|drama|satire|fable|autobiography|memoir|encyclopedia|dictionary|history|poetry collection|"
    "collection|commentary|fantasy novel|series of novels|novels|book series|fairy tale|sutra|verse drama|"
    "scripture|sonnets|disputation|heptalogy|novel series",
    "P170": (
        "painting|sculpture|statue|fresco|mural|print|woodblock print|drawing|altarpiece|engraving|paintings|"
        "series of paintings|triptych|photograph|comic strip|comic book series|character|cartoon character|"
        "manga series|superhero|readymade|comics|television series|sitcom|video game|mural painting|portrait|"
        "oil painting|statuette|comic series"
    ),
    "P86": (
        "opera|symphony|ballet|musical|concerto|oratorio|mass|suite|song cycle|composition|musical composition|"
        "cantata|requiem|concertos|piano sonatas|piano sonata|sonatas|sonata|nocturnes|orchestral suite|"
        "music drama|operas|overture|string quartet|cycle|concerti|music dramas|hymn"
    ),
    "P175": "album|studio album|song|single|rock album",
}
_MAKER_OF = {kind: relation for relation, kinds in _KINDS_BY_MAKER.items() for kind in kinds.split("|")}
_KIND = "|".join(sorted((re.escape(kind) for kind in _MAKER_OF), key=len, reverse=True))
_DESCRIPTION = re.compile(
    rf"^(?:The |An? )?(?:(?P<years>(?:c\. )?\d{{3,4}}(?:–\d{{2,4}})?(?: (?:BC|CE|"
    rf"AD))?) )?(?P<adjectives>(?:[\w’'.-]+,? )*?)(?P<kind>{_KIND})(?: \((?P<year>\d{{4}})\))?"
    r"(?: (?:directed |written |composed |created |painted |produced |attributed to |credited to |made |"
    r"sculpted )*(?P<by>by|attributed to|credited to) (?P<maker>.+?))?$",
    re.IGNORECASE,
)
_OF_MAKER = re.compile(
    r"^(?:.*?\b(?:works?|treatise|book|dialogue|epic|poem|play)s?) (?:on \w+ |of \w+ )?by (?P<maker>[A-Z].*)$"
)
_PERSON = (
    r"[A-ZÀ-ÞŌŠ][\w'’.-]+(?: (?:de|da|di|du|del|von|van|der|la|le|of|the|ibn|al-\w+|d['’][A-Z]\w+|"
    r"[A-ZÀ-ÞŌŠ][\w'’.-]+|[IVX]+))*"
)


def is_work(article: Article) -> bool:
    """Whether the article is about one work, or a character, series or group of works that one maker made."""
    if article.is_common or article.topic not in {
        "Arts",
        "Philosophy and religion",
        "Society and social sciences",
        "Mathematics",
        "Everyday life",
        "Uncategorized",
        "History",
        "Technology",
        "Physical sciences",
        "Biology and health sciences",
    }:
        return False
    description = re.sub(r"\s*\([^()]*\)$", "", article.description)
    match = _DESCRIPTION.match(description)
    if match is None:
        return bool(
            re.match(
                (
                    r".*\b(?:novel|film|play|opera|painting|poem|treatise|book|album|ballet|symphony|musical|epic|"
                    r"statue|sculpture)\b.*\bby [A-Z]"
                ),
                description,
            )
        ) and not re.match(r"(?:Genre|Form|Style|Type)\b", description)
    return (
        bool(
            match["maker"]
            or match["years"]
            or re.match(rf"{re.escape(article.label)}\b[^.]*? (?:is|was|are) (?:an?|the) ", article.extract)
        )
        and article.label[1:] != article.label[1:].lower()
    ) or bool(match["years"])


def work_facts(article: Article, names: Names) -> Iterator[Fact]:
    """All that the rules read about a work."""
    description = re.sub(r"\s*\([^()]*\)$", "", article.description)
    match = _DESCRIPTION.match(description)
    relation = "P50"
    if match is not None:
        relation = _MAKER_OF[match["kind"].lower()]
        year = match["years"] or match["year"]
        if year:
            when = read_year(year) or ((read_span(year) or (None,))[0])
            if relation in {"P170"} and not re.search(r"comic|manga|series|character|superhero", match["kind"]):
                yield from dated("P571", when, article.description)
            else:
                yield from dated("P577", when, article.description)
        yield from _kind(match["adjectives"] or "", match["kind"], article, names)
        is_another = re.search(r"\b(?:based|on|of|about|from|to|for|in)\b|adapt", match["adjectives"] or "")
        if match["maker"] and not is_another:  # "film based on the book by …"
            yield from _makers(relation, match["maker"], match["by"], article.description, names)
    first = article.first_sentence
    for sentence in sentences(article.extract)[:4]:
        yield from _credits(sentence, relation, article, names)
    yield from _origin(first, article, names)
    yield from _where_kept(article, names)


def _kind(adjectives: str, kind: str, article: Article, names: Names) -> Iterator[Fact]:
    kind = kind.lower()
    if kind in {"work", "works", "collection", "cycle", "text", "history"}:
        pass
    else:
        yield Fact("P31", _class(kind, names), article.description)
    words = adjectives.replace(",", "").split()
    while words and (
        words[0] in lexicon()["demonyms"]
        or re.fullmatch(r"\d+(?:st|nd|rd|th)-century|\d{4}|last|first|early|modern", words[0], re.IGNORECASE)
    ):
        country = lexicon()["demonyms"].get(words[0])
        if country and country not in {"Ancient Greece", "Ancient Rome"}:
            yield Fact("P495", names.titled(country), article.description)
        words = words[1:]
    if (
        words
        and len(words) <= 3
        and all(re.fullmatch(r"[a-z][\w-]+", word.lower()) for word in words)
        and words[0].lower() not in {"the", "a", "an", "two", "several", "of", "in", "by"}
    ):
        yield Fact("P31", _class(" ".join((*words, kind)).lower(), names), article.description)


def _class(phrase: str, names: Names) -> Entity:
    found = names.article(phrase)
    if found is not None and found.is_common:
        return found.entity
    return Entity(id=local_id(phrase), label=phrase)


def _makers(relation: str, text: str, by: str, sentence: str, names: Names) -> Iterator[Fact]:
    text = re.sub(r"\s*\([^()]*\)", "", text)
    text = re.split(
        (
            r",? (?:about|describing|which|that|describing|first|on|published|in|for|adapted|from|based|featuring|"
            r"set|completed|starring|depicting|consisting|comprising|written|during|to|explaining|with|who|"
            r"released|as|using)\b"
        ),
        text,
    )[0]
    text = _before_a_name().sub("", text)
    for part in re.split(r",\s*(?:and\s+)?|\s+and\s+|\s*&\s*", text):
        name = _nationality_and_trade().sub("", part.strip())
        name = re.sub(r"^(?:[a-z]+ )+(?=[A-Z])", "", name)
        if not re.fullmatch(rf"(?:the )?{_PERSON}", name) or len(name) > 45 or _is_nationality(name):
            continue
        found = names.article(name)
        if found is None and " " not in name and len(name) > 3:
            found = _by_last_name(name, names)
        if found is not None and found.is_common:
            continue
        entity = (
            found.entity
            if found is not None
            else Entity(id=local_id(without_determiner(name)), label=without_determiner(name))
        )
        yield Fact("P1773" if by.startswith(("attributed", "credited")) else relation, entity, sentence)


@lru_cache(maxsize=1)
def _before_a_name() -> re.Pattern[str]:
    """ "the English novelist and critic " before a name."""
    return re.compile(
        rf"^(?:the )?(?:ancient )?(?:(?:[A-Z][a-z]+[-–])?(?:{_demonyms()}) )?(?:[a-z-]+ (?:and [a-z-]+ )?)+(?=[A-Z])"
    )


@lru_cache(maxsize=1)
def _nationality_and_trade() -> re.Pattern[str]:
    return re.compile(rf"^(?:the )?(?:[A-Z][a-z]+[-–])?(?:{_demonyms()})(?:[-–](?:born|[A-Z][a-z]+))? (?:[a-z-]+ )+")


def _is_nationality(name: str) -> bool:
    if (
        re.search(r"\b(?:Renaissance|Baroque|[A-Z][\w-]+(?:ist|ian|ism))$", name)
        and name.split(maxsplit=1)[0] in lexicon()["demonyms"]
    ):
        return True  # "the Italian Renaissance artist Raphael"
    return re.split(r"[-– ]", name)[-1] in lexicon()["demonyms"] or name.split(maxsplit=1)[0] in lexicon()["religions"]


def _demonyms() -> str:
    return "|".join(sorted(map(re.escape, lexicon()["demonyms"]), key=len, reverse=True))


def _by_last_name(name: str, names: Names) -> Article | None:
    found = names.by_last_name(name)
    return found if found is not None and is_person(found) else None


_CREDITS = (
    ("P57", r"directed(?:, (?:co-)?(?:written|produced|edited)[\w, ]*?)?(?: and [\w-]+)*"),
    ("P162", r"(?:directed and |written and |co-)?produced(?: and (?:directed|written))?"),
    ("P58", r"(?:screenplay|script)(?: was)?(?: written)?"),
    ("P86", r"(?:music|score|composed|a score|music is)(?: composed)?(?: and conducted)?"),
    (
        "P676",
        (
            r"(?:libretto|lyrics|an English libretto|a libretto|Italian libretto|book and lyrics|French libretto|"
            r"German libretto)(?: written)?"
        ),
    ),
    ("P50", r"(?<!screenplay )(?<!libretto )(?<!script )(?<!lyrics )(?<!book )written"),
    ("P170", r"painted|sculpted|carved|created|made"),
    ("P84", r"designed"),
    ("P110", r"illustrated"),
)


def _credits(sentence: str, relation: str, article: Article, names: Names) -> Iterator[Fact]:
    if not re.match(rf"(?:The |An? |It\b|In |{re.escape(article.label[:12])})", sentence):
        return
    is_film = relation == "P57"
    for credit, pattern in _CREDITS:
        if (
            (credit in {"P57", "P162"} and not is_film)
            or (credit == "P58" and not is_film)
            or (credit == "P50" and relation != "P50")
            or (credit == "P170" and relation != "P170")
        ):
            continue
        if (
            (credit == "P86" and relation not in {"P86", "P57"})
            or (credit == "P676" and relation != "P86")
            or (credit == "P84" and relation != "P170")
        ):
            continue
        for match in re.finditer(
            (
                rf"\b(?:{pattern}) (?:by|of) (?P<n>(?:the )?(?:[A-Z][\w-]+ )?(?:[a-z-]+ )*?{_PERSON}(?:(?:, (?:and )?|"
                rf" and ){_PERSON})*)"
            ),
            sentence,
        ):
            before = sentence[: match.start()]
            if credit in {"P86", "P50"} and re.search(r"\b(?:based on|adapt\w+|from) [^,]*$", before):
                continue
            if re.search(r"[A-Z]\w+,? $", before) and before.strip(" ,") not in {article.label, f"The {article.label}"}:
                continue  # another work is spoken of
            yield from _makers(credit, match["n"], "by", sentence, names)
    if is_film:
        stars = re.search(
            rf"\b(?:[Ss]tarring|[Ss]tars|[Tt]he film stars) (?P<n>{_PERSON}(?:(?:, (?:and )?| and ){_PERSON})*)",
            sentence,
        )
        if stars:
            yield from _makers("P161", stars["n"], "by", sentence, names)
    by = re.search(
        (
            rf"\b(?:novel|novella|book|play|poem|treatise|epic poem|tragedy|work|comedy|essay|opera|symphony|"
            rf"ballet|painting|album|song|concerto|oratorio|musical|sculpture|"
            rf"fresco) (?:\([^()]*\) )?by (?P<n>(?:the )?(?:[\w-]+ )*?{_PERSON}(?: and {_PERSON})?)"
        ),
        sentence,
    )
    if by and sentence == article.first_sentence and not re.search(r"\b(?:based|adapt\w+)\b", sentence[: by.start()]):
        yield from _makers(relation, by["n"], "by", sentence, names)
    based = re.search(
        (
            r"\b(?:based on|adapted from|adaptation of) (?:the |his |her |their |"
            r"its )?(?:\d{4} )?(?:\w+ )?(?:novel|play|book|story|novella|short story|legend|fairy tale|musical|"
            r"film|memoir|poem|epic|epic poem)s? (?:of the same name |"
            r"of the same title )?(?P<t>[A-Z][^.,;()]*?)?(?: \(\d{4}\))? by\b"
        ),
        sentence,
    )
    if based and based["t"]:
        work = names.article(based["t"].strip())
        if work is not None and work.title != article.title:
            yield Fact("P144", work.entity, sentence)
    for match in re.finditer(
        (
            r"\b(?:first |originally |finally )?(?P<v>published|released|premiered|performed|completed|painted|"
            r"composed)\b(?: \w+){0,3}? (?:in|on) (?P<w>(?:\d{1,2} [A-Z]\w+ |[A-Z]\w+ (?:\d{1,2}, )?)?\d{4})\b"
        ),
        sentence,
    ):
        before = sentence[: match.start()]
        if (
            not re.search(
                (
                    r"(?:\b(?:was|were|is|first|it|originally|novel|book|film|play|work|poem|opera|album|musical|"
                    r"treatise|essay|and|anonymously)|,)\s*$"
                ),
                before,
            )
            or re.search(
                (
                    r"\b(?:sequel|adaptation|version|translation|edition|revised|volume|posthumous\w*|second|"
                    r"film adaptation|remake)\b"
                ),
                before[-60:],
            )
            or before.count(",") > 4
        ):
            continue
        if "first" not in match[0] and re.search(r"\b(?:again|later|re-?\w+)\s*$", before):
            continue
        when = read_when(match["w"])
        relation_of_date = {
            "published": "P577",
            "released": "P577",
            "premiered": "P1191",
            "performed": "P1191",
            "completed": "P571",
            "painted": "P571",
            "composed": "P571",
        }[match["v"]]
        if when is None or (match["v"] == "performed" and "first" not in match[0]):
            continue
        yield from dated(relation_of_date, when, sentence)
        break
    setting = re.search(
        (
            r"\b(?:[Ss]et|takes place) (?:mainly |primarily |mostly )?in (?:the )?(?:[a-z0-9-]+(?:[- ]century)? "
            r")?(?P<p>[A-Z][\w-]+(?: [A-Z][\w-]+)*)"
        ),
        sentence,
    )
    if (
        setting
        and (place := names.article(setting["p"])) is not None
        and place.topic in {"Geography", "Uncategorized"}
        and not place.is_common
        and not is_person(place)
    ):
        yield Fact("P840", place.entity, sentence)


def _origin(sentence: str, article: Article, names: Names) -> Iterator[Fact]:
    match = re.search(
        (
            rf"\b(?:is|was) an? (?:(?P<y>\d{{4}}) )?(?P<a>[A-Z]\w+)(?:[-–](?P<b>[A-Z]\w+))? "
            rf"(?P<rest>[\w\s,'’-]*?)\b(?P<k>{_KIND})\b"
        ),
        sentence,
    )
    if match is None:
        return
    for word in (match["a"], match["b"]):
        country = lexicon()["demonyms"].get(word) if word else None
        if country and country not in {"Ancient Greece", "Ancient Rome"} and country in names:
            yield Fact("P495", names.titled(country), sentence)
    for part in re.split(r",\s*|\s+and\s+", match["rest"].strip()):
        genre = re.sub(r"^(?:epic |silent |animated |period |black-and-white |classic )+(?=\w)", "", part.strip())
        if (
            genre
            and len(genre.split()) <= 3
            and genre.islower()
            and not re.search(r"\b(?:written|by|of|first|the|and|in|for|best|feature|short|single|long)\b", genre)
        ):
            found = names.article(genre)
            if found is not None and re.search(r"\bgenre\b|\bmusic\b", found.description):
                yield Fact("P136", found.entity, sentence)


def _where_kept(article: Article, names: Names) -> Iterator[Fact]:
    for sentence in sentences(article.extract):
        match = re.search(
            (
                r"\b(?:is |are |currently |now |been )(?:on (?:permanent )?display|housed|held|kept|exhibited|"
                r"in the (?:permanent )?collection|displayed)[\w, ]{0,40}? (?:at|in|"
                r"of) (?P<p>(?:the )?[A-Z][\w'’-]+(?: (?:of|d['’]\w+|del|di|[A-Z][\w'’-]+))*)"
            ),
            sentence,
        )
        if match:
            place = names.article(match["p"])
            if place is not None and re.search(
                r"\b(?:[Mm]useum|[Gg]allery|[Ll]ibrary|Uffizi)\b", place.description + place.label
            ):
                yield Fact("P276", place.entity, sentence)
                return
