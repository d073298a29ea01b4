"""Writes `openapi.json`, `docs/reference/` and the clients from the code, or checks that they are up to date.

python -m sightline.reference [--check] [--root DIR]
"""

import argparse
import ast
import itertools
import json
import runpy
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from sightline.api.endpoints import ALIAS_PATH, BASE_PATH, ENDPOINTS, PUBLIC_ENDPOINTS
from sightline.api.errors import RETRYABLE, STATUSES
from sightline.api.openapi import API_VERSION, openapi_bytes
from sightline.api.openapi_errors import COMMON_ERRORS, errors_of
from sightline.api.paging import DEFAULT_PER_PAGE, MOST_PER_PAGE
from sightline.api.validation import FIELD_MEANINGS
from sightline.cli import exits
from sightline.cli.commands import app
from sightline.domain.bands import EMPLOYEE_BANDS, REVENUE_BANDS
from sightline.domain.credits import CREDITS, DEFAULT_PRICES
from sightline.domain.errors import REFUSALS
from sightline.domain.industries import industries
from sightline.domain.plans import RATE_LIMITS, WINDOW_SECONDS
from sightline.domain.scopes import SCOPES, grantable_scopes
from sightline.reference_coverage import CoverageIsIncomplete, coverage_page, is_there
from sightline.settings import Settings

FOLDER = Path("docs") / "reference"
NOTE = "<!-- Made by `python -m sightline.reference`; do not edit. -->"
COVERAGE = ("coverage", "Coverage of the reference")
# Defaults that depend on the machine, in words; a page must read the same everywhere.
DEFAULTS_IN_WORDS = {
    "data_dir": "`$XDG_DATA_HOME/sightline`, or else `~/.local/share/sightline`",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check; the exit code is 1 when a check finds differences."""
    parser = argparse.ArgumentParser(prog="python -m sightline.reference", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on differences")
    parser.add_argument("--root", type=Path, default=Path(), help="root of the source tree")
    options = parser.parse_args(arguments)
    if not (options.root / "pyproject.toml").is_file():
        print(f"{options.root.resolve()} has no pyproject.toml; give --root.", file=sys.stderr)
        return 2
    try:
        different = differences(options.root)
    except CoverageIsIncomplete as error:
        print("\n".join(error.problems), file=sys.stderr)
        return 1
    if not options.check:
        write(options.root)
        print(f"{len(different)} files changed." if different else "Nothing changed.")
        return 0
    for name in different:
        print(f"{name} differs from the code; run `make docs`.", file=sys.stderr)
    return 1 if different else 0


def differences(root: Path) -> list[str]:
    """Names of the files under `root` that are missing, different or no longer made."""
    wanted = files(root)
    changed = [
        name
        for name, content in wanted.items()
        if not (root / name).is_file() or (root / name).read_bytes() != content
    ]
    return changed + [str(path.relative_to(root)) for path in _stale(root, wanted)]


def write(root: Path) -> None:
    """Write every file again, and remove pages of the folder that are no longer made."""
    wanted = files(root)
    for path in _stale(root, wanted):
        path.unlink()
    for name, content in wanted.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def files(root: Path) -> dict[str, bytes]:
    """Every generated file by its path below `root`, whose pyproject.toml gives the version."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    found = {"openapi.json": openapi_bytes(project["version"])}
    if (generator := root / "clients" / "generate").is_dir():
        found |= runpy.run_path(str(generator))["files"](json.loads(found["openapi.json"]))
    for name, (title, page) in PAGES.items():
        text = f"# {title}\n\n{NOTE}\n\n{page()}".rstrip()
        found[str(FOLDER / f"{name}.md")] = f"{text}\n".encode()
    if is_there(root):
        text = f"# {COVERAGE[1]}\n\n{NOTE}\n\n{coverage_page(root)}\n"
        found[str(FOLDER / f"{COVERAGE[0]}.md")] = text.encode()
    titles = [(name, title) for name, (title, _) in PAGES.items()]
    index = "\n".join(f"- [{title}]({name}.md)" for name, title in [*titles, COVERAGE])
    readme = f"# Reference\n\n{NOTE}\n\nMade from the code, and checked against it.\n\n{index}\n"
    found[str(FOLDER / "README.md")] = readme.encode()
    return found


def _stale(root: Path, wanted: dict[str, bytes]) -> list[Path]:
    names = {Path(name) for name in wanted}
    if not is_there(root):  # a copy of the docs without the tests keeps what was made of them
        names.add(FOLDER / f"{COVERAGE[0]}.md")
    pages = sorted((root / FOLDER).glob("*.md"))
    return [path for path in pages if path.relative_to(root) not in names]


def settings_page(model: type[BaseSettings] = Settings) -> str:
    """Every setting of `model`."""
    properties = model.model_json_schema()["properties"]
    prefix = model.model_config.get("env_prefix", "")
    rows = [
        (
            f"`{name}`",
            f"`{prefix}{name.upper()}`",
            _setting_default(name, field),
            _values(properties[name]),
            field.description or "",
        )
        for name, field in model.model_fields.items()
    ]
    return (
        "The command line wins over the environment, the environment over the configuration file, "
        "and the file over the defaults. The file is TOML: the one that `SIGHTLINE_CONFIG` names, "
        "or else `<data_dir>/sightline.toml`. Unknown names in the file are refused.\n\n"
        + table(("setting, and key in the file", "variable", "default", "values", "meaning"), rows)
    )


def _setting_default(name: str, field: FieldInfo) -> str:
    if name in DEFAULTS_IN_WORDS:
        return DEFAULTS_IN_WORDS[name]
    if field.default_factory is not None:
        raise ValueError(f"Put the default of the setting {name} into DEFAULTS_IN_WORDS.")
    if field.default is None:
        return "none"
    default = str(field.default).lower() if isinstance(field.default, bool) else field.default
    return f"`{default}`"


def _values(schema: dict[str, Any]) -> str:
    kinds = [kind for kind in schema.get("anyOf", [schema]) if kind.get("type") != "null"]
    kind = {**schema, **kinds[0]}
    if "enum" in kind:
        return ", ".join(f"`{value}`" for value in kind["enum"])
    words = {"string": "text", "boolean": "`true` or `false`", "integer": "whole number"}
    text = "folder" if kind.get("format") == "path" else words.get(kind["type"], kind["type"])
    low, high = kind.get("minimum"), kind.get("maximum")
    above = kind.get("exclusiveMinimum")
    if above is not None:
        text += f" above {above:g}"
    if low is not None:
        text += f" from {low}"
    if high is not None:
        text += f", at most {high:g}" if low is None else f" to {high}"
    return text


def errors_page() -> str:
    rows = [
        (
            f"`{kind.code}`",
            str(STATUSES[kind.type]),
            f"`{kind.type}`",
            "yes" if kind.type in RETRYABLE else "no",
            kind().message,
        )
        for kind in REFUSALS
    ]
    faults = [(f"`{code}`", meaning) for code, meaning in FIELD_MEANINGS.items()]
    return (
        "`retryable` says whether the same request may succeed later.\n\n"
        + table(("code", "status", "type", "retryable", "meaning"), rows)
        + "\n\n## Field codes\n\n`details.fields` of a validation error names every fault of the "
        "request by one of these, or by the error's own code where one field is at fault.\n\n"
        + table(("code", "meaning"), faults)
    )


def scopes_page() -> str:
    needed: dict[str, list[str]] = {}
    for endpoint in ENDPOINTS:
        for scope in endpoint.scopes:
            needed.setdefault(scope, []).append(f"`{endpoint.method} {endpoint.path}`")
    rows = [
        (f"`{scope}`", meaning, ", ".join(needed.get(scope, [])))
        for scope, meaning in SCOPES.items()
    ]
    areas = ", ".join(f"`{scope}`" for scope in grantable_scopes() if scope.endswith(":*"))
    return (
        table(("scope", "grants", "operations"), rows)
        + f"\n\nEach of these grants all scopes of its area: {areas}."
    )


def credits_page() -> str:
    rows = [
        (f"`{name}`", f"{price.amount}", f"`{price.credit}`")
        for name, price in DEFAULT_PRICES.items()
    ]
    kinds = ", ".join(f"`{credit}`" for credit in CREDITS)
    return (
        f"Kinds of credit: {kinds}. What is not listed costs nothing; neither do failures and "
        "requests that find nothing.\n\n" + table(("operation", "amount", "credit"), rows)
    )


def api_page() -> str:
    rows = [
        (
            f"`{row.method} {row.path}`",
            row.summary,
            " or ".join(f"`{scope}`" for scope in row.scopes),
            row.maturity,
            ", ".join(f"`{kind.code}`" for kind in errors_of(row) if kind not in COMMON_ERRORS),
        )
        for row in ENDPOINTS
    ]
    rows += [
        (f"`{row.method} {row.path}`", row.summary, "no key", row.maturity, "")
        for row in PUBLIC_ENDPOINTS
    ]
    common = ", ".join(f"`{kind.code}`" for kind in COMMON_ERRORS)
    plans = [(f"`{plan}`", f"{limit:,}") for plan, limit in RATE_LIMITS.items()]
    return (
        f"Interface {API_VERSION}. Paths stand under `{BASE_PATH}`, and also under `{ALIAS_PATH}`. "
        "A running server explains each operation at `/docs`; `/openapi.json` is the same for "
        "programs.\n\n"
        + table(("operation", "what it does", "scope", "maturity", "further errors"), rows)
        + f"\n\nErrors that every operation with a key may answer: {common}."
        + f"\n\nLists answer {DEFAULT_PER_PAGE} items a page, and {MOST_PER_PAGE} at most."
        + f"\n\n## Rate limits\n\nRequests of one key in {WINDOW_SECONDS} seconds, by plan.\n\n"
        + table(("plan", "requests"), plans)
    )


def cli_page(command: Any = None) -> str:
    """Every command of the program, or of another Click `command`."""
    program = command or typer.main.get_command(app)
    parts = [f"{program.help} Each command ends with one of these [exit codes](exit-codes.md)."]
    for words, found in _commands(program, "sightline"):
        parts.append(f"## {words}\n\n{_plain(found.help)}")
        rows = [_parameter(parameter) for parameter in found.params if not parameter.hidden]
        if rows:
            parts.append(table(("argument or option", "default", "meaning"), rows))
    return "\n\n".join(parts)


def _commands(command: Any, words: str) -> Iterator[tuple[str, Any]]:
    """The commands below a Click command with the words that call them, in their order."""
    if not hasattr(command, "list_commands"):
        yield words, command
        return
    context = typer.Context(command, info_name=words)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        if not found.hidden:
            yield from _commands(found, f"{words} {name}")


def _parameter(parameter: Any) -> tuple[str, str, str]:
    names = [*parameter.opts, *parameter.secondary_opts]
    if parameter.param_type_name == "argument":
        names = [str(parameter.name).upper()]
    text = _plain(parameter.help)
    choices = _choices(parameter.type_descriptor.annotation)
    if choices:
        text = f"{text} One of {', '.join(f'`{choice}`' for choice in choices)}.".strip()
    return ", ".join(f"`{name}`" for name in names), _option_default(parameter), text


def _option_default(parameter: Any) -> str:
    default = parameter.default
    if parameter.required:
        return "required"
    if isinstance(default, bool) and parameter.secondary_opts:
        return f"`{(parameter.opts if default else parameter.secondary_opts)[0]}`"
    if isinstance(default, Enum):
        default = default.value
    plain = isinstance(default, str | int | float) and not isinstance(default, bool)
    return f"`{default}`" if plain else ""


def _choices(annotation: Any) -> list[str]:
    """The values of an Enum or Literal, also inside a list or beside None."""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [str(member.value) for member in annotation]
    if get_origin(annotation) is Literal:
        return [str(value) for value in get_args(annotation)]
    return [choice for inside in get_args(annotation) for choice in _choices(inside)]


def _plain(text: str | None) -> str:
    """Help text, each paragraph on one line; Click's marks against wrapping left out."""
    paragraphs = (text or "").replace("\b", "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def exit_codes_page() -> str:
    """The constants of cli/exits.py with the docstrings below them."""
    body = ast.parse(Path(exits.__file__).read_text("utf-8")).body
    rows = []
    for statement, following in itertools.pairwise(body):
        match statement, following:
            case (
                ast.AnnAssign(value=ast.Constant(value=int(code))),
                ast.Expr(value=ast.Constant(value=str(meaning))),
            ):
                rows.append((str(code), meaning))
    return table(("code", "meaning"), rows)


def vocabularies_page() -> str:
    sectors: dict[str, list[str]] = {}
    for industry in industries():
        sectors.setdefault(industry.sector, []).append(industry.name)
    return "\n\n".join(
        (
            "Values that the filters of the account search know, and that records hold.",
            "## Employee bands\n\nNumber of employees, both bounds included.",
            table(("band",), [(f"`{band}`",) for band in EMPLOYEE_BANDS]),
            "## Revenue bands\n\nYearly revenue in US dollars; the upper bound is not included.",
            table(("band",), [(f"`{band}`",) for band in REVENUE_BANDS]),
            f"## Industries\n\n{sum(map(len, sectors.values()))} industries in "
            f"{len(sectors)} sectors.",
            table(
                ("sector", "industries"),
                [(sector, "; ".join(names)) for sector, names in sectors.items()],
            ),
            "## Countries\n\nThe country filter takes an ISO 3166 code or a name.",
        )
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for row in rows:
        cells = [" ".join(cell.split()).replace("|", "\\|") for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


PAGES: dict[str, tuple[str, Callable[[], str]]] = {
    "settings": ("Settings", settings_page),
    "cli": ("Commands", cli_page),
    "exit-codes": ("Exit codes", exit_codes_page),
    "api": ("API", api_page),
    "errors": ("Errors", errors_page),
    "scopes": ("Scopes", scopes_page),
    "credits": ("Credits", credits_page),
    "vocabularies": ("Vocabularies", vocabularies_page),
}

if __name__ == "__main__":
    sys.exit(main())
