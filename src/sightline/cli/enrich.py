"""`enrich`: from names and domains to proven records, with every step on the screen."""

import asyncio
import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from sightline.cli.context import DataDir, Organization, read_settings, settings_with_database
from sightline.cli.exits import FAILURE, PARTIAL, USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, note, print_json, print_table

if TYPE_CHECKING:
    from sightline.domain.callers import OrganizationId
    from sightline.settings import Settings
    from sightline.store.database import Database

_REFRESH_SECONDS = 0.5
_COLUMNS = ("input", "status", "company", "steps", "fields", "postings", "credits")


def enrich(
    companies: Annotated[
        list[str] | None, typer.Argument(help="Names or domains.", metavar="NAME_OR_DOMAIN")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            help="CSV with company_name, domain, external_id, source_system; or one a line."
        ),
    ] = None,
    all_accounts: Annotated[
        bool, typer.Option("--all-accounts", help="Every account of the organization.")
    ] = False,
    org: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Enrich companies and wait until they are done. Charges are those of the API.

    Works whether or not Sightline is running; a worker that runs shares the work.
    """
    with one_line_errors():
        inputs = [_named(each) for each in companies or []]
        inputs += list(_read_file(file)) if file else []
        if not inputs and not all_accounts:
            raise CommandFailed("Give names or domains, --file or --all-accounts.", code=USAGE)
        read_settings(data_dir)
        with settings_with_database(data_dir) as settings:
            from sightline import app
            from sightline.domain.errors import CreditsAreExhausted

            app.prepare(settings)
            try:
                outcomes = asyncio.run(_run(settings, org, inputs, all_accounts=all_accounts))
            except CreditsAreExhausted as error:
                hint = f"sightline credits grant --org {org} --credit company --amount 100"
                raise CommandFailed(f"{error} To grant some: {hint}") from error
    if as_json:
        print_json(outcomes)
    else:
        print_table(_COLUMNS, [_row(each) for each in outcomes], empty="No accounts.")
        for each in outcomes:
            if each["error"]:
                note(f"{_input_text(each)}: {each['error']['message']}")
    failed = [each for each in outcomes if each["status"] not in ("succeeded", "partial")]
    if failed:
        raise typer.Exit(FAILURE if len(failed) == len(outcomes) else PARTIAL)


async def _run(
    settings: "Settings", slug: str, inputs: list[dict[str, str]], *, all_accounts: bool
) -> list[dict[str, Any]]:
    from sightline.app import database_url, fetcher_config
    from sightline.kit.fetch.client import Fetcher
    from sightline.queue.runner import Runner
    from sightline.store.database import open_database
    from sightline.store.operations import WORK_KIND
    from sightline.store.organizations import find_organization
    from sightline.store.pace import DatabasePace
    from sightline.worker import LONGEST_STATEMENT_SECONDS, handlers

    database = await open_database(
        database_url(settings),
        role="sightline_worker",
        size=settings.pool_size,
        wait_seconds=30,
        statement_timeout_seconds=LONGEST_STATEMENT_SECONDS,
    )
    fetcher = Fetcher(fetcher_config(settings), pace=DatabasePace(database))
    try:
        organization_id = await find_organization(database, slug)
        ids = await _submit(database, organization_id, inputs, all_accounts=all_accounts)
        known = handlers(database, fetcher)
        runner = Runner(
            database=database,
            handlers={kind: known[kind] for kind in (WORK_KIND, "refresh_accounts")},
            slots=settings.worker_slots,
            per_organization=settings.organization_slots,
        )
        stop = asyncio.Event()
        working = asyncio.create_task(runner.run(stop))
        try:
            await _watch(database, organization_id, ids, working)
        finally:
            stop.set()
            with suppress(asyncio.CancelledError):
                await working
        while await runner.run_all():
            continue
        return await _outcomes(database, organization_id, ids)
    finally:
        await fetcher.close()
        await database.close()


async def _submit(
    database: "Database",
    organization_id: "OrganizationId",
    inputs: list[dict[str, str]],
    *,
    all_accounts: bool,
) -> list[UUID]:
    from sightline.enrich.submit import read_input, submit
    from sightline.store.operations import Asker
    from sightline.store.organizations import read_costs

    ids = []
    async with database.tenant(organization_id) as connection:
        if all_accounts:
            rows = await connection.fetch(
                "SELECT account_id FROM accounts WHERE organization_id = $1 ORDER BY sort_key",
                organization_id,
            )
            inputs = [*inputs, *({"id": str(row["account_id"])} for row in rows)]
        costs = await read_costs(connection, organization_id)
        for values in inputs:
            made = await submit(
                connection,
                organization_id,
                read_input(values),
                costs=costs,
                asker=Asker(None, None, None),
            )
            ids.append(made.operation_id)
    return ids


async def _watch(
    database: "Database",
    organization_id: "OrganizationId",
    ids: Sequence[UUID],
    working: "asyncio.Task[None]",
) -> None:
    """Show the operations until all are finished; the newest below, as many as the screen holds."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    with Live(console=console, refresh_per_second=4, transient=True) as live:
        while True:
            outcomes = await _outcomes(database, organization_id, ids)
            if console.is_terminal:
                live.update(_table(outcomes, console.height - 4))
            if all(each["finished_at"] for each in outcomes):
                return
            if working.done():
                working.result()
            await asyncio.sleep(_REFRESH_SECONDS)


def _table(outcomes: Sequence[dict[str, Any]], height: int) -> Any:
    from rich import box
    from rich.table import Table

    done = sum(each["finished_at"] is not None for each in outcomes)
    shown_columns = [name for name in _COLUMNS if name != "company"]  # its id is for the end
    table = Table(*shown_columns, box=box.SIMPLE_HEAD, title=f"{done} of {len(outcomes)} done")
    shown = sorted(outcomes, key=lambda each: each["finished_at"] is not None)
    for each in shown[: max(1, height)]:
        row = dict(zip(_COLUMNS, _row(each), strict=True))
        table.add_row(*(str(row[name]) for name in shown_columns))
    return table


async def _outcomes(
    database: "Database", organization_id: "OrganizationId", ids: Sequence[UUID]
) -> list[dict[str, Any]]:
    from sightline.store.operation_pages import read_operations

    async with database.tenant(organization_id) as connection:
        return [
            json.loads(each) for each in await read_operations(connection, organization_id, ids)
        ]


def _row(outcome: dict[str, Any]) -> tuple[Any, ...]:
    steps = outcome["steps"]
    now = next((s["source"] or s["name"] for s in steps if s["status"] == "running"), "")
    progress = outcome["progress"]
    decided: dict[str, Any] = next((s["found"] for s in steps if s["name"] == "decide"), {})
    return (
        _input_text(outcome),
        outcome["status"],
        outcome["company_id"] or "",
        f"{progress['done']}/{progress['total']} {now}".strip(),
        decided.get("fields", ""),
        sum(s["found"].get("postings", 0) for s in steps) or "",
        outcome["cost"]["amount"] if outcome["cost"]["state"] == "settled" else 0,
    )


def _input_text(outcome: dict[str, Any]) -> str:
    asked = outcome["input"]
    return str(asked.get("domain") or asked.get("company_name") or asked.get("id"))


def _named(text: str) -> dict[str, str]:
    """A domain if it reads as one, else a name."""
    from sightline.domain.websites import domain_of

    looks_like_host = "." in text and " " not in text.strip()
    if looks_like_host and domain_of(text):
        return {"domain": text}
    return {"company_name": text}


def _read_file(path: Path) -> Iterator[dict[str, str]]:
    if not path.is_file():
        raise CommandFailed(f"There is no file {path}.")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    if not rows:
        raise CommandFailed(f"{path} is empty.")
    header = [cell.strip().lower() for cell in rows[0]]
    if {"company_name", "domain", "id"} & set(header):
        for row in rows[1:]:
            if any(row):
                yield dict(zip(header, row, strict=False))
        return
    yield from (_named(row[0]) for row in rows if row and row[0].strip())
