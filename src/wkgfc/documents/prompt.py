"""The prompt by which a language model finds the claims of a text: ``claims.md``, of a policy's folder or built in."""

from importlib.resources import files
from pathlib import Path

from wkgfc.reasoning.llm.policy import SUFFIX, Fields, Prompt, parse_prompt, prompt_text

NAME = "claims"
FIELDS = Fields(needed=frozenset({"sentences"}), others=frozenset({"context"}))


def claims_prompt(policy: Path | None = None) -> Prompt:
    """The prompt in the folder ``policy``, or the built-in one where none is there.

    Raises:
        NotConfigured: it cannot be used; the text says why.
    """
    if policy is not None and (own := policy / (NAME + SUFFIX)).is_file():
        return parse_prompt(NAME, prompt_text(own), str(own), FIELDS)
    built_in = files(__package__).joinpath("prompts", NAME + SUFFIX).read_text(encoding="utf-8")
    return parse_prompt(NAME, built_in, f"the built-in prompt {NAME}{SUFFIX}", FIELDS)
