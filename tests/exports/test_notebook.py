"""A result in a notebook: what it shows, that nothing of a page gets in, and the table of many."""

from html.parser import HTMLParser
from xml.etree import ElementTree

from checked_results import checked
from wkgfc.evidence import EvidenceGraph
from wkgfc.exports.network import Network, Node, network
from wkgfc.exports.notebook import results_table
from wkgfc.exports.picture import MAX_NODES, svg
from wkgfc.result import CheckResult, Sentence

TAGS = {
    *("div", "p", "b", "sup", "a", "table", "thead", "tbody", "tr", "th", "td"),
    *("details", "summary", "svg", "g", "title", "line", "text", "circle"),
}


class Reading(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


def test_it_shows_verdict_footnotes_evidence_and_picture(result: CheckResult) -> None:
    drawn = result._repr_html_()

    assert "Refuted" in drawn
    assert "He was born in 1889. <sup>[K1]</sup> <sup>[W1]</sup>" in drawn
    assert 'href="https://example.org/chaplin"' in drawn
    assert 'aria-label="Evidence graph: 4 nodes, 4 edges"' in drawn
    assert Reading(drawn).tags == TAGS


def test_hostile_texts_add_no_tag_and_no_link(hostile: CheckResult) -> None:
    read = Reading(hostile._repr_html_())

    assert read.tags == TAGS - {"a"}
    assert not any(name.startswith("on") or name == "href" for name, _ in read.attributes)
    picture = svg(network(hostile))
    assert picture is not None
    ElementTree.fromstring(picture)


def test_an_error_has_no_verdict() -> None:
    drawn = checked("", None, None)._repr_html_()

    assert "No verdict" in drawn
    assert "Failed: S1: the model gave no answer" in drawn


def test_a_graph_that_is_empty_or_too_large_is_not_drawn(result: CheckResult) -> None:
    many = tuple(Node(str(number), "x", "entity") for number in range(MAX_NODES + 1))

    assert svg(Network(many, ())) is None
    assert svg(Network((), ())) is None
    assert svg(Network(many[:MAX_NODES], ())) is not None
    assert "<svg" not in result.model_copy(update={"graph": EvidenceGraph().to_record()})._repr_html_()


def test_the_picture_is_the_same_every_time(result: CheckResult) -> None:
    assert svg(network(result)) == svg(network(result))


def test_many_results_are_flat_rows(result: CheckResult, hostile: CheckResult) -> None:
    first, second, failed = results_table([result, hostile, checked("", None, None)])
    nothing = (Sentence(text="Nothing was found.", citations=("S1", "S2")),)
    unfounded = result.model_copy(update={"evidence": (), "justification": nothing})

    assert (first["veracity"], first["confidence"], first["p_refuted"]) == ("Refuted", 0.9, 0.25)
    assert (first["justification"], first["citations"]) == ("He was born in 1889. [K1, W1]", "K1 W1")
    assert first["sources"] == "https://example.org/chaplin"
    assert second["sources"] == ""
    assert (failed["veracity"], failed["stop_reason"], failed["p_refuted"]) == (None, "error", None)
    assert results_table([unfounded])[0]["citations"] == "S1 S2"
    assert all(not isinstance(value, dict | list | tuple) for row in (first, failed) for value in row.values())
