"""Claims that something has some of a thing, or none: "X has no coastline", "X had children".

They count as well: more than none. So they are read as what ``counting.py`` judges.
"""

from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from wkgfc.language import parse
from wkgfc.reasoning.embedded.claims.clauses import root_of, subject_of
from wkgfc.reasoning.embedded.claims.negation import positive_form
from wkgfc.reasoning.embedded.measured.counting import Counting, rule_of
from wkgfc.reasoning.embedded.measured.measures import CountRule, measure_of_noun
from wkgfc.reasoning.embedded.values.quantities import QuantityMention

if TYPE_CHECKING:
    from spacy.tokens import Token

_DETERMINERS = frozenset({"a", "an", "any", "some", "its", "his", "her", "their"})
_MODIFIERS = frozenset({"amod", "compound"})


@lru_cache(maxsize=512)
def having_of(text: str) -> Counting | None:
    """What ``text`` says that its subject has, or has not; ``None`` where it says more, or no rule knows the relation.

    >>> having_of("Nepal has no coastline.").is_negated
    True
    """
    said, is_denied = positive_form(text)
    root = root_of(parse(said))
    subject = subject_of(root) if root is not None else None
    if root is None or root.lemma_.lower() not in ("have", "lack") or subject is None or subject.pos_ == "PRON":
        return None
    rest = [child for child in root.children if child.i > root.i and child.dep_ != "punct"]
    if len(rest) != 1 or rest[0].dep_ != "dobj" or (noun := _noun(rest[0])) is None:
        return None
    rule = rule_of(noun, "have") or _of_measure(noun)
    if rule is None:
        return None
    held = rest[0]
    some = QuantityMention(
        start=held.left_edge.idx,
        end=held.idx + len(held),
        text=held.text,
        amount=Decimal(0),
        upper=None,
        bound="more",
        resolution=Decimal(1),
        noun=noun,
    )
    return Counting(
        subject=said[subject.left_edge.idx : subject.right_edge.idx + len(subject.right_edge)],
        noun=noun,
        quantity=some,
        rule=rule,
        is_negated=is_denied != (root.lemma_.lower() == "lack"),
        is_past=root.tag_ == "VBD",
    )


def _noun(held: "Token") -> str | None:
    """The noun in the singular with what stands before it; ``None`` where more is said of it, or a number."""
    before = [child for child in held.lefts if not (child.dep_ == "det" or child.lower_ in _DETERMINERS)]
    if held.pos_ != "NOUN" or list(held.rights) or any(child.dep_ not in _MODIFIERS for child in before):
        return None
    return " ".join([*(child.lower_ for child in before), held.lemma_.lower()])


def _of_measure(noun: str) -> CountRule | None:
    """What measures a thing says whether there is any of it: a coastline of 0 km is none."""
    measured = measure_of_noun(noun)
    if measured is None or measured.is_time:
        return None
    return CountRule(
        nouns=frozenset({noun}),
        verbs=frozenset(),
        relations=(),
        number=measured.relations[0],
        is_inward=False,
        is_complete=False,
        is_filtered=False,
        objects=(),
        aliases=(),
    )
