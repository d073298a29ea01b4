"""The first start on a database: the sample companies, an API key and a link to the console."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sightline.store.database import Tenant

if TYPE_CHECKING:
    from sightline.domain.callers import UserId
    from sightline.settings import Settings


@dataclass(frozen=True)
class Welcome:
    """An API key of the organization `default` (None when it was shown before: what is printed ends in
    logs) and the path of a link that signs its owner in to the console once."""

    key: str | None
    sign_in: str


def welcome(settings: "Settings", *, sample: bool) -> Welcome:
    """Load the sample companies if they are wanted and not loaded before, and make a way in."""
    return asyncio.run(_welcome(settings, sample=sample))


async def _welcome(settings: "Settings", *, sample: bool) -> Welcome:
    from sightline.app import databases
    from sightline.sample.load import ensure_key, load_sample
    from sightline.store.bootstrap import DEFAULT_SLUG
    from sightline.store.organizations import find_organization, find_user

    async with databases(settings) as (owner, app):
        organization_id = await find_organization(owner, DEFAULT_SLUG)
        if sample:
            await load_sample(app, organization_id)
        key, is_new = await ensure_key(app, organization_id, settings.data_dir / "secrets")
        async with app.tenant(organization_id) as connection:
            user_id = await find_user(connection)
            path = await sign_in_path(connection, user_id)
    return Welcome(key if is_new else None, path)


async def sign_in_path(tenant: "Tenant", user_id: "UserId") -> str:
    """The path of a console page that signs a user in once, within a day."""
    from sightline.store.console_sessions import make_link

    return f"/console/link/{await make_link(tenant, user_id)}"
