"""The embedded policy: a file of what differs, read and written; what is wrong with one is said."""

import json
from pathlib import Path

import pytest

from wkgfc.errors import NotConfigured
from wkgfc.evidence import Stance
from wkgfc.reasoning.embedded.policy import FILE, EmbeddedPolicy, read_embedded_policy, write_embedded_policy
from wkgfc.reasoning.embedded.reasoner import EmbeddedReasoner
from wkgfc.reasoning.embedded.verdict import VerdictParameters, weighed

SILENT = Stance(supports=0.0, refutes=0.0, neither=1.0)


def test_without_a_folder_it_is_the_one_that_ships() -> None:
    shipped = read_embedded_policy(None)
    assert shipped == EmbeddedPolicy()
    assert (shipped.changes(), shipped.mark) == ({}, "")


def test_a_policy_is_what_differs_and_has_a_version_of_its_own(tmp_path: Path) -> None:
    learned = EmbeddedPolicy().having({"verdict": {"sufficient": 0.7}, "steering": {"max_searches": 1}})
    write_embedded_policy(learned, tmp_path / "policy")
    said = json.loads((tmp_path / "policy" / FILE).read_text(encoding="utf-8"))
    assert said == {"verdict": {"sufficient": 0.7}, "steering": {"max_searches": 1}}
    read = read_embedded_policy(tmp_path / "policy")
    assert read == learned
    plain, other = EmbeddedReasoner().policy, EmbeddedReasoner(learned=read).policy
    assert plain != other
    assert other == plain.replace("+", f"{learned.mark}+")


def test_it_stops_sooner_after_a_search_where_it_learned_to() -> None:
    learned = EmbeddedPolicy().having({"steering": {"after_search": 0.6}})
    assert learned.sufficient(is_after_search=False) == 0.8
    assert learned.sufficient(is_after_search=True) == 0.6
    assert EmbeddedPolicy().sufficient(is_after_search=True) == 0.8


def test_a_lean_moves_what_texts_say_and_not_whether_they_decide() -> None:
    text = Stance(supports=0.3, refutes=0.3, neither=0.4)
    plain, _ = weighed(SILENT, text, 0, VerdictParameters())
    leaning, probabilities = weighed(SILENT, text, 0, VerdictParameters(lean=1.0))
    assert leaning.supports > plain.supports > leaning.refutes
    assert leaning.neither == pytest.approx(plain.neither)
    assert sum(probabilities.values()) == pytest.approx(1.0)
    silent, _ = weighed(SILENT, SILENT, 0, VerdictParameters(lean=1.0))
    assert silent.supports == silent.refutes == 0.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot be used"),
        ("[]", "no JSON object"),
        ('{"verdicts": {}}', "there is no part “verdicts”"),
        ('{"verdict": 1}', "there is no part “verdict” with values"),
        ('{"verdict": {"sure": 1}}', "verdict has no “sure”"),
        ('{"verdict": {"sufficient": 7}}', "verdict.sufficient: Input should be less than or equal to 1"),
        ('{"steering": {"max_searches": "many"}}', "steering.max_searches"),
        ('{"passages": {"decision": {"bias": 1}}}', "needs a weight for each of"),
        ('{"verdict": {"lean": NaN}}', "verdict.lean"),
        ('{"a": ' * 50_000, "cannot be used"),
    ],
)
def test_a_policy_that_cannot_be_used_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(NotConfigured, match=said) as refusal:
        read_embedded_policy(tmp_path)
    assert "\n" not in str(refusal.value)


def test_a_folder_without_one_is_refused_where_it_is_needed(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="its prompts are for a language model"):
        read_embedded_policy(tmp_path)
    assert read_embedded_policy(tmp_path, is_needed=False) == EmbeddedPolicy()
    with pytest.raises(NotConfigured, match="there is no policy folder"):
        read_embedded_policy(tmp_path / "nowhere", is_needed=False)
