"""What stands right before a place in a text: a bounded look back, so that long texts are read in linear time."""

import re

REACH = 80  # characters: longer than any run of words that bounds a date or a number


def just_before(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    """The match of ``pattern``, which ends with ``$``, right before ``end``; its offsets are those of ``text``."""
    return pattern.search(text, max(0, end - REACH), end)
