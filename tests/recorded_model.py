"""Runs of the tests' real model (``local_model.py``), kept in ``tests/data/recordings`` and run again by pytest.

    python -m tests.recorded_model --model FILE [--again NAME ...]

makes those that are missing, or those that are named, over the embedded stores of this machine. Each is to be made
again when what was asked is no longer what would be asked: other prompts, another form of an answer. The judgements
one by one keep their questions with them, so that nothing else matters to them; a whole check depends on what the
embedded graph and the index hold, too. Which relations are shown is for rules of the embedded reasoner to say, which
may get better: a run is run again with those that were (``shown_as_then``). It takes minutes a run; ``pytest -m local``
does the same and keeps nothing.
"""

import argparse
import asyncio
import copy
import datetime as dt
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any, get_type_hints
from unittest.mock import patch

from pydantic import BaseModel, TypeAdapter, create_model

from wkgfc.agent.environment import Environment
from wkgfc.checker import FactChecker
from wkgfc.claim import Checkability, Claim, read_claim
from wkgfc.config import Settings, load_settings
from wkgfc.errors import JudgementFailed
from wkgfc.evidence import EvidenceGraph, EvidenceRecord, Passage, Triple
from wkgfc.http import Http
from wkgfc.http.cassette import Recorder
from wkgfc.network import Network
from wkgfc.reasoning.embedded.facts.selection import select_relations
from wkgfc.reasoning.embedded.lexicon.relations import lexicon
from wkgfc.reasoning.llm.opening import open_llm_reasoner
from wkgfc.reasoning.llm.views import SHORT, clean
from wkgfc.reasoning.reasoner import (
    ChosenRelation,
    Decision,
    EntitySelection,
    Extraction,
    Grade,
    Judgement,
    OfferedRelation,
    Reasoner,
    RelationSelection,
)
from wkgfc.recording import Run, note_check, note_result
from wkgfc.result import CheckResult
from wkgfc.state import Action, BeliefState, InitKGRetrieval, SearchWeb, Step

_START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)

FOLDER = Path(__file__).parent / "data" / "recordings"
AGAIN = "python -m tests.recorded_model --model FILE --again"

# True and false ones, of the graph and of texts alone, with a date, a number, several parts, and in French.
JUDGED = {
    "born": read_claim("Charlie Chaplin was born in 1890."),
    "borders": read_claim("Nepal borders China."),
    "tower": read_claim("The Eiffel Tower is in Berlin."),
    "prize": read_claim("Marie Curie won the Nobel Prize in Physics and the Nobel Prize in Chemistry."),
    "capital": read_claim("Sydney is the capital of Australia."),
    "novel": read_claim("Herman Melville wrote Moby-Dick."),
    "moon": read_claim("Neil Armstrong was the first person to walk on the Moon."),
    "hugo": read_claim("Victor Hugo est né à Besançon.", language="fr"),
}
CHECKED = {
    "chaplin": read_claim("Charlie Chaplin was born in 1889."),
    "nepal": read_claim("Nepal borders Brazil."),
    "curie": read_claim("Marie Curie discovered penicillin."),
}
# A question takes the model a minute, so there are few: as many passages as it is shown at once, and short ways.
PASSAGES, HOPS, STEPS = 3, 2, 4


class Listening:
    """Makes the judgements of ``reasoner``, and keeps what it was asked first of each kind."""

    def __init__(self, reasoner: Reasoner) -> None:
        self._reasoner = reasoner
        self.name, self.policy = reasoner.name, reasoner.policy
        self.asked: dict[str, tuple[Any, ...]] = {}

    async def screen(self, claim: Claim) -> Checkability:
        self._keep("screen", claim)
        return await self._reasoner.screen(claim)

    async def select_relations(
        self, state: BeliefState, offered: Sequence[OfferedRelation], max_relations: int
    ) -> RelationSelection:
        self._keep("select_relations", state, offered, max_relations)
        return await self._reasoner.select_relations(state, offered, max_relations)

    async def select_entities(
        self, state: BeliefState, triples: Sequence[Triple], max_triples: int, max_entities: int
    ) -> EntitySelection:
        self._keep("select_entities", state, triples, max_triples, max_entities)
        return await self._reasoner.select_entities(state, triples, max_triples, max_entities)

    async def decide(self, state: BeliefState) -> Decision:
        self._keep("decide", state)
        return await self._reasoner.decide(state)

    async def grade(self, state: BeliefState, passages: Sequence[Passage]) -> tuple[Grade, ...]:
        self._keep("grade", state, passages)
        return await self._reasoner.grade(state, passages)

    async def extract(self, state: BeliefState, passage: Passage, grade: Grade) -> Extraction:
        self._keep("extract", state, passage, grade)
        return await self._reasoner.extract(state, passage, grade)

    async def judge(self, state: BeliefState, *, forced: bool) -> Judgement:
        return await self._reasoner.judge(state, forced=forced)

    def _keep(self, judgement: str, *arguments: Any) -> None:
        self.asked.setdefault(judgement, copy.deepcopy(arguments))


async def questions_of(claim: Claim, environment: Environment) -> dict[str, tuple[Any, ...]]:
    """What a reasoner is asked about ``claim`` after one look into the graph and one into the texts.

    The embedded reasoner steers, so that the questions do not depend on the model that is to answer them.
    """
    listening = Listening(environment.reasoner)
    steered = replace(environment.speaking(claim.language), reasoner=listening, passages=PASSAGES)
    state = BeliefState(claim=claim)
    await listening.screen(claim)
    actions: tuple[Action, ...] = (InitKGRetrieval(), SearchWeb(query=claim.text))
    for number, action in enumerate(actions, 1):
        if number > 1:
            await listening.decide(state)
        observation = await steered.perform(state, action, observation_id=f"S{number}")
        step = Step(number=number, action=action, observation=observation, started_at=_START, seconds=0.0)
        state.steps.append(step)
    return {**listening.asked, "judge": (copy.deepcopy(state),)}


_HINTS = {**get_type_hints(BeliefState), "evidence": EvidenceRecord}
# What has a default may be missing: the state has learned it since a recording was made.
_DEFAULTS = {each.name: each.default for each in fields(BeliefState) if each.default is not MISSING}
_FIELDS: dict[str, Any] = {name: (hint, _DEFAULTS.get(name, ...)) for name, hint in _HINTS.items()}
StateRecord: type[BaseModel] = create_model("StateRecord", **_FIELDS)
_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "screen": (Claim,),
    "select_relations": (StateRecord, tuple[OfferedRelation, ...], int),
    "select_entities": (StateRecord, tuple[Triple, ...], int, int),
    "decide": (StateRecord,),
    "grade": (StateRecord, tuple[Passage, ...]),
    "extract": (StateRecord, Passage, Grade),
    "judge": (StateRecord,),
}


def as_json(questions: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
    """The questions of ``questions_of`` as a recording keeps them."""
    return {
        name: [TypeAdapter(kind).dump_python(_as_record(each), mode="json") for kind, each in _typed(name, arguments)]
        for name, arguments in questions.items()
    }


def from_json(kept: dict[str, Any], claim: Claim) -> dict[str, tuple[Any, ...]]:
    """The questions that ``as_json`` kept, about ``claim``, which knows the day of the recording."""
    return {
        name: tuple(_as_argument(TypeAdapter(kind).validate_python(each), claim) for kind, each in _typed(name, values))
        for name, values in kept.items()
    }


def _typed(name: str, arguments: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    return zip(_ARGUMENTS[name], arguments, strict=True)


def _as_record(value: Any) -> Any:
    if not isinstance(value, BeliefState):
        return tuple(value) if isinstance(value, list) else value
    fields = {name: getattr(value, name) for name in _HINTS}
    return StateRecord(**{**fields, "evidence": value.evidence.to_record()})


def _as_argument(value: Any, claim: Claim) -> Any:
    if isinstance(value, Claim):
        return claim
    if not isinstance(value, StateRecord):
        return value
    fields: dict[str, Any] = {name: getattr(value, name) for name in _HINTS}
    return BeliefState(**{**fields, "claim": claim, "evidence": EvidenceGraph.from_record(fields["evidence"])})


async def judgements_of(reasoner: Reasoner, questions: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
    """What the model says to each question, as JSON; of one that it could not answer, why."""
    values: dict[str, Any] = {}
    for name, arguments in questions.items():
        given = {"forced": False} if name == "judge" else {}
        try:
            value = await getattr(reasoner, name)(*copy.deepcopy(arguments), **given)
        except JudgementFailed as error:
            values[name] = {"failed": str(error)}
            continue
        values[name] = [_json(each) for each in value] if isinstance(value, tuple) else _json(value)
    return values


_OFFERED = re.compile(r"^R\d+ (out|in) “(.*?)” \(", re.MULTILINE)
_NAMED = re.compile(r"^R\d+ (.+)$", re.MULTILINE)


@contextmanager
def shown_as_then(run: Run) -> Iterator[None]:
    """Within it a model is shown the relations that it was shown in ``run``, whatever the rules would choose now."""
    asked = [exchange.request["json"] for exchange in run.cassette.exchanges]
    first = [each for each in asked if len(each["messages"]) == 2]  # instructions and question, without a complaint
    questions = [each["messages"][-1]["content"] for each in first]
    offered = [shown for question in questions if (shown := _OFFERED.findall(question))]
    named = {label for question in questions if "<passage " in question for label in _NAMED.findall(question)}

    def nearest(state: BeliefState, offers: Sequence[OfferedRelation], limit: int) -> RelationSelection:
        by_name = {(each.direction, clean(each.relation.label, SHORT.label_characters)): each for each in offers}
        shown = next((each for each in offered if by_name.keys() >= set(each)), None)
        if shown is None:
            return select_relations(state, offers, limit)
        offered.remove(shown)
        chosen = [by_name[each] for each in shown]
        return RelationSelection(
            relations=tuple(
                ChosenRelation(relation=each.relation, direction=each.direction, score=1.0) for each in chosen
            )
        )

    known = {each: profile for each, profile in lexicon().items() if profile.label in named}
    with (
        patch("wkgfc.reasoning.llm.selecting.select_relations", nearest),
        patch("wkgfc.reasoning.llm.extracting.lexicon", lambda: known),
    ):
        yield


def judging(settings: Settings, http: Http) -> Reasoner:
    """The model of ``settings`` for every judgement, those that rules make for English too."""
    return open_llm_reasoner(settings.reasoner, settings, http, is_screened_by_model=True)


def settings_for(model: Path) -> Settings:
    """Those of a recorded run: as a user's who gives the file, with all the time that the machine needs.

    The working folder becomes that of the file, as what is recorded names no folder of a machine.
    """
    os.chdir(model.parent)
    return load_settings(
        kg="embedded",
        web="embedded",
        reasoner=f"local:{model.name}",
        second_opinion="none",
        hops=HOPS,
        passages=PASSAGES,
        max_steps=STEPS,
        local_timeout_s=36_000.0,
        llm_timeout_s=3_600.0,
    )


async def judge_all(claim: Claim, settings: Settings, environment: Environment, recorder: Recorder | None) -> Any:
    """Have the model answer every question about ``claim``, for real."""
    network = Network(settings, recorder=recorder)
    kept = as_json(await questions_of(claim, environment))
    async with network.connected():
        values = await judgements_of(judging(settings, network.models), from_json(kept, claim))
    if recorder is not None:
        recorder.note("questions", kept)
        recorder.note("judgements", values)
    return values


async def check_whole(
    claim: Claim, settings: Settings, environment: Environment, recorder: Recorder | None
) -> CheckResult:
    """Check ``claim`` with the model, for real."""
    checker = FactChecker(settings, graph=environment.graph, web=environment.web, recorder=recorder)
    return await checker.check_async(claim)


def path_of(name: str) -> Path:
    """The recording of a run: ``judged-NAME`` or ``checked-NAME``."""
    return FOLDER / f"{name}.jsonl.gz"


RUNS = {
    **{f"judged-{name}": claim for name, claim in JUDGED.items()},
    **{f"checked-{name}": claim for name, claim in CHECKED.items()},
}


async def record(name: str, settings: Settings, environment: Environment) -> str:
    """Make the recording of a run; an old one is replaced when the new one is whole. Returns what came of it."""
    claim, path = RUNS[name], path_of(name)
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.unlink(missing_ok=True)
    recorder = Recorder(unfinished)
    try:
        note_check(recorder, claim, settings)
        if name.startswith("judged"):
            values = await judge_all(claim, settings, environment, recorder)
            failed = [f"{judgement}: {value['failed']}" for judgement, value in values.items() if "failed" in value]
            said = f"{len(values)} judgements" + "".join(f"\n  {each}" for each in failed)
        else:
            result = await check_whole(claim, settings, environment, recorder)
            note_result(recorder, result)
            said = f"{result.veracity} after {result.usage.llm_calls} calls, {result.stop_reason} {result.errors}"
    finally:
        recorder.close()
    unfinished.replace(path)
    return said


def main() -> None:
    """Make the recordings that are missing or named."""
    parser = argparse.ArgumentParser(description="Record runs of the tests' model.")
    parser.add_argument("--model", type=Path, required=True, help="the file of 'python -m tests.local_model'")
    parser.add_argument("--again", nargs="*", default=[], choices=[*RUNS, "all"], help="make these again")
    given = parser.parse_args()
    environment = FactChecker(load_settings()).open()
    settings = settings_for(given.model.absolute())
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in RUNS:
        if path_of(name).exists() and not {name, "all"} & set(given.again):
            continue
        started = time.monotonic()
        said = asyncio.run(record(name, settings, environment))
        print(f"{name}: {time.monotonic() - started:.0f} s, {said}", file=sys.stderr, flush=True)


def _json(value: BaseModel) -> Any:
    return value.model_dump(mode="json")


if __name__ == "__main__":
    main()
