"""`brief`: a one-page brief about a company for a call."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli.context import DataDir, Organization
from sightline.cli.door import company_id, through
from sightline.cli.exits import one_line_errors
from sightline.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from sightline.mcp.doors import Door


def brief(
    company: Annotated[str, typer.Argument(help="Id, domain or name of the company.")],
    organization: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Print who a company is, what changed, why now, whom to call and what to ask, as Markdown.

    Every line has the numbers of its sources. Set SIGHTLINE_URL and SIGHTLINE_API_KEY to use a remote server.
    """
    with one_line_errors():
        from sightline.profile.brief_markdown import markdown

        async def read(door: "Door") -> dict[str, Any]:
            path = {"company_id": await company_id(door, company)}
            found: dict[str, Any] = await door.run("read_brief", path=path)
            return found

        routes = {"read_brief": "GET /companies/{company_id}/brief"}
        found = through(routes, read, org=organization, data_dir=data_dir)
    if as_json:
        print_json(found)
    else:
        print(markdown(found), end="")
