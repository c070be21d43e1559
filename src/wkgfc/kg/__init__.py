"""Retrieval from a knowledge graph: linking, expansion, stores."""
