"""Statements of the knowledge graph against a claim: what to follow, and what supports or refutes it."""
