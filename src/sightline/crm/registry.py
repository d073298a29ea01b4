"""THE TABLE of CRMs."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from sightline.crm.fields import Mapped
from sightline.crm.hubspot import oauth
from sightline.crm.hubspot.client import HubspotClient
from sightline.crm.hubspot.defaults import MAPPING
from sightline.crm.hubspot.objects import Hubspot
from sightline.crm.provider import Crm, Save, Tokens
from sightline.kit.fetch.live import Web


@dataclass(frozen=True)
class Provider:
    """One kind of CRM. `authorize` makes the address that a person is sent to, of an app's id, where they
    come back to, and a state; `exchange` gets tokens for the code that they bring."""

    name: str
    title: str
    mapping: tuple[Mapped, ...]
    open: Callable[[Web, Tokens, Save], Crm]
    authorize: Callable[[str, str, str], str]
    exchange: Callable[[Web, str, str, str, str], Awaitable[Tokens]]


PROVIDERS: Final[dict[str, Provider]] = {
    "hubspot": Provider(
        "hubspot",
        "HubSpot",
        MAPPING,
        lambda web, tokens, save: Hubspot(HubspotClient(web, tokens, save)),
        oauth.authorize,
        oauth.exchange,
    ),
}
