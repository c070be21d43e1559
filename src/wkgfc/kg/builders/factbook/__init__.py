"""The World Factbook: its structured fields as statements, its prose as passages."""

from wkgfc.kg.builders.factbook.builder import Factbook

__all__ = ["Factbook"]
