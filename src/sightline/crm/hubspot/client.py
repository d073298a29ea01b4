"""HubSpot over HTTP: one request, one answer; tokens renewed, limits and refusals kept apart.

Requests go over judged addresses (`kit.fetch.live`), to HubSpot alone.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from sightline.crm.provider import ConnectionIsOver, CrmIsBusy, CrmRefuses, Save, Tokens
from sightline.kit.fetch.addresses import parse_url
from sightline.kit.fetch.answer import Reply, Request, read_http_date, read_retry_after
from sightline.kit.fetch.bounds import Limits
from sightline.kit.fetch.errors import FetchFailed
from sightline.kit.fetch.live import Web

API: Final = "https://api.hubapi.com"
_SECONDS: Final = 30.0
_MOST_BYTES: Final = 20_000_000
_LONGEST_REASON: Final = 300


class HubspotClient:
    """Asks for one organization. New tokens are given to `save` before they are used."""

    def __init__(self, web: Web, tokens: Tokens, save: Save) -> None:
        self._web, self._tokens, self._save = web, tokens, save
        self.last_date: datetime | None = None  # HubSpot's own time, as it last said it

    async def ask(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """The answer to one request. Raises CrmIsBusy, CrmRefuses or ConnectionIsOver."""
        reply = await self._send(method, path, body)
        if reply.status == 401 and self._tokens.refresh is not None:
            await self._renew()
            reply = await self._send(method, path, body)
        if reply.status == 401:
            raise ConnectionIsOver("HubSpot no longer takes the token; connect it again.")
        return _read(reply)

    async def _renew(self) -> None:
        tokens = self._tokens
        answer = await request_tokens(
            self._web,
            {
                "grant_type": "refresh_token",
                "client_id": tokens.client_id or "",
                "client_secret": tokens.client_secret or "",
                "refresh_token": tokens.refresh or "",
            },
        )
        renewed = replace(tokens, access=answer.access, refresh=answer.refresh or tokens.refresh)
        await self._save(renewed)
        self._tokens = renewed

    async def _send(self, method: str, path: str, body: Any) -> Reply:
        headers = {"authorization": f"Bearer {self._tokens.access}", "accept": "application/json"}
        content = None
        if body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(body, ensure_ascii=False).encode()
        reply = await _exchange(
            self._web, API + path, Request(method, headers, content, _MOST_BYTES)
        )
        self.last_date = read_http_date(reply.headers.get("date")) or self.last_date
        return reply


async def request_tokens(web: Web, form: Mapping[str, str]) -> Tokens:
    """Tokens for a code or a refresh token. Raises CrmIsBusy or ConnectionIsOver."""
    headers = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
    request = Request("POST", headers, urlencode(form).encode(), _MOST_BYTES)
    reply = await _exchange(web, f"{API}/oauth/v1/token", request)
    try:
        answer = _read(reply)
        return Tokens(
            answer["access_token"],
            answer.get("refresh_token"),
            form["client_id"],
            form["client_secret"],
        )
    except (CrmRefuses, KeyError) as error:
        raise ConnectionIsOver(f"HubSpot does not let this app in: {error}") from error


async def _exchange(web: Web, url: str, request: Request) -> Reply:
    try:
        return await web.exchange(parse_url(url), request, limits=Limits(), seconds=_SECONDS)
    except FetchFailed as error:
        raise CrmIsBusy(f"HubSpot cannot be reached: {error.sentence}") from error


def _read(reply: Reply) -> dict[str, Any]:
    """The JSON object of an answer. Raises CrmIsBusy or CrmRefuses."""
    try:
        answer = json.loads(reply.content) if reply.content else {}
    except ValueError:
        answer = None
    if reply.status == 429:
        seconds = read_retry_after(reply.headers, reply.fetched_at)
        raise CrmIsBusy("HubSpot's limit of requests is reached.", seconds)
    if reply.status >= 500 or not isinstance(answer, dict):
        raise CrmIsBusy(f"HubSpot answered {reply.status}.")
    if reply.status >= 400:
        reason = str(answer.get("message") or f"status {reply.status}")[:_LONGEST_REASON]
        raise CrmRefuses(f"HubSpot refuses: {reason}")
    return answer
