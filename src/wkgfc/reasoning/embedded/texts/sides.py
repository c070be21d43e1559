"""The two sides of a debate by rules: the advocate asks for the claim, the sceptic for what may stand in its place.

A text that refutes a claim seldom says its words: it names another value. So the sceptic leaves the value out that the
claim asserts ("Penicillin was discovered by") and finds texts that state any.
"""

from typing import TYPE_CHECKING

from wkgfc.language import parse
from wkgfc.reasoning.debate import Argument, Side
from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner
from wkgfc.reasoning.embedded.texts.queries import write_query
from wkgfc.reasoning.reasoner import Decision
from wkgfc.state import BeliefState, SearchWeb

if TYPE_CHECKING:
    from spacy.tokens import Token

_VALUES = {"pobj", "dobj", "attr", "oprd", "acomp", "npadvmod", "agent"}


class RuleSides:
    """Speaks for both sides of an embedded reasoner's debate."""

    def __init__(self, reasoner: EmbeddedReasoner) -> None:
        self._reasoner = reasoner

    async def before(self, state: BeliefState) -> Decision | None:
        """See ``Sides``. Whatever the reasoner does by itself before it searches."""
        decision = await self._reasoner.decide(state)
        return None if isinstance(decision.action, SearchWeb) else decision

    async def argue(self, state: BeliefState, side: Side) -> Argument:
        """See ``Sides``. A second query of the sceptic's is for what no passage has of the claim, as the advocate's."""
        if side == "sceptic":
            query = without_value(state.claim.text)
            if query and query not in state.queries:
                return Argument(query=query, missing="what may be so instead")
        query = write_query(state, [state.claim.text]) or ""
        return Argument(query=query, missing="a text that says the same")


def without_value(claim: str) -> str:
    """The claim without the value that it asserts last: what its predicate is said of. Empty where nothing is left.

    >>> without_value("Penicillin was discovered by Marie Curie.")
    'Penicillin was discovered by'
    """
    doc = parse(claim)
    values = [token for token in doc if token.dep_ in _VALUES and not _is_of_subject(token)]
    if not values:
        return ""
    dropped = {token.i for token in values[-1].subtree}
    words = [token.text_with_ws for token in doc if token.i not in dropped and not token.is_punct]
    kept = " ".join("".join(words).split())
    return kept if any(token.i not in dropped and token.pos_ in ("NOUN", "PROPN") for token in doc) else ""


def _is_of_subject(token: "Token") -> bool:
    return any(each.dep_ in ("nsubj", "nsubjpass") for each in (token, *token.ancestors))
