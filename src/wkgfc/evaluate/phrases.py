"""How multi-hop claims say a statement: templates for each relation, and the names that stand in them.

A phrase speaks of a subject and what it has: as a clause ("X was directed by A"), as a description that stands for the
second ("the director of X"), the other way round ("A directed X"), and behind a relative ("who was born in B").
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from wkgfc.evidence import Time
from wkgfc.reasoning.embedded.values import time_in_words

Kind = Literal[
    "work", "product", "person", "group", "place", "country", "nature", "event", "language", "money", "point", "thing",
    "time",
]  # fmt: skip


@dataclass(frozen=True)
class Phrase:
    """One relation in words. ``subject`` and ``object`` are the kinds of thing that it joins.

    ``noun`` is what the object is to the subject, ``says`` the predicate with ``{o}``, ``describes`` the description
    with ``{s}`` where "the NOUN of {s}" is not said, ``inverse`` the predicate of the object with ``{s}``.
    ``exact``: another value speaks against a claim, of a subject that has one value. ``open``: where nothing is stated,
    nothing else in the graph says it.
    """

    relation: str
    subject: Kind
    object: Kind
    noun: str | None = None
    says: str | None = None
    describes: str | None = None
    inverse: str | None = None
    exact: bool = True
    open: bool = True
    inverse_relations: tuple[str, ...] = ()

    @property
    def is_description(self) -> bool:
        """Whether it can stand for its object: "the director of X"."""
        return self.describes is not None or self.noun is not None

    def description(self, subject: str) -> str:
        """What stands for the object."""
        return (self.describes or f"the {self.noun} of {{s}}").replace("{s}", subject)

    def clause(self, subject: str, value: str) -> str:
        """The statement, without a full stop."""
        if self.says is None:
            return f"{self.description(subject)} is {value}"
        return f"{subject} {self.says.replace('{o}', value)}"

    def relative(self, pronoun: str, value: str) -> str:
        """The statement behind a relative pronoun, which stands for the subject."""
        if self.says is None:
            return f"whose {self.noun} is {value}"
        return f"{pronoun} {self.says.replace('{o}', value)}"

    def inverted(self, value: str, subject: str) -> str:
        """The statement with the object first."""
        return f"{value} {(self.inverse or '').replace('{s}', subject)}"


PHRASES: dict[str, Phrase] = {
    each.relation: each
    for each in (
        # works
        Phrase("P57", "work", "person", "director", "was directed by {o}", inverse="directed {s}"),
        Phrase("P50", "work", "person", "author", "was written by {o}", inverse="wrote {s}"),
        Phrase("P86", "work", "person", "composer", "has music by {o}", inverse="composed the music of {s}"),
        Phrase(
            "P58",
            "work",
            "person",
            "screenwriter",
            "has a screenplay by {o}",
            inverse="wrote the screenplay of {s}",
            exact=False,
        ),
        Phrase(
            "P676", "work", "person", "lyricist", "has lyrics by {o}", inverse="wrote the lyrics of {s}", exact=False
        ),
        Phrase(
            "P344",
            "work",
            "person",
            "director of photography",
            "was photographed by {o}",
            inverse="photographed {s}",
            exact=False,
        ),
        Phrase("P1040", "work", "person", "film editor", "was edited by {o}", inverse="edited {s}", exact=False),
        Phrase("P2554", "work", "person", "production designer", exact=False),
        Phrase("P162", "work", "person", "producer", "was produced by {o}", inverse="produced {s}", exact=False),
        Phrase("P170", "work", "person", "creator", "was created by {o}", inverse="created {s}"),
        Phrase(
            "P449", "work", "group", "original network", "was first broadcast by {o}", inverse="first broadcast {s}"
        ),
        Phrase("P272", "work", "group", "production company", "was made by {o}", exact=False),
        Phrase("P144", "work", "work", None, "is based on {o}", "the work that {s} is based on", exact=False),
        Phrase("P577", "work", "time", None, "was first published {o}"),
        # what is made
        Phrase("P176", "product", "group", "manufacturer", "was made by {o}", exact=False),
        Phrase("P178", "product", "group", "developer", "was developed by {o}", exact=False),
        # people
        Phrase("P19", "person", "place", "birthplace", "was born in {o}"),
        Phrase("P20", "person", "place", None, "died in {o}", "the place where {s} died"),
        Phrase("P119", "person", "place", "burial place", "is buried in {o}"),
        Phrase(
            "P27", "person", "country", "country of citizenship", "is or was a citizen of {o}", exact=False, open=False
        ),
        Phrase("P103", "person", "language", "native language", "is or was a native speaker of {o}"),
        Phrase(
            "P22",
            "person",
            "person",
            "father",
            inverse="is the father of {s}",
            inverse_relations=("P40",),
        ),
        Phrase(
            "P25",
            "person",
            "person",
            "mother",
            inverse="is the mother of {s}",
            inverse_relations=("P40",),
        ),
        Phrase("P26", "person", "person", "spouse", "was married to {o}", exact=False, inverse_relations=("P26",)),
        Phrase(
            "P184",
            "person",
            "person",
            "doctoral advisor",
            "wrote a doctoral thesis under {o}",
            inverse="was the doctoral advisor of {s}",
            exact=False,
            inverse_relations=("P185",),
        ),
        Phrase(
            "P1066", "person", "person", "teacher", "was a student of {o}", exact=False, inverse_relations=("P802",)
        ),
        Phrase("P569", "person", "time", None, "was born {o}"),
        Phrase("P570", "person", "time", None, "died {o}"),
        # groups: companies, bands, universities
        Phrase(
            "P159", "group", "place", None, "has its headquarters in {o}", "the place where {s} has its headquarters"
        ),
        Phrase("P740", "group", "place", None, "was formed in {o}", "the place where {s} was formed"),
        Phrase("P112", "group", "person", "founder", "was founded by {o}", inverse="founded {s}", exact=False),
        Phrase("P127", "group", "group", "owner", "is owned by {o}", exact=False, inverse_relations=("P1830",)),
        Phrase(
            "P749",
            "group",
            "group",
            "parent company",
            "is a subsidiary of {o}",
            exact=False,
            inverse_relations=("P355",),
        ),
        Phrase("P571", "group", "time", None, "was founded {o}"),
        # places
        Phrase("P17", "place", "country", None, "is in {o}", "the country where {s} is located", open=False),
        Phrase("P131", "place", "place", None, "is located in {o}", exact=False, open=False),
        Phrase(
            "P138", "place", "person", None, "is named after {o}", "the person whom {s} is named after", exact=False
        ),
        Phrase("P36", "country", "place", "capital", inverse="is the capital of {s}", inverse_relations=("P1376",)),
        Phrase("P38", "country", "money", "currency", "uses {o} as its currency"),
        Phrase("P30", "country", "thing", "continent", "is in {o}", open=False),
        Phrase("P85", "country", "work", "national anthem", inverse="is the national anthem of {s}"),
        Phrase("P35", "country", "person", "head of state", inverse="is the head of state of {s}", exact=False),
        Phrase(
            "P6", "country", "person", "head of government", inverse="is the head of government of {s}", exact=False
        ),
        Phrase("P194", "country", "thing", "legislature", inverse="is the legislature of {s}", exact=False),
        Phrase("P610", "country", "point", "highest point", inverse="is the highest point of {s}"),
        Phrase("P1589", "country", "point", "lowest point", inverse="is the lowest point of {s}"),
        # nature and events
        Phrase("P403", "nature", "nature", None, "flows into {o}", "the body of water that {s} flows into"),
        Phrase("P59", "nature", "thing", "constellation", "is in the constellation {o}"),
        Phrase("P585", "event", "time", None, "took place {o}"),
        Phrase("P580", "event", "time", None, "began {o}"),
        Phrase("P582", "event", "time", None, "ended {o}"),
    )
}

# What a thing that is not named is called, with its relative pronoun.
SOME: dict[Kind, tuple[str, str]] = {
    "work": ("a work", "that"),
    "product": ("a product", "that"),
    "person": ("someone", "who"),
    "group": ("an organisation", "that"),
    "place": ("a place", "that"),
    "country": ("a country", "that"),
    "nature": ("a place", "that"),
    "event": ("an event", "that"),
    "point": ("a place", "that"),
    "language": ("a language", "that"),
    "money": ("a currency", "that"),
    "thing": ("something", "that"),
}

# Classes whose name stands before the name of a work: "the film Savages".
_WORKS = {
    "film", "novel", "book", "album", "song", "television series", "miniseries", "video game", "opera", "ballet",
    "symphony", "play", "poem", "novella", "painting", "musical", "short story", "television film", "animated series",
    "operating system", "programming language",
}  # fmt: skip
_FILMS = {"feature film", "3d film", "animated feature film", "animated film", "short film", "cult film"}
# Names of places, groups and things that take an article.
_ARTICLE = re.compile(
    r"(?:United|Republic|Kingdom|Czech Republic|Dominican Republic|Federated States|Central African Republic|"
    r"Democratic Republic|People's Republic|Universal Declaration|Collectivity of|"
    r"(?:University|Colony|Duchy|Province|Principality|Battle|Treaty|Empire|Isle|Bank|Museum) of|"
    r"(?:Netherlands|Philippines|Bahamas|Maldives|Seychelles|Comoros|Gambia|Soviet Union|Ivory Coast|"
    r"Vatican City State)$)"
)
_ARTICLE_ENDS = re.compile(
    r".*\b(?:Empire|Republic|Kingdom|Union|Islands|River|Sea|Ocean|Gulf|Canal|Desert|Mountains|Alps|Peninsula|Bank|Strip|Channel|Depression|"
    r"Dynasty|Confederation|Federation|Commonwealth|War|Parliament|Assembly|Congress|Senate)"
)
_WATERS = {"river", "sea", "ocean", "gulf", "bay", "strait", "canal", "desert", "mountain range", "archipelago"}


def named(label: str, kind: Kind, classes: Iterable[str] = ()) -> str:
    """A thing by its name: with its class where it is a work, with an article where English has one.

    >>> named("Savages", "work", ["3D film"]), named("United Kingdom", "country"), named("Danube", "nature", ["river"])
    ('the film Savages', 'the United Kingdom', 'the Danube')
    """
    words = {each.casefold() for each in classes}
    if kind in {"work", "product"}:
        noun = "film" if words & _FILMS else next(iter(sorted(words & _WORKS)), None)
        return f"the {noun} {label}" if noun and noun not in label.casefold() else label
    if kind == "money":
        return f"the {label[:1].lower()}{label[1:]}" if " " not in label else f"the {label}"
    if label.startswith("The ") and kind in {"country", "place"}:
        return f"the {label[4:]}"
    if kind == "person" or label.startswith("The "):
        return label
    has_article = (
        _ARTICLE.match(label) or _ARTICLE_ENDS.fullmatch(label) or (kind in {"nature", "point"} and words & _WATERS)
    )
    return f"the {label}" if has_article else label


def when(time: Time) -> str:
    """A time with its preposition: "on 16 April 1889", "in 1889"."""
    words = time_in_words(time)
    return f"on {words}" if time.precision >= 11 else f"in {words}"


def sentence(text: str) -> str:
    """A clause as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."
