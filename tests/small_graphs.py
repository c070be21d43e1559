"""Small knowledge graphs in Wikidata's vocabulary, written by hand for the tests of stores."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wkgfc.evidence import Entity, Relation
from wkgfc.kg.builders.wikidata import build_wikidata
from wkgfc.kg.store import EmbeddedStore, open_store
from wkgfc.state import Failed, Found, Retrieved

PREFIXES = {
    "wd": "http://www.wikidata.org/entity/",
    "s": "http://www.wikidata.org/entity/statement/",
    "ref": "http://www.wikidata.org/reference/",
    "v": "http://www.wikidata.org/value/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "p": "http://www.wikidata.org/prop/",
    "ps": "http://www.wikidata.org/prop/statement/",
    "psv": "http://www.wikidata.org/prop/statement/value/",
    "pq": "http://www.wikidata.org/prop/qualifier/",
    "pqv": "http://www.wikidata.org/prop/qualifier/value/",
    "pr": "http://www.wikidata.org/prop/reference/",
    "wdno": "http://www.wikidata.org/prop/novalue/",
    "wikibase": "http://wikiba.se/ontology#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "http://schema.org/",
    "prov": "http://www.w3.org/ns/prov#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def n_triples(text: str) -> str:
    """Lines of ``subject predicate object`` with prefixes, as N-Triples. Literals are written as in N-Triples."""
    lines = []
    for line in text.strip().splitlines():
        if not line.strip():
            continue
        subject, predicate, value = line.strip().split(" ", 2)
        lines.append(f"{_node(subject)} {_node(predicate)} {_node(value)} .\n")
    return "".join(lines)


def _node(text: str) -> str:
    if text.startswith('"'):
        value, mark, datatype = text.rpartition("^^")
        return f"{value}^^{_node(datatype)}" if mark else text
    if text.startswith(("<", "_:")):
        return text
    prefix, _, name = text.partition(":")
    return f"<{PREFIXES[prefix]}{name}>"


def properties(names: dict[str, str]) -> str:
    """Properties with their labels and roles."""
    lines = []
    for identifier, label in names.items():
        lines.append(f'wd:{identifier} rdfs:label "{label}"@en')
        for role, prefix in (
            ("directClaim", "wdt"),
            ("claim", "p"),
            ("statementProperty", "ps"),
            ("qualifier", "pq"),
        ):
            lines.append(f"wd:{identifier} wikibase:{role} {prefix}:{identifier}")
    return "\n".join(lines)


def statement(
    identifier: str, subject: str, relation: str, value: str, *, rank: str = "Normal", best: bool = True
) -> str:
    """A fact as Wikidata's dumps write it: a direct link if it is of the best rank, and a statement."""
    lines = [
        f"wd:{subject} p:{relation} s:{identifier}",
        f"s:{identifier} ps:{relation} {value}",
        f"s:{identifier} wikibase:rank wikibase:{rank}Rank",
    ]
    if best:
        lines.insert(0, f"wd:{subject} wdt:{relation} {value}")
    return "\n".join(lines)


def store_of(folder: Path, text: str, **options: Any) -> EmbeddedStore:
    """The store that is built from such lines."""
    dump = folder / "dump.nt"
    dump.write_text(n_triples(text), encoding="utf-8")
    build_wikidata(dump, folder / "store", **options)
    return open_store(folder / "store")


def entity(identifier: str) -> Entity:
    """An entity of which only the id matters."""
    return Entity(id=identifier, label=identifier)


def relation(identifier: str) -> Relation:
    """A relation of which only the id matters."""
    return Relation(id=identifier, label=identifier)


def items(answer: Retrieved[Any]) -> list[Any]:
    """What was found; nothing where nothing was. A failure is none of both."""
    assert not isinstance(answer, Failed), answer.reason
    return list(answer.items) if isinstance(answer, Found) else []


def ids(entities: Iterable[Entity]) -> set[str]:
    """The ids of some entities."""
    return {each.id for each in entities}
