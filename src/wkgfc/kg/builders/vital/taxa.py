"""Facts about groups of living things: rank, parent, where they live, what they are like."""

import re
from collections.abc import Iterator

from wkgfc.evidence import Entity, Text
from wkgfc.kg.builders.records import local_id
from wkgfc.kg.builders.vital.articles import Article, sentences
from wkgfc.kg.builders.vital.facts import Fact
from wkgfc.kg.builders.vital.names import Names, lexicon, singular_phrase

_RANKS = (
    "domain|superkingdom|kingdom|subkingdom|infrakingdom|superphylum|phylum|subphylum|infraphylum|superclass|"
    "class|subclass|infraclass|"
    "superorder|order|suborder|infraorder|parvorder|superfamily|family|subfamily|tribe|subtribe|genus|subgenus|"
    "species|subspecies|clade|division"
)
_RANK_TITLES = {
    "domain": "Domain (biology)",
    "kingdom": "Kingdom (taxonomy)",
    "phylum": "Phylum",
    "class": "Class (biology)",
    "order": "Order (biology)",
    "family": "Family (biology)",
    "genus": "Genus",
    "species": "Species",
    "subspecies": "Subspecies",
    "tribe": "Tribe (biology)",
    "clade": "Clade",
    "division": "Division (taxonomy)",
}
_LATIN = (
    r"[A-Z][a-z]{3,}(?:idae|inae|aceae|ales|ineae|formes|morpha|oidea|ptera|poda|zoa|phyta|mycota|ini|ina|ida|acea|"
    r"ia|ata|es|a|us|is|um|on|ops)"
)
_DESCRIBED = re.compile(
    (
        rf"^(?:The |An? )?(?P<adjectives>(?:(?!(?:in|of|the|to|that|same|from|"
        rf"with)\b)[\w-]+ ){{0,3}}?)(?P<rank>{_RANKS}|taxon|several genera|genera)\b(?=$|,| of| in| \(| containing|"
        rf" that| native| having)(?: of| in| containing)? ?(?P<rest>.*)$"
    ),
    re.IGNORECASE,
)
_IN_TAXON = re.compile(
    rf"\b(?:(?:(?:in|of|to|within|comprising|comprise|constituting|forming|form|belonging to|under)(?: the)?|"
    rf"the)(?: [a-z-]+)? )(?P<rank>{_RANKS}) (?P<name>[A-Z][a-z]{{2,}})\b"
)
_OF_SUBJECT = re.compile(r"\b(?:is|are|belongs? to|was|were|makes? up|constitut\w+|compris\w+|forms?)\b|, $|,$")
_OFFSPRING = re.compile(
    r"\b(?:contains?|containing|comprises?|comprising|includes?|including|consists? of|divided into|has|with)\b"
)


def is_taxon(article: Article) -> bool:
    """Whether the article is about a group of living things that has, or nearly has, a scientific name."""
    if article.topic not in {"Biology and health sciences", "Uncategorized"} or article.label.endswith(" species"):
        return False
    described = _DESCRIBED.match(article.description)
    if described and described["rank"].lower() not in {"division", "class", "order", "domain", "kingdom"} | (
        {"family"} if not described["rest"] else set()
    ):
        return bool(re.search(_LIVING, article.description + " " + article.first_sentence, re.IGNORECASE))
    if described and re.search(_LIVING, described["rest"], re.IGNORECASE):
        return True
    return bool(
        _IN_TAXON.search(article.description)
        or (
            re.search(rf"\b(?:{_RANKS})\b [A-Z][a-z]+", article.first_sentence)
            and re.search(_LIVING, article.description, re.IGNORECASE)
        )
    )


_LIVING = (
    r"\b(?:animal|plant|bird|mammal|insect|fish|fishes|fungus|fungi|mushroom|reptile|amphibian|flower|"
    r"flowering|tree|trees|shrub|grass|beetle|fly|flies|moth|"
    r"butterfly|butterflies|spider|snake|lizard|frog|shark|whale|mollus\w+|crustacean\w*|arthropod\w*|"
    r"bacteri\w+|archaea|virus\w*|protist\w*|protozoa\w*|alga|algae|fern|moss\w*|"
    r"conifer\w*|palm\w*|cactus|cacti|organism\w*|primate\w*|rodent\w*|bat|bats|songbird\w*|passerine\w*|"
    r"carnivor\w+|ungulate\w*|marsupial\w*|deer|cattle|monkey\w*|ape|apes|dog|cat|cats|bear|bears|"
    r"horse|turtle\w*|tortoise\w*|crab|worm\w*|sponge\w*|coral\w*|jellyfish|dinosaur\w*|eukaryot\w+|"
    r"canines?|canids?|felids?|bovids?|bovines?|mustelids?|camelids?|wasps?|bees?|ants?|arachnids?|invertebrates?|"
    r"flatworms?|flatfish|figs?|macaws?|wasp|toads?|salmon|squids?|owls?|parrots?|geese|swans?|rats?|mouse|mice|"
    r"rabbits?|hares?|hominids?|weeds?|vines?|succulents?|bamboos?|sedges?|rushes|cichlids?|sturgeons?|"
    r"vertebrate\w*|chordate\w*|tetrapod\w*|perennial\w*|herb|herbs|legume\w*|orchid\w*|antelope\w*|seabird\w*|"
    r"eel|eels|ray|skate|hominin\w*|human\w*|"
    r"crustaceans|annelid\w*|nematode\w*|echinoderm\w*|cephalopod\w*|bivalve\w*|gastropod\w*|snail\w*|duck\w*|"
    r"parrot\w*|owl\w*|wader\w*|waterfowl|cereal|crop|vine|vines|shrubs|yeast|lichen\w*|amoeb\w+|diatom\w*|"
    r"plankton|baobab|pine|oak|lily|rose|rose|sunflower|finch|pheasant|crow|gull|hawk|eagle|salmon|cod|catfish|"
    r"rays|squid|kangaroo)(?:s|es)?\b"
)


def taxon_facts(article: Article, names: Names) -> Iterator[Fact]:
    """All that the rules read about a taxon."""
    yield Fact("P31", Entity(id=local_id("Taxon"), label="taxon"), article.description)
    described = _DESCRIBED.match(article.description)
    own_rank = None
    if described and described["rank"].lower() not in {"taxon", "several genera", "genera"}:
        own_rank = described["rank"].lower()
        if "extinct" in described["adjectives"].lower():
            yield Fact("P31", Entity(id=local_id("Fossil taxon"), label="fossil taxon"), article.description)
        yield Fact("P105", _rank(own_rank, names), article.description)
        yield from _kind_of(described["rest"], article, names)
    elif described is None:
        yield from _kind_of(article.description, article, names)
    found_parents: set[str] = set()
    for number, sentence in enumerate((article.description, *sentences(article.extract)[:4])):
        yield from _parents(article, sentence, number, own_rank, found_parents, names)
        yield from _range(article, sentence, number, names)
    yield from _latin_name(article)


def _rank(rank: str, names: Names) -> Entity:
    return names.titled(_RANK_TITLES.get(rank, rank.capitalize()), rank)


def _kind_of(text: str, article: Article, names: Names) -> Iterator[Fact]:
    """ "flowering plants in the family Araceae": a subclass of flowering plant."""
    text = re.sub(r"\([^()]*\)", "", text)
    text = re.split(
        (
            r"\b(?:in|of|that|which|native|endemic|found|belonging|from|with|known|having|including|commonly|used|"
            r"on|between|closely|grown|called|having|related|comprising|for|containing|originating|widespread|"
            r"cultivated|as)\b|[;,]"
        ),
        text.strip(),
    )[0]
    for part in re.split(r"\s+and\s+", text):
        phrase = re.sub(
            (
                r"^(?:the|an?|large|small|medium-sized|several|mostly|wild|tall|common|various|"
                r"small to medium-sized|giant|long|young)\s+"
            ),
            "",
            part.strip(),
        )
        if (
            not phrase
            or phrase.split()[-1].lower() in {"name", "group", "member", "term", "taxon", "animal-like"}
            or not re.fullmatch(r"[A-Za-z][\w\s'’-]{2,40}", phrase)
            or len(phrase.split()) > 4
        ):
            continue
        phrase = (
            phrase[:1].lower() + phrase[1:]
            if phrase.split()[0] not in lexicon()["demonyms"]
            and not phrase.startswith(("Old", "New", "North", "South"))
            else phrase
        )
        words = phrase.split()
        emitted = False
        for start in range(len(words)):
            suffix = " ".join(words[start:])
            found = names.article(suffix, article.topic)
            if found is not None and found.title != article.title and found.is_common:
                yield Fact("P279", found.entity, article.description)
                emitted = True
                break
        if (not emitted or start) and re.search(_LIVING, words[-1]) and words[0].islower():
            label = singular_phrase(phrase)
            if label.lower() != article.label.lower():
                yield Fact("P279", Entity(id=local_id(label), label=label), article.description)
        for word in words[:-1]:
            if word in lexicon()["characteristics"]:
                yield Fact("P1552", Entity(id=local_id(word), label=word), article.description)


def _parents(
    article: Article, sentence: str, number: int, own_rank: str | None, seen: set[str], names: Names
) -> Iterator[Fact]:
    if number > 1 and not re.match(
        (
            rf"(?:They|It|These|This|The (?:genus|family|order|species|group|class|phylum)|"
            rf"{re.escape(article.label)}s?|The {re.escape(article.label.lower())}s?|{re.escape(article.label)})\b"
        ),
        sentence,
    ):
        return
    for match in _IN_TAXON.finditer(sentence):
        before = sentence[: match.start()]
        name, rank = match["name"], match["rank"]
        if name.lower() in {article.label.lower(), singular_phrase(article.label.lower())} or name in seen:
            continue
        if number and (
            not _OF_SUBJECT.search(before)
            or _OFFSPRING.search(before)
            or re.search(
                (
                    r"\b(?:not|unlike|other|formerly|previously|once|traditionally|sometimes|historically|some|"
                    r"most|closely|related|distinct|sister|similar|two|three|four|five|most of|between|if|or)\b"
                ),
                before[-70:],
            )
        ):
            continue
        if own_rank and not _is_above(rank, own_rank):
            continue
        seen.add(name)
        if number and own_rank is None and _IS_THE_TAXON.search(before[-60:] + match[0]):
            # "swifts make up the family Apodidae": the scientific name of the same group
            yield Fact("P225", Text(value=name), sentence)
            yield Fact("P105", _rank(rank, names), sentence)
            continue
        yield Fact("P171", _taxon(name, article, names), sentence)
        yield Fact("P105", _rank(rank, names), sentence, _taxon(name, article, names))


_IS_THE_TAXON = re.compile(
    r"\b(?:makes? up|constitut\w+|compris\w+|compos\w+|forms?|forming|are|is) (?:all of |"
    r"together )?the (?:[a-z-]+ )?(?:\w+) [A-Z]\w+$"
)


def _taxon(name: str, article: Article, names: Names) -> Entity:
    found = names.article(name, article.topic)
    if found is not None and found.topic == article.topic:
        return found.entity
    return Entity(id=local_id(name), label=name)


_ORDER_OF_RANKS = [
    "domain",
    "superkingdom",
    "kingdom",
    "subkingdom",
    "infrakingdom",
    "superphylum",
    "phylum",
    "division",
    "subphylum",
    "infraphylum",
    "superclass",
    "class",
    "subclass",
    "infraclass",
    "superorder",
    "order",
    "suborder",
    "infraorder",
    "parvorder",
    "superfamily",
    "family",
    "subfamily",
    "tribe",
    "subtribe",
    "genus",
    "subgenus",
    "species",
    "subspecies",
]


def _is_above(rank: str, own: str) -> bool:
    if "clade" in {rank, own}:
        return True
    return _ORDER_OF_RANKS.index(rank) < _ORDER_OF_RANKS.index(own)


_LATIN_ENDING = re.compile(
    r"[A-Z][a-z]+(?:idae|inae|aceae|iformes|oidea|oideae|ptera|phyta|mycota|mycetes|phyceae|opsida)"
)
_OF_GENUS = re.compile(r"\bgenus,? \(?(?P<n>[A-Z][a-z]{3,})\b")


def _latin_name(article: Article) -> Iterator[Fact]:
    """The scientific name: the title where it is one, the name of the genus that an English name stands for."""
    is_genus = re.match(r"Genus\b", article.description) is not None
    is_latin = re.fullmatch(_LATIN, article.label) and not article.is_common and _DESCRIBED.match(article.description)
    heads = is_genus and re.match(rf"{re.escape(article.label)} is a genus\b", article.extract)
    if is_latin or _LATIN_ENDING.fullmatch(article.label) or (heads and not article.is_common):
        yield Fact("P225", Text(value=article.label), article.description)
        return
    match = re.match(
        rf"(?:The |An? )?{re.escape(article.label)}s? \((?P<n>[A-Z][a-z]+ [a-z]{{3,}})[,)]",
        article.extract,
        re.IGNORECASE,
    )
    if match and match["n"][0].isupper():
        yield Fact("P225", Text(value=match["n"]), article.first_sentence)
    elif is_genus and (genus := _OF_GENUS.search(article.first_sentence)):
        yield Fact("P225", Text(value=genus["n"]), article.first_sentence)


_PLACE = r"(?:the )?(?:[a-z-]+ (?:and [a-z-]+ )?)?[A-ZÀ-Þ][\w-]+(?: (?:and |of |the )?[A-Z][\w-]+)*"


def _range(article: Article, sentence: str, number: int, names: Names) -> Iterator[Fact]:
    if number > 1 and not re.match(rf"(?:They|It|These|This|The|Native|{re.escape(article.label)}s?)\b", sentence):
        return
    for match in re.finditer(r"\b(?P<v>native (?:only )?to|endemic to|indigenous to)\b (?P<w>[^.;()]*)", sentence):
        before = sentence[: match.start()]
        if (
            re.search(
                (
                    r"\b(?:not|(?:some|most|other|many|several|two|three|four|its) species|some|most|many|genera|"
                    r"several|two|three|four|other|including|which|whose|such as|one|members|subspecies|ancestors?|"
                    r"cultivars)\b[^,]*$"
                ),
                before,
            )
            and number
        ):
            continue
        text = re.split(
            (
                r"\b(?:but|where|which|that|who|from|although|including|though|with|it|they|as|by|now|has|is|are|"
                r"having|while|for|introduced|particularly|especially|used|belonging|and is|and has|and are|"
                r"and widely|naturalized)\b"
            ),
            match["w"],
        )[0]
        for part in re.split(
            r",\s*(?:and\s+)?|\s+and\s+(?!(?:north|south|east|west|central|tropical|subtropical)\w* [A-Z])", text
        ):
            place = re.sub(
                (
                    r"^(?:the|most of|much of|parts of|mainland|both|large parts of|tropical(?: and subtropical)?|"
                    r"temperate|warm|warmer|cooler|subtropical|regions of|areas of|the tropical regions of|"
                    r"tropical regions of|warmer parts of|central and|northern and|southern and|eastern and|"
                    r"western and)\s+"
                ),
                "",
                part.strip(),
            )
            place = re.sub(
                r"^(?:the|tropical(?: and subtropical)?|temperate|subtropical|parts of|regions of|areas of)\s+",
                "",
                place,
            )
            place = re.sub(
                r"^(?:(?:north|south|east|west|central|mid)[a-z-]*(?: and [a-z]+)? )+(?:parts? of )?(?:the )?",
                "",
                place,
            )
            if not re.fullmatch(r"[A-ZÀ-Þ][\w-]+(?: (?:(?:of|the|and) )?[A-Z][\w-]+){0,3}", place):
                continue
            found = names.article(place)
            if found is not None and found.topic in {"Geography", "Uncategorized", "History"}:
                relation = "P183" if match["v"].startswith("endemic") else "P9714"
                yield Fact(relation, found.entity, sentence)
