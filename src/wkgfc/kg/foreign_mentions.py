"""Which stretches of a claim may name an entity, in any language: by quotation marks, capitals and small words alone.

There is no parse for most languages. What is written as a name is found where a script has capitals; where it has none,
runs of words are looked up, or of letters between the particles that hold a sentence without spaces together.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wkgfc.claim_language import function_words, language_of
from wkgfc.kg.mentions import Kind, Known, Role, Span

MAX_RUN = 4  # words of a run in a script without capitals
MAX_TAIL = 4  # words in small letters that a name may go on with: "Organisation mondiale de la santé"
MAX_SPANS = 40  # of which linking looks up the first ones
LEAST_LETTERS = 2  # of a run in a script without spaces
SMALL = 3  # letters: shorter words without a capital name nothing by themselves
CAPITALISED_NOUNS = frozenset({"de"})  # languages in which a capital before another one begins no longer name

Stretch = tuple[int, int, Kind]

_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^“”]+)”|„([^„“”]+)[“”]|«\s*([^«»]+?)\s*»|「([^「」]+)」|『([^『』]+)』|《([^《》]+)》"
)
_TOKEN = re.compile(r"[^\s\"“”„«»「」『』《》()\[\]{}<>,;:!?¿¡…。、，；：！？।؟،—–]+")
# Inside of a name: "Charles de Gaulle", "Museo del Prado", "Ibn al-Haytham".
_PARTICLES = frozenset(
    {"de", "del", "della", "dello", "delle", "dei", "di", "da", "do", "dos", "das", "du", "des", "la", "le", "les"}
    | {"los", "las", "el", "al", "van", "von", "der", "den", "zu", "zur", "zum", "et", "y", "e", "i", "und", "af", "av"}
    | {"of", "the", "bin", "ibn", "ter", "ten", "op", "aan", "sur", "en", "sous", "in", "im", "am", "des"}
)
_ELIDED = re.compile(r"(?:l|d|qu|n|s|j|c|m|t|un|dell|nell|all|dall|sull)['’](?=[^\W\d_])", re.IGNORECASE)
_WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]+")
_BETWEEN = re.compile(
    r"[\u3040-\u309f]+|[的是在了和与與及于於被由有为為位出生任职職曾也都个個其这這那]|成立|来自|來自|担任|擔任|位于|位於"
)


@dataclass(frozen=True)
class _Word:
    """A word of the claim, by its place in the text."""

    text: str
    start: int
    end: int
    follows_at_once: bool  # no punctuation stands before it

    @property
    def is_capitalised(self) -> bool:
        return self.text[:1].isupper()

    @property
    def is_particle(self) -> bool:
        return self.text.lower() in _PARTICLES


def propose_by_shape(text: str, known: Known | None = None) -> tuple[Span, ...]:
    """All spans of a claim that may name an entity: longest first, then in the order of the text.

    What begins the claim is its subject, as in most languages' sentences. With ``known``, those come that are whole
    names of the graph, and quotations and capitalised runs beside them.
    """
    spans: dict[tuple[int, int], Span] = {}
    for start, end, kind in (*_quotations(text), *_stretches(text)):
        if any(letter.isalpha() for letter in text[start:end]):
            spans.setdefault((start, end), _span(text, start, end, kind))
    proposed = sorted(spans.values(), key=lambda span: (-span.words, -(span.end - span.start), span.start))
    if known is not None:
        names = known([form for span in proposed for form in span.forms])
        proposed = [span for span in proposed if span.is_cased or any(form in names for form in span.forms)]
    return tuple(proposed[:MAX_SPANS])


def _span(text: str, start: int, end: int, kind: Kind) -> Span:
    stretch = text[start:end]
    role: Role = "subject" if not any(letter.isalnum() for letter in text[:start]) else "other"
    return Span(
        text=stretch,
        start=start,
        end=end,
        words=max(len(stretch.split()), 1),
        kind=kind,
        role=role,
        forms=(stretch,),
        is_cased=any(letter.isupper() for letter in stretch),
    )


def _quotations(text: str) -> Iterator[Stretch]:
    for found in _QUOTED.finditer(text):
        group = next(number for number in range(1, (found.lastindex or 0) + 1) if found.group(number))
        yield found.start(group), found.end(group), "quote"


def _stretches(text: str) -> Iterator[Stretch]:
    if any(letter.isupper() for letter in text):
        language = language_of(text)
        yield from _names(_words(text), function_words(language), runs_are_names=language not in CAPITALISED_NOUNS)
        return
    for found in _WITHOUT_SPACES.finditer(text):
        yield from _pieces(found.group(), found.start())
    yield from _windows([word for word in _words(text) if not _WITHOUT_SPACES.search(word.text)])


def _words(text: str) -> list[_Word]:
    """The words without an elided article before ("l'", "d'") and punctuation behind."""
    words: list[_Word] = []
    before = 0
    for found in _TOKEN.finditer(text):
        start, end = found.span()
        follows_at_once = not text[before:start].strip()
        elided = _ELIDED.match(text[start:end])
        start += elided.end() if elided else 0
        while end > start and text[end - 1] in ".'’-":
            end -= 1
        before = end
        if end > start:
            words.append(_Word(text[start:end], start, end, follows_at_once))
    return words


def _names(words: Sequence[_Word], small: frozenset[str], *, runs_are_names: bool) -> Iterator[Stretch]:
    """Runs that begin with a capital, with particles inside; shorter ones too, as a name may begin later or end sooner.

    ``small`` are the function words of the language: with the first of them that is no particle a name is over, and a
    sentence's first word is no name if it is one. ``runs_are_names``: of words with capitals side by side the first is
    no name by itself: who is not known as "Bill Gates" is no "Bill".
    """
    for first, word in enumerate(words):
        if not word.is_capitalised or (first == 0 and word.text.lower() in small):
            continue
        tail = 0
        for last in range(first, min(first + 2 * MAX_TAIL, len(words))):
            each = words[last]
            if last > first and not each.follows_at_once:
                break
            if last > first and not each.is_capitalised:
                if each.text.lower() in small and not each.is_particle:
                    break
                tail += 1
                if tail > MAX_TAIL:
                    break
            if last == first and runs_are_names and _goes_on(words[first + 1 :]):
                continue
            if not each.is_particle and (each.is_capitalised or len(each.text) > SMALL):
                yield word.start, each.end, "name"
        before = words[first - 1] if first and word.follows_at_once else None
        if before is not None and len(before.text) > SMALL and before.text.lower() not in small:
            yield before.start, word.end, "name"  # "tour Eiffel"


def _goes_on(following: Sequence[_Word]) -> bool:
    """Whether a name goes on with the word that follows."""
    return bool(following) and following[0].follows_at_once and following[0].is_capitalised


def _windows(words: Sequence[_Word]) -> Iterator[Stretch]:
    for length in range(MAX_RUN, 0, -1):
        for first in range(len(words) - length + 1):
            start, end = words[first].start, words[first + length - 1].end
            if length > 1 or end - start > SMALL:
                yield start, end, "name"


def _pieces(run: str, offset: int) -> Iterator[Stretch]:
    start = 0
    for between in (*_BETWEEN.finditer(run), None):
        end = between.start() if between is not None else len(run)
        if end - start >= LEAST_LETTERS:
            yield offset + start, offset + end, "name"
        start = between.end() if between is not None else end
