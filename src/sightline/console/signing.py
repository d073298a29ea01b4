"""Signing in with a password or a link, and out."""

import asyncio
import hmac
import secrets
from collections.abc import Mapping
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sightline.console.forms import read_form
from sightline.console.page import ConsoleServices, FormIsInvalid
from sightline.console.responses import HOME, SIGN_IN, cookie_name, html, is_https
from sightline.domain.callers import OrganizationId, UserId
from sightline.store.console_sessions import (
    SESSION_LENGTH,
    Login,
    close_session,
    find_login,
    find_session,
    open_session,
    organization_of,
    redeem_link,
)
from sightline.store.organizations import record_act

COOKIE: Final = "sightline_session"
# Holds the form's token before there is a session: another site cannot set it, so it cannot sign
# somebody in as somebody else.
FORM_COOKIE: Final = "sightline_form"
TRIES_PER_ADDRESS: Final = 20
TRIES_PER_USER: Final = 6  # from one address
TRIES_PER_USER_ANYWHERE: Final = 60  # so that no stranger keeps a user out with a few
WRONG: Final = "That workspace, e-mail and password do not go together."
TOO_MANY: Final = "Too many attempts. Wait a minute, then try again."
USED_LINK: Final = (
    "This link has been used or has expired. Sign in with a password, or make a new link."
)
# A check takes 64 MB and a core for a twentieth of a second.
_CHECKS_AT_ONCE = 4


class Signing:
    """The pages that need no session."""

    def __init__(self, services: ConsoleServices) -> None:
        self._services = services
        self._slots = asyncio.Semaphore(_CHECKS_AT_ONCE)

    async def form(self, request: Request) -> Response:
        """The sign-in page; somebody who is signed in already goes on."""
        token = self._cookie(request, COOKIE)
        if await find_session(self._services.database, token) is not None:
            return RedirectResponse(HOME, 303)
        return self._form(request)

    async def sign_in(self, request: Request) -> Response:
        form = await read_form(request)
        self._check_form(request, form.get("csrf", ""))
        slug, email = form.get("workspace", "").strip()[:40], form.get("email", "").strip()[:254]
        hit = self._services.throttle
        address, user = self._address(request), f"{slug} {email.lower()}"
        allowed = (
            await hit(f"sign-in address {address}", TRIES_PER_ADDRESS)
            and await hit(f"sign-in {user} from {address}", TRIES_PER_USER)
            and await hit(f"sign-in user {user}", TRIES_PER_USER_ANYWHERE)
        )
        if not allowed:
            return self._form(request, error=TOO_MANY, slug=slug, email=email, status=429)
        login = await find_login(self._services.database, slug, email)
        if not await self._is_password(login, form.get("password", "")) or login is None:
            return self._form(request, error=WRONG, slug=slug, email=email, status=401)
        return await self._admit(request, login.organization_id, login.user_id, how="password")

    async def link(self, request: Request) -> Response:
        """A page with a button: a link that is only looked at, as mail scanners do, is not used up."""
        return self._link_page(request)

    async def use_link(self, request: Request) -> Response:
        form = await read_form(request)
        self._check_form(request, form.get("csrf", ""))
        token = form.get("token", "")
        if not await self._services.throttle(
            f"sign-in address {self._address(request)}", TRIES_PER_ADDRESS
        ):
            return self._form(request, error=TOO_MANY, status=429)
        organization_id = organization_of(token)
        user_id = None
        if organization_id is not None:
            async with self._services.database.tenant(organization_id) as connection:
                user_id = await redeem_link(connection, organization_id, token)
        if organization_id is None or user_id is None:
            return self._form(request, error=USED_LINK, status=401)
        return await self._admit(request, organization_id, user_id, how="link")

    async def sign_out(self, request: Request) -> Response:
        form = await read_form(request)
        token = self._cookie(request, COOKIE)
        session = await find_session(self._services.database, token)
        if session is not None:
            if not hmac.compare_digest(form.get("csrf", "").encode(), session.csrf.encode()):
                raise FormIsInvalid
            async with self._services.database.tenant(session.organization_id) as connection:
                await close_session(connection, session.organization_id, token)
        answer = RedirectResponse(SIGN_IN, 303)
        self._drop(answer, request, COOKIE)
        return answer

    async def _admit(
        self, request: Request, organization_id: OrganizationId, user_id: UserId, *, how: str
    ) -> Response:
        async with self._services.database.tenant(organization_id) as connection:
            token = await open_session(connection, organization_id, user_id)
            await record_act(
                connection,
                organization_id,
                action="sign_in",
                subject=f"user:{user_id}",
                actor=f"user:{user_id}",
                details={"with": how},
            )
        answer = RedirectResponse(HOME, 303)
        answer.set_cookie(
            cookie_name(request, COOKIE, trust_proxy=self._services.trust_proxy),
            token,
            max_age=int(SESSION_LENGTH.total_seconds()),
            path="/",
            httponly=True,
            samesite="lax",
            secure=is_https(request, trust_proxy=self._services.trust_proxy),
        )
        self._drop(answer, request, FORM_COOKIE)
        return answer

    async def _is_password(self, login: Login | None, password: str) -> bool:
        """One check whether the user exists or not: the time taken must not tell."""
        stored = (login and login.password_hash) or _nobodys_hash()
        async with self._slots:
            matches = await asyncio.to_thread(_matches, stored, password[:1000])
        return matches and login is not None and login.password_hash is not None

    def _address(self, request: Request) -> str:
        forwarded = request.headers.get("x-forwarded-for", "")
        if self._services.trust_proxy and forwarded:
            return forwarded.rpartition(",")[2].strip()[:64]
        return request.client.host if request.client else "unknown"

    def _cookie(self, request: Request, name: str) -> str:
        return request.cookies.get(
            cookie_name(request, name, trust_proxy=self._services.trust_proxy), ""
        )

    def _drop(self, answer: Response, request: Request, name: str) -> None:
        trust_proxy = self._services.trust_proxy
        answer.delete_cookie(
            cookie_name(request, name, trust_proxy=trust_proxy),
            path="/",
            secure=is_https(request, trust_proxy=trust_proxy),
            httponly=True,
        )

    def _check_form(self, request: Request, given: str) -> None:
        held = self._cookie(request, FORM_COOKIE)
        if not held or not hmac.compare_digest(given.encode(), held.encode()):
            raise FormIsInvalid

    def _form(
        self,
        request: Request,
        *,
        error: str | None = None,
        slug: str | None = None,
        email: str = "",
        status: int = 200,
    ) -> Response:
        workspace = slug if slug is not None else request.query_params.get("workspace", "default")
        values = {"error": error, "workspace": workspace[:40], "email": email}
        return self._with_token(request, "sign_in.html", values, status)

    def _link_page(self, request: Request) -> Response:
        values = {"token": request.path_params["token"][:200]}
        return self._with_token(request, "link.html", values, 200)

    def _with_token(
        self, request: Request, template: str, values: Mapping[str, object], status: int
    ) -> Response:
        csrf = self._cookie(request, FORM_COOKIE) or secrets.token_urlsafe(24)
        answer = html(template, {**values, "csrf": csrf}, status)
        answer.set_cookie(
            cookie_name(request, FORM_COOKIE, trust_proxy=self._services.trust_proxy),
            csrf,
            max_age=3600,
            path="/",
            httponly=True,
            samesite="strict",
            secure=is_https(request, trust_proxy=self._services.trust_proxy),
        )
        return answer


def _matches(stored: str, password: str) -> bool:
    try:
        return PasswordHasher().verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobodys_hash() -> str:
    return PasswordHasher().hash(secrets.token_urlsafe(32))
