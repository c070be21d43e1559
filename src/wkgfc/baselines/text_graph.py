"""A text as a graph: its facts as triples of words, by a parse or by a language model, and what belongs together."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from wkgfc.baselines.likeness import mean, similarity, vector
from wkgfc.baselines.prompts import ask, in_one_line
from wkgfc.evidence import Entity, Passage, Record, Relation, Source, Triple
from wkgfc.language import parse
from wkgfc.reasoning.embedded.lexicon.terms import terms_of
from wkgfc.sentences import sentence_spans

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from wkgfc.reasoning.llm.asking import Asking

MAX_FACTS = 200  # of one text
ROUNDS = 2  # of message passing: what a node takes from two steps away
COMMUNITY_ROUNDS = 20  # of label propagation, which ends long before
NAME_CHARACTERS = 120
CHUNK_CHARACTERS = 4_800  # some 1,200 tokens: GraphRAG's unit of text
_SUBJECTS = {"nsubj", "nsubjpass"}
_OBJECTS = {"dobj", "attr", "oprd", "acomp"}


class Fact(Record):
    """One fact in the text's own words, and the sentence that states it (empty where that is not known)."""

    subject: str
    relation: str
    object: str
    sentence: str = ""

    @property
    def text(self) -> str:
        """The fact in a line."""
        return " ".join(part for part in (self.subject, self.relation, self.object) if part)

    @property
    def ends(self) -> tuple[str, str]:
        """The names of its two nodes, folded: two spellings of a name are one node."""
        return node_of(self.subject), node_of(self.object)


class TriplesAnswer(BaseModel):
    """What a language model reads from a text."""

    triples: list[Annotated[list[Annotated[str, Field(max_length=300)]], Field(min_length=3, max_length=3)]] = Field(
        max_length=80
    )


def node_of(name: str) -> str:
    """The node that a name means: its content words by their stems."""
    return " ".join(terms_of(name)) or name.strip().casefold()


async def facts_of(text: str, asking: "Asking | None") -> tuple[Fact, ...]:
    """The facts of a text: read by a language model, chunk by chunk, or from its parse without one.

    Raises:
        JudgementFailed: the model gave no usable answer.
    """
    if asking is None:
        return parsed_facts(text)
    facts: list[Fact] = []
    for chunk in _chunks(text):
        said = await ask(asking, "graph-triples", TriplesAnswer, {"text": chunk}, max_tokens=2_500)
        facts += [Fact(subject=s, relation=r, object=o) for s, r, o in said.triples if s.strip() and o.strip()]
    return tuple(dict.fromkeys(facts))[:MAX_FACTS]


def _chunks(text: str) -> Iterator[str]:
    start = end = 0
    for first, last in sentence_spans(text):
        if last - start > CHUNK_CHARACTERS and end > start:
            yield text[start:end]
            start = first
        end = last
    yield text[start:]


def parsed_facts(text: str) -> tuple[Fact, ...]:
    """The facts that a text's parse shows: subject, verb and object; appositions; what a preposition adds to a verb."""
    facts: dict[Fact, None] = {}
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        for subject, relation, value in _clauses(parse(sentence)):
            fact = Fact(
                subject=in_one_line(subject, NAME_CHARACTERS),
                relation=in_one_line(relation, NAME_CHARACTERS),
                object=in_one_line(value, NAME_CHARACTERS),
                sentence=sentence,
            )
            facts.setdefault(fact)
        if len(facts) >= MAX_FACTS:
            break
    return tuple(facts)[:MAX_FACTS]


def _clauses(doc: "Doc") -> Iterator[tuple[str, str, str]]:
    for token in doc:
        if token.dep_ == "appos":
            yield _phrase(token.head, without=token), "is", _phrase(token)
        if token.dep_ not in _SUBJECTS:
            continue
        verb = token.head
        subject, said = _phrase(token), _verb(verb)
        for child in verb.children:
            if child.dep_ in _OBJECTS:
                yield subject, said, _phrase(child)
            elif child.dep_ in {"prep", "agent"}:
                for end in child.children:
                    if end.dep_ == "pobj":
                        yield subject, f"{said} {child.text}", _phrase(end)


def _verb(token: "Token") -> str:
    parts = [child for child in token.children if child.dep_ in {"aux", "auxpass", "neg", "prt"}]
    return " ".join(each.text for each in sorted([*parts, token], key=lambda each: each.i))


def _phrase(token: "Token", without: "Token | None" = None) -> str:
    """A noun with all that belongs to it, clauses and (where asked) an apposition left out."""
    left_out = {"relcl", "advcl", "ccomp", "punct", "cc", "conj", "appos"}
    kept = [token]
    for child in token.children:
        if child.dep_ not in left_out and child is not without:
            kept.extend(child.subtree)
    return " ".join(each.text for each in sorted(kept, key=lambda each: each.i))


def encoded(facts: Sequence[Fact]) -> list[dict[str, float]]:
    """A vector a fact: its words, with what its nodes take from their neighbours.

    An encoder of a graph without anything learned: a node begins with the words of its name, and takes at each of
    ``ROUNDS`` the mean of its neighbours' vectors to its own.
    """
    names: dict[str, dict[str, float]] = {}
    neighbours: defaultdict[str, list[str]] = defaultdict(list)
    for fact in facts:
        for node, name in zip(fact.ends, (fact.subject, fact.object), strict=True):
            names.setdefault(node, vector(name))
        first, second = fact.ends
        if first != second:
            neighbours[first].append(second)
            neighbours[second].append(first)
    nodes = names
    for _ in range(ROUNDS):
        nodes = {
            node: mean([own, *([mean([nodes[each] for each in neighbours[node]])] if neighbours[node] else [])])
            for node, own in nodes.items()
        }
    return [mean([vector(fact.text), *(nodes[end] for end in fact.ends)]) for fact in facts]


def aligned(wanted: Sequence[Fact], given: Sequence[Fact], limit: int) -> list[list[Fact]]:
    """For each fact that is wanted, the at most ``limit`` given ones that are most like it, best first."""
    theirs = encoded(given)
    found = []
    for mine in encoded(wanted):
        scores = [similarity(mine, other) for other in theirs]
        order = sorted(range(len(given)), key=lambda place: (-scores[place], place))[:limit]
        found.append([given[place] for place in order if scores[place] > 0])
    return found


def communities(facts: Sequence[Fact]) -> list[list[Fact]]:
    """The facts in groups that hang together, the largest first.

    By label propagation (Raghavan, Albert and Kumara 2007) over the nodes: simpler than Leiden, and as good for the
    hundred nodes of a document. Ties go to the label that comes first, so that the same text gives the same groups.
    """
    edges: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for fact in facts:
        first, second = fact.ends
        edges[first][second] += 1
        edges[second][first] += 1
    label = {node: number for number, node in enumerate(edges)}
    for _ in range(COMMUNITY_ROUNDS):
        changed = False
        for node, near in edges.items():
            votes: Counter[int] = Counter()
            for other, weight in near.items():
                votes[label[other]] += weight
            best = min(votes, key=lambda each: (-votes[each], each))
            changed = changed or best != label[node]
            label[node] = best
        if not changed:
            break
    groups: defaultdict[int, list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[label[fact.ends[0]]].append(fact)
    return sorted(groups.values(), key=lambda group: -len(group))


def as_triples(facts: Iterable[Fact], passage: Passage) -> Iterator[Triple]:
    """Facts as the evidence graph holds them; their nodes are of the text alone."""
    for fact in facts:
        first, second = fact.ends
        yield Triple(
            subject=Entity(id=f"text:{first}", label=fact.subject),
            relation=Relation(id=f"text:{node_of(fact.relation)}", label=fact.relation),
            object=Entity(id=f"text:{second}", label=fact.object),
            source=Source(name=passage.source.name, url=passage.url, text_id=passage.source.text_id),
        )
