"""What a claim says of things that it does not name, taken apart into clauses of one step each.

"The spouse of the director of Jaws was born in a city that is in Texas" says four things of three unnamed ones::

    {1} is the director of Jaws     {2} is the spouse of {1}     {2} was born in {3}     {3} is in Texas

So what is said last is said of the right thing, however deep the descriptions lie. The names that are linked are
replaced by plain ones before the sentence is parsed: a title such as "My Dad Is Better Than Yours" is no clause.
Where the parse leaves a doubt, a claim has no outline.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.clauses import CONDITION, SUBJECTS, root_of
from wkgfc.reasoning.embedded.lexicon.cues import stem
from wkgfc.reasoning.embedded.lexicon.relations import TextSpan, role_nouns

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_UNNAMED = 6
LEAST_NAMED = 2  # clauses of a claim that names all: one alone is the claim itself
SLOT = re.compile(r"\{(\d)\}")

# Plain names that a parser knows for names, in the place of those that are linked.
_STAND_INS = ("Anna", "Boris", "Clara", "David", "Emma", "Frank", "Greta", "Henry", "Irene", "Julia", "Karl", "Laura")
_PRONOUNS = {"someone", "somebody", "something", "one", "anyone", "everyone"}
# Nouns that say no more of a thing than how it stands in the claim does.
_PLAIN = _PRONOUNS | {
    "person", "man", "woman", "place", "thing", "location", "organisation", "organization", "waterbody", "individual",
    "people", "figure", "name",
}  # fmt: skip
# What stands between "the" and a name and says what is named: "the film Jaws".
_BEFORE_NAMES = (
    r"(?:feature |short |animated |television |tv |video |rock |pop |punk |heavy metal |stage |silent )?"
    r"(?:film|movie|novel|novella|book|song|album|single|series|miniseries|show|sitcom|programme|program|play|opera|ballet|"
    r"symphony|painting|sculpture|poem|game|musical|magazine|newspaper|band|group|company|city|town|village|river|"
    r"mountain|lake|island|country|state|province|actor|actress|director|author|writer|novelist|composer|singer|"
    r"painter|philosopher|physicist|scientist|poet|politician|king|queen|emperor|university|language|operating system|"
    r"programming language|short story)"
)
_ARTICLE = re.compile(rf"(?<!\w)the (?:{_BEFORE_NAMES} )?$", re.IGNORECASE)
_MADE = {"music", "screenplay", "script", "lyric", "word", "score", "soundtrack", "text", "story", "cinematography"}
_NOMINAL = {"nsubj", "nsubjpass", "dobj", "pobj", "attr", "oprd", "dative"}
_CLAUSAL = {"advcl", "ccomp", "csubj", "parataxis", "mark", "pcomp", "csubjpass", "relcl", "acl"}
_VALUES = {"DATE", "TIME", "CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "MONEY"}
_WAS = re.compile(r"\b(?:is or was|was or is)\b")
_BODY = re.compile(r"\bbody of water\b")


@dataclass(frozen=True)
class Clause:
    """One statement. ``{1}`` in its text is the first unnamed thing.

    ``is_kind``: it only says what such a thing is ("a Swedish actor").
    """

    text: str
    is_kind: bool = False

    @property
    def unnamed(self) -> tuple[int, ...]:
        """The unnamed things that it speaks of."""
        return tuple(dict.fromkeys(int(number) for number in SLOT.findall(self.text)))


@dataclass(frozen=True)
class Outline:
    """A claim's clauses, those of descriptions first, and the noun that each unnamed thing is called by."""

    clauses: tuple[Clause, ...]
    nouns: tuple[str, ...]


class _Unreadable(Exception):
    """The parse has what no clause can be made of."""


@lru_cache(maxsize=1024)
def outline_of(text: str, names: tuple[str, ...]) -> Outline | None:
    """The outline of a claim with linked ``names``; ``None`` where it names all that it speaks of, or is not read.

    >>> [clause.text for clause in outline_of("The wife of the author of Dracula died in 1937.", ("Dracula",)).clauses]
    ['{1} is the author of Dracula', '{2} is the wife of {1}', '{2} died in 1937']
    """
    plain, originals = _with_plain_names(_BODY.sub("waterbody", _WAS.sub("was", text)), names)
    if "{" in text or CONDITION.search(plain):
        return None
    doc = parse(plain)
    root = root_of(doc)
    if root is None or sum(token.dep_ == "ROOT" for token in doc) != 1:
        return None
    reader = _Reader(doc, frozenset(originals))
    try:
        reader.read(root)
    except _Unreadable:
        return None
    clauses = tuple(Clause(_restored(text, originals), is_kind) for text, is_kind in dict.fromkeys(reader.clauses))
    if len(reader.nouns) > MAX_UNNAMED or (not reader.nouns and len(clauses) < LEAST_NAMED):
        return None
    said = {number for clause in clauses for number in clause.unnamed if not clause.is_kind}
    return Outline(clauses, tuple(reader.nouns)) if said == set(range(1, len(reader.nouns) + 1)) else None


def _with_plain_names(text: str, names: Iterable[str]) -> tuple[str, dict[str, str]]:
    """The text with plain names for the linked ones, and what each of them stands for."""
    spans: list[tuple[int, int, str]] = []
    for name in sorted((name for name in names if any(map(str.isupper, name))), key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            if not any(match.start() < end and start < match.end() for start, end, _ in spans):
                spans.append((match.start(), match.end(), name))
    free = [name for name in _STAND_INS if name not in text]
    originals: dict[str, str] = {}
    written, place = "", 0
    for start, end, name in sorted(spans):
        before = _ARTICLE.search(text[place:start])
        if not free:
            break
        stand_in = free.pop(0)
        has_article = before is not None and before[0].lower() == "the "
        originals[stand_in] = f"the {name}" if has_article else name
        written += text[place : start - (len(before[0]) if before else 0)] + stand_in
        place = end
    return written + text[place:], originals


def _restored(text: str, originals: Mapping[str, str]) -> str:
    written = re.sub(r"\w+", lambda word: originals.get(word[0], word[0]), text)
    return written[:1].upper() + written[1:]


class _Reader:
    """Reads one parse into clauses."""

    def __init__(self, doc: "Doc", names: frozenset[str]) -> None:
        self._doc, self._names = doc, names
        self.clauses: list[tuple[str, bool]] = []
        self.nouns: list[str] = []
        self._apart, self._moved = _whose_clauses(doc)
        self._met: set[int] = set()
        self._be = "was" if any(token.dep_ == "ROOT" and token.tag_ in {"VBD", "VBN"} for token in doc) else "is"

    def read(self, root: "Token") -> None:
        """The clauses of the main verb, after those of the descriptions in it."""
        subject = next((child for child in root.children if child.dep_ in SUBJECTS), None)
        if subject is None or subject.i > root.i:
            raise _Unreadable
        said = next((child for child in root.children if child.dep_ in {"attr", "oprd"}), None)
        if root.lemma_ != "be" or said is None:
            self._state(root, {subject.i: self._term(subject)})
        elif self._is_indefinite(said):
            term = self._term(subject)
            if not self._is(root, said, term):
                if term in self._names:
                    raise _Unreadable  # "X is a film" says nothing of anything that it does not name
                self.clauses = [each for each in self.clauses if each != self.clauses[-1]]
                self._state(root, {subject.i: term, said.i: self._composed(said, {})})
        elif self._is_name(said):
            self._state(root, {subject.i: self._literal(subject)})
        else:
            term = self._term(subject)
            self._state(root, {subject.i: term, said.i: self._literal(said)})

    def _is(self, verb: "Token", said: "Token", term: str) -> int:
        """Adds what "is a film directed by X" says; how many clauses beside what it is a kind of."""
        self._be = "was" if verb.tag_ == "VBD" else "is"
        if not any(child.lower_ in {"of", "by"} for child in said.rights):
            self._kind(said, term)
        return self._add_modifiers(said, term)

    def _state(self, verb: "Token", put: dict[int, str], left_out: frozenset[int] = frozenset(), end: str = "") -> None:
        """Adds the clause of a verb, with ``put`` in the places of arguments; and those of verbs joined to it."""
        joined = [child for child in verb.children if child.dep_ == "conj" and child.i not in self._moved]
        subject = next((put[child.i] for child in verb.children if child.dep_ in SUBJECTS and child.i in put), None)
        out = left_out | {token.i for each in joined for token in each.subtree}
        out |= {child.i for child in verb.children if child.dep_ in {"cc", "punct"}}
        text = self._composed(verb, put, frozenset(out)) + end
        self.clauses.append((" ".join(text.split()), False))
        for each in joined:
            if each.pos_ not in {"VERB", "AUX"} or subject is None or any(c.dep_ in SUBJECTS for c in each.children):
                raise _Unreadable
            helpers = [child.text for child in verb.children if child.dep_ in {"aux", "auxpass"}]
            has_own = any(child.dep_ in {"aux", "auxpass"} for child in each.children) or each.tag_ != "VBN"
            words = [subject, *([] if has_own else helpers), self._composed(each, {})]
            self.clauses.append((" ".join(words), False))

    def _composed(self, head: "Token", put: Mapping[int, str], out: frozenset[int] = frozenset()) -> str:
        """The words of a subtree, with terms for the things in it that have none in ``put``."""
        words: dict[int, str] = {}

        def walk(token: "Token") -> None:
            words[token.i] = token.text
            for child in token.children:
                if child.i in out or child.i in self._moved:
                    continue
                if child.i in put:
                    words[child.i] = put[child.i]
                elif child.dep_ in _NOMINAL and (child.pos_ in {"NOUN", "PROPN", "PRON"}):
                    words[child.i] = self._term(child)
                elif child.dep_ in _CLAUSAL or (child.dep_ == "conj" and child.pos_ in {"VERB", "AUX"}):
                    raise _Unreadable
                else:
                    walk(child)

        walk(head)
        text = " ".join(words[index] for index in sorted(words))
        text = re.sub(r" (['’]s\b|[,.;:])", r"\1", text)
        return re.sub(r"\s*([-‐‑])\s*", r"\1", text).strip(" .,;")

    def _is_name(self, token: "Token") -> bool:
        return token.text in self._names or token.pos_ == "PROPN" or token.ent_type_ in _VALUES or token.pos_ == "NUM"

    def _is_indefinite(self, token: "Token") -> bool:
        return token.lower_ in _PRONOUNS or any(child.lower_ in {"a", "an", "one"} for child in token.children)

    def _term(self, token: "Token") -> str:
        """What stands for a noun phrase in its clause: its name, its words, or the slot of what it describes."""
        if token.i in self._met:
            raise _Unreadable  # a clause that the parse hangs on what stands inside it
        self._met.add(token.i)
        if self._is_name(token):
            return self._named(token)
        if token.pos_ == "PRON":
            if token.lower_ not in _PRONOUNS:
                raise _Unreadable
            slot = self._slot(token)
            if not self._add_modifiers(token, slot):
                raise _Unreadable
            return slot
        if stem(token.lower_) in _MADE or any(
            inner.like_num
            for child in token.children
            for inner in child.subtree
            if child.dep_ == "prep" and child.lower_ == "of"
        ):
            return self._literal(token)
        role, described, used = self._described(token)
        if described is not None and stem(token.lower_) in role_nouns():
            term = self._literal(described) if self._is_bare(described) else self._term(described)
            slot = self._slot(token)
            self.clauses.append((f"{slot} is the {role} of {term}", False))
            self._add_modifiers(token, slot, besides=used)
            return slot
        if (
            token.i in self._apart
            or any(child.dep_ in {"relcl", "acl"} for child in token.children)
            or (any(child.dep_ == "prep" for child in token.rights) and self._is_indefinite(token))
        ):
            slot = self._slot(token)
            self._kind(token, slot)
            self._add_modifiers(token, slot)
            return slot
        return self._literal(token)

    def _described(self, token: "Token") -> tuple[str, "Token | None", frozenset[int]]:
        """What a noun is to whom, and the prepositions that say so: "X's wife", "the head of state of X"."""
        owner = next((child for child in token.children if child.dep_ == "poss" and child.tag_ != "PRP$"), None)
        role = self._role(token, owner)
        if owner is not None:
            return role, owner, frozenset()
        of = next((child for child in token.rights if child.lower_ in {"of", "behind"} and child.dep_ == "prep"), None)
        named = _object_of(of)
        if of is None or named is None:
            return role, None, frozenset()
        if named.pos_ == "NOUN" and not list(named.lefts):  # "head of state", "country of citizenship"
            further = next(
                (each for each in (*named.rights, *token.rights) if each.lower_ == "of" and each.i > named.i), None
            )
            if (meant := _object_of(further)) is not None and further is not None:
                return f"{role} {of.text} {named.text}", meant, frozenset({of.i, further.i})
        return role, named, frozenset({of.i})

    def _is_bare(self, token: "Token") -> bool:
        """Whether a common noun has nothing that would tell which thing it means."""
        return (
            token.pos_ == "NOUN"
            and not any(child.dep_ in {"prep", "poss", "relcl", "acl"} for child in token.children)
            and token.i not in self._apart
        )

    def _named(self, token: "Token") -> str:
        """A name, with what a loose relative clause adds as clauses of their own."""
        added = {"relcl", "acl", "appos"} if token.ent_type_ not in _VALUES else {"relcl", "acl"}
        out = {inner.i for child in token.children if child.dep_ in added for inner in child.subtree}
        out |= {child.i for child in token.children if child.dep_ == "case" or child.text == ","}
        name = self._composed(token, {}, frozenset(out))
        for child in token.children:
            if child.dep_ == "relcl" and child.i not in self._moved:
                self._relative(child, name)
            elif child.dep_ == "acl":
                self._participle(child, name)
            elif child.dep_ == "appos" and child.i in out:
                raise _Unreadable
        for verb in self._apart.get(token.i, ()):
            self._relative(verb, name)
        return name

    def _literal(self, token: "Token") -> str:
        """The words of a noun phrase, with terms for what is named or described inside it."""
        if self._is_name(token):
            return self._named(token)
        return self._composed(token, {})

    def _role(self, token: "Token", owner: "Token | None") -> str:
        left = [
            inner.text
            for child in token.lefts
            if child.dep_ in {"amod", "compound", "nmod"} and (owner is None or child.i != owner.i)
            for inner in child.subtree
        ]
        return " ".join((*left, token.text))

    def _slot(self, token: "Token") -> str:
        self.nouns.append(token.lower_ if token.pos_ == "PRON" else token.lemma_.lower())
        return f"{{{len(self.nouns)}}}"

    def _kind(self, token: "Token", term: str) -> None:
        """Adds what a noun with its adjectives says that a thing is, unless any such thing is."""
        words = [
            inner for child in token.lefts if child.dep_ in {"amod", "compound", "nmod"} for inner in child.subtree
        ]
        if (token.lower_ not in _PLAIN and token.lemma_.lower() not in _PLAIN) or words:
            said = " ".join(word.text for word in (*words, token))
            article = "an" if said[:1].lower() in "aeiou" else "a"
            self.clauses.append((f"{term} {self._be} {article} {said}", True))

    def _add_modifiers(self, token: "Token", term: str, besides: frozenset[int] = frozenset()) -> int:
        """Adds what clauses and prepositions behind a noun say of it; how many there were."""
        number = len(self.clauses)
        for child in token.rights:
            if child.i in self._moved:
                continue
            if child.dep_ == "relcl":
                self._relative(child, term)
            elif child.dep_ == "acl":
                self._participle(child, term)
            elif child.dep_ == "prep" and child.i not in besides:
                said = self._composed(child, {})
                noun = "" if child.lower_ not in {"of", "by"} else f"a {token.text} "
                self.clauses.append((f"{term} {self._be} {noun}{said}", False))
            elif child.dep_ in {"appos", "conj"}:
                raise _Unreadable
        for verb in self._apart.get(token.i, ()):
            self._relative(verb, term)
        return len(self.clauses) - number

    def _participle(self, verb: "Token", term: str) -> None:
        """ "born in 1942", "flowing into the Rhine"."""
        if verb.tag_ not in {"VBN", "VBG", "VBD"} or any(child.dep_ in SUBJECTS for child in verb.children):
            raise _Unreadable
        self.clauses.append((f"{term} was {self._composed(verb, {})}", False))

    def _relative(self, verb: "Token", term: str) -> None:
        """The clause behind a relative pronoun, or behind none ("the novel that X wrote", "the novel X wrote")."""
        pronoun = next(
            (
                token
                for token in verb.subtree
                if token.tag_ in {"WP", "WP$", "WDT", "WRB"} and _verb_over(token) == verb.i
            ),
            None,
        )
        if pronoun is None:
            self._with_gap(verb, term, frozenset())
        elif pronoun.tag_ == "WP$":
            self._whose(verb, pronoun, term)
        elif pronoun.lower_ == "where":
            self._state(verb, self._subject(verb), frozenset({pronoun.i}), f" in {term}")
        elif pronoun.dep_ in SUBJECTS:
            said = next((child for child in verb.children if child.dep_ in {"attr", "oprd"}), None)
            if verb.lemma_ != "be" or said is None or not self._is_indefinite(said):
                self._state(verb, {pronoun.i: term})
            elif not self._is(verb, said, term):
                raise _Unreadable
        elif pronoun.dep_ == "pobj" and pronoun.head.i == pronoun.i - 1:
            preposition = pronoun.head
            out = frozenset({pronoun.i, preposition.i})
            self._state(verb, self._subject(verb), out, f" {preposition.text} {term}")
        elif pronoun.tag_ == "WRB":
            raise _Unreadable
        else:
            self._with_gap(verb, term, frozenset({pronoun.i}))

    def _subject(self, verb: "Token") -> dict[int, str]:
        subject = next((child for child in verb.children if child.dep_ in SUBJECTS), None)
        if subject is None:
            raise _Unreadable
        return {subject.i: self._term(subject)}

    def _with_gap(self, verb: "Token", term: str, out: frozenset[int]) -> None:
        """The relative stands for an object: of a preposition at the end, else of the verb."""
        put = self._subject(verb)
        stranded = next(
            (
                token
                for token in verb.subtree
                if token.dep_ in {"prep", "agent"}
                and _verb_over(token) == verb.i
                and not any(child.dep_ in {"pobj", "pcomp"} and child.i not in out for child in token.children)
            ),
            None,
        )
        if stranded is None:
            objects = [child for child in verb.children if child.dep_ == "dobj" and child.i not in out]
            if objects:
                raise _Unreadable
            self._state(verb, put, out, f" {term}" if not list(verb.rights) else "")
            if list(verb.rights):
                text, _ = self.clauses[-1]
                self.clauses[-1] = (re.sub(rf"\b{re.escape(verb.text)}\b", f"{verb.text} {term}", text, count=1), False)
            return
        self._state(verb, put, out | {stranded.i}, f" {stranded.text} {term}")

    def _whose(self, verb: "Token", pronoun: "Token", term: str) -> None:
        """ "whose capital is Lima", "whose director was born in Rome"."""
        noun = pronoun.head
        of = next((child for child in noun.rights if child.lower_ == "of"), None)
        if noun.pos_ != "NOUN" or noun.head.i != verb.i or noun.dep_ not in SUBJECTS:
            raise _Unreadable
        role = self._role(noun, pronoun)
        if of is not None:  # "whose head of state"
            role += f" {self._composed(of, {})}"
        said = next((child for child in verb.children if child.dep_ in {"attr", "oprd"}), None)
        if verb.lemma_ == "be" and said is not None and not self._is_indefinite(said):
            self.clauses.append((f"{self._term(said)} is the {role} of {term}", False))
            return
        slot = self._slot(noun)
        self.clauses.append((f"{slot} is the {role} of {term}", False))
        if verb.lemma_ == "be" and said is not None:
            self._is(verb, said, slot)
        else:
            self._state(verb, {noun.i: slot})


def _whose_clauses(doc: "Doc") -> tuple[dict[int, list["Token"]], set[int]]:
    """Relative clauses that the parse hangs on another word, by the noun that they are of, and their verbs.

    Those with "whose" are of the noun before. "The composer of X, who …" speaks of the composer.
    """
    apart: dict[int, list[Token]] = {}
    for token in doc:
        name, of = token.head.head, token.head.head.head
        is_added = token.lower_ == "who" and token.i > 0 and doc[token.i - 1].text == ","
        is_of_role = of.lower_ == "of" and of.head.pos_ == "NOUN" and stem(of.head.lower_) in role_nouns()
        if is_added and token.head.dep_ == "relcl" and name.dep_ == "pobj" and is_of_role:
            apart.setdefault(of.head.i, []).append(token.head)
    for token in doc:
        verb = token.head.head
        if token.tag_ != "WP$" or verb.i < token.i or token.i < 1:
            continue
        noun = doc[token.i - 1] if doc[token.i - 1].text != "," else doc[max(token.i - 2, 0)]
        if (verb.dep_ != "relcl" or verb.head.i != noun.i) and noun.pos_ in {"NOUN", "PROPN", "PRON"}:
            apart.setdefault(noun.i, []).append(verb)
    return apart, {verb.i for verbs in apart.values() for verb in verbs}


def _object_of(preposition: "Token | None") -> "Token | None":
    return next((child for child in preposition.children if child.dep_ == "pobj"), None) if preposition else None


def _verb_over(token: "Token") -> int:
    """The index of the verb whose clause a token is in."""
    return next((above.i for above in token.ancestors if above.pos_ in {"VERB", "AUX"}), -1)


def filled(text: str, labels: Mapping[int, str]) -> tuple[str, dict[int, TextSpan]]:
    """The clause with labels in its slots, and where they stand. Every slot needs one."""
    written, place = "", 0
    spans: dict[int, TextSpan] = {}
    for match in SLOT.finditer(text):
        written += text[place : match.start()]
        number = int(match[1])
        spans[number] = TextSpan(len(written), len(written) + len(labels[number]))
        written += labels[number]
        place = match.end()
    return written + text[place:], spans
