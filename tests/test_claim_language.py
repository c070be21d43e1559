"""The language of a claim is told from its words, and is English where nothing speaks against it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.claim import read_claim
from wkgfc.claim_language import function_words, language_of

SENTENCES = {
    "en": "The Eiffel Tower was opened in 1889.",
    "fr": "La tour Eiffel a été inaugurée en 1889.",
    "de": "Der Eiffelturm wurde im Jahr 1889 eröffnet.",
    "es": "La torre Eiffel fue inaugurada en 1889 para la exposición.",
    "it": "La torre Eiffel è stata inaugurata nel 1889.",
    "pt": "A torre Eiffel foi inaugurada em 1889 e não é de madeira.",
    "nl": "De Eiffeltoren werd in 1889 geopend en is niet van hout.",
    "sv": "Eiffeltornet är inte det högsta tornet i världen.",
    "fi": "Eiffel-torni ei ole maailman korkein torni, mutta se on Pariisissa.",
    "pl": "Wieża Eiffla została otwarta w 1889 roku i nie jest z drewna.",
    "cs": "Eiffelova věž byla otevřena v roce 1889 a není ze dřeva.",
    "hu": "Az Eiffel-torony egy vasból készült torony, és nem a legmagasabb.",
    "tr": "Eyfel Kulesi 1889 yılında açıldı ve çok yüksek bir kuledir.",
    "vi": "Tháp Eiffel là một công trình bằng thép ở Paris và không được làm bằng gỗ.",
    "id": "Menara Eiffel adalah menara yang dibuka pada tahun 1889 dan tidak terbuat dari kayu.",
    "ru": "Эйфелева башня была открыта в 1889 году.",
    "uk": "Ейфелева вежа є у Парижі.",
    "el": "Ο Πύργος του Άιφελ βρίσκεται στο Παρίσι.",
    "ar": "افتتح برج إيفل عام 1889.",
    "fa": "برج ایفل در پاریس گشوده شد.",
    "he": "מגדל אייפל נחנך בשנת 1889.",
    "hi": "एफिल टॉवर पेरिस में है।",
    "th": "หอไอเฟลอยู่ในกรุงปารีส",
    "ko": "에펠탑은 파리에 있다.",
    "ja": "エッフェル塔はパリにある。",
    "zh": "埃菲尔铁塔位于巴黎。",
}
NAMES_OF_OTHERS = [
    "Vincent van Gogh was a Dutch painter.",
    "Charles de Gaulle was born in Lille.",
    "Oscar de la Hoya died in 1990.",
    "Les Misérables was written by Victor Hugo.",
    "Juan Carlos I of Spain abdicated.",
    "São Tomé and Príncipe borders no country.",
    "E. O. Wilson studies ants.",
    "Didn't Mozart die in Vienna?",
    "Il Trovatore and La Traviata are operas.",
    "1889",
]


@pytest.mark.parametrize(("language", "text"), SENTENCES.items())
def test_a_sentence_is_in_its_language(language: str, text: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize("text", NAMES_OF_OTHERS)
def test_names_make_no_other_language(text: str) -> None:
    assert language_of(text) == "en"


def test_a_claim_has_the_language_of_its_words_or_the_one_that_is_given() -> None:
    assert read_claim(SENTENCES["fr"]).language == "fr"
    assert read_claim(SENTENCES["en"]).language == "en"
    assert read_claim(SENTENCES["en"], language="fr").language == "fr"


def test_the_words_of_a_tag_are_those_of_its_language() -> None:
    assert "und" in function_words("de-AT")
    assert function_words("tlh") == frozenset()


@given(st.text(max_size=200))
def test_any_text_has_a_language(text: str) -> None:
    assert 2 <= len(language_of(text)) <= 3
