"""What near copies differ in: with another number, or with a "not", a text says something else in the same words.

Agencies send a story again with the new toll, and a denial repeats what it denies. Such texts share nearly all of their
shingles and are no copies of each other. The words are those of the languages that the web is mostly read in here; a
language without a list has its digits.
"""

import re
from collections.abc import Sequence

SHINGLE_WORDS = 3
REACH = 5  # words beside a stretch that both texts have, in which the longer one may turn it: "it is not true that …"

_NEGATION_WORDS = (
    "not no never none nobody nothing neither nor without cannot t false untrue denied denies deny "  # English; didn-t
    "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne weder "  # German
    "ne n pas jamais aucun aucune personne rien sans ni non "  # French
    "nunca jamás ningún ninguno ninguna nadie nada sin tampoco "  # Spanish
    "não nenhum nenhuma ninguém nem sem jamais "  # Portuguese
    "mai nessun nessuno nessuna niente nulla senza né "  # Italian
    "niet geen nooit niemand niets zonder inte aldrig ingen ikke aldri nie nigdy bez не нет ни без никогда"
)
_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands "
    "million millions billion billions trillion dozen dozens half third quarter double twice first second "
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert "
    "tausend millionen milliarde milliarden dutzend "
    "deux trois quatre cinq sept huit neuf dix onze douze quinze vingt trente quarante cinquante cent cents mille "
    "millions milliard milliards douzaine "
    "dos tres cuatro cinco seis siete ocho nueve diez doce quince veinte treinta cuarenta cincuenta cien ciento mil "
    "millón millones docena "
    "dois duas três quatro sete oito nove dez doze vinte trinta quarenta cinquenta cem milhão milhões dúzia "
    "due tre quattro cinque sei sette otto nove dieci undici dodici venti trenta quaranta cinquanta cento mila "
    "milione milioni miliardo miliardi dozzina"
)
_NEGATIONS, _NUMBERS = frozenset(_NEGATION_WORDS.split()), frozenset(_NUMBER_WORDS.split())
# Chinese and Japanese are written without spaces: what stands here for a word is a clause.
_IN_A_CLAUSE = re.compile(r"\d|[不没沒無无未非否零一二三四五六七八九十百千万萬億亿兆]|ない|ません|なかった")


def says_otherwise(first: str, second: str) -> bool:
    """Whether two nearly equal texts differ in a number or a negation.

    What the shorter one has of its own counts wherever it stands, and so does the order of its numbers. Of the longer
    one's own words those count that stand between two shared stretches, and negations also beside one, in its sentence:
    what it says further on is no contradiction.

    >>> says_otherwise("At least 12 people were killed.", "At least 340 people were killed.")
    True
    """
    (words, _), (others, sentences) = sorted((_sentences(first), _sentences(second)), key=lambda each: len(each[0]))
    if words == others:
        return False
    deciding = iter([word for word in others if _decides(word)])
    if not all(word in deciding for word in words if _decides(word)):  # in the same order, others between them
        return True
    shared = shingles_of(words) & shingles_of(others)
    if any(_decides(word) for word, held in zip(words, _held(words, shared), strict=True) if not held):
        return True
    held = _held(others, shared)
    for place, word in enumerate(others):
        if held[place] or not _decides(word):
            continue
        before = [near for near in range(max(place - REACH, 0), place) if held[near]]
        after = [near for near in range(place + 1, min(place + 1 + REACH, len(others))) if held[near]]
        beside = any(sentences[near] == sentences[place] for near in (*before, *after))
        if (before and after) or (beside and word in _NEGATIONS):
            return True
    return False


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    return re.findall(r"\w+", text.lower())


def shingles_of(words: Sequence[str]) -> frozenset[str]:
    """The stretches of three words, or all of a shorter text."""
    if len(words) < SHINGLE_WORDS:
        return frozenset({" ".join(words)}) if words else frozenset()
    return frozenset(" ".join(words[start : start + SHINGLE_WORDS]) for start in range(len(words) - SHINGLE_WORDS + 1))


def _sentences(text: str) -> tuple[list[str], list[int]]:
    """The words of a text, and the number of the sentence that each stands in."""
    words: list[str] = []
    sentences: list[int] = []
    number = 0
    for found in re.findall(r"\w+|[.!?…。！？]", text.lower()):
        if found[0] in ".!?…。！？":
            number += 1
        else:
            words.append(found)
            sentences.append(number)
    return words, sentences


def _held(words: Sequence[str], shared: frozenset[str]) -> list[bool]:
    """Which words stand in a shared shingle."""
    held = [False] * len(words)
    for start in range(len(words) - SHINGLE_WORDS + 1):
        if " ".join(words[start : start + SHINGLE_WORDS]) in shared:
            held[start : start + SHINGLE_WORDS] = [True] * SHINGLE_WORDS
    return held


def _decides(word: str) -> bool:
    return word in _NEGATIONS or word in _NUMBERS or _IN_A_CLAUSE.search(word) is not None
