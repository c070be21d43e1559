"""A model's critique of an episode, by a prompt that is a file; where it is nonsense, the critique of the rules."""

from functools import lru_cache
from importlib.resources import files

from pydantic import Field

from wkgfc.errors import JudgementFailed
from wkgfc.optimize.episodes import Episode
from wkgfc.optimize.reflection import KINDS, Critique, Kind, complaint_about, critique_by_rules
from wkgfc.reasoning.llm import views
from wkgfc.reasoning.llm.answers import Answer, Line
from wkgfc.reasoning.llm.asking import Asking, Complaint, Question
from wkgfc.reasoning.llm.policy import Fields, Prompt, parse_prompt
from wkgfc.state import BeliefState

PROMPT = "reflect.md"
FIELDS = Fields(frozenset({"claim", "label", "verdict", "steps", "evidence"}), frozenset({"kinds"}))
MAX_TOKENS = 500
SHOWN_EVIDENCE = 24
SHOWN_CHARACTERS = 240  # of a piece of evidence


class CritiqueAnswer(Answer):
    """What a model says went wrong; step 0 is none."""

    reason: Line
    kind: Kind
    step: int = Field(ge=0, le=100)
    advice: Line


@lru_cache(maxsize=1)
def reflection_prompt() -> Prompt:
    """The prompt that ships with the package."""
    text = files(__package__).joinpath("prompts", PROMPT).read_text(encoding="utf-8")
    return parse_prompt("reflect", text, f"the built-in prompt {PROMPT}", FIELDS)


async def critique_of(episode: Episode, asking: Asking, prompt: Prompt | None = None) -> Critique:
    """The model's critique, asked for once more with the complaint where it does not fit; then that of the rules."""
    prompt = prompt or reflection_prompt()

    def read(answer: CritiqueAnswer, _is_last: bool) -> Critique:
        critique = Critique(
            kind=answer.kind,
            step=answer.step or None,
            reason=views.clean(answer.reason, 600),
            advice=views.clean(answer.advice, 600),
            critic=asking.name,
        )
        if (complaint := complaint_about(critique, episode)) is not None:
            raise Complaint(complaint)
        if critique.kind != "none" and not critique.advice:
            raise Complaint("the advice is empty: say in one sentence what to do otherwise")
        return critique

    question = Question(
        judgement="reflect",
        instructions=prompt.instructions,
        text=prompt.filled(_values(episode)),
        answer=CritiqueAnswer,
        read=read,
        max_tokens=MAX_TOKENS,
        allowed={"CritiqueAnswer.kind": KINDS},
    )
    try:
        return await asking.ask(question)
    except JudgementFailed:
        return critique_by_rules(episode)


def _values(episode: Episode) -> dict[str, str]:
    result = episode.result
    said = f"{result.veracity} (confidence {result.confidence:.2f})" if result.confidence is not None else "no verdict"
    why = "\n".join(f"{sentence.text} [{', '.join(sentence.citations)}]" for sentence in result.justification)
    return {
        "claim": views.claim_view(result.claim),
        "label": episode.gold,
        "verdict": f"{said}, stopped by: {result.stop_reason}\n{views.clean(why, 800)}",
        "steps": _steps(episode),
        "evidence": _evidence(episode),
        "kinds": ", ".join(KINDS),
    }


def _steps(episode: Episode) -> str:
    """The history as the agent saw it, with what was new in each step."""
    new = {step.number: ids for step, ids in episode.new_evidence()}
    lines = views.history_view(BeliefState(claim=episode.result.claim, steps=list(episode.steps))).splitlines()
    told = []
    for step, line in zip(episode.steps, lines, strict=False):
        brought = f"; new: {', '.join(new[step.number][:12]) or 'nothing'}" if step.number in new else ""
        told.append(f"{step.number}. {line}{brought}")
    return "\n".join(told) or views.NOTHING


def _evidence(episode: Episode) -> str:
    pieces = sorted(episode.result.evidence, key=lambda piece: not piece.used)
    lines = []
    for piece in pieces[:SHOWN_EVIDENCE]:
        stance = piece.stance
        read = "" if stance is None else f" supports {stance.supports:.2f}, refutes {stance.refutes:.2f}"
        text = views.clean(piece.quote or piece.text, SHOWN_CHARACTERS)
        lines.append(f"{piece.id}{' cited' if piece.used else ''}{read}: “{text}”")
    if len(pieces) > SHOWN_EVIDENCE:
        lines.append(f"({len(pieces) - SHOWN_EVIDENCE} more are not shown)")
    return "\n".join(lines) or views.NOTHING
