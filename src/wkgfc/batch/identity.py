"""What makes two runs the same run: the policy, the sources with their versions, and the settings that a result shows.

Live sources change all the time, and one run may take days: of these the name counts, of stores the version too.
"""

import hashlib
import json
from typing import Any

from wkgfc.agent.environment import Environment
from wkgfc.config import Settings
from wkgfc.evidence import Record
from wkgfc.recording import NOT_RECORDED
from wkgfc.sources import is_live_graph, is_live_web

# Settings that change how a check waits or what it keeps, and nothing of what it finds; and those that ``sources`` has.
NOT_COMPARED = frozenset(
    {*NOT_RECORDED, "kg", "web", "verifier", "policy", "reasoner", "cache_bytes", "llm_concurrency", "trace_content"}
    | {"local_threads", "attempts", "publisher_name", "publisher_url"}
    | {name for name in Settings.model_fields if name.startswith(("run_", "cache_", "price_"))}
)


class Identity(Record):
    """Who checked, from what, and how."""

    policy: str
    sources: tuple[str, ...]
    settings: dict[str, Any] = {}

    @property
    def variant(self) -> str:
        """A short name for it, which changes when any of it does."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def identity_of(settings: Settings, environment: Environment) -> Identity:
    """The identity of the checks that these settings and parts make."""
    graph, web, reasoner = environment.graph, environment.web, environment.reasoner
    sources = [f"kg {settings.kg}" if is_live_graph(settings.kg) else f"kg {graph.name} {graph.version}"]
    if web is not None:
        sources.append(f"web {settings.web}" if is_live_web(settings.web) else f"web {web.name} {web.version}")
    sources.append(f"reasoner {settings.reasoner}")
    return Identity(
        policy=reasoner.policy,
        sources=tuple(sources),
        settings=settings.model_dump(mode="json", exclude=set(NOT_COMPARED)),
    )
