"""Every set is read as it is released: which format a file has is told from its content."""

from pathlib import Path

import pytest

from wkgfc.claim import Veracity
from wkgfc.datasets import LabelledClaim, read_claims
from wkgfc.datasets.formats import FORMATS
from wkgfc.errors import BadInput

RELEASES = Path(__file__).parents[1] / "data" / "releases"
FILES = {
    "fever": "fever.jsonl",
    "hover": "hover.json",
    "fm2": "fm2.jsonl",
    "creak": "creak.jsonl",
    "liar_new": "liar_new.jsonl",
    "averitec": "averitec.json",
    "pubhealth": "pubhealth.tsv",
    "fire": "fire/bingcheck/data.jsonl",
    "summeval": "summeval.jsonl",
    "aggrefact": "aggrefact.csv",
    "llm_aggrefact": "llm_aggrefact.jsonl",
    "graphcheck": "graphcheck.jsonl",
    "scifact": "scifact/claims_dev.jsonl",
    "reveal": "reveal.csv",
    "codex": "codex/triples/codex-s/valid.txt",
    "plain": "plain.jsonl",
}
SUPPORTED, REFUTED = Veracity.SUPPORTED, Veracity.REFUTED


def release(name: str) -> tuple[LabelledClaim, ...]:
    return read_claims(RELEASES / FILES[name])


def test_every_format_has_its_example() -> None:
    assert FILES.keys() == FORMATS.keys()


@pytest.mark.parametrize("name", FILES)
def test_the_columns_say_which_format_it_is(name: str) -> None:
    assert release(name) == read_claims(RELEASES / FILES[name], format=name)


@pytest.mark.parametrize(
    ("name", "ids", "two_classes"),
    [
        ("fever", ["fever-137334", "fever-111897", "fever-89891"], [SUPPORTED, REFUTED, None]),
        ("hover", ["hover-330ca632-e83f-4011-b11b-0d0158145036", None], [SUPPORTED, REFUTED]),
        ("fm2", ["fm2-01EICaMMy6uOPHdoEGAf", "fm2-01YZxWWa4wfUL4peXdco"], [SUPPORTED, REFUTED]),
        ("creak", ["creak-train_1423", "creak-train_1424"], [SUPPORTED, REFUTED]),
        ("liar_new", ["liarnew-21301", "liarnew-21302", "liarnew-21303"], [REFUTED, REFUTED, SUPPORTED]),
        ("averitec", ["averitec-averitec-0", "averitec-averitec-1"], [REFUTED, REFUTED]),
        ("pubhealth", ["pubhealth-15661", None, None, None], [REFUTED, SUPPORTED, REFUTED, None]),
        ("fire", ["fire-bingcheck-0", "fire-bingcheck-1"], [SUPPORTED, REFUTED]),
        ("summeval", ["summeval-dm-test-8764fb95-M11", "summeval-dm-test-8764fb95-M12"], [SUPPORTED, REFUTED]),
        ("aggrefact", ["aggrefact_cnn-1", "aggrefact_cnn-2"], [SUPPORTED, REFUTED]),
        ("llm_aggrefact", ["aggrefact_cnn-0", "reveal-1"], [SUPPORTED, REFUTED]),
        ("graphcheck", ["graphcheck-0", "graphcheck-1"], [SUPPORTED, REFUTED]),
        ("scifact", ["scifact-1", "scifact-2", "scifact-3"], [REFUTED, SUPPORTED, None]),
        ("reveal", ["reveal-0", "reveal-1"], [SUPPORTED, REFUTED]),
        ("codex", ["codex-s-valid-0", "codex-s-valid-1", "codex-s-valid_negatives-0"], [SUPPORTED, SUPPORTED, REFUTED]),
        ("plain", ["a", "b"], [SUPPORTED, REFUTED]),
    ],
)
def test_ids_and_the_two_classes(name: str, ids: list[str | None], two_classes: list[Veracity | None]) -> None:
    rows = release(name)
    assert [row.two_class for row in rows] == two_classes
    assert all(row.id == each for row, each in zip(rows, ids, strict=True) if each is not None)


def test_fever_names_pages_and_sentences() -> None:
    supports, _, undecided = release("fever")
    assert supports.meta == {
        "pages": ["Ravenna (bridge)", "Saint Apollinaris"],
        "sentences": [["Ravenna (bridge)", 2], ["Saint Apollinaris", 0]],
    }
    assert undecided.meta == {}


def test_hover_says_how_many_hops() -> None:
    assert [row.meta["hops"] for row in release("hover")] == [2, 3]


def test_fool_me_twice_has_gold_sentences_and_distractors() -> None:
    row = release("fm2")[0]
    assert [(piece.title, piece.text) for piece in row.evidence] == [("The Tower", "The tower was finished in 1889.")]
    assert row.meta["retrieved"] == ["The tower is painted every seven years."]


def test_days_of_the_claims_are_read_as_each_set_writes_them() -> None:
    assert str(release("liar_new")[0].date) == "2021-10-13"
    assert [str(row.date) for row in release("averitec")] == ["2020-10-31", "2020-02-01"]
    assert [str(row.date) for row in release("pubhealth")] == ["2014-04-30", "None", "None", "2014-05-01"]


def test_averitec_keeps_questions_with_their_answers_and_the_speaker() -> None:
    row = release("averitec")[0]
    assert row.speaker == "Jo Doe"
    assert row.meta["gold_qa"] == [
        {"text": "When was the harbour opened? In May 2018.", "url": "https://port.example/history"}
    ]


def test_a_quoted_article_may_go_over_lines() -> None:
    assert release("pubhealth")[0].evidence[0].text == "Pears are sold as a cure.\nNo study says so."


def test_scifact_takes_its_sentences_from_the_corpus_beside_it() -> None:
    refuted, _, undecided = release("scifact")
    assert refuted.evidence[0].title == "Pears and pressure"
    assert refuted.evidence[0].text == "Pressure was the same with pears. It was the same without."
    assert undecided.evidence == ()


def test_codex_puts_triples_into_words_with_the_labels_of_its_release(tmp_path: Path) -> None:
    assert [row.claim for row in release("codex")] == [
        "Jo Doe was born in Old Town.",
        "Jo Doe is a citizen of Norland.",
        "Jo Doe was born in Norland.",
    ]
    alone = tmp_path / "valid.txt"
    alone.write_text("Q1\tP19\tQ2\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"line 1: no label of Q1: entities/en/entities\.json"):
        read_claims(alone)


def test_an_unknown_format_is_answered_with_those_there_are() -> None:
    with pytest.raises(BadInput, match="no format is called “fevre”: fever, hover"):
        read_claims(RELEASES / "fever.jsonl", format="fevre")
    with pytest.raises(BadInput, match="line 1: no column “uid”"):
        read_claims(RELEASES / "fever.jsonl", format="hover")
