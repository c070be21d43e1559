"""The page in a real browser: Chromium, driven by playwright, on the service over a scripted checker or the real one.

``pytest -m browser`` runs these alone. They are skipped where there is no Chromium (Debian: ``apt install chromium``).
"""

import asyncio
import datetime as dt
import os
import re
import shutil
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

import serving
from checked_results import ATTACK, BAD_ADDRESS, checked
from scripted_checker import ScriptedChecker, result_of
from serving import Served, served
from wkgfc.agent.episode import StepStarted
from wkgfc.checker import FactChecker
from wkgfc.claim import Claim, Veracity, read_claim
from wkgfc.result import CheckResult
from wkgfc.serve.folder import folder_of
from wkgfc.serve.keys import KeyRing
from wkgfc.state import GiveVerdict, InitKGRetrieval, Observation, SearchWeb, Step

playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install '.[dev]'")
expect = playwright_api.expect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: apt install chromium"),
]

WITHIN_MS = 30_000  # a browser on a busy machine; what is waited for takes far less
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
GRAPH = "document.querySelector('.canvas')._cyreg.cy"  # where cytoscape.js keeps itself
# Tells a test what the policy refused and what a script of a source would have done.
WATCH = """
window.refused = [];
addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective + " " + event.blockedURI));
"""


class Window:
    """A page, and what went wrong in it."""

    def __init__(self, context: Any, address: str) -> None:
        self.page = context.new_page()
        self.page.set_default_timeout(WITHIN_MS)
        self.problems: list[str] = []
        self.asked: list[str] = []
        self.page.on("dialog", self._dismiss)
        self.page.on("pageerror", lambda error: self.problems.append(f"error {error}"))
        self.page.on(
            "console",
            lambda said: self.problems.append(said.text) if said.type in ("error", "warning") else None,
        )
        self.page.on("request", lambda request: self.asked.append(request.url))
        self._address = address

    def _dismiss(self, dialog: Any) -> None:
        self.problems.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def assert_is_well(self) -> None:
        """Nothing failed, nothing was refused by the policy, and nobody but the service was asked."""
        assert self.problems == []
        assert self.page.evaluate("window.refused") == []
        hosts = {urlsplit(url).netloc for url in self.asked if not url.startswith(("data:", "blob:"))}
        assert hosts <= {urlsplit(self._address).netloc}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    expect.set_options(timeout=WITHIN_MS)
    with playwright_api.sync_playwright() as playwright:
        # Root has no sandbox for it, as in a container.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        one = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield one
        one.close()


@pytest.fixture(autouse=True)
def _gate() -> Iterator[None]:
    ScriptedChecker.gate.clear()
    yield
    ScriptedChecker.gate.set()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as one:
        yield one


Opened = Callable[..., Window]


@pytest.fixture
def open_window(browser: Any, site: Served) -> Iterator[Opened]:
    """Open a window on the service. At the end of the test all of them must be well."""
    opened: list[tuple[Any, Window]] = []

    def one(path: str = "/", **given: Any) -> Window:
        context = browser.new_context(base_url=site.address, **{"viewport": DESKTOP, **given})
        context.add_init_script(WATCH)
        window = Window(context, site.address)
        opened.append((context, window))
        window.page.goto(path)
        return window

    yield one
    for context, window in opened:
        window.assert_is_well()
        context.close()


def finished(site: Served, result: CheckResult) -> str:
    """The address of a check that is done with this result."""
    jobs = site.service.jobs
    (job,) = jobs.add([result.claim])
    jobs.start(job.id)
    jobs.finish(job.id, result.to_json(trace=True))
    return f"/checks/{job.id}"


def ask(page: Any, claim: str) -> None:
    page.get_by_label("Claim or text").fill(claim)
    page.keyboard.press("Enter")
    page.wait_for_url("**/checks/*")


def until_done(page: Any) -> None:
    page.locator("article.check[data-state=done]").wait_for()


def drawn(page: Any) -> None:
    page.locator("figure.graph[data-layout-ms]").wait_for()


class Script:
    """Steps that a checker takes one by one, as the test lets it."""

    def __init__(self, *steps: Step, result: Callable[[Claim], CheckResult]) -> None:
        self._steps, self._result = steps, result
        self._places = threading.Semaphore(0)

    def go_on(self) -> None:
        """Let the checker end the step that it is at."""
        self._places.release()

    async def stream(self, claim: Claim) -> AsyncGenerator[StepStarted | Step | CheckResult, None]:
        for step in self._steps:
            yield StepStarted(step.number, step.action, step.reason)
            while not self._places.acquire(blocking=False):  # noqa: ASYNC110 - the test is another thread
                await asyncio.sleep(0.005)
            yield step
        yield self._result(claim)


def step(number: int, action: Any, text: str, reason: str = "it is needed", **observed: Any) -> Step:
    return Step(
        number=number,
        action=action,
        reason=reason,
        observation=Observation(id=f"S{number}", text=text, **{"outcome": "found", **observed}),
        started_at=dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
        seconds=0.25,
    )


def play(monkeypatch: pytest.MonkeyPatch, script: Script) -> None:
    monkeypatch.setattr(ScriptedChecker, "stream", script.stream)


def test_from_a_claim_to_the_statement_that_decided_it(
    browser: Any, embedded_checker: FactChecker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With the real checker over the embedded stores, by the keyboard alone."""
    monkeypatch.setattr(serving, "ScriptedChecker", lambda settings: embedded_checker)
    with served(tmp_path) as site:
        window = Window(browser.new_context(base_url=site.address, viewport=DESKTOP), site.address)
        page = window.page
        page.add_init_script(WATCH)
        page.goto("/")
        page.keyboard.type("Charlie Chaplin was born in 1890.")
        page.keyboard.press("Enter")
        page.wait_for_url("**/checks/*")
        until_done(page)
        expect(page.get_by_role("heading", name="Refuted")).to_be_visible()
        expect(page.locator(".justification")).to_contain_text("1889")
        drawn(page)
        footnote = page.locator(".justification a.cite").first
        footnote.focus()
        page.keyboard.press("Enter")
        card = page.locator(".piece:focus")
        expect(card).to_contain_text("1889")
        expect(card.get_by_role("link").first).to_have_attribute("href", re.compile("^https://.*Chaplin"))
        expect(page.locator(".timeline .step").first).to_contain_text("Look in the knowledge graph")
        window.assert_is_well()
        page.context.close()


def test_a_footnote_lights_up_its_evidence_in_the_list_and_in_the_graph(
    open_window: Opened, site: Served, result: CheckResult
) -> None:
    page = open_window(finished(site, result)).page
    drawn(page)
    footnote, card = page.locator(".justification a.cite").first, page.locator("#e-K1")
    footnote.hover()
    expect(card).to_have_class("piece kg clashes lit")
    assert "K1" in page.evaluate(f"{GRAPH}.edges('.lit').map((edge) => edge.data('evidence')).flat()")
    page.mouse.move(0, 0)
    expect(card).to_have_class("piece kg clashes")
    footnote.click()
    expect(card).to_be_focused()
    assert page.url.endswith("#e-K1")
    expect(page.locator("#e-W1 mark")).to_have_text("Chaplin was born in 1890.")
    page.get_by_text("1 more that was found").click()
    expect(page.locator("#e-K2")).to_be_visible()


def test_a_link_to_evidence_that_is_folded_away_opens_it(
    open_window: Opened, site: Served, result: CheckResult
) -> None:
    page = open_window(f"{finished(site, result)}#e-K2").page
    expect(page.locator("#e-K2")).to_be_visible()


def test_a_node_and_a_line_of_the_graph_say_what_they_are_and_where_from(
    open_window: Opened, site: Served, result: CheckResult
) -> None:
    page = open_window(finished(site, result)).page
    drawn(page)
    page.locator("figure.graph").scroll_into_view_if_needed()

    def click(selector: str, middle: str) -> None:
        place = page.evaluate(
            f"(() => {{ const cy = {GRAPH}, box = cy.container().getBoundingClientRect();"
            f' const at = cy.$("{selector}")[0].{middle}(); return [box.left + at.x, box.top + at.y]; }})()'
        )
        page.mouse.click(*place)

    picked = page.locator(".picked")
    click("node[label = 'Charlie Chaplin']", "renderedPosition")
    expect(picked.get_by_role("heading")).to_have_text("Charlie Chaplin")
    expect(picked).to_contain_text("Charlie Chaplin was born on 16 April 1889.")
    click("edge[label = 'spouse']", "renderedMidpoint")
    expect(picked).to_contain_text("start time 16 June 1943")
    expect(picked.get_by_role("link").first).to_have_attribute("href", "https://example.org/chaplin")
    click("node[kind = 'passage']", "renderedPosition")
    expect(picked.locator("mark")).to_have_text("Chaplin was born in 1890.")
    colours = f"{GRAPH}.edges().map((edge) => [edge.data('against'), edge.style('line-color')])"
    assert len({colour for against, colour in page.evaluate(colours) if against}) == 1
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(ids) == len(set(ids))


def test_a_graph_is_drawn_the_same_every_time(open_window: Opened, site: Served, result: CheckResult) -> None:
    page = open_window(finished(site, result)).page
    seen = []
    for _ in range(2):
        drawn(page)
        seen.append(page.evaluate(f"{GRAPH}.nodes().map((node) => [node.position('x'), node.position('y')])"))
        page.reload()
    assert seen[0] == seen[1]


def test_steps_come_live_and_a_reload_in_the_middle_goes_on(
    open_window: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Script(
        step(1, InitKGRetrieval(), "Nepal: 5 facts"),
        step(2, SearchWeb(query="Nepal border"), "no page", outcome="nothing"),
        step(3, GiveVerdict(), "Supported"),
        result=lambda claim: result_of(claim, step(3, GiveVerdict(), "Supported")),
    )
    play(monkeypatch, script)
    page = open_window().page
    ask(page, "Nepal borders China.")
    steps = page.locator(".timeline > .step")
    expect(steps).to_have_count(1)
    expect(page.locator(".step.doing")).to_contain_text("Look in the knowledge graph")
    script.go_on()
    expect(steps.nth(0)).to_contain_text("Nepal: 5 facts")
    expect(steps.nth(1)).to_contain_text("Search for “Nepal border”")
    assert page.locator(".timeline").get_attribute("aria-live") == "polite"
    page.reload()
    expect(steps).to_have_count(2)
    expect(steps.nth(0)).to_contain_text("Nepal: 5 facts")
    script.go_on()
    expect(steps).to_have_count(3)
    expect(steps.nth(1)).to_contain_text("Nothing: no page")
    expect(page.get_by_role("heading", name="Checking")).to_be_visible()
    script.go_on()
    until_done(page)
    expect(page.get_by_role("heading", name="Supported")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("Supported, confidence 70 %")
    drawn(page)
    assert page.title().startswith("Supported: Nepal borders China.")


def test_two_checks_at_once_keep_to_themselves(tmp_path: Path, browser: Any) -> None:
    with served(tmp_path, serve_concurrency=2) as site:
        context = browser.new_context(base_url=site.address)
        context.add_init_script(WATCH)
        first, second = Window(context, site.address), Window(context, site.address)
        for window, claim in ((first, "Some wait for Nepal."), (second, "Others wait for China.")):
            window.page.goto("/")
            ask(window.page, claim)
            expect(window.page.locator(".step.doing")).to_have_count(1)
        ScriptedChecker.gate.set()
        for window, claim in ((first, "Some wait for Nepal."), (second, "Others wait for China.")):
            until_done(window.page)
            expect(window.page.get_by_role("heading", level=1)).to_have_text(claim)
            window.assert_is_well()
        assert first.page.url != second.page.url
        context.close()


def test_a_check_that_is_not_wanted_any_more_is_stopped(open_window: Opened) -> None:
    page = open_window().page
    ask(page, "They wait.")
    page.get_by_role("button", name="Stop this check").click()
    expect(page.get_by_role("heading", name="Cancelled")).to_be_visible()


def test_a_source_that_failed_is_shown_live_and_at_the_end(
    open_window: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = step(1, InitKGRetrieval(), "the endpoint answered 503", outcome="failed", reason="503")
    script = Script(
        failed,
        result=lambda claim: result_of(claim, failed).model_copy(
            update={"errors": ("S1: 503",), "flags": ("held_back:2 from fact-checking sites",)}
        ),
    )
    play(monkeypatch, script)
    page = open_window().page
    ask(page, "Nepal borders China.")
    script.go_on()
    until_done(page)
    trouble = page.locator("section.trouble")
    expect(trouble).to_contain_text("What failed")
    expect(trouble).to_contain_text("S1: 503")
    expect(page.locator(".step.failed")).to_contain_text("Failed: the endpoint answered 503")
    expect(page.get_by_text("Held back: 2 passages from fact-checking sites.")).to_be_visible()


def test_a_checker_that_breaks_is_an_error_and_no_verdict(open_window: Opened) -> None:
    page = open_window().page
    ask(page, "They break.")
    expect(page.get_by_role("heading", name="No verdict")).to_be_visible()
    expect(page.locator("section.trouble")).to_contain_text("a fault of the checker")
    expect(page.locator("body")).not_to_contain_text("secret-of-the-checker")


def test_hostile_claims_steps_and_evidence_do_nothing(
    open_window: Opened, site: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = checked(f"{ATTACK} <img src=x onerror=alert(2)> {{{{7*7}}}}", BAD_ADDRESS)
    query = f"<svg onload=alert(3)> {ATTACK}"
    script = Script(
        step(1, SearchWeb(query=query), f"<b>{ATTACK}</b>", f"<i>{ATTACK}</i>"), result=lambda claim: hostile
    )
    play(monkeypatch, script)
    window = open_window()
    page = window.page
    ask(page, f"Nepal borders China. {ATTACK}")
    expect(page.locator(".step.doing b")).to_contain_text("<svg onload=alert(3)>")
    script.go_on()
    until_done(page)
    drawn(page)
    expect(page.locator(".justification")).to_contain_text("<img src=x onerror=alert(2)>")
    expect(page.locator(".justification")).to_contain_text("{{7*7}}")
    for card in page.locator(".justification a.cite").all():
        card.click()
    page.evaluate(f"() => {{ {GRAPH}.elements().forEach((each) => {{ each.emit('tap'); }}); }}")
    hrefs = page.evaluate("[...document.querySelectorAll('[href]')].map((each) => each.getAttribute('href'))")
    assert all(href.startswith(("/", "#")) for href in hrefs)
    assert page.evaluate("document.querySelectorAll('main script, main img, main iframe, main style').length") == 0
    page.goto(f"/history?query={quote(ATTACK)}")
    page.goto("/")
    window.assert_is_well()


def test_with_api_keys_the_browser_asks_for_one_and_all_goes_on_with_it(browser: Any, tmp_path: Path) -> None:
    with served(tmp_path) as site:
        key = KeyRing(folder_of(site.service.settings)).add("a desk")
        assert site.http.get("/history").status_code == 401
        context = browser.new_context(base_url=site.address, http_credentials={"username": "", "password": key})
        page = context.new_page()
        page.goto("/")
        ask(page, "They wait.")
        expect(page.locator(".step.doing")).to_have_count(1)
        ScriptedChecker.gate.set()
        until_done(page)
        drawn(page)
        context.close()


def test_history_finds_a_check_and_leads_back_to_it(open_window: Opened, site: Served, result: CheckResult) -> None:
    finished(site, result)
    site.submit("Nepal borders China.")
    page = open_window("/history").page
    page.get_by_label("Words of the claim").fill("chaplin")
    page.keyboard.press("Enter")
    rows = page.locator(".rows li")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Refuted")
    rows.get_by_role("link").click()
    until_done(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Charlie Chaplin was born in 1890.")


def test_a_correction_is_kept_and_shown(open_window: Opened, site: Served, result: CheckResult) -> None:
    address = finished(site, result)
    page = open_window(address).page
    form = page.locator("#correction")
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_contain_text("Choose the right verdict")
    form.get_by_label("The verdict should be").select_option("Supported")
    form.get_by_label("This does not say what it is cited for").select_option("W1")
    form.get_by_label("Why").fill("<b>Read</b> it again.")
    form.get_by_role("button").click()
    expect(page.locator(".corrections li")).to_contain_text("The verdict should be Supported.")
    expect(page.locator(".corrections q")).to_have_text("<b>Read</b> it again.")
    expect(page.get_by_role("status")).to_have_text("The correction is kept.")
    (kept,) = site.service.corrections(address.rpartition("/")[2])
    assert (kept.veracity, kept.evidence, kept.note) == (Veracity.SUPPORTED, "W1", "<b>Read</b> it again.")


def test_a_claim_that_is_refused_stays_in_its_field_with_the_reason(open_window: Opened) -> None:
    window = open_window()
    page = window.page
    page.get_by_label("Claim or text").fill("?!")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("the claim is empty")
    expect(page.get_by_label("Claim or text")).to_have_value("?!")
    assert [problem for problem in window.problems if "422" in problem]  # the browser says so by itself
    window.problems.clear()


def test_the_day_and_the_speaker_go_with_the_claim(open_window: Opened, site: Served) -> None:
    page = open_window().page
    page.get_by_label("Made on").fill("2020-01-02")
    page.get_by_label("Said by").fill("A newspaper")
    ask(page, "Nepal borders China.")
    until_done(page)
    expect(page.locator(".meta")).to_contain_text("said by A newspaper")
    expect(page.locator(".meta")).to_contain_text("made on 2 January 2020")


def test_a_whole_text_is_shown_with_its_claims_in_colour(open_window: Opened) -> None:
    page = open_window().page
    page.get_by_label("A whole text").check()
    said = "Nepal borders China. I like it there.\n\nCharlie Chaplin was born in London in 1889. <b>Well</b>."
    page.get_by_label("Claim or text").fill(said)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/texts/*")
    page.locator("article.whole-text:not([data-open])").wait_for()
    expect(page.locator(".text-body a.supported")).to_have_count(2)
    expect(page.locator(".text-body")).to_contain_text("I like it there.")
    page.locator(".text-body a").first.click()
    page.locator(".rows a").first.click()
    page.wait_for_url("**/checks/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nepal borders China.")


def test_a_finished_check_is_read_without_scripts(browser: Any, site: Served, result: CheckResult) -> None:
    address = finished(site, result)
    plain = browser.new_context(base_url=site.address, java_script_enabled=False)
    still = plain.new_page()
    still.goto(address)
    expect(still.get_by_role("heading", name="Refuted")).to_be_visible()
    expect(still.locator("#e-W1 mark")).to_have_text("Chaplin was born in 1890.")
    still.locator(".justification a.cite").first.click()
    assert still.url.endswith("#e-K1")
    plain.close()


def test_the_keyboard_comes_everywhere_and_is_seen(open_window: Opened, site: Served, result: CheckResult) -> None:
    page = open_window(finished(site, result)).page
    drawn(page)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    seen: set[str] = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.textContent.trim().slice(0, 30) || document.activeElement.name"))
        ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring != "none"
        if "Keep the correction" in seen:
            break
    assert {"permanent link", "What this number means", "K1", "+", "Keep the correction", "note"} <= seen


def test_a_phone_shows_all_of_it_in_its_width_and_paper_without_buttons(
    open_window: Opened, site: Served, hostile: CheckResult, result: CheckResult
) -> None:
    for made in (hostile, result):
        page = open_window(finished(site, made), viewport=PHONE, has_touch=True, is_mobile=True).page
        drawn(page)
        for path in (page.url, "/", "/history"):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    page = open_window(finished(site, result)).page
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation", name="Pages")).to_be_hidden()
    expect(page.locator("#correction")).to_be_hidden()
    expect(page.locator("#e-K1")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    open_window: Opened, site: Served, hostile: CheckResult, result: CheckResult, scheme: str
) -> None:
    axe_api = pytest.importorskip("axe_playwright_python.sync_playwright")
    axe = axe_api.Axe()
    (running,) = site.service.jobs.add([read_claim("Nepal borders China.")])
    site.service.jobs.start(running.id)
    jobs = site.service.jobs
    (failed,) = jobs.add([read_claim("It was given up.")])
    jobs.fail(failed.id, "given up after 60 seconds")
    texts = site.http.post(
        "/v1/texts", json={"text": "Nepal borders China. It was nice. They moved there in 1950."}
    ).json()
    for veracity in Veracity:  # the history has them all in their colours
        finished(site, result.model_copy(update={"veracity": veracity}))
    paths = [
        "/", "/history", "/checks/nothing", f"/texts/{texts['id']}", f"/checks/{running.id}", f"/checks/{failed.id}",
        finished(site, hostile), finished(site, checked("", None, None)),
    ]  # fmt: skip
    window = open_window("/", color_scheme=scheme, reduced_motion="reduce")
    for path in paths:
        window.page.goto(path)
        if window.page.locator("figure.graph").count():
            drawn(window.page)
            window.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        found = axe.run(window.page).response["violations"]
        serious = [
            (each["id"], [node["html"][:200] for node in each["nodes"]])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert serious == [], path
    window.problems = [problem for problem in window.problems if "404" not in problem]
