"""`sample remove`: removes the sample companies."""

from typing import TYPE_CHECKING, Annotated

import typer

from sightline.cli.context import DataDir, Organization, administer_organization
from sightline.cli.exits import one_line_errors
from sightline.cli.output import AsJson, confirm, print_json
from sightline.store.database import Tenant

if TYPE_CHECKING:
    pass

app = typer.Typer(help="Remove the sample companies.", no_args_is_help=True)


@app.command("remove")
def remove(
    org: Organization = "default",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Remove the accounts that the sample created, with their events, alerts, conversations and
    content. They cannot be restored; accounts you added or imported, credits and keys stay.
    """
    with one_line_errors():
        confirm(f"Remove the sample companies from {org}? Your own accounts stay.", yes=yes)

    async def work(tenant: "Tenant") -> int:
        from sightline.store.sample import remove_sample

        return await remove_sample(tenant)

    removed = administer_organization(org, work, data_dir=data_dir)
    if as_json:
        print_json({"organization": org, "removed": removed})
    else:
        print(f"Removed {removed} sample companies from {org}.")
