"""People at a company from a contact provider, with the price first."""

from typing import Any, Final
from urllib.parse import urlencode

from sightline.console.page import FormIsInvalid, Moved, Shown, Visit
from sightline.console.pages.company import company_of, tab_of
from sightline.domain.errors import Refusal
from sightline.enrich.contact_providers.registry import CONTACT_PROVIDERS

MOST: Final = ("10", "25", "50", "100")
# What the page says of an answer, in reading order.
OUTCOMES: Final = {
    "created": "new", "updated": "updated", "unchanged": "already known", "suppressed":
    "suppressed",
    "unusable": "unusable", "addresses_guessed": "guessed addresses left out",
    "addresses_without_mail": "addresses that take no mail left out",
}  # fmt: skip


async def show(visit: Visit) -> Shown:
    """The providers that are connected, and the most that asking one may cost."""
    return await _page(visit, visit.asked("provider"), visit.choice("max", MOST))


async def find(visit: Visit) -> Shown | Moved:
    """Ask the provider; what it knows becomes contacts."""
    provider, most = visit.form.get("provider", ""), visit.form.get("max", "")
    if provider not in CONTACT_PROVIDERS or most not in MOST:
        raise FormIsInvalid
    path = {"company_id": visit.path_id("company_id")}
    try:
        body = {"provider": provider, "max": int(most)}
        found = await visit.run("find_contacts", path=path, body=body)
    except Refusal as refusal:
        if refusal.type == "not_found":
            raise
        return await _page(visit, provider, most, error=refusal.message)
    said = {"provider": provider, "max": most, "found": found["found"]}
    said |= {name: found[name] for name in OUTCOMES}
    # A page that can be loaded again without asking again.
    return Moved(f"/console/companies/{path['company_id']}/people/find?{urlencode(said)}")


async def _page(visit: Visit, asked: str, most: str, *, error: str | None = None) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
    listed = (await visit.run("read_integrations_status"))["integrations"]
    usable = {
        each["id"]: each["provider_name"]
        for each in listed
        if each["id"] in CONTACT_PROVIDERS and each["status"] in ("connected", "error")
    }
    provider = asked if asked in usable else next(iter(usable), None)
    most, priced = most or MOST[0], None
    if provider is not None:
        body: dict[str, Any] = {"provider": provider, "max": int(most), "dry_run": True}
        try:
            priced = await visit.run("find_contacts", path={"company_id": company_id}, body=body)
        except Refusal as refusal:
            error = error or refusal.message
    known = _counts(visit)
    return tab_of(
        "company_find_people.html",
        "people",
        document,
        providers=usable,
        provider=provider,
        most=most,
        choices=MOST,
        priced=priced,
        found=known.get("found"),
        outcomes=[(known[name], word) for name, word in OUTCOMES.items() if known.get(name)],
        error=error,
    )


def _counts(visit: Visit) -> dict[str, int]:
    """What the last search found, as the address of the page says it."""
    counts = {name: visit.asked(name) for name in ("found", *OUTCOMES)}
    return {name: int(n) for name, n in counts.items() if n.isascii() and n.isdigit()}
