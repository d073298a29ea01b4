"""Connecting a CRM with a token or an own app, and a contact provider with a key."""

import hmac
import secrets
from typing import Any, Final

from starlette.responses import RedirectResponse, Response

from sightline.console.door import Door
from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit
from sightline.console.pages import crm
from sightline.console.pages.integrations import HERE
from sightline.crm.registry import PROVIDERS
from sightline.domain.errors import Refusal
from sightline.enrich.contact_providers.registry import CONTACT_PROVIDERS

ATTEMPT_COOKIE: Final = "sightline_connecting"
_ATTEMPT_SECONDS: Final = 600
_MOST: Final = 300  # characters of each: a browser keeps 4,096 bytes in a cookie
STALE: Final = "This connection was started elsewhere or took too long. Start again."
_APP: Final = ("client_id", "secret", "site")


async def change(visit: Visit) -> Shown | Moved | Response:
    """Connect with a token or key, begin with an app of your own, or disconnect."""
    name = _name(visit)
    path = {"integration_id": name}
    try:
        match visit.form.get("action"):
            case "connect":
                body = {"secret": visit.form.get("secret", "").strip() or None}
                await visit.run("connect_integration", path=path, body=body)
                return Moved(f"{HERE}/{name}", notice="connected")
            case "authorize":
                return await _authorize(visit, name)
            case "disconnect":
                await visit.run("disconnect_integration", path=path)
                return Moved(f"{HERE}/{name}", notice="disconnected")
    except Refusal as refusal:
        return await show(visit, error=refusal.message)
    raise FormIsInvalid


async def come_back(visit: Visit) -> Shown | Response:
    """Finish what `authorize` began: the CRM sent the browser back with a code."""
    name, asked = _name(visit), visit.request.query_params
    kept = _attempt(visit, name)
    if kept is None or not hmac.compare_digest(
        asked.get("state", "").encode(), kept["state"].encode()
    ):
        return await show(visit, error=STALE)
    if not asked.get("code"):
        return await show(visit, error=f"{PROVIDERS[name].title} denied access.")
    body = _app(kept) | {"secret": kept["secret"], "code": asked["code"]}
    try:
        await visit.run("connect_integration", path={"integration_id": name}, body=body)
    except Refusal as refusal:
        return await show(visit, error=refusal.message)
    answer = RedirectResponse(f"{HERE}/{name}?notice=connected", 303)
    Door(visit.services).drop(answer, visit.request, ATTEMPT_COOKIE)
    return answer


async def _authorize(visit: Visit, name: str) -> Shown | Response:
    """Keep the app in the browser, sealed, until the CRM sends it back. The page that follows links there:
    the console's forms go to no other site."""
    app = {each: visit.form.get(each, "").strip() for each in _APP}
    if not app["client_id"] or not app["secret"] or max(map(len, app.values())) > _MOST:
        return await show(visit, error="Enter the client ID and the client secret of your app.")
    values = app | {
        "state": secrets.token_urlsafe(24),
        "back": f"{visit.origin}{HERE}/{name}/return",
    }
    made = await visit.run(
        "connect_integration",
        path={"integration_id": name},
        body=_app(values) | {"state": values["state"]},
    )
    door = Door(visit.services)
    values |= {"address": made["authorize_url"], "user": str(visit.session.user_id), "for": name}
    sealed = door.seal(ATTEMPT_COOKIE, values, seconds=_ATTEMPT_SECONDS)
    answer = RedirectResponse(f"{HERE}/{name}", 303)
    # Lax: the browser comes back from another site.
    door.keep(
        answer, visit.request, ATTEMPT_COOKIE, sealed, seconds=_ATTEMPT_SECONDS, samesite="lax"
    )
    return answer


def _app(values: dict[str, str]) -> dict[str, str | None]:
    return {
        "client_id": values["client_id"],
        "redirect_uri": values["back"],
        "site": values["site"] or None,
    }


def _attempt(visit: Visit, name: str) -> dict[str, str] | None:
    """What this user began with this CRM in this browser."""
    door = Door(visit.services)
    kept = door.open_sealed(ATTEMPT_COOKIE, door.cookie(visit.request, ATTEMPT_COOKIE))
    if kept is None or (kept["user"], kept["for"]) != (str(visit.session.user_id), name):
        return None
    return kept


def _name(visit: Visit) -> str:
    name = visit.path("integration_id")
    if name not in PROVIDERS and name not in CONTACT_PROVIDERS:
        raise NothingHere
    return name


async def show(visit: Visit, *, error: str | None = None) -> Shown:
    name = _name(visit)
    values: dict[str, Any] = {"given": visit.form if error else {}}
    if name in PROVIDERS:
        pending = _attempt(visit, name)
        values |= {
            "pending": pending["address"] if pending and not error else None,
            "back_to": f"{visit.origin}{HERE}/{name}/return",
        }
        return await crm.page(visit, name, error=error, **values)
    provider = CONTACT_PROVIDERS[name]
    values |= {
        "item": await crm.item_of(visit, name),
        "price": provider.price,
        "terms": provider.manifest.terms,
        "error": error,
    }
    return Shown("contact_provider.html", values)
