"""The knowledge graph that comes with the product: built on this machine from packages, on first use.

Its builders, in order: Wikipedia's vital articles, the World Factbook, the chemical elements, awards. Items of the
same title are one item, whoever states something of it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wkgfc.kg.builders.records import Builder, rules_fingerprint
from wkgfc.kg.builders.writing import StoreWriter, write_records
from wkgfc.kg.store import KIND, LAYOUT
from wkgfc.stores import Manifest, Progress, build_store, fingerprint_of, silent

NAME = "embedded"


def embedded_path(data_dir: Path) -> Path:
    """Where the embedded store belongs in a data folder."""
    return data_dir / KIND


def build_embedded(data_dir: Path, progress: Progress = silent) -> Path:
    """The embedded store in ``data_dir``, built if it is not there or what it is built from has changed.

    Raises:
        NotConfigured: a package that carries the data is missing, or ``data_dir`` cannot be written.
    """
    store = embedded_path(data_dir)
    build_from(embedded_builders(), store, NAME, progress)
    return store


def embedded_builders() -> list[Builder]:
    """The sources of the embedded store."""
    from wkgfc.kg.builders.awards import Awards  # noqa: PLC0415 - each loads what only a build needs
    from wkgfc.kg.builders.elements import Elements  # noqa: PLC0415
    from wkgfc.kg.builders.factbook import Factbook  # noqa: PLC0415
    from wkgfc.kg.builders.vital.builder import VitalArticles  # noqa: PLC0415

    return [VitalArticles(), Factbook(), Elements(), Awards()]


def build_from(builders: Sequence[Builder], store: Path, name: str, progress: Progress = silent) -> Manifest:
    """Build a store called ``name`` at ``store`` from some builders, unless it is there and they have not changed.

    Raises:
        NotConfigured: ``store`` cannot be written, or data of a builder are missing.
    """

    def build(folder: Path) -> dict[str, Any]:
        sources: list[dict[str, Any]] = []
        with StoreWriter(folder) as writer:
            for builder in builders:
                before = writer.facts
                write_records(writer, builder.records(progress))
                sources.append(
                    {
                        "name": builder.name,
                        "licence": builder.licence,
                        "origin": builder.origin,
                        "facts": writer.facts - before,
                    }
                )
            progress("names and indexes", 0, None)
            return {"name": name, **writer.finish(), "sources": sources}

    versions = ((builder.name, builder.fingerprint()) for builder in builders)
    fingerprint = fingerprint_of(name, LAYOUT, rules_fingerprint(), *versions)
    return build_store(store, KIND, LAYOUT, fingerprint, build)
