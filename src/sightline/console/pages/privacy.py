"""The suppression list, and erasing a person."""

from typing import Any, Final

from sightline.console.page import FormIsInvalid, Moved, Shown, Visit, answered_page
from sightline.domain.errors import Refusal

HERE: Final = "/console/settings/privacy"
PERSON: Final = ("email", "phone", "profile_network_url", "full_name", "company_name")


async def add(visit: Visit) -> Shown | Moved:
    """Put a person on the list, or erase the person for good."""
    person = {name: visit.form[name].strip() for name in PERSON if visit.form.get(name, "").strip()}
    try:
        match visit.form.get("action"):
            case "suppress":
                reason = visit.form.get("reason", "").strip() or "requested"
                body = {"items": [person], "reason": reason}
                await visit.run("add_suppressions", body=body)
                return Moved(HERE, notice="suppressed")
            case "erase":
                certificate = await visit.run("erase_person", body=person)
                return await show(visit, certificate=certificate)
    except Refusal as refusal:
        return await show(visit, error=refusal.message)
    raise FormIsInvalid


async def lift(visit: Visit) -> Moved:
    """Take an entry off the list."""
    await visit.run("lift_suppression", path={"suppression_id": visit.path_id("suppression_id")})
    return Moved(HERE, notice="lifted")


async def show(
    visit: Visit, *, error: str | None = None, certificate: dict[str, Any] | None = None
) -> Shown:
    entries, pager = await answered_page(visit, "list_suppressions")
    return Shown(
        "privacy.html",
        {
            "entries": entries,
            "pager": pager,
            "certificate": certificate,
            "error": error,
        },
    )
