"""Facts about languages and scripts: family, where they are spoken, by how many, how they are written."""

import re
from collections.abc import Iterator

from wkgfc.kg.builders.vital.articles import Article, sentences
from wkgfc.kg.builders.vital.descriptions import speakers_of
from wkgfc.kg.builders.vital.facts import Fact
from wkgfc.kg.builders.vital.names import Names

_FAMILY = re.compile(
    r"\b(?:of|to|in|within) the (?:\w+ )?(?P<f>[A-Z][\w–-]+(?:[- ][A-Z][\w–-]+)*) (?:branch|family|"
    r"language family|languages|subgroup|group)\b"
)
_SCRIPT = re.compile(
    r"\b(?:written|writing)\b[^.;]{0,60}? (?:in|with|using) (?:the |a modified |"
    r"an? )?(?:\w+ )?(?P<s>[A-Z]\w+(?: [A-Z]\w+)?) (?P<k>script|alphabet|abugida|syllabary)\b"
)
_OFFICIAL = re.compile(r"\b(?:official|national|co-official) languages?\b[^.;]{0,60}? (?:of|in) (?P<p>[^.;()]+)")


def is_language(article: Article) -> bool:
    """Whether the article is about one language."""
    if re.search(r"\b(?:of|in|for|from|to|a)\b.*\blanguage$", article.description):
        return False  # "dictionary of the English language"
    return bool(
        re.search(r"\blanguage$|^Language\b|\blanguage (?:spoken|native|of|used)\b", article.description)
    ) and bool(re.search(r"\blanguage\b", article.first_sentence[:200]))


def language_facts(article: Article, names: Names) -> Iterator[Fact]:
    """What the description and the summary say of a language."""
    language = names.article("language")
    if language is not None:
        yield Fact("P31", language.entity, article.description)
    adjective = re.match(r"(?:\w+ )??(?P<f>[A-Z][\w–-]+(?:[- ][A-Z][\w–-]+)*) language\b", article.description)
    for source, text in (
        (adjective, article.description),
        *((m, s) for s in sentences(article.extract)[:4] for m in _FAMILY.finditer(s)),
    ):
        if source is None:
            continue
        family = names.article(f"{source['f']} languages")
        if family is not None and family.title != article.title:
            yield Fact("P279", family.entity, text)
    for sentence in sentences(article.extract):
        script = _SCRIPT.search(sentence)
        if script:
            found = (
                names.article(f"{script['s']} {script['k']}")
                or names.article(f"{script['s']} script")
                or names.article(script["s"])
            )
            if found is not None and re.search(
                r"script|alphabet|writing|abugida|syllabary", found.description + found.title, re.IGNORECASE
            ):
                yield Fact("P282", found.entity, sentence)
        official = _OFFICIAL.search(sentence)
        if (
            official
            and "respectively" not in sentence
            and re.match(rf"(?:It|{re.escape(article.label.split()[0])})\b", sentence)
        ):
            for part in re.split(
                r",\s*(?:and\s+)?|\s+and\s+",
                re.split(r"\b(?:where|which|while|as|with|alongside|along)\b", official["p"])[0],
            ):
                country = names.country(part.strip())
                if country is not None:
                    yield Fact("P37", article.entity, sentence, country.entity)
        spoken = re.search(r"\bspoken\b[^.;]{0,50}? in (?P<p>[^.;()]+)", sentence)
        if spoken:
            for part in re.split(
                r",\s*(?:and\s+)?|\s+and\s+", re.split(r"\b(?:where|which|while|as|by|with)\b", spoken["p"])[0]
            ):
                country = names.country(re.sub(r"^(?:parts of|the|[a-z]+) ", "", part.strip()))
                if country is not None:
                    yield Fact("P17", country.entity, sentence)
    yield from speakers_of(article)
