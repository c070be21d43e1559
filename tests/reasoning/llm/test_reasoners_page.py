"""The page on reasoners says what is there: vendors with their keys, prompts with their fields, numbers."""

import re
from pathlib import Path

from wkgfc.config import Settings
from wkgfc.reasoning.llm.confidence import load_confidence_parameters
from wkgfc.reasoning.llm.hybrid import GROUPS, JUDGEMENT_NAMES
from wkgfc.reasoning.llm.models import CHOICES, VENDORS
from wkgfc.reasoning.llm.policy import JUDGEMENTS, read_policy

PAGE = (Path(__file__).parents[3] / "docs" / "reasoners.md").read_text(encoding="utf-8")


def test_every_vendor_is_there_with_what_it_needs() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    for name in CHOICES:
        row = next(line for line in rows if f"`{name}:" in line)
        for needed in VENDORS[name].needs if name in VENDORS else ():
            assert needed.upper() in row or f"`{needed}`" in row, (name, needed)


def test_every_judgement_can_be_given_to_another() -> None:
    for name in (*JUDGEMENT_NAMES, *GROUPS):
        assert f"`{name}`" in PAGE


def test_every_prompt_is_there_with_its_fields() -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines() if line.count("|") == 4]
    table = {name: row[1:] for row in rows for name in re.findall(r"`(\w+)\.md`", row[0])}
    assert table == {
        name: [", ".join(sorted(fields.needed)), ", ".join(sorted(fields.others))]
        for name, fields in JUDGEMENTS.items()
    }


def test_settings_and_numbers_are_those_of_the_code() -> None:
    named = set(re.findall(r"`((?:llm|second)_\w+)`", PAGE)) | {"attributions", "second_opinion"}
    assert named <= set(Settings.model_fields)
    parameters = load_confidence_parameters()
    for number in (parameters.anchor, parameters.page, parameters.judge, parameters.silent):
        assert f"{number}" in PAGE
    lengths = [len(prompt.instructions) / 4 for prompt in read_policy().prompts.values()]
    assert min(lengths) > 170
    assert max(lengths) < 330
