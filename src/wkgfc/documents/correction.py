"""What a refuted sentence would say with the value of the cited statement in place of its own."""

from wkgfc.claim import Veracity
from wkgfc.evidence import Entity, Quantity, Record, Time, Triple
from wkgfc.kg.vocabulary import is_entity_id
from wkgfc.language import parse
from wkgfc.reasoning.embedded.facts.verbalise import verbalise
from wkgfc.reasoning.embedded.values.calendar_spans import Precision
from wkgfc.reasoning.embedded.values.quantities import quantity_in_words, read_quantities
from wkgfc.reasoning.embedded.values.times import read_times, time_in_words
from wkgfc.result import CheckResult

_PLACES_AND_PEOPLE = ("GPE", "LOC", "PERSON", "ORG", "FAC", "NORP", "WORK_OF_ART")
_AGAINST = 0.5  # how far a statement must speak against the claim to correct it


class Correction(Record):
    """What the evidence ``evidence`` says instead (``stated``), with its address.

    ``said`` and ``meant`` are the value of the claim and the statement's, and ``claim`` is the claim with it; they are
    ``None`` where the rules do not see which word of the claim is wrong.
    """

    evidence: str
    stated: str
    url: str | None = None
    said: str | None = None
    meant: str | None = None
    claim: str | None = None


def correction_of(result: CheckResult) -> Correction | None:
    """A correction of a refuted claim by the first statement, or else the first passage, that it was refuted by.

    Only a value of the claim's own kind is put in: a date for its only date, a number for its only number, a name for
    the only one beside the statement's subject. It is a suggestion: a person decides.
    """
    if result.veracity is not Veracity.REFUTED:
        return None
    against = [
        piece
        for piece in result.evidence
        if piece.used and piece.stance is not None and piece.stance.refutes >= _AGAINST
    ]
    triples = {
        each.id: each.content
        for each in (result.graph.evidence if result.graph is not None else ())
        if isinstance(each.content, Triple)
    }
    for piece in sorted(against, key=lambda piece: piece.id not in triples):
        triple = triples.get(piece.id)
        if triple is None:
            return Correction(evidence=piece.id, stated=piece.quote or piece.text, url=piece.url)
        values = {each.object for piece in against if (each := triples.get(piece.id)) is not None}
        # Several values (capitals of other times) leave it open which one the author should have written.
        found = _value(result.claim.text, triple) if len(values) == 1 else None
        stated = Correction(evidence=piece.id, stated=verbalise(triple), url=piece.url)
        if found is None:
            return stated
        start, end, meant = found
        text = result.claim.text
        return stated.model_copy(
            update={"said": text[start:end], "meant": meant, "claim": f"{text[:start]}{meant}{text[end:]}"}
        )
    return None


def _value(claim: str, triple: Triple) -> tuple[int, int, str] | None:
    """Where the claim's value stands, and the statement's in words; ``None`` where that is not plain."""
    match triple.object:
        case Time() as stated:
            times = read_times(claim)
            if len(times) != 1 or times[0].bound != "at" or times[0].month_day is not None:
                return None
            if stated.precision < Precision.DAY <= times[0].precision:
                return None  # "on 1889"
            coarser = stated.model_copy(update={"precision": min(stated.precision, int(times[0].precision))})
            return times[0].value_start, times[0].end, time_in_words(coarser)
        case Quantity() as stated:
            numbers = read_quantities(claim)
            if len(numbers) != 1 or numbers[0].upper is not None:
                return None
            words = quantity_in_words(stated)
            if stated.unit is None and numbers[0].noun and not numbers[0].unit:
                words = f"{words} {claim[numbers[0].start : numbers[0].end].rsplit(maxsplit=1)[-1]}"
            return numbers[0].start, numbers[0].end, words
        case Entity() as stated if stated.label:
            names = [entity for entity in parse(claim).ents if entity.label_ in _PLACES_AND_PEOPLE]
            others = [name for name in names if name.text not in triple.subject.label]
            is_named = len(names) == 2 and len(others) == 1 and is_entity_id(stated.id)
            if not is_named or others[0].text == stated.label:
                return None
            return others[0].start_char, others[0].end_char, stated.label
        case _:
            return None
