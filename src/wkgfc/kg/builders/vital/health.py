"""Facts about diseases: symptoms, causes, risk factors, examinations and treatments, from how summaries list them."""

import re
from collections.abc import Iterator

from wkgfc.evidence import Entity
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article, sentences
from wkgfc.kg.builders.vital.facts import Fact
from wkgfc.kg.builders.vital.names import Names, singular_phrase

_LISTS = (
    (
        "P780",
        (
            r"\b(?:[Ss]ymptoms|[Ss]igns and symptoms|[Ss]igns)\b[^.;:]{0,60}?\b(?:include|are|is|includes|"
            r"may include|can include|consist of|often include|typically include|commonly include|usually include)"
        ),
    ),
    ("P1542", r"\b[Cc]omplications\b[^.;:]{0,40}?\b(?:include|may include|can include)"),
    ("P5642", r"\b[Rr]isk factors\b[^.;:]{0,40}?\b(?:include|are|may include)"),
    (
        "P828",
        (
            r"\b(?:[Cc]auses|[Cc]ommon causes|[Tt]he most common causes?)\b[^.;:]{0,40}?\b(?:include|are|is|"
            r"may include|can include)"
        ),
    ),
    ("P924", r"\b[Tt]reatments?\b[^.;:]{0,50}?\b(?:include|includes|may include|can include|consists of|involves)"),
)
_NOT_AN_ITEM = re.compile(
    r"\b(?:it|they|that|which|who|this|these|based|depends?|vary|varies|similar|other|others|known|unclear|"
    r"unknown|not|may|can|often|when|if|one|those|people|than|more|most|within|between|after|over|the use of)\b"
)
# Items of a list of symptoms that the grammar around it left over: adverbs, adjectives, prepositions, the disease.
_NO_SYMPTOM = re.compile(
    r"^(?:around|virtually|usually|occasionally|typically|considered|with|include|about|near|under|on|some|"
    r"constantly|characteristic|altered?)\b|\b(?:on|of|with|is|be|are|disorder|death|trigger|alteration|feeling)$|"
    r"^(?:[\w-]+ly|[\w-]+ic|[\w-]+al|latent|disorganized|speech|speaking|blood|heat|testicle|warmth|concentration|"
    r"mole|severity)$|\bgenital$|\bproductive$",
    re.IGNORECASE,
)
_ILLNESS = re.compile(
    (
        r"\b(?:disease|disorder|infection|syndrome|condition|cancer|inflammation|illness|injury|deficiency|fever|"
        r"poisoning|failure|tumou?r|addiction|virus)\b"
    ),
    re.IGNORECASE,
)


def is_illness(article: Article) -> bool:
    """Whether the article is about a disease, a disorder or an injury."""
    return article.topic in {"Biology and health sciences", "Uncategorized"} and bool(
        _ILLNESS.search(article.description) or _ILLNESS.search(article.first_sentence[:150])
    )


def illness_facts(article: Article, names: Names) -> Iterator[Fact]:
    """What the summary lists of a disease."""
    for sentence in sentences(article.extract):
        for relation, lead in _LISTS:
            match = re.search(rf"{lead}:? (?P<items>[^.;:]+)", sentence)
            if match:
                for item in _items(match["items"]):
                    if relation == "P780" and _NO_SYMPTOM.search(item):
                        continue
                    found = names.article(item, article.topic)
                    label = singular_phrase(item)
                    entity = found.entity if found is not None else Entity(id=local_id(label), label=label)
                    if found is None or found.title != article.title:
                        yield Fact(relation, entity, sentence)


def _items(text: str) -> Iterator[str]:
    """The items of a list: short phrases in lower case."""
    text = re.sub(r"\s*\([^()]*\)", "", text)
    text = re.split(
        (
            r"\b(?:which|that|who|where|with symptoms|resulting|such as|among|along with|as well as|due to|"
            r"depending|caused by|followed by|in the|during|and may|and can)\b"
        ),
        text,
    )[0]
    parts = re.split(r",\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+", text)
    for part in parts:
        item = re.sub(
            r"^(?:a|an|the|severe|mild|sudden|possible|sometimes|usually|often|also|feeling|both|having)\s+",
            "",
            part.strip(" ,"),
        )
        if (
            3 <= len(item) <= 35
            and len(item.split()) <= 4
            and re.fullmatch(r"[a-zA-Z][\w\s'’-]+", item)
            and not _NOT_AN_ITEM.search(item)
        ):
            yield item
