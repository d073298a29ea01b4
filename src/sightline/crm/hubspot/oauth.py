"""HubSpot's OAuth: where a person agrees, and tokens for the code that they come back with."""

from typing import Final
from urllib.parse import urlencode

from sightline.crm.hubspot.client import request_tokens
from sightline.crm.provider import Tokens
from sightline.kit.fetch.live import Web

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


def authorize(client_id: str, redirect_uri: str, state: str) -> str:
    """The address that asks a person of HubSpot to let the app in."""
    asked = {
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "scope": " ".join(SCOPES),
        "state": state,
    }
    return f"{AUTHORIZE}?{urlencode(asked)}"


async def exchange(
    web: Web, client_id: str, client_secret: str, redirect_uri: str, code: str
) -> Tokens:
    """Tokens for a code. Raises CrmIsBusy or ConnectionIsOver."""
    return await request_tokens(
        web,
        {
            "grant_type": "authorization_code",
            "client_id": client_id,
            "client_secret": client_secret,
            "redirect_uri": redirect_uri,
            "code": code,
        },
    )
