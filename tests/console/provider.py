"""An identity provider that runs in the test's process and speaks OpenID Connect over real sockets: it
remembers codes and uses each up, asks for the client's secret and for PKCE, and signs its ID tokens."""

import asyncio
import base64
import hashlib
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT_ID, CLIENT_SECRET = "sightline-console", "a secret of the client"


@dataclass
class FakeProvider:
    """What the provider says; a test changes it."""

    address: str
    claims: dict[str, Any] = field(default_factory=dict)  # of its one user, over the usual ones
    header: dict[str, Any] = field(default_factory=dict)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "first"}))
    signs_with: RSAKey | None = None  # another key than it publishes
    metadata: dict[str, Any] = field(default_factory=dict)
    token_status: int = 200
    user_info: dict[str, Any] | None = None
    asked: list[str] = field(default_factory=list)  # the paths
    clients: dict[str, str] = field(default_factory=lambda: {CLIENT_ID: CLIENT_SECRET})
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    begun: list[dict[str, str]] = field(default_factory=list)

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._describe),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
                Route("/register", self._register, methods=["POST"]),
                Route("/keys", self._keys),
                Route("/userinfo", self._user_info),
            ]
        )

    async def _describe(self, request: Request) -> Response:
        self.asked.append(request.url.path)
        found = {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "userinfo_endpoint": f"{self.address}/userinfo",
            "registration_endpoint": f"{self.address}/register",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }
        return JSONResponse(found | self.metadata)

    async def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        assert asked["response_type"] == "code"
        assert asked["client_id"] in self.clients
        assert "openid" in asked["scope"].split()
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        self.begun.append(asked)
        back = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", 302)

    async def _token(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        begun = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        good = (
            begun is not None
            and challenge == begun["code_challenge"]
            and form["redirect_uri"] == begun["redirect_uri"]
            and self.clients.get(form["client_id"]) == form["client_secret"]
            and form["client_id"] == begun["client_id"]
        )
        if not good or begun is None or self.token_status != 200:
            status = 400 if self.token_status == 200 else self.token_status
            return JSONResponse({"error": "invalid_grant"}, status)
        # A client that names what it wants a token for gets one made for that (RFC 8707), signed (RFC 9068).
        access_token = "a token"
        if "resource" in begun:
            access_token = self.access_token(begun["resource"])
        said = {"access_token": access_token, "token_type": "Bearer", "expires_in": 300}
        if "nonce" in begun:
            said["id_token"] = self._sign(begun)
        return JSONResponse(said)

    def access_token(self, audience: str, /, **claims: Any) -> str:
        """A token for a resource, as an agent is given it."""
        usual = {"aud": audience, "client_id": "agent", "jti": secrets.token_urlsafe(8)}
        return self._sign({"nonce": None}, header={"typ": "at+jwt"}, **usual | claims)

    async def _register(self, request: Request) -> Response:
        said = await request.json()
        made = f"agent-{len(self.clients)}"
        self.clients[made] = secrets.token_urlsafe(16)
        secret = {"client_id": made, "client_secret": self.clients[made]}
        return JSONResponse(
            said | secret | {"token_endpoint_auth_method": "client_secret_post"}, 201
        )

    def _sign(
        self, begun: dict[str, Any], *, header: dict[str, Any] | None = None, **changed: Any
    ) -> str:
        claims = {
            "iss": self.address,
            "sub": "ada",
            "aud": CLIENT_ID,
            "iat": int(time.time()),
            "exp": int(time.time()) + 300,
            "nonce": begun["nonce"],
            "email": "ada@first.example",
            "email_verified": True,
        }
        claims = {
            name: value
            for name, value in (claims | changed | self.claims).items()
            if value is not None
        }
        key = self.signs_with or self.key
        header = {"alg": "RS256", "kid": key.kid} | (header or {}) | self.header
        return jwt.encode(header, claims, key)

    async def _keys(self, request: Request) -> Response:
        self.asked.append(request.url.path)
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    async def _user_info(self, request: Request) -> Response:
        if request.headers.get("authorization") != "Bearer a token" or self.user_info is None:
            return JSONResponse({}, 401)
        return JSONResponse(self.user_info)


@asynccontextmanager
async def fake_provider() -> AsyncIterator[FakeProvider]:
    """A provider that listens on this machine."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    made = FakeProvider(f"http://127.0.0.1:{listening.getsockname()[1]}")
    config = uvicorn.Config(made.app(), lifespan="off", ws="none", log_level="error")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield made
    finally:
        server.should_exit = True
        await running
        listening.close()
