"""Operations run in process: by the console for its users, and by tools for agents.

They pass the same gate as a request, so a rule about an operation lives in its row and handler alone.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from sightline.api.endpoint import Endpoint, Reply, StreamReply
from sightline.api.endpoints import BASE_PATH, ENDPOINTS
from sightline.api.gate import Gate
from sightline.api.streaming import Streamed
from sightline.domain.callers import Caller
from sightline.domain.errors import Refusal
from sightline.kit.ids import new_id

MEDIA_TYPE: Final = "application/json"
_BY_NAME: Final = {endpoint.name: endpoint for endpoint in ENDPOINTS}


@dataclass(frozen=True)
class Operations:
    """Runs rows of the endpoint table by name."""

    gate: Gate

    async def run(
        self,
        name: str,
        caller: Caller,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Any:
        """The answer of an operation, as read from its JSON. What is None in `query` is left out.

        Raises Refusal and whatever else a request may fail with; KeyError for an unknown name.
        """
        reply = await self._admit(name, caller, path, query, body)
        if not isinstance(reply, Reply):
            raise TypeError(f"{name} answers with a stream.")
        return json.loads(reply.body)

    async def respond(
        self,
        name: str,
        caller: Caller,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        accept: str = "*/*",
    ) -> Response:
        """The answer of an operation as it goes to a browser: a file, or events. Raises Refusal."""
        reply = await self._admit(name, caller, path, query, body, accept=accept)
        if isinstance(reply, StreamReply):
            return Streamed(reply)
        return Response(reply.body, reply.status, reply.headers, media_type=MEDIA_TYPE)

    async def _admit(
        self,
        name: str,
        caller: Caller,
        path: Mapping[str, Any] | None,
        query: Mapping[str, Any] | None,
        body: Any,
        *,
        accept: str = "*/*",
    ) -> Reply | StreamReply:
        endpoint = _BY_NAME[name]
        parameters = {key: str(value) for key, value in (path or {}).items()}
        request = _request(endpoint, caller, parameters, query or {}, body, accept=accept)
        try:
            return await self.gate.admit(endpoint, caller, request)
        except Refusal as refusal:
            raise await self.gate.hinted(request, refusal) from refusal


def _request(
    endpoint: Endpoint,
    caller: Caller,
    path: dict[str, str],
    query: Mapping[str, Any],
    body: Any,
    *,
    accept: str,
) -> Request:
    content = b"" if body is None else json.dumps(body).encode()
    given = {key: _text(value) for key, value in query.items() if value is not None}

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content, "more_body": False}

    scope = {
        "type": "http",
        "method": endpoint.method,
        "scheme": "http",
        "server": ("localhost", 80),
        "path": BASE_PATH + endpoint.path.format(**path),
        "path_params": path,
        "query_string": urlencode(given).encode(),
        "headers": Headers({"content-type": MEDIA_TYPE, "accept": accept}).raw,
        "state": {"request_id": str(new_id()), "caller": caller, "rate": None},
    }
    return Request(scope, receive)


def _text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)
