"""``wkgfc optimize``: policies learned from claims with labels. The model's weights never change."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput

if TYPE_CHECKING:
    from wkgfc.datasets import LabelledClaim
    from wkgfc.optimize.exploration import Explored
    from wkgfc.optimize.learning import Learned
    from wkgfc.optimize.parameters import Change

app = typer.Typer(help="Learn a policy from claims with labels; '--policy FOLDER' uses it.", no_args_is_help=True)


@app.callback()
def _jobs() -> None:
    """Learn a policy from claims with labels; '--policy FOLDER' uses it."""


@app.command()
def embedded(
    claims: Annotated[Path, typer.Option(help="FILE of claims with labels, in any format of docs/datasets.md.")],
    out: Annotated[Path, typer.Option("--out", help="The folder; one that is there already is gone on with.")],
    kg: Annotated[str | None, typer.Option("--kg", help="Knowledge graph, as for 'wkgfc check'.")] = None,
    web: Annotated[str | None, typer.Option("--web", help="Source of passages, as for 'wkgfc check'.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=4, help="A sample of so many claims, each label by its share.")
    ] = None,
    held_out: Annotated[
        float, typer.Option(min=0.1, max=0.9, help="The share of the claims that nothing is fitted on.")
    ] = 0.4,
    test: Annotated[
        Path | None, typer.Option(help="FILE of further claims that before and after are measured on.")
    ] = None,
    test_limit: Annotated[int | None, typer.Option(min=1, help="A sample of so many of those.")] = None,
    seed: Annotated[int, typer.Option(help="Which claims are drawn, and the order of the search.")] = 0,
    policy: Annotated[Path | None, typer.Option(help="FOLDER of the policy to begin from.")] = None,
    verifier: Annotated[Path | None, typer.Option(help="FOLDER of another verifier than the one that ships.")] = None,
) -> None:
    """Fit the thresholds, weights and stopping rule of the embedded reasoner.

    Every way that it could take with each claim is walked once; then its parameters are searched without asking a
    source again. It may be stopped at any time; the same command goes on.

    Example:

        wkgfc optimize embedded --claims fm2_dev.jsonl.gz --kg my.kg --web my.index --limit 400 --out learned
    """
    import asyncio

    from rich.console import Console

    from wkgfc.checker import FactChecker
    from wkgfc.config import load_settings
    from wkgfc.evaluate.needed import needed_for
    from wkgfc.evaluate.opening import draw_claims
    from wkgfc.optimize.exploration import explore
    from wkgfc.optimize.learning import learn
    from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner

    console = Console(stderr=True, highlight=False)
    settings = load_settings(kg=kg, web=web, policy=policy, verifier=verifier, benchmark=True)
    source = claims.name.split(".")[0]
    rows = draw_claims(claims, limit=limit, seed=seed, strict=False)
    tested = draw_claims(test, limit=test_limit, seed=seed, strict=False) if test is not None else ()

    def tell(change: "Change") -> None:
        console.print(
            f"{change.part}.{change.name}: {change.before} → {change.after}, reward {change.reward:.4f}", markup=False
        )

    with build_progress(console) as progress:
        checker = FactChecker(settings, progress=progress)
        environment = checker.open()
        if not isinstance(environment.reasoner, EmbeddedReasoner):
            raise BadInput("this learns the embedded reasoner: leave --reasoner out")

        async def explored_by(row: "LabelledClaim") -> "Explored":
            return await explore(row, environment, source=source, max_steps=settings.max_steps, needed=needed_for(row))

        async def all_of_it() -> "Learned":
            sources = {"kg": f"{environment.graph.name} {environment.graph.version}"}
            if environment.web is not None:
                sources["web"] = f"{environment.web.name} {environment.web.version}"
            async with checker.connected():
                return await learn(
                    rows,
                    explored_by,
                    out,
                    source=source,
                    start=reasoner.learned,
                    origin={"reasoner": reasoner.policy, "hops": settings.hops, "beam": settings.beam, **sources},
                    held_out=held_out,
                    seed=seed,
                    test=tested,
                    progress=progress,
                    told=tell,
                )

        reasoner = environment.reasoner
        try:
            learned = asyncio.run(all_of_it())
        except KeyboardInterrupt:
            console.print(f"stopped; what is done is in {out}, and the same command goes on", markup=False)
            raise typer.Exit(1) from None
    _show(learned)
    console.print(f"{out}/embedded.json, {out}/policy.json", markup=False, soft_wrap=True)


def _show(learned: "Learned") -> None:
    """Before and after on each part of the claims."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("claims", "n", "figure", "before", "after", "difference (95 %)"):
        table.add_column(column)
    for part in learned.parts:
        for name, figure in part.figures.items():
            difference = f"{figure.difference:+.3f} ({figure.low:+.3f} to {figure.high:+.3f})"
            table.add_row(part.name, str(part.n), name, f"{figure.before:.3f}", f"{figure.after:.3f}", difference)
    Console(highlight=False).print(table)
    if not learned.changes:
        print("nothing was changed: no parameter gains on the claims that it would be fitted on")
