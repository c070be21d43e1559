"""A query that asks for too much is asked once more, in plainer words, before "nothing found" is said.

Quotation marks, operators and whole sentences exclude pages that say the same otherwise. They come from claims ("He
said '…'") and from models that know search engines too well. Sites that the user allows or blocks are no part of the
query and stay as they are.
"""

import datetime as dt
import re
from collections.abc import Sequence

from wkgfc.state import Nothing, Retrieved
from wkgfc.web.search import Hit, WebSearch

MOST_WORDS = 12  # of the plainer query; longer ones are sentences, which few pages have all the words of


class Simplifying:
    """A search that asks once more, plainly, where the query as it was brought nothing. Both count as searches."""

    def __init__(self, search: WebSearch) -> None:
        self.name, self.version = search.name, search.version
        self._search = search

    async def search(
        self,
        query: str,
        limit: int,
        *,
        before: dt.date | None = None,
        allowed_sites: Sequence[str] = (),
        blocked_sites: Sequence[str] = (),
    ) -> Retrieved[Hit]:
        """Hits for ``query``, or else for ``simplified(query)``; see ``WebSearch.search``.

        The second answer stands as it is: where asking again failed, it is not known that there is nothing.
        """
        answer = await self._search.search(
            query, limit, before=before, allowed_sites=allowed_sites, blocked_sites=blocked_sites
        )
        plainer = simplified(query) if isinstance(answer, Nothing) and limit > 0 else None
        if plainer is None:
            return answer
        return await self._search.search(
            plainer, limit, before=before, allowed_sites=allowed_sites, blocked_sites=blocked_sites
        )


def simplified(query: str) -> str | None:
    """The query without quotation marks, operators and excluded words, in at most ``MOST_WORDS`` words.

    ``None`` where that leaves the query as it is, punctuation apart, or nothing of it. Of a long query the words that
    tell most stay, in their order: names and numbers first, then the longest.

    >>> simplified('"Eiffel Tower" height site:gouv.fr -replica before:2020')
    'Eiffel Tower height'
    """
    plain = _EXCLUDED.sub(" ", _OPERATOR.sub(" ", _GROUP.sub(" ", query)))
    words = [word.strip(_EDGES) for word in _MARKS.sub(" ", plain).split() if word not in _CONNECTIVES]
    words = [word for word in words if any(character.isalnum() for character in word)]
    if len(words) > MOST_WORDS:
        telling = sorted(range(len(words)), key=lambda place: (_rank(words[place], place), -len(words[place]), place))
        words = [words[place] for place in sorted(telling[:MOST_WORDS])]
    plainer = " ".join(words)
    return plainer if plainer and plainer.split() != [word.strip(_PUNCTUATION) for word in query.split()] else None


def _rank(word: str, place: int) -> int:
    """How little a word tells: 0 a name or a number, 1 another word of four letters or more, 2 the rest."""
    if any(character.isdigit() for character in word) or (word[0].isupper() and place > 0):
        return 0
    return 1 if len(word) > 3 else 2


_MARKS = re.compile(r"[\"“”()]")
_OPERATOR = re.compile(
    r"(?<!\S)[-+]?\(?(?:site|inurl|allinurl|intitle|allintitle|intext|inbody|inpage|filetype|ext|before|after|lang|loc"
    r"|related|cache|link|daterange|source):(?:\"[^\"]*\"|\S*)",
    re.IGNORECASE,
)
_EXCLUDED = re.compile(r"(?<!\S)[-−](?:\"[^\"]*\"|[^\W\d]\S*)")  # not a number below zero
_GROUP = re.compile(r"[()]")
_CONNECTIVES = {"OR", "AND", "NOT", "|", "&", "AROUND"}
_PUNCTUATION = ",;:!?"
_EDGES = " \t\"'“”„«»‘’*~+(),;:!?[]{}|"
