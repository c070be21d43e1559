"""``wkgfc experience``: the episodes that a policy learns from, each step with its reward and critique."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wkgfc.errors import BadInput, NotConfigured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.table import Table

    from wkgfc.optimize.episodes import Episode
    from wkgfc.optimize.experience import Experience
    from wkgfc.optimize.reflection import Critique

RULES = "rules"
FILE = "experience.sqlite"

app = typer.Typer(help="What was done, how good it was and what went wrong.", no_args_is_help=True)

Buffer = Annotated[Path | None, typer.Option("--buffer", help=f"FILE of the buffer. Default: {FILE} in data_dir.")]


@app.command()
def add(
    run: Annotated[Path, typer.Argument(help="FOLDER of a run of 'wkgfc evaluate run' over claims with labels.")],
    buffer: Buffer = None,
    critic: Annotated[str, typer.Option(help="Who criticises: rules, or a model as openai:gpt-4o.")] = RULES,
) -> None:
    """Add the episodes of a run, each with its reward and its critique. What is there already stays as it is.

    It may be stopped at any time; the same command goes on. What a model may take as the critic is limited by the
    settings run_max_cost_usd, run_max_tokens and run_timeout_s.

    Example:

        wkgfc experience add run1
    """
    from wkgfc.budget import LimitReached
    from wkgfc.config import load_settings
    from wkgfc.evaluate.episodes import episodes_of
    from wkgfc.optimize.reward import reward_of, weights_of

    added = known = 0
    ended = ""
    weights = weights_of(load_settings())
    with _opened(buffer, is_new=True) as kept, _critic(critic) as criticise:
        for episode in episodes_of(run):
            if kept.has(episode.result):
                known += 1
                continue
            try:
                critique = criticise(episode)
            except LimitReached as limit:
                ended = str(limit)
                break
            added += kept.add(episode, reward_of(episode, weights), critique)
    print(f"{added} episodes added, {known} were there")
    if ended:
        typer.echo(f"{ended}; the same command goes on from here, with a limit of its own", err=True)


@app.command("list")
def list_(
    buffer: Buffer = None,
    kind: Annotated[str | None, typer.Option(help="Only with critiques of this kind.")] = None,
    policy: Annotated[str | None, typer.Option(help="Only of this policy, by its version.")] = None,
    source: Annotated[str | None, typer.Option(help="Only of this set of claims.")] = None,
    wrong: Annotated[bool, typer.Option("--wrong", help="Only where the verdict is not the label.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="Episodes shown.")] = 40,
) -> None:
    """List the episodes, a line each."""
    from rich.text import Text

    from wkgfc.claim import visible_text
    from wkgfc.optimize.reflection import KINDS

    if kind is not None and kind not in KINDS:
        raise BadInput(f"there is no kind {kind!r}: choose of {', '.join(KINDS)}")
    table = _table("", "claim", "label", "said", "steps", "reward", "critique")
    with _opened(buffer) as kept:
        for each in kept.episodes(kind=kind, policy=policy, source=source, wrong=wrong, limit=limit):
            episode = each.episode
            critique = each.critique.kind + (f" (step {each.critique.step})" if each.critique.step else "")
            cells = (str(each.number), visible_text(episode.result.claim.text), str(episode.gold),
                     str(episode.result.veracity or "error"), str(len(episode.steps)), f"{each.reward.total:.2f}",
                     critique)  # fmt: skip
            table.add_row(*map(Text, cells))
    _print(table)


@app.command()
def show(
    number: Annotated[int, typer.Argument(help="The episode's number in the list.")],
    buffer: Buffer = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the steps as JSON, one a line.")] = False,
) -> None:
    """Show one episode: the parts of its reward, every step with its own, and the critique."""
    from rich.text import Text

    from wkgfc.claim import visible_text

    with _opened(buffer) as kept:
        found = next(kept.episodes(number=number), None)
        if found is None:
            raise BadInput(f"there is no episode {number}: 'wkgfc experience list' shows them")
        rows = list(kept.steps(number))
    if as_json:
        for row in rows:
            print(row.model_dump_json())
        return
    episode = found.episode
    print(visible_text(episode.result.claim.text))
    print(f"label {episode.gold}, said {episode.result.veracity or 'nothing'}; policy {found.policy}")
    print(visible_text(f"reasoner: {found.reasoner or 'not known'}"))
    print(visible_text(f"sources: {found.sources or 'none'}"))
    print("reward " + ", ".join(f"{name} {value:.2f}" for name, value in found.reward.model_dump().items()))
    table = _table("", "action", "observed", "reward", "critique")
    for row in rows:
        action = row.action["name"] + (f": {row.action['query']}" if row.action.get("query") else "")
        cells = (str(row.number), action, row.observation["text"], f"{row.reward:.2f}",
                 row.critique.kind if row.critique else "")  # fmt: skip
        table.add_row(*(Text(visible_text(cell)) for cell in cells))
    _print(table)
    if found.critique.kind != "none":
        print(visible_text(f"{found.critique.kind}: {found.critique.reason}. {found.critique.advice}"))


@app.command()
def stats(
    buffer: Buffer = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a policy.")] = False,
) -> None:
    """Print what each policy did with each reasoner: episodes, steps, right verdicts, mean reward, kinds of blame."""
    with _opened(buffer) as kept:
        found = kept.stats()
    if as_json:
        for each in found:
            print(each.model_dump_json())
        return
    table = _table("policy", "reasoner", "episodes", "steps", "right", "reward", "blamed for")
    for each in found:
        kinds = ", ".join(f"{kind} {number}" for kind, number in each.kinds.items())
        table.add_row(each.policy, each.reasoner, str(each.episodes), str(each.steps),
                      f"{each.right / each.episodes:.3f}", f"{each.reward:.3f}", kinds)  # fmt: skip
    _print(table)


@app.command()
def export(
    out: Annotated[Path, typer.Argument(help="FILE to write, one step a line (JSONL).")],
    buffer: Buffer = None,
) -> None:
    """Write every step with its state, action, observation, reward and critique as a line of JSON."""
    from wkgfc.optimize.experience import exported

    lines = 0
    with _opened(buffer) as kept:
        try:
            with out.open("x", encoding="utf-8") as file:
                for line in exported(kept):
                    file.write(line + "\n")
                    lines += 1
        except FileExistsError:
            raise BadInput(f"{out} is there already: name another file") from None
        except OSError as error:
            raise BadInput(f"{out} cannot be written: {error.strerror}") from error
    print(f"{lines} steps")


def _opened(path: Path | None, *, is_new: bool = False) -> "Experience":
    from wkgfc.config import load_settings
    from wkgfc.optimize.experience import Experience

    return Experience(path or load_settings().data_dir / FILE, is_new=is_new)


@contextmanager
def _critic(name: str) -> "Iterator[Callable[[Episode], Critique]]":
    """Whoever criticises: the rules, or a model with connections that are open for the block."""
    from wkgfc.optimize.reflection import critique_by_rules

    if name == RULES:
        yield critique_by_rules
        return
    import asyncio

    from wkgfc.budget import spending
    from wkgfc.checker import budget_of_run
    from wkgfc.config import load_settings
    from wkgfc.network import Network

    try:
        from wkgfc.optimize.model_reflection import critique_of
        from wkgfc.reasoning.llm.opening import open_asking
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "wkgfc":
            raise
        raise NotConfigured(f"--critic {name} needs packages that are missing: pip install 'wkgfc[llm]'") from error
    settings = load_settings()
    network = Network(settings)
    asking, budget = open_asking(name, settings, network.models), budget_of_run(settings)

    async def criticise(episode: "Episode") -> "Critique":
        async with network.connected():
            with spending(budget):
                return await critique_of(episode, asking)

    with asyncio.Runner() as runner:
        yield lambda episode: runner.run(criticise(episode))


def _table(*columns: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _print(table: "Table") -> None:
    from rich.console import Console

    Console(highlight=False).print(table)
