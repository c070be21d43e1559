"""In which language a claim is, by its script and its function words. English where nothing speaks against it.

A claim is one sentence: statistics over letters need more, and names mislead them. The small words that hold a sentence
together are seldom borrowed, and two of them are enough where English has fewer.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

ENGLISH = "en"
LEAST_WORDS = 2  # function words of a language, and more than English has; with a letter of its own one is enough
LEAST_SHARED = 3  # where all of them are words that names have too; with a letter of its own one less
LETTER = 0.5  # what a letter weighs that English lacks, or that is a word by itself
ENDING = 0.5  # what an English ending weighs

# By the first word of the letters' Unicode names. A script that several languages have is told apart by own letters.
_SCRIPTS: Mapping[str, str] = {
    "CYRILLIC": "ru",
    "GREEK": "el",
    "ARABIC": "ar",
    "HEBREW": "he",
    "DEVANAGARI": "hi",
    "BENGALI": "bn",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
    "HANGUL": "ko",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
}
_OWN_OF_SCRIPT: Mapping[str, tuple[tuple[str, frozenset[str]], ...]] = {
    "ru": (("uk", frozenset("іїєґ")), ("sr", frozenset("јљњћђџ")), ("be", frozenset("ў")), ("mk", frozenset("ѓќѕ"))),
    "ar": (("ur", frozenset("ٹڈڑےں")), ("fa", frozenset("پچژگ"))),
}
_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the of and is was are were in to a an that by for with on from has have had been it its he she his "
        "her they their which who at as not be will would or but this than more about into after before "
        "between",
        "fr": "le la les des du de un une et est sont était été ont dans sur pour par avec qui que ne pas plus au "
        "aux ce cette ces il elle ils elles son sa ses leur leurs mais ou où se d l n s c j qu a en y selon "
        "lors depuis",
        "de": "der die das den dem des ein eine einen einem einer und ist sind war wurde wurden hat haben im in zu "
        "zum zur von vom mit auf für nicht auch als bei nach aus über durch wird werden er sie es ihr ihre "
        "sein seine dass",
        "es": "el la los las un una de del y es son fue fueron era en que por para con se su sus al como más no lo "
        "está están ha han entre sobre desde hasta pero este esta esto o e según ser",
        "it": "il lo la gli le un uno una di del della dei delle degli e è sono era fu stato stata in nel nella che "
        "per con su da dal dalla al alla non più si ha hanno come anche questo questa ma o l d",
        "pt": "o a os as um uma de do da dos das e é são foi foram era em no na nos nas que por para com se seu sua "
        "ao à como mais não está estão tem têm pelo pela entre sobre mas ou este esta isso",
        "ca": "el la els les un una de del dels i és són va van ser en que per amb es seu seva al com més no ha han "
        "o aquest aquesta entre sobre des però l d",
        "ro": "și este sunt era a al ale ai un o de din în la pe cu care că nu mai fost pentru prin după lui ei dar "
        "sau cel cea cei se au fi",
        "nl": "de het een en van is zijn was werd werden in op te met voor door aan bij uit niet ook als dat die "
        "deze dit er hij zij wordt worden heeft hebben naar over om of maar",
        "sv": "och är var det den en ett i på av för med som till har inte de han hon från att om blev vid efter "
        "eller sin sitt sina kan ska",
        "da": "og er var det den en et i på af for med som til har ikke de han hun fra at om blev ved efter eller "
        "sin sit sine kan skal blevet",
        "nb": "og er var det den en ei et i på av for med som til har ikke de han hun fra at om ble ved etter eller "
        "sin sitt sine kan skal blitt",
        "fi": "on oli ja ei ovat olivat se että hän joka jotka myös kuin mutta tai hänen sen ollut vuonna mukaan "
        "kanssa eivät sekä niin",
        "pl": "i jest są był była było były w we na z ze do od się nie że to o po przez przy jako który która które "
        "oraz ale lub za jego jej ich został została dla",
        "cs": "a je jsou byl byla bylo byli v ve na z ze do od se si že to o po při jako který která které nebo ale "
        "za jeho její jejich není pro",
        "hu": "a az és egy van volt nem hogy is meg ki be el voltak lett mint de vagy ez azt csak már minden",
        "tr": "ve bir bu da de ile için olarak olan oldu olduğu değil çok daha en ya ne gibi kadar sonra önce "
        "tarafından dir dır edildi",
        "id": "dan yang di ke dari adalah ini itu dengan untuk pada tidak dalam oleh sebagai telah akan atau juga "
        "karena merupakan lebih",
        "vi": "là của và có không được trong các một những cho với này đã người ở từ đến vào về năm",
    }.items()
}
# Words of other languages that are English too, or particles of names: they tell nothing by themselves.
_SHARED = _WORDS[ENGLISH] | frozenset(
    {"de", "la", "le", "les", "du", "des", "van", "der", "den", "von", "zu", "di", "da", "del", "della", "dos", "das"}
    | {"el", "al", "bin", "ben", "die", "met", "over", "on", "me", "do", "am", "man", "no", "so", "son", "sin", "era"}
    | {"ha", "be", "non", "plus", "são"}
)
_LETTERS: Mapping[str, frozenset[str]] = {
    "fr": frozenset("éèêëàâçùûîïôœ"),
    "de": frozenset("äöüß"),
    "es": frozenset("áéíóúñ¿¡"),
    "it": frozenset("àèéìòù"),
    "pt": frozenset("ãõáéíóúâêôç"),
    "ca": frozenset("àèéíòóúçï·"),
    "ro": frozenset("ăâîșțşţ"),
    "sv": frozenset("åäö"),
    "da": frozenset("æøå"),
    "nb": frozenset("æøå"),
    "fi": frozenset("äö"),
    "pl": frozenset("ąćęłńóśźż"),
    "cs": frozenset("ěščřžýáíéůú"),
    "hu": frozenset("áéíóöőúüű"),
    "tr": frozenset("çğıöşü"),
    "vi": frozenset("ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"),
}


def language_of(text: str) -> str:
    """The language of a claim, as an IETF tag.

    >>> language_of("La tour Eiffel est à Paris."), language_of("The Eiffel Tower is in Paris.")
    ('fr', 'en')
    """
    script = _by_script(text)
    return script if script is not None else _by_words(text)


def function_words(language: str) -> frozenset[str]:
    """The words that hold a sentence of a language together; none where they are not known."""
    return _WORDS.get(language.lower().partition("-")[0], frozenset())


def _by_script(text: str) -> str | None:
    """The language of a script that is not the Latin one, where most letters are of it."""
    scripts = Counter(
        unicodedata.name(letter, "?").partition(" ")[0]
        for letter in unicodedata.normalize("NFKC", text)
        if letter.isalpha()
    )
    if not scripts:
        return None
    if scripts["HIRAGANA"] + scripts["KATAKANA"]:  # Chinese has none of these letters, Japanese writes with both
        scripts["HIRAGANA"] += scripts.pop("CJK", 0) + scripts.pop("KATAKANA", 0)
    script, number = scripts.most_common(1)[0]
    language = _SCRIPTS.get(script.partition("-")[0])
    if language is None or 2 * number < scripts.total():
        return None
    letters = set(text.lower())
    return next((other for other, own in _OWN_OF_SCRIPT.get(language, ()) if letters & own), language)


def _by_words(text: str) -> str:
    normal = unicodedata.normalize("NFC", text)
    letters = {letter for letter in normal.lower() if letter.isalpha() and not letter.isascii()}
    letters |= set(normal) & {"¿", "¡"}
    # Capitalised words are of names ("Van Buren"), but for the first one; single letters are initials too.
    words = Counter(
        word.lower() for place, word in enumerate(_WORD.findall(normal)) if place == 0 or not word[0].isupper()
    )
    hits = {language: sum(words[word] for word in own if len(word) > 1) for language, own in _WORDS.items()}
    score = {
        language: hits[language]
        + sum(LETTER * words[word] for word in own if len(word) == 1)
        + LETTER * len(letters & _LETTERS.get(language, frozenset()))
        for language, own in _WORDS.items()
    }
    score[ENGLISH] += sum(ENDING * number for word, number in words.items() if _ENGLISH_ENDING.search(word))
    score[ENGLISH] += len(_GENITIVE.findall(normal))
    best = max(score, key=lambda language: (score[language], language == ENGLISH))
    if score[best] <= score[ENGLISH]:
        return ENGLISH
    has_letters = bool(letters & _LETTERS.get(best, frozenset()))
    if not any(words[word] for word in _WORDS[best] - _SHARED if len(word) > 1):
        return best if not score[ENGLISH] and hits[best] >= LEAST_SHARED - has_letters else ENGLISH
    return best if hits[best] >= LEAST_WORDS - (has_letters and not hits[ENGLISH]) else ENGLISH


_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH_ENDING = re.compile(r"..(?:ed|ing|ly|ness|ship)$")
_GENITIVE = re.compile(r"\w['’]s\b|\bn['’]t\b")
