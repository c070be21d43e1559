"""One search as every engine runs it: send the request, tell a refusal from an answer, an answer from nothing."""

from collections.abc import Mapping
from dataclasses import replace

from wkgfc.http import Answer, Http, Request, Unanswered
from wkgfc.state import Failed, Retrieved, found
from wkgfc.usage import count
from wkgfc.web.providers.answers import Asked, ReadRow, Result, RowsOf, hits_of, read_results
from wkgfc.web.providers.refusals import refused
from wkgfc.web.search import Hit


async def ask(
    http: Http,
    request: Request,
    asked: Asked,
    rows_of: RowsOf,
    read_row: ReadRow,
    *,
    key: str | None = None,
    refusals: Mapping[int, str] | None = None,
) -> Retrieved[Hit]:
    """Send a search's request and read the answer with ``rows_of`` and ``read_row``.

    ``key`` names the environment variable with the engine's key, ``refusals`` say what a status means at this engine
    where that is its own. An answer that cannot be read is made known to the client as a fault, so that it is not kept.
    """

    def read(answer: Answer) -> list[Result] | str:
        return read_results(answer.body, asked, rows_of, read_row, answer.retrieved_at)

    def fault(answer: Answer) -> str | None:
        wrong = read(answer)
        return wrong if isinstance(wrong, str) else None

    count("web_searches")
    answer = await http.send(replace(request, fault=fault))
    if isinstance(answer, Unanswered):
        return refused(asked.engine, answer, key=key, own=refusals or {})
    results = read(answer)
    if isinstance(results, str):
        return Failed(f"{asked.engine} sent {results}")
    return found(hits_of(asked, results, answer.retrieved_at))
