"""Shared by pages without a session: form tokens, cookies, and opening a session."""

import hmac
import json
import secrets
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sightline.console.page import ConsoleServices, FormIsInvalid
from sightline.console.responses import HOME, cookie_name, html, is_https
from sightline.domain.callers import OrganizationId, UserId
from sightline.kit.clock import now
from sightline.kit.secrets import SecretIsUnreadable
from sightline.store.console_sessions import SESSION_LENGTH, open_session
from sightline.store.organizations import record_audit

COOKIE: Final = "sightline_session"
# Holds the form's token before there is a session: another site cannot set it, so it cannot sign
# a user in as another one.
FORM_COOKIE: Final = "sightline_form"
TRIES_PER_ADDRESS: Final = 20
TOO_MANY: Final = "Too many attempts. Wait a minute, then try again."


class Door:
    """Helps the pages that need no session."""

    def __init__(self, services: ConsoleServices) -> None:
        self.services = services

    async def admit(
        self,
        request: Request,
        organization_id: OrganizationId,
        user_id: UserId,
        *,
        how: str,
        answer: Response | None = None,
    ) -> Response:
        """Open a session; the answer, a way to the console unless one is given, gets its cookie."""
        async with self.services.database.tenant(organization_id) as connection:
            token = await open_session(
                connection, user_id, opened_with=how, agent=request.headers.get("user-agent", "")
            )
            await record_audit(
                connection,
                action="sign_in",
                subject=f"user:{user_id}",
                actor=f"user:{user_id}",
                details={"with": how},
            )
        answer = answer or RedirectResponse(HOME, 303)
        seconds = int(SESSION_LENGTH.total_seconds())
        self.keep(answer, request, COOKIE, token, seconds=seconds, samesite="lax")
        self.drop(answer, request, FORM_COOKIE)
        return answer

    async def may_try(self, request: Request) -> bool:
        """Count a try of this address; False once there were too many within a minute."""
        key = f"sign-in address {self.address(request)}"
        return await self.services.throttle(key, TRIES_PER_ADDRESS)

    def address(self, request: Request) -> str:
        forwarded = request.headers.get("x-forwarded-for", "")
        if self.services.trust_proxy and forwarded:
            return forwarded.rpartition(",")[2].strip()[:64]
        return request.client.host if request.client else "unknown"

    def cookie(self, request: Request, name: str) -> str:
        return request.cookies.get(self._name(request, name), "")

    def keep(
        self,
        answer: Response,
        request: Request,
        name: str,
        value: str,
        *,
        seconds: int,
        samesite: Any = "strict",
    ) -> None:
        """Have the browser keep a value from scripts and, unless `samesite` is lax, other sites' links."""
        answer.set_cookie(
            self._name(request, name),
            value,
            max_age=seconds,
            path="/",
            httponly=True,
            samesite=samesite,
            secure=is_https(request, trust_proxy=self.services.trust_proxy),
        )

    def drop(self, answer: Response, request: Request, name: str) -> None:
        answer.delete_cookie(
            self._name(request, name),
            path="/",
            secure=is_https(request, trust_proxy=self.services.trust_proxy),
            httponly=True,
        )

    def seal(self, purpose: str, values: Mapping[str, str], *, seconds: int) -> str:
        """Values for a cookie that only we can read and make, good for a time and one purpose."""
        until = now().timestamp() + seconds
        return self.services.secrets.seal(
            json.dumps({"purpose": purpose, "until": until, **values})
        ).decode()

    def open_sealed(self, purpose: str, text: str) -> dict[str, str] | None:
        """The values of `seal`; None when they are another's, of another purpose or too old."""
        try:
            values = json.loads(self.services.secrets.open(text.encode()))
        except (SecretIsUnreadable, ValueError):
            return None
        good = isinstance(values, dict) and values.get("purpose") == purpose
        return values if good and values["until"] > now().timestamp() else None

    def check_form(self, request: Request, given: str) -> None:
        held = self.cookie(request, FORM_COOKIE)
        if not held or not hmac.compare_digest(given.encode(), held.encode()):
            raise FormIsInvalid

    def page(
        self, request: Request, template: str, values: Mapping[str, object], status: int = 200
    ) -> Response:
        """A page whose form brings back the token of its cookie."""
        csrf = self.cookie(request, FORM_COOKIE) or secrets.token_urlsafe(24)
        answer = html(template, {**values, "csrf": csrf}, status)
        self.keep(answer, request, FORM_COOKIE, csrf, seconds=3600)
        return answer

    def sign_in_page(
        self,
        request: Request,
        *,
        error: str | None = None,
        slug: str | None = None,
        email: str = "",
        status: int = 200,
    ) -> Response:
        """The page with the form for a password, and the way to the identity provider if there is one."""
        workspace = slug if slug is not None else request.query_params.get("workspace", "default")
        provider = self.services.provider
        values = {
            "error": error,
            "workspace": workspace[:40],
            "email": email,
            "provider": provider.title if provider else None,
        }
        return self.page(request, "sign_in.html", values, status)

    def _name(self, request: Request, name: str) -> str:
        return cookie_name(request, name, trust_proxy=self.services.trust_proxy)
