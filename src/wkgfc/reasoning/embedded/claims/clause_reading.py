"""One parse read into clauses: each says one thing of what a sentence names, or describes without a name.

``outline.py`` says what the clauses are for. What is not named has a slot (``{1}``) in its clauses.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wkgfc.reasoning.embedded.claims.clauses import SUBJECTS
from wkgfc.reasoning.embedded.claims.relatives import moved_relatives, object_of, verb_over
from wkgfc.reasoning.embedded.lexicon.cues import stem
from wkgfc.reasoning.embedded.lexicon.relations import role_nouns

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_PRONOUNS = {"someone", "somebody", "something", "one", "anyone", "everyone"}
# Nouns that say no more of a thing than how it stands in the claim does.
_PLAIN = _PRONOUNS | {
    "person", "man", "woman", "place", "thing", "location", "organisation", "organization", "waterbody", "individual",
    "people", "figure", "name",
}  # fmt: skip
# Nouns that a verb makes one with: who "composed the music of X" composed X.
_MADE = {"music", "screenplay", "script", "lyric", "word", "score", "soundtrack", "text", "story", "cinematography"}
_NOMINAL = {"nsubj", "nsubjpass", "dobj", "pobj", "attr", "oprd", "dative"}
_CLAUSAL = {"advcl", "ccomp", "csubj", "parataxis", "mark", "pcomp", "csubjpass", "relcl", "acl"}
_VALUES = {"DATE", "TIME", "CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "MONEY"}


class Unreadable(Exception):
    """The parse has what no clause can be made of."""


class ClauseReader:
    """Reads one parse into clauses."""

    def __init__(self, doc: "Doc", names: frozenset[str]) -> None:
        self._doc, self._names = doc, names
        self.clauses: list[tuple[str, bool]] = []
        self.nouns: list[str] = []
        self._apart, self._moved = moved_relatives(doc)
        self._met: set[int] = set()
        self._be = "was" if any(token.dep_ == "ROOT" and token.tag_ in {"VBD", "VBN"} for token in doc) else "is"

    def read(self, root: "Token") -> None:
        """The clauses of the main verb, after those of the descriptions in it."""
        subject = next((child for child in root.children if child.dep_ in SUBJECTS), None)
        if subject is None or subject.i > root.i:
            raise Unreadable
        said = next((child for child in root.children if child.dep_ in {"attr", "oprd"}), None)
        if root.lemma_ != "be" or said is None:
            self._state(root, {subject.i: self._term(subject)})
        elif self._is_indefinite(said):
            term = self._term(subject)
            if not self._is(root, said, term):
                if term in self._names:
                    raise Unreadable  # "X is a film" says nothing of anything that it does not name
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
                raise Unreadable
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
                    raise Unreadable
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
            raise Unreadable  # a clause that the parse hangs on what stands inside it
        self._met.add(token.i)
        if self._is_name(token):
            return self._named(token)
        if token.pos_ == "PRON":
            if token.lower_ not in _PRONOUNS:
                raise Unreadable
            slot = self._slot(token)
            if not self._add_modifiers(token, slot):
                raise Unreadable
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
        named = object_of(of)
        if of is None or named is None:
            return role, None, frozenset()
        if named.pos_ == "NOUN" and not list(named.lefts):  # "head of state", "country of citizenship"
            further = next(
                (each for each in (*named.rights, *token.rights) if each.lower_ == "of" and each.i > named.i), None
            )
            if (meant := object_of(further)) is not None and further is not None:
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
                raise Unreadable
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
                raise Unreadable
        for verb in self._apart.get(token.i, ()):
            self._relative(verb, term)
        return len(self.clauses) - number

    def _participle(self, verb: "Token", term: str) -> None:
        """ "born in 1942", "flowing into the Rhine"."""
        if verb.tag_ not in {"VBN", "VBG", "VBD"} or any(child.dep_ in SUBJECTS for child in verb.children):
            raise Unreadable
        self.clauses.append((f"{term} was {self._composed(verb, {})}", False))

    def _relative(self, verb: "Token", term: str) -> None:
        """The clause behind a relative pronoun, or behind none ("the novel that X wrote", "the novel X wrote")."""
        pronoun = next(
            (
                token
                for token in verb.subtree
                if token.tag_ in {"WP", "WP$", "WDT", "WRB"} and verb_over(token) == verb.i
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
                raise Unreadable
        elif pronoun.dep_ == "pobj" and pronoun.head.i == pronoun.i - 1:
            preposition = pronoun.head
            out = frozenset({pronoun.i, preposition.i})
            self._state(verb, self._subject(verb), out, f" {preposition.text} {term}")
        elif pronoun.tag_ == "WRB":
            raise Unreadable
        else:
            self._with_gap(verb, term, frozenset({pronoun.i}))

    def _subject(self, verb: "Token") -> dict[int, str]:
        subject = next((child for child in verb.children if child.dep_ in SUBJECTS), None)
        if subject is None:
            raise Unreadable
        return {subject.i: self._term(subject)}

    def _with_gap(self, verb: "Token", term: str, out: frozenset[int]) -> None:
        """The relative stands for an object: of a preposition at the end, else of the verb."""
        put = self._subject(verb)
        stranded = next(
            (
                token
                for token in verb.subtree
                if token.dep_ in {"prep", "agent"}
                and verb_over(token) == verb.i
                and not any(child.dep_ in {"pobj", "pcomp"} and child.i not in out for child in token.children)
            ),
            None,
        )
        if stranded is None:
            objects = [child for child in verb.children if child.dep_ == "dobj" and child.i not in out]
            if objects:
                raise Unreadable
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
            raise Unreadable
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
