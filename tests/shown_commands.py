"""The commands and the Python that pages show, and what the command line makes of them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typer.main import get_command

from wkgfc.cli.main import app

ROOT = Path(__file__).parents[1]
PAGES = {
    str(page.relative_to(ROOT)): page.read_text(encoding="utf-8")
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
}

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(wkgfc [a-z][^`]*)`")
_PROGRAM = re.compile(r"\bpython (?:(benchmarks/\w+\.py)|-m ((?:training|tests)[\w.]*))((?: [^`\n]*)?)")
_BEFORE = re.compile(r"[A-Z_]+=.*|opentelemetry-instrument|time")  # what may stand before a command
_ENDS = {"&&", "||", "|", ";"}


@dataclass(frozen=True)
class Shown:
    """A command: its words after ``wkgfc``, what is set for it, and the file that its output goes to."""

    words: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    into: str | None = None

    def __str__(self) -> str:
        return shlex.join(("wkgfc", *self.words))


def commands(page: str) -> Iterator[Shown]:
    """The commands of a page's blocks, in order, with what the blocks before have exported."""
    exported: dict[str, str] = {}
    for line in _lines(page):
        try:
            lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;<>")
            lexer.whitespace_split = True
            words = list(lexer)
        except ValueError:  # a quotation mark that stands alone: no command line
            continue
        for part in _parts(words):
            if part[0] == "export":
                exported |= dict(word.split("=", 1) for word in part[1:] if "=" in word)
            set_here = dict(word.split("=", 1) for word in part if re.match(r"[A-Z_]+=", word))
            rest = part
            while rest and _BEFORE.fullmatch(rest[0]):
                rest = rest[1:]
            if len(rest) > 1 and rest[0] == "wkgfc":
                into = rest[rest.index(">") + 1] if ">" in rest else None
                taken = rest[1 : rest.index(">")] if ">" in rest else rest[1:]
                yield Shown(tuple(taken), {**exported, **set_here}, into)


def inline_commands(page: str) -> list[list[str]]:
    """The commands that stand in a page's sentences: often cut, with a word in capitals for what a reader fills in."""
    return [shlex.split(found.replace("\n", " "))[1:] for found in _INLINE.findall(_FENCED.sub("", page))]


def programs(page: str) -> Iterator[tuple[Path, list[str]]]:
    """The programs beside the package that a page runs, ``benchmarks/`` among them, each with its words."""
    for script, module, rest in _PROGRAM.findall(page.replace("\\\n", " ")):
        path = ROOT / (script or module.replace(".", "/"))
        path = path / "__main__.py" if path.is_dir() else path.with_suffix(".py")
        yield path, shlex.split(rest, comments=True)


def taken(program: Path) -> dict[str, bool]:
    """The options that a program takes, each with whether it must be given; one with steps asks none of all of them."""
    source = program.read_text(encoding="utf-8")
    has_steps = "add_subparsers" in source
    return {
        option: "required=True" in rest and not has_steps
        for option, rest in re.findall(r'add_argument\(\s*"(--[\w-]+)"([^)]*)', source)
    }


def shown_answers(page: str) -> list[tuple[Shown, str]]:
    """The answers of checks that a page shows, each with its command: in the block itself, or the last one before."""
    found = []
    for block in _FENCED.finditer(page):
        if "Conclude:" in block[2]:
            *_, command = commands(page[: block.start()] + block[2].partition("1. ")[0].replace("$ ", "\n    "))
            found.append((command, block[2][block[2].index("1. ") :]))
    return found


def python_blocks(page: str) -> list[str]:
    """The Python of a page."""
    return [block for language, block in _FENCED.findall(page) if language == "python"]


def parsed(words: tuple[str, ...]) -> str:
    """The name of the command, once the command line has read all its words, as it does before it runs.

    Raises:
        click's own errors: there is no such command, or it does not take these words.
    """
    command: Any = get_command(app)
    context: Any = None
    name, rest = "wkgfc", list(words)
    while True:
        context = command.make_context(name, rest, parent=context)
        rest = [*context._protected_args, *context.args]
        if not hasattr(command, "resolve_command") or not rest:
            return str(context.command_path)
        name, command, rest = command.resolve_command(context, rest)


def commands_of_the_program() -> list[str]:
    """The names of all commands."""
    program: Any = get_command(app)
    return list(program.commands)


def named(words: list[str]) -> str:
    """The name of the command that words begin with; its options must exist, and nothing else is asked of them.

    Raises:
        LookupError: there is no such command, or it has no such option.
    """
    command: Any = get_command(app)
    path: list[str] = []
    rest = list(words)
    while rest and hasattr(command, "commands") and rest[0] in command.commands:
        command = command.commands[rest[0]]
        path.append(rest.pop(0))
    if not path:
        raise LookupError(f"there is no command {words[0]}")
    known = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h"}
    for word in rest:
        if word.startswith("--") and word.partition("=")[0] not in known:
            raise LookupError(f"wkgfc {' '.join(path)} has no {word}")
    return " ".join(path)


def _lines(page: str) -> Iterator[str]:
    """The lines of a page that could be commands: of blocks without a language or of a shell, and indented ones."""
    blocks = [block for language, block in _FENCED.findall(page) if language in ("", "sh", "bash", "console")]
    indented = re.findall(r"^ {4}( *\S.*)$", _FENCED.sub("", page), re.MULTILINE)
    text = "\n".join([*indented, *blocks]).replace("\\\n", " ")
    for line in text.splitlines():
        if "wkgfc " in line or line.startswith("export "):
            yield line.removeprefix("$ ").strip()


def _parts(words: list[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for word in [*words, ";"]:
        if word in _ENDS:
            if part:
                yield part
            part = []
        else:
            part.append(word)
