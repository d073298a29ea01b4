"""Settings: the organization and its offering; keys, users and the rest have their own pages."""

from sightline.console.page import Moved, Shown, Visit
from sightline.domain.errors import Refusal
from sightline.store.seller_context import read_context


async def rename(visit: Visit) -> Shown | Moved:
    """Give the organization another name."""
    try:
        body = {"name": visit.form.get("name", "").strip()}
        await visit.run("update_organization", body=body)
    except Refusal as refusal:
        return await show(visit, error=refusal.message)
    return Moved("/console/settings")


async def show(visit: Visit, *, error: str | None = None) -> Shown:
    async with visit.reading() as connection:
        context, _ = await read_context(connection)
    return Shown(
        "settings.html",
        {
            "organization": await visit.run("read_organization"),
            "context": {name: value for name, value in context.items() if value},
            "error": error,
        },
    )
