"""Messages for Slack and Microsoft Teams channels, in the format of their incoming webhooks."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from sightline.store.channels import ChatKind

_LONGEST_TEXT: Final = 2_000  # Slack refuses sections of more than 3,000 characters


def chat_message(kind: ChatKind, event: Mapping[str, Any]) -> str:
    """The body that tells a channel of an event, as `store.events` reads it."""
    return json.dumps(_FORMS[kind](event), separators=(",", ":"))


def quiet_time(at: datetime, hours: tuple[int, int] | None, zone: str) -> timedelta:
    """How long nothing is sent from `at` on: to the end of the quiet hours (from, until) of a zone, if it
    is in them. They may span midnight; from and until alike are none."""
    if hours is None or hours[0] == hours[1]:
        return timedelta(0)
    local = at.astimezone(ZoneInfo(zone))
    start, end = hours
    is_quiet = start <= local.hour < end if start < end else not end <= local.hour < start
    if not is_quiet:
        return timedelta(0)
    ends = datetime.combine(local.date(), time(end), local.tzinfo)
    if ends <= local:
        ends += timedelta(days=1)  # by the wall's clock: summer time may make it 23 or 25 hours
    return ends.astimezone(at.tzinfo) - at


def _parts(event: Mapping[str, Any]) -> tuple[str, str, str, str | None]:
    """Company, title, summary and the address of the source."""
    source = event.get("source") or {}
    url = source.get("url")
    return (
        str(event["company"].get("name") or "A company"),
        str(event["title"])[:_LONGEST_TEXT],
        str(event.get("summary") or "")[:_LONGEST_TEXT],
        url if str(url).startswith(("https://", "http://")) else None,
    )


def _slack(event: Mapping[str, Any]) -> dict[str, Any]:
    company, title, summary, url = (_escaped(part) if part else part for part in _parts(event))
    heading = f"<{url}|{title}>" if url and "|" not in url else f"{title}"
    text = f"*{company}*\n{heading}" + (f"\n{summary}" if summary else "")
    section = {"type": "section", "text": {"type": "mrkdwn", "text": text[:_LONGEST_TEXT]}}
    return {"text": f"{company}: {title}", "blocks": [section]}


def _teams(event: Mapping[str, Any]) -> dict[str, Any]:
    company, title, summary, url = _parts(event)
    texts: list[dict[str, Any]] = [{"text": company, "weight": "Bolder"}, {"text": title}]
    texts += [{"text": summary, "isSubtle": True}] if summary else []
    card: dict[str, Any] = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        # A block reads Markdown; texts of others are quoted, so that no link in them hides where it leads.
        "body": [
            {"type": "TextBlock", "wrap": True, **block, "text": _plain(block["text"])}
            for block in texts
        ],
    }
    if url:
        card["actions"] = [{"type": "Action.OpenUrl", "title": "Source", "url": url}]
    content = {"contentType": "application/vnd.microsoft.card.adaptive", "content": card}
    return {"type": "message", "attachments": [content]}


def _escaped(text: str) -> str:
    """Slack's three control characters as entities: no text of others mentions or links."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _plain(text: str) -> str:
    return "".join(f"\\{each}" if each in "\\[]()*_`#" else each for each in text)


_FORMS: Final[dict[ChatKind, Callable[[Mapping[str, Any]], dict[str, Any]]]] = {
    "slack": _slack,
    "teams": _teams,
}
