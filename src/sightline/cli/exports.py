"""`export accounts` and `export contacts`: matching records as a file; `export changes`."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from sightline.cli.context import DataDir, Organization, administer, record
from sightline.cli.exits import USAGE, CommandFailed, in_words
from sightline.cli.output import note, working

if TYPE_CHECKING:
    from sightline.store.database import Database, Tenant

# Makes the table of an organization inside its transaction, piece by piece.
Table = Callable[["Tenant"], AsyncIterator[bytes]]

app = typer.Typer(help="Export accounts or contacts to a file.", no_args_is_help=True)

# Spelled out: the parser needs it before anything is imported.
Form = Annotated[
    Literal["csv", "jsonl", "parquet", "xlsx"], typer.Option("--format", help="Kind of file.")
]
Out = Annotated[Path | None, typer.Option("--out", help="File to write; default: standard output.")]
SearchText = Annotated[
    str, typer.Option("--search", help="Filters, as the JSON body of the API's search.")
]
ListName = Annotated[
    str | None, typer.Option("--list", help="Only the accounts of this list (name or id).")
]
Provenance = Annotated[
    bool, typer.Option("--provenance", help="Include where each value comes from.")
]


@app.command("accounts")
def accounts(
    form: Form = "csv",
    out: Out = None,
    search: SearchText = "{}",
    list_name: ListName = None,
    changed_since: Annotated[
        datetime | None,
        typer.Option("--changed-since", help="Only what changed since this time (UTC)."),
    ] = None,
    provenance: Provenance = False,
    org: Organization = "default",
    data_dir: DataDir = None,
) -> None:
    """Export accounts."""

    async def table(tenant: "Tenant") -> AsyncIterator[bytes]:
        from sightline.api.account_search import AccountFilters, account_filter
        from sightline.api.exporting import account_table
        from sightline.store.account_search import AccountSearcher

        filters = AccountFilters.model_validate_json(search)
        if list_name is not None:
            member = await _member(tenant, list_name)
            filters = filters.model_copy(update={"filter": _both(filters.filter, member)})
        if changed_since is not None:
            since = changed_since.replace(tzinfo=changed_since.tzinfo or UTC)
            filters = filters.model_copy(update={"changed_since": since})
        where, warnings = await account_filter(tenant, filters)
        for warning in warnings:
            note(warning)
        async for chunk in account_table(
            tenant,
            where,
            searcher=AccountSearcher(),
            form=form,
            provenance=provenance,
        ):
            yield chunk

    _export("accounts", table, org=org, out=out, data_dir=data_dir)


@app.command("contacts")
def contacts(
    form: Form = "csv",
    out: Out = None,
    search: SearchText = "{}",
    list_name: ListName = None,
    provenance: Provenance = False,
    org: Organization = "default",
    data_dir: DataDir = None,
) -> None:
    """Export contacts; people on the suppression list are left out."""

    async def table(tenant: "Tenant") -> AsyncIterator[bytes]:
        from sightline.api.contact_search import ContactSearch, contact_query
        from sightline.api.exporting import contact_table

        filters = ContactSearch.model_validate_json(search)
        if list_name is not None:
            member = await _member(tenant, list_name)
            wanted = _both(filters.account_filter, member)
            filters = filters.model_copy(update={"account_filter": wanted})
        query, warnings = await contact_query(tenant, filters)
        for warning in warnings.values():
            note(warning)
        async for chunk in contact_table(tenant, query, form=form, provenance=provenance):
            yield chunk

    _export("contacts", table, org=org, out=out, data_dir=data_dir)


@app.command("changes")
def changes(
    to: Annotated[str, typer.Option("--to", help="A folder, or s3://bucket/prefix (extra `s3`).")],
    org: Organization = "default",
    data_dir: DataDir = None,
) -> None:
    """Write what changed since the last run as Parquet, for a warehouse; run it on a schedule."""

    async def work(owner: "Database", database: "Database") -> dict[str, int]:
        from sightline.monitor.warehouse import export_changes, open_place
        from sightline.store.organizations import find_organization

        organization_id = await find_organization(owner, org)
        try:
            counts = await export_changes(database, organization_id, open_place(to))
        except ModuleNotFoundError as error:
            raise CommandFailed(
                "Buckets need the extra `s3`: pip install sightline[s3]."
            ) from error
        async with database.tenant(organization_id) as connection:
            await record(connection, "export", "changes")
        return counts

    with working("Exporting what changed"):
        counts = administer(work, data_dir=data_dir)
    note(f"Wrote {', '.join(f'{count:,} {table}' for table, count in counts.items())}.")


async def _member(tenant: "Tenant", name: str) -> dict[str, Any]:
    """The filter that finds the accounts of a list. Raises CommandFailed."""
    from sightline.store.lists import list_named

    list_id = await list_named(tenant, name)
    if list_id is None:
        raise CommandFailed(f"There is no list {name!r}; `sightline lists` shows all.")
    return {"field": "list", "op": "in", "value": [str(list_id)]}


def _both(given: dict[str, Any] | None, member: dict[str, Any]) -> dict[str, Any]:
    return {"and": [given, member]} if given else member


def _export(what: str, table: Table, *, org: str, out: Path | None, data_dir: Path | None) -> None:
    async def work(owner: "Database", database: "Database") -> int:
        from sightline.store.organizations import find_organization

        organization_id = await find_organization(owner, org)
        async with database.tenant(organization_id) as connection:
            await record(connection, "export", what)
        async with database.tenant(organization_id, repeatable=True) as connection:
            return await _write(table(connection), out)

    with working(f"Exporting {what}"):
        size = administer(work, data_dir=data_dir)
    if out is not None:
        note(f"Wrote {size:,} bytes into {out}.")


async def _write(chunks: AsyncIterator[bytes], out: Path | None) -> int:
    """Write all chunks; a file gets its name when it is whole."""
    from pydantic import ValidationError

    from sightline.domain.errors import Refusal

    partial = out.with_name(f".{out.name}.partial") if out else None
    size = 0
    try:
        with partial.open("wb") if partial else nullcontext(sys.stdout.buffer) as stream:
            async for chunk in chunks:
                stream.write(chunk)
                size += len(chunk)
        if partial is not None and out is not None:
            partial.replace(out)
    except (Refusal, ValidationError) as error:
        raise CommandFailed(f"--search: {_reason(error)}", code=USAGE) from error
    finally:
        if partial is not None:
            with suppress(OSError):
                partial.unlink()
    return size


def _reason(error: Exception) -> str:
    faults = getattr(error, "errors", None)
    if callable(faults):
        return "; ".join(
            ": ".join(filter(None, (".".join(map(str, each["loc"])), in_words(each))))
            for each in faults()
        )
    return str(error)
