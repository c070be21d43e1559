"""The policy of an LLM reasoner: a folder of prompts, one file a judgement (paper, section 4.4).

A file begins with the fields that it takes, and has two parts::

    ---
    fields: claim, relations, limit
    ---
    # Instructions
    What is the same for every claim. It comes first, so that a provider can keep it (prompt caching).
    # Question
    {claim}
    {relations}
    Choose at most {limit}.

A field is written ``{name}``; every other brace is text. A value stands between two borders with a code that is in no
value of the prompt, so that no text from outside can end its own field and begin another.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from wkgfc.errors import NotConfigured
from wkgfc.reasoning.embedded.policy import FILE as OF_EMBEDDED_REASONER
from wkgfc.reasoning.llm.calibration import FILE as CALIBRATION

SUFFIX = ".md"
MAX_PROMPT_CHARACTERS = 20_000  # of one file: more is no prompt
CODE_DIGITS = 6  # of the code in a border


@dataclass(frozen=True)
class Fields:
    """The fields that a judgement has for its prompt: those that must be in it, and those that may be."""

    needed: frozenset[str]
    others: frozenset[str] = frozenset()


def _fields(needed: str, others: str = "") -> Fields:
    return Fields(frozenset(needed.split()), frozenset(others.split()))


JUDGEMENTS: Mapping[str, Fields] = {
    "screen": _fields("claim"),
    "relations": _fields("claim relations", "limit evidence"),
    "entities": _fields("claim triples entities", "limit evidence"),
    "decide": _fields("claim evidence", "history actions"),
    "argue": _fields("claim evidence side", "history"),
    "grade": _fields("claim passages"),
    "extract": _fields("claim passage entities relations"),
    "judge": _fields("claim statements evidence", "history"),
    "forced": _fields("claim statements evidence", "history"),
}
PLAIN = frozenset({"limit", "actions", "side"})  # our own words, not text from outside: they need no border

OF_DOCUMENTS = frozenset({"claims"})  # prompts of a policy's folder that ``wkgfc.documents`` reads, and no reasoner

_HEAD = re.compile(r"\A---\n(?P<head>.*?)\n---\n", re.DOTALL)
_PARTS = re.compile(r"\A\s*#+ Instructions\s*\n(?P<instructions>.*?)\n#+ Question\s*\n(?P<question>.*)\Z", re.DOTALL)
_FIELD = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True)
class Prompt:
    """A prompt that was read: ``instructions`` have no fields, ``question`` has them all."""

    judgement: str
    instructions: str
    question: str

    @property
    def fields(self) -> frozenset[str]:
        """The fields that it takes."""
        return frozenset(_FIELD.findall(self.question))

    def filled(self, values: Mapping[str, str]) -> str:
        """The question with its values, each between borders that it cannot forge.

        The code of the borders comes from the values, so that the same question is the same text in every run; it is
        one that stands in no value.
        """
        code = _code_outside(values.values())

        def value_of(field: re.Match[str]) -> str:
            name = field.group(1)
            text = values[name]
            return text if name in PLAIN else f"<{name} {code}>\n{text}\n</{name} {code}>"

        return _FIELD.sub(value_of, self.question)


@dataclass(frozen=True)
class Policy:
    """All prompts of a reasoner. ``version`` changes when any of them does."""

    prompts: Mapping[str, Prompt]
    version: str

    def __getitem__(self, judgement: str) -> Prompt:
        return self.prompts[judgement]


def read_policy(folder: Path | None = None) -> Policy:
    """The prompts in ``folder``, and the built-in one for each that is not there.

    Raises:
        NotConfigured: there is no such folder, a file in it is the prompt of no judgement, or a prompt cannot be used;
            the text names the file and says what is wrong.
    """
    texts = dict(_built_in())
    if folder is not None:
        texts |= _texts_in(folder)
    return _policy_of(texts)


def policy_with(prompts: Mapping[str, str]) -> Policy:
    """The built-in prompts with these texts in place of some.

    Raises:
        NotConfigured: one cannot be used.
    """
    return _policy_of({**_built_in(), **{name: (text, f"the prompt {name}") for name, text in prompts.items()}})


def _policy_of(texts: Mapping[str, tuple[str, str]]) -> Policy:
    prompts = {name: parse_prompt(name, text, where, JUDGEMENTS[name]) for name, (text, where) in texts.items()}
    digest = hashlib.sha256()
    for name in sorted(texts):
        digest.update(f"{name}\0{texts[name][0]}\0".encode())
    return Policy(prompts, f"llm-{digest.hexdigest()[:12]}")


@lru_cache(maxsize=1)
def _built_in() -> Mapping[str, tuple[str, str]]:
    folder = files(__package__) / "prompts"
    return {
        name: (folder.joinpath(name + SUFFIX).read_text(encoding="utf-8"), f"the built-in prompt {name}{SUFFIX}")
        for name in JUDGEMENTS
    }


def _texts_in(folder: Path) -> dict[str, tuple[str, str]]:
    if not folder.is_dir():
        raise NotConfigured(f"there is no policy folder {folder}: give a folder of prompts, or leave --policy out")
    files_there = sorted(folder.glob("*" + SUFFIX))
    found: dict[str, tuple[str, str]] = {}
    for file in files_there:
        if file.stem in OF_DOCUMENTS:
            continue
        if file.stem not in JUDGEMENTS:
            raise NotConfigured(
                f"{file} is the prompt of no judgement: choose of {_listed({*JUDGEMENTS, *OF_DOCUMENTS})}"
            )
        found[file.stem] = (prompt_text(file), str(file))
    if not files_there and not any((folder / name).is_file() for name in (OF_EMBEDDED_REASONER, CALIBRATION)):
        raise NotConfigured(f"the policy folder {folder} has no prompt: they are files such as judge{SUFFIX}")
    return found


def prompt_text(file: Path) -> str:
    """What is in a file of a prompt.

    Raises:
        NotConfigured: it cannot be read, or is too long.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotConfigured(f"the prompt {file} cannot be read: {error}") from error
    if len(text) > MAX_PROMPT_CHARACTERS:
        raise NotConfigured(f"the prompt {file} has more than {MAX_PROMPT_CHARACTERS:,} characters")
    return text.replace("\r\n", "\n")


def parse_prompt(name: str, text: str, where: str, offered: Fields) -> Prompt:
    """The prompt of a text, which ``where`` names in errors.

    Raises:
        NotConfigured: it cannot be used with the fields that are ``offered``; the text says why.
    """
    head = _HEAD.match(text)
    said = dict(line.partition(":")[::2] for line in head.group("head").splitlines()) if head else {}
    if head is None or "fields" not in said:
        raise NotConfigured(f"{where} does not begin with its fields: ---, fields: claim, …, ---")
    parts = _PARTS.match(text[head.end() :])
    if parts is None:
        raise NotConfigured(f"{where} needs two parts: # Instructions, then # Question")
    prompt = Prompt(name, parts.group("instructions").strip(), parts.group("question").strip())
    listed = {field.strip() for field in said["fields"].split(",")} - {""}
    known = offered.needed | offered.others
    complaints = {
        "has fields that this judgement does not offer": (listed | prompt.fields) - known,
        "lacks fields that this judgement needs": offered.needed - prompt.fields,
        "uses fields that it does not list": prompt.fields - listed,
        "lists fields that it does not use": listed - prompt.fields,
        "has fields in its instructions, which are the same for every claim": set(_FIELD.findall(prompt.instructions))
        & known,
    }
    for complaint, names in complaints.items():
        if names:
            raise NotConfigured(f"{where} {complaint}: {_listed(names)} (offered: {_listed(known)})")
    return prompt


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _code_outside(values: Iterable[str]) -> str:
    """A short code that stands in none of the values."""
    text = "\0".join(values)
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    folded = text.lower()
    while digest[:CODE_DIGITS] in folded:
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return digest[:CODE_DIGITS]
