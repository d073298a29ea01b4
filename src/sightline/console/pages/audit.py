"""The audit log, and API usage by key."""

from sightline.console.page import Shown, Visit, answered_page

_MOST_USERS = 50


async def show(visit: Visit) -> Shown:
    action, actor = visit.asked("action")[:100], visit.asked("actor")[:100]
    acts, pager = await answered_page(
        visit, "list_audit_log", action=action or None, actor=actor or None
    )
    users = (await visit.run("list_users", query={"per_page": _MOST_USERS}))["items"]
    keys = (await visit.run("list_keys", query={"per_page": _MOST_USERS}))["items"]
    names = {f"user:{each['id']}": each["email"] for each in users}
    names |= {f"key:{each['id']}": f"Key “{each['name']}”" for each in keys}
    return Shown(
        "audit.html",
        {
            "acts": acts,
            "pager": pager,
            "names": names,
            "action": action,
            "actor": actor,
        },
    )


async def usage(visit: Visit) -> Shown:
    """Requests of the last 30 days, by day, key and operation."""
    rows, pager = await answered_page(visit, "read_usage")
    return Shown("usage.html", {"rows": rows, "pager": pager})
