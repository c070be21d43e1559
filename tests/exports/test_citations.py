"""Lists of references and the trajectory, read back."""

import json

import bibtexparser
import pytest

from wkgfc.errors import BadInput
from wkgfc.exports.citations import bibtex, csl_json, markdown_citations, markdown_text
from wkgfc.exports.links import web_address
from wkgfc.exports.trajectory import trajectory
from wkgfc.result import CheckResult
from wkgfc.state import Step


def test_markdown_has_an_item_for_each_cited_piece(result: CheckResult) -> None:
    first, second = markdown_citations(result).splitlines()

    assert first.startswith("- **K1** Charlie Chaplin was born on 16 April 1889")
    assert first.endswith("[title](https://example.org/chaplin)") or "](https://example.org/chaplin)" in first
    assert second.startswith("- **W1** “Chaplin was born in 1890.”")


def test_markdown_of_hostile_texts_has_no_link_and_no_tag(hostile: CheckResult) -> None:
    text = markdown_citations(hostile)

    assert len(text.splitlines()) == 2
    assert "](" not in text.replace("\\]\\(", "")
    assert "<script" not in text.replace("\\<", "")


@pytest.mark.parametrize(
    ("text", "written"),
    [("1. FC Köln", r"1\. FC Köln"), ("- a - b", r"\- a - b"), ("---", r"\---"), ("3.5 m, -2", "3.5 m, -2")],
)
def test_what_begins_like_a_list_is_none_in_markdown(text: str, written: str) -> None:
    assert markdown_text(text) == written


def test_csl_json_is_read_back(result: CheckResult, hostile: CheckResult) -> None:
    fact, page = json.loads(csl_json(result))

    assert (fact["id"], fact["type"], page["type"]) == ("K1", "dataset", "webpage")
    assert page["URL"] == "https://example.org/chaplin"
    assert page["accessed"] == {"date-parts": [[2026, 1, 2]]}
    assert all("URL" not in item for item in json.loads(csl_json(hostile)))


def test_bibtex_is_read_back_by_another_parser(result: CheckResult, hostile: CheckResult) -> None:
    entries = bibtexparser.loads(bibtex(result)).entries
    assert [entry["ID"] for entry in entries] == ["wkgfcK1", "wkgfcW1"]
    assert entries[0]["url"] == "https://example.org/chaplin"

    attacked = bibtexparser.loads(bibtex(hostile)).entries
    assert [entry["ID"] for entry in attacked] == ["wkgfcK1", "wkgfcW1"]
    assert all("url" not in entry for entry in attacked)


def test_the_trajectory_has_a_line_a_step(hostile: CheckResult) -> None:
    [line] = trajectory(hostile).splitlines()
    row = json.loads(line)

    assert row.pop("claim") == hostile.claim.text
    assert hostile.trajectory is not None
    assert Step.model_validate(row) == hostile.trajectory.steps[0]
    with pytest.raises(BadInput, match="--trace"):
        trajectory(hostile.model_copy(update={"trajectory": None}))


@pytest.mark.parametrize(
    "url",
    [
        *("javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//example.org", "http://", "http://[x"),
        *("", None, "https://example.org/" + "a" * 3_000),
    ],
)
def test_what_is_no_address_of_the_web_is_no_link(url: str | None) -> None:
    assert web_address(url) is None


def test_signs_that_could_end_a_link_are_encoded() -> None:
    assert web_address('https://example.org/"><b>é\ud800') == "https://example.org/%22%3E%3Cb%3E%C3%A9%3F"
