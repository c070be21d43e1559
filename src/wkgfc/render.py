"""A result, drawn for a terminal. Plain where the output is no terminal, or ``NO_COLOR`` is set: rich sees to it."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from wkgfc.claim import Veracity, visible_text
from wkgfc.estimate import Estimate
from wkgfc.evidence import Stance
from wkgfc.exports.links import web_address
from wkgfc.result import CheckResult, CitedEvidence, EarlierCheck
from wkgfc.state import Action, SearchWeb, Step
from wkgfc.tracing import Span

COLOURS = {
    Veracity.SUPPORTED: "bold green",
    Veracity.REFUTED: "bold red",
    Veracity.NOT_ENOUGH_EVIDENCE: "bold yellow",
    Veracity.CONFLICTING_EVIDENCE: "bold magenta",
}

NAMES = {
    "initKGRetrieval": "Look in the knowledge graph",
    "expandKG": "Look further in the knowledge graph",
    "webSearch": "Search",
    "verdict": "Conclude",
}


def action_line(number: int, action: Action) -> str:
    """One line for an action that begins."""
    query = f" for “{visible_text(action.query)}”" if isinstance(action, SearchWeb) else ""
    return f"{number}. {NAMES[action.name]}{query}"


def step_line(step: Step) -> str:
    """One line for a step that is done."""
    return f"{action_line(step.number, step.action)}: {visible_text(step.observation.text)}"


def result_view(result: CheckResult) -> RenderableType:
    """The verdict, the reasons with numbered citations, the evidence, what it cost."""
    return Group(*_parts(result))


def _parts(result: CheckResult) -> Iterator[RenderableType]:
    if result.veracity is None:
        yield _without_verdict(result)
    else:
        yield Text.assemble(
            (str(result.veracity), COLOURS[result.veracity]),
            f"  confidence {result.confidence:.2f}" if result.confidence is not None else "",
        )
    if result.justification:
        yield Text()
        for sentence in result.justification:
            marks = " ".join(f"[{citation}]" for citation in sentence.citations)
            yield Text.assemble(visible_text(sentence.text), " ", (marks, "cyan"))
    cited = [evidence for evidence in result.evidence if evidence.used]
    if cited:
        yield Text()
        yield evidence_table(cited)
    for contradiction in result.contradictions:
        said = f"{' against '.join(contradiction.evidence)}: {contradiction.reason}"
        yield Text(visible_text(said), style="magenta")
    if result.earlier_checks is not None:
        yield Text()
        yield from _earlier(result.earlier_checks)
    if result.flags:
        yield Text("Flags: " + ", ".join(result.flags), style="yellow")
    for error in result.errors:
        yield Text(f"Failed: {visible_text(error)}", style="red")
    yield Text()
    yield Text(cost_line(result), style="dim")


def _earlier(checks: Sequence[EarlierCheck]) -> Iterator[Text]:
    """What fact-checkers have said, told apart from what this check found."""
    if not checks:
        yield Text("No earlier fact-check of it was found.", style="dim")
        return
    yield Text("Earlier fact-checks, which this verdict does not rest on:", style="dim")
    for check in checks:
        day = f", {check.reviewed_on}" if check.reviewed_on else ""
        who = f"{visible_text(check.publisher or 'unnamed')}{day}: "
        yield Text.assemble("  ", (who, "dim"), visible_text(check.rating), f" — “{visible_text(check.claim)}”")
        yield Text(f"    {visible_text(check.url)}", style=Style(link=web_address(check.url), dim=True))


def _without_verdict(result: CheckResult) -> Text:
    if result.stop_reason == "run_limit":
        return Text("Not checked: the limit of the run was reached before.", style="bold yellow")
    if result.stop_reason == "not_checkable":
        return Text.assemble(("Not checked", "bold yellow"), f": {visible_text(result.checkability.reason)}")
    return Text("No verdict: the check ended with an error.", style="bold red")


def evidence_table(evidence: list[CitedEvidence]) -> Table:
    """The evidence, a row a piece, with an address that can be opened."""
    table = Table(box=None, pad_edge=False, show_header=True, header_style="dim")
    table.add_column("id", style="cyan", no_wrap=True)
    table.add_column("evidence", ratio=3, overflow="fold")
    table.add_column("says", no_wrap=True)
    table.add_column("source", ratio=2, overflow="fold")
    for piece in evidence:
        text = piece.quote or piece.text
        address = Text(visible_text(piece.url or piece.source))
        if opened := web_address(piece.url):
            address.stylize(Style(link=opened))
        table.add_row(piece.id, Text(visible_text(text)), _stance_word(piece.stance), address)
    return table


def _stance_word(stance: Stance | None) -> str:
    if stance is None or stance.neither >= max(stance.supports, stance.refutes):
        return ""
    return f"for {stance.supports:.2f}" if stance.supports >= stance.refutes else f"against {stance.refutes:.2f}"


def cost_line(result: CheckResult) -> str:
    """What the check used, in one line."""
    usage = result.usage
    seconds = sum(result.seconds.values())
    parts = [f"{seconds:.2f} s", f"{usage.kg_queries} KG queries", f"{usage.web_searches} searches"]
    if usage.verifier_pairs:
        parts.append(f"{usage.verifier_pairs} verifier pairs")
    if usage.llm_calls:
        parts.append(f"{usage.llm_calls} LLM calls, {usage.input_tokens + usage.output_tokens} tokens")
    if usage.cost_usd:
        parts.append(f"${usage.cost_usd:.4f}")
    if usage.unpriced_tokens:
        parts.append(f"price of {usage.unpriced_tokens} tokens unknown")
    return " · ".join(parts)


def estimate_view(estimate: Estimate) -> RenderableType:
    """What a run will take, and where the figures are from."""
    claims = f"{estimate.claims:,} claim{'' if estimate.claims == 1 else 's'}"
    table = Table(title=claims, title_justify="left", box=None, header_style="dim")
    for column in ("", "calls", "tokens read", "tokens written", "dollars"):
        table.add_column(column, justify="right" if column else "left")
    for name, use in (("expected", estimate.expected), ("at most", estimate.at_most)):
        cost = "not known" if use.cost_usd is None else f"{use.cost_usd:,.2f}"
        table.add_row(name, *(f"{value:,.0f}" for value in (use.calls, use.input_tokens, use.output_tokens)), cost)
    parts: list[RenderableType] = [table, Text(f"Expected: from {estimate.basis}.", style="dim")]
    if estimate.unpriced:
        said = f"The price of {', '.join(estimate.unpriced)} is not known: set price_input_usd and price_output_usd."
        parts.append(Text(said, style="yellow"))
    return Group(*parts)


def trace_view(result: CheckResult, check: Span | None = None) -> Tree:
    """The trajectory: every step with its reason, what came of it, and its time.

    With the span of the ``check``, where the time went: the calls of each step, those of one kind together.
    """
    tree = Tree("trajectory")
    decisions = iter([span for span in check.children if span.kind == "decision"] if check else [])
    actions = iter([span for span in check.children if span.kind == "step"] if check else [])
    for step in result.trajectory.steps if result.trajectory else ():
        branch = tree.add(Text(f"{step_line(step)}  ({step.seconds:.2f} s)"))
        if step.reason:
            branch.add(Text(f"because {visible_text(step.reason)}", style="dim"))
        for span in (next(decisions, None), next(actions, None)):
            for line in call_lines(span.children if span else []):
                branch.add(Text(line, style="dim"))
        if step.observation.evidence:
            branch.add(Text(f"{step.observation.id}: {', '.join(step.observation.evidence)}", style="dim"))
    return tree


def call_lines(calls: Sequence[Span]) -> list[str]:
    """Calls in the order in which they began, those of one name in one line: how many, how long, what failed."""
    lines: dict[str, list[Span]] = {}
    for call in _flat(calls):
        lines.setdefault(call.name if call.kind != "llm" else f"language model, {call.name}", []).append(call)
    return [_call_line(name, same) for name, same in lines.items()]


def _call_line(name: str, calls: Sequence[Span]) -> str:
    parts = [f"{name}{f' × {len(calls)}' if len(calls) > 1 else ''}: {sum(call.seconds for call in calls):.3f} s"]
    tokens = [sum(int(call.attributes.get(side, 0)) for call in calls) for side in ("input_tokens", "output_tokens")]
    if any(tokens):
        parts.append(f"{tokens[0]:,} tokens read, {tokens[1]:,} written")
    cost = sum(float(call.attributes.get("cost_usd", 0.0)) for call in calls)
    if cost:
        parts.append(f"${cost:.4f}")
    kept = sum(call.attributes.get("from_cache") is True for call in calls)
    if kept:
        parts.append(f"{kept} from the cache")
    failures = [call.failure for call in calls if call.failure]
    if failures:
        parts.append(f"{len(failures)} failed: {visible_text(failures[0])}")
    return ", ".join(parts)


def _flat(calls: Sequence[Span]) -> Iterator[Span]:
    for call in calls:
        yield call
        yield from _flat(call.children)
