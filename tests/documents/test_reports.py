"""A checked text: corrections, reports and what a terminal shows; hostile texts stay texts."""

import datetime as dt
import json
from html.parser import HTMLParser

from rich.console import Console

from checked_results import ATTACK
from wkgfc.claim import Checkability, read_claim
from wkgfc.documents.checking import CheckedText, checked_text, chosen
from wkgfc.documents.claims import claims_of
from wkgfc.documents.correction import correction_of
from wkgfc.documents.opening import SourceText
from wkgfc.documents.reports import html_report, json_report, markdown_report
from wkgfc.documents.terminal import checked_view, claims_view
from wkgfc.evidence import Stance, Time
from wkgfc.result import CheckResult

AGAINST = Stance(supports=0.0, refutes=0.95, neither=0.05)
TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "h1",
        "h2",
        "p",
        "div",
        "mark",
        "a",
        "ol",
        "ul",
        "li",
        "br",
        "b",
    ),
    "i",
}


def refuting(result: CheckResult, claim: str | None = None) -> CheckResult:
    evidence = tuple(each.model_copy(update={"stance": AGAINST}) for each in result.evidence)
    read = read_claim(claim) if claim else result.claim
    return result.model_copy(update={"evidence": evidence, "claim": read})


def checked(result: CheckResult, text: str) -> CheckedText:
    source = SourceText(text=text, title=text[-60:], url="javascript:alert(1)")
    sentences = claims_of(text, date=dt.date(2020, 1, 1))
    return checked_text(source, dt.date(2020, 1, 1), sentences, {0: refuting(result)})


def test_a_refuted_date_is_corrected_by_the_cited_statement(result: CheckResult) -> None:
    correction = correction_of(refuting(result))

    assert correction is not None
    assert (correction.evidence, correction.said, correction.meant) == ("K1", "1890", "1889")
    assert correction.claim == "Charlie Chaplin was born in 1889."


def test_where_the_wrong_word_is_not_plain_only_the_evidence_is_given(result: CheckResult) -> None:
    correction = correction_of(refuting(result, "Charlie Chaplin was born between 1890 and 1895."))

    assert correction is not None
    assert correction.claim is None
    assert "1889" in correction.stated


def test_a_year_does_not_take_the_place_of_a_day(result: CheckResult) -> None:
    assert result.graph is not None
    first = result.graph.evidence[0]
    year = first.content.model_copy(update={"object": Time(value="1889-00-00", precision=9)})
    coarse = (first.model_copy(update={"content": year}), *result.graph.evidence[1:])
    known = result.model_copy(update={"graph": result.graph.model_copy(update={"evidence": coarse})})
    in_day, in_year = (
        correction_of(refuting(known, f"Charlie Chaplin was born {when}.")) for when in ("on 16 April 1890", "in 1890")
    )

    assert in_day is not None
    assert in_year is not None
    assert (in_day.claim, in_year.claim) == (None, "Charlie Chaplin was born in 1889.")


def test_what_is_not_refuted_is_not_corrected(result: CheckResult) -> None:
    assert correction_of(result) is None


def test_the_claims_with_most_in_them_are_chosen_in_the_order_of_the_text() -> None:
    sentences = claims_of("People eat bread. Nepal borders China. Paris had 2,100,000 people in 2011. They left.")

    assert chosen(sentences, 2) == [1, 2]
    assert chosen(sentences, 1) == [2]


def test_json_has_the_place_of_every_sentence(result: CheckResult) -> None:
    text = "Charlie Chaplin was born in 1890. They left."
    record = json.loads(json_report(checked(result, text)))
    first, second = record["sentences"]

    assert text[first["sentence"]["start"] : first["sentence"]["end"]] == "Charlie Chaplin was born in 1890."
    assert first["result"]["veracity"] == "Refuted"
    assert first["correction"]["claim"] == "Charlie Chaplin was born in 1889."
    assert (second["result"], second["sentence"]["standing"]) == (None, "unclear")


def test_reports_of_hostile_texts_have_no_tag_and_no_link_of_theirs(hostile: CheckResult) -> None:
    document = checked(hostile, f"Charlie Chaplin was born in 1890. {ATTACK}")
    seen: set[str] = set()
    addresses: list[str | None] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.add(tag)
            assert not any(name.startswith("on") for name, _ in attrs)
            addresses.extend(value for name, value in attrs if name == "href")

    Tags().feed(html_report(document))
    assert seen <= {*TAGS, "span"}
    assert all((address or "").startswith("#") for address in addresses)
    assert "](javascript" not in markdown_report(document)
    assert "<script" not in markdown_report(document).replace("\\<", "")


def test_every_sentence_of_a_reason_keeps_its_citations(result: CheckResult) -> None:
    document = checked(result, "Charlie Chaplin was born in 1890.")

    assert "<p>He was born in 1889. [K1, W1]</p>" in html_report(document)
    assert "\nHe was born in 1889. \\[K1, W1\\]\n" in markdown_report(document)


def test_what_could_not_be_checked_says_why(result: CheckResult) -> None:
    reason = Checkability(is_checkable=False, kind="opinion", reason="It is an opinion.")
    opinion = {"veracity": None, "stop_reason": "not_checkable", "checkability": reason, "justification": ()}
    document = checked(result.model_copy(update=opinion), "Charlie Chaplin was born in 1890.")

    assert "<p>It is an opinion.</p>" in html_report(document)
    assert "\nIt is an opinion.\n" in markdown_report(document)


def test_markdown_has_verdict_correction_and_evidence(result: CheckResult) -> None:
    text = markdown_report(checked(result, "Charlie Chaplin was born in 1890. They left."))

    assert "**Refuted**, confidence 0.90 (characters 0–33)" in text
    assert "Suggested: **Charlie Chaplin was born in 1889.**" in text
    assert "(https://example.org/chaplin)" in text


def test_a_terminal_shows_the_text_with_its_verdicts(result: CheckResult, hostile: CheckResult) -> None:
    console = Console(record=True, width=200, file=None)
    with console.capture() as said:
        console.print(checked_view(checked(result, "Charlie Chaplin was born in 1890. They left.")))
        console.print(checked_view(checked(hostile, f"Charlie Chaplin was born in 1890. {ATTACK}")))
        console.print(claims_view(claims_of("They left.")))
    shown = said.get()

    assert "Charlie Chaplin was born in 1890. [1 Refuted] They left." in shown
    assert "Suggested: Charlie Chaplin was born in 1889. [K1]" in shown
    assert "2 sentences, 1 checked, 1 Refuted." in shown
    assert "\x1b[31m" not in shown
    assert "unclear: The text does not settle what is meant by “They”." in shown
