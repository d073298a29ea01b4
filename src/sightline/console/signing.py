"""Signing in with a password or a link, and signing out."""

import asyncio
import hmac
import secrets
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sightline.console.door import COOKIE, TOO_MANY, Door
from sightline.console.forms import read_form
from sightline.console.page import ConsoleServices, FormIsInvalid
from sightline.console.responses import HOME, SIGN_IN
from sightline.console.second_step import PENDING_COOKIE, SECOND_STEP, pending_value
from sightline.store.console_sessions import (
    Login,
    close_session,
    find_login,
    find_session,
    organization_of,
    redeem_link,
)

TRIES_PER_USER: Final = 6  # from one address
TRIES_PER_USER_ANYWHERE: Final = 60  # so that no stranger keeps a user out with a few
WRONG: Final = "Incorrect workspace, email or password."
USED_LINK: Final = (
    "This link has been used or has expired. Sign in with a password, or create a new link."
)
# A check takes 64 MB and a core for a twentieth of a second.
_CHECKS_AT_ONCE = 4


class Signing(Door):
    """The pages that need no session."""

    def __init__(self, services: ConsoleServices) -> None:
        super().__init__(services)
        self._slots = asyncio.Semaphore(_CHECKS_AT_ONCE)

    async def form(self, request: Request) -> Response:
        """The sign-in page; a signed-in user goes on."""
        token = self.cookie(request, COOKIE)
        if await find_session(self.services.database, token) is not None:
            return RedirectResponse(HOME, 303)
        return self.sign_in_page(request)

    async def sign_in(self, request: Request) -> Response:
        form = await read_form(request)
        self.check_form(request, form.get("csrf", ""))
        slug, email = form.get("workspace", "").strip()[:40], form.get("email", "").strip()[:254]
        hit = self.services.throttle
        address, user = self.address(request), f"{slug} {email.lower()}"
        allowed = (
            await self.may_try(request)
            and await hit(f"sign-in {user} from {address}", TRIES_PER_USER)
            and await hit(f"sign-in user {user}", TRIES_PER_USER_ANYWHERE)
        )
        if not allowed:
            return self.sign_in_page(request, error=TOO_MANY, slug=slug, email=email, status=429)
        login = await find_login(self.services.database, slug, email)
        if not await self._is_password(login, form.get("password", "")) or login is None:
            return self.sign_in_page(request, error=WRONG, slug=slug, email=email, status=401)
        if login.has_factor or login.factor_required:
            answer = RedirectResponse(SECOND_STEP, 303)
            values, seconds = pending_value(login)
            sealed = self.seal(PENDING_COOKIE, values, seconds=seconds)
            self.keep(answer, request, PENDING_COOKIE, sealed, seconds=seconds)
            return answer
        return await self.admit(request, login.organization_id, login.user_id, how="password")

    async def link(self, request: Request) -> Response:
        """A page with a button: a link that is only looked at, as mail scanners do, is not used up."""
        return self.page(request, "link.html", {"token": request.path_params["token"][:200]})

    async def use_link(self, request: Request) -> Response:
        form = await read_form(request)
        self.check_form(request, form.get("csrf", ""))
        token = form.get("token", "")
        if not await self.may_try(request):
            return self.sign_in_page(request, error=TOO_MANY, status=429)
        organization_id = organization_of(token)
        user_id = None
        if organization_id is not None:
            async with self.services.database.tenant(organization_id) as connection:
                user_id = await redeem_link(connection, token)
        if organization_id is None or user_id is None:
            return self.sign_in_page(request, error=USED_LINK, status=401)
        return await self.admit(request, organization_id, user_id, how="link")

    async def sign_out(self, request: Request) -> Response:
        form = await read_form(request)
        token = self.cookie(request, COOKIE)
        session = await find_session(self.services.database, token)
        if session is not None:
            if not hmac.compare_digest(form.get("csrf", "").encode(), session.csrf.encode()):
                raise FormIsInvalid
            async with self.services.database.tenant(session.organization_id) as connection:
                await close_session(connection, token)
        answer = RedirectResponse(SIGN_IN, 303)
        self.drop(answer, request, COOKIE)
        return answer

    async def _is_password(self, login: Login | None, password: str) -> bool:
        """One check whether the user exists or not: the time taken must not tell."""
        stored = (login and login.password_hash) or _nobodys_hash()
        async with self._slots:
            matches = await asyncio.to_thread(_matches, stored, password[:1000])
        return matches and login is not None and login.password_hash is not None


def _matches(stored: str, password: str) -> bool:
    try:
        return PasswordHasher().verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobodys_hash() -> str:
    return PasswordHasher().hash(secrets.token_urlsafe(32))
