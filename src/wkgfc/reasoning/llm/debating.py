"""A side's answer in a debate, read: what it has, what it lacks, and the query for that."""

from collections.abc import Mapping

from wkgfc.reasoning.debate import Argument, Side
from wkgfc.reasoning.llm.answers import ArgumentAnswer
from wkgfc.reasoning.llm.asking import Complaint
from wkgfc.reasoning.llm.querying import query_of, was_asked
from wkgfc.reasoning.llm.views import clean
from wkgfc.state import BeliefState

SIDE_WORDS: Mapping[Side, str] = {
    "advocate": (
        "the advocate, who looks for what supports the claim: search for who or what it is about, and for what it says "
        "of them"
    ),
    "sceptic": (
        "the sceptic, who looks for what refutes the claim: search for who or what it is about, without the value that "
        "it gives, so that pages with another one can be found"
    ),
}


def argument_of(answer: ArgumentAnswer, state: BeliefState, instructions: str, *, is_last: bool) -> Argument:
    """The argument that an answer makes. Its words are shown to the judge, and cite nothing by themselves.

    Raises:
        Complaint: the query was asked before, or is of the instructions; on the last turn a side whose query was asked
            before has nothing more to ask.
    """
    query = query_of(answer.query, state, instructions, is_last=is_last)
    said = " Missing: ".join(part for part in (clean(answer.case, 200), clean(answer.missing, 100)) if part)
    if query and was_asked(query, state):
        if not is_last:
            raise Complaint(
                f"“{query}” was asked before: ask for what your side lacks, in other words, or leave it empty"
            )
        query = ""
    return Argument(query=query, missing=said or "no reason given")
