"""All methods by name, each with what it is, what it needs to see, and how it is made."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from wkgfc.baselines.direct import Direct
from wkgfc.baselines.fire import Fire
from wkgfc.baselines.floors import Fitted, LexicalOverlap, Majority
from wkgfc.baselines.graphcheck import GraphCheck
from wkgfc.baselines.graphrag import GraphRag
from wkgfc.baselines.hero import Hero
from wkgfc.baselines.method import CannotCheck, Method, Tools
from wkgfc.baselines.minicheck import MiniCheck
from wkgfc.baselines.tog import ThinkOnGraph
from wkgfc.baselines.wkgfc import Parts, Wkgfc
from wkgfc.errors import BadInput

Reads = Literal["kg", "web", "document"]
Part = Literal["kg", "web", "consistency"]


@dataclass(frozen=True)
class Known:
    """A method that can be asked for.

    ``reads`` are the kinds of evidence that it can use; ``fits`` says whether it needs development claims.
    """

    name: str
    title: str
    pipeline: str
    reads: frozenset[Reads]
    make: Callable[[Tools], Method]
    fits: bool = False


def _variant(name: str, title: str, pipeline: str, parts: Parts) -> Known:
    reads: set[Reads] = {kind for kind, on in (("kg", parts.kg), ("web", parts.web)) if on}  # type: ignore[misc]
    return Known(name, title, pipeline, frozenset(reads), lambda tools: Wkgfc(tools, name, parts))


def _needs_fit(tools: Tools) -> Method:
    raise CannotCheck("this floor needs development claims: name them with --fit")


_ALL = (
    Known("majority", "most frequent answer", "the class that is most frequent among development claims", frozenset(),
          _needs_fit, fits=True),
    Known("lexical", "lexical overlap", "search for the claim → overlap of words → threshold of development claims",
          frozenset({"web", "document"}), _needs_fit, fits=True),
    Known("minicheck", "MiniCheck-like", "search for the claim → verifier over windows → the best decides",
          frozenset({"web", "document"}), MiniCheck),
    Known("direct", "the model alone", "one judgement, with the document where one is given", frozenset({"document"}),
          Direct),
    Known("hero", "HerO", "hypothetical documents → search → BM25 → ranking by words → verdict of four",
          frozenset({"web", "document"}), Hero),
    Known("fire", "FIRE", "verify or search, up to 5 steps of 3 results → forced answer", frozenset({"web"}), Fire),
    Known("graphrag", "GraphRAG", "facts, communities and reports of the document → local search → answer",
          frozenset({"document"}), GraphRag),
    Known("graphcheck", "GraphCheck", "facts of claim and document → graphs encoded and aligned → verdict",
          frozenset({"document"}), GraphCheck),
    Known("tog", "Think-on-Graph", "beam search of width 3 and depth 3 over the KG → verdict", frozenset({"kg"}),
          ThinkOnGraph),
    _variant("wkgfc-kg", "KG only (variant 1)", "initKGRetrieval → verdict", Parts(web=False, agent=False)),
    _variant("wkgfc-web", "web only (variant 2)", "webSearch(the claim itself) → verdict",
             Parts(kg=False, agent=False)),
    _variant("wkgfc-kg-agent", "KG with agent (variant 3)", "initKGRetrieval → the agent chooses expandKG or verdict",
             Parts(web=False)),
    _variant("wkgfc-kg-web", "KG and web without agent (variant 4)",
             "initKGRetrieval → webSearch(the claim itself) → verdict", Parts(agent=False)),
    _variant("wkgfc", "WKGFC", "initKGRetrieval → the agent chooses expandKG, webSearch(its query) or verdict",
             Parts()),
)  # fmt: skip

METHODS: dict[str, Known] = {each.name: each for each in _ALL}


def make_method(name: str, tools: Tools, *, fitted: Fitted | None = None, without: Part | None = None) -> Method:
    """The method of a name, made.

    Raises:
        BadInput: there is none of that name, or it has no part that ``without`` names.
        CannotCheck: it needs what is not given.
    """
    if name not in METHODS:
        raise BadInput(f"there is no method {name!r}: choose of {', '.join(METHODS)}")
    if name in ("majority", "lexical") and fitted is not None:
        method: Method = (Majority if name == "majority" else LexicalOverlap)(tools, fitted)
    else:
        method = METHODS[name].make(tools)
    if without is None:
        return method
    if not isinstance(method, Wkgfc):
        raise BadInput(f"{name} has no {without} that could be switched off: only WKGFC has")
    return method.without(without)


def pipelines() -> Iterator[str]:
    """Every method with its pipeline, a line each."""
    for each in _ALL:
        yield f"{each.name}: {each.title}; {each.pipeline}"
