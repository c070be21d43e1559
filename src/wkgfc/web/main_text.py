"""The main text of an HTML page, with title, author, date, address and language as its markup gives them.

What a reader of the page does not see is not its text: scripts, templates, elements that are hidden by their own
attributes or by a plain rule of the page's style sheets, letters in the colour of what is behind them, and characters
without a shape that carry text for machines.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from wkgfc.web.encoding import Unreadable
from wkgfc.web.iso_dates import published

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MAX_ELEMENTS = 50_000  # the longest articles of Wikipedia have some 30,000; the time to read grows with their number
MAX_STYLE_CHARACTERS = 300_000  # of the style sheets in a page
MAX_SHORT_FIELD = 500  # characters of a title, an author: no more is one

STRUCTURED_DATA = "application/ld+json"  # no text, but the page's own date and author may stand in it

_NOT_SEEN = ("script", "style", "template", "object", "embed", "iframe", "svg", "canvas", "noscript")
_HIDING = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|font-size:(?:0(?:\.\d+)?(?:px|pt|%)?|1px|0(?:\.0\d*)?r?em)"
    r"|opacity:0(?:\.0\d*)?|color:transparent|color:(?:rgb|hsl)a?\([^)]{1,40}[,/]0(?:\.0\d*)?%?\)|(?:left|top|right|text-indent|margin-left):-\d{4,9}(?:\.\d+)?(?:px|em|rem|pt)"
    r"|clip:rect\(0(?:px)?,?0(?:px)?,?0(?:px)?,?0(?:px)?\)|(?:max-)?(?:height|width):0(?:px)?;(?:.*;)?overflow:hidden)"
    r"(?:!important)?(?:;|$)"
)
_SIMPLE_SELECTOR = re.compile(r"^([.#])([\w-]{1,100})$")
_HIDING_RULE = re.compile(
    r"(?:^|;)(?:display:none|visibility:hidden|font-size:0(?:px)?|opacity:0|color:transparent)(?:!important)?(?:;|$)"
)
_COLOUR = re.compile(r"(?:^|;)(color|background(?:-color)?):([^;!]{1,60})")
_WHITE = {"white", "#fff", "#ffff", "#ffffff", "#ffffffff", "rgb(255,255,255)", "hsl(0,0%,100%)"}

# Control characters, the "tag" characters that spell ASCII unseen, and hyphens and spaces without width.
_WITHOUT_SHAPE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f]")


@dataclass(frozen=True, slots=True)
class MainText:
    """What a page says and what it says of itself. ``title`` … ``language`` are ``None`` where it does not say.

    ``address`` is the page's own claim of where it belongs (canonical link), not where it was found: it may be wrong.
    ``date`` is the day of first publication, ``earliest`` the first day that a less exact date can mean.
    ``seen`` is all the text that a reader sees, menus and notices with it, white space made single.
    """

    text: str
    seen: str
    title: str | None = None
    author: str | None = None
    address: str | None = None
    date: dt.date | None = None
    earliest: dt.date | None = None
    language: str | None = None


def read_main_text(markup: str, url: str | None = None) -> MainText:
    """The main text of a page; ``url`` helps to tell its own links from others. An empty text is possible.

    Raises:
        Unreadable: it is no HTML, or of more than ``MAX_ELEMENTS`` elements.
    """
    import trafilatura  # noqa: PLC0415 - half a second of import that only HTML needs

    tree = _parsed(markup)
    language = _language(tree)
    _remove_hidden(tree)
    seen = " ".join(" ".join(tree.xpath("//body//text()[not(parent::script)]")).split())
    try:
        page: Any = trafilatura.bare_extraction(
            tree,
            url=url,
            with_metadata=True,
            include_comments=False,
            include_tables=True,
            # The first publication, from the markup alone: a date guessed from the text would be an invented one.
            date_extraction_params={"original_date": True, "extensive_search": False},
        )
    except Exception as error:  # hostile markup breaks parsers in their own ways; the reason is reported
        raise Unreadable(f"not HTML that can be read ({type(error).__name__})") from error
    if page is None:
        return MainText(text="", seen=seen, title=_short(tree.findtext(".//title")), language=language)
    date, earliest = published(page.date)
    return MainText(
        text=re.sub(r"\n+", "\n\n", without_shapeless(page.text or "").strip()),  # a line was a block of the page
        seen=seen,
        title=_short(page.title),
        author=_short(page.author),
        address=page.url if page.url and page.url.startswith(("http://", "https://")) else None,
        date=date,
        earliest=earliest,
        language=language,
    )


def without_shapeless(text: str) -> str:
    """Text without the characters that nobody sees; joiners stay, for scripts need them."""
    return _WITHOUT_SHAPE.sub("", text)


def _parsed(markup: str) -> "HtmlElement":
    from lxml import etree, html  # noqa: PLC0415 - only for HTML

    content = without_shapeless(markup).encode("utf-8", "replace")
    parser = html.HTMLParser(encoding="utf-8", collect_ids=False, remove_comments=True, remove_pis=True)
    try:
        tree = html.document_fromstring(content, parser=parser)
    except (etree.LxmlError, ValueError, AssertionError) as error:
        raise Unreadable("no HTML") from error
    elements = sum(1 for _ in tree.iter())
    if elements > MAX_ELEMENTS:
        raise Unreadable(f"HTML of {elements:,} elements, over {MAX_ELEMENTS:,}")
    return tree


def _remove_hidden(tree: "HtmlElement") -> None:
    """Take out what is not seen. What the style sheets of other files hide stays: nobody asks for those."""
    classes, ids = _hidden_names(tree)
    is_white = _is_white(tree)
    doomed = [
        element
        for element in tree.iter()
        if element.tag not in ("html", "head", "body")
        and (
            (element.tag in _NOT_SEEN and element.get("type") != STRUCTURED_DATA)
            or element.get("hidden") is not None
            or (element.tag == "dialog" and element.get("open") is None)
            or _HIDING.search(_compact(element.get("style", "")))
            or _is_unseen(element, is_white)
            or element.get("id") in ids
            or not classes.isdisjoint(element.get("class", "").split())
        )
    ]
    for element in doomed:
        if element.getparent() is not None:
            element.drop_tree()


def _is_unseen(element: "HtmlElement", page_is_white: bool) -> bool:
    """Whether the letters have the colour of what is behind them, by the element's own style and its ancestors'."""
    colours = _colours(element)
    letters = colours.get("color") or element.get("color", "").strip().lower()
    if not letters:
        return False
    for each in (element, *element.iterancestors()):
        behind = colours if each is element else _colours(each)
        if "background" in behind:
            return _same(letters, behind["background"])
    return page_is_white and letters in _WHITE


def _is_white(tree: "HtmlElement") -> bool:
    """Whether nothing gives the page, or a part of it, another background than a browser's: no sheet, no old markup."""
    sheets = tree.xpath("//link[contains(translate(@rel,'STYLEH','styleh'),'stylesheet')]")
    own = any("background" in (style.text or "") or "@import" in (style.text or "") for style in tree.iter("style"))
    return not sheets and not own and not tree.xpath("//@bgcolor|//@background")


def _colours(element: "HtmlElement") -> dict[str, str]:
    """The colours of letters and background that an element's own style gives, by ``color`` and ``background``."""
    style = element.get("style")
    if not style:
        return {}
    return {name.partition("-")[0]: value for name, value in _COLOUR.findall(_compact(style))}


def _same(letters: str, behind: str) -> bool:
    return letters == behind or (letters in _WHITE and behind in _WHITE)


def _hidden_names(tree: "HtmlElement") -> tuple[set[str], set[str]]:
    """Classes and ids that a rule of the page itself hides without condition, by that name alone."""
    classes: set[str] = set()
    ids: set[str] = set()
    sheets = "\n".join(style.text or "" for style in tree.iter("style"))
    for selectors, declarations in _unconditional_rules(sheets[:MAX_STYLE_CHARACTERS]):
        if not _HIDING_RULE.search(_compact(declarations)):
            continue
        for selector in selectors.split(","):
            named = _SIMPLE_SELECTOR.match(selector.strip())
            if named is not None:
                (classes if named.group(1) == "." else ids).add(named.group(2))
    return classes, ids


def _unconditional_rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Selectors and declarations of the rules that hold always, not in print or on small screens alone (``@media``)."""
    first, *rest = sheet.split("/*")
    without_comments = first + "".join(part.partition("*/")[2] for part in rest)
    text, selectors = "", list[str]()
    for token in re.split(r"([{}])", without_comments):
        if token == "{":
            selectors.append(text.rpartition(";")[2])
        elif token == "}" and selectors:
            selector = selectors.pop()
            if not selectors and "@" not in selector:
                yield selector, text
        text = "" if token in ("{", "}") else token


def _compact(declarations: str) -> str:
    return re.sub(r"\s", "", declarations[:2_000]).lower()


def _language(tree: "HtmlElement") -> str | None:
    """The language that the page declares, without its region: ``en`` of ``en-GB``."""
    metas = tree.xpath("//meta[translate(@http-equiv,'CLNTGUAEO','clntguaeo')='content-language']/@content")
    declared = tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang") or next(iter(metas), "")
    found = re.match(r"\s*([A-Za-z]{2,3})(?:[-_,;\s]|$)", cast(str, declared))
    return found.group(1).lower() if found else None


def _short(value: str | None) -> str | None:
    text = " ".join(without_shapeless(value or "").split())
    return text[:MAX_SHORT_FIELD] or None
