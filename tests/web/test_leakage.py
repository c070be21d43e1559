"""The leakage guard: what is held back in which mode, why, and what the result says of it."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.claim import Claim
from wkgfc.evidence import Passage, Source
from wkgfc.web.leakage import (
    QUOTED_SHARE,
    Guarded,
    Reason,
    guard,
    has_verdict_marks,
    is_undated,
    quoted_share,
    reason_to_hold_back,
)
from wkgfc.web.search import Hit

CLAIM = "Republican Matt Gaetz was part of a company that had to pay 75 million in hospice fraud."
DATE = dt.date(2020, 10, 31)
DATED = Claim(text=CLAIM, date=DATE)
UNDATED = Claim(text=CLAIM)


def passage(
    text: str, url: str = "https://example.org/x", title: str | None = None, date: dt.date | None = None
) -> Passage:
    return Passage(text=text, title=title, url=url, date=date, source=Source(name="test", url=url))


NEWS = passage("The Department of Justice has sued the hospice company.", date=dt.date(2013, 5, 8))
LATER = passage("The company settled.", date=dt.date(2020, 11, 1))
LATER_BY_ADDRESS = passage("The company settled.", "https://example.org/2020/11/02/settled")
FACT_CHECK = passage("Don Gaetz was not named in the suit.", "https://www.politifact.com/factchecks/2019/nov/01/x/")
REPORT = passage(f"We rated this claim false: “{CLAIM}”", date=dt.date(2020, 10, 30))
OWN_FACT_CHECK = passage(CLAIM, "https://www.politifact.com/factchecks/x/", title="Hospice fraud")
SPEECH = passage(f"“{CLAIM}” she told the crowd.", date=dt.date(2020, 10, 30))


@pytest.mark.parametrize(
    ("found", "in_benchmark", "with_date", "without"),
    [
        (NEWS, None, None, None),
        (LATER, "published after the claim", "published after the claim", None),
        (LATER_BY_ADDRESS, "published after the claim", "published after the claim", None),
        (FACT_CHECK, "from fact-checking sites", None, None),  # an earlier one is what a newsroom looks for
        (REPORT, "quoting the claim with a verdict", "quoting the claim with a verdict", None),
        (OWN_FACT_CHECK, "from fact-checking sites", "quoting the claim with a verdict", None),
        (SPEECH, None, None, None),  # the claim where it was made is no verdict on it
    ],
)
def test_the_mode_decides(
    found: Passage, in_benchmark: Reason | None, with_date: Reason | None, without: Reason | None
) -> None:
    assert reason_to_hold_back(found, DATED, benchmark=True) == in_benchmark
    assert reason_to_hold_back(found, DATED) == with_date
    assert reason_to_hold_back(found, UNDATED) == without


def test_a_benchmark_claim_without_a_date_is_guarded_too() -> None:
    assert reason_to_hold_back(FACT_CHECK, UNDATED, benchmark=True) == "from fact-checking sites"
    assert reason_to_hold_back(REPORT, UNDATED, benchmark=True) == "quoting the claim with a verdict"
    assert reason_to_hold_back(LATER, UNDATED, benchmark=True) is None


def test_the_day_of_the_claim_itself_counts_as_known() -> None:
    assert reason_to_hold_back(passage("x", date=DATE), DATED) is None


def test_what_is_held_back_is_counted_and_what_is_kept_stays_in_order() -> None:
    undated = passage("Some text.")
    found = [Hit(passage=each, score=1.0) for each in (FACT_CHECK, NEWS, LATER, FACT_CHECK, undated, FACT_CHECK)]
    guarded = guard(found, DATED, benchmark=True)
    assert [hit.passage for hit in guarded.kept] == [NEWS, undated]
    assert guarded.held_back.counts == {"from fact-checking sites": 3, "published after the claim": 1}
    assert guarded.undated == ("https://example.org/x",)
    assert guarded.flags == (
        "held_back:3 from fact-checking sites",
        "held_back:1 published after the claim",
        "undated:1 of 2 passages",
    )
    assert Guarded.model_validate_json(guarded.model_dump_json()) == guarded


def test_a_page_that_quotes_the_claim_with_a_verdict_goes_as_a_whole() -> None:
    report = passage(f"The claim: {CLAIM}", "https://www.bbc.co.uk/news/54633147")
    rest = passage("The company belonged to his father.", "http://bbc.co.uk/news/54633147/#more")
    guarded = guard([Hit(passage=each, score=1.0) for each in (rest, NEWS, report)], DATED, benchmark=True)
    assert [hit.passage for hit in guarded.kept] == [NEWS]
    assert guarded.held_back.counts == {"quoting the claim with a verdict": 2}


def test_without_a_date_and_a_benchmark_nothing_is_said() -> None:
    guarded = guard([Hit(passage=passage("x"), score=1.0)], UNDATED)
    assert (len(guarded.kept), guarded.flags) == (1, ())


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        (CLAIM, True),
        (f"Did you see that? {CLAIM.upper()} It is everywhere.", True),
        ("Republican Matt Gaetz was part of a firm that had to pay $75 million for hospice fraud", True),
        ("Matt Gaetz's father led a company that had to pay 75 million", False),
        ("Republican Matt Gaetz spoke. " + "The session went on. " * 9 + "The company had to pay 75 million.", False),
        ("", False),
    ],
)
def test_a_quotation_is_most_of_the_claim_in_one_stretch(text: str, quoted: bool) -> None:
    assert (quoted_share(CLAIM, text) >= QUOTED_SHARE) is quoted


@pytest.mark.parametrize(
    ("claim", "text", "quoted"),
    [
        ("长城是唯一能从月球上看到的建筑", "网上流传,长城是唯一能从月球上看到的建筑,专家说这是谣言。", True),
        ("长城是唯一能从月球上看到的建筑", "长城有两千多年的历史,月球上没有水,这座建筑很长。", False),
        ("富士山は日本で一番高い山です", "「富士山は日本で一番高い山です」という投稿をファクトチェックした。", True),
        ("富士山は日本で一番高い山です", "富士山の登山者は今年も増えたと県が発表した。", False),
    ],
)
def test_a_quotation_without_spaces_is_one_too(claim: str, text: str, quoted: bool) -> None:
    assert (quoted_share(claim, text) >= QUOTED_SHARE) is quoted


@pytest.mark.parametrize(("claim", "share"), [("5G causes COVID-19.", 1.0), ("Fraud!", 1.0), ("?", 0.0)])
def test_short_claims_have_their_share_too(claim: str, share: float) -> None:
    assert quoted_share(claim, "They say 5g causes covid 19. Fraud, they say.") == share


@pytest.mark.parametrize(
    "text",
    [
        "FACT CHECK: no evidence",
        "We fact-checked the post",
        "The claim: masks do not work.",
        "This false claim has been shared",
        "The claim is completely false.",
        "Our rating: False",
        "We rate it Mostly True",
        "PolitiFact looked into it",
        "the rumour was debunked",
        '{"@type": "ClaimReview", "claimReviewed": "x", "reviewRating": {}}',
        "The ruling: missing context",
        "That is pants on fire",
        "Faktencheck: Nein, das Foto zeigt etwas anderes",
        "Die Behauptung ist falsch.",
        "Eine Falschmeldung macht die Runde",
        "Non, c’est une infox",
        "Cette affirmation est fausse",
        "Verdict : faux",
        "Es falso que el agua cure",
        "Un bulo que circula por WhatsApp",
        "É falso que a vacina mude o DNA",
        "Um boato antigo",
        "È una bufala",
        "La notizia è falsa",
        "这是谣言",
        "この投稿はデマです",
    ],
)
def test_the_marks_of_a_verdict(text: str) -> None:
    assert has_verdict_marks(text, CLAIM)


@pytest.mark.parametrize(
    "text",
    [
        "The bank's credit rating fell.",
        "The court's verdict is expected in May.",
        "She claims that taxes rose.",
        "A viral infection",
        "The facts were checked by nobody.",
        "Interest rates and true costs",
        "Er bog falsch ab, sagte die Polizei.",
        "Il chante faux.",
        "Un paso en falso costó el partido",
        "Un falso allarme in centro",
        "",
    ],
)
def test_words_that_are_no_verdict(text: str) -> None:
    assert not has_verdict_marks(text, CLAIM)


def test_what_the_claim_says_itself_is_no_mark() -> None:
    claim = "President Trump called the coronavirus a hoax."
    assert not has_verdict_marks("Trump called the coronavirus a hoax, said Biden", claim)
    assert has_verdict_marks("Trump did not call the coronavirus a hoax: a false claim", claim)


def test_an_address_or_a_date_makes_a_passage_dated() -> None:
    assert is_undated(passage("x"))
    assert not is_undated(NEWS)
    assert not is_undated(LATER_BY_ADDRESS)


@given(st.text(max_size=200), st.text(min_size=1, max_size=80), st.booleans(), st.none() | st.dates())
def test_any_text_is_looked_at(text: str, claim: str, benchmark: bool, date: dt.date | None) -> None:
    assert 0 <= quoted_share(claim, text) <= 1
    hits = [Hit(passage=passage(text, url="https://" + text), score=1.0)]
    guarded = guard(hits, Claim(text=claim, date=date), benchmark=benchmark)
    assert len(guarded.kept) + len(guarded.held_back.items) == 1
