"""The examples of ``docs/guardrails.md``, run as they stand there."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "guardrails.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_there_are_three() -> None:
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_works(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "langchain" in example:
        pytest.importorskip("langchain_core")

    exec(example, {})

    assert "error" not in capsys.readouterr().out
