"""THE TABLE of CRMs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sightline.crm.client import Dialect
from sightline.crm.fields import Mapped
from sightline.crm.hubspot import defaults as hubspot_defaults
from sightline.crm.hubspot import dialect as hubspot
from sightline.crm.hubspot.objects import Hubspot
from sightline.crm.provider import App, Crm, Save, Tokens
from sightline.crm.salesforce import defaults as salesforce_defaults
from sightline.crm.salesforce import dialect as salesforce
from sightline.crm.salesforce.objects import Salesforce
from sightline.kit.fetch.live import Web


@dataclass(frozen=True)
class Provider:
    """One kind of CRM. `authorize` makes the address that a person is sent to, of an app and a state;
    `takes_tokens` says whether a token alone, without an app, opens it."""

    name: str
    dialect: Dialect
    mapping: tuple[Mapped, ...]
    open: Callable[[Web, Tokens, Save], Crm]
    authorize: Callable[[App, str], str]
    takes_tokens: bool

    @property
    def title(self) -> str:
        return self.dialect.title


PROVIDERS: Final[dict[str, Provider]] = {
    "hubspot": Provider(
        "hubspot",
        hubspot.DIALECT,
        hubspot_defaults.MAPPING,
        lambda web, tokens, save: Hubspot(hubspot.open_client(web, tokens, save)),
        hubspot.authorize,
        takes_tokens=True,
    ),
    "salesforce": Provider(
        "salesforce",
        salesforce.DIALECT,
        salesforce_defaults.MAPPING,
        lambda web, tokens, save: Salesforce(salesforce.open_client(web, tokens, save)),
        salesforce.authorize,
        takes_tokens=False,
    ),
}
