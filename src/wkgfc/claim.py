"""A claim, and what a check can say of it."""

import datetime as dt
import re
import unicodedata
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from wkgfc.claim_language import language_of
from wkgfc.errors import BadInput

MAX_CLAIM_CHARACTERS = 2_000

_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}  # Unicode general categories that a reader does not see
_SPACE = re.compile(r"\s+")


class Veracity(StrEnum):
    """What a check says of a claim. An error is none of them: the veracity is then ``None``."""

    SUPPORTED = "Supported"
    REFUTED = "Refuted"
    NOT_ENOUGH_EVIDENCE = "Not Enough Evidence"
    CONFLICTING_EVIDENCE = "Conflicting Evidence"


class Claim(BaseModel):
    """One self-contained statement to check.

    ``date`` is the day on which the claim was made: "is" means at that day, and nothing published later is
    evidence. Without one, today is meant. ``language`` is an IETF tag such as ``en``.

    ``today`` is the day that a claim without a date means, where a recorded check is run again; it is no part of what
    a check returns.
    """

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)

    text: str = Field(min_length=1, max_length=MAX_CLAIM_CHARACTERS)
    date: dt.date | None = None
    speaker: str | None = None
    language: str = "en"
    today: dt.date | None = Field(default=None, exclude=True, repr=False)

    @property
    def reference_date(self) -> dt.date:
        """The day that "now" means in the claim."""
        return self.date or self.today or dt.datetime.now(dt.UTC).date()


class Checkability(BaseModel):
    """Whether a claim can be checked at all. ``kind`` is what it is instead; ``reason`` says why in a sentence."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)

    is_checkable: bool
    kind: Literal["claim", "opinion", "prediction", "question", "order", "fragment"] = "claim"
    reason: str = ""


def visible_text(text: str) -> str:
    """Text without the characters that a reader does not see: controls, right-to-left marks, zero-width signs.

    White space of every kind becomes a space or, where it ends a line, a line feed. What a terminal or a prompt shows
    goes through here, so that no text from outside steers either.
    """
    return "".join(
        character
        if unicodedata.category(character) not in _INVISIBLE
        else "\n"
        if character in "\n\r\x0b\x0c\x85"
        else " " * character.isspace()
        for character in text.replace("\r\n", "\n")
    )


def number_of_characters(text: str) -> int:
    """How many characters a text has once it is in NFC, where some become several: what ``read_claim`` bounds."""
    return len(unicodedata.normalize("NFC", text))


def read_claim(
    text: str, *, date: dt.date | None = None, speaker: str | None = None, language: str | None = None
) -> Claim:
    """A claim from text that someone typed or sent.

    Invisible characters (controls, right-to-left marks, zero-width signs) are taken out, white space is folded and
    the text is brought to Unicode's NFC, so that what is checked is what a reader sees. Without a ``language`` it is
    told from the words (``claim_language.py``).

    Raises:
        BadInput: nothing visible is left, or more than ``MAX_CLAIM_CHARACTERS`` characters are.
    """
    clean = _SPACE.sub(" ", visible_text(unicodedata.normalize("NFC", text))).strip()
    if not any(character.isalnum() for character in clean):
        raise BadInput("the claim is empty: give one sentence to check")
    if len(clean) > MAX_CLAIM_CHARACTERS:
        raise BadInput(
            f"the claim has {len(clean):,} characters, over {MAX_CLAIM_CHARACTERS:,}: give one statement, not a text"
        )
    return Claim(text=clean, date=date, speaker=speaker, language=language or language_of(clean))
