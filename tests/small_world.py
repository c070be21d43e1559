"""A small world to evaluate on: a graph, an index of pages, and files of labelled claims, some with their document."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from small_graphs import properties, statement, store_of
from wkgfc.config import load_settings
from wkgfc.datasets import LabelledClaim, read_claims
from wkgfc.evaluate.workbench import Workbench
from wkgfc.web.corpus import build_corpus

NAMES = {"Q1": "Ada Verne", "Q2": "Lyon", "Q3": "Turin", "Q4": "France", "Q5": "Italy", "Q7": "Bo Lind"}
RELATIONS = {"P19": "place of birth", "P17": "country", "P27": "country of citizenship"}
FACTS = [("Q1", "P19", "Q2"), ("Q2", "P17", "Q4"), ("Q3", "P17", "Q5"), ("Q7", "P27", "Q5")]
PAGES = {
    "Ada Verne": "Ada Verne was a chemist. She discovered a red dye in 1871 and sold it to a mill.",
    "Bo Lind": "Bo Lind was a painter. He painted the harbour of Malmö in 1902.",
    "Malmö": "Malmö is a city in the south of Sweden with a large harbour.",
}
OPEN = [
    ("c1", "Ada Verne was born in Lyon.", "SUPPORTS"),
    ("c2", "Ada Verne was born in Turin.", "REFUTES"),
    ("c3", "Ada Verne discovered a red dye in 1871.", "SUPPORTS"),
    ("c4", "Bo Lind painted the harbour of Malmö in 1950.", "REFUTES"),
    ("c5", "Bo Lind had a cat.", "NOT ENOUGH INFO"),
]
DOCUMENT = "The bridge over the river Arn was opened in May 1998 by the mayor. It is 320 metres long and has two lanes."
GROUNDED = [
    ("g1", "The bridge over the river Arn was opened in 1998.", "SUPPORTS"),
    ("g2", "The bridge over the river Arn was opened in 2004.", "REFUTES"),
    ("g3", "The bridge is 320 metres long.", "SUPPORTS"),
]


@dataclass(frozen=True)
class World:
    """The folder of the world, and what is in it."""

    folder: Path

    @property
    def kg(self) -> str:
        return str(self.folder / "store")

    @property
    def web(self) -> str:
        return str(self.folder / "index")

    def rows(self, name: str) -> tuple[LabelledClaim, ...]:
        return read_claims(self.folder / f"{name}.jsonl")

    def workbench(self, **given: Any) -> Workbench:
        return Workbench(load_settings(kg=self.kg, web=self.web, **given))


def build_world(folder: Path) -> World:
    """Build the stores and write the claims: ``fever_val``, ``fever_dev`` (to fit on) and ``pubhealth``."""
    lines = [f'wd:{identifier} rdfs:label "{label}"@en' for identifier, label in NAMES.items()]
    lines += [statement(f"s{n}", s, relation, f"wd:{o}") for n, (s, relation, o) in enumerate(FACTS)]
    store_of(folder, "\n".join([*lines, properties(RELATIONS)]))
    archive = folder / "pages.jsonl"
    pages = [
        {"title": title, "text": text, "url": f"https://example.org/{n}"}
        for n, (title, text) in enumerate(PAGES.items())
    ]
    archive.write_text("\n".join(map(json.dumps, pages)), encoding="utf-8")
    build_corpus(archive, folder / "index", name="pages")
    write_claims(folder / "fever_val.jsonl", [{"id": i, "claim": c, "label": label} for i, c, label in OPEN])
    development = [
        {"id": f"d{n}", "claim": f"Ada Verne discovered {'a red dye' if n % 2 else f'{n} planets'}.",
         "label": "SUPPORTS" if n % 2 else "REFUTES", "evidence": [{"text": PAGES["Ada Verne"]}]}
        for n in range(60)
    ]  # fmt: skip
    write_claims(folder / "fever_dev.jsonl", development)
    write_claims(
        folder / "pubhealth.jsonl",
        [{"id": i, "claim": c, "label": label, "evidence": [{"text": DOCUMENT}]} for i, c, label in GROUNDED],
    )
    return World(folder)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return build_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="session")
def bench(world: World) -> Iterator[Workbench]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WKGFC_CONFIG", str(world.folder / "no-config.toml"))
        with world.workbench() as workbench:
            yield workbench


def write_claims(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write a file of claims."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
