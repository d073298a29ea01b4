"""Sign-in through an identity provider, there and back."""

import hmac
from typing import Final

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sightline.console.door import TOO_MANY, Door
from sightline.console.page import ConsoleServices
from sightline.console.responses import origin
from sightline.domain.sign_on import IdentityProvider, SignOnIsRefused, read_identity
from sightline.kit.openid import Attempt, Client, Provider, ProviderIsAway, TokenIsRefused
from sightline.store.console_sessions import organization_by_slug
from sightline.store.identities import user_of

log = structlog.get_logger()

SIGN_ON: Final = "/console/sign-in/provider"
RETURN: Final = f"{SIGN_ON}/return"
ATTEMPT_COOKIE: Final = "sightline_sign_on"
_ATTEMPT_SECONDS: Final = 600
AWAY: Final = "The identity provider is not responding. Try again, or sign in with a password."
STALE: Final = "This sign-in started elsewhere or took too long. Start again."


class SignOn(Door):
    """The way to the provider and back."""

    def __init__(self, services: ConsoleServices, config: IdentityProvider) -> None:
        super().__init__(services)
        self._config = config
        client = Client(config.issuer, config.client_id, config.client_secret)
        self._provider = Provider(client, allow=services.allowed_networks)

    async def begin(self, request: Request) -> Response:
        if not await self.may_try(request):
            return self._refuse(request, TOO_MANY, 429)
        try:
            address, attempt = await self._provider.begin(self._return_to(request))
        except ProviderIsAway as error:
            return self._away(request, error)
        answer = RedirectResponse(address, 303)
        values = {"state": attempt.state, "nonce": attempt.nonce, "verifier": attempt.verifier}
        sealed = self.seal(ATTEMPT_COOKIE, values, seconds=_ATTEMPT_SECONDS)
        # Lax: the browser comes back from another site.
        self.keep(answer, request, ATTEMPT_COOKIE, sealed, seconds=_ATTEMPT_SECONDS, samesite="lax")
        return answer

    async def finish(self, request: Request) -> Response:
        if not await self.may_try(request):
            return self._refuse(request, TOO_MANY, 429)
        asked = request.query_params
        kept = self.open_sealed(ATTEMPT_COOKIE, self.cookie(request, ATTEMPT_COOKIE))
        state = asked.get("state", "")
        if kept is None or not hmac.compare_digest(state.encode(), kept["state"].encode()):
            return self._refuse(request, STALE, 401)
        try:
            if "code" not in asked:
                raise SignOnIsRefused("The identity provider denied access.")
            attempt = Attempt(kept["state"], kept["nonce"], kept["verifier"])
            answer = await self._admit(request, attempt, asked["code"])
        except ProviderIsAway as error:
            return self._away(request, error)
        except (SignOnIsRefused, TokenIsRefused) as error:
            log.warning("sign_on_refused", reason=str(error), cause=str(error.__cause__ or ""))
            return self._refuse(request, str(error), 403)
        self.drop(answer, request, ATTEMPT_COOKIE)
        return answer

    async def _admit(self, request: Request, attempt: Attempt, code: str) -> Response:
        claims = await self._provider.finish(attempt, code, self._return_to(request))
        identity = read_identity(self._config, claims)
        workspace = self._config.workspace
        organization_id = await organization_by_slug(self.services.database, workspace)
        if organization_id is None:
            raise SignOnIsRefused(f"There is no workspace {workspace}.")
        async with self.services.database.tenant(organization_id) as connection:
            user_id = await user_of(connection, identity)
        return await self.admit(request, organization_id, user_id, how="single sign-on")

    def _return_to(self, request: Request) -> str:
        """Where the provider sends the browser back to; it refuses addresses that it does not know."""
        return origin(request, trust_proxy=self.services.trust_proxy) + RETURN

    def _away(self, request: Request, error: ProviderIsAway) -> Response:
        log.warning("identity_provider_away", reason=str(error))
        return self._refuse(request, AWAY, 503)

    def _refuse(self, request: Request, error: str, status: int) -> Response:
        return self.sign_in_page(request, error=error, status=status)


def sign_on_routes(services: ConsoleServices, config: IdentityProvider) -> list[Route]:
    """The addresses of the way there and back."""
    sign_on = SignOn(services, config)
    return [
        Route(SIGN_ON, sign_on.begin, methods=["GET"]),
        Route(RETURN, sign_on.finish, methods=["GET"]),
    ]
