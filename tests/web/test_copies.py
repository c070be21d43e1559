"""One text on many pages is one passage, with all its addresses, and one source."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.evidence import Passage, Source
from wkgfc.web.copies import containment, fold_copies
from wkgfc.web.filtering import sift
from wkgfc.web.page import Page
from wkgfc.web.search import Hit

STORY = (
    "The bridge over the river was opened on Monday by the mayor, three years after work had begun on the site. "
    "It is 320 metres long and cost 41 million pounds, the council said in a statement published on its pages. "
    "The ferry, which had crossed since 1711, made its last trip on Sunday evening with four hundred people on board."
)
OTHER = (
    "A museum of ferries is to be built on the southern bank, where the old pier stood until a storm took it in 1923. "
    "Its first director, a former captain, says that it will show the boats themselves and not pictures of them."
)


def hit(text: str, url: str | None, score: float = 1.0, text_id: str | None = None) -> Hit:
    return Hit(passage=Passage(text=text, url=url, source=Source(name="serper", url=url, text_id=text_id)), score=score)


def test_a_copy_is_folded_into_the_first() -> None:
    copy = STORY.replace("on Monday", "on Monday morning").upper()
    folded = fold_copies(
        [hit(STORY, "https://a.example/"), hit(OTHER, "https://b.example/"), hit(copy, "https://c.example/")]
    )
    assert [each.passage.url for each in folded] == ["https://a.example/", "https://b.example/"]
    assert folded[0].passage.copies == ("https://c.example/",)
    assert folded[0].passage.text == STORY
    assert folded[1].passage.copies == ()


def test_a_snippet_is_folded_into_the_passage_that_it_is_cut_from() -> None:
    snippet = "It is 320 metres long and cost 41 million pounds, the council said in a ..."
    for hits in ([hit(STORY, "a"), hit(snippet, "b")], [hit(snippet, "b"), hit(STORY, "a")]):
        (only,) = fold_copies(hits)
        assert {only.passage.url, *only.passage.copies} == {"a", "b"}


def test_a_passage_on_another_page_is_known_wherever_its_windows_are_cut() -> None:
    first, second = STORY[:107], STORY[107:]
    texts = {"a": STORY, "b": f"{OTHER} {STORY} {OTHER}"}
    folded = fold_copies([hit(first, "a", text_id="a"), hit(second + " " + OTHER, "b", text_id="b")], texts)
    assert folded[0].passage.copies == ("b",)


def test_passages_of_one_text_on_two_pages_are_one_source() -> None:
    first, second = STORY[:107], STORY[107:]
    texts = {"a": STORY, "b": STORY}
    folded = fold_copies([hit(first, "a", text_id="a"), hit(second, "b", text_id="b")], texts)
    assert [each.passage.copies for each in folded] == [("b",), ("a",)]
    assert {each.passage.source.text_id for each in folded} == {"a"}


def test_what_two_pages_share_by_the_way_is_no_copy() -> None:
    news = f"{STORY[:107]} {OTHER}"
    folded = fold_copies([hit(STORY, "a"), hit(news, "b")], {"a": STORY, "b": news})
    assert [each.passage.copies for each in folded] == [(), ()]


def test_short_texts_are_copies_only_word_for_word() -> None:
    folded = fold_copies([hit("Opened in 1859.", "a"), hit("opened in 1859", "b"), hit("Opened in 1860.", "c")])
    assert [each.passage.url for each in folded] == ["a", "c"]
    assert folded[0].passage.copies == ("b",)


def test_all_that_only_repeat_the_claim_are_one() -> None:
    claim = "Water boils at 100 °C."
    hits = [hit("“Water boils at 100 °C!”", "a"), hit(STORY, "b"), hit("water boils at 100 °c", "c")]
    folded = fold_copies(hits, claim=claim)
    assert [each.passage.url for each in folded] == ["a", "b"]
    assert folded[0].passage.copies == ("c",)
    assert [entry.held_back for entry in sift(folded, claim)] == ["repeats the claim", None]


def test_passages_without_an_address_are_folded_too() -> None:
    (only,) = fold_copies([hit(STORY, None), hit(STORY, None), hit(STORY, "a")])
    assert only.passage.copies == ("a",)


def test_containment_is_a_share() -> None:
    assert containment(STORY, f"{OTHER} {STORY}") == 1.0
    assert containment(STORY, OTHER) < 0.05
    assert containment("", STORY) == 0.0


TEXTS = st.lists(
    st.sampled_from([STORY, OTHER, STORY[:107], "Opened.", "", "漢字", "a b c d e f g h i j k"]), max_size=8
)


@given(TEXTS)
def test_nothing_is_lost_and_nothing_is_twice(texts: list[str]) -> None:
    hits = [hit(text, f"https://{number}.example/") for number, text in enumerate(texts)]
    folded = fold_copies(hits, {f"https://{number}.example/": text for number, text in enumerate(texts)})
    known = {address for each in folded for address in (each.passage.url, *each.passage.copies)}
    assert known == {each.passage.url for each in hits}
    assert fold_copies(folded) == folded
    assert all(each.passage.url not in each.passage.copies for each in folded)


def test_a_page_of_many_windows_is_folded_into_its_copy() -> None:
    now = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    text = "\n\n".join(
        f"Paragraph {number} of the report says that bridge {number} is safe." * 8 for number in range(40)
    )
    pages = [
        Page(url=url, address=url, text=text, retrieved_at=now) for url in ("https://a.example", "https://b.example")
    ]
    hits = [Hit(passage=passage, score=1.0) for page in pages for passage in page.passages("serper")]
    folded = fold_copies(hits, {page.url: page.text for page in pages})
    assert len(folded) == len(hits) / 2
    assert all(each.passage.copies == ("https://b.example",) for each in folded)


AGENCY = (
    "At least 12 people were killed when a train left the rails near the northern harbour on Monday evening, the "
    "ministry of transport said, and the line to the capital was closed while the wreckage was taken away."
)


@pytest.mark.parametrize(
    "other",
    [
        AGENCY.replace("12", "340"),
        AGENCY.replace("12", "twelve hundred"),
        AGENCY.replace("12 people", "12 or 340 people"),
        AGENCY.replace("was closed", "was not closed"),
        AGENCY.replace("the ministry of transport said", "the ministry of transport didn't say"),
        AGENCY.replace("At least 12 people", "Nobody"),
        "It is not true that at" + AGENCY[2:],
        "Several trains ran late in the whole country on that day, said the company that runs them. It is not true "
        "that at" + AGENCY[2:],
    ],
)
def test_another_number_or_a_denial_is_another_statement(other: str) -> None:
    for hits in ([hit(AGENCY, "a"), hit(other, "b")], [hit(other, "b"), hit(AGENCY, "a")]):
        texts = {each.passage.url or "": each.passage.text for each in hits}
        folded = fold_copies(hits, texts)
        assert [(each.passage.url, each.passage.copies) for each in folded] == [(url, ()) for url in texts]
        assert [entry.held_back for entry in sift(hits, "A claim.")] == [None, None]


def test_numbers_that_change_places_are_another_statement() -> None:
    told = f"{AGENCY} It killed 12 people in Rome and hurt 340 people in Milan, and that was all."
    turned = f"{AGENCY} It killed 340 people in Rome and hurt 12 people in Milan, and that was all."
    assert len(fold_copies([hit(told, "a"), hit(turned, "b")])) == 2


def test_what_a_longer_text_says_further_on_is_no_contradiction() -> None:
    longer = f"{OTHER} {AGENCY} Its driver had worked for nine years, and was not hurt, a spokesman said."
    (only,) = fold_copies([hit(longer, "a"), hit(AGENCY, "b")])
    assert only.passage.copies == ("b",)
