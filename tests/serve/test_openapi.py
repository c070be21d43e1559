"""The description of the API is true: what schemathesis makes from it, valid or not, gets the answers that it names."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.result import Ok

from scripted_checker import ScriptedChecker
from serving import Served, served

EXAMPLES = 12  # a route: seconds for all of them


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    ScriptedChecker.gate.set()
    with served(tmp_path_factory.mktemp("served"), serve_rate=1_000_000, serve_queue=100_000) as one:
        yield one


def test_every_route_answers_as_it_is_described(api: Served) -> None:
    load_all_checks()
    schema = schemathesis.openapi.from_url(f"{api.address}/openapi.json")
    # That a claim has something to read in it, or that evidence is the check's own, is beyond what a schema can say.
    beyond: Any = [CHECKS.get_one("positive_data_acceptance")]
    known = api.submit("Nepal borders China.")["id"]

    def answers(case: "schemathesis.Case[Any]") -> None:
        if "check" in case.path_parameters and len(str(case.query)) % 2:
            case.path_parameters["check"] = known  # a check that is there, now and then
        case.call_and_validate(timeout=20, excluded_checks=beyond)

    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        seeded = settings(max_examples=EXAMPLES, derandomize=True, deadline=None, suppress_health_check=[*HealthCheck])
        seeded(given(case=found.ok().as_strategy())(answers))()
