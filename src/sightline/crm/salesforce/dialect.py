"""Salesforce's authorization, rate limits and refusals."""

from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from sightline.crm.client import CrmClient, Dialect
from sightline.crm.provider import App, ConnectionIsOver, Save, Tokens
from sightline.kit.fetch.answer import Reply
from sightline.kit.fetch.live import Web

SITE: Final = "https://login.salesforce.com"  # sandboxes: https://test.salesforce.com
_DOMAIN: Final = ".salesforce.com"
# Sent with 403, and with 503 while a whole organization is moved.
_LIMITS: Final = ("REQUEST_LIMIT_EXCEEDED", "SERVER_UNAVAILABLE")


def checked_site(site: str | None) -> str:
    """The address of a Salesforce site. Raises ConnectionIsOver for any other: tokens go nowhere else."""
    parts = urlsplit(site or SITE)
    host = parts.hostname or ""
    if parts.scheme != "https" or parts.netloc != host or not host.endswith(_DOMAIN):
        raise ConnectionIsOver(f"{site} is not a Salesforce URL.")
    return f"https://{host}"


def _first(answer: Any) -> dict[str, Any]:
    """The first of the errors that an answer tells; those of OAuth are no list."""
    found = answer[0] if isinstance(answer, list) and answer else answer
    return found if isinstance(found, dict) else {}


def _reason(answer: Any) -> str | None:
    error = _first(answer)
    return error.get("message") or error.get("error_description")


def _is_limit(reply: Reply, answer: Any) -> bool:
    return reply.status >= 400 and _first(answer).get("errorCode") in _LIMITS


DIALECT: Final = Dialect(
    "Salesforce", lambda site: f"{checked_site(site)}/services/oauth2/token", _reason, _is_limit
)


def open_client(web: Web, tokens: Tokens, save: Save) -> CrmClient:
    return CrmClient(DIALECT, checked_site(tokens.site), web=web, tokens=tokens, save=save)


def authorize(app: App, state: str) -> str:
    """The address that asks a person of Salesforce to let the app in."""
    asked = {
        "response_type": "code",
        "client_id": app.client_id,
        "redirect_uri": app.redirect_uri,
        "scope": "api refresh_token",
        "state": state,
    }
    return f"{checked_site(app.site)}/services/oauth2/authorize?{urlencode(asked)}"
