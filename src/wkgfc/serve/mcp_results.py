"""What the tools of the MCP server return: typed, so that clients are told their schema, and shown as a model reads.

A result has two forms, as the protocol wants it: the structured one, in which every text is as it came, and the same as
JSON text, which goes into a model's prompt and so has no sign that a reader does not see.
"""

import json
from collections.abc import Sequence
from typing import Any

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from wkgfc.claim import Claim, visible_text
from wkgfc.evidence import Entity, Evidence, Record
from wkgfc.reasoning.embedded.facts.verbalise import name_of, verbalise
from wkgfc.result import CheckResult, CitedEvidence
from wkgfc.serve.guardrail import Guarded
from wkgfc.state import Observation


class CheckedClaim(Record):
    """The result of a check (``docs/contract.md``). Its ``evidence`` is what is cited, or stands in a contradiction.

    ``others`` are the ids of what was gathered besides: ``get_evidence`` with ``check`` returns each in full.
    """

    check: str
    result: CheckResult
    others: tuple[str, ...] = ()


class VerifiedSentence(Record):
    """A sentence, from ``start`` to ``end`` in the answer. ``document`` counts from 0; see ``serve.guardrail``."""

    text: str
    start: int
    end: int
    standing: str
    supports: float
    refutes: float
    document: int | None
    ground: str
    suspicious: bool


class VerifiedText(Record):
    """The sentences of an answer. ``is_complete``: all of them were judged in time."""

    is_grounded: bool
    is_complete: bool
    sentences: tuple[VerifiedSentence, ...]


class KnownStatement(Record):
    """A statement of the graph, in words and in parts; ``object_id`` where the object is an entity."""

    text: str
    relation: str
    relation_id: str
    object: str
    object_id: str | None = None
    rank: str
    source: str
    url: str | None = None


class KnownEntity(Record):
    """An entity with statements about it. ``left_out`` says whether there are more than were asked for."""

    entity: Entity
    statements: tuple[KnownStatement, ...]
    left_out: bool = False


class FoundEntities(Record):
    """What a name or an id means in the graph, the likeliest first. ``failures`` are look-ups that did not work."""

    kg: str
    version: str
    entities: tuple[KnownEntity, ...]
    failures: tuple[str, ...] = ()


class EvidenceInFull(Record):
    """A piece of evidence as the contract shows it, and whole: statement with qualifiers and rank, or passage."""

    shown: CitedEvidence
    whole: Evidence | None


class EvidenceOfCheck(Record):
    """Evidence and observations of an earlier check. ``others`` are ids that were not asked for, or were too many."""

    check: str
    claim: Claim
    evidence: tuple[EvidenceInFull, ...]
    observations: tuple[Observation, ...] = ()
    others: tuple[str, ...] = ()


def checked_claim(check: str, result: CheckResult) -> CheckedClaim:
    """A result without what would fill a model's context: the trajectory, and evidence that decided nothing."""
    contradicting = {each for contradiction in result.contradictions for each in contradiction.evidence}
    kept = tuple(piece for piece in result.evidence if piece.used or piece.id in contradicting)
    others = tuple(piece.id for piece in result.evidence if piece not in kept)
    shown = result.model_copy(update={"trajectory": None, "graph": None, "evidence": kept})
    return CheckedClaim(check=check, result=shown, others=others)


def verified_text(guarded: Guarded) -> VerifiedText:
    """What the guardrail says, typed."""
    return VerifiedText(
        is_grounded=guarded.is_grounded,
        is_complete=guarded.is_complete,
        sentences=tuple(
            VerifiedSentence(
                text=each.text,
                start=each.start,
                end=each.end,
                standing=each.standing.value,
                supports=round(each.supports, 4),
                refutes=round(each.refutes, 4),
                document=each.document,
                ground=each.ground,
                suspicious=each.suspicious,
            )
            for each in guarded.sentences
        ),
    )


def known_entity(entity: Entity, triples: Sequence[Any], most: int, *, left_out: bool) -> KnownEntity:
    """An entity with its first ``most`` statements."""
    return KnownEntity(
        entity=entity,
        statements=tuple(
            KnownStatement(
                text=verbalise(triple),
                relation=triple.relation.label,
                relation_id=triple.relation.id,
                object=name_of(triple.object),
                object_id=triple.object.id if isinstance(triple.object, Entity) else None,
                rank=str(triple.rank),
                source=triple.source.name,
                url=triple.source.url,
            )
            for triple in triples[:most]
        ),
        left_out=left_out or len(triples) > most,
    )


def evidence_of(check: str, result: CheckResult, ids: Sequence[str], most: int) -> EvidenceOfCheck:
    """The pieces of evidence and the observations with these ids, or the first ``most`` where none is given.

    Raises:
        KeyError: there is none with one of the ids.
    """
    pieces = {piece.id: piece for piece in result.evidence}
    wholes = {each.id: each for each in result.graph.evidence} if result.graph is not None else {}
    steps = result.trajectory.steps if result.trajectory is not None else ()
    observations = {step.observation.id: step.observation for step in steps}
    wanted = list(dict.fromkeys(ids)) or list(pieces)[:most]
    for each in wanted:
        if each not in pieces and each not in observations:
            raise KeyError(each)
    return EvidenceOfCheck(
        check=check,
        claim=result.claim,
        evidence=tuple(EvidenceInFull(shown=pieces[each], whole=wholes.get(each)) for each in wanted if each in pieces),
        observations=tuple(observations[each] for each in wanted if each in observations),
        others=tuple(each for each in pieces if each not in wanted),
    )


def answer(value: BaseModel) -> CallToolResult:
    """A value in both forms."""
    whole = value.model_dump(mode="json")
    text = json.dumps(_readable(whole), ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=whole)


def _readable(value: Any) -> Any:
    """What has a value, with texts as a reader sees them."""
    match value:
        case str():
            return visible_text(value)
        case dict():
            return {name: _readable(each) for name, each in value.items() if each not in (None, [], {})}
        case list():
            return [_readable(each) for each in value]
        case _:
            return value
