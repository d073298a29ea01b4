"""THE TABLE of commands that read data: each runs one operation of the API."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sightline.cli.context import DataDir, Organization
from sightline.cli.door import account_id, company_id, read_pages, through
from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, confirm, print_json, print_nested, print_table

if TYPE_CHECKING:
    from sightline.mcp.doors import Door

_COMPANY: Final = "COMPANY"
_NAMED: Final = "Id, domain or name of the company."
_ID: Final = "Id. Without one, all are listed."
_OF_COMPANY: Final = "Only this company (id, domain or name)."
_SINCE: Final = "On or after this date, such as 2026-01-31."
_PLURALS: Final = {"territory": "territories", "watch": "watches"}
_IDS: Final = {"operation": "public_operation_id"}
_LIMIT: Final = Annotated[
    int, typer.Option("--limit", min=1, max=10_000, help="Show at most this many rows.")
]


@dataclass(frozen=True)
class Read:
    """A command: which operation it runs, and how it shows the answer.

    `one` is the operation that a list's command runs when an id is given. `columns` are heads with the
    places of their values in an item; without them the whole answer is shown. `options` are parameters
    of the operation with their help.
    """

    summary: str
    operation: str
    route: str
    argument: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    one: tuple[str, str] | None = None
    question: str = ""


def _kept(summary: str, noun: str, columns: Mapping[str, str], **options: str) -> Read:
    """The row of a thing that is listed and, by its id, shown."""
    plural = _PLURALS.get(noun, f"{noun}s")
    return Read(
        summary,
        f"list_{plural}",
        f"GET /{plural}",
        argument=noun.upper(),
        columns=columns,
        options=options,
        one=(f"read_{noun}", f"GET /{plural}/{{{_IDS.get(noun, f'{noun}_id')}}}"),
    )


READS: Final[dict[str, Read]] = {
    "accounts list": Read(
        "List accounts.",
        "search_accounts",
        "POST /accounts",
        columns={"Company": "company_id", "Name": "company_name", "Domain": "website_domain"},
        options={
            "company_name": "Part of a name or domain.",
            "country": "ISO 3166 code or name.",
            "industry": "Industry name.",
            "filter": "A filter of the filter language, as JSON.",
            "sort": "company_name, updated_at, employees or revenue; prefix a minus to reverse.",
        },
    ),
    "accounts show": Read(
        "Show one account.", "read_account", "GET /accounts/{account_id}", argument=_COMPANY
    ),
    "accounts delete": Read(
        "Delete an account with its own values and notes. The company stays in the catalog.",
        "delete_account",
        "DELETE /accounts/{account_id}",
        argument=_COMPANY,
        question="Delete the account {}?",
    ),
    "company show": Read(
        "Show the record of a company.",
        "read_company",
        "GET /companies/{company_id}",
        argument=_COMPANY,
    ),
    "profile show": Read(
        "Show the profile of a company.",
        "read_profile",
        "GET /companies/{company_id}/profile",
        argument=_COMPANY,
        options={"include": "Comma-separated sections. Default: all."},
        fixed={"include": "full"},
    ),
    "signals": Read(
        "List events at your accounts, newest first.",
        "list_events",
        "GET /events",
        columns={
            "Day": "occurred_at",
            "Reported": "source.published_at",
            "Background": "background",
            "Company": "company.name",
            "Type": "type",
            "What happened": "title",
        },
        options={
            "company_id": _OF_COMPANY,
            "type": "Only this type of event.",
            "since": _SINCE,
        },
    ),
    "jobs": Read(
        "List the open postings of a company, newest first.",
        "list_jobs",
        "GET /companies/{company_id}/jobs",
        argument=_COMPANY,
        columns={
            "First seen": "first_seen_at",
            "Title": "title",
            "Department": "department",
            "Place": "locations.0.raw",
        },
        options={
            "title": "Words of the title.",
            "department": "Such as engineering or sales.",
            "location": "A city, country or part of the world; or remote.",
        },
        fixed={"active": True},
    ),
    "lists": _kept(
        "List your lists of accounts, or show one.", "list",
        {"Id": "id", "Name": "name", "Kind": "kind", "Accounts": "account_count"},
    ),
    "territories": _kept(
        "List territories, or show one with its companies.", "territory",
        {"Id": "id", "Name": "name", "Owner": "owner.name", "Accounts": "account_count"},
    ),
    "watches": _kept(
        "List watches, or show one.", "watch",
        {"Id": "id", "Name": "name", "Status": "status", "Accounts": "account_count"},
    ),
    "alerts": _kept(
        "List alerts, newest first, or show one.", "alert",
        {"Id": "id", "Status": "status", "Company": "company.name", "What happened": "event.title"},
        status="new, acknowledged, resolved or dismissed.", company_id=_OF_COMPANY, since=_SINCE,
    ),
    "operations": _kept(
        "List enrichments and deletions, newest first, or show one with its steps.", "operation",
        {"Id": "public_operation_id", "Kind": "kind", "Status": "status", "Began": "created_at"},
        status="queued, running, succeeded, partial, failed or cancelled.",
    ),
}  # fmt: skip


def command(words: str) -> Callable[..., None]:
    """The function of a command, with the arguments that its row says."""
    row = READS[words]

    def run(**given: Any) -> None:
        with one_line_errors():
            _run(row, given)

    annotations = _arguments(row)
    defaults = {"argument": None, "limit": 25, "org": "default", "yes": False, "as_json": False}
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=annotation,
            default=inspect.Parameter.empty
            if name == "argument" and row.one is None
            else defaults.get(name),
        )
        for name, annotation in annotations.items()
    ]
    run.__dict__["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = annotations
    run.__doc__ = (
        f"{row.summary}\n\nSet SIGHTLINE_URL and SIGHTLINE_API_KEY to use a remote server."
    )
    return run


def _arguments(row: Read) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if row.argument:
        text = _NAMED if row.argument == _COMPANY else _ID
        kind = str if row.one is None else str | None
        found["argument"] = Annotated[kind, typer.Argument(metavar=row.argument, help=text)]
    for name, text in row.options.items():
        option = f"--{name.removesuffix('_id').removeprefix('company_').replace('_', '-')}"
        found[name] = Annotated[str | None, typer.Option(option, help=text)]
    if row.columns:
        found["limit"] = _LIMIT
    if row.question:
        found["yes"] = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
    return found | {"org": Organization, "as_json": AsJson, "data_dir": DataDir}


def _run(row: Read, given: dict[str, Any]) -> None:
    argument: str | None = given.get("argument")
    if row.question:
        confirm(row.question.format(argument), yes=given["yes"])
    listed = bool(row.columns) and (row.one is None or argument is None)
    operation, route = (row.operation, row.route) if listed or not row.one else row.one
    limit: int = given.get("limit") or 1
    options = {name: given[name] for name in row.options if given[name] is not None}

    async def work(door: "Door") -> Any:
        path = await _path(door, route, argument)
        asked = await _asked(door, {**row.fixed, **options})
        if not listed:
            return await door.run(operation, path=path, query={} if row.one else asked)
        in_body = route.startswith("POST")
        return await read_pages(
            door, operation, path=path, given=asked, in_body=in_body, limit=limit
        )

    answer = through({operation: route}, work, org=given["org"], data_dir=_folder(given))
    if given["as_json"]:
        print_json(answer)
    elif listed:
        _print_listed(row, answer)
    else:
        print_nested(answer)


def _print_listed(row: Read, items: Sequence[Any]) -> None:
    cells = [[_value(each, place) for place in row.columns.values()] for each in items]
    print_table(list(row.columns), cells, empty="None.")


async def _asked(door: "Door", given: dict[str, Any]) -> dict[str, Any]:
    """What is asked for, with a company by its id and a filter as the API takes it."""
    if "company_id" in given:
        given["company_id"] = await company_id(door, given["company_id"])
    if "filter" in given:
        given["filter"] = _read_filter(given["filter"])
    return given


async def _path(door: "Door", route: str, argument: str | None) -> dict[str, str]:
    """The parameter of the route, if it has one: the id that the argument names."""
    if "{" not in route or argument is None:
        return {}
    name = route[route.index("{") + 1 : route.index("}")]
    find = _FINDERS.get(name)
    return {name: await find(door, argument) if find else argument}


def _folder(given: dict[str, Any]) -> Path | None:
    folder: Path | None = given["data_dir"]
    return folder


_FINDERS: Final = {"account_id": account_id, "company_id": company_id}


def _read_filter(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise CommandFailed(
            f'--filter is not JSON ({error}). Example: {{"field": "employees", "op": "gte", "value": 200}}',
            code=USAGE,
        ) from None


def _value(item: Any, place: str) -> Any:
    """The value at a place such as `company.name` or `locations.0.raw`; None where there is none."""
    for part in place.split("."):
        if isinstance(item, list):
            item = item[int(part)] if int(part) < len(item) else None
        elif isinstance(item, dict):
            item = item.get(part)
    return item[:10] if isinstance(item, str) and place.endswith("_at") else item


def group(name: str) -> typer.Typer:
    """The commands of the table that begin with a name."""
    made = typer.Typer(no_args_is_help=True)
    for words in READS:
        first, _, rest = words.partition(" ")
        if first == name and rest:
            made.command(rest)(command(words))
    made.callback()(lambda: None)
    return made


accounts = group("accounts")
company = group("company")
signals = command("signals")
jobs = command("jobs")
lists = command("lists")
territories = command("territories")
watches = command("watches")
alerts = command("alerts")
operations = command("operations")
