"""Which texts stand against a statement: those that speak of the matter, on other pages, and are sure together."""

import pytest

from scripted import passage, triple
from wkgfc.evidence import Evidence, EvidenceGraph, Stance
from wkgfc.reasoning.embedded.texts.standing import page_of, texts_against

CLAIM = "The capital of Australia is Sydney."
FOR = Stance(supports=0.95, refutes=0.01, neither=0.04)
AGAINST = Stance(supports=0.01, refutes=0.95, neither=0.04)


def graded(
    text: str,
    *,
    url: str = "https://example.org/1",
    title: str = "News",
    stance: Stance = FOR,
    consistency: float = 0.8,
) -> Evidence:
    return EvidenceGraph().add_passage(
        passage(text, url=url, title=title), relevance=0.9, stance=stance, consistency=consistency, quote=text
    )


def test_a_text_that_says_what_the_claim_says_stands_as_sure_as_it_is() -> None:
    found = texts_against(CLAIM, [graded("Sydney is the capital of Australia.")], "supports", ())
    assert found.sureness == pytest.approx(0.95 * 0.8)
    assert found.evidence_ids == {"W1"}


@pytest.mark.parametrize(
    "silent",
    [
        graded("The opera house stands in Sydney, Australia."),
        graded("Sydney is the capital of Australia.", stance=Stance(supports=0.4, refutes=0.1, neither=0.5)),
        graded("Sydney is the capital of Australia.", stance=AGAINST),
        graded("", title=""),
    ],
)
def test_silence_and_doubt_do_not_stand(silent: Evidence) -> None:
    assert texts_against(CLAIM, [silent], "supports", ()).sureness == 0.0


def test_the_page_of_the_statement_itself_does_not_stand_against_it() -> None:
    text = graded("Sydney is the capital of Australia.")
    assert texts_against(CLAIM, [text], "supports", {page_of(text)}).sureness == 0.0


def test_different_pages_add_up_and_passages_of_one_page_do_not() -> None:
    said = [f"Sydney is the capital of Australia, {where}." for where in ("it says", "we hear")]
    same = texts_against(CLAIM, [graded(text) for text in said], "supports", ())
    other = texts_against(
        CLAIM, [graded(text, url=f"https://example.org/{number}") for number, text in enumerate(said)], "supports", ()
    )
    assert same.sureness == pytest.approx(0.76)
    assert other.sureness == pytest.approx(1 - 0.24**2)
    assert (same.pages, other.pages) == (1, 2)


def test_a_refutation_names_another_value_in_the_place_of_the_claimed_one() -> None:
    text = graded("The capital of Australia is Canberra.", stance=AGAINST)
    assert texts_against(CLAIM, [text], "refutes", ()).sureness > 0.7
    assert texts_against(CLAIM, [graded("It is large.", stance=AGAINST)], "refutes", ()).sureness == 0.0


def test_statements_read_from_passages_are_left_to_their_passages() -> None:
    graph = EvidenceGraph()
    page = graph.add_passage(passage("Sydney is the capital of Australia."))
    fact = graph.add_web_triple(triple("Australia", "P36", "Sydney"), passage_id=page.id, consistency=0.9)
    assert texts_against(CLAIM, [graph.update(fact.id, stance=FOR)], "supports", ()).sureness == 0.0
