"""Parses: the small model's, and what becomes of a sentence in which it sees no verb."""

import pytest

from wkgfc.language import english, parse


@pytest.mark.parametrize(
    ("text", "subject", "verb", "object_"),
    [
        ("Nepal borders Brazil.", "Nepal", "border", "Brazil"),
        ("Chad borders Peru.", "Chad", "border", "Peru"),
        ("Blade Runner 2049 stars Kermit the Frog.", "Runner", "star", "Kermit"),
        ("France borders Japan.", "France", "border", "Japan"),  # the model sees this one by itself
    ],
)
def test_a_verb_that_looks_like_a_plural_is_the_predicate(text: str, subject: str, verb: str, object_: str) -> None:
    doc = parse(text)
    assert doc.text == text
    root = next(token for token in doc if token.head == token)
    assert (root.lemma_, root.pos_) == (verb, "VERB")
    ends = {child.dep_: child.text for child in root.children}
    assert (ends["nsubj"], ends["dobj"]) == (subject, object_)


def test_names_are_found_beside_such_a_verb() -> None:
    assert [(entity.text, entity.label_) for entity in parse("Nepal borders Brazil.").ents] == [
        ("Nepal", "GPE"),
        ("Brazil", "GPE"),
    ]


@pytest.mark.parametrize(
    "text", ["", "Paris", "The old houses of Berlin", "Nepal borders", "Rivers of Nepal.", "Berlin's parks.", "a b c"]
)
def test_what_has_no_verb_stays_without_one(text: str) -> None:
    doc = parse(text)
    assert doc.text == text
    assert not any(token.pos_ == "VERB" for token in doc)


def test_a_sentence_with_a_verb_is_as_the_model_reads_it() -> None:
    text = "Nepal has borders with China."
    assert parse(text).to_bytes() == english()(text).to_bytes()
