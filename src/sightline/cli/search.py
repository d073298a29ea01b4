"""`search`: searches the evidence of all accounts."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli.context import DataDir, Organization
from sightline.cli.door import list_id, read_pages, through
from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, indented, note, print_json

if TYPE_CHECKING:
    from sightline.mcp.doors import Door

_LONGEST = 1_000


def search(
    text: Annotated[str, typer.Argument(help="What you want to know.")],
    list_name: Annotated[
        str | None, typer.Option("--list", help="Only the accounts of this list (name or id).")
    ] = None,
    companies: Annotated[
        int, typer.Option("--companies", min=1, max=100, help="Show at most this many companies.")
    ] = 10,
    per_company: Annotated[
        int,
        typer.Option(
            "--per-company", min=1, max=10, help="Show at most this many hits per company."
        ),
    ] = 3,
    organization: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Search the evidence of all accounts, or of a list; the company with the best match comes first.

    The JSON is an array of the items of POST /evidence/search. Set SIGHTLINE_URL and
    SIGHTLINE_API_KEY to use a remote server.
    """
    with one_line_errors():
        if not text.strip() or len(text) > _LONGEST:
            raise CommandFailed(f"Enter a query of 1 to {_LONGEST} characters.", code=USAGE)

        async def read(door: "Door") -> list[dict[str, Any]]:
            asked: dict[str, Any] = {"q": text, "per_company": per_company}
            if list_name is not None:
                asked["list_id"] = await list_id(door, list_name)
            return await read_pages(
                door, "search_evidence", given=asked, in_body=True, limit=companies
            )

        routes = {"search_evidence": "POST /evidence/search"}
        items = through(routes, read, org=organization, data_dir=data_dir)
    if as_json:
        print_json(items)
    else:
        _show(items)


def _show(items: list[dict[str, Any]]) -> None:
    """Companies and what their evidence says to stdout, for people."""
    for item in items:
        print(item["company"]["name"] or item["company"]["id"])
        for hit in item["hits"]:
            reported = hit["source"]["published_at"]
            day = (hit["occurred_at"] or "")[:10] or (reported and f"reported {reported[:10]}")
            mark = "background" if hit["background"] else ""
            print(indented(", ".join(filter(None, (hit["title"], day, mark))), 2))
            if hit["quote"]:
                print(indented(hit["quote"], 4))
    if not items:
        note("No evidence found.")
