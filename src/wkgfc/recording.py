"""A check that was recorded: what was asked and answered, with the claim, the settings and the result beside it.

>>> recorder = Recorder(Path("run.jsonl.gz"))  # doctest: +SKIP
>>> note_check(recorder, claim, settings)  # doctest: +SKIP
>>> note_result(recorder, FactChecker(settings, recorder=recorder).check(claim))  # doctest: +SKIP
>>> run = read_run(Path("run.jsonl.gz"))  # doctest: +SKIP
>>> again = FactChecker(run.settings(), http=run.http()).check(run.claim)  # doctest: +SKIP

No key is in it, and neither is the contact. The claim and what was found for it are.
"""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wkgfc.claim import Claim
from wkgfc.config import NEEDED, SECRETS, Settings, load_settings
from wkgfc.errors import BadInput
from wkgfc.http import Http
from wkgfc.http.cassette import RESULT, Cassette, Recorder, ReplayHttp, read_cassette
from wkgfc.result import CheckResult

# What is the machine's or the operator's own, and changes nothing of what is asked and found.
NOT_RECORDED = frozenset(
    {*SECRETS, "contact", "data_dir", "keep_pages", "cache_dir", "no_proxy", "proxy_resolves"}
    | {name for name in Settings.model_fields if name.startswith("serve_")}
)

# A replay sends nothing, but a source is only opened with what it needs.
STANDS_FOR = "stands-for-a-key-in-a-replay"  # nothing that a text could have in it
CONTACT = "https://replay.invalid/"


def note_check(recorder: Recorder, claim: Claim, settings: Settings) -> None:
    """Write down what is about to be checked, and how."""
    today = dt.datetime.now(dt.UTC).date()
    recorder.note("claim", {**claim.model_dump(mode="json"), "today": today.isoformat()})
    recorder.note("settings", settings.model_dump(mode="json", exclude=set(NOT_RECORDED)))


def note_result(recorder: Recorder, result: CheckResult) -> None:
    """Write down what the check returned, with its trajectory."""
    recorder.note(RESULT, result.to_json(trace=True))


@dataclass(frozen=True)
class Run:
    """A recorded check.

    ``claim`` means the day of the recording by "today". ``result`` is ``None`` where the run was interrupted.
    """

    claim: Claim
    recorded: dict[str, Any]
    result: CheckResult | None
    cassette: Cassette

    def settings(self, **given: Any) -> Settings:
        """The settings of the recorded check, with those ``given`` that are not ``None`` on top.

        Paths, the contact and keys are those of this machine; keys that are missing are made up, as nothing is sent.

        Raises:
            NotConfigured: a recorded value is none that this version knows.
        """
        standing_for = {name: self.recorded.get(name) or STANDS_FOR for name in NEEDED}
        changes = {name: value for name, value in given.items() if value is not None}
        return load_settings(**{**self.recorded, **standing_for, "contact": CONTACT, **changes})

    def http(self) -> Http:
        """A client that answers as was recorded, and asks nobody."""
        return ReplayHttp(self.cassette)


def read_run(path: Path) -> Run:
    """Read a recorded check.

    Raises:
        BadInput: the file is no recording, or one of something else than a check, or damaged.
    """
    cassette = read_cassette(path)
    notes = cassette.notes
    claim, settings, result = notes.get("claim"), notes.get("settings"), notes.get(RESULT)
    if claim is None or not isinstance(settings, dict):
        raise BadInput(f"{path} is a recording, but not one of 'wkgfc check --record'")
    try:
        return Run(
            claim=Claim.model_validate(claim),
            recorded={name: value for name, value in settings.items() if name not in NOT_RECORDED},
            result=None if result is None else CheckResult.model_validate(result),
            cassette=cassette,
        )
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise BadInput(f"{path} is damaged, or of another version: {place} is not as it was written") from None
