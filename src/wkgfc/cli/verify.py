"""``wkgfc verify``: does a text support a claim? The verifier alone, without a search."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from wkgfc.errors import BadInput

MAX_BYTES = 4_000_000  # of the evidence file


def verify(
    claim: Annotated[str, typer.Argument(help="The claim, one sentence.")],
    evidence: Annotated[Path, typer.Option(help="FILE with the evidence, plain text of any length; '-' reads it.")],
    verifier: Annotated[Path | None, typer.Option(help="FOLDER of another verifier than the one that ships.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the probabilities and the sentence as JSON.")] = False,
) -> None:
    """Judge a claim by one text alone: supported, refuted or neither, and the sentence that decided.

    Examples:

        wkgfc verify --evidence report.txt "Sales rose by ten per cent."

        curl -s https://example.org/page.txt | wkgfc verify --evidence - --json "The bridge opened in 1932."
    """
    import json

    from rich.console import Console
    from rich.text import Text

    from wkgfc.claim import read_claim, visible_text
    from wkgfc.config import load_settings
    from wkgfc.reasoning.verifier import load_verifier

    read = read_claim(claim)
    text = _text_of(evidence)
    judge = load_verifier(verifier or load_settings().verifier)
    ground = judge.explain(text, read.text)
    names = ("supports", "refutes", "neither")
    if as_json:
        record = {
            "claim": read.text,
            "probabilities": {name: round(p, 4) for name, p in zip(names, ground.probabilities, strict=True)},
            "sentence": ground.sentence,
            "start": ground.start,
            "end": ground.end,
            "verifier": judge.name,
        }
        print(json.dumps(record, ensure_ascii=False, indent=2))
        return
    out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
    likeliest = max(range(3), key=ground.probabilities.__getitem__)
    says = ("The text supports the claim", "The text contradicts the claim", "The text does not settle the claim")
    out.print(Text(f"{says[likeliest]} ({ground.probabilities[likeliest]:.0%}).", style="bold"))
    if ground.sentence and likeliest < 2:
        out.print(Text(f"“{visible_text(ground.sentence)}”"))
    out.print(Text(", ".join(f"{n} {p:.2f}" for n, p in zip(names, ground.probabilities, strict=True)), style="dim"))


def _text_of(path: Path) -> str:
    """The evidence as text.

    Raises:
        BadInput: the file cannot be read, is too large, is no UTF-8 text, or is empty.
    """
    try:
        with sys.stdin.buffer if str(path) == "-" else path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadInput(f"the evidence {path} cannot be read: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise BadInput(f"the evidence has more than {MAX_BYTES:,} bytes: give the part that matters")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"the evidence {path} is not UTF-8 text: convert it first") from error
    if not text.strip():
        raise BadInput("the evidence is empty")
    return text
