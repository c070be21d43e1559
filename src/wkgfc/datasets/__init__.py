"""Benchmark claims: their files as released, their labels, seeded samples of them (docs/datasets.md)."""

from wkgfc.datasets.claims import GoldEvidence, LabelledClaim
from wkgfc.datasets.reading import Problem, read_claims, stream_claims

__all__ = ["GoldEvidence", "LabelledClaim", "Problem", "read_claims", "stream_claims"]
