"""Resolves an id, domain or name on the command line to a company."""

from typing import TYPE_CHECKING
from uuid import UUID

from sightline.cli.exits import CommandFailed

if TYPE_CHECKING:
    from sightline.store.database import Connection


async def company_named(connection: "Connection", company: str) -> UUID:
    """The company of an id, domain or name; for a tenant, of an id also one that only it knows.

    Raises CommandFailed for none and for several.
    """
    from sightline.store.catalogue import find_companies, find_company
    from sightline.store.companies import present_company
    from sightline.store.database import Tenant

    try:
        wanted = UUID(company)
    except ValueError:
        rows = await find_companies(connection, domains=[company.casefold()], names=[company])
        found = list(dict.fromkeys(row.company_id for row in rows))
    else:
        if isinstance(connection, Tenant):
            known = await present_company(connection, wanted)
        else:
            row = await find_company(connection, wanted)
            known = row.company_id if row else None
        found = [known] if known else []
    if not found:
        raise CommandFailed(f"The catalog has no company {company!r}.")
    if len(found) > 1:
        raise CommandFailed(f"Several companies are {company!r}: {', '.join(map(str, found[:5]))}.")
    return found[0]
