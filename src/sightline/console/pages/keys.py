"""API keys: created with scopes, shown once, rotated, revoked."""

from datetime import UTC, datetime
from typing import Any, Final

from sightline.console.page import FormIsInvalid, Moved, Shown, Visit, answered_page
from sightline.domain.errors import Refusal
from sightline.domain.scopes import SCOPES
from sightline.kit.clock import now

HERE: Final = "/console/settings/keys"
READ_ONLY: Final = tuple(name for name in SCOPES if name.endswith(":read"))
_MOST_USERS: Final = 50


async def create(visit: Visit) -> Shown:
    """Make a key; the page that answers shows it this once."""
    body: dict[str, Any] = {"name": visit.form.get("name", "").strip(), "scopes": _scopes(visit)}
    if visit.form.get("user_id"):
        body["user_id"] = str(visit.form_id("user_id"))
    if day := visit.form.get("expires", ""):
        body["expires_at"] = f"{day}T23:59:59Z"
    try:
        made = await visit.run("create_key", body=body)
    except Refusal as refusal:
        return await show(visit, error=refusal.message)
    return await show(visit, made=made["key"])


async def change(visit: Visit) -> Shown | Moved:
    """Revoke a key, or make a second one beside it that takes its place within a day."""
    path = {"key_id": visit.path_id("key_id")}
    try:
        match visit.form.get("action"):
            case "revoke":
                await visit.run("revoke_key", path=path)
                return Moved(HERE, notice="key_revoked")
            case "rotate":
                made = await visit.run("rotate_key", path=path, body={})
                return await show(visit, made=made["key"])
    except Refusal as refusal:
        return await show(visit, error=refusal.message)
    raise FormIsInvalid


def _scopes(visit: Visit) -> list[str]:
    match visit.form.get("access"):
        case "all":
            return ["*"]
        case "read":
            return list(READ_ONLY)
    return [each for each in SCOPES if each in visit.form.getlist("scope")]


async def show(visit: Visit, *, error: str | None = None, made: str | None = None) -> Shown:
    found, pager = await answered_page(visit, "list_keys")
    keys = [
        each | {"state": _state(each)}
        for each in found
        if visit.is_admin or each["owner"] == visit.session.email
    ]
    users = []
    if visit.is_admin:
        users = (await visit.run("list_users", query={"per_page": _MOST_USERS}))["items"]
    return Shown(
        "keys.html",
        {
            "keys": keys,
            "pager": pager,
            "users": [each for each in users if not each["disabled"]],
            "scopes": [(name, what) for name, what in SCOPES.items() if name != "*"],
            "made": made,
            "error": error,
        },
    )


def _state(key: dict[str, Any]) -> str:
    ends = key["expires_at"]
    if key["revoked_at"]:
        return "revoked"
    ended = ends is not None and datetime.fromisoformat(ends).astimezone(UTC) <= now()
    return "expired" if ended else "active"
