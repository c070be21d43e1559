"""Names of a store's items to fill sentences with, and what they do in them: pairs by rule need both."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.verifier.graph import Facts

MAX_LABEL = 40  # characters
JOBS = (
    "painter", "singer", "lawyer", "poet", "physicist", "footballer", "architect", "dancer", "journalist", "farmer",
    "composer", "nurse", "sculptor", "chemist", "bishop", "pilot", "boxer", "historian", "surgeon", "film director",
)  # fmt: skip


@dataclass(frozen=True)
class Deed:
    """What somebody did, as a verb in three forms; ``{p}``, ``{o}`` and ``{w}`` are a place, a firm and a work."""

    past: str
    base: str
    participle: str

    def filled(self, **names: str) -> "Deed":
        """With names in it."""
        return Deed(*(form.format(**names) for form in (self.past, self.base, self.participle)))


DEEDS = (
    Deed("lived in {p}", "live in {p}", "lived in {p}"),
    Deed("worked for {o}", "work for {o}", "worked for {o}"),
    Deed("studied in {p}", "study in {p}", "studied in {p}"),
    Deed("wrote about {w}", "write about {w}", "written about {w}"),
    Deed("owned shares of {o}", "own shares of {o}", "owned shares of {o}"),
    Deed("appeared in {w}", "appear in {w}", "appeared in {w}"),
    Deed("ran for mayor of {p}", "run for mayor of {p}", "run for mayor of {p}"),
    Deed("taught at a school in {p}", "teach at a school in {p}", "taught at a school in {p}"),
    Deed("resigned from {o}", "resign from {o}", "resigned from {o}"),
    Deed("performed in {p}", "perform in {p}", "performed in {p}"),
    Deed("translated {w}", "translate {w}", "translated {w}"),
    Deed("bought a house in {p}", "buy a house in {p}", "bought a house in {p}"),
    Deed("served in the army", "serve in the army", "served in the army"),
    Deed("won a medal", "win a medal", "won a medal"),
    Deed("married", "marry", "married"),
    Deed("invested in {o}", "invest in {o}", "invested in {o}"),
    Deed("directed {w}", "direct {w}", "directed {w}"),
    Deed("spoke at a meeting in {p}", "speak at a meeting in {p}", "spoken at a meeting in {p}"),
    Deed("paid the fine", "pay the fine", "paid the fine"),
    Deed("left {p}", "leave {p}", "left {p}"),
)


@dataclass(frozen=True)
class Names:
    """Labels of people, places, countries, organisations and works, drawn by chance."""

    rng: random.Random
    people: Sequence[str]
    places: Sequence[str]
    organisations: Sequence[str]
    works: Sequence[str]
    countries: Sequence[str]

    @classmethod
    def of(cls, store: Path, rng: random.Random) -> "Names":
        """Those of a store that ``wkgfc kg build`` built."""
        facts = Facts(store)

        def labels(query: str) -> list[str]:
            found = {item.label for item, _ in facts.rows(query)}
            return sorted(label for label in found if len(label) <= MAX_LABEL and not set(label) & set("{}\\"))

        return cls(
            rng,
            people=labels("SELECT ?s { ?s p:P569 ?b }"),
            places=labels("SELECT ?s { ?s p:P1082 ?b }"),
            organisations=labels("SELECT DISTINCT ?s { ?s p:P159 ?b }"),
            works=labels("SELECT DISTINCT ?s { { ?s p:P57 ?b } UNION { ?s p:P50 ?b } UNION { ?s p:P175 ?b } }"),
            countries=labels("SELECT DISTINCT ?s { ?t p:P17/ps:P17 ?s . ?s p:P1082 ?n }"),
        )

    def some(self, labels: Sequence[str], number: int) -> list[str]:
        """Different ones."""
        return self.rng.sample(labels, number)

    def deed(self) -> Deed:
        """Something that somebody did, with names in it."""
        place, firm, work = (self.rng.choice(each) for each in (self.places, self.organisations, self.works))
        return self.rng.choice(DEEDS).filled(p=place, o=firm, w=work)

    def deeds(self) -> tuple[Deed, Deed]:
        """Two different things."""
        first, second = self.rng.sample(DEEDS, 2)
        place, firm, work = (self.rng.choice(each) for each in (self.places, self.organisations, self.works))
        return first.filled(p=place, o=firm, w=work), second.filled(p=place, o=firm, w=work)
