"""The results of a run as a file: JSON lines, a table with commas, Parquet. Whole or not at all, at any moment.

Rows come in the order of the claims file, one for each of its rows, also where there is no result yet.
"""

import csv
import io
import json
import os
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal

from wkgfc.batch.rows import unpacked
from wkgfc.batch.run import KeptResult, Run
from wkgfc.batch.store import Store
from wkgfc.errors import BadInput, NotConfigured

Form = Literal["jsonl", "csv", "parquet"]
FORMS: tuple[Form, ...] = ("jsonl", "csv", "parquet")

ROWS_IN_A_GROUP = 5_000  # of a Parquet file: what is in memory at once
BUSY_S = 0.2  # between looks whether another process's export of the same run has ended
_COLUMNS: dict[str, type] = {
    "id": str, "line": int, "claim": str, "date": str, "veracity": str, "confidence": float, "justification": str,
    "urls": str, "state": str, "stop_reason": str, "error": str, "cost_usd": float, "seconds": float, "attempts": int,
    "finished_at": str,
}  # fmt: skip
# What a table program would take for a formula, and run (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def form_of(path: Path) -> Form:
    """The form that the name of a file asks for.

    Raises:
        BadInput: it asks for none that is known.
    """
    for form in FORMS:
        if path.suffix.lower() == f".{form}":
            return form
    raise BadInput(f"{path.name} must end with {', '.join(f'.{form}' for form in FORMS)}")


def write_results(store: Store, run: Run, path: Path, form: Form) -> int:
    """Write all results of a run, as they are now, into ``path``. The number of rows.

    They are written beside it and renamed into its place. Two processes wait for each other.

    Raises:
        NotConfigured: the file cannot be written, the disk is full, or the package for Parquet is missing.
    """
    writer = _WRITERS[form]
    lock = f"export {run.run} {path.name}"
    while not store.database.hold(lock):
        time.sleep(BUSY_S)
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("wb") as file:
                number = writer(store.results(run), file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise NotConfigured(
            f"{path} cannot be written ({error.strerror or error}): the results are kept; write them with 'wkgfc runs "
            "export'"
        ) from error
    finally:
        store.database.release(lock)
    return number


def _write_jsonl(results: Iterator[KeptResult], file: BinaryIO) -> int:
    number = 0
    for each in results:
        number += 1
        head = {name: value for name, value in _head(each).items() if name not in ("veracity", "confidence")}
        line = json.dumps(head, ensure_ascii=False)[:-1]
        result = unpacked(each.packed) if each.packed is not None else "null"
        file.write(f'{line}, "result": {result}}}\n'.encode())
    return number


def _write_csv(results: Iterator[KeptResult], file: BinaryIO) -> int:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.DictWriter(text, list(_COLUMNS))
    writer.writeheader()
    number = 0
    for each in results:
        number += 1
        writer.writerow({name: _no_formula(value) for name, value in _flat(each).items()})
    text.flush()
    text.detach()
    return number


def _write_parquet(results: Iterator[KeptResult], file: BinaryIO) -> int:
    try:
        import pyarrow  # type: ignore[import-untyped, unused-ignore]  # noqa: PLC0415 - an extra, and a large one
        import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore]  # noqa: PLC0415
    except ImportError as error:
        raise NotConfigured("Parquet files need a package that is missing: pip install 'wkgfc[parquet]'") from error
    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    schema = pyarrow.schema([*((name, types[kind]) for name, kind in _COLUMNS.items()), ("result", types[str])])
    number = 0
    with pyarrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while group := list(islice(results, ROWS_IN_A_GROUP)):
            rows = [_flat(each) | {"result": unpacked(each.packed) if each.packed else None} for each in group]
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
            number += len(rows)
    return number


_WRITERS: dict[Form, Callable[[Iterator[KeptResult], BinaryIO], int]] = {
    "jsonl": _write_jsonl,
    "csv": _write_csv,
    "parquet": _write_parquet,
}


def _head(each: KeptResult) -> dict[str, Any]:
    claim = each.claim
    state = "error" if claim.problem is not None else each.state or "pending"
    return {
        "id": claim.id,
        "line": claim.line,
        "claim": claim.text or None,
        "date": claim.date,
        "veracity": each.veracity,
        "confidence": each.confidence,
        "state": state,
        "stop_reason": each.stop_reason,
        "error": claim.problem or each.error,
        "cost_usd": each.cost_usd,
        "seconds": each.seconds,
        "attempts": each.attempts,
        "finished_at": each.finished_at,
    }


def _flat(each: KeptResult) -> dict[str, Any]:
    result = json.loads(unpacked(each.packed)) if each.packed is not None else {}
    said = " ".join(f"{each['text']} [{', '.join(each['citations'])}]" for each in result.get("justification", ()))
    urls = [evidence["url"] for evidence in result.get("evidence", ()) if evidence["used"] and evidence["url"]]
    return _head(each) | {
        "justification": said or None,
        "urls": " ".join(dict.fromkeys(urls)) or None,
    }


def _no_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
