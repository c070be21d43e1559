"""Markdown as plain text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.web.markdown import read_markdown

ARTICLE = """---
title: "The new bridge"
date: 2021-05-03
url: https://paper.example/bridge
tags: [roads]
---
# The *new* bridge

The bridge, built by [Smith & Co.](https://smith.example/a_(b) "the firm"), **opened** on `3 May`.
It is __320 m__ long; snake_case_names and 2 * 3 * 4 stay.

![A photograph](bridge.jpg)

> The mayor said it was _late_.

* first
* second

| Year | Cars |
|------|-----:|
| 2021 | 40   |

```python
print("kept")
```

[smith]: https://smith.example
"""


def test_markup_goes_and_words_stay() -> None:
    text = read_markdown(ARTICLE).text
    assert text.startswith("The new bridge\n\nThe bridge, built by Smith & Co., opened on 3 May.\nIt is 320 m long;")
    assert "snake_case_names and 2 * 3 * 4 stay." in text
    assert "The mayor said it was late." in text
    assert "A photograph" in text
    assert "| 2021 | 40   |" in text
    assert 'print("kept")' in text
    for markup in ("**", "__", "```", "](", "---", "smith.example", "tags"):
        assert markup not in text


def test_the_front_matter_names_title_date_and_address() -> None:
    page = read_markdown(ARTICLE)
    assert (page.title, page.date, page.url) == ("The new bridge", "2021-05-03", "https://paper.example/bridge")


@pytest.mark.parametrize(
    "source", ["# A fine day #\n\nIt rained.", "A fine day\n==========\n\nIt rained.", "## A fine day\nIt rained."]
)
def test_the_title_is_the_first_heading_where_none_is_given(source: str) -> None:
    page = read_markdown(source)
    assert page.title == "A fine day"
    assert page.text.split() == ["A", "fine", "day", "It", "rained."]


def test_text_without_markup_is_kept_as_it_is() -> None:
    assert read_markdown("It rained.\n\nThen it stopped.").text == "It rained.\n\nThen it stopped."
    assert read_markdown("It rained.").title is None


@given(st.text(max_size=400))
def test_any_text_is_read(source: str) -> None:
    assert isinstance(read_markdown(source).text, str)


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "piece", ["[", "![", "[a](", "*", "_a ", "`", "<!--", "<a ", "> ", "#", "|--", "---\n", "\n", "\\", "**a", "a\n"]
)
def test_a_long_odd_text_is_read_at_once(piece: str) -> None:
    assert isinstance(read_markdown(piece * (100_000 // len(piece))).text, str)
