"""HTTP client for a CRM: one request, one response; renews tokens and tells limits from refusals.

Requests go over judged addresses (`kit.fetch.live`), to the CRM alone.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from sightline.crm.provider import App, ConnectionIsOver, CrmIsBusy, CrmRefuses, Save, Tokens
from sightline.kit.fetch.addresses import parse_url
from sightline.kit.fetch.answer import Reply, Request, read_http_date, read_retry_after
from sightline.kit.fetch.bounds import Limits
from sightline.kit.fetch.errors import FetchFailed
from sightline.kit.fetch.live import Web

_SECONDS: Final = 30.0
_MOST_BYTES: Final = 20_000_000
_LONGEST_REASON: Final = 300


@dataclass(frozen=True)
class Dialect:
    """What differs between CRMs: `token_url` of the site that tokens are for, `reason` of an answer that
    refuses, and whether one is for a limit that passes."""

    title: str
    token_url: Callable[[str | None], str]
    reason: Callable[[Any], str | None]
    is_limit: Callable[[Reply, Any], bool]


class CrmClient:
    """Asks for one organization. New tokens are given to `save` before they are used."""

    def __init__(
        self, dialect: Dialect, base: str, *, web: Web, tokens: Tokens, save: Save
    ) -> None:
        self._dialect, self._base = dialect, base
        self._web, self._tokens, self._save = web, tokens, save
        self.last_date: datetime | None = None  # the CRM's own time, as it last said it

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of an answer, `{}` where it is empty. Raises CrmIsBusy, CrmRefuses or ConnectionIsOver."""
        reply = await self._send(method, path, body)
        if reply.status == 401 and self._tokens.refresh is not None:
            await self._renew()
            reply = await self._send(method, path, body)
        if reply.status == 401:
            title = self._dialect.title
            raise ConnectionIsOver(f"{title} no longer accepts the token; connect it again.")
        return _read(self._dialect, reply)

    async def _renew(self) -> None:
        tokens = self._tokens
        app = App(tokens.client_id or "", tokens.client_secret or "", "", tokens.site)
        grant = {"grant_type": "refresh_token", "refresh_token": tokens.refresh or ""}
        answer = await request_tokens(self._dialect, self._web, app, grant)
        renewed = replace(
            tokens,
            access=answer.access,
            refresh=answer.refresh or tokens.refresh,
            site=answer.site or tokens.site,
        )
        await self._save(renewed)
        self._tokens = renewed

    async def _send(self, method: str, path: str, body: Any) -> Reply:
        headers = {"authorization": f"Bearer {self._tokens.access}", "accept": "application/json"}
        content = None
        if body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(body, ensure_ascii=False).encode()
        request = Request(method, headers, content, _MOST_BYTES)
        reply = await _exchange(self._dialect, self._web, self._base + path, request)
        self.last_date = read_http_date(reply.headers.get("date")) or self.last_date
        return reply


async def request_tokens(dialect: Dialect, web: Web, app: App, grant: Mapping[str, str]) -> Tokens:
    """Tokens of an app for a code or a refresh token. Raises CrmIsBusy or ConnectionIsOver."""
    headers = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
    form = {**grant, "client_id": app.client_id, "client_secret": app.secret}
    request = Request("POST", headers, urlencode(form).encode(), _MOST_BYTES)
    reply = await _exchange(dialect, web, dialect.token_url(app.site), request)
    try:
        answer = _read(dialect, reply)
        return Tokens(
            answer["access_token"],
            answer.get("refresh_token"),
            app.client_id,
            app.secret,
            answer.get("instance_url"),
        )
    except (CrmRefuses, KeyError) as error:
        raise ConnectionIsOver(f"{dialect.title} does not accept this app: {error}") from error


async def exchange_code(dialect: Dialect, web: Web, app: App, code: str) -> Tokens:
    """Tokens for the code that a person came back with. Raises CrmIsBusy or ConnectionIsOver."""
    grant = {"grant_type": "authorization_code", "redirect_uri": app.redirect_uri, "code": code}
    return await request_tokens(dialect, web, app, grant)


async def _exchange(dialect: Dialect, web: Web, url: str, request: Request) -> Reply:
    try:
        return await web.exchange(parse_url(url), request, limits=Limits(), seconds=_SECONDS)
    except FetchFailed as error:
        raise CrmIsBusy(f"{dialect.title} cannot be reached: {error.sentence}") from error


def _read(dialect: Dialect, reply: Reply) -> Any:
    """The JSON of an answer. Raises CrmIsBusy or CrmRefuses."""
    try:
        answer = json.loads(reply.content) if reply.content else {}
    except ValueError:
        answer = None
    if reply.status == 429 or dialect.is_limit(reply, answer):
        seconds = read_retry_after(reply.headers, reply.fetched_at)
        raise CrmIsBusy(f"{dialect.title}'s request limit is reached.", seconds)
    if reply.status >= 500 or answer is None:
        raise CrmIsBusy(f"{dialect.title} answered {reply.status}.")
    if reply.status >= 400:
        reason = (dialect.reason(answer) or f"status {reply.status}")[:_LONGEST_REASON]
        raise CrmRefuses(f"{dialect.title} refuses: {reason}")
    return answer
