"""Which stretches of a claim may name an entity: quoted titles, recognised entities, capitalised runs, nouns.

Spans are proposed generously and overlap; ``kg.linking`` keeps those that link. Where the graph knows its names (a
local table), every run of words that is one of them is proposed too, so that "A View to a Kill" or a lower-case
"barack obama" is found whatever the parse says.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Kind = Literal["quote", "name", "noun"]
Role = Literal["subject", "object", "other"]
Known = Callable[[Iterable[str]], frozenset[str]]  # those of the texts that are the whole name of some entity
Run = tuple[int, int]  # the first and the last token

MAX_WORDS = 12  # tokens of a proposed span; longer titles are found when they are quoted
MAX_QUOTED = 120  # characters; a longer quotation is a sentence that someone said
MAX_TOKENS = 400  # tokens of a claim whose runs are looked up

_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|(?<!\w)‘([^‘’]+(?:’\w[^‘’]*)*)’(?!\w)|(?<!\w)'([^']+)'(?!\w)"
)
_VALUES = {"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"}  # named entities that are amounts
_PEOPLES = "NORP"  # "German", "Buddhist", "Republican"
_FUNCTION = {"PRON", "DET", "AUX", "ADP", "PART", "CCONJ", "SCONJ"}
_NOMINAL = {"NOUN", "PROPN"}
_ARTICLES = {"the", "a", "an"}
_SUBJECTS = {"nsubj", "nsubjpass", "csubj", "csubjpass"}
_OBJECTS = {"dobj", "pobj", "attr", "oprd", "dative", "acomp", "agent"}
# What the subject of a verb is, by the verb's lemma and the kind of subject, as Wikidata's types call it.
_PERSON = ("human",)
_FILM = ("film", "show")
_DOERS: dict[tuple[str, str], tuple[str, ...]] = {
    **{(verb, "nsubj"): _PERSON for verb in ("die", "marry", "study", "graduate", "retire", "sing", "attend", "say")},
    **{(verb, "nsubjpass"): _PERSON for verb in ("bear", "marry", "divorce", "educate", "arrest", "assassinate")},
    **{("direct", "nsubjpass"): _FILM, ("star", "nsubj"): (*_FILM, "human"), ("film", "nsubjpass"): _FILM},
    **{("premiere", "nsubj"): _FILM, ("air", "nsubj"): ("show", "episode"), ("air", "nsubjpass"): ("show", "episode")},
    ("release", "nsubjpass"): ("film", "album", "song", "game"),
    ("record", "nsubjpass"): ("album", "song"),
    ("publish", "nsubjpass"): ("book", "novel", "magazine", "newspaper"),
}

# The months but "may", which is left to its part of speech.
_CALENDAR = frozenset(
    {"january", "february", "march", "april", "june", "july", "august", "september", "october", "november"}
    | {"december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "monday"}
    | {"tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "bc", "ad", "bce", "ce", "am", "pm"}
)
# What stands before a name without being part of it.
_TITLES = frozenset(
    {"president", "vice", "prime", "minister", "chancellor", "king", "queen", "prince", "princess", "emperor"}
    | {"empress", "duke", "duchess", "lord", "lady", "sir", "dame", "pope", "saint", "archbishop", "bishop"}
    | {"cardinal", "rabbi", "imam", "reverend", "father", "sister", "brother", "dr", "doctor", "professor", "mr"}
    | {"mrs", "ms", "miss", "general", "admiral", "colonel", "captain", "major", "sergeant", "lieutenant"}
    | {"senator", "congressman", "congresswoman", "governor", "mayor", "secretary", "ambassador", "judge"}
    | {"justice", "sheriff", "coach", "author", "writer", "actor", "actress", "singer", "rapper", "director"}
    | {"former", "late", "then", "ex"}
)
_PRONOUNS = frozenset(
    {"i", "you", "he", "she", "it", "we", "they", "this", "that", "these", "those", "there", "here", "what"}
    | {"who", "which"}
)


@dataclass(frozen=True)
class Span:
    """A stretch of the claim that may name an entity. ``start`` and ``end`` are character offsets.

    ``kind``: a quoted title, a name (written as one, or recognised as one), or a common noun. ``label`` is spaCy's
    type of the named entity that it is, if it is one. ``forms`` are what to look up, in order: the text itself, and a
    plural noun's singular. ``stated`` is what the claim says that it is, as nouns: "film" in "Savages is a film", "the
    film Savages" and "Savages (film)"; ``doers`` are the types that its verb takes: "human" for "was born".
    ``has_article``: an article stands before it, or begins it. ``is_cased``: capitals mean something in the claim.
    ``is_known``: one of the forms is, folded, a whole name of the graph; ``None``
    where the graph cannot say without a search.
    """

    text: str
    start: int
    end: int
    words: int
    kind: Kind
    role: Role
    label: str | None = None
    forms: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    doers: tuple[str, ...] = ()
    has_article: bool = False
    is_cased: bool = True
    is_known: bool | None = None

    def overlaps(self, other: "Span") -> bool:
        """Whether the two share a character."""
        return self.start < other.end and other.start < self.end

    def lies_in(self, other: "Span") -> bool:
        """Whether the other one has all of it."""
        return other.start <= self.start and self.end <= other.end


def propose(doc: "Doc", known: Known | None = None) -> tuple[Span, ...]:
    """All spans of a parsed claim that may name an entity: longest first, then in the order of the text.

    With ``known``, runs of words come that are names of the graph, and of the others only whole recognised entities,
    capitalised runs and quotations (which a part of a longer name may meet). Without it, runs are taken from
    the parse alone. Pronouns, dates, numbers and ordinals are never proposed by themselves.
    """
    reading = _Reading(doc)
    spans: dict[tuple[int, int], Span] = {}
    for span in (
        *(reading.span(start, end, "quote") for start, end in reading.quotations),
        *(reading.run_span(run) for run in (*reading.name_runs, *((reading.opening,) if reading.opening else ()))),
        *(reading.run_span(run) for run in (reading.chunk_runs() if known is None else reading.word_runs())),
    ):
        if span is not None:
            spans.setdefault((span.start, span.end), span)
    proposed = list(spans.values())
    if known is not None:
        names = known([form for span in proposed for form in span.forms])
        whole = {reading.offsets(run) for run in reading.name_runs}
        proposed = [
            replace(span, is_known=is_known)
            for span in proposed
            if (is_known := any(form in names for form in span.forms))
            or span.kind == "quote"
            or (span.kind == "name" and (span.start, span.end) in whole)
        ]
    return tuple(sorted(_without_idle_nouns(proposed), key=lambda span: (-span.words, span.start, -span.end)))


def outermost(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Those spans that overlap none that was taken before them, and lie in none that stands before them.

    A part of a name so waits for the whole name, whatever longer stretch that overlaps both is looked up first.
    """
    kept: list[Span] = []
    for number, span in enumerate(spans):
        if any(span.overlaps(other) for other in kept) or any(span.lies_in(other) for other in spans[:number]):
            continue
        kept.append(span)
    return tuple(kept)


def _without_idle_nouns(spans: Sequence[Span]) -> list[Span]:
    """Where the claim has names, a common noun counts only as its subject or as an object."""
    if not any(span.kind != "noun" for span in spans):
        return list(spans)
    return [span for span in spans if span.kind != "noun" or span.role != "other"]


class _Reading:
    """A parsed claim, read for names."""

    def __init__(self, doc: "Doc") -> None:
        self._doc = doc
        words = [token for token in doc if token.is_alpha]
        # Capitals say something only where small letters are the rule and a capital stands inside a sentence.
        self.is_cased = any(token.is_lower for token in words) and any(
            token.text != token.lower_ for token in words if not token.is_sent_start
        )
        self._labels = {self._trimmed(entity.start, entity.end - 1): entity.label_ for entity in doc.ents}
        self._subjects = _subject_tokens(doc)

    @cached_property
    def quotations(self) -> tuple[tuple[int, int], ...]:
        """Character offsets of what stands in quotation marks, the marks and closing punctuation left out."""
        found: list[tuple[int, int]] = []
        for match in _QUOTED.finditer(self._doc.text):
            start, end = next(match.span(group) for group in range(1, 7) if match.group(group) is not None)
            inner = self._doc.text[start:end]
            start += len(inner) - len(inner.lstrip())
            end -= len(inner) - len(inner.rstrip(" .,;:"))
            if 1 < end - start <= MAX_QUOTED:
                found.append((start, end))
        return tuple(found)

    @cached_property
    def name_runs(self) -> tuple[Run, ...]:
        """What is a name as a whole: recognised entities and the longest capitalised runs."""
        runs = [run for run, label in self._labels.items() if label not in _VALUES]
        return tuple(dict.fromkeys([*runs, *self._capitalised_runs(), *self._names_in_small_letters()]))

    def chunk_runs(self) -> Iterator[Run]:
        """Noun chunks without their determiners, and their heads."""
        for chunk in self._doc.noun_chunks:
            first, last = self._trimmed(chunk.start, chunk.end - 1)
            yield first, last
            compounds = [token.i for token in chunk.root.lefts if token.dep_ == "compound" and token.i >= first]
            yield min([chunk.root.i, *compounds]), chunk.root.i

    def word_runs(self) -> Iterator[Run]:
        """Every run of up to ``MAX_WORDS`` tokens that does not begin or end with punctuation."""
        tokens = self._doc[:MAX_TOKENS]
        for first in range(len(tokens)):
            if tokens[first].is_punct or tokens[first].is_space:
                continue
            for last in range(first, min(first + MAX_WORDS, len(tokens))):
                end = tokens[last]
                if not end.is_punct or (end.text in {"!", "?"} and last + 1 < len(tokens)) or end.text == ")":
                    yield first, last

    def offsets(self, run: Run) -> tuple[int, int]:
        """Character offsets of a run of tokens."""
        return self._doc[run[0]].idx, self._doc[run[1]].idx + len(self._doc[run[1]])

    def run_span(self, run: Run) -> Span | None:
        """The span of a run of tokens, or ``None`` where it can name nothing."""
        first, last = run
        if last < first:
            return None
        if self.is_cased and self._is_written_as_name(run):
            is_possible = self._is_possible_name(run)
            kind: Kind = "name"
        elif self.is_cased:
            is_possible = self._is_possible_noun(run)
            kind = "noun"
        else:
            is_possible = self._is_possible_in_small_letters(run)
            kind = "name" if run in {*self.name_runs, self.opening} or self._doc[last].pos_ == "PROPN" else "noun"
        return self.span(*self.offsets(run), kind) if is_possible else None

    def span(self, start: int, end: int, kind: Kind) -> Span | None:
        """The span between two character offsets, or ``None`` where nothing is written there."""
        text = self._doc.text[start:end]
        tokens = self._doc.char_span(start, end, alignment_mode="expand")
        if tokens is None or not any(character.isalnum() for character in text):
            return None
        label = self._labels.get(self._trimmed(tokens.start, tokens.end - 1))
        last = tokens[-1]
        forms: tuple[str, ...] = (text,)
        if last.tag_ == "NNS" and last.idx + len(last) == end and last.lemma_.lower() != last.lower_:
            forms = (text, text[: last.idx - start] + last.lemma_)
        return Span(
            text=text,
            start=start,
            end=end,
            words=sum(1 for token in tokens if not token.is_punct and token.tag_ != "POS"),
            kind="quote" if (start, end) in self.quotations else kind,
            role=self._role(tokens.start, tokens.end - 1),
            label=None if label in _VALUES else label,
            forms=forms,
            stated=tuple(dict.fromkeys(self._stated(tokens.start, tokens.end - 1))),
            doers=self._doers(tokens.root),
            has_article=tokens[0].lower_ in _ARTICLES
            or (tokens.start > 0 and self._doc[tokens.start - 1].lower_ in _ARTICLES),
            is_cased=self.is_cased,
        )

    def _capitalised_runs(self) -> Iterator[Run]:
        """The longest runs of capitalised words, small words ("of", "the", "de") between them included.

        An article that begins the sentence is left out, and all of them in a text that is all capitals.
        """
        if not any(token.is_lower for token in self._doc if token.is_alpha):
            return
        run: list[int] = []
        for token in self._doc:
            is_date = token.ent_type_ == "DATE" and (token.lower_ in _CALENDAR or token.lower_ == "may")
            is_article = token.is_sent_start and token.lower_ in _ARTICLES
            if (_is_capitalised(token) and not is_date and not is_article) or (
                run and token.is_digit and run[-1] == token.i - 1
            ):
                run.append(token.i)
            elif run and (token.text in {"-", "&", "'", "’", "."} or (token.is_lower and token.pos_ in {"ADP", "DET"})):
                continue
            elif run:
                yield self._trimmed(run[0], run[-1])
                run = []
        if run:
            yield self._trimmed(run[0], run[-1])

    def _names_in_small_letters(self) -> Iterator[Run]:
        """Single words of a text without capitals that the parse takes for names: "shakespeare died in 1616".

        A subject of one word may be one too, whatever it is taken for: "beethoven was born in bonn".
        """
        for token in self._doc if not self.is_cased else ():
            beside = self._doc[max(token.i - 1, 0) : token.i + 2]
            is_name = token.pos_ == "PROPN" and sum(each.pos_ == "PROPN" for each in beside) == 1
            is_bare = token.tag_ in {"NN", "VBN", "VBD"} and token.dep_ in _SUBJECTS and not any(token.children)
            if (is_name or is_bare) and not self._is_value(token):
                yield token.i, token.i

    @cached_property
    def opening(self) -> Run | None:
        """What stands before the first verb, where the parse found no other subject: "Always was directed by …"."""
        for token in self._doc[: MAX_WORDS + 1]:
            if token.pos_ == "AUX" or (token.pos_ == "VERB" and token.i > 0):
                if token.i == 0 or not _is_capitalised(self._doc[0]):
                    return None
                before = self._doc[: token.i]
                if self._doc[0].lower_ in _PRONOUNS or any(t.is_punct for t in before):
                    return None
                if all(self._is_value(t) for t in before):
                    return None
                if any(index < token.i and self._doc[index].pos_ in _NOMINAL for index in self._subjects):
                    return None
                return 0, token.i - 1
        return None

    def _is_written_as_name(self, run: Run) -> bool:
        """Capitals, or a recognised entity, make a name; of a word that begins the sentence, its being the subject."""
        if run in self.name_runs or run == self.opening:
            return True
        tokens = self._doc[run[0] : run[1] + 1]
        return any(
            _is_capitalised(token)
            and (not token.is_sent_start or token.pos_ == "PROPN" or token.i in self._subjects or token.is_upper)
            for token in tokens
        )

    def _is_possible_name(self, run: Run) -> bool:
        first, last = run
        begin, end = self._doc[first], self._doc[last]
        text = self._doc[first : last + 1].text
        if "POS" in {begin.tag_, end.tag_} or text.count("(") != text.count(")"):
            return False
        if run == self.opening:
            return True
        if first == last:
            if self._is_stop(begin) or self._is_value(begin) or self._is_part_of_name(run):
                return False
            if begin.is_sent_start and begin.dep_ in {"amod", "advmod", "nummod"}:  # "Physical literacy is …"
                return False
            if len(begin) == 1 and (self._is_hyphenated(run) or not begin.is_upper):
                return False
            is_people = begin.ent_type_ == _PEOPLES and begin.dep_ in {"amod", "compound", "nmod", "acomp"}
            return not is_people and (_is_capitalised(begin) or run in self._labels)
        if all(self._is_value(token) or self._is_stop(token) for token in self._doc[first : last + 1]):
            # "The 100", "The Who", with a capital inside the sentence
            return begin.pos_ == "DET" and not begin.is_sent_start and self._begins(begin) and self._ends(end, first)
        # "world war II", "president of the United States", but no "citizen of Russia"
        is_term = begin.pos_ == "NOUN" and (
            begin.lower_ in _TITLES or all(token.pos_ != "ADP" for token in self._doc[first:last])
        )
        return (self._begins(begin) or is_term or run in self._labels) and self._ends(end, first)

    def _begins(self, token: "Token") -> bool:
        return _is_capitalised(token) or self._is_value(token)

    def _ends(self, token: "Token", first: int) -> bool:
        """A name may end in a common noun ("Morse code"), but not in one that the name only describes."""
        if _is_capitalised(token) or self._is_value(token) or token.is_punct:
            return True
        return token.pos_ in _NOMINAL and all(t.tag_ != "POS" for t in self._doc[first : token.i])

    def _is_part_of_name(self, run: Run) -> bool:
        """One word of a longer name, and not the whole of it under a title: "Joe" of "Joe Rogan"."""
        index = run[0]
        if run in self._labels:
            return False
        for first, last in self.name_runs:
            if first <= index <= last and first < last:
                before = self._doc[first:index]
                if index < last or not all(
                    token.lower_ in _TITLES or token.pos_ in {"NOUN", "ADJ", "DET"} or token.ent_type_ == _PEOPLES
                    for token in before
                ):
                    return True
        return False

    def _is_hyphenated(self, run: Run) -> bool:
        """Whether it is a piece of a longer word: "rays" of "X-rays"."""
        first, last = run
        before = first > 1 and self._doc[first - 1].text == "-" and not self._doc[first - 1].whitespace_
        return before or (
            last + 1 < len(self._doc) and self._doc[last + 1].text == "-" and not self._doc[last].whitespace_
        )

    def _is_possible_noun(self, run: Run) -> bool:
        """A common noun, with the words before it that make one term with it."""
        tokens = self._doc[run[0] : run[1] + 1]
        return (
            tokens[-1].pos_ in _NOMINAL
            and tokens[-1].dep_ != "compound"
            and not self._is_value(tokens[-1])
            and (len(tokens) == 1 or tokens[0].pos_ in {"NOUN", "PROPN", "ADJ", "VERB", "X"})
            and all(token.pos_ not in {"AUX", "PRON", "SCONJ"} for token in tokens)
            and all(not token.is_punct or token.text == "-" for token in tokens)
            and not self._is_stop(tokens[0])
            and not self._is_hyphenated(run)
        )

    def _is_possible_in_small_letters(self, run: Run) -> bool:
        """In a text without capitals tags are unsure: only what is surely no name is left out."""
        tokens = self._doc[run[0] : run[1] + 1]
        if any(self._is_stop(token) for token in (tokens[0], tokens[-1])) or "POS" in {t.tag_ for t in tokens[-1:]}:
            return run == self.opening
        if all(self._is_value(token) or self._is_stop(token) for token in tokens):
            return False
        if len(tokens) > 1:
            return not any(token.is_punct and token.text not in {"-", ".", "'", "’", ":", ","} for token in tokens)
        return (
            (len(tokens.text) > 2 or tokens.text.isupper())
            and (tokens[0].pos_ not in {"VERB", "ADV"} or run in self.name_runs)
            and not self._is_part_of_name(run)
        )

    def _is_stop(self, token: "Token") -> bool:
        """A word that names nothing by itself. "US" and "WHO" do, in a text that is not all capitals."""
        if token.is_upper and len(token) > 1 and self.is_cased:
            return False
        return bool(token.is_stop or token.pos_ in _FUNCTION)

    def _is_value(self, token: "Token") -> bool:
        """A number, a month, a weekday."""
        return bool(
            token.like_num or token.lower_ in _CALENDAR or not any(character.isalpha() for character in token.text)
        )

    def _role(self, first: int, last: int) -> Role:
        if any(index in self._subjects for index in range(first, last + 1)) or (first, last) == self.opening:
            return "subject"
        head = self._doc[first : last + 1].root
        if head.dep_ == "attr" and head.pos_ != "PROPN" and not _is_attribute(head.head):
            return "other"  # "Savages is a film" says what it is and names nothing
        return "object" if head.dep_ in _OBJECTS else "other"

    def _stated(self, first: int, last: int) -> Iterator[str]:
        """Nouns that say what a span is: its predicate, an apposition, what is in brackets after it."""
        doc = self._doc
        head = doc[first : last + 1].root
        if head.dep_ in _SUBJECTS and head.head.lemma_ == "be":
            yield from (child.text for child in head.head.children if child.dep_ == "attr")
        if head.dep_ == "appos":
            yield head.head.text
        yield from (child.text for child in head.children if child.dep_ == "appos" and child.i > last)
        if first > 0 and doc[first - 1].pos_ == "NOUN":
            yield doc[first - 1].text
        if last + 2 < len(doc) and doc[last + 1].text == "(":
            yield from (token.text for token in doc[last + 2 : last + 6] if token.pos_ == "NOUN")

    def _doers(self, head: "Token") -> tuple[str, ...]:
        """The types that the verb takes whose subject a span is."""
        return _DOERS.get((head.head.lemma_, head.dep_), ()) if head.dep_ in _SUBJECTS else ()

    def _trimmed(self, first: int, last: int) -> Run:
        """A run without what is no part of a name at its ends: small determiners, possessives, punctuation."""
        doc = self._doc
        while first <= last and (
            doc[first].is_punct
            or doc[first].is_space
            or doc[first].tag_ == "PRP$"
            or (doc[first].pos_ == "DET" and doc[first].is_lower)
            or (doc[first].is_sent_start and doc[first].pos_ in {"ADP", "SCONJ", "CCONJ"} and last > first)
        ):
            first += 1
        while first <= last and (
            doc[last].tag_ == "POS" or doc[last].is_space or (doc[last].is_punct and doc[last].text != ".")
        ):
            last -= 1
        return first, last


def _is_attribute(verb: "Token") -> bool:
    """Whether the subject of a "be" is an attribute of something, as in "The genre of Joan Baez is folk"."""
    return any(
        subject.dep_ == "nsubj"
        and subject.pos_ == "NOUN"
        and any(child.dep_ == "poss" or child.lower_ == "of" for child in subject.children)
        for subject in verb.children
    )


def _is_capitalised(token: "Token") -> bool:
    return bool(token.text != token.lower_ and any(character.isalpha() for character in token.text))


def _subject_tokens(doc: "Doc") -> frozenset[int]:
    """The tokens that name what the claim is about: the first sentence's subject, its owner, what it is of.

    "Damon Albarn's debut album was …" is about Damon Albarn, "The capital of Australia is …" about Australia, "There
    is a capital called Mogadishu" about Mogadishu.
    """
    sentence = next(iter(doc.sents), None)
    if sentence is None:
        return frozenset()
    heads = [child for child in sentence.root.children if child.dep_ in _SUBJECTS]
    if any(child.dep_ == "expl" for child in sentence.root.children):
        shown = [child for child in sentence.root.children if child.dep_ in {"attr", "dobj", "nsubj"}]
        called = [acl for child in shown for acl in child.children if acl.dep_ == "acl"]
        heads = [*shown, *(child for acl in called for child in acl.children if child.dep_ in {"oprd", "attr"})]
    return frozenset(token.i for head in heads for token in _naming(head))


def _naming(head: "Token") -> Iterator["Token"]:
    yield head
    for child in head.children:
        if child.dep_ in {"compound", "poss", "nmod", "appos", "pobj"} or (
            child.dep_ == "prep" and child.lower_ == "of"
        ):
            yield from _naming(child)
