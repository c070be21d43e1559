"""What all methods share: what one may see of a claim's sources, what it works with, what it returns.

Every method checks a claim and returns what ``wkgfc check`` returns, steps and evidence included, so that all that
comes after (scores, tables, reports, comparisons) is the same for each of them.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from wkgfc.budget import Budget
from wkgfc.claim import Claim
from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.evidence import Passage
from wkgfc.kg.graph import KnowledgeGraph, NoGraph
from wkgfc.reasoning.reasoner import Reasoner
from wkgfc.result import CheckResult, SourceVersion
from wkgfc.web.search import WebSearch

if TYPE_CHECKING:
    from wkgfc.reasoning.llm.asking import Asking
    from wkgfc.reasoning.verifier import Verifier


@dataclass(frozen=True)
class Seen:
    """What a method may see for one claim.

    ``documents`` are texts that the data set gives with the claim, where the method may read them. ``benchmark`` keeps
    fact-checking sites and verdicts of others out of searches.
    """

    graph: KnowledgeGraph = field(default_factory=NoGraph)
    web: WebSearch | None = None
    documents: tuple[Passage, ...] = ()
    benchmark: bool = True


@dataclass(frozen=True)
class Tools:
    """What a method works with: the settings, which are its budget, and whoever makes its judgements.

    ``asking`` is there where the reasoner is a language model; ``verifier`` judges texts where it is not. ``spent`` is
    the budget of the whole run, where it has one.
    """

    settings: Settings
    reasoner: Reasoner
    verifier: "Verifier"
    asking: "Asking | None" = None
    spent: Budget | None = None


class Method(Protocol):
    """A way to check a claim."""

    name: str

    async def check(self, claim: Claim, seen: Seen) -> CheckResult:
        """Check one claim with what may be seen. What goes wrong is in the result; raises only for a bug."""
        ...


class CannotCheck(NotConfigured):
    """A method that does not work with what it is given; the text says why."""


def versions(seen: Seen, tools: Tools) -> tuple[SourceVersion, ...]:
    """The sources that a method could ask, with the versions of their data."""
    found = [SourceVersion(role="kg", name=seen.graph.name, version=seen.graph.version)]
    if seen.web is not None:
        found.append(SourceVersion(role="web", name=seen.web.name, version=seen.web.version))
    return (*found, SourceVersion(role="reasoner", name=tools.reasoner.name, version=tools.reasoner.policy))
