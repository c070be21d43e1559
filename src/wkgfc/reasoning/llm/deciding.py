"""The four actions as functions that a model can call, and its choice read."""

from collections.abc import Mapping

from wkgfc.reasoning.llm.answers import DecisionAnswer
from wkgfc.reasoning.llm.asking import Complaint, Tool
from wkgfc.reasoning.llm.querying import MAX_QUERY, query_of, was_asked
from wkgfc.reasoning.llm.views import clean
from wkgfc.reasoning.reasoner import Decision
from wkgfc.state import Action, BeliefState, ExpandKG, GiveVerdict, InitKGRetrieval, SearchWeb

INIT = Tool("initKGRetrieval", "look for the claim's entities in the knowledge graph again", ("missing",))
EXPAND = Tool("expandKG", "follow the knowledge graph one step further from what was found", ("missing",))
SEARCH = Tool("webSearch", "search the web with a query for what is missing", ("missing", "query"))
VERDICT = Tool("verdict", "stop and decide from the evidence", ("missing",))


def possible_actions(state: BeliefState) -> dict[str, Tool]:
    """The actions that could change something now, by name; the verdict always can.

    The first retrieval is offered again only while it has never worked.
    """
    retrievals = [step.observation.outcome for step in state.steps if isinstance(step.action, InitKGRetrieval)]
    possible = [
        *([INIT] if retrievals and set(retrievals) == {"failed"} and len(retrievals) < 2 else ()),
        *([EXPAND] if state.frontier and not state.sufficient else ()),
        *([SEARCH] if state.web_available else ()),
        VERDICT,
    ]
    return {tool.name: tool for tool in possible}


def decision_of(
    answer: DecisionAnswer, state: BeliefState, actions: Mapping[str, Tool], instructions: str, *, is_last: bool
) -> Decision:
    """The decision that an answer makes.

    Raises:
        Complaint: the action is not possible, or its query was asked before, is of the instructions, or is none; on the
            last turn a query that was asked before ends the search.
    """
    reason = clean(answer.missing, 300) or "no reason given"
    if answer.action not in actions:
        raise Complaint(f"the action {clean(answer.action, 40)!r} is not possible now: choose of {', '.join(actions)}")
    chosen: Mapping[str, Action] = {
        INIT.name: InitKGRetrieval(),
        EXPAND.name: ExpandKG(),
        VERDICT.name: GiveVerdict(),
    }
    if answer.action in chosen:
        return Decision(action=chosen[answer.action], reason=reason)
    query = query_of(answer.query, state, instructions, is_last=is_last)
    if not query:
        if not is_last:
            raise Complaint("webSearch needs a query: a few words and names that would find what is missing")
        query = clean(answer.missing or state.claim.text, MAX_QUERY)
    if was_asked(query, state):
        if not is_last:
            raise Complaint(
                f"“{query}” was asked before: ask in other words for what is missing, or choose another action"
            )
        return Decision(action=GiveVerdict(), reason="nothing new was asked")
    return Decision(action=SearchWeb(query=query), reason=reason)
