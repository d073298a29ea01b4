"""Settings: the organization, its users and keys, and what it sells. Keys are shown without secrets."""

import json

from sightline.console.page import Shown, Visit
from sightline.kit.clock import now
from sightline.store.administration import organization_object, users_page
from sightline.store.keys import list_keys
from sightline.store.seller_context import read_context

_MOST_USERS = 200


async def show(visit: Visit) -> Shown:
    organization_id = visit.session.organization_id
    async with visit.reading() as connection:
        organization = json.loads(await organization_object(connection, organization_id))
        users, total, _ = await users_page(
            connection, organization_id, before=None, offset=0, limit=_MOST_USERS
        )
        keys = await list_keys(connection, organization_id)
        context, _ = await read_context(connection, organization_id)
    is_admin = visit.session.role in ("owner", "admin")
    moment = now()
    for key in keys:
        ended = key["expires_at"] is not None and key["expires_at"] <= moment
        key["state"] = "revoked" if key["revoked_at"] else "expired" if ended else "active"
    return Shown(
        "settings.html",
        {
            "organization": organization,
            "users": json.loads(users) if is_admin else [],
            "user_count": total,
            "keys": keys if is_admin else [k for k in keys if k["owner"] == visit.session.email],
            "is_admin": is_admin,
            "context": {name: value for name, value in context.items() if value},
        },
    )
