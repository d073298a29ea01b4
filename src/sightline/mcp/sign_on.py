"""OAuth for agents: access tokens of the console's identity provider, and their discovery by clients.

A token makes its holder the user whom the console would sign in, with the user's role. We issue none.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog
from mcp.server.auth.routes import build_resource_metadata_url
from mcp.shared.auth import ProtectedResourceMetadata
from pydantic import AnyHttpUrl

from sightline.domain.callers import Caller, OrganizationId
from sightline.domain.errors import KeyIsInvalid, ServiceIsUnavailable
from sightline.domain.keys import digest
from sightline.domain.sign_on import Identity, IdentityProvider, SignOnIsRefused, read_identity
from sightline.kit.clock import now
from sightline.kit.fetch.addresses import IPNetwork
from sightline.kit.openid import Client, Provider, ProviderIsAway, TokenIsRefused
from sightline.store.console_sessions import organization_by_slug
from sightline.store.database import Database
from sightline.store.identities import caller_of

log = structlog.get_logger()

# What a client asks the provider for: who the user is, no more.
SCOPES: Final = ("openid", "email", "profile")
LONGEST_TOKEN: Final = 16_000  # characters; some providers write every group of a user into it
_REMEMBERED: Final = timedelta(minutes=5)
_MOST_REMEMBERED: Final = 1_000


class Tokens:
    """Reads access tokens. What one says is remembered for five minutes, as long as it is valid; whether its
    user is disabled here is asked each time."""

    def __init__(
        self, config: IdentityProvider, database: Database, *, allow: Sequence[IPNetwork] = ()
    ) -> None:
        self._config, self._database = config, database
        client = Client(config.issuer, config.client_id, config.client_secret)
        self._provider = Provider(client, allow=allow)
        self._known: OrderedDict[bytes, tuple[datetime, Identity]] = OrderedDict()

    def is_known(self, token: str) -> bool:
        """Whether the token was read lately: reading another one costs a signature."""
        known = self._known.get(digest(token))
        return known is not None and known[0] > now()

    async def caller(self, token: str) -> Caller:
        """The user in a token. Raises KeyIsInvalid, and ServiceIsUnavailable while the provider is away."""
        try:
            identity = await self._identity(token)
            workspace = self._config.workspace
            organization_id = await organization_by_slug(self._database, workspace)
            if organization_id is None:
                raise SignOnIsRefused(f"There is no workspace {workspace}.")
            try:
                return await self._user(organization_id, identity)
            except SignOnIsRefused:  # another request may have made the same user a moment ago
                return await self._user(organization_id, identity)
        except ProviderIsAway as error:
            log.warning("identity_provider_away", reason=str(error))
            raise ServiceIsUnavailable(
                "The identity provider is not responding; try again."
            ) from error
        except (SignOnIsRefused, TokenIsRefused) as error:
            log.warning("token_refused", reason=str(error), cause=str(error.__cause__ or ""))
            raise KeyIsInvalid(str(error)) from error

    async def _identity(self, token: str) -> Identity:
        if len(token) > LONGEST_TOKEN:
            raise TokenIsRefused("The access token is not valid here.")
        if self.is_known(token):
            return self._known[digest(token)][1]
        claims = await self._provider.open(token, self._config.audience)
        identity = read_identity(self._config, claims)
        end = datetime.fromtimestamp(int(claims["exp"]), UTC)
        self._known[digest(token)] = min(end, now() + _REMEMBERED), identity
        while len(self._known) > _MOST_REMEMBERED:
            self._known.popitem(last=False)
        return identity

    async def _user(self, organization_id: OrganizationId, identity: Identity) -> Caller:
        async with self._database.tenant(organization_id) as connection:
            return await caller_of(connection, identity)


@dataclass(frozen=True)
class Resource:
    """The tools as a protected resource (RFC 9728) of an issuer; `url` is where clients have `/mcp`."""

    url: AnyHttpUrl
    issuer: str

    def metadata(self) -> bytes:
        # From text: an issuer is compared character by character, and a URL would get a slash behind it.
        said = {
            "resource": str(self.url),
            "authorization_servers": [self.issuer],
            "scopes_supported": SCOPES,
            "resource_name": "Sightline",
        }
        described = ProtectedResourceMetadata.model_validate(said)
        return described.model_dump_json(exclude_none=True).encode()

    def challenge(self, *, had_token: bool) -> str:
        """What WWW-Authenticate says to who has no token, or a wrong one."""
        where = build_resource_metadata_url(self.url)
        wrong = 'error="invalid_token", ' if had_token else ""
        return f'Bearer {wrong}resource_metadata="{where}"'
