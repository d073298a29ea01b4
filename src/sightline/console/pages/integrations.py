"""Integrations: every source, webhook, mail server, CRM and model, with status and switch."""

from typing import Any, Final

from sightline.console.page import FormIsInvalid, Moved, Shown, Visit
from sightline.domain.errors import Refusal
from sightline.enrich.contact_providers.registry import CONTACT_PROVIDERS
from sightline.monitor.mail import INTEGRATION as MAIL

HERE: Final = "/console/settings/integrations"
_SYNCED: Final = ("data_source", "notification", "crm")
_SECURITY: Final = ("starttls", "tls", "none")
_PORTS: Final = (587, 465, 25, 2525)


async def change(visit: Visit) -> Shown | Moved:
    """Switch an integration on or off, use it now, or set up the mail server."""
    path = {"integration_id": visit.path("integration_id")[:100]}
    try:
        match visit.form.get("action"):
            case "enable" | "disable" as action:
                body = {"enabled": action == "enable"}
                await visit.run("update_integration", path=path, body=body)
            case "sync":
                done = await visit.run("sync_integration", path=path)
                if done["error"]:
                    return await show(visit, error=done["error"])
                return Moved(HERE, notice="synced")
            case "mail":
                await visit.run("set_mail_server", body=_mail(visit))
            case _:
                raise FormIsInvalid
    except Refusal as refusal:
        if refusal.type == "not_found":
            raise
        return await show(visit, error=refusal.message)
    return Moved(HERE, notice="integration_changed")


def _mail(visit: Visit) -> dict[str, Any]:
    port = visit.form.get("port", "")
    security = visit.form.get("security", "")
    recipients = visit.form.get("recipients", "").replace(",", " ").split()
    return {
        "host": visit.form.get("host", "").strip(),
        "port": int(port) if port in map(str, _PORTS) else _PORTS[0],
        "security": security if security in _SECURITY else _SECURITY[0],
        "username": visit.form.get("username", "").strip(),
        "password": visit.form.get("password") or None,
        "sender": visit.form.get("sender", "").strip(),
        "recipients": recipients[:50],
    }


async def show(visit: Visit, *, error: str | None = None) -> Shown:
    found = (await visit.run("read_integrations_status"))["integrations"]
    return Shown(
        "integrations.html",
        {
            "integrations": [each | _actions(each, is_admin=visit.is_admin) for each in found],
            "mail": MAIL,
            "ports": _PORTS,
            "security": _SECURITY,
            "error": error,
        },
    )


def _actions(integration: dict[str, Any], *, is_admin: bool) -> dict[str, bool]:
    """What the page offers to do with an integration."""
    category, status = integration["category"], integration["status"]
    is_provider = integration["id"] in CONTACT_PROVIDERS
    is_connectable = category == "crm" or is_provider
    is_of_admins = is_connectable or integration["id"] == MAIL
    is_running = is_of_admins and status in ("connected", "error")
    return {
        "is_connectable": is_connectable,
        "is_switchable": status != "not_configured"
        and category in _SYNCED
        and (is_admin or not is_of_admins),
        "can_sync": not is_provider and (category == "data_source" or is_running),
    }
