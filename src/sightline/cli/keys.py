"""`keys create`, `keys list`, `keys revoke` and `keys rotate`."""

import re
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from sightline.cli.context import DataDir, Organization, administer_organization, record
from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, note, print_fields, print_json, print_result, print_rows
from sightline.store.database import Tenant

if TYPE_CHECKING:
    from sightline.store.keys import NewKey

app = typer.Typer(help="Create, list, revoke and rotate API keys.", no_args_is_help=True)

DURATION = re.compile(r"([1-9][0-9]{0,5})([smhdw])")
UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
LONGEST_NAME = 200
MOST_REQUESTS = 1_000_000
LONGEST = timedelta(days=36_500)

KeyId = Annotated[UUID, typer.Argument(metavar="ID", help="Id of the key, as `keys list` shows.")]


@app.command("create")
def create(
    name: Annotated[str, typer.Option("--name", help="What the key is for.")],
    scope: Annotated[list[str], typer.Option("--scope", help="A permission; may be repeated.")],
    org: Organization = "default",
    user: Annotated[
        str | None, typer.Option("--user", help="Email of its user; default: the first owner.")
    ] = None,
    expires_in: Annotated[
        str | None, typer.Option("--expires-in", help="Lifetime: 90d, 12h, 30m.")
    ] = None,
    allow_network: Annotated[
        list[str] | None,
        typer.Option("--allow-network", help="CIDR it may be used from; may be repeated."),
    ] = None,
    rate_limit: Annotated[
        int | None,
        typer.Option(
            "--rate-limit",
            min=1,
            max=MOST_REQUESTS,
            help="Requests per minute; default: the plan's.",
        ),
    ] = None,
    flat_errors: Annotated[
        bool, typer.Option("--flat-errors", help="Return errors in the flat format.")
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create an API key. It is shown only once: only its digest is stored."""
    with one_line_errors():
        scopes = _scopes(scope)
        networks = [_network(text) for text in allow_network or []]
        expires_at = datetime.now(UTC) + _duration(expires_in) if expires_in else None
        if not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
            raise CommandFailed(f"A name has 1 to {LONGEST_NAME} printable characters.", code=USAGE)

    async def work(tenant: "Tenant") -> "NewKey":
        from sightline.store.keys import create_key
        from sightline.store.organizations import find_user

        made = await create_key(
            tenant,
            user_id=await find_user(tenant, email=user),
            name=name.strip(),
            scopes=scopes,
            expires_at=expires_at,
            allowed_networks=networks,
            rate_limit=rate_limit,
            flat_errors=flat_errors,
        )
        subject = f"key:{made.key_id}"
        await record(tenant, "create", subject, name=name.strip(), scopes=scopes)
        return made

    made = administer_organization(org, work, data_dir=data_dir)
    _show(made, {"name": name.strip(), "scopes": scopes, "expires_at": expires_at}, as_json=as_json)


@app.command("list")
def list_all(
    org: Organization = "default", data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """List an organization's keys, newest first. The keys themselves are not stored."""

    async def work(tenant: "Tenant") -> list[dict[str, Any]]:
        from sightline.store.keys import list_keys

        return await list_keys(tenant)

    rows = administer_organization(org, work, data_dir=data_dir)
    found = [row | {"status": _status(row)} for row in rows]
    columns = {
        "Id": "id", "Name": "name", "Begins": "prefix", "Status": "status", "Scopes": "scopes",
        "User": "owner", "Last used": "last_used_at", "Expires": "expires_at",
    }  # fmt: skip
    print_rows(found, columns, as_json=as_json, empty="No keys yet.")


@app.command("revoke")
def revoke(
    key_id: KeyId,
    org: Organization = "default",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Permanently revoke a key. Every node rejects it within a second."""

    async def work(tenant: "Tenant") -> None:
        from sightline.domain.callers import KeyId as Id
        from sightline.store.keys import revoke_key

        await revoke_key(tenant, Id(key_id))
        await record(tenant, "revoke", f"key:{key_id}")

    administer_organization(org, work, data_dir=data_dir)
    done = {"id": key_id, "status": "revoked"}
    print_result(done, f"Revoked the key {key_id}.", as_json=as_json)


@app.command("rotate")
def rotate(
    key_id: KeyId,
    org: Organization = "default",
    overlap: Annotated[
        str, typer.Option("--overlap", help="How long the old key stays valid: 24h, 7d.")
    ] = "24h",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create a replacement key. The old one expires after the overlap."""
    with one_line_errors():
        span = _duration(overlap)

    async def work(tenant: "Tenant") -> "NewKey":
        from sightline.domain.callers import KeyId as Id
        from sightline.store.keys import rotate_key

        made = await rotate_key(tenant, Id(key_id), overlap=span)
        await record(
            tenant, "rotate", f"key:{key_id}",
            new_key=str(made.key_id), overlap_seconds=int(span.total_seconds())
        )  # fmt: skip
        return made

    made = administer_organization(org, work, data_dir=data_dir)
    ends = datetime.now(UTC) + span
    _show(made, {"rotated_from": key_id, "old_key_valid_until": ends}, as_json=as_json)


def _show(made: "NewKey", fields: dict[str, Any], *, as_json: bool) -> None:
    from sightline.domain.keys import SHOWN_LENGTH

    shown = {"key": made.key, "id": made.key_id, "prefix": made.key[:SHOWN_LENGTH]} | fields
    if as_json:
        print_json(shown)
        return
    print_fields(shown)
    note("Copy the key now: it cannot be shown again.")


def _status(row: dict[str, Any]) -> str:
    if row["revoked_at"] is not None:
        return "revoked"
    expired = row["expires_at"] is not None and row["expires_at"] <= datetime.now(UTC)
    return "expired" if expired else "active"


def _scopes(given: list[str]) -> list[str]:
    """The scopes without repetitions; an unknown one is refused with the nearest."""
    from difflib import get_close_matches

    from sightline.domain.scopes import grantable_scopes

    known = grantable_scopes()
    for scope in given:
        if scope not in known:
            near = get_close_matches(scope, known, n=1, cutoff=0)
            raise CommandFailed(
                f"{scope!r} is not a scope. Did you mean {near[0]!r}? docs/reference/scopes.md lists all.",
                code=USAGE,
            )
    return list(dict.fromkeys(given))


def _network(text: str) -> str:
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise CommandFailed(
            f"{text!r} is not a network; give one like 10.0.0.0/8 or 2001:db8::/32.", code=USAGE
        ) from None


def _duration(text: str) -> timedelta:
    found = DURATION.fullmatch(text.strip())
    if found is None:
        raise CommandFailed(
            f"{text!r} is not a duration; use one like 90d, 12h or 30m.", code=USAGE
        )
    span = timedelta(**{UNITS[found[2]]: int(found[1])})
    if span > LONGEST:
        raise CommandFailed(f"{text!r} is longer than a hundred years.", code=USAGE)
    return span
