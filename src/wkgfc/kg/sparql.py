"""SPARQL over HTTP: a query to any endpoint, and its answer read strictly.

An answer that broke off, that is known to be a part of the whole, or that answers something else is a failure with
its reason: never fewer rows, and never "nothing".

Sources: SPARQL 1.1 Protocol; SPARQL 1.1 Query Results JSON Format (W3C Recommendations of 21 March 2013); for what
services add to them, Wikidata Query Service (Blazegraph) and Virtuoso's "anytime queries".
"""

import datetime as dt
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from wkgfc.http import Answer, Http, Request, Unanswered
from wkgfc.kg.answers import MAX_TEXT, Unreadable, ask, host_of, is_time_out, mapping_at, read_json, whole
from wkgfc.kg.values import Term
from wkgfc.kg.vocabulary import RDF, XSD
from wkgfc.state import Failed

RESULTS = "application/sparql-results+json"
MAX_ROWS = 200_000  # of one answer: a triples query of 16 branches with 200 statements each has some 50,000
MAX_BYTES = 32_000_000  # of one answer, after decompression
TIMEOUT_S = 60.0  # Wikidata's query service gives up then: Wikidata Query Service, "Technical interactions"

Row = tuple[Term | None, ...]

_STRING, _LANG_STRING = XSD + "string", RDF + "langString"
_NUMBER = re.compile(r"\+?[0-9]{1,15}", re.ASCII)
_PARTIAL = 206  # the status that Virtuoso gives to what it found until the time was up


class Endpoint:
    """A SPARQL endpoint. ``answered_on`` is the day of its first answer, ``None`` before."""

    def __init__(
        self, http: Http, url: str, *, headers: Mapping[str, str] | None = None, timeout_s: float = TIMEOUT_S
    ) -> None:
        """``url`` takes the queries (it ends in ``/sparql`` or ``/query``); ``headers`` go with each of them.

        Raises:
            NotConfigured: ``url`` is no http or https URL.
        """
        self.url = url
        self.host = host_of(url)
        self.answered_on: dt.date | None = None
        self._http = http
        self._headers = {"Accept": RESULTS, **(headers or {})}
        self._timeout_s = timeout_s

    @property
    def asked(self) -> str:
        """Where and when it was asked: the version of a graph that tells none."""
        return f"{self.host}, asked {self.answered_on}" if self.answered_on else self.host

    async def select(self, query: str, columns: Sequence[str], numbers: Collection[str] = ()) -> list[Row] | Failed:
        """The rows of a SELECT query, each with the terms of ``columns`` in their order.

        ``numbers`` are those columns that hold whole numbers: something else in one makes the answer unreadable.
        """
        request = Request(
            url=self.url,
            kind="query",
            method="POST",
            form={"query": query},
            headers=self._headers,
            accepts=(RESULTS, "application/json"),
            max_bytes=MAX_BYTES,
            timeout_s=self._timeout_s,
        )

        def read(answer: Answer) -> list[Row]:
            rows = read_results(answer.body, columns, numbers)
            if partial := _partial(answer, len(rows)):
                raise Unreadable(partial)
            return rows

        outcome = await ask(self._http, request, read)
        if isinstance(outcome, Unanswered):
            if outcome.status and outcome.status >= 400 and is_time_out(outcome.body):
                return Failed(f"{self.host} ran out of time (status {outcome.status})")
            return Failed(outcome.reason)
        rows, answer = outcome
        self.answered_on = self.answered_on or answer.retrieved_at.date()
        return rows


def read_results(body: bytes, columns: Sequence[str], numbers: Collection[str] = ()) -> list[Row]:
    """The rows of an answer in SPARQL's JSON format. A blank node is ``Term("")``, as nothing names it.

    Raises:
        Unreadable: it is cut, has another shape or other columns, more than ``MAX_ROWS`` rows, or a term that is none.
    """
    document = read_json(body)
    variables = mapping_at(document, "head").get("vars")
    bindings = mapping_at(document, "results").get("bindings")
    if not isinstance(variables, list) or not isinstance(bindings, list):
        raise Unreadable("JSON that is no table")
    if any(column not in variables for column in columns):
        raise Unreadable("the answer to another question")
    if len(bindings) > MAX_ROWS:
        raise Unreadable(f"more than {MAX_ROWS:,} rows")
    numeric = [column in numbers for column in columns]
    rows: list[Row] = []
    for binding in bindings:
        if not isinstance(binding, dict):
            raise Unreadable("a row that is none")
        row = tuple(_term(binding[column]) if column in binding else None for column in columns)
        for term, is_number in zip(row, numeric, strict=True):
            if is_number and term is not None and not _NUMBER.fullmatch(term.value):
                raise Unreadable("a text where a number belongs")
        rows.append(row)
    return rows


def _term(value: Any) -> Term:
    if not isinstance(value, dict):
        raise Unreadable("a term that is none")
    kind, text = value.get("type"), value.get("value")
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise Unreadable("a term without a value, or with an endless one")
    text = whole(text)
    if kind == "uri":
        return Term(text)
    if kind == "bnode":
        return Term("")
    if kind not in ("literal", "typed-literal"):  # the second is what drafts of the format called a literal with a type
        raise Unreadable("a term of an unknown kind")
    language, datatype = value.get("xml:lang"), value.get("datatype")
    if language is not None and not isinstance(language, str):
        raise Unreadable("a language that is none")
    if datatype is not None and not isinstance(datatype, str):
        raise Unreadable("a datatype that is none")
    if language:
        return Term(text, _LANG_STRING, whole(language).lower())
    return Term(text, whole(datatype) if datatype else _STRING)


def _partial(answer: Answer, rows: int) -> str | None:
    """What says that an answer is a part of the whole: Virtuoso tells it in the status and the headers."""
    if answer.status == _PARTIAL or answer.headers.get("x-sql-state"):
        return "a part of the rows only, as it ran out of time"
    limit = answer.headers.get("x-sparql-maxrows", "")
    if _NUMBER.fullmatch(limit) and rows >= int(limit):
        return f"a part of the rows only: it gives {int(limit):,} at most"
    return None
