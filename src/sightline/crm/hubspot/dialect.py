"""HubSpot's authorization, rate limits and refusals."""

from typing import Any, Final
from urllib.parse import urlencode

from sightline.crm.client import CrmClient, Dialect
from sightline.crm.provider import App, Save, Tokens
from sightline.kit.fetch.live import Web

API: Final = "https://api.hubapi.com"
AUTHORIZE: Final = "https://app.hubspot.com/oauth/authorize"
SCOPES: Final = (
    "crm.objects.companies.read",
    "crm.objects.companies.write",
    "crm.objects.contacts.read",
    "crm.objects.contacts.write",
    "crm.schemas.companies.read",
    "crm.schemas.companies.write",
    "crm.schemas.contacts.read",
)


def _reason(answer: Any) -> str | None:
    return answer.get("message") if isinstance(answer, dict) else None


DIALECT: Final = Dialect(
    "HubSpot", lambda _site: f"{API}/oauth/v1/token", _reason, lambda _reply, _answer: False
)


def open_client(web: Web, tokens: Tokens, save: Save) -> CrmClient:
    return CrmClient(DIALECT, API, web=web, tokens=tokens, save=save)


def authorize(app: App, state: str) -> str:
    """The address that asks a person of HubSpot to let the app in."""
    asked = {
        "client_id": app.client_id,
        "redirect_uri": app.redirect_uri,
        "scope": " ".join(SCOPES),
        "state": state,
    }
    return f"{AUTHORIZE}?{urlencode(asked)}"
