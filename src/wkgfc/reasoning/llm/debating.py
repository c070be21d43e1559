"""A side's answer in a debate, read: what it has, what it lacks, and the query for that."""

from collections.abc import Mapping

from wkgfc.quotes import folded_words
from wkgfc.reasoning.debate import Argument, Side
from wkgfc.reasoning.llm.answers import ArgumentAnswer
from wkgfc.reasoning.llm.asking import Complaint
from wkgfc.reasoning.llm.deciding import MAX_QUERY
from wkgfc.reasoning.llm.views import clean
from wkgfc.state import BeliefState

SIDE_WORDS: Mapping[Side, str] = {
    "advocate": "the advocate, who looks for what supports the claim",
    "sceptic": "the sceptic, who looks for what refutes the claim",
}


def argument_of(answer: ArgumentAnswer, state: BeliefState, *, is_last: bool) -> Argument:
    """The argument that an answer makes. Its words are shown to the judge, and cite nothing by themselves.

    Raises:
        Complaint: the query was asked before; on the last turn the side has nothing more to ask.
    """
    query = clean(answer.query, MAX_QUERY)
    said = " Missing: ".join(part for part in (clean(answer.case, 200), clean(answer.missing, 100)) if part)
    if folded_words(query) in {folded_words(each) for each in state.queries}:
        if not is_last:
            raise Complaint(
                f"“{query}” was asked before: ask for what your side lacks, in other words, or leave it empty"
            )
        query = ""
    return Argument(query=query if folded_words(query) else "", missing=said or "no reason given")
