"""Webhooks: add, test, pause; the delivery log, and resending deliveries."""

from typing import Any, Final

from sightline.console.page import FormIsInvalid, Moved, Shown, Visit, answered_page
from sightline.domain.errors import Refusal

HERE: Final = "/console/settings/webhooks"
STATUSES: Final = ("pending", "delivered", "failed")
TOPICS: Final = ("event", "alert")


async def create(visit: Visit) -> Shown:
    """Add a webhook; the page that answers shows its secret this once."""
    body = {
        "url": visit.form.get("url", "").strip(),
        "description": visit.form.get("description", "").strip(),
        "topics": [each for each in TOPICS if each in visit.form.getlist("topic")],
    }
    try:
        made = await visit.run("create_webhook", body=body)
    except Refusal as refusal:
        return await show(visit, error=refusal.message.removeprefix("url: "))
    return await show(visit, secret=made["secret"])


async def change(visit: Visit) -> Shown | Moved:
    """Test, pause or delete a webhook, give it a new secret, or send a delivery again."""
    path: dict[str, Any] = {"webhook_id": visit.path_id("webhook_id")}
    here = f"{HERE}/{path['webhook_id']}"
    try:
        match visit.form.get("action"):
            case "test":
                await visit.run("test_webhook", path=path)
                return Moved(here, notice="message_queued")
            case "pause" | "resume" as action:
                body = {"enabled": action == "resume"}
                await visit.run("update_webhook", path=path, body=body)
            case "redeliver":
                path["delivery_id"] = visit.form_id("delivery_id")
                await visit.run("redeliver_webhook", path=path)
                return Moved(here, notice="message_queued")
            case "rotate":
                made = await visit.run("rotate_webhook_secret", path=path, body={})
                return await detail(visit, secret=made["secret"])
            case "delete":
                await visit.run("delete_webhook", path=path)
                return Moved(HERE, notice="webhook_deleted")
            case _:
                raise FormIsInvalid
    except Refusal as refusal:
        if refusal.type == "not_found":
            raise
        return await detail(visit, error=refusal.message)
    return Moved(here)


async def show(visit: Visit, *, error: str | None = None, secret: str | None = None) -> Shown:
    webhooks, pager = await answered_page(visit, "list_webhooks")
    return Shown(
        "webhooks.html",
        {
            "webhooks": webhooks,
            "pager": pager,
            "topics": TOPICS,
            "secret": secret,
            "error": error,
        },
    )


async def detail(visit: Visit, *, error: str | None = None, secret: str | None = None) -> Shown:
    path = {"webhook_id": visit.path_id("webhook_id")}
    status = visit.choice("status", STATUSES)
    deliveries, pager = await answered_page(
        visit, "list_webhook_deliveries", path=path, status=status or None
    )
    return Shown(
        "webhook.html",
        {
            "webhook": await visit.run("read_webhook", path=path),
            "deliveries": deliveries,
            "pager": pager,
            "is_live": any(each["status"] == "pending" for each in deliveries),
            "status": status,
            "statuses": STATUSES,
            "secret": secret,
            "error": error,
        },
    )
