"""``wkgfc optimize``: policies learned from claims with labels. The model's weights never change."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput, NotConfigured

if TYPE_CHECKING:
    from wkgfc.datasets import LabelledClaim
    from wkgfc.optimize.exploration import Explored
    from wkgfc.optimize.learning import Learned
    from wkgfc.optimize.parameters import Change
    from wkgfc.optimize.prompts import Candidate, Result

app = typer.Typer(help="Learn a policy from claims with labels; '--policy FOLDER' uses it.", no_args_is_help=True)


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


@app.command()
def prompts(
    claims: Annotated[list[Path], typer.Option(help="FILE of claims with labels; several are drawn from in turn.")],
    out: Annotated[Path, typer.Option("--out", help="The folder; one that is there already is gone on with.")],
    reasoner: Annotated[str, typer.Option(help="The model whose prompts are improved, as openai:gpt-4o.")],
    kg: Annotated[str | None, typer.Option("--kg", help="Knowledge graph, as for 'wkgfc check'.")] = None,
    web: Annotated[str | None, typer.Option("--web", help="Source of passages, as for 'wkgfc check'.")] = None,
    critic: Annotated[
        str | None, typer.Option(help="Who criticises and rewrites: another model. Default: the same one.")
    ] = None,
    train: Annotated[int, typer.Option(min=1, help="Claims to learn from.")] = 100,
    validation: Annotated[int, typer.Option(min=1, help="Claims to choose by.")] = 50,
    epochs: Annotated[int, typer.Option(min=1, help="Times that all of the former are gone through.")] = 20,
    batch: Annotated[int, typer.Option(min=1, help="Claims that a rewrite is made from.")] = 10,
    patience: Annotated[int, typer.Option(min=1, help="Candidates in a row without a gain, then it ends.")] = 10,
    candidates: Annotated[int, typer.Option(min=1, help="Candidates in all, then it ends.")] = 100,
    apart_from: Annotated[
        list[Path] | None, typer.Option(help="FILE of claims to test on: nothing is drawn that shares a page.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Which claims are drawn, and the order of the batches.")] = 0,
) -> None:
    """Improve the prompts of a language model from critiques of its checks; the best on validation are kept.

    It may be stopped at any time; the same command goes on. What it may cost is limited by --candidates and, for each
    check, by the settings.

    Example:

        wkgfc optimize prompts --claims fever_dev.jsonl.gz --reasoner openai:gpt-4o --train 6 --validation 4 --out p
    """
    import asyncio

    from rich.console import Console

    from wkgfc.checker import FactChecker
    from wkgfc.config import load_settings
    from wkgfc.evaluate.needed import needed_for
    from wkgfc.evaluate.opening import draw_claims
    from wkgfc.network import Network
    from wkgfc.optimize.drawing import draw_parts
    from wkgfc.reasoning.llm.hybrid import read_choice

    settings = load_settings(kg=kg, web=web, reasoner=reasoner, benchmark=True)
    choice = read_choice(settings.reasoner)
    if choice.others or not choice.has_model:
        raise BadInput(f"name one model with --reasoner, as openai:gpt-4o; {reasoner!r} is not one")
    try:
        from wkgfc.optimize.attempts import attempts_of
        from wkgfc.optimize.prompts import Schedule, optimize_prompts
        from wkgfc.optimize.rewriting import ModelRewriter
        from wkgfc.reasoning.llm.opening import open_asking, open_llm_reasoner
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "wkgfc":
            raise
        raise NotConfigured("prompts need packages that are missing: pip install 'wkgfc[llm]'") from error

    console = Console(stderr=True, highlight=False)
    drawn = draw_parts(
        [draw_claims(each, limit=None, seed=None, strict=False) for each in claims],
        lambda row: needed_for(row).pages,
        train=train,
        validation=validation,
        apart_from=[row for each in apart_from or () for row in draw_claims(each, limit=None, seed=None, strict=False)],
        seed=seed,
    )
    network = Network(settings)
    judge = open_llm_reasoner(choice.main, settings, network.models)
    asking = open_asking(critic or choice.main, settings, network.models)
    with build_progress(console) as progress:
        checker = FactChecker(settings, reasoner=judge, progress=progress)
        checker.open()
    schedule = Schedule(epochs=epochs, batch=batch, patience=patience, max_candidates=candidates, seed=seed)

    def tell(candidate: "Candidate") -> None:
        what = (
            f"rejected: {candidate.rejected}"
            if candidate.rejected
            else (f"reward {candidate.reward:.4f} ({candidate.low:.4f} to {candidate.high:.4f})")
        )
        of = f" of {candidate.judgement}, from {candidate.parent}" if candidate.judgement else ", as they ship"
        console.print(f"candidate {candidate.number}{of}: {what}", markup=False, soft_wrap=True)

    async def all_of_it() -> "Result":
        async with network.connected(), checker.connected():
            attempt = attempts_of(judge, checker, critic=asking, needed_for=needed_for)
            return await optimize_prompts(
                drawn.train, drawn.validation, attempt, ModelRewriter(asking), out, schedule=schedule, told=tell
            )

    try:
        result = asyncio.run(all_of_it())
    except KeyboardInterrupt:
        console.print(f"stopped; what is done is in {out}, and the same command goes on", markup=False)
        raise typer.Exit(1) from None
    print(f"best: candidate {result.best.number} of {len(result.candidates)}; ended by {result.ended}")
    console.print(f"{out}/policy.json", markup=False, soft_wrap=True)


def _show(learned: "Learned") -> None:
    """Before and after on each part of the claims."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("claims", "n", "figure", "before", "after", "difference (95 %)"):
        table.add_column(column, no_wrap=True)
    for part in learned.parts:
        for name, figure in part.figures.items():
            difference = f"{figure.difference:+.3f} ({figure.low:+.3f} to {figure.high:+.3f})"
            table.add_row(part.name, str(part.n), name, f"{figure.before:.3f}", f"{figure.after:.3f}", difference)
    Console(highlight=False).print(table)
    if not learned.changes:
        print("nothing was changed: no parameter gains on the claims that it would be fitted on")
