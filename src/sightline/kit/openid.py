"""OpenID Connect with one provider: discovery, the code flow with PKCE, verified ID and access tokens.

Every request goes over judged addresses (`kit.fetch.live`); the library reads and checks what comes back.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, cast
from urllib.parse import urlencode

from authlib.oauth2.claims import JWTClaims
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from sightline.kit.clock import now
from sightline.kit.fetch.addresses import IPNetwork, parse_url
from sightline.kit.fetch.answer import Request
from sightline.kit.fetch.bounds import Limits
from sightline.kit.fetch.errors import FetchFailed
from sightline.kit.fetch.live import LiveWeb

# Signatures by a key of the provider's own; with a shared secret (HS256) or none, anybody could sign.
ALGORITHMS: Final = tuple("RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 EdDSA".split())
_METADATA_KEPT: Final = timedelta(hours=1)
_LEEWAY_SECONDS: Final = 60
_MOST_BYTES: Final = 1_000_000
_SECONDS: Final = 10.0


class ProviderIsAway(RuntimeError):
    """The identity provider does not answer, or not in its protocol."""


class TokenIsRefused(RuntimeError):
    """The response claims to be from the provider and proves nothing; the message is for a person."""


@dataclass(frozen=True)
class Client:
    """What we are at a provider."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)


@dataclass(frozen=True)
class Attempt:
    """What the browser keeps while its user is at the provider."""

    state: str
    nonce: str
    verifier: str


class Provider:
    """One identity provider; its metadata and keys are remembered for an hour."""

    def __init__(self, client: Client, *, allow: Sequence[IPNetwork] = ()) -> None:
        self.client = client
        self._allow = tuple(allow)
        self._metadata: dict[str, Any] = {}
        self._keys: KeySet | None = None
        self._read_at: datetime | None = None

    async def begin(self, return_to: str) -> tuple[str, Attempt]:
        """The address to send the browser to, and what it keeps. Raises ProviderIsAway."""
        metadata = await self._discover()
        attempt = Attempt(
            secrets.token_urlsafe(24), secrets.token_urlsafe(24), secrets.token_urlsafe(48)
        )
        address = prepare_grant_uri(
            metadata["authorization_endpoint"],
            self.client.client_id,
            "code",
            redirect_uri=return_to,
            scope="openid email profile",
            state=attempt.state,
            nonce=attempt.nonce,
            code_challenge=create_s256_code_challenge(attempt.verifier),
            code_challenge_method="S256",
        )
        return address, attempt

    async def finish(self, attempt: Attempt, code: str, return_to: str) -> dict[str, Any]:
        """What is claimed of who came back with this code. Raises ProviderIsAway or TokenIsRefused."""
        metadata = await self._discover()
        status, answer = await self._ask(
            metadata["token_endpoint"],
            form={
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": return_to,
                "code_verifier": attempt.verifier,
                "client_id": self.client.client_id,
                "client_secret": self.client.client_secret,
            },
        )
        if status != 200 or not isinstance(answer.get("id_token"), str):
            raise TokenIsRefused("The identity provider did not confirm this sign-in.")
        claims = await self._checked(answer, attempt)
        return await self._with_email(claims, str(answer.get("access_token", "")))

    async def open(self, token: str, audience: str) -> dict[str, Any]:
        """What is claimed of who sends an access token that was made for `audience`: one signed by the
        provider (RFC 9068), not expired. Raises ProviderIsAway or TokenIsRefused."""
        await self._discover()
        try:
            read = await self._decode(token)
            claims = JWTClaims(
                read.claims,
                read.header,
                {
                    "iss": {"essential": True, "value": self.client.issuer},
                    "aud": {"essential": True, "value": audience},
                    "sub": {"essential": True},
                    "exp": {"essential": True},
                },
            )
            claims.validate(now=int(now().timestamp()), leeway=_LEEWAY_SECONDS)
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise TokenIsRefused("The access token is not valid here.") from error
        try:
            return await self._with_email(dict(claims), token)
        except TokenIsRefused:  # it need not tell those whose tokens are made for others
            return dict(claims)

    async def _with_email(self, claims: dict[str, Any], token: str) -> dict[str, Any]:
        """The claims, with what the provider tells the holder of the token where they lack an address."""
        if "email" not in claims and "userinfo_endpoint" in self._metadata:
            info = await self._user_info(self._metadata["userinfo_endpoint"], token, claims)
            return info | claims
        return claims

    async def _checked(self, answer: Mapping[str, Any], attempt: Attempt) -> dict[str, Any]:
        """The claims of an ID token that the provider signed for us, now and for this attempt."""
        try:
            token = await self._decode(answer["id_token"])
            claims = CodeIDToken(
                token.claims,
                token.header,
                {
                    "iss": {"essential": True, "value": self.client.issuer},
                    "aud": {"essential": True, "value": self.client.client_id},
                },
                {
                    "nonce": attempt.nonce,
                    "client_id": self.client.client_id,
                    "access_token": answer.get("access_token"),
                },
            )
            claims.validate(now=int(now().timestamp()), leeway=_LEEWAY_SECONDS)
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise TokenIsRefused("The identity provider's response cannot be trusted.") from error
        return dict(claims)

    async def _decode(self, text: str) -> jwt.Token:
        """The token, its signature checked; once more with keys read again, as providers change theirs."""
        for again in (False, True):
            keys = await self._read_keys(again=again)
            try:
                return jwt.decode(text, keys, algorithms=list(ALGORITHMS))
            except (JoseError, ValueError):
                if again:
                    raise
        raise AssertionError("the second try returns or raises")

    async def _user_info(self, url: str, token: str, claims: Mapping[str, Any]) -> dict[str, Any]:
        status, info = await self._ask(url, bearer=token)
        if status != 200 or info.get("sub") != claims["sub"]:
            raise TokenIsRefused("The identity provider's response cannot be trusted.")
        return info

    async def _discover(self) -> dict[str, Any]:
        if self._read_at is not None and now() - self._read_at < _METADATA_KEPT:
            return self._metadata
        base = self.client.issuer.rstrip("/")
        status, found = await self._ask(f"{base}/.well-known/openid-configuration")
        needed = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        # An issuer of another name may be another tenant of the same provider.
        if status != 200 or found.get("issuer") != self.client.issuer:
            raise ProviderIsAway(f"{base} does not describe the issuer {self.client.issuer}")
        secure = self.client.issuer.startswith("https://")
        for name in needed:
            if not str(found.get(name, "")).startswith("https://" if secure else "http"):
                raise ProviderIsAway(f"{base} names no usable {name}")
        self._metadata, self._keys, self._read_at = found, None, now()
        return found

    async def _read_keys(self, *, again: bool) -> KeySet:
        if self._keys is None or again:
            status, found = await self._ask((await self._discover())["jwks_uri"])
            if status != 200:
                raise ProviderIsAway("the provider's keys cannot be read")
            self._keys = KeySet.import_key_set(cast(Any, found))
        return self._keys

    async def _ask(
        self, url: str, *, form: Mapping[str, str] | None = None, bearer: str | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Status and JSON object of one request, redirects not followed. Raises ProviderIsAway."""
        headers = {"accept": "application/json", "accept-encoding": "identity"}
        if form is not None:
            headers["content-type"] = "application/x-www-form-urlencoded"
        if bearer is not None:
            headers["authorization"] = f"Bearer {bearer}"
        request = Request(
            "GET" if form is None else "POST",
            headers,
            None if form is None else urlencode(form).encode(),
            _MOST_BYTES,
        )
        web = LiveWeb(allow=self._allow)  # sign-ins are rare; nothing is left open between them
        try:
            where = parse_url(url, ports=None, allow=self._allow)
            reply = await web.exchange(where, request, limits=Limits(), seconds=_SECONDS)
            answer = json.loads(reply.content)
        except (FetchFailed, ValueError) as error:
            raise ProviderIsAway(str(error)) from error
        finally:
            await web.close()
        return reply.status, answer if isinstance(answer, dict) else {}
