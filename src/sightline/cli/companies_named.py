"""Which company a word of the command line means."""

from typing import TYPE_CHECKING
from uuid import UUID

from sightline.cli.exits import CommandFailed

if TYPE_CHECKING:
    from sightline.store.database import Connection


async def company_named(connection: "Connection", company: str) -> UUID:
    """The company of an id, domain or name. Raises CommandFailed for none and for several."""
    from sightline.store.catalogue import find_companies, find_company

    try:
        known = await find_company(connection, UUID(company))
        found = [known] if known else []
    except ValueError:
        found = await find_companies(connection, domains=[company.casefold()], names=[company])
    if not found:
        raise CommandFailed(f"The catalogue has no company {company!r}.")
    if len(found) > 1:
        ids = ", ".join(str(each.company_id) for each in found[:5])
        raise CommandFailed(f"Several companies are {company!r}: {ids}.")
    return found[0].company_id
