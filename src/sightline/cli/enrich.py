"""`enrich`: from names and domains to proven records, with every step shown."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn
from uuid import UUID

import typer

from sightline.cli.context import DataDir, Organization, read_settings, settings_with_database
from sightline.cli.enrich_rows import Asked, asked_for, read_rows, refused
from sightline.cli.exits import FAILURE, PARTIAL, USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, note, print_json, print_table, progress

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
    external_id: Annotated[
        str | None,
        typer.Option(help="Your own id for the company, or its number in a register."),
    ] = None,
    source_system: Annotated[
        str | None,
        typer.Option(help="Source of the external id: a CRM, or sec_cik, lei, wikidata."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            help="A file with columns such as company_name, domain, external_id, source_system or id, "
            "or with one name or domain per line."
        ),
    ] = None,
    all_accounts: Annotated[
        bool, typer.Option("--all-accounts", help="Every account in the organization.")
    ] = False,
    org: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Enrich companies and wait until they are done. Costs the same credits as the API.

    Works whether or not Sightline is running; a running worker helps. Companies that cannot be
    enriched are listed with the reason, and with their line in the file; the exit code is then 5, or 1 if
    none could be enriched.
    """
    with one_line_errors():
        asked = _asked(companies or [], file, external_id, source_system)
        if not asked and not all_accounts:
            _refuse_nothing(file)
        outcomes = _enrich(asked, org, all_accounts=all_accounts, data_dir=data_dir)
    if as_json:
        print_json(outcomes)
    else:
        _show(outcomes, ("row", *_COLUMNS) if file else _COLUMNS)
    failed = [each for each in outcomes if each["status"] not in ("succeeded", "partial")]
    if failed:
        raise typer.Exit(FAILURE if len(failed) == len(outcomes) else PARTIAL)


def _refuse_nothing(file: Path | None) -> NoReturn:
    if file:
        raise CommandFailed(f"{file} has no rows.")
    raise CommandFailed("Provide names or domains, --file or --all-accounts.", code=USAGE)


def _show(outcomes: Sequence[dict[str, Any]], columns: Sequence[str]) -> None:
    print_table(columns, [_row(each, columns) for each in outcomes], empty="No accounts.")
    for each in outcomes:
        if each["error"]:
            note(f"{_input_text(each)}: {each['error']['message']}")


def _asked(
    companies: list[str], file: Path | None, external_id: str | None, source_system: str | None
) -> list[Asked]:
    """All inputs. Raises CommandFailed when a reference is given for other than one company."""
    if source_system and not external_id:
        raise CommandFailed("--source-system needs --external-id.", code=USAGE)
    if external_id and (file or len(companies) != 1):
        raise CommandFailed("--external-id works with exactly one company.", code=USAGE)
    reference = {"external_id": external_id, "source_system": source_system}
    given = {name: value for name, value in reference.items() if value}
    return list(asked_for(companies, **given)) + (read_rows(file) if file else [])


def _enrich(
    asked: Sequence[Asked], slug: str, *, all_accounts: bool, data_dir: Path | None
) -> list[dict[str, Any]]:
    if asked and not all_accounts and all(each.error for each in asked):
        return [refused(each) for each in asked]
    read_settings(data_dir)
    with settings_with_database(data_dir) as settings:
        from sightline import app
        from sightline.domain.errors import CreditsAreExhausted

        app.prepare(settings)
        try:
            return asyncio.run(_run(settings, slug, asked, all_accounts=all_accounts))
        except CreditsAreExhausted as error:
            hint = f"sightline credits grant --org {slug} --credit company --amount 100"
            raise CommandFailed(f"{error} To grant some: {hint}") from error


async def _run(
    settings: "Settings", slug: str, asked: Sequence[Asked], *, all_accounts: bool
) -> list[dict[str, Any]]:
    from sightline.app import database_url, fetcher_config, make_encoder
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
        asked = [*asked, *(await _accounts(database, organization_id) if all_accounts else ())]
        ids, submitted = await _submit(database, organization_id, asked)
        known = handlers(database, fetcher, encoder=make_encoder(settings))
        runner = Runner(
            database=database,
            handlers={kind: known[kind] for kind in (WORK_KIND, "refresh_accounts")},
            slots=settings.worker_slots,
            per_organization=settings.organization_slots,
        )
        stop = asyncio.Event()
        working = asyncio.create_task(runner.run(stop))
        try:
            done = iter(await _watch(database, organization_id, ids, working))
        finally:
            stop.set()
            with suppress(asyncio.CancelledError):
                await working
        while await runner.run_all():
            continue
        return [
            refused(each) if each.error else {"row": each.row, **next(done)} for each in submitted
        ]
    finally:
        await fetcher.close()
        await database.close()


async def _accounts(database: "Database", organization_id: "OrganizationId") -> list[Asked]:
    async with database.tenant(organization_id) as connection:
        rows = await connection.fetch(
            "SELECT account_id FROM accounts WHERE organization_id = $1 ORDER BY sort_key",
            organization_id,
        )
    return [Asked({"id": str(row["account_id"])}) for row in rows]


async def _submit(
    database: "Database", organization_id: "OrganizationId", asked: Sequence[Asked]
) -> tuple[list[UUID], list[Asked]]:
    """The operations of the inputs that can be submitted, and all inputs, unknown ones with
    their error. Raises CreditsAreExhausted, and then nothing is submitted."""
    from sightline.domain.errors import CompanyDoesNotExist, IdentifiersAreContradictory
    from sightline.enrich.submit import submit
    from sightline.store.operations import Asker
    from sightline.store.organizations import read_costs

    ids: list[UUID] = []
    inputs: list[Asked] = []
    no_one = Asker(None, None, None)
    async with database.tenant(organization_id) as connection:
        costs = await read_costs(connection)
        for each in asked:
            inputs.append(each)
            if each.error:
                continue
            try:
                made = await submit(connection, each.values, costs=costs, asker=no_one)
                ids.append(made.operation_id)
            except (CompanyDoesNotExist, IdentifiersAreContradictory) as error:
                fault = {"code": error.code, "message": error.message}
                inputs[-1] = replace(each, error=fault)
    return ids, inputs


async def _watch(
    database: "Database",
    organization_id: "OrganizationId",
    ids: Sequence[UUID],
    working: "asyncio.Task[None]",
) -> list[dict[str, Any]]:
    """Show how far the operations are until all are finished; returns them."""
    known: dict[UUID, dict[str, Any]] = {}
    waiting = list(ids)
    with progress("Enriching", "steps") as advance:
        while True:
            known |= await _outcomes(database, organization_id, waiting)
            outcomes = [known[each] for each in ids]
            steps = [each["progress"] for each in outcomes]
            waiting = [each for each in waiting if not known[each]["finished_at"]]
            advance(
                sum(each["done"] for each in steps),
                sum(each["total"] for each in steps),
                f"{len(ids) - len(waiting)} of {len(ids)} done" if len(ids) > 1 else None,
            )
            if not waiting:
                return outcomes
            if working.done():
                working.result()
            await asyncio.sleep(_REFRESH_SECONDS)


async def _outcomes(
    database: "Database", organization_id: "OrganizationId", ids: Sequence[UUID]
) -> dict[UUID, dict[str, Any]]:
    from sightline.store.operation_pages import read_operations

    async with database.tenant(organization_id) as connection:
        found = await read_operations(connection, ids)
    return dict(zip(ids, map(json.loads, found), strict=True))


def _row(outcome: dict[str, Any], columns: Sequence[str]) -> tuple[Any, ...]:
    steps = outcome["steps"]
    now = next((s["source"] or s["name"] for s in steps if s["status"] == "running"), "")
    steps_done = outcome["progress"]
    decided = next((s for s in steps if s["name"] == "decide" and s["status"] == "succeeded"), None)
    fields = decided["found"].get("fields", "unchanged") if decided else ""
    cells = {
        "row": outcome.get("row") or "",
        "input": _asked_text(outcome),
        "status": outcome["status"],
        "company": outcome["company_id"] or "",
        "steps": f"{steps_done['done']}/{steps_done['total']} {now}".strip(),
        "fields": fields,
        "postings": sum(s["found"].get("postings", 0) for s in steps) or "",
        "credits": outcome["cost"]["amount"] if outcome["cost"]["state"] == "settled" else 0,
    }
    return tuple(cells[name] for name in columns)


def _asked_text(outcome: dict[str, Any]) -> str:
    asked = outcome["input"]
    given = asked.get("domain") or asked.get("company_name") or asked.get("id")
    return str(given or asked.get("external_id") or "")


def _input_text(outcome: dict[str, Any]) -> str:
    """What an outcome is of, for a sentence about it."""
    named, row = _asked_text(outcome), outcome["row"]
    return ", ".join(filter(None, (f"row {row}" if row else "", named)))
