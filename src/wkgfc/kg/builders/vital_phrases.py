"""Noun phrases of a parse as labels of nodes, and the verb forms that the rules need.

The parse comes without a lemmatizer, so what is needed of one stands here.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wkgfc.kg.builders.vital_names import lexicon, singular

if TYPE_CHECKING:
    from spacy.tokens import Token

# What an adjective in front says about a thing only from where the writer stands.
_NO_KIND = frozenset(
    ["large", "larger", "largest", "small", "smaller", "smallest", "major", "minor", "main", "many", "several", "various", "other", "another", "certain", "different", "important", "common", "commonly", "primary", "principal", "specific", "particular", "single", "first", "second", "third", "fourth", "fifth", "last", "next", "same", "such", "own", "good", "great", "simple", "general", "typical", "popular", "famous", "notable", "well-known", "significant", "widespread", "similar", "broad", "broader", "wide", "entire", "whole", "basic", "fundamental", "key", "central", "most", "more", "less", "few", "multiple", "numerous", "prominent", "early", "late", "earlier", "later", "recent", "modern", "current", "present", "former", "old", "older", "new", "special", "unique", "distinct", "distinctive", "possible", "potential", "related", "original", "latter", "additional", "individual", "diverse", "varied", "usual", "normal", "standard", "traditional", "typical", "long", "short", "tall", "high", "low", "big", "huge", "vast", "tiny", "only", "sole", "best", "known", "oldest", "highest", "deepest", "longest", "populous", "extensive", "additional", "further", "significant", "essential", "vital", "prime", "chief", "leading", "extremely", "highly", "very", "particularly", "closely", "relatively", "usually", "often", "sometimes", "generally", "mainly", "mostly", "primarily", "typically", "especially", "also", "both", "each", "every", "any", "all", "some", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
)
LIGHT_NOUNS = frozenset(
    ["type", "types", "kind", "kinds", "form", "forms", "sort", "sorts", "variety", "varieties", "class", "classes", "category", "genre", "style", "breed", "subtype", "subset", "subclass", "subgenre", "member", "members", "example", "examples", "piece", "pieces", "case", "cases"]
)
# Nouns that say nothing without what follows them.
_EMPTY_NOUNS = frozenset(
    ["thing", "things", "way", "ways", "one", "ones", "part", "parts", "number", "numbers", "amount", "amounts", "range", "lot", "series", "set", "use", "uses", "people", "person", "purpose", "purposes", "something", "anything", "everything", "nothing", "example", "examples", "aspect", "aspects", "area", "areas", "kind", "kinds", "type", "types", "form", "forms", "variety", "varieties", "order", "orders", "time", "times", "place", "places", "reason", "reasons", "fact", "case", "cases", "group", "groups", "member", "members", "term", "terms", "name", "names", "body", "level", "levels", "basis", "result", "results", "effect", "effects", "work", "other", "others", "addition", "point", "points", "issue", "issues", "matter", "matters", "means", "process", "processes", "role", "side", "sides", "end", "ends", "feature", "features", "element", "elements", "component", "components", "factor", "factors", "item", "items", "majority", "half", "rest", "total", "combination", "degree", "extent", "study", "branch", "concept", "idea", "ability", "property", "properties", "state", "condition", "it", "them", "he", "she", "they", "who", "which", "that", "this", "these", "those", "what", "species", "genera", "world", "country", "countries", "region", "regions", "years", "year", "day", "days", "century", "centuries", "decades", "couple", "pair", "many", "most", "some", "all", "more", "much", "each", "both", "either", "neither", "few", "several", "line", "lines", "definition", "meaning", "sense", "senses", "history", "day", "context", "field", "fields", "method", "methods", "technique", "techniques", "person", "individual", "individuals", "system", "systems", "structure", "structures", "object", "objects", "material", "materials", "substance", "substances", "product", "products", "event", "events", "activity", "activities", "situation", "situations", "place", "location", "locations", "source", "sources", "position", "layer", "unit", "units", "application", "applications", "change", "changes", "characteristic", "characteristics", "population", "populations", "value", "values", "measure", "action", "actions", "task", "tasks", "service", "services", "principle", "principles", "practice", "practices", "resource", "resources", "function", "functions", "society", "others", "tradition", "traditions", "environment", "environments", "conditions", "situations", "quality", "qualities", "information", "need", "needs", "size", "sizes", "shape", "shapes", "rise", "piece", "pieces", "organisation", "entity", "entities"]
)
_PREPOSITIONS_KEPT = frozenset({"of"})


def objects(token: "Token") -> Iterator["Token"]:
    """The token and what is joined to it by "and", "or" and commas."""
    yield token
    for child in token.children:
        if child.dep_ == "conj" and child.tag_[:2] in {"NN", "VB"}:
            yield from objects(child)


def noun_phrase(token: "Token", *, keep_of: bool = True) -> str | None:
    """The phrase that the noun heads as a label: its modifiers in front, and an "of" behind; ``None`` if it says nothing.

    "a wide variety of stringed instruments" is "stringed instruments".
    """
    if token.tag_[:2] != "NN":
        return None
    of = next(
        (child for child in token.children if child.dep_ == "prep" and child.lower_ == "of" and child.i > token.i), None
    )
    inner = next((child for child in of.children if child.dep_ == "pobj"), None) if of is not None else None
    if inner is not None and token.lower_ in _TRANSPARENT:
        return noun_phrase(inner, keep_of=keep_of)
    if any(child.dep_ == "neg" or child.lower_ in {"no", "non", "without"} for child in token.children):
        return None
    words = modifiers(token)
    if not words and token.lower_ in _EMPTY_NOUNS and (inner is None or not keep_of):
        return None
    if any(child.dep_ == "poss" and child.tag_ == "PRP$" for child in token.children) and token.lower_ in _EMPTY_NOUNS:
        return None
    text = " ".join((*words, token.text))
    if keep_of and inner is not None and not any(child.dep_ == "conj" for child in inner.children):
        tail = noun_phrase(inner, keep_of=False)
        if tail is None:
            return None if token.lower_ in _EMPTY_NOUNS else _clean(text)
        text = f"{text} of {tail}"
    return _clean(text)


_TRANSPARENT = frozenset(
    ["variety", "range", "number", "lot", "group", "groups", "type", "types", "kind", "kinds", "form", "forms", "sort", "set", "series", "pair", "couple", "piece", "pieces", "amount", "amounts", "combination", "collection", "mixture", "majority", "array", "wealth", "body", "handful", "bit", "varieties", "assortment", "class", "classes", "selection", "members", "species", "parts", "part", "areas"]
)


def modifiers(token: "Token") -> list[str]:
    """The words in front of a noun that belong to its name, without determiners, numbers and evaluations."""
    first = token.i
    parts = [
        child
        for child in token.children
        if child.i < token.i
        and child.dep_
        in {"amod", "compound", "nmod", "npadvmod", "punct", "advmod", "poss", "nummod", "quantmod", "det"}
    ]
    kept: list[str] = []
    expected = token.i
    for child in reversed(parts):
        if child.right_edge.i != expected - 1:
            break
        expected = child.left_edge.i
        if child.dep_ in {"det", "nummod", "poss", "quantmod"} or child.tag_ in {
            "CD",
            "JJR",
            "JJS",
            "PRP$",
            "RBR",
            "RBS",
        }:
            break
        text = token.doc[child.left_edge.i : child.right_edge.i + 1].text
        if child.dep_ == "punct" and text not in {"-", "–"}:
            break
        if any(part.tag_ in {"CC", "IN", ","} for part in child.subtree):
            break
        kept.insert(0, text)
        first = child.left_edge.i
    del first
    text = re.sub(r"\s*([-–])\s*", r"\1", " ".join(kept))
    words = text.split()
    while words and (words[0].lower() in _NO_KIND or words[0] in {"-", "–"}):
        words = words[1:]
    return words


def _clean(text: str) -> str | None:
    text = re.sub(r"\s*([-–/])\s*", r"\1", text)
    text = re.sub(r"\s+(['’]s?)\b", r"\1", text).strip(" -–'\"“”,.;:")
    if not re.fullmatch(r"[^\W\d_][\w\s'’–/.-]*", text) or len(text) > 50 or len(text.split()) > 6 or len(text) < 3:
        return None
    return text


def without_nationality(phrase: str) -> tuple[str, list[str]]:
    """The phrase without the demonyms in front of it, and the countries that they name."""
    countries: list[str] = []
    words = phrase.split()
    demonyms = lexicon()["demonyms"]
    while len(words) > 1:
        if " ".join(words[:2]) in demonyms and len(words) > 2:
            countries.append(demonyms[" ".join(words[:2])])
            words = words[2:]
        elif words[0] in demonyms:
            countries.append(demonyms[words[0]])
            words = words[1:]
        else:
            break
    return " ".join(words), countries


_DOUBLED = frozenset(
    ["cut", "put", "run", "stop", "plan", "control", "cutoff", "dig", "fit", "get", "hit", "let", "map", "plot", "pump", "sit", "step", "stir", "swim", "trim", "wrap", "ship", "tap", "transfer", "refer", "shut", "spin", "trap", "drop", "grip", "rub", "strip", "chop"]
) - {"pump"}


def gerund(verb: str) -> str:
    """ "measure" as "measuring", "cut" as "cutting"."""
    verb = verb.lower()
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if verb in _DOUBLED else "") + "ing"


def base_of_third_person(verb: str) -> str:
    """ "washes" as "wash", "carries" as "carry"."""
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def head_form(phrase: str) -> str:
    """The phrase in lower case with its head in the singular, to compare phrases by."""
    words = phrase.lower().split()
    return " ".join((*words[:-1], singular(words[-1]))) if words else ""
