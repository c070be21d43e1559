"""The command ``wkgfc``. Each job is a file of this folder; what a job needs is imported when it runs."""

import sys

import typer

from wkgfc.cli import (
    batch,
    check,
    check_text,
    config,
    corpus,
    doctor,
    evaluate,
    experience,
    export,
    kg,
    mcp,
    models,
    optimize,
    policy,
    replay,
    runs,
    serve,
    verify,
)
from wkgfc.errors import BadInput, UserError

app = typer.Typer(
    name="wkgfc",
    help="Check a claim against a knowledge graph first and the web second, with cited evidence.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("check")(check.check)
app.command("replay")(replay.replay)
app.command("verify")(verify.verify)
app.command("check-text")(check_text.check_text)
app.command("batch")(batch.batch)
app.add_typer(runs.app, name="runs")
app.command("export")(export.export)
app.add_typer(kg.app, name="kg")
app.add_typer(corpus.app, name="corpus")
app.add_typer(evaluate.app, name="evaluate")
app.add_typer(experience.app, name="experience")
app.add_typer(optimize.app, name="optimize")
app.add_typer(policy.app, name="policy")
app.command("mcp")(mcp.mcp)
app.add_typer(serve.app, name="serve")
app.command("models")(models.models)
app.command("config")(config.config)
app.command("doctor")(doctor.doctor)


def run() -> None:
    """Run the command line. Status 0 for an answer, 2 for wrong use, 1 for an error or after Ctrl-C."""
    try:
        app()
    except UserError as error:
        from wkgfc.claim import visible_text

        print(f"wkgfc: {visible_text(str(error))}", file=sys.stderr)
        sys.exit(2 if isinstance(error, BadInput) else 1)
