"""What the Factbook's names mean: countries, cities, languages, people … as items.

An item has the id of the vital article that the name means, where there is one that fits; else the id of the title in
the table of names; else of the name itself. Bare names that could mean several things are told apart by the country.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from wkgfc.evidence import Entity, Triple
from wkgfc.kg.builders.factbook.notation import main_part, normal_case, take_brackets
from wkgfc.kg.builders.factbook.pages import Page, bare_title, names_table
from wkgfc.kg.builders.properties import property_of
from wkgfc.kg.builders.records import BuilderRecord, Item, local_id
from wkgfc.kg.builders.titles import Article, Titles
from wkgfc.kg.names import fold

# What a vital article's one-line description must say for the article to be of that kind.
_KINDS = {
    "city": re.compile(
        r"\b(?:city|cities|capital|town|municipality|metropolis|commune|settlement|seat of government)\b", re.I
    ),
    "division": re.compile(
        r"\b(?:state|province|region|territory|department|county|canton|governorate|district|republic|prefecture|"
        r"island|city|municipality|capital|entity|community|land|country of the|part of|federal subject|oblast|krai)\b",
        re.I,
    ),
    "mountain": re.compile(r"\b(?:mountain|peak|volcano|summit|massif)\b", re.I),
    "river": re.compile(r"\briver\b", re.I),
    "lake": re.compile(r"\b(?:lake|sea|lagoon|body of water)\b", re.I),
    "water": re.compile(r"\b(?:ocean|sea|lake|gulf|bay|river|channel|depression|valley|basin|body of water)\b", re.I),
    "language": re.compile(r"\b(?:language|languages|dialects?|creole)\b", re.I),
    "people": re.compile(r"\b(?:ethnic|people|peoples|nation|group|inhabitants|ethnoreligious)\b", re.I),
    "person": re.compile(r"\bborn\b|\(?\d{3,4}\s?[–-]", re.I),
    "color": re.compile(r"\bcolou?r\b", re.I),
    "site": re.compile(r".", re.S),
}

_NO_LANGUAGE = re.compile(
    r"^(?:other|unspecified|unknown|none|no |indigenous|local|many|various|numerous|several|some|minority|foreign|two|"
    r"three|multi|note|only|less|persons|tribal|more|over|approximately|and |undeclared|including|includes)|"
    r"\b(?:languages?|dialects?|variants|patois|sign|widely|used|spoken|and|other|speaking|is|are|pidgin|home|or)\b|[.:/0-9]",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_][^\d_]{1,60}")
_BEARING = re.compile(
    r"(?:(?:Upper|Lower|Far|Grand) )?(?:North|South|East|West|Cent(?:re|er|ral)|Capital|Coast)(?:ern)?(?: \w+)?", re.I
)
_WATER_WORD = re.compile(
    r"\b(?:River|river|Creek|Darya|Lake|Lagoon|Sea|Laguna|Lagoa|Danau|Ozero|Hu|Nuur|Lagune|Nile)\b"
)
_HONORIFIC = re.compile(
    r"^(?:(?:Sr\. )?(?:Gen|Lt|Col|Capt|Maj|Dr|Prof|Hon)\. |"
    r"(?:General|Air Vice-Marshal|Sir|Dame|Archbishop|Commander|King|Sheikh) )+"
)


def an_item(title: str, label: str | None = None, aliases: Iterable[str] = (), description: str | None = None) -> Item:
    """An item that the English Wikipedia calls ``title``; its label is the title without brackets, unless given."""
    name = label or bare_title(title)
    others = tuple(dict.fromkeys(alias for alias in aliases if alias and alias != name))
    return Item(entity=Entity(id=local_id(title), label=name, description=description), aliases=others)


def typed(page: Page, field: str, item: Item, *classes: str) -> Iterator[BuilderRecord]:
    """The item, and what it is an instance of."""
    yield item
    for name in classes:
        kind = an_item(name)
        yield kind
        yield Triple(subject=item.entity, relation=property_of("P31"), object=kind.entity, source=page.source(field))


class Gazetteer:
    """Names to items, for all pages at once."""

    def __init__(self, pages: Sequence[Page], titles: Titles) -> None:
        table = names_table()
        self._table: Mapping[str, Any] = table
        self._titles = titles
        self._pages = {page.code: page for page in pages}
        self._with_article = frozenset(table["named_with_article"])
        self._places: dict[str, Entity] = {}
        for name, title in table["places"].items():
            if title:
                self._places[name] = an_item(title).entity
        for page in pages:
            names = [
                page.title,
                page.label,
                *page.aliases,
                page.text("Government", "Country name", "conventional short form"),
            ]
            for name in names:
                if name and name != "none":
                    self._places.setdefault(name, page.entity)

    def page(self, code: str) -> Page | None:
        """The page of a code."""
        return self._pages.get(code)

    def place(self, text: str) -> Entity | None:
        """The country or territory that a text names, with or without what stands in its brackets."""
        text = text.strip(" .")
        outside, _ = take_brackets(text)
        for name in (text, outside, re.sub(r"^[Tt]he ", "", outside)):
            if name in self._places:
                return self._places[name]
        return None

    def is_known(self, name: str) -> bool:
        """Whether the name is that of a place or of an article already."""
        return name in self._places or name in self._titles

    def in_words(self, page: Page) -> str:
        """The page's name inside a sentence: "the United States"."""
        return f"the {page.label}" if page.title in self._with_article else page.label.replace("The ", "the ", 1)

    def language(self, text: str) -> Item | None:
        """The language of a name such as "isiZulu or Zulu"; ``None`` for "other", "local dialects" and the like."""
        title = self._listed("languages", text)
        if title is not None:
            return an_item(title, aliases=_short_names(title, text)) if title else None
        if _NO_LANGUAGE.search(text) or not _NAME.fullmatch(text) or not text[:1].isupper():
            return None
        found = self._titles.find(f"{text} language", _is("language")) or self._titles.find(text, _is("language"))
        if found is None and text.endswith(("Creole", "Arabic", "Chinese", "English")):
            found = text
        return an_item(found or f"{text} language", aliases=(text,))

    def religion(self, text: str) -> Item | None:
        """The religion of a name such as "Roman Catholic"; ``None`` for what the table of names lacks."""
        title = self._listed("religions", text)
        return an_item(title) if title else None

    def currency(self, text: str) -> Item | None:
        """The currency of a name in the plural, such as "Danish kroner"."""
        title = self._listed("currencies", text)
        return an_item(title) if title else None

    def organization(self, page: Page, text: str) -> Item | None:
        """The organization of an abbreviation; ``None`` where the page's membership in it is known to have ended."""
        if text in self._table["memberships_ended"].get(page.code, ()):
            return None
        title = self._listed("organizations", text)
        return an_item(title, aliases=(text,) if len(text) > 1 else ()) if title else None

    def capital(self, page: Page, name: str) -> Item | None:
        """The capital of that name; ``None`` for what is no name of a place."""
        title = self._listed("capitals", f"{page.code}:{name}")
        if title is None:
            if not _NAME.fullmatch(name) or not name[:1].isupper() or len(name.split()) > 5:
                return None
            title = self._titles.find(name, _is("city")) or name
        return an_item(title, title.partition(",")[0] if "," in title and title != name else None, aliases=(name,))

    def city(self, page: Page, name: str) -> Item | None:
        """A city of the page's country. Another country's city of the same name is not it."""
        name = normal_case(name)
        if not _NAME.fullmatch(name):
            return None
        if fold(name) == fold(page.label):
            return Item(entity=page.entity)
        for capital in re.split(r"[;,(]", page.text("Government", "Capital", "name")):
            if fold(capital) == fold(name):
                return self.capital(page, capital.strip())
        found = self._titles.find(name, lambda article: _is("city")(article) and self._mentions(article, page))
        if found is None and self._titles.find(name, lambda article: True) is not None:
            return an_item(f"{name}, {page.label}", name)
        return an_item(found or name, aliases=(name,))

    def division(
        self, page: Page, names: Sequence[str], kind: str | None, *, is_city: bool, has_aliases: bool
    ) -> Item | None:
        """An administrative division of the page's country; ``kind`` is what such a division is called.

        A vital article on a city is meant only where the division is one (``is_city``). A name that something else
        bears too, or that says no more than where it lies, is told apart in the label.
        """
        outside, brackets = take_brackets(names[0])
        first = [part.strip(" *'‘’") for part in re.split(r" or |/", outside)]
        name, others = first[0], [*first[1:], *names[1:]]
        if not _NAME.fullmatch(name) or len(name.split()) > 6:
            return None
        if has_aliases:
            others += [words for words in brackets if words[:1].isupper() and len(words.split()) < 5]

        def suits(article: Article) -> bool:
            fits = _is("division")(article) and (is_city or not _is("city")(article))
            return fits and self._mentions(article, page, by_description=True)

        found = self._listed("divisions", f"{page.code}:{name}")
        if found == "":
            return None
        for form in (name, *others):
            found = found or self._titles.find(form, suits)
        pattern = self._listed("division_titles", page.code)
        if found is None and pattern is not None and (kind or pattern == "{name}"):
            found = pattern.format(name=name, kind=kind)
        if found is not None:
            return an_item(found, bare_title(found).partition(",")[0], aliases=[name, *others])
        is_shared = name in self._places or any(True for _ in self._titles.named(name)) or _BEARING.fullmatch(name)
        own_label = (f"{name} {kind}" if kind else f"{name}, {page.label}") if is_shared else name
        description = f"{kind.lower() if kind else 'administrative division'} of {self.in_words(page)}"
        title = f"{name.removesuffix(f' {kind}')} {kind or 'division'}, {page.label}"
        return an_item(title, own_label, [name, *others], description)

    def person(self, text: str, description: str | None = None) -> Item | None:
        """The person whose name the Factbook writes "Claudia SHEINBAUM Pardo"; ``None`` if that is no such name."""
        text = " ".join(take_brackets(_HONORIFIC.sub("", text.strip()))[0].split())
        words = text.split()
        loud = main_part(text)
        if (
            not loud
            or not 1 <= len(words) <= 9
            or any(character.isdigit() or character in ";:/%" for character in text)
        ):
            return None
        if re.search(r",(?! (?:Jr|Sr)\.?$)", text):
            return None
        name = normal_case(text)
        title = self._table["people"].get(name) or self._titles.find(name, _is("person")) or name
        start = words.index(loud[0])
        around = [*words[:1], *loud] if start else [*loud, *words[len(loud) : len(loud) + 1]]
        return an_item(title, aliases=(name, normal_case(" ".join(around))), description=description)

    def peak(self, page: Page, name: str) -> Item:
        """A mountain or another highest point."""
        title = self._listed("peaks", f"{page.code}:{name}") or self._listed("peaks", name)
        return an_item(title or self._titles.find(name, _is("mountain")) or name, aliases=(name,))

    def water(self, name: str) -> Item | None:
        """A sea, river or other low place."""
        title = self._listed("waters", name)
        if title == "":
            return None
        return an_item(title or self._titles.find(name, _is("water")) or name)

    def river(self, names: Sequence[str]) -> Item:
        """The river of these names, the best first."""
        return self._watercourse("river", names, "{name} River")

    def lake(self, names: Sequence[str]) -> Item:
        """The lake of these names, the best first."""
        return self._watercourse("lake", names, "Lake {name}")

    def ethnic_group(self, name: str) -> Item | None:
        """The people of that name; ``None`` for "other", "mixed", for places and for what is no people."""
        if not _NAME.fullmatch(name) or not name[:1].isupper() or len(name.split()) > 4 or _NO_LANGUAGE.search(name):
            return None
        if self.place(name) is not None or "descent" in name:
            return None
        for form in (name, f"{name}s", f"{name} people"):
            found = self._titles.find(form, _is("people"))
            if found is not None and not _is("city")(self._titles[found]):
                return an_item(found, aliases=(name,))
        return an_item(name if name.endswith("s") else f"{name} people", aliases=(name,))

    def thing(self, name: str, kind: str | None = None, *, aliases: Iterable[str] = ()) -> Item:
        """A common thing, such as a colour or an animal: the vital article of exactly that title, or an own item."""
        title = name[:1].upper() + name[1:]
        if kind is None:
            return an_item(title, None if title in self._titles else name, aliases=aliases)
        found = self._titles.find(title, _is(kind))
        own = f"{title} ({kind})" if title in self._titles else title
        return an_item(found or own, None if found else name, aliases=aliases)

    def own(self, page: Page, name: str, aliases: Iterable[str] = ()) -> Item:
        """An institution whose bare name many countries share: "Senate" is "Senate of France"."""
        name = re.sub(r"^(?:US|UK) ", "", name)
        known = {page.label, *page.aliases, *self.adjectives(page)}
        if any(re.search(rf"\b{re.escape(word)}\b", name) for word in known if len(word) > 1):
            return an_item(name, aliases=aliases)
        return an_item(f"{name} of {self.in_words(page)}", aliases=aliases)

    def listed(self, table: str, key: str) -> str | None:
        """The title that a table of names has for a key; ``None`` where it has none."""
        return self._listed(table, key) or None

    def offices(self) -> Sequence[str]:
        """The offices of heads of state and government, as the Factbook writes them, longest first."""
        offices: list[str] = sorted(self._table["offices"], key=len, reverse=True)
        return offices

    def is_current_code(self, code: str) -> bool:
        """Whether a currency's code is a code of today; the Factbook keeps some that were withdrawn."""
        return code not in self._table["withdrawn_currency_codes"]

    def adjectives(self, page: Page) -> list[str]:
        """What is of the page's country: "French"."""
        text = page.text("People and Society", "Nationality", "adjective").split(";")[0]
        return [word for word in re.split(r", | or ", take_brackets(text)[0]) if len(word) > 3 and word[:1].isupper()]

    def _watercourse(self, kind: str, names: Sequence[str], pattern: str) -> Item:
        short = [re.sub(r"^(?:Rio|Río|Lago|Lac) (?:de )?(?=[A-Z])", "", name) for name in names]
        for name in dict.fromkeys([*names, *short]):
            listed = self._listed("waters", name)
            for form in (listed or name, pattern.format(name=name)):
                found = self._titles.find(form, _is(kind))
                if found is not None:
                    return an_item(found, aliases=[*names, *short])
        title = names[0] if _WATER_WORD.search(names[0]) else pattern.format(name=short[0])
        return an_item(title, aliases=[*names, *short])

    def _listed(self, table: str, key: str) -> str | None:
        title: str | None = self._table[table].get(key)
        return title

    def _mentions(self, article: Article, page: Page, *, by_description: bool = False) -> bool:
        text = article.description if by_description else f"{article.description} {article.extract[:600]}"
        words = [page.label, *page.aliases, *self.adjectives(page)]
        return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in words if len(word) > 1)


def _is(kind: str) -> Callable[[Article], bool]:
    pattern = _KINDS[kind]
    return lambda article: pattern.search(article.description) is not None


def _short_names(title: str, text: str) -> Iterator[str]:
    yield title.removesuffix(" language")
    yield from re.split(r"/| or ", text.removesuffix(" only"))
