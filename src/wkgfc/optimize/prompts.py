"""Prompts improved from critiques (paper, section 4.4): try, criticise, rewrite, check, keep the best on validation.

A batch of training claims is checked with the best prompts so far. What went wrong is gathered by kind; the prompt
that answers for the costliest kind is rewritten; a rewrite that may be tried (``rewriting.py``) is measured on the
validation claims, and kept if its mean reward is better than the best one's.

Everything that happens is a line of ``journal.jsonl``, written when it has happened: after a kill the same call finds
there what is done and goes on. The folder has the best prompts as files, so that ``--policy`` takes it. While they are
written a file stands beside them that no reader of prompts takes, so that they are all used or none.
"""

import difflib
import hashlib
import json
import random
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from wkgfc.budget import LimitReached
from wkgfc.datasets import LabelledClaim
from wkgfc.errors import BadInput
from wkgfc.evidence import Record
from wkgfc.optimize import origins
from wkgfc.optimize.reward import RewardWeights
from wkgfc.optimize.rewriting import Rewriter, Trial, complaint_about_prompt, worst
from wkgfc.reasoning.llm.policy import JUDGEMENTS, SUFFIX, policy_with, read_policy
from wkgfc.whole_files import write_whole

LAYOUT = 3  # of the folder: another one is refused
JOURNAL = "journal.jsonl"
UNFINISHED = f"UNFINISHED{SUFFIX}"  # there while prompts are written: the prompt of no judgement, which is refused

Ended = Literal["epochs", "patience", "budget", "nothing to mend", "the run's limit"]

# Checks a claim with these prompts in place of those that ship; the flag: whether it is criticised too.
Try = Callable[[Mapping[str, str], LabelledClaim, bool], Awaitable[Trial]]


class Schedule(Record):
    """How long to look. The defaults are the paper's: 20 epochs; batches and patience are ours."""

    epochs: int = Field(20, ge=1)
    batch: int = Field(10, ge=1)
    patience: int = Field(10, ge=1)  # candidates in a row that do not better the best one, after which it ends
    max_candidates: int = Field(100, ge=1)  # the budget: each that may be tried costs a check of every validation claim
    seed: int = 0


class Candidate(Record):
    """A version of the prompts. ``prompts`` are those that differ from the ones that ship, ``diff`` from the parent's.

    ``version`` is what results say of a check with them. ``rejected`` says why it was not tried. ``reward`` is the mean
    on validation with its bootstrap interval.
    """

    number: int
    version: str | None = None
    parent: int | None = None
    judgement: str | None = None
    kind: str | None = None
    prompts: dict[str, str] = {}
    diff: str = ""
    rejected: str | None = None
    reward: float | None = None
    low: float | None = None
    high: float | None = None


class Result(Record):
    """The best candidate, all of them, and why it ended."""

    best: Candidate
    candidates: tuple[Candidate, ...]
    ended: Ended


async def optimize_prompts(
    train: Sequence[LabelledClaim],
    validation: Sequence[LabelledClaim],
    attempt: Try,
    rewriter: Rewriter,
    out: Path,
    *,
    schedule: Schedule | None = None,
    start: Mapping[str, str] | None = None,
    judged: Collection[str] = tuple(JUDGEMENTS),
    weights: RewardWeights | None = None,
    sets: Sequence[str] = (),
    origin: Mapping[str, Any] | None = None,
    told: Callable[[Candidate], None] | None = None,
) -> Result:
    """Improve the prompts and write the best ones into the folder. At the limit of a run the best so far are written.

    Args:
        train: claims to learn from.
        validation: claims to choose by.
        attempt: checks a claim with given prompts, as ``weights`` reward it; ``LimitReached`` ends the run.
        rewriter: the optimizer.
        out: the folder.
        start: the prompts to begin from, those that ship in place of what is not there.
        judged: the judgements that the model makes by its prompts: no other is rewritten.
        sets: what the sets are called that the claims are of.
        origin: what else a run is told from others by: the model, sources, settings.

    Raises:
        BadInput: a claim is in both parts, or the folder has another run or is damaged.
    """
    schedule, weights, start = schedule or Schedule(), weights or RewardWeights(), dict(start or {})
    if not train or not validation:
        raise BadInput("prompts need claims to learn from and others to choose by")
    if shared := {row.claim for row in train} & {row.claim for row in validation}:
        raise BadInput(f"a claim is both trained on and chosen by: {sorted(shared)[0]!r}")
    said = _description(train, validation, rewriter, schedule, start, weights) | dict(origin or {})
    run = _Run(train, validation, attempt, rewriter, _Journal(out, said), judged, told)
    result = await run.until_done(schedule, Candidate(number=0, prompts=start))
    written = origins.Origin(
        kind="prompts",
        content=origins.prompts_digest(result.best.prompts),
        optimizer=rewriter.name,
        parent=policy_with(start).version if start else origins.BUILT_IN,
        made_at=origins.now(),
        claims={"train": len(train), "validation": len(validation)},
        seed=schedule.seed,
        weights=said["weights"],
        validation=run.validation_of(result.best),
        more={
            "sets": list(sets),
            "best": result.best.number,
            "ended": result.ended,
            "train": said["train"],
            "validation": said["validation"],
            "candidates": [each.model_dump(exclude={"prompts"}) for each in result.candidates],
        },
    )
    _write(result.best.prompts, written, out)
    return result


class _Run:
    """A run, which does again nothing that is in its journal."""

    def __init__(
        self,
        train: Sequence[LabelledClaim],
        validation: Sequence[LabelledClaim],
        attempt: Try,
        rewriter: Rewriter,
        journal: "_Journal",
        judged: Collection[str],
        told: Callable[[Candidate], None] | None,
    ) -> None:
        self._train, self._validation, self._attempt = train, validation, attempt
        self._rewriter, self._journal, self._told = rewriter, journal, told
        self._judged, self._candidates = judged, list[Candidate]()
        self._best = Candidate(number=0)

    async def until_done(self, schedule: Schedule, start: Candidate) -> Result:
        """All epochs, or until patience, the candidates or the run's limit are at an end."""
        self._best = start
        try:
            ended = await self._until_done(schedule)
        except LimitReached:
            ended = "the run's limit"
        return Result(best=self._best, candidates=tuple(self._candidates), ended=ended)

    async def _until_done(self, schedule: Schedule) -> Ended:
        self._best = await self._measured(self._best)
        generator, without_gain = random.Random(schedule.seed), 0
        for _ in range(schedule.epochs):
            order, blamed = list(self._train), False
            generator.shuffle(order)
            for start in range(0, len(order), schedule.batch):
                batch = order[start : start + schedule.batch]
                trials = [await self._try(self._best, row, is_training=True) for row in batch]
                candidate = await self._rewritten(self._best, trials)
                if candidate is None:
                    continue
                blamed = True
                if candidate.rejected is None and (candidate.reward or 0.0) > (self._best.reward or 0.0):
                    self._best, without_gain = candidate, 0
                else:
                    without_gain += 1
                if without_gain >= schedule.patience:
                    return "patience"
                if len(self._candidates) > schedule.max_candidates:
                    return "budget"
            if not blamed:
                return "nothing to mend"
        return "epochs"

    def validation_of(self, best: Candidate) -> origins.Validation | None:
        """The best candidate's rewards on validation beside those of what it began from; ``None``: not measured."""
        if best.reward is None:
            return None
        rewards = [
            [self._journal.trials[number, _mark(row)].reward for row in self._validation] for number in (best.number, 0)
        ]
        return origins.validation_of(*rewards)

    async def _rewritten(self, best: Candidate, trials: Sequence[Trial]) -> Candidate | None:
        """A candidate made from what went wrong with the best one; ``None`` where nothing did."""
        blame = worst(trials, self._judged)
        if blame is None:
            return None
        number, judgement = len(self._candidates), blame.judgement
        parent = best.prompts.get(judgement) or shipped_prompt(judgement)
        known = self._journal.rewrites.get(number)
        if known is None:
            text = await self._rewriter.rewrite(parent, blame)
            known = self._journal.keep_rewrite(number, text)
        text = _whole(known["text"])
        rejected = complaint_about_prompt(
            judgement,
            text if known["text"] is not None else None,
            parent,
            shipped_prompt(judgement),
            (row.claim for row in self._train),
        )
        if rejected is None and any(each.prompts == {**best.prompts, judgement: text} for each in self._candidates):
            rejected = "it was tried before"
        candidate = Candidate(
            number=number,
            parent=best.number,
            judgement=judgement,
            kind=blame.kind,
            prompts={**best.prompts, judgement: text},
            diff="\n".join(difflib.unified_diff(parent.splitlines(), text.splitlines(), lineterm="", n=1)),
            rejected=rejected,
        )
        if rejected is None:
            return await self._measured(candidate)
        return self._kept(candidate)

    async def _measured(self, candidate: Candidate) -> Candidate:
        """A candidate with its mean reward on the validation claims."""
        rewards = [(await self._try(candidate, row)).reward for row in self._validation]
        figures = origins.validation_of(rewards, None).model_dump(include={"reward", "low", "high"})
        version = policy_with(candidate.prompts).version
        return self._kept(candidate.model_copy(update={**figures, "version": version}))

    def _kept(self, candidate: Candidate) -> Candidate:
        self._candidates.append(candidate)
        if self._told:
            self._told(candidate)
        return candidate

    async def _try(self, candidate: Candidate, row: LabelledClaim, *, is_training: bool = False) -> Trial:
        known = self._journal.trials.get((candidate.number, _mark(row)))
        if known is None:
            trial = await self._attempt(candidate.prompts, row, is_training)
            known = self._journal.keep_trial(candidate.number, row, trial)
        return known


class _Journal:
    """What has happened in a run, a line each; a line that a kill tore is cut off."""

    def __init__(self, out: Path, said: dict[str, Any]) -> None:
        self._path = out / JOURNAL
        self.trials: dict[tuple[int, str], Trial] = {}
        self.rewrites: dict[int, dict[str, Any]] = {}
        try:
            out.mkdir(parents=True, exist_ok=True)
            lines = list(self._lines())
            if not lines:
                if any(file.name != JOURNAL for file in out.iterdir()):
                    raise BadInput(f"{out} has files, but no run that could be gone on with: give another --out")
                self._append(said)
                return
        except OSError as error:
            raise BadInput(f"{out} cannot be written: {error.strerror}") from error
        before, now = lines[0] if isinstance(lines[0], dict) else {}, json.loads(json.dumps(said))
        if differing := sorted(name for name in {*before, *now} if before.get(name) != now.get(name)):
            raise BadInput(
                f"{out} has another run, or one of another version ({', '.join(differing)}): give another --out, or "
                "delete it"
            )
        for number, line in enumerate(lines[1:], start=2):
            try:
                if "trial" in line:
                    self.trials[line["candidate"], line["claim"]] = Trial.model_validate(line["trial"])
                else:
                    self.rewrites[line["candidate"]] = {"text": line["text"]}
            except (KeyError, TypeError, ValidationError) as error:
                raise BadInput(f"{self._path}, line {number} is damaged") from error

    def keep_trial(self, candidate: int, row: LabelledClaim, trial: Trial) -> Trial:
        """Keep a trial of a candidate."""
        self._append({"candidate": candidate, "claim": _mark(row), "trial": trial.model_dump(mode="json")})
        self.trials[candidate, _mark(row)] = trial
        return trial

    def keep_rewrite(self, candidate: int, text: str | None) -> dict[str, Any]:
        """Keep what a rewriter answered."""
        self._append({"candidate": candidate, "text": text})
        self.rewrites[candidate] = {"text": text}
        return self.rewrites[candidate]

    def _append(self, line: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _lines(self) -> Iterator[Any]:
        if not self._path.exists():
            return
        text = self._path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            with self._path.open("r+b") as file:
                file.truncate(len(whole))
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise BadInput(f"{self._path}, line {number} is damaged") from error


def shipped_prompt(judgement: str) -> str:
    """The text of a prompt that ships with the package."""
    folder = files("wkgfc.reasoning.llm") / "prompts"
    return folder.joinpath(judgement + SUFFIX).read_text(encoding="utf-8")


def prompts_in(folder: Path | None) -> dict[str, str]:
    """The prompts of a policy folder; none without a folder, or where it has none (a policy of parameters).

    Raises:
        NotConfigured: one cannot be used.
    """
    if folder is None or not any(folder.glob("*" + SUFFIX)):
        return {}
    read_policy(folder)
    texts = {name: folder / (name + SUFFIX) for name in JUDGEMENTS}
    return {name: path.read_text(encoding="utf-8") for name, path in texts.items() if path.is_file()}


def _whole(text: str | None) -> str:
    """A rewritten prompt as it is kept: one line feed at its end, and none of a fence around it."""
    lines = (text or "").replace("\r\n", "\n").strip().splitlines()
    if len(lines) > 2 and lines[0].startswith("```") and lines[-1].startswith("```"):
        lines = lines[1:-1]
    return "\n".join(lines) + "\n" if lines else ""


def _mark(*rows: LabelledClaim) -> str:
    """What tells claims from others: two files may use the same ids."""
    text = "\0".join(f"{row.id}\1{row.claim}\1{row.label}" for row in rows)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def _description(
    train: Sequence[LabelledClaim],
    validation: Sequence[LabelledClaim],
    rewriter: Rewriter,
    schedule: Schedule,
    start: Mapping[str, str],
    weights: RewardWeights,
) -> dict[str, Any]:
    """What a run is told from others by."""
    return {
        "layout": LAYOUT,
        "train": [row.id for row in train],
        "validation": [row.id for row in validation],
        "claims": _mark(*train, *validation),
        "rewriter": rewriter.name,
        "schedule": schedule.model_dump(),
        "start": {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in sorted(start.items())},
        "weights": origins.as_weights(weights.model_dump()),
    }


def _write(prompts: Mapping[str, str], origin: origins.Origin, out: Path) -> None:
    """Write the prompts as a policy folder. Until all are there, a file beside them keeps them from being used."""
    (out / UNFINISHED).write_text(
        "The prompts of this folder were being written when the command was stopped: run it again.\n", encoding="utf-8"
    )
    for name in JUDGEMENTS:
        path = out / f"{name}{SUFFIX}"
        if name not in prompts:
            path.unlink(missing_ok=True)
            continue
        write_whole(path, prompts[name])
    origins.write_origin(origin, out)
    (out / UNFINISHED).unlink()
