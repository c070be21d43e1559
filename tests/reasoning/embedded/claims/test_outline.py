"""Outlines: what a claim says of things that it does not name, a clause a step."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.reasoning.embedded.claims.outline import outline_of

WORDS = tuple(
    "the a of whose who that where which in by is was born director capital someone country Anna X Y's , and named "  # noqa: SIM905
    "after it its made music {} directed".split()
)


def clauses(claim: str, *names: str) -> list[str] | None:
    """The clauses of a claim, those that only say a kind with a star."""
    outline = outline_of(claim, names)
    if outline is None:
        return None
    return [clause.text + "*" * clause.is_kind for clause in outline.clauses]


@pytest.mark.parametrize(
    ("claim", "names", "said"),
    [
        (
            "The wife of the author of Dracula died in 1937.",
            ("Dracula",),
            ["{1} is the author of Dracula", "{2} is the wife of {1}", "{2} died in 1937"],
        ),
        (
            "Guernica's painter was born in 1881.",
            ("Guernica",),
            ["{1} is the painter of Guernica", "{1} was born in 1881"],
        ),
        (
            "Apple was founded by someone born in 1955.",
            ("Apple",),
            ["{1} was born in 1955", "Apple was founded by {1}"],
        ),
        (
            "Nepal borders a country whose capital is Beijing.",
            ("Nepal", "Beijing"),
            ["{1} is a country*", "Beijing is the capital of {1}", "Nepal borders {1}"],
        ),
        (
            "The body of water that the Inn flows into is in Germany.",
            ("Inn", "Germany"),
            ["The Inn flows into {1}", "{1} is in Germany"],
        ),
        (
            "The country where the birthplace of Ada Lovelace lies is in Europe.",
            ("Ada Lovelace", "Europe"),
            ["{1} is a country*", "{2} is the birthplace of Ada Lovelace", "{2} lies in {1}", "{1} is in Europe"],
        ),
        (
            "The head of state of the country of citizenship of Jeff Bezos was born in 1946.",
            ("Jeff Bezos",),
            [
                "{1} is the country of citizenship of Jeff Bezos",
                "{2} is the head of state of {1}",
                "{2} was born in 1946",
            ],
        ),
        (
            "Titanic was directed by James Cameron, who was born in Kapuskasing, which is in Canada.",
            ("Titanic", "James Cameron", "Kapuskasing", "Canada"),
            [
                "Kapuskasing is in Canada",
                "James Cameron was born in Kapuskasing",
                "Titanic was directed by James Cameron",
            ],
        ),
        (
            "The composer of Avatar, who died in 2015, was born in Los Angeles.",
            ("Avatar", "Los Angeles"),
            ["{1} is the composer of Avatar", "{1} died in 2015", "{1} was born in Los Angeles"],
        ),
    ],
)
def test_what_is_said_last_is_said_of_the_right_thing(claim: str, names: tuple[str, ...], said: list[str]) -> None:
    assert clauses(claim, *names) == said


def test_a_title_is_no_clause() -> None:
    title = "My Dad Is Better Than Your Dad"
    said = clauses(f"The director of {title} was born in Rome.", title, "Rome")
    assert said == [f"{{1}} is the director of {title}", "{1} was born in Rome"]


@pytest.mark.parametrize(
    "claim", ["Savages is a film.", "The capital of France is Paris.", "Canada has a coastline of 20,000 km.", "Paris."]
)
def test_a_claim_that_names_all_it_speaks_of_has_none(claim: str) -> None:
    assert clauses(claim, "Savages", "France", "Paris", "Canada") is None


def test_slots_in_a_claim_are_not_taken_for_ours() -> None:
    assert clauses("The author of {1} was born in 1847.", "Dracula") is None


def test_clauses_that_the_parse_hangs_on_themselves_end() -> None:
    claim = "Austria is a country whose capital's mayor, whose capital is a city whose mayor is someone, is a mayor."
    assert clauses(claim, "Austria") is None or len(clauses(claim, "Austria") or ()) > 1


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(WORDS),
        max_size=18,
    )
)
def test_any_words_are_read_or_not_read(words: list[str]) -> None:
    outline = outline_of(" ".join(words), ("X", "Anna"))
    if outline is not None:
        numbers = {number for clause in outline.clauses for number in clause.unnamed}
        assert numbers == set(range(1, len(outline.nouns) + 1))
