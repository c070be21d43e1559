"""How long the page takes in a browser: from the request to its load, and the drawing of a graph of 200 nodes.

    python benchmarks/page.py [--times 10]

It needs Chromium (Debian: ``apt install chromium``) and playwright (``pip install '.[dev]'``). The service runs on
loopback with checks that are done; every load is in a new window with an empty cache. Printed are medians and the
longest, in milliseconds: ``load`` is the browser's own load event, ``layout`` is what cytoscape.js takes from the
elements to their places, and ``drawn`` is from the request until the graph is there. ``cpu`` is the processor time of
the page's thread for all of it, which other work on the machine does not change.
"""

import argparse
import datetime as dt
import os
import random
import shutil
import socket
import statistics
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import uvicorn

from wkgfc.checker import cited_evidence
from wkgfc.claim import Veracity, read_claim
from wkgfc.config import load_settings
from wkgfc.evidence import Entity, EvidenceGraph, Relation, Source, Triple
from wkgfc.result import CheckResult, Sentence
from wkgfc.serve.app import make_app
from wkgfc.serve.page.drawing import MAX_NODES

SEED = 7
WITHIN_MS = 120_000
TOPICS = 4  # entities that a long claim names
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def result_with(nodes: int) -> CheckResult:
    """A refuted claim with so many entities in its graph: some topics, what is around them, and what is further."""
    chance = random.Random(SEED)
    graph = EvidenceGraph()
    entities = [
        Entity(id=f"Q{number}", label=f"Entity {number} of the graph", url=f"https://example.org/{number}")
        for number in range(nodes)
    ]
    for number in range(TOPICS, nodes):
        hop = 1 if number < nodes // 2 else 2
        near = entities[chance.randrange(TOPICS)] if hop == 1 else entities[chance.randrange(TOPICS, nodes // 2)]
        graph.add_kg_triple(
            Triple(
                subject=near,
                relation=Relation(id=f"P{chance.randrange(40)}", label="is connected with"),
                object=entities[number],
                source=Source(name="benchmark", url=f"https://example.org/{number}"),
            ),
            hop=hop,
        )
    return CheckResult(
        claim=read_claim("Entity 0 of the graph is connected with Entity 1 of the graph."),
        veracity=Veracity.REFUTED,
        probabilities={Veracity.REFUTED: 0.9, Veracity.NOT_ENOUGH_EVIDENCE: 0.1},
        confidence=0.9,
        justification=(Sentence(text="It is connected with another.", citations=("K1",)),) if nodes > TOPICS else (),
        evidence=tuple(cited_evidence(each, used=each.id == "K1") for each in graph),
        stop_reason="verdict",
        checked_at=dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
        graph=graph.to_record(),
    )


def measure(address: str, paths: dict[str, str], times: int) -> dict[str, list[dict[str, float]]]:
    """The figures of each load of each path."""
    from playwright.sync_api import sync_playwright

    figures: dict[str, list[dict[str, float]]] = {name: [] for name in paths}
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        for name, path in paths.items():
            for number in range(times + 1):
                context = browser.new_context(viewport={"width": 1280, "height": 900})
                page = context.new_page()
                session = context.new_cdp_session(page)
                session.send("Performance.enable", {"timeDomain": "threadTicks"})
                page.goto(address + path, wait_until="load", timeout=WITHIN_MS)
                found: dict[str, Any] = page.evaluate(
                    "(() => { const entry = performance.getEntriesByType('navigation')[0];"
                    " return {load: entry.loadEventStart - entry.startTime}; })()"
                )
                if page.locator("figure.graph").count():
                    page.locator("figure.graph[data-layout-ms]").wait_for(timeout=WITHIN_MS)
                    found |= page.evaluate(
                        "(() => { const set = document.querySelector('figure.graph').dataset;"
                        " return {layout: Number(set.layoutMs), drawn: Number(set.drawnMs)}; })()"
                    )
                taken = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
                found["cpu"] = 1_000 * taken["TaskDuration"]
                context.close()
                if number:  # the first one warms the server
                    figures[name].append(found)
        browser.close()
    return figures


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=10, help="loads of each page (10)")
    times = parser.parse_args().times
    if CHROMIUM is None:
        sys.exit("there is no Chromium: apt install chromium")
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(load_settings(serve_dir=Path(folder), serve_workers=0))
        jobs = app.state.service.jobs
        paths = {"first page": "/", "history": "/history"}
        for name, nodes in (("a check, 20 nodes", 20), (f"a check, {MAX_NODES} nodes", MAX_NODES)):
            result = result_with(nodes)
            (job,) = jobs.add([result.claim])
            jobs.start(job.id)
            jobs.finish(job.id, result.to_json(trace=True))
            paths[name] = f"/checks/{job.id}"
        listening = socket.create_server(("127.0.0.1", 0))
        # Without its lifespan: nothing is checked here.
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            figures = measure(f"http://127.0.0.1:{listening.getsockname()[1]}", paths, times)
        finally:
            server.should_exit = True
            thread.join()
            jobs.close()
    print(f"{'page':22} {'figure':8} {'median':>8} {'longest':>8}  (ms, {times} loads)")
    for name, loads in figures.items():
        for figure in loads[0]:
            values = [load[figure] for load in loads]
            print(f"{name:22} {figure:8} {statistics.median(values):8.0f} {max(values):8.0f}")


if __name__ == "__main__":
    main()
