"""``wkgfc evaluate stats`` and ``multihop``: the claims that the experiments are over, described and made."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from wkgfc.cli.left_out import telling_left_out
from wkgfc.cli.progress import build_progress
from wkgfc.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from wkgfc.datasets import LabelledClaim
    from wkgfc.evaluate.stats import SetStatistics


def stats(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="FILES of claims in any format of docs/datasets.md, names of sets in --data, hf:NAME:SPLIT."
        ),
    ],
    data: Annotated[Path | None, typer.Option("--data", help="FOLDER of the sets, NAME.jsonl.gz each.")] = None,
    format: Annotated[str | None, typer.Option(help="The format, where the columns do not say it.")] = None,
    strict: Annotated[bool, typer.Option(help="Stop at the first line that is wrong.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print the size, the evidence and the negative rate of sets of claims: the paper's table 2.

    Example:

        wkgfc evaluate stats averitec_dev.json fever_val.jsonl.gz
    """
    import json
    from dataclasses import asdict

    from rich.console import Console
    from rich.table import Table

    from wkgfc.datasets.labels import label_map_in_words
    from wkgfc.evaluate.stats import PAPER

    console = Console(stderr=True, highlight=False)
    sets = [_statistics(each, data, format, strict, console) for each in sources]
    if as_json:
        print(json.dumps([asdict(each) for each in sets], ensure_ascii=False, indent=1))
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("set", "rows", "size", "with evidence", "negative rate (%)"):
        table.add_column(column, justify="left" if column == "set" else "right")
    for each in sets:
        rate = "–" if each.negative_rate is None else f"{100 * each.negative_rate:.1f}"
        table.add_row(each.name, f"{each.rows:,}", f"{each.size:,}", f"{each.with_evidence:.2f}", rate)
    for name, row in PAPER.items():
        table.add_row(
            f"{name} (paper)", "", f"{row.size:,}", "yes" if row.has_evidence else "no", f"{row.negative_rate:.1f}",
            style="dim",
        )  # fmt: skip
    console = Console(highlight=False)
    console.print(table)
    for each in sets:
        console.print(f"{each.name}: {label_map_in_words(each.labels)}", markup=False, soft_wrap=True)


def multihop(
    out: Annotated[Path, typer.Option("--out", help="The new FILE of the claims, one object a line; .gz packs it.")],
    kg: Annotated[str | None, typer.Option("--kg", help="embedded, or the PATH of a store.")] = None,
    each: Annotated[int, typer.Option(min=1, max=100_000, help="Claims of each number of hops.")] = 1_000,
    seed: Annotated[int, typer.Option(help="Which claims.")] = 0,
    hops: Annotated[str, typer.Option(help="Numbers of hops.")] = "2,3,4",
    without: Annotated[
        list[Path] | None,
        typer.Option(help="FILE of earlier ones: none of its claims, and none that begins at what one of them does."),
    ] = None,
) -> None:
    """Make claims of several hops from a knowledge graph: true, wrong at one hop, and not to be decided.

    A third of each; the same graph, number and seed give the same claims. Files of two seeds share some: a sample to
    test on is made --without the FILE that was learned from.

    Example:

        wkgfc evaluate multihop --kg my.kg --out multihop.jsonl --each 1000 --seed 0
    """
    from rich.console import Console

    from wkgfc.config import load_settings
    from wkgfc.evaluate.chains import Facts
    from wkgfc.evaluate.multihop import multihop_claims
    from wkgfc.kg.builders.embedded import build_embedded
    from wkgfc.sources import is_live_graph

    try:
        numbers = sorted({int(number) for number in hops.split(",")})
    except ValueError:
        numbers = []
    if not numbers or not all(2 <= number <= 4 for number in numbers):
        raise BadInput(f"--hops {hops[:40]}: numbers from 2 to 4, as in 2,3,4")
    if out.exists():
        raise BadInput(f"{out} is there already: give another --out")
    settings = load_settings(kg=kg)
    if settings.kg == "none" or is_live_graph(settings.kg):
        raise BadInput(f"{settings.kg} is no store on this machine: give --kg embedded or the PATH of one")
    earlier = [row for path in without or () for row in _multihop_claims_of(path)]
    console = Console(stderr=True, highlight=False)
    written: dict[int, int] = dict.fromkeys(numbers, 0)
    with build_progress(console) as progress:
        store = build_embedded(settings.data_dir, progress) if settings.kg == "embedded" else Path(settings.kg)
        progress("reading the graph", 0, None)
        facts = Facts(store)
        try:
            with _opened(out) as file:
                for claim in multihop_claims(
                    facts,
                    each=each,
                    seed=seed,
                    hops=numbers,
                    without=earlier,
                    told=lambda done, total: progress("claims", done, total),
                ):
                    file.write((claim.model_dump_json(exclude_none=True) + "\n").encode())
                    written[claim.meta["hops"]] += 1
        except OSError as error:
            raise BadInput(f"{out} cannot be written: {error.strerror}") from error
    for number, count in written.items():
        fewer = "" if count == each else f", of {each:,} asked for: the graph has no more"
        console.print(f"{number} hops: {count:,} claims{fewer}", markup=False)


def _multihop_claims_of(path: Path) -> "tuple[LabelledClaim, ...]":
    from wkgfc.datasets import read_claims
    from wkgfc.evaluate.multihop import start_of

    rows = read_claims(path)
    if any(start_of(row) is None for row in rows):
        raise BadInput(f"{path} has claims that are no multi-hop claims of 'wkgfc evaluate multihop'")
    return rows


@contextmanager
def _opened(out: Path) -> Iterator[BinaryIO | gzip.GzipFile]:
    """A new file, packed where its name ends so; the same bytes whenever it is written."""
    with out.open("xb") as raw:
        if out.suffix != ".gz":
            yield raw
            return
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
            yield packed


def _statistics(
    source: str, data: Path | None, format: str | None, strict: bool, console: "Console"
) -> "SetStatistics":
    """The statistics of a source; what is left out is told."""
    from wkgfc.datasets import stream_claims
    from wkgfc.datasets.hugging_face import PREFIX, read_hugging_face
    from wkgfc.evaluate.sets import find_set
    from wkgfc.evaluate.stats import statistics_of

    with telling_left_out(console) as told:
        on_problem = None if strict else told
        if source.startswith(PREFIX):
            return statistics_of(source, read_hugging_face(source, format=format, on_problem=on_problem))
        known, path = find_set(source, data)
        rows = stream_claims(path, format=format, on_problem=on_problem, known_labels=True)
        return statistics_of(known.name, rows)
