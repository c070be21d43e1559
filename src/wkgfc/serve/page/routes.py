"""The routes of the page. What they send is rendered here, and needs scripts for little but the drawing.

The application gives every answer its content security policy (``headers.py``): nothing inline, nothing from elsewhere.
"""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from wkgfc.claim import MAX_CLAIM_CHARACTERS
from wkgfc.documents.opening import MAX_CHARACTERS
from wkgfc.errors import BadInput, NotConfigured
from wkgfc.exports.forms import CLAIM_REVIEW, exported
from wkgfc.serve.api.texts import KIND as TEXT
from wkgfc.serve.api.texts import report_of
from wkgfc.serve.page.assets import load_assets
from wkgfc.serve.page.check_page import EXPORTS, check_values, result_json, result_of
from wkgfc.serve.page.drawing import elements
from wkgfc.serve.page.history import RECENT, ROWS, row_of
from wkgfc.serve.page.rendering import Renderer
from wkgfc.serve.page.text_page import text_values
from wkgfc.serve.refusals import NotThere
from wkgfc.serve.service import Service

MAX_QUERY = 200  # characters of a search over history
CHECK_PAGE = "check page"  # its name among the routes
MAX_ID = 64  # characters of an id; the service's own have 22

Id = Annotated[str, Path(max_length=MAX_ID)]
Before = Annotated[str | None, Query(max_length=MAX_ID)]


def page_router(service: Service) -> APIRouter:
    """The pages that show what ``service`` has: a form, the check of an id, the history, and their files."""
    router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
    assets = load_assets()
    renderer = Renderer(assets)

    def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        root = str(request.scope.get("root_path", "")).rstrip("/")
        return HTMLResponse(renderer.render(template, root=root, **values), status)

    def refused(request: Request, status: int, title: str, text: str) -> HTMLResponse:
        return page(request, "refused.html", status, here="", title=title, text=text)

    def not_there(request: Request) -> HTMLResponse:
        return refused(request, 404, "There is no such check", "It was removed, or the address is not whole.")

    @router.get("/")
    async def home(request: Request) -> HTMLResponse:
        recent = [row_of(job) for job in await service.history(limit=RECENT)]
        return page(
            request, "home.html", here="check", recent=recent, most_claim=MAX_CLAIM_CHARACTERS, most_text=MAX_CHARACTERS
        )

    @router.get("/history")
    async def history(
        request: Request, query: Annotated[str, Query(max_length=MAX_QUERY)] = "", before: Before = None
    ) -> HTMLResponse:
        try:
            jobs = await service.history(query, ROWS + 1, before)
        except NotThere:
            return not_there(request)
        older = jobs[ROWS - 1].id if len(jobs) > ROWS else None
        rows = [row_of(job) for job in jobs[:ROWS]]
        return page(request, "history.html", here="history", checks=rows, query=query, before=before, older=older)

    # Rendering a large result takes a while: these are no coroutines, so that they run in a thread.

    @router.get("/checks/{check}", name=CHECK_PAGE)
    def check(request: Request, check: Id) -> HTMLResponse:
        try:
            job = service.get(check)
            events = service.jobs.events(check) if job.result is None else []  # else the trajectory has its steps
            values = check_values(job, events, service.corrections(check), service.settings)
        except NotThere:
            return not_there(request)
        return page(request, "check.html", here="", **values)

    @router.get("/checks/{check}/graph")
    def graph(check: Id) -> Response:
        result = result_of(service.get(check))
        if result is None:
            raise NotThere("the check has no result")
        return JSONResponse(elements(result))

    @router.get("/checks/{check}/export/{form}")
    def export(request: Request, check: Id, form: str) -> Response:
        try:
            result = result_of(service.get(check))
        except NotThere:
            return not_there(request)
        known = EXPORTS.get(form)
        if result is None or known is None:
            return refused(request, 404, "There is no such export", "The check is not done, or has no such form.")
        try:
            if form == "json":
                text = result_json(result)
            else:
                here = str(request.url_for(CHECK_PAGE, check=check)) if form == CLAIM_REVIEW else None
                text = exported(result, form, service.settings, url=here)
        except (BadInput, NotConfigured) as error:
            return refused(request, 409, "This cannot be exported", str(error))
        name = quote(f"{check}.{known.ending}", safe="")
        return Response(text, media_type=known.kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    @router.get("/texts/{text}")
    def text(request: Request, text: Id) -> HTMLResponse:
        try:
            batch = service.batch(text, with_results=True)
            if batch.kind == TEXT and len(batch.checks) != len(batch.about["numbers"]):
                said = "A check of it was removed. The others are in the history."
                return refused(request, 410, "This text is not whole any more", said)
            values = text_values(batch, report_of(batch))
        except NotThere:
            return not_there(request)
        return page(request, "text.html", here="", **values)

    @router.get("/static/{name}")
    def static(name: str) -> Response:
        asset = assets.get(name)
        if asset is None:
            return Response(status_code=404)
        kept = {"Cache-Control": "public, max-age=31536000, immutable"}  # its address has the version of its content
        return Response(asset.content, media_type=asset.kind, headers=kept)

    return router
