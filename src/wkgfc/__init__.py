"""WKGFC: fact-checking against a knowledge graph first and the web second."""

from importlib.metadata import version

__version__ = version("wkgfc")
