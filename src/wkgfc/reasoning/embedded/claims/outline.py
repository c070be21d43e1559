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

from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.clause_reading import ClauseReader, Unreadable
from wkgfc.reasoning.embedded.claims.clauses import CONDITION, root_of
from wkgfc.reasoning.embedded.lexicon.relations import TextSpan

MAX_UNNAMED = 6
LEAST_NAMED = 2  # clauses of a claim that names all: one alone is the claim itself
SLOT = re.compile(r"\{(\d)\}")

# Plain names that a parser knows for names, in the place of those that are linked.
_STAND_INS = ("Anna", "Boris", "Clara", "David", "Emma", "Frank", "Greta", "Henry", "Irene", "Julia", "Karl", "Laura")
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
    reader = ClauseReader(doc, frozenset(originals))
    try:
        reader.read(root)
    except Unreadable:
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
