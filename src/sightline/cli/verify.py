"""`verify`: proves the statements of stored profiles again."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from sightline.cli.companies_named import company_named
from sightline.cli.context import DataDir, administer
from sightline.cli.exits import FAILURE, USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, note, print_json, print_table

if TYPE_CHECKING:
    from sightline.profile.verify import Verified
    from sightline.store.database import Connection, Database

_MOST_SHOWN = 20


def verify(
    company: Annotated[
        str | None, typer.Argument(help="Id, domain or name of a company.", metavar="COMPANY")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every company with a profile.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Check that its documents prove every stored statement, and print the rate.

    Fails if any statement is not proven: its quote is not in the document, or a figure has no source.
    """
    with one_line_errors():
        if (company is None) == (not every):
            raise CommandFailed("Give a company or --all.", code=USAGE)

        async def run(owner: "Database", application: "Database") -> "list[Verified]":
            del owner
            async with application.connection() as connection:
                return await _verify(connection, company)

        found = administer(run, data_dir=data_dir)
    failures = [
        {"company_id": each.company_id, "name": each.name, "failure": failure}
        for each in found
        for failure in each.failures
    ]
    checked, failed = sum(each.checked for each in found), len(failures)
    rate = 1 - failed / checked if checked else 1.0
    if as_json:
        counts = {"companies": len(found), "checked": checked, "failed": failed, "rate": rate}
        print_json({**counts, "failures": failures})
    else:
        rows = [(each.name, each.checked, len(each.failures)) for each in found]
        print_table(("company", "statements", "not proven"), rows, empty="No profiles.")
        for row in failures[:_MOST_SHOWN]:
            note(str(row["failure"]))
        note(f"{checked - failed} of {checked} statements are proven ({rate:.2%}).")
    if failed:
        raise typer.Exit(FAILURE)


async def _verify(connection: "Connection", company: str | None) -> "list[Verified]":
    from sightline.profile.verify import verify as prove
    from sightline.store.profiles import companies_with_profiles

    if company is None:
        ids = await companies_with_profiles(connection)
    else:
        ids = [await company_named(connection, company)]
    found = []
    for company_id in ids:
        verified = await prove(connection, company_id)
        if verified is not None:
            found.append(verified)
            await asyncio.sleep(0)
    return found
