"""A result as the page shows it: evidence with its quote in its context, steps with their cost, parts of a bar."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from wkgfc.claim import Veracity
from wkgfc.evidence import Evidence, Passage, Triple
from wkgfc.exports.links import web_address
from wkgfc.reasoning.embedded.facts.verbalise import name_of
from wkgfc.render import NAMES
from wkgfc.result import CheckResult, CitedEvidence
from wkgfc.serve.page.words import VERDICTS, stance_of, used
from wkgfc.state import Action, SearchWeb, Step

AROUND = 260  # characters of a passage on either side of its quote: two or three sentences
LONGEST = 700  # characters of a passage without a quote that are shown before it has to be opened
MOST_LINKS = 5  # references and copies of one piece of evidence


@dataclass(frozen=True)
class Excerpt:
    """A passage around the stretch that decided. ``whole`` is its full text where this is less than all of it."""

    before: str
    quote: str
    after: str
    cut_before: bool = False
    cut_after: bool = False
    whole: str = ""


@dataclass(frozen=True)
class Piece:
    """One piece of evidence as the page shows it.

    ``stance`` is a side and per cent; ``against`` are the contradictions: the other's id, and why.
    """

    cited: CitedEvidence
    address: str | None
    excerpt: Excerpt | None = None
    stance: tuple[str, int] | None = None
    is_from_web: bool = False
    hop: int | None = None
    qualifiers: tuple[tuple[str, str], ...] = ()
    rank: str = ""
    from_passage: str | None = None
    links: tuple[str, ...] = ()
    against: tuple[tuple[str, str], ...] = ()
    explains: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pieces:
    """All evidence of a result: what the justification cites, and the rest."""

    cited: tuple[Piece, ...]
    others: tuple[Piece, ...]

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all of them: what a footnote can point at."""
        return frozenset(piece.cited.id for piece in (*self.cited, *self.others))


def pieces(result: CheckResult) -> Pieces:
    """The evidence of a result with what its graph, where it has one, knows beyond the contract."""
    known = {each.id: each for each in result.graph.evidence} if result.graph is not None else {}
    against: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair in result.contradictions:
        first, second = pair.evidence
        against[first].append((second, pair.reason))
        against[second].append((first, pair.reason))
    explained: defaultdict[str, list[str]] = defaultdict(list)
    for annotation in result.graph.annotations if result.graph is not None else ():
        explained[annotation.passage_id].append(annotation.entity.label or annotation.entity.id)
    shown = [
        _piece(each, known.get(each.id), tuple(against[each.id]), tuple(dict.fromkeys(explained[each.id])))
        for each in result.evidence
    ]
    return Pieces(
        cited=tuple(each for each in shown if each.cited.used),
        others=tuple(each for each in shown if not each.cited.used),
    )


def _piece(
    cited: CitedEvidence, known: Evidence | None, against: tuple[tuple[str, str], ...], explains: tuple[str, ...]
) -> Piece:
    piece = Piece(
        cited=cited,
        address=web_address(cited.url),
        excerpt=excerpt(cited.text, cited.quote) if cited.kind == "passage" else None,
        stance=stance_of(cited.stance),
        is_from_web=cited.id.startswith("W"),
        against=against,
        explains=explains,
    )
    if known is None:
        return piece
    content = known.content
    match content:
        case Triple():
            more = {
                "qualifiers": tuple(
                    (each.relation.label or each.relation.id, name_of(each.value)) for each in content.qualifiers
                ),
                "rank": "" if content.rank == "normal" else str(content.rank),
                "links": _links(content.references),
                "hop": known.hop,
                "from_passage": known.from_passage,
            }
        case Passage():
            more = {"links": _links(content.copies)}
    return Piece(**{**vars(piece), **more})


def _links(addresses: Sequence[str]) -> tuple[str, ...]:
    return tuple(address for each in addresses if (address := web_address(each)) is not None)[:MOST_LINKS]


def excerpt(text: str, quote: str | None) -> Excerpt:
    """The quote where it stands in its text, with ``AROUND`` characters on either side, cut between words.

    A text whose quote is not in it (a result that others wrote) is shown from its beginning, with nothing marked.
    """
    start = text.find(quote) if quote else -1
    if quote is None or start < 0:
        if len(text) <= LONGEST:
            return Excerpt(text, "", "")
        return Excerpt(_until_space(text[:LONGEST]), "", "", cut_after=True, whole=text)
    end = start + len(quote)
    before, after = text[:start], text[end:]
    cut_before, cut_after = len(before) > AROUND, len(after) > AROUND
    if cut_before:
        before = before[-AROUND:]
        before = before[before.find(" ") + 1 :] if " " in before else before
    if cut_after:
        after = _until_space(after[:AROUND])
    return Excerpt(before, quote, after, cut_before, cut_after, text if cut_before or cut_after else "")


def _until_space(text: str) -> str:
    return text[: text.rfind(" ")] if " " in text else text


@dataclass(frozen=True)
class Stage:
    """A step of the timeline. ``start`` and ``width`` are its place in all of the time, in per cent."""

    number: int
    title: str
    reason: str
    outcome: str
    text: str
    failures: tuple[str, ...]
    evidence: tuple[str, ...]
    seconds: float
    used: tuple[str, ...]
    observation: str
    start: float = 0.0
    width: float = 100.0


def stages(steps: Sequence[Step]) -> list[Stage]:
    """The steps of a trajectory, each with what it took."""
    whole = sum(step.seconds for step in steps) or 1.0
    shown: list[Stage] = []
    before = 0.0
    for step in steps:
        failed = (step.observation.reason,) if step.observation.reason else ()
        shown.append(
            Stage(
                number=step.number,
                title=title_of(step.action),
                reason=step.reason,
                outcome=step.observation.outcome,
                text=step.observation.text,
                failures=(*failed, *step.observation.failures),
                evidence=step.observation.evidence,
                seconds=step.seconds,
                used=tuple(used(step.usage)),
                observation=step.observation.id,
                start=round(100 * before / whole, 2),
                width=round(max(100 * step.seconds / whole, 0.8), 2),  # what took no time is still seen
            )
        )
        before += step.seconds
    return shown


def title_of(action: Action) -> str:
    """What an action does, in words, with the query of a search."""
    name = NAMES[action.name]
    return f"{name} for “{action.query}”" if isinstance(action, SearchWeb) else name


@dataclass(frozen=True)
class Share:
    """A part of the bar of probabilities, in per cent of its width."""

    colour: str
    name: str
    per_cent: float
    start: float = field(default=0.0)


def shares(result: CheckResult) -> list[Share]:
    """The four probabilities, as parts of a bar that is 100 wide."""
    shown: list[Share] = []
    start = 0.0
    for veracity in Veracity:
        per_cent = 100 * result.probabilities.get(veracity, 0.0)
        shown.append(Share(VERDICTS[veracity].colour, VERDICTS[veracity].name, per_cent, start))
        start += per_cent
    return shown if start else []
