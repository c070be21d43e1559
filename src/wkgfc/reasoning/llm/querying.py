"""A web query that a model has written, looked at before it is asked."""

from wkgfc.quotes import folded_words
from wkgfc.reasoning.llm.asking import Complaint
from wkgfc.reasoning.llm.views import clean
from wkgfc.state import BeliefState

MAX_QUERY = 200  # characters of a web query: search engines read no more
RUN = 3  # words in a row


def query_of(text: str, state: BeliefState, instructions: str, *, is_last: bool) -> str:
    """The query in an answer, in one line; empty if it has no word.

    Raises:
        Complaint: it repeats what the model was told. On the last turn the claim is asked for instead.
    """
    query = clean(text, MAX_QUERY)
    if not is_of_instructions(query, state.claim.text, instructions):
        return query if folded_words(query) else ""
    if not is_last:
        raise Complaint(f"“{query}” is of the instructions and finds nothing: name who or what the claim is about")
    return clean(state.claim.text, MAX_QUERY)


def was_asked(query: str, state: BeliefState) -> bool:
    """Whether a query of the same words was asked in this check."""
    return folded_words(query) in {folded_words(each) for each in state.queries}


def is_of_instructions(query: str, claim: str, instructions: str) -> bool:
    """Whether a query has words in a row of the instructions and none of the claim's alone: small models write so."""
    told, words = folded_words(instructions), folded_words(query).split()
    if not words or {*words} & ({*folded_words(claim).split()} - {*told.split()}):
        return False
    size = min(RUN, len(words))
    return any(f" {' '.join(words[at : at + size])} " in f" {told} " for at in range(len(words) - size + 1))
