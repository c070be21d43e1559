"""``wkgfc policy``: what was learned, where it came from, and which policy is used."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wkgfc.errors import BadInput

if TYPE_CHECKING:
    from rich.table import Table

    from wkgfc.optimize.policies import Policy

BUILT_IN = "built-in"
FOLDER = "policies"  # in the data folder: where 'list' looks beside the folder that one is in

app = typer.Typer(help="The learned policies: which is used, where each came from, its figures.", no_args_is_help=True)


@app.command("list")
def list_(
    places: Annotated[
        list[Path] | None,
        typer.Argument(help=f"FOLDERS to look in. Default: this one, and '{FOLDER}' in data_dir."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a policy.")] = False,
) -> None:
    """List the policies at hand, the one that is used first.

    Example:

        wkgfc policy list
    """
    import json

    from wkgfc.config import load_settings
    from wkgfc.optimize.policies import policies_in

    settings = load_settings()
    active = _active()
    found = [active, _read(BUILT_IN)] if active.folder else [active]
    known = {each.folder.resolve() for each in found if each.folder}
    for each in policies_in(places or (Path(), settings.data_dir / FOLDER)):
        if each.folder and each.folder.resolve() not in known:
            found.append(each)
    if as_json:
        for each in found:
            print(json.dumps(_as_json(each, is_active=each is active), ensure_ascii=False))
        return
    table = _table("used", "policy", "for", "made", "from", "reward")
    for each in found:
        made = f"{each.origin.made_at:%Y-%m-%d} by {each.origin.optimizer}" if each.origin else ""
        learned_from = f"{each.origin.parent}; {_claims(each)}" if each.origin else ""
        _row(table, "yes" if each is active else "", each.name, each.problem or ", ".join(each.kinds), made,
             learned_from, _reward(each))  # fmt: skip
    _print(table)


@app.command()
def show(
    policy: Annotated[
        str | None, typer.Argument(help="FOLDER of a policy, or built-in. Default: the one in use.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show a policy: where it came from, its figures, and what it changes.

    Example:

        wkgfc policy show learned
    """
    import json

    from wkgfc.config import config_file, origin
    from wkgfc.optimize.policies import difference

    active = _active()
    found = active if policy is None else _read(policy)
    is_active = (found.folder and found.folder.resolve()) == (active.folder and active.folder.resolve())
    if as_json:
        print(json.dumps(_as_json(found, is_active=is_active), ensure_ascii=False, indent=1))
        return
    where = {"file": f"by {config_file()}", "environment": "by WKGFC_POLICY"}.get(
        origin("policy"), "as nothing else is set"
    )
    _say(f"{found.name}: {', '.join(found.kinds) or 'nothing that can be used'}")
    _say(f"used {where}" if is_active else "not used")
    if found.problem:
        _say(f"it cannot be used: {found.problem}")
    if found.was_changed:
        _say("it was changed since it was learned: the figures are of what it was")
    if (made := found.origin) is not None:
        _say(f"made {made.made_at:%Y-%m-%d %H:%M} UTC by {made.optimizer}, from {made.parent}")
        _say(f"learned from {_claims(found)}, seed {made.seed}")
        _say("reward " + (_reward(found) or "not measured"))
        _figures(made.more)
        _candidates(made.more)
    elif found.folder:
        _say("nothing says where it came from")
    if (fitted := found.calibration) is not None:
        _say(f"calibrated for {fitted.reasoner}, votes {fitted.votes}: temperature {fitted.temperature:g}, "
             f"from {fitted.claims} claims")  # fmt: skip
    if found.problem is None and found.folder:
        _show_difference(difference(_read(BUILT_IN), found).parameters, {}, "as it ships", "here")
        if found.prompts:
            _say(f"prompts: {', '.join(found.prompts)} ('wkgfc policy diff {found.name}' shows what was changed)")


@app.command()
def diff(
    first: Annotated[str, typer.Argument(help="FOLDER of a policy, or built-in.")],
    second: Annotated[str | None, typer.Argument(help="Another. Default: the first beside the one that ships.")] = None,
) -> None:
    """Show what one policy has otherwise than another: parameters, and prompts line by line.

    Example:

        wkgfc policy diff learned
    """
    from wkgfc.optimize.policies import difference

    before, after = (BUILT_IN, first) if second is None else (first, second)
    found = difference(_read(before), _read(after))
    _show_difference(found.parameters, found.prompts, before, after)
    if not found.parameters and not found.prompts:
        print("no difference")


@app.command()
def use(
    policy: Annotated[str, typer.Argument(help="FOLDER of a policy, or built-in.")],
) -> None:
    """Use a policy from now on: it is written into the settings file. '--policy' of a command goes before it.

    Example:

        wkgfc policy use learned
    """
    from wkgfc.config import load_settings, origin
    from wkgfc.optimize.choosing import choose
    from wkgfc.reasoning.llm.hybrid import EMBEDDED, read_choice

    found = _read(policy)
    if found.problem is not None:
        raise BadInput(found.problem)
    file = choose(found.folder)
    _say(f"used from now on: {found.name if found.folder is None else found.folder.absolute()} (in {file})")
    if origin("policy") == "environment":
        _say("but WKGFC_POLICY is set, which goes before it: take it out of the environment")
    settings = load_settings()
    choice = read_choice(settings.reasoner)
    lacking = [kind for kind, is_needed in (("embedded", not choice.has_model), ("prompts", choice.main != EMBEDDED))
               if is_needed and kind not in found.kinds]  # fmt: skip
    if lacking:
        _say(
            f"the reasoner that is set ({settings.reasoner}) cannot use it, as it has none for {lacking[0]}: choose "
            "another with the setting reasoner, or with --reasoner"
        )


def _active() -> "Policy":
    """The policy that is used where no flag says otherwise."""
    from wkgfc.config import load_settings
    from wkgfc.optimize.policies import Policy, built_in, is_policy, read_policy_folder

    folder = load_settings().policy
    if folder is None:
        return built_in()
    if not is_policy(folder):
        return Policy(folder, problem=f"there is no policy in {folder}: 'wkgfc policy use' chooses another")
    return read_policy_folder(folder)


def _read(name: str) -> "Policy":
    from wkgfc.optimize.policies import built_in, read_policy_folder

    return built_in() if name == BUILT_IN else read_policy_folder(Path(name))


def _claims(policy: "Policy") -> str:
    """How many claims of what a policy was learned from."""
    if policy.origin is None:
        return ""
    sets = policy.origin.more.get("sets")
    of = f" of {', '.join(map(str, sets))}" if isinstance(sets, list) and sets else ""
    return ", ".join(f"{number:,} {name}" for name, number in policy.origin.claims.items()) + of


def _reward(policy: "Policy") -> str:
    if policy.origin is None or (measured := policy.origin.validation) is None:
        return ""
    before = f"{measured.before:.4f} → " if measured.before is not None else ""
    return f"{before}{measured.reward:.4f} ({measured.low:.4f} to {measured.high:.4f}) on {measured.n} claims"


def _as_json(policy: "Policy", *, is_active: bool) -> dict[str, Any]:
    parameters = policy.parameters.changes() if policy.parameters else None
    return {
        "policy": policy.name,
        "is_used": is_active,
        "kinds": policy.kinds,
        "problem": policy.problem,
        "was_changed": policy.was_changed,
        "parameters": parameters,
        "prompts": policy.prompts,
        "origin": policy.origin.model_dump(mode="json") if policy.origin else None,
        "calibration": policy.calibration.model_dump(mode="json") if policy.calibration else None,
    }


def _figures(more: dict[str, Any]) -> None:
    """Before and after on each part of the claims, of a policy of parameters."""
    figures = more.get("figures")
    if not isinstance(figures, dict):
        return
    table = _table("claims", "n", "figure", "before", "after", "difference (95 %)")
    for part, values in figures.items():
        if not isinstance(values, dict):
            continue
        for name, figure in values.items():
            if isinstance(figure, dict) and all(isinstance(value, float) for value in figure.values()):
                difference = "{difference:+.3f} ({low:+.3f} to {high:+.3f})".format_map(figure)
                _row(table, part, str(values.get("n", "")), name, f"{figure['before']:.3f}", f"{figure['after']:.3f}",
                     difference)  # fmt: skip
    _print(table)


def _candidates(more: dict[str, Any]) -> None:
    """The candidates of a run over prompts, each with its parent and its reward or why it was rejected."""
    from pydantic import ValidationError

    from wkgfc.optimize.prompts import Candidate

    table = _table("candidate", "from", "prompt", "for", "reward")
    try:
        for each in map(Candidate.model_validate, more.get("candidates") or ()):
            reward = "" if each.reward is None else f"{each.reward:.4f} ({each.low:.4f} to {each.high:.4f})"
            best = " (best)" if each.number == more.get("best") else ""
            _row(table, f"{each.number}{best}", "" if each.parent is None else str(each.parent), each.judgement or "",
                 each.kind or "", each.rejected or reward)  # fmt: skip
    except (ValidationError, TypeError):
        return
    if table.row_count:
        _print(table)


def _show_difference(parameters: dict[str, tuple[Any, Any]], prompts: dict[str, str], before: str, after: str) -> None:
    import json

    if parameters:
        table = _table("parameter", before, after)
        for name, values in parameters.items():
            _row(table, name, *(json.dumps(value) for value in values))
        _print(table)
    for name, text in prompts.items():
        _say(f"{name}:")
        for line in text.splitlines():
            _say(line)


def _table(*columns: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _row(table: "Table", *cells: str) -> None:
    """A row of words from files: nothing in them moves the cursor or colours the screen."""
    from rich.text import Text

    from wkgfc.claim import visible_text

    table.add_row(*(Text(visible_text(cell)) for cell in cells))


def _print(table: "Table") -> None:
    from rich.console import Console

    Console(highlight=False).print(table)


def _say(line: str) -> None:
    from wkgfc.claim import visible_text

    print(visible_text(line))
