"""The audit log, and API usage by key."""

from sightline.console.page import Shown, Visit, page_number, pager

_MOST_USERS = 50


async def show(visit: Visit) -> Shown:
    action, actor = visit.asked("action")[:100], visit.asked("actor")[:100]
    query = {"page": page_number(visit), "action": action or None, "actor": actor or None}
    found = await visit.run("list_audit_log", query=query)
    users = (await visit.run("list_users", query={"per_page": _MOST_USERS}))["items"]
    keys = (await visit.run("list_keys", query={"per_page": _MOST_USERS}))["items"]
    names = {f"user:{each['id']}": each["email"] for each in users}
    names |= {f"key:{each['id']}": f"Key “{each['name']}”" for each in keys}
    return Shown(
        "audit.html",
        {
            "acts": found["items"],
            "pager": pager(visit, found["pagination"]["total"]),
            "names": names,
            "action": action,
            "actor": actor,
        },
    )


async def usage(visit: Visit) -> Shown:
    """Requests of the last 30 days, by day, key and operation."""
    found = await visit.run("read_usage", query={"page": page_number(visit)})
    where = pager(visit, found["pagination"]["total"])
    return Shown("usage.html", {"rows": found["items"], "pager": where})
