"""`brief`: one page about a company to take into a call."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli.ask import find
from sightline.cli.context import DataDir, Organization, administer_organization
from sightline.cli.exits import one_line_errors
from sightline.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from sightline.domain.callers import OrganizationId
    from sightline.store.database import Connection


def brief(
    company: Annotated[str, typer.Argument(help="Id, domain or name of a company.")],
    organization: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Print who a company is, what changed, why now, whom to call and what to ask, as Markdown.

    Every line has the numbers of its sources. The JSON is that of GET /companies/{company_id}/brief.
    """
    from sightline.kit.clock import now
    from sightline.profile.brief import read_brief
    from sightline.profile.brief_markdown import markdown

    async def run(connection: "Connection", organization_id: "OrganizationId") -> dict[str, Any]:
        company_id = await find(connection, organization_id, company)
        found = await read_brief(connection, organization_id, company_id, now=now())
        assert found is not None  # `find` answers companies that are there
        return found

    with one_line_errors():
        made = administer_organization(organization, run, data_dir=data_dir)
    if as_json:
        print_json(made)
    else:
        print(markdown(made), end="")
