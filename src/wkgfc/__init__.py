"""WKGFC: fact-checking against a knowledge graph first and the web second.

>>> from wkgfc import FactChecker
>>> result = FactChecker().check("Charlie Chaplin was born in 1889.")  # doctest: +SKIP
>>> result.veracity  # doctest: +SKIP
<Veracity.SUPPORTED: 'Supported'>
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wkgfc.checker import FactChecker
    from wkgfc.claim import Claim, Veracity
    from wkgfc.config import Settings
    from wkgfc.reasoning.verifier import Verifier
    from wkgfc.result import CheckResult

__all__ = ["CheckResult", "Claim", "FactChecker", "Settings", "Veracity", "Verifier"]

_HOME = {
    "CheckResult": "wkgfc.result",
    "Claim": "wkgfc.claim",
    "FactChecker": "wkgfc.checker",
    "Settings": "wkgfc.config",
    "Veracity": "wkgfc.claim",
    "Verifier": "wkgfc.reasoning.verifier",
}


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that ``wkgfc --help`` does not pay for them."""
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'wkgfc' has no attribute {name!r}")
