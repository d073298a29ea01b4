"""Runs API operations for commands: in this process, or on the server at SIGHTLINE_URL."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import UUID

from sightline.cli.context import read_settings, settings_with_database
from sightline.cli.exits import CONFIGURATION, FAILURE, UNAVAILABLE, CommandFailed, one_line_errors

if TYPE_CHECKING:
    from sightline.mcp.doors import Door
    from sightline.settings import Settings

T = TypeVar("T")
_PAGE: Final = 50
_SHOWN: Final = 5


def through(
    routes: dict[str, str],
    work: "Callable[[Door], Awaitable[T]]",
    *,
    org: str,
    data_dir: Path | None,
) -> T:
    """Run `work(door)`. `routes` are method and path of the operations that it uses, by their names.

    With SIGHTLINE_URL the server there runs them for SIGHTLINE_API_KEY; else they run here, on the
    database of the settings, as the organization's first owner.
    """
    from sightline.mcp.doors import OperationFailed

    settings = read_settings(data_dir)
    try:
        if settings.url is not None:
            return asyncio.run(_remote(settings, {**routes, **FINDING}, work))
        with settings_with_database(data_dir) as local:
            from sightline import app

            app.prepare(local)

            return asyncio.run(_here(local, org, work))
    except OperationFailed as failure:
        code = UNAVAILABLE if failure.code == "unavailable" else FAILURE
        raise CommandFailed(str(failure), code=code) from failure


def run(
    operation: str,
    route: str,
    *,
    path: dict[str, str] | None = None,
    body: Any = None,
    org: str,
    data_dir: Path | None,
) -> Any:
    """The answer of one operation; `route` is its method and path. Its refusal ends the command."""
    with one_line_errors():
        return through(
            {operation: route},
            lambda door: door.run(operation, path=path, body=body),
            org=org,
            data_dir=data_dir,
        )


async def _here(settings: "Settings", org: str, work: "Callable[[Door], Awaitable[T]]") -> T:
    from sightline import app
    from sightline.api.gate import Gate
    from sightline.api.inside import Operations
    from sightline.domain.callers import everything
    from sightline.mcp.doors import Inside
    from sightline.store.organizations import find_organization, find_user

    async with app.databases(settings) as (owner, application):
        organization_id = await find_organization(owner, org)
        async with application.tenant(organization_id) as connection:
            user_id = await find_user(connection)
        gate = Gate(app.services(settings, application))
        return await work(Inside(Operations(gate).run, everything(organization_id, user_id)))


async def _remote(
    settings: "Settings", routes: dict[str, str], work: "Callable[[Door], Awaitable[T]]"
) -> T:
    import httpx

    from sightline.mcp.remote import SECONDS, Remote

    if settings.api_key is None:
        raise CommandFailed(
            "SIGHTLINE_URL needs an API key of that server in SIGHTLINE_API_KEY.",
            code=CONFIGURATION,
        )
    headers = {"x-api-key": settings.api_key.get_secret_value()}
    async with httpx.AsyncClient(
        base_url=str(settings.url).rstrip("/"), headers=headers, timeout=SECONDS
    ) as client:
        known = {name: _split(route) for name, route in routes.items()}
        return await work(Remote(client, known))


def _split(route: str) -> tuple[str, str]:
    method, path = route.split()
    return method, path


async def read_pages(
    door: "Door",
    operation: str,
    *,
    path: dict[str, str] | None = None,
    given: dict[str, Any],
    in_body: bool,
    limit: int,
) -> list[dict[str, Any]]:
    """The first `limit` items of a list, page by page."""
    found: list[dict[str, Any]] = []
    asked = {**given, "per_page": min(limit, _PAGE)}
    while True:
        place = {"body": asked} if in_body else {"query": asked}
        page = await door.run(operation, path=path, **place)
        found.extend(page["items"])
        cursor = page["pagination"].get("next_cursor")
        if cursor is None or not page["pagination"]["has_next"] or len(found) >= limit:
            return found[:limit]
        asked = {**asked, "cursor": cursor}


# What finding things by name uses.
FINDING: Final = {
    "list_lists": "GET /lists",
    "read_company": "GET /companies/{company_id}",
    "search_accounts": "POST /accounts",
}


async def company_id(door: "Door", company: str) -> str:
    """The id of a company by its id, or by domain or name of its account. Raises CommandFailed."""
    return company if _is_id(company) else str((await _account(door, company))["company_id"])


async def account_id(door: "Door", account: str) -> str:
    """The id of an account by its id, that of its company, domain or name. Raises CommandFailed."""
    from sightline.mcp.doors import OperationFailed

    if not _is_id(account):
        return str((await _account(door, account))["id"])
    try:
        record = await door.run("read_company", path={"company_id": account})
    except OperationFailed:
        return account
    found = await _called(door, record["company_name"])
    return next((str(each["id"]) for each in found if each["company_id"] == account), account)


async def _account(door: "Door", name: str) -> dict[str, Any]:
    """The account with a domain or name; the only one that has it in part. Raises CommandFailed."""
    found, wanted = await _called(door, name), name.casefold()
    exact = [
        each
        for each in found
        if wanted in (_folded(each, "website_domain"), _folded(each, "company_name"))
    ]
    found = exact or found
    if len(found) == 1:
        return found[0]
    if not found:
        raise CommandFailed(
            f"None of your accounts is called {name!r}; use its id for a company that is not an account."
        )
    listed = "; ".join(f"{each['company_name']} {each['company_id']}" for each in found[:_SHOWN])
    raise CommandFailed(f"Several accounts match {name!r}; give an id: {listed}.")


async def _called(door: "Door", name: str) -> list[dict[str, Any]]:
    given = {"company_name": name}
    return await read_pages(door, "search_accounts", given=given, in_body=True, limit=_PAGE)


async def list_id(door: "Door", name: str) -> str:
    """The id of a list by its id or name. Raises CommandFailed."""
    if _is_id(name):
        return name
    for each in await read_pages(door, "list_lists", given={}, in_body=False, limit=10_000):
        if each["name"].casefold() == name.casefold():
            return str(each["id"])
    raise CommandFailed(f"There is no list {name!r}; `sightline lists` shows all.")


def _folded(item: dict[str, Any], field: str) -> str:
    return (item[field] or "").casefold()


def _is_id(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False
