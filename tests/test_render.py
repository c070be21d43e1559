"""What a terminal shows of a result: nothing in it steers the terminal."""

import io

from rich.console import Console

from checked_results import ATTACK
from wkgfc.claim import Checkability
from wkgfc.render import result_view, trace_view
from wkgfc.result import CheckResult, EarlierCheck

ADDRESS = "https://example.org/\x1b]0;mine\x07\u202e"


def shown(result: CheckResult) -> str:
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=200)
    console.print(result_view(result), trace_view(result))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_no_text_and_no_address_steers_the_terminal(hostile: CheckResult) -> None:
    evidence = tuple(each.model_copy(update={"url": ADDRESS}) for each in hostile.evidence)
    earlier = (EarlierCheck(claim=ATTACK, rating=ATTACK, url=ADDRESS),)
    said = shown(hostile.model_copy(update={"evidence": evidence, "earlier_checks": earlier}))

    assert "]8;" in said  # the address can be opened
    assert "\x1b[31m" not in said
    assert "\x1b]0;" not in said
    assert "\u202e" not in said


def test_nor_does_the_reason_of_what_is_not_checked(result: CheckResult) -> None:
    reason = Checkability(is_checkable=False, kind="opinion", reason=ATTACK)
    unchecked = {"veracity": None, "stop_reason": "not_checkable", "checkability": reason, "justification": ()}

    assert "\x1b[31m" not in shown(result.model_copy(update=unchecked))
