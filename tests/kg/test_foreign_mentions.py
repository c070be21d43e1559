"""Names in claims of any language: by capitals, quotation marks and small words, without a parse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.kg.foreign_mentions import propose_by_shape

CASES = [
    ("La tour Eiffel est située à Paris.", {"tour Eiffel", "Eiffel", "Paris"}),
    ("Charles de Gaulle a été président de la République française.", {"Charles de Gaulle", "République française"}),
    ("L'Organisation mondiale de la santé a été fondée en 1948.", {"Organisation mondiale de la santé"}),
    ("Angela Merkel wurde in Hamburg geboren.", {"Angela Merkel", "Hamburg"}),
    ("« Les Misérables » est un roman de Victor Hugo.", {"Les Misérables", "Victor Hugo"}),
    ("Gabriel García Márquez nació en Aracataca, Colombia.", {"Gabriel García Márquez", "Aracataca", "Colombia"}),
    ("Эйфелева башня находится в Париже.", {"Эйфелева башня", "Париже"}),
    ("Ο Πύργος του Άιφελ βρίσκεται στο Παρίσι.", {"Πύργος του Άιφελ", "Παρίσι"}),
    ("東京タワーは東京にある。", {"東京タワー", "東京"}),
    ("北京是中国的首都。", {"北京", "中国"}),
    ("مدينة القاهرة عاصمة مصر", {"القاهرة", "مدينة القاهرة"}),
    ("दिल्ली भारत की राजधानी है", {"दिल्ली", "भारत"}),
]


@pytest.mark.parametrize(("text", "names"), CASES)
def test_names_are_among_what_is_looked_up(text: str, names: set[str]) -> None:
    spans = propose_by_shape(text)
    assert names <= {span.text for span in spans}
    assert all(text[span.start : span.end] == span.text for span in spans)


def test_longer_ones_come_first_and_the_first_word_is_the_subject() -> None:
    spans = propose_by_shape("Victor Hugo est né à Besançon.")
    assert spans[0].text == "Victor Hugo"
    assert {span.text: span.role for span in spans} == {
        "Victor Hugo": "subject",
        "Hugo": "other",
        "Besançon": "other",
    }


def test_a_graph_that_knows_its_names_says_which_runs_are_any() -> None:
    spans = propose_by_shape("القاهرة عاصمة مصر", known=lambda forms: frozenset({"القاهرة"}) & set(forms))
    assert [span.text for span in spans] == ["القاهرة"]


def test_the_first_word_of_a_run_is_no_name_by_itself_but_where_all_nouns_have_capitals() -> None:
    french = {span.text for span in propose_by_shape("Aileen Cannon a été arrêtée à Miami.")}
    assert french == {"Aileen Cannon", "Cannon", "Miami"}
    german = {span.text for span in propose_by_shape("Bei den Spielen hat Spanien Gold gewonnen.")}
    assert "Spanien" in german


def test_punctuation_ends_a_name() -> None:
    texts = {span.text for span in propose_by_shape("Il vit à Paris, Lyon et Nice.")}
    assert {"Paris", "Lyon", "Nice"} <= texts
    assert "Paris, Lyon" not in texts


@given(st.text(max_size=300))
def test_any_text_has_few_spans_and_each_is_verbatim(text: str) -> None:
    spans = propose_by_shape(text)
    assert len(spans) <= 40
    assert all(text[span.start : span.end] == span.text for span in spans)
