"""Pairs from facts of Wikidata and the sentences of Wikipedia that state them (T-REx), by rules."""

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from training.verifier.pair import NEITHER, REFUTES, SUPPORTS, Pair, Target
from wkgfc.reasoning.embedded.lexicon.relations import Profile, lexicon

# Another object of a relation that may have several says little: "X plays the drums" where a text has "the piano".
ANOTHER_OF_MANY: Target = (0.03, 0.17, 0.80)
# Another kind, position, genre, country or language of a thing speaks against the claim about as often as not.
ANOTHER_KIND: Target = (0.03, 0.52, 0.45)
KINDS = {"P31", "P413", "P136", "P495", "P364", "P407"}
MAX_SENTENCE = 400  # characters
_VOWELS = "aeiou"


@dataclass(frozen=True)
class Fact:
    """A fact with one sentence that names both its ends."""

    subject: str
    relation: str
    object: str
    sentence: str


def read_facts(path: Path, without: Collection[str]) -> list[Fact]:
    """Facts whose subject is not ``without``, with the first sentence that holds their object's label."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    facts = []
    for row in rows:
        sentence = next((s for s in row["sentences"] if row["obj_label"] in s and len(s) <= MAX_SENTENCE), None)
        profile = lexicon().get(row["predicate_id"])
        if sentence and profile and profile.says and row["sub_uri"] not in without:
            facts.append(Fact(row["sub_label"], row["predicate_id"], row["obj_label"], sentence))
    return facts


def said(profile: Profile, subject: str, stated: str, *, inverse: bool = False) -> str:
    """A statement as a sentence."""
    template = profile.says_inverse if inverse and profile.says_inverse else profile.says
    article = "an" if stated[:1].lower() in _VOWELS else "a"
    return template.replace("{s}", subject).replace("{o}", stated).replace("{a}", article)


def trex_pairs(facts: list[Fact], rng: random.Random) -> Iterator[Pair]:
    """For each fact the true claim, or one with another object, about another subject, or of another relation.

    The evidence is the sentence or, for a third of the facts, the statement in words.
    """
    objects: dict[str, list[str]] = defaultdict(list)
    by_subject: dict[str, set[str]] = defaultdict(set)
    relations_of: dict[str, list[str]] = defaultdict(list)
    for fact in facts:
        objects[fact.relation].append(fact.object)
        by_subject[f"{fact.subject}|{fact.relation}"].add(fact.object)
    for relation in objects:
        relations_of[_kind_of_objects(relation)].append(relation)
    for fact in facts:
        profile = lexicon()[fact.relation]
        in_words = rng.random() < 1 / 3
        text = said(profile, fact.subject, fact.object) if in_words else fact.sentence
        source = "statement" if in_words else "trex"
        other = rng.choice(objects[fact.relation])
        case = rng.random()
        if case < 0.4:
            claim, target = said(profile, fact.subject, fact.object, inverse=rng.random() < 0.5), SUPPORTS
        elif case < 0.75:
            if other in by_subject[f"{fact.subject}|{fact.relation}"] or other in text:
                continue
            claim = said(profile, fact.subject, other, inverse=rng.random() < 0.3)
            another = ANOTHER_KIND if fact.relation in KINDS else ANOTHER_OF_MANY
            target = REFUTES if profile.one_value else another
        elif case < 0.9:
            stranger = rng.choice(facts)
            if stranger.subject in text or fact.object in by_subject[f"{stranger.subject}|{fact.relation}"]:
                continue
            claim, target = said(profile, stranger.subject, fact.object), NEITHER
        else:
            relations = [r for r in relations_of[_kind_of_objects(fact.relation)] if r != fact.relation]
            if not in_words or not relations:
                continue
            claim, target = said(lexicon()[rng.choice(relations)], fact.subject, fact.object), NEITHER
        yield Pair("" if in_words else fact.subject, text, claim, target, source)


def _kind_of_objects(relation: str) -> str:
    return lexicon()[relation].object
