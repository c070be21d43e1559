"""``wkgfc optimize``: policies learned from claims with labels. The model's weights never change."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from wkgfc.cli.left_out import telling_left_out
from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput, NotConfigured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wkgfc.agent.environment import Environment
    from wkgfc.config import Settings
    from wkgfc.datasets import LabelledClaim, Problem
    from wkgfc.optimize.exploration import Explored
    from wkgfc.optimize.learning import Learned
    from wkgfc.optimize.parameters import Change
    from wkgfc.optimize.prompts import Candidate, Result
    from wkgfc.reasoning.llm.policy import Policy
    from wkgfc.reasoning.reasoner import Reasoner

# What a check with a model depends on beside its prompts and sources: a run of other ones is another run.
CHECK_SETTINGS = ("hops", "beam", "triples", "max_steps", "passages", "counting", "mode", "votes", "attributions",
                  "second_opinion", "llm_prompts", "llm_actions", "llm_answers", "llm_temperature", "llm_max_tokens",
                  "llm_thinking_tokens")  # fmt: skip

app = typer.Typer(help="Learn a policy from claims with labels; '--policy FOLDER' uses it.", no_args_is_help=True)


@app.command()
def embedded(
    claims: Annotated[
        list[Path], typer.Option(help="FILE of claims with labels, in any format of docs/datasets.md; several may be.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder; one that is there already is gone on with.")],
    kg: Annotated[str | None, typer.Option("--kg", help="Knowledge graph, as for 'wkgfc check'.")] = None,
    web: Annotated[str | None, typer.Option("--web", help="Source of passages, as for 'wkgfc check'.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=4, help="A sample of so many claims of each, each label by its share.")
    ] = None,
    held_out: Annotated[
        float, typer.Option(min=0.1, max=0.9, help="The share of the claims that nothing is fitted on.")
    ] = 0.4,
    test: Annotated[
        list[Path] | None,
        typer.Option(help="FILE of further claims that before and after are measured on; several may be."),
    ] = None,
    test_limit: Annotated[int | None, typer.Option(min=1, help="A sample of so many of each of those.")] = None,
    seed: Annotated[int, typer.Option(help="Which claims are drawn, and the order of the search.")] = 0,
    policy: Annotated[Path | None, typer.Option(help="FOLDER of the policy to begin from.")] = None,
    verifier: Annotated[Path | None, typer.Option(help="FOLDER of another verifier than the one that ships.")] = None,
) -> None:
    """Fit the thresholds, weights and stopping rule of the embedded reasoner.

    Every way that it could take with each claim is walked once; then its parameters are searched without asking a
    source again. Nothing is learned from a claim about what one of --test is about. It may be stopped at any time; the
    same command goes on.

    Example:

        wkgfc optimize embedded --claims fm2_dev.jsonl.gz --test fm2_val.jsonl.gz --kg my.kg --out learned
    """
    import asyncio

    from rich.console import Console

    from wkgfc.checker import FactChecker
    from wkgfc.config import load_settings
    from wkgfc.evaluate.needed import needed_for
    from wkgfc.optimize.drawing import ClaimSet
    from wkgfc.optimize.exploration import explore
    from wkgfc.optimize.learning import learn
    from wkgfc.optimize.reward import weights_of
    from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner

    console = Console(stderr=True, highlight=False)
    settings = load_settings(kg=kg, web=web, policy=policy, verifier=verifier, benchmark=True)
    with telling_left_out(console) as told:
        tested = [ClaimSet(_name(each), _drawn(each, test_limit, seed, told)) for each in test or ()]
        apart = [row for each in tested for row in each.rows]
        sets = [ClaimSet(_name(each), _drawn(each, limit, seed, told, apart)) for each in claims]

    def tell(change: "Change") -> None:
        console.print(
            f"{change.part}.{change.name}: {change.before} → {change.after}, reward {change.reward:.4f}", markup=False
        )

    with build_progress(console) as progress:
        checker = FactChecker(settings, progress=progress)
        environment = checker.open()
        if not isinstance(environment.reasoner, EmbeddedReasoner):
            raise BadInput("this learns the embedded reasoner: leave --reasoner out")

        async def explored_by(source: str, row: "LabelledClaim") -> "Explored":
            return await explore(row, environment, source=source, max_steps=settings.max_steps, needed=needed_for(row))

        async def all_of_it() -> "Learned":
            async with checker.connected():
                return await learn(
                    sets,
                    explored_by,
                    out,
                    start=reasoner.learned,
                    origin={"reasoner": reasoner.policy, "hops": settings.hops, "beam": settings.beam}
                    | _sources(environment),
                    held_out=held_out,
                    seed=seed,
                    test=tested,
                    weights=weights_of(settings),
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
        list[Path] | None, typer.Option(help="FILE of claims to test on: nothing is drawn that is about the same.")
    ] = None,
    optimizer: Annotated[
        Literal["own", "textgrad"], typer.Option(help="Who rewrites from the critiques: our own prompt, or TextGrad.")
    ] = "own",
    policy: Annotated[Path | None, typer.Option(help="FOLDER of the prompts to begin from.")] = None,
    seed: Annotated[int, typer.Option(help="Which claims are drawn, and the order of the batches.")] = 0,
) -> None:
    """Improve the prompts of a language model from critiques of its checks; the best on validation are kept.

    It may be stopped at any time; the same command goes on. What it may cost is limited by --candidates and by the
    settings: run_max_cost_usd, run_max_tokens, run_max_steps and run_timeout_s for this command, others for a check.

    Example:

        wkgfc optimize prompts --claims fever_dev.jsonl.gz --reasoner openai:gpt-4o --train 6 --validation 4 --out p
    """
    import asyncio

    from rich.console import Console

    from wkgfc.budget import spending
    from wkgfc.checker import FactChecker
    from wkgfc.config import load_settings
    from wkgfc.evaluate.needed import needed_for
    from wkgfc.network import Network
    from wkgfc.optimize.drawing import draw_parts
    from wkgfc.optimize.reward import weights_of
    from wkgfc.reasoning.llm.hybrid import EMBEDDED, JUDGEMENT_NAMES, HybridReasoner, read_choice

    settings = load_settings(kg=kg, web=web, reasoner=reasoner, policy=policy, benchmark=True)
    choice = read_choice(settings.reasoner)
    if choice.main == EMBEDDED or {*choice.others.values()} - {EMBEDDED}:
        raise BadInput(
            f"name one model with --reasoner, as openai:gpt-4o, beside which only embedded may judge; "
            f"{settings.reasoner!r} does not"
        )
    try:
        from wkgfc.optimize.attempts import attempts_of
        from wkgfc.optimize.prompts import Schedule, optimize_prompts, prompts_in
        from wkgfc.optimize.rewriting import ModelRewriter
        from wkgfc.optimize.textgrad_rewriting import TextGradRewriter
        from wkgfc.reasoning.llm.opening import open_asking, open_llm_reasoner
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "wkgfc":
            raise
        raise NotConfigured("prompts need packages that are missing: pip install 'wkgfc[llm]'") from error

    console = Console(stderr=True, highlight=False)
    with telling_left_out(console) as told:
        drawn = draw_parts(
            [_drawn(each, None, seed, told) for each in claims],
            _about,
            train=train,
            validation=validation,
            apart_from=[row for each in apart_from or () for row in _drawn(each, None, seed, told)],
            seed=seed,
        )
    start, weights = prompts_in(settings.policy), weights_of(settings)
    network = Network(settings)
    judge = open_llm_reasoner(choice.main, settings.model_copy(update={"policy": None}), network.models)
    asking = open_asking(critic or choice.main, settings, network.models)
    rewriter = TextGradRewriter(asking) if optimizer == "textgrad" else ModelRewriter(asking)
    beside = _embedded(settings) if choice.others else None
    with build_progress(console) as progress:
        checker = FactChecker(settings, reasoner=judge, progress=progress)
        environment = checker.open()
    schedule = Schedule(epochs=epochs, batch=batch, patience=patience, max_candidates=candidates, seed=seed)

    def reasoner_with(prompts: "Policy") -> "Reasoner":
        other = judge.with_policy(prompts)
        return HybridReasoner(choice, {choice.main: other, EMBEDDED: beside}) if beside else other

    def tell(candidate: "Candidate") -> None:
        what = (
            f"rejected: {candidate.rejected}"
            if candidate.rejected
            else (f"reward {candidate.reward:.4f} ({candidate.low:.4f} to {candidate.high:.4f})")
        )
        begun = "as they are" if start else "as they ship"
        of = f" of {candidate.judgement}, from {candidate.parent}" if candidate.judgement else f", {begun}"
        console.print(f"candidate {candidate.number}{of}: {what}", markup=False, soft_wrap=True)

    async def all_of_it() -> "Result":
        async with network.connected(), checker.connected():
            with spending(checker.spent):
                return await optimize_prompts(
                    drawn.train,
                    drawn.validation,
                    attempts_of(reasoner_with, checker, critic=asking, needed_for=needed_for, weights=weights),
                    rewriter,
                    out,
                    schedule=schedule,
                    start=start,
                    judged=[name for name in JUDGEMENT_NAMES if name not in choice.others],
                    weights=weights,
                    sets=[_name(each) for each in claims],
                    origin={"reasoner": settings.reasoner, "embedded": beside.policy if beside else None}
                    | {name: getattr(settings, name) for name in CHECK_SETTINGS}
                    | _sources(environment),
                    told=tell,
                )

    try:
        result = asyncio.run(all_of_it())
    except KeyboardInterrupt:
        console.print(f"stopped; what is done is in {out}, and the same command goes on", markup=False)
        raise typer.Exit(1) from None
    print(f"best: candidate {result.best.number} of {len(result.candidates)}; ended by {result.ended}")
    if result.ended == "the run's limit":
        console.print("the same command goes on from here, with a limit of its own", markup=False)
    console.print(f"{out}/policy.json", markup=False, soft_wrap=True)


@app.command()
def confidence(
    runs: Annotated[
        list[Path], typer.Argument(help="FOLDERS of 'wkgfc evaluate run' with a language model, claims with labels.")
    ],
    out: Annotated[
        Path, typer.Option("--out", help="The policy's folder: that of the runs, or a new one if they had none.")
    ],
) -> None:
    """Fit how far a language model's verdicts can be relied on, from checks of claims with labels.

    One temperature is fitted to the probabilities of finished runs of one model with one policy; nobody is asked again.
    It holds for that model, these prompts and that number of votes, and changes no verdict. Take claims of every label
    that yours may have, and none that you will measure on.

    Example:

        wkgfc evaluate run --reasoner openai:gpt-4o --claims fever_dev.jsonl.gz --limit 300 --out run1

        wkgfc optimize confidence run1 --out calibrated
    """
    from rich.console import Console
    from rich.table import Table

    from wkgfc.evaluate.cell import read_description
    from wkgfc.evaluate.episodes import episodes_of
    from wkgfc.optimize.calibrating import calibrate
    from wkgfc.reasoning.llm.calibration import write_calibration
    from wkgfc.reasoning.llm.policy import read_policy

    votes, *others = {read_description(run).settings.get("votes") for run in runs}
    if others or not isinstance(votes, int):
        raise BadInput("the runs asked for different numbers of votes, or do not say for how many: give those of one")
    found = calibrate([episode for run in runs for episode in episodes_of(run)], votes=votes)
    prompts = read_policy(out if out.is_dir() and any(out.iterdir()) else None).version
    if prompts not in found.reasoner:
        raise BadInput(f"{out} has other prompts than the runs ({found.reasoner}): give the policy that they had")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("", "before", "after, on claims held out"):
        table.add_column(column)
    for name in ("log_loss", "brier", "calibration_error"):
        table.add_row(name.replace("_", " "), f"{getattr(found.before, name):.3f}", f"{getattr(found.after, name):.3f}")
    Console(highlight=False).print(table)
    if found.after.log_loss >= found.before.log_loss:
        print(f"nothing was written: on {found.claims} claims held out no temperature is better than none")
        return
    path = write_calibration(found, out)
    print(f"temperature {found.temperature:g} for {found.reasoner}, from {found.claims} claims: {path}")


def _sources(environment: "Environment") -> dict[str, str]:
    """The knowledge graph and the web of a run, with the versions of their data."""
    sources = {"kg": f"{environment.graph.name} {environment.graph.version}"}
    if environment.web is not None:
        sources["web"] = f"{environment.web.name} {environment.web.version}"
    return sources


def _embedded(settings: "Settings") -> "Reasoner":
    """The embedded reasoner beside the model, with what it has learned."""
    from wkgfc.reasoning.embedded.policy import read_embedded_policy
    from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner
    from wkgfc.reasoning.verifier import load_verifier

    return EmbeddedReasoner(load_verifier(settings.verifier), read_embedded_policy(settings.policy, is_needed=False))


def _name(path: Path) -> str:
    return path.name.split(".")[0]


def _drawn(
    path: Path,
    limit: int | None,
    seed: int,
    told: "Callable[[Problem], None]",
    apart: "Sequence[LabelledClaim]" = (),
) -> "tuple[LabelledClaim, ...]":
    """The claims of a file, or a seeded sample of them, without those about what others are about."""
    from wkgfc.datasets.sampling import draw
    from wkgfc.evaluate.opening import draw_sample
    from wkgfc.optimize.drawing import apart_from

    rows = apart_from(draw_sample(path, limit=None, seed=0, strict=False, told=told).rows, apart, _about)
    if limit is None or limit >= len(rows):
        return rows
    return draw(rows, limit, seed=seed, source=path.name)[1]


def _about(row: "LabelledClaim") -> "frozenset[str]":
    from wkgfc.evaluate.needed import needed_for
    from wkgfc.optimize.drawing import about

    return about(row, needed_for(row).pages)


def _show(learned: "Learned") -> None:
    """Before and after on each part of the claims."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("claims", "n", "figure", "before", "after", "difference (95 %)", ""):
        table.add_column(column, no_wrap=True)
    for part in learned.parts:
        for name, figure in part.figures.items():
            difference = f"{figure.difference:+.3f} ({figure.low:+.3f} to {figure.high:+.3f})"
            share = "" if figure.share is None else f"{figure.share:+.0%}"
            table.add_row(
                part.name, str(part.n), name, f"{figure.before:.3f}", f"{figure.after:.3f}", difference, share
            )
    Console(highlight=False).print(table)
    if not learned.changes:
        print("nothing was changed: no parameter gains on the claims that it would be fitted on")
