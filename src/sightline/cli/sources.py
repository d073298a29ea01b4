"""`sources`: freshness, errors and volume of each source; turning sources on and off."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli.context import DataDir, administer
from sightline.cli.exits import CommandFailed, one_line_errors
from sightline.cli.output import AsJson, note, print_json, print_table

if TYPE_CHECKING:
    from sightline.store.database import Database
    from sightline.store.source_states import SourceState

app = typer.Typer(help="Show data sources; turn them on and off.")
_COLUMNS = (
    "source", "status", "last asked", "companies", "read", "unchanged", "missing", "failed", "facts", "MB",
)  # fmt: skip


@app.callback(invoke_without_command=True)
def sources(
    context: typer.Context,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Freshness, errors and volume of every source over the last seven days."""
    if context.invoked_subcommand is not None:
        return
    with one_line_errors():
        rows = administer(_read, data_dir=data_dir)
    if as_json:
        print_json(rows)
        return
    print_table(_COLUMNS, [_row(each) for each in rows], empty="No sources.")
    for each in rows:
        if each["reason"]:
            note(f"{each['source']}: {each['reason']}")
        if each["quarantined"]:
            note(
                f"{each['source']}: {in_words(each['quarantined'])};"
                " see `sightline sources quarantined`."
            )


@app.command()
def enable(
    name: Annotated[str, typer.Argument(help="Name of the source.")], data_dir: DataDir = None
) -> None:
    """Turn a source on."""
    _switch(name, enabled=True, data_dir=data_dir)


@app.command()
def disable(
    name: Annotated[str, typer.Argument(help="Name of the source.")], data_dir: DataDir = None
) -> None:
    """Turn a source off. What it found stays."""
    _switch(name, enabled=False, data_dir=data_dir)


@app.command()
def quarantined(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List documents that are no longer read because they crashed their parser."""
    with one_line_errors():
        rows = administer(_read_quarantined, data_dir=data_dir)
    if as_json:
        print_json(rows)
        return
    columns = ("source", "address", "reason", "when")
    print_table(
        columns,
        [(each["source"], each["url"], each["reason"], _ago(each["last_at"])) for each in rows],
        empty="Nothing is quarantined.",
    )


@app.command()
def retry(
    url: Annotated[
        str | None, typer.Argument(help="Address of the document. Default: every one.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Release quarantined documents; the next enrichment parses them again."""
    from sightline.store import quarantine

    async def work(owner: "Database", application: "Database") -> int:
        del application
        async with owner.connection() as connection:
            return await quarantine.release(connection, url=url)

    with one_line_errors():
        freed = administer(work, data_dir=data_dir)
        if not freed and url is not None:
            raise CommandFailed(f"{url} is not quarantined.")
        print("1 document released." if freed == 1 else f"{freed} documents released.")


def in_words(quarantined: int) -> str:
    """How many documents ended their parsers, as the beginning of a sentence."""
    if quarantined == 1:
        return "1 document crashed its parser and is not read"
    return f"{quarantined} documents crashed their parsers and are not read"


def _switch(name: str, *, enabled: bool, data_dir: DataDir) -> None:
    from sightline.sources.manifests import NAMES
    from sightline.store import source_states

    async def work(owner: "Database", application: "Database") -> None:
        del application
        async with owner.connection() as connection, connection.transaction():
            await source_states.switch(connection, name, enabled=enabled)

    with one_line_errors():
        if name not in NAMES:
            raise CommandFailed(f"There is no source {name}; there are {', '.join(NAMES)}.")
        administer(work, data_dir=data_dir)
        print(f"{name} is {'enabled' if enabled else 'disabled'}.")


async def _read(owner: "Database", application: "Database") -> list[dict[str, Any]]:
    from sightline.sources.health import DAYS, judge
    from sightline.sources.manifests import NAMES, manifests
    from sightline.store.source_states import source_states

    del application
    async with owner.connection() as connection:
        states = await source_states(connection, NAMES, days=DAYS)
    return [
        _described(state, judge(state, manifest))
        for state, manifest in zip(states, manifests(), strict=True)
    ]


async def _read_quarantined(owner: "Database", application: "Database") -> list[dict[str, Any]]:
    from sightline.store.quarantine import quarantined

    del application
    async with owner.connection() as connection:
        found = await quarantined(connection)
    return [
        {
            "source": each.source,
            "url": each.url,
            "sha256": each.sha256.hex(),
            "reason": each.reason,
            "deaths": each.deaths,
            "last_at": each.last_at,
        }
        for each in found
    ]


def _described(state: "SourceState", health: Any) -> dict[str, Any]:
    status = health.status if state.enabled else "disabled"
    if state.enabled and state.last_sync_at is None:
        status = "never asked"
    return {
        "source": state.source,
        "status": status,
        "reason": health.reason if state.enabled else "",
        "last_sync_at": state.last_sync_at,
        "last_error": state.last_error,
        "last_error_at": state.last_error_at,
        "companies": state.companies,
        "fetched": state.fetched,
        "unchanged": state.unchanged,
        "missing": state.missing,
        "failed": state.failed,
        "unreachable": state.unreachable,
        "not_recorded": state.not_recorded,
        "facts": state.facts,
        "bytes": state.bytes,
        "quarantined": state.quarantined,
    }


def _row(each: dict[str, Any]) -> tuple[Any, ...]:
    return (
        each["source"],
        each["status"],
        _ago(each["last_sync_at"]),
        each["companies"],
        each["fetched"],
        each["unchanged"],
        each["missing"],
        each["failed"],
        each["facts"],
        round(each["bytes"] / 1e6, 1),
    )


def _ago(moment: datetime | None) -> str:
    """How long ago, in the largest unit that is at least one."""
    if moment is None:
        return "-"
    seconds = (datetime.now(UTC) - moment).total_seconds()
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit} ago"
    return "just now"
