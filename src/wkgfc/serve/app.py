"""The application: the service, the API and the page behind one gate."""

import importlib.util
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from wkgfc.config import Settings
from wkgfc.serve.api import batches, checks, corrections, events, health, texts, verify
from wkgfc.serve.folder import folder_of
from wkgfc.serve.gate import Gate
from wkgfc.serve.headers import AnswerHeaders
from wkgfc.serve.keys import KeyRing
from wkgfc.serve.measures import Measures
from wkgfc.serve.problems import answer_problems
from wkgfc.serve.rates import Rates
from wkgfc.serve.service import Service
from wkgfc.serve.workers import OpenChecker, open_warm

PREFLIGHT_S = 600  # that a browser remembers what another origin may do


def make_app(settings: Settings, *, open_checker: OpenChecker = open_warm) -> FastAPI:
    """The service as an ASGI application. Its workers start with its lifespan, and end with it.

    Args:
        settings: the ``serve_…`` ones are the service's; the others are those of every check.
        open_checker: makes the checker of each worker from the settings.

    Raises:
        NotConfigured: another service uses the folder, or what is in it cannot be read.
    """
    measures = Measures()
    service = Service(settings, open_checker=open_checker, listener=measures.ended)
    measures.watch(service)
    rates = Rates(settings.serve_rate)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with service:
            yield

    app = FastAPI(
        title="WKGFC",
        summary="Checks claims against a knowledge graph first and the web second, with cited evidence.",
        version=version("wkgfc"),
        lifespan=lifespan,
        docs_url=None,  # both load scripts from elsewhere, which the page never does
        redoc_url=None,
        separate_input_output_schemas=True,
    )
    app.state.service, app.state.measures, app.state.rates, app.state.streams = service, measures, rates, set()
    for subject in (checks, events, corrections, batches, verify, texts, health):
        app.include_router(subject.router)
    if importlib.util.find_spec("wkgfc.serve.page") is not None:
        from wkgfc.serve.page import page_router  # noqa: PLC0415

        app.include_router(page_router(service), include_in_schema=False)
    answer_problems(app)
    _describe_keys(app)
    app.add_middleware(Gate, settings=settings, keys=KeyRing(folder_of(settings)), rates=rates)
    if settings.serve_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.serve_origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Last-Event-ID", "X-Request-Id"],
            expose_headers=["Location", "Retry-After", "X-Request-Id"],
            max_age=PREFLIGHT_S,
        )
    app.add_middleware(AnswerHeaders, observed=measures.observed)  # the last added is the outermost
    return app


def _describe_keys(app: FastAPI) -> None:
    """Say in the description that a key may be asked for."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        schema = described()
        schema.setdefault("components", {})["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        schema["security"] = [{}, {"key": []}]
        return schema

    app.openapi = openapi  # type: ignore[method-assign]
