"""`search`: one question to the evidence of all accounts."""

import textwrap
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sightline.cli.context import DataDir, Organization, administer, read_settings
from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, note, print_json

if TYPE_CHECKING:
    from sightline.domain.callers import OrganizationId
    from sightline.store.database import Connection, Database

_LONGEST = 1_000
_WIDTH = 96
_INDENT: Final[dict[str, Any]] = {"initial_indent": "    ", "subsequent_indent": "    "}


def search(
    text: Annotated[str, typer.Argument(help="What you want to know.")],
    list_name: Annotated[
        str | None, typer.Option("--list", help="Name or id of a list: its accounts alone.")
    ] = None,
    companies: Annotated[
        int, typer.Option("--companies", min=1, max=100, help="At most so many companies.")
    ] = 10,
    per_company: Annotated[
        int, typer.Option("--per-company", min=1, max=10, help="At most so many hits of one.")
    ] = 3,
    organization: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Search the evidence of all accounts, or of a list; the company with the best match comes first.

    The JSON is an array of the items of POST /evidence/search.
    """
    with one_line_errors():
        if not text.strip() or len(text) > _LONGEST:
            raise CommandFailed(f"Search for something of 1 to {_LONGEST} characters.", code=USAGE)

        from sightline.app import make_encoder
        from sightline.search.retrieve import retriever

        retriever().encoder = make_encoder(read_settings(data_dir))

        async def run(owner: "Database", application: "Database") -> list[dict[str, Any]]:
            from sightline.store.organizations import find_organization

            organization_id = await find_organization(owner, organization)
            async with application.tenant(organization_id) as connection:
                return await _search(
                    connection, organization_id, text, list_name,
                    companies=companies, per_company=per_company,
                )  # fmt: skip

        items = administer(run, data_dir=data_dir)
    if as_json:
        print_json(items)
    else:
        _show(items)


async def _search(
    connection: "Connection",
    organization_id: "OrganizationId",
    text: str,
    list_name: str | None,
    *,
    companies: int,
    per_company: int,
) -> list[dict[str, Any]]:
    from sightline.domain.filters import EVERYTHING, Filter, read_filter
    from sightline.kit.clock import now
    from sightline.search.across import search_companies
    from sightline.search.items import read_groups
    from sightline.search.relevance import Request
    from sightline.store.accounts import AccountFilter, account_companies
    from sightline.store.lists import list_named, resolve

    wanted: Filter = EVERYTHING
    if list_name is not None:
        list_id = await list_named(connection, organization_id, list_name)
        if list_id is None:
            raise CommandFailed(f"There is no list {list_name!r}.")
        member = read_filter({"field": "list", "op": "in", "value": [str(list_id)]}).filter
        wanted = await resolve(connection, organization_id, member)
    known = await account_companies(
        connection, organization_id, AccountFilter(wanted=wanted), company_ids=None
    )
    groups = await search_companies(connection, list(known), Request(now(), text.strip()))
    return await read_groups(connection, groups[:companies], known, per_company=per_company)


def _show(items: list[dict[str, Any]]) -> None:
    """Companies and what their evidence says to stdout, for people."""
    for item in items:
        print(item["company"]["name"] or item["company"]["id"])
        for hit in item["hits"]:
            day = (hit["occurred_at"] or "")[:10]
            print("  " + ", ".join(part for part in (hit["title"], day) if part))
            if hit["quote"]:
                print(textwrap.fill(hit["quote"], _WIDTH, **_INDENT))
    if not items:
        note("Nothing that was read about your accounts says so.")
