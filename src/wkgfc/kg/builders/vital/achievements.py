"""What a person made, founded, found, studied and where: read from the sentences of the summary."""

import re
from collections.abc import Iterator

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article, sentences
from wkgfc.kg.builders.vital.dates import year_time
from wkgfc.kg.builders.vital.facts import Fact
from wkgfc.kg.builders.vital.names import Names, lexicon
from wkgfc.kg.builders.vital.people import is_person

_CREATORS = (
    "writer|author|novelist|poet|playwright|dramatist|filmmaker|director|composer|singer|songwriter|musician|painter|"
    "artist|sculptor|philosopher|actor|actress|historian|essayist|economist|sociologist|theorist|psychologist|"
    "animator|cartoonist|choreographer|theologian|band|rapper|photographer|architect|screenwriter|critic|feminist|"
    "jurist|scientist|mathematician|physicist|linguist|anthropologist|biologist|naturalist|journalist|polymath|"
    "guitarist|pianist|comedian|dancer"
)
_TITLE_WORD = r"(?:(?:[dlDL]['’])?[A-ZÀ-Þ][\w'’.!-]*|\d+|[IVX]+)"
_LINK = (
    r"(?:of|the|and|in|to|a|an|for|on|with|&|de|la|le|les|du|des|et|der|die|das|von|und|at|from|or|di|del|il|al|no|"
    r"by|into|upon|as|is|e|y|o|:|–|-)"
)
_TITLE = rf"{_TITLE_WORD}(?:[:,]? (?:{_LINK} ){{0,3}}{_TITLE_WORD})*[!?]?"
_DATED_TITLE = re.compile(rf"(?P<t>{_TITLE}) \((?P<y>\d{{4}})(?:–\d{{2,4}})?\)")
_NOT_A_WORK = re.compile(
    r"\b(?:War|Battle|Revolution|Treaty|Act|Election|Olympics?|Olympic Games|World Cup|Championships?|Siege|"
    r"Congress|Republic|Rebellion|"
    r"Expedition|Prize|Award|Awards|Medal|Convention|Conference|University|College|Crisis|Party|Museum|Crusade|Reform|"
    r"Constitution|Grammy|Oscar|Tour|Open|Wimbledon|Games|Order|Uprising|Crossing|Exhibition|Academy|Society|"
    r"Company|League|Cup|"
    r"Studios?|Pictures|Records|House of|January|February|March|April|May|June|July|August|September|October|"
    r"November|December)\b"
)
_WORK_CUE = re.compile(
    r"\b(?:works?|novels?|films?|books?|plays?|poems?|albums?|songs?|operas?|symphon\w+|paintings?|essays?|stories|"
    r"story|musicals?|ballets?|include|including|such as|wrote|published|directed|starred|roles?|played|singles?|"
    r"best known|famous|treatise|monograph|sculptures?|concerto|masterpieces?|trilogy|autobiography|series|hits?|"
    r"compositions?|authored|writings|co-wrote|performances?|appeared|produced|recorded|released|known for|"
    r"collections?)\b"
)
_UNIVERSITY = (
    r"(?P<u>(?:the )?(?:University of [A-Z][\w-]+(?:, (?:Los Angeles|Berkeley|San Diego)| at Austin)?|"
    r"[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+)* "
    r"(?:University|College|Institute of Technology|School of Economics|Academy|Law School|"
    r"Conservatory)(?: of [A-Z]\w+(?: Arts?)?)?(?:, (?:Cambridge|Oxford|Dublin|London))?|"
    r"École [\w ]+?(?=[ ,.;])|ETH Zurich|"
    r"Sorbonne|Académie Julian|Juilliard School))"
)


def achievement_facts(article: Article, names: Names) -> Iterator[Fact]:
    """Works, foundations, inventions, fields, teachers, schools and employers of a person."""
    seen: set[tuple[str, str, str]] = set()
    for index, sentence in enumerate(sentences(article.extract)):
        for fact in _sentence_facts(article, sentence, index, names):
            key = (fact.relation, getattr(fact.value, "id", ""), fact.subject.id if fact.subject else "")
            if key not in seen:
                seen.add(key)
                yield fact


def _sentence_facts(article: Article, sentence: str, index: int, names: Names) -> Iterator[Fact]:
    if not index or re.match(r"(?:He|She|His|Her|In|At|After|Among|As|Born|Educated|[A-Z]\w+)\b", sentence):
        yield from _works(article, sentence, names)
        yield from _schools(article, sentence, names)
        yield from _movements(article, sentence, names)
        yield from _made(article, sentence, names)
        yield from _fields(article, sentence, names)


def _works(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    if not re.search(rf"\b(?:{_CREATORS})\b", f"{article.description} {article.first_sentence}", re.IGNORECASE):
        return
    if _WORK_CUE.search(sentence):
        is_list = len(re.findall(r"[A-Z][\w.]+ [A-Z][\w.]+['’]s [A-Z]", sentence)) > 1  # of "Somebody's Something"
        for match in _DATED_TITLE.finditer(sentence):
            before = sentence[: match.start()]
            played = (
                re.match(r"[A-Z]\w+ (?:O['’])?[A-Z]\w+ in (?=[A-Z])", match["t"]) if before.endswith(" as ") else None
            )
            title = _clean_title(match["t"][played.end() if played else 0 :], names, is_list=is_list)
            if re.search(r"\bor,? $|\b(?:laureates|winners|thinkers|philosophers|mathematicians)\b", before):
                continue  # "Frankenstein; or, The Modern Prometheus", "laureates A. B. (1992), …"
            years = re.search(r"\d{4}", match[0].rpartition("–")[2])
            if years and int(years[0]) - int(match["y"]) > 25:
                continue  # the years of a life
            if title is None or title == article.label or title in article.label.split():
                continue
            work = names.article(title) or names.article(f"The {title}")
            if work is not None and (work.topic in {"People", "Geography"} or is_person(work)):
                continue
            entity = work.entity if work else Entity(id=local_id(title), label=title)
            yield Fact("P800", entity, sentence)
            if work is None:
                yield Fact("P577", year_time(int(match["y"])), sentence, entity)


def _clean_title(title: str, names: Names, *, is_list: bool) -> str | None:
    whose, possessive, rest = title.partition("'s ")
    owner = names.article(whose) if possessive and " " in whose else None
    if (owner is not None and is_person(owner)) or (possessive and is_list):
        title = rest  # "Billy Wilder's Sunset Boulevard"
    if title.split()[0] in lexicon()["movements"]:
        title = title.partition(" ")[2]
    title = re.sub(
        r"^(?:In|His|Her|Their|He|She|With|The (?:novels?|films?|plays?|operas?|poems?|albums?|songs?|books?))\s+",
        "",
        title,
    )
    title = re.split(r"(?:, | and )(?=(?:The|A|An) )", title)[-1]
    title = re.sub(r"^.*\b(?:novels?|films?|Symphony in|Academy Award for [\w ]+ for)\s+", "", title)
    title = re.sub(r"^.*['’]s (?=[A-Z])(?=The |A )", "", title).strip(" ,.:-")
    if not 2 <= len(title) <= 70 or _NOT_A_WORK.search(title) or title.isdigit() or ", " in title or title.islower():
        return None
    return title


def _schools(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    subject = rf"(?:^|\b)(?:[Hh]e|[Ss]he|{re.escape(article.label.split()[-1])})\s+(?:\w+ )?"
    for match in re.finditer(
        rf"(?:{subject}(?:was educated|studied(?: [\w, ]+?)?|graduated(?: with [\w ]+?)?|trained|"
        rf"earned [\w ,'’]+?|received [\w ,'’]+?degrees?[\w ,'’]*?|obtained [\w ,'’]+?)(?: in [\d ]+)? (?:at|"
        rf"from)|"
        rf"{subject}(?:attended|entered)|^(?:Educated|Born [^.]*?, (?:he|she) (?:studied|"
        rf"was educated)(?: [\w ]+?)?) at|"
        rf"\b(?:studying|educated|graduating|graduated|alumnus of|graduate of)(?: [\w ]+?)? (?:at|from)) {_UNIVERSITY}",
        sentence,
    ):
        yield Fact("P69", names.entity(_school(match["u"])), sentence)
    for match in re.finditer(
        (
            rf"\b(?:[Pp]rofessor|[Ll]ecturer|[Rr]eader|[Tt]eacher|taught|teaching|[Cc]hair)\b(?: (?:emeritus|"
            rf"emerita))?(?: (?:of|in) [\w ]{{3,45}}?)? at {_UNIVERSITY}"
        ),
        sentence,
    ):
        if not re.search(
            r"\b(?:his|her) (?:father|mother|husband|wife|brother)\b|\bwhose\b|\bunder\b|\bwith\b[^,]*$",
            sentence[: match.start()],
        ):
            yield Fact("P108", names.entity(_school(match["u"])), sentence)
    for match in re.finditer(
        (
            r"\b(?:a |an? \w+ )?(?:student|pupil|disciple|protégé) of (?:the \w+ )?(?P<n>[A-ZÀ-Þ][\w'’.-]+(?: "
            r"(?:de|von|van|of|the|[A-ZÀ-Þ][\w'’.-]+))*)"
        ),
        sentence,
    ):
        other = names.article(match["n"])
        before = sentence[: match.start()]
        if (
            other is not None
            and other.topic in {"People", "Uncategorized", "Philosophy and religion"}
            and not other.is_common
            and re.search(r"\b(?:was|is|[Aa]s|became|[Hh]e|[Ss]he|,|and)\s*$|^$", before)
        ):
            yield Fact("P1066", other.entity, sentence)


_MOVED = re.compile(
    r"\b(?:[Hh]e|[Ss]he|and|later|then)\s+(?:\w+ )?(?:moved|emigrated|immigrated|settled|"
    r"relocated) (?:back )?(?:to|in) (?:the )?(?P<p>[A-ZÀ-Þ][\w-]+(?: [A-Z][\w-]+)*)"
)
_FOUGHT = re.compile(
    r"\b(?:served|fought|led|commanded|commander|general|leader|role|veteran|hero|"
    r"participated)\b[^.;]{0,80}?\b(?:in|during) (?:the )?(?P<w>World War I{1,2}|"
    r"(?:[A-Z][\w–'-]+ )+War(?:s)?(?: of (?:the )?[A-Z]\w+(?: [A-Z]\w+)*)?|"
    r"War of (?:the )?[A-Z]\w+(?: [A-Z]\w+)*)"
)


def _movements(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    for match in _MOVED.finditer(sentence):
        place = names.article(match["p"])
        if place is not None and place.topic in {"Geography", "Uncategorized"} and not place.is_common:
            yield Fact("P551", place.entity, sentence)
    for match in _FOUGHT.finditer(sentence):
        war = names.article(match["w"])
        if war is not None and war.topic in {"History", "Uncategorized"}:
            yield Fact("P607", war.entity, sentence)


def _school(name: str) -> str:
    return re.sub(r"^the ", "", name).strip(" ,.")


_FOUNDING = re.compile(
    r"\b(?P<v>founder of|co-founder of|cofounder of|founders of|founded|co-founded|cofounded|established|"
    r"inventor of|co-inventor of|invented|co-invented|"
    r"discoverer of|discovered|co-discovered|creator of|created|author of|wrote|composed|painted|designed|"
    r"directed|father of|"
    r"inventing|discovering|founding|co-founding|creating|developing|writing|directing|painting|"
    r"designing) (?:both |also )?(?P<o>(?:the |an? |his |her )?.{3,90}?)(?=[.;,(]| in \d| who\b| which\b|"
    r" that\b| during\b| at\b| with\b| while\b| as\b| where\b| when\b| to\b| on\b| from\b| by\b| after\b|"
    r" including\b|$| was\b| is\b)"
)
_MAKING = {
    "found": "P112",
    "establish": "P112",
    "invent": "P61",
    "discover": "P61",
    "creat": "P170",
    "author": "P50",
    "wrote": "P50",
    "writing": "P50",
    "compos": "P86",
    "paint": "P170",
    "design": "P287",
    "direct": "P57",
    "develop": "P61",
    "cofound": "P112",
}


def _made(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    for match in _FOUNDING.finditer(sentence):
        before = sentence[: match.start()]
        is_quoted = before.endswith(('"', "“", "'"))
        if is_quoted or _SOMEONE_ELSE.search(before) or _NOT_CERTAIN.search(before[-60:]):
            continue
        if match["v"].endswith("ing") and not re.search(r"\b(?:for|by|of|and|in)\s*$", before):
            continue
        apposition = re.search(r"(?P<n>[A-ZÀ-Þ][\w'’-]+)(?: [IVX]+)?,\s*(?:the )?$", before)
        if apposition and apposition["n"] not in article.label:
            continue
        verb = match["v"].replace("co-", "").strip()
        relation = next((relation for stem, relation in _MAKING.items() if verb.startswith(stem)), None)
        if relation is None:
            continue
        for index, part in enumerate(re.split(r",\s*|\s+and (?=the |[A-Z])", match["o"])):
            phrase = _KIND_IN_FRONT.sub("", part.strip())
            made = names.article(phrase) or names.article(part)
            if made is None or made.title == article.title or made.topic == "People":
                continue
            is_place = made.topic == "Geography" or names.country(made.title) is not None
            if index and (is_place or made.title in lexicon()["continents"]):
                continue
            fitting = _makes(relation, made)
            if fitting is not None:
                yield Fact(fitting, article.entity, sentence, made.entity)


_SOMEONE_ELSE = re.compile(
    r"\b(?:his|her|whose|their) (?:\w+ )?(?:father|mother|brother|sister|son|wife|husband|student|rival|"
    r"colleague)s?\b|, who\b[^,]*$"
)
_NOT_CERTAIN = re.compile(
    r"\b(?:not|never|been|were|whose|which|that|would|later|often|sometimes|attributed|to have|falsely|"
    r"claim\w*|European|"
    r"traditional\w*|although|first to|helped|instrumental in|"
    r"tried to|attempt\w* to|wanted to|theatre|city|was) *$|"
    r"\b(?:traditionally|although|falsely|legend\w*|supposed\w*|sometimes) [\w ]*$"
)
_KIND_IN_FRONT = re.compile(
    r"^(?:the|an?|his|her|both|modern|first|practical|novel|film|play|opera|ballet|epic|poem|book|musical|"
    r"famous|classic|"
    r"religion of|concept of|field of|school of|city of|theory of|plays?|novels?)\s+(?=\S)"
)


def _makes(relation: str, made: Article) -> str | None:
    """The relation of this kind of thing to its maker; ``None`` where the two do not fit."""
    if made.topic == "Geography" and relation not in {"P112"}:
        return None
    if relation == "P50":
        return (
            "P50"
            if made.topic in {"Arts", "Philosophy and religion", "Society and social sciences"} and not made.is_common
            else None
        )
    if relation in {"P86", "P57", "P170"} and made.topic != "Arts":
        return (
            "P61"
            if relation == "P170" and made.is_common
            else ("P170" if relation == "P170" and not made.is_common else None)
        )
    if relation == "P112" and made.is_common and made.topic in {"Uncategorized", "Biology and health sciences"}:
        return None
    return relation


_FIELD = re.compile(
    r"\b(?:contributions? (?:to|in)|contributed to|pioneer(?:s|ed)? (?:of|in)|pioneering (?:work|research|"
    r"studies) (?:on|in)|work (?:on|in)|works (?:on|in)|worked (?:on|in|within) (?:the )?(?:fields? of )?|"
    r"research (?:on|in|into)|specializ(?:ed|ing) in|specialis(?:ed|ing) in|expert (?:on|in)|fields? of|"
    r"areas? of|father of|founders? of|scholar of|theory of|theories of|advances? in) (?P<f>[^.;()]{3,140})"
)


def _fields(article: Article, sentence: str, names: Names) -> Iterator[Fact]:
    for match in _FIELD.finditer(sentence):
        if re.search(r"\b(?:his|her) (?:father|mother|brother|wife|husband)\b|\bwhose\b", sentence[: match.start()]):
            continue
        if re.match(r"(?:father of|founders? of|theor\w+ of)", match[0]):
            continue
        text = re.split(
            (
                r"\b(?:who|which|that|where|when|during|including|such as|as well|is|was|were|had|has|have|with|by|"
                r"for|at|his|her|he|she|led|made|helped)\b"
            ),
            match["f"],
        )[0]
        for part in re.split(r",\s*(?:and\s+)?|\s+and\s+|\s+of\s+(?=the )", text):
            phrase = re.sub(
                (
                    r"^(?:the|modern|both|fields? of|areas? of|study of|development of|foundations? of|history of|"
                    r"early|field of)\s+"
                ),
                "",
                part.strip(),
            )
            phrase = re.sub(r"^(?:the|modern|study of|field of)\s+", "", phrase)
            found = names.article(phrase)
            if found is not None and found.title != article.title and _is_field(found):
                yield Fact("P101", found.entity, sentence)


def _is_field(article: Article) -> bool:
    """Whether the article is about a field of study or of art."""
    return bool(
        re.search(
            (
                r"(?:ics|ology|graphy|istry|nomy|metry|sophy|algebra|calculus|analysis|theory|science|sciences|"
                r"history|engineering|medicine|literature|music|painting|philosophy|psychology|mechanics|geometry|"
                r"law|logic|education|poetry|sculpture|architecture|statistics|photography|optics|evolution|"
                r"genetics|electromagnetism|radioactivity|ethics|anatomy|magnetism|dynamics|linguistics|optics|"
                r"botany)$"
            ),
            article.label.lower(),
        )
        or re.match(r"(?:Branch|Study|Field|Scientific study|Area|Science|Theory|Discipline)\b", article.description)
    )
