"""The ASGI application: routes from the endpoint table, and what every response has in common."""

import asyncio
import time
from collections.abc import (
    Awaitable,
    Callable,
    Mapping,
    MutableMapping,
)
from dataclasses import replace
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.websockets import WebSocketClose

from sightline.api.docs_page import render_docs
from sightline.api.endpoint import Endpoint, PublicEndpoint, Reply, Services, StreamReply
from sightline.api.endpoints import ALIAS_PATH, BASE_PATH, ENDPOINTS, PUBLIC_ENDPOINTS
from sightline.api.errors import as_refusal, error_reply, wants_flat
from sightline.api.gate import Gate
from sightline.api.openapi import openapi_bytes
from sightline.api.paths import Answer, Paths
from sightline.api.representation import represent
from sightline.api.streaming import Streamed
from sightline.api.usage import UsageCounter
from sightline.domain.errors import (
    IdIsMissing,
    MethodIsNotAllowed,
    PathDoesNotExist,
    Refusal,
    RequestIsInvalid,
    ServiceIsUnavailable,
)
from sightline.kit.ids import new_id
from sightline.kit.tracing import span
from sightline.store.database import DatabaseIsBusy
from sightline.store.passes import failed_visits

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

log = structlog.get_logger()

SECURITY_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
API_HEADERS = [
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
]
# The reference page carries its style and script inline and loads nothing.
DOCS_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
LONGEST_CLIENT_ID = 128
CLIENT_LEFT = 499
"""Counted and logged for a request whose sender hung up; no one sees it."""


class Metrics:
    """Counts and times by operation and status, for /metrics."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "sightline_requests",
            "Requests answered.",
            ["operation", "status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "sightline_request_seconds", "Time to answer.", ["operation"], registry=self.registry
        )
        self._of: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    def count(self, operation: str, status: int, seconds: float) -> None:
        """Count an answer that took so long."""
        found = self._of.get((operation, status))
        if found is None:
            found = self.requests.labels(operation, str(status)), self.seconds.labels(operation)
            self._of[operation, status] = found
        found[0].inc()
        found[1].observe(seconds)


class Edge:
    """Outermost layer: request id, headers, log line, metrics, and the body of every failure."""

    def __init__(
        self,
        app: Callable[[Scope, Receive, Send], Awaitable[None]],
        metrics: Metrics,
        usage: UsageCounter,
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._usage = usage

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = str(new_id())
        state = scope.setdefault("state", {})
        state.update(
            request_id=request_id, operation="unrouted", caller=None, rate=None, uncharged={}
        )
        if scope["path"].startswith(ALIAS_PATH + "/"):
            scope["path"] = BASE_PATH + scope["path"].removeprefix(ALIAS_PATH)
        status = 0

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message["headers"],
                    *_common_headers(scope, message["headers"]),
                ]
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except ClientDisconnect:
            status = CLIENT_LEFT  # in the middle of its own request: there is no one to answer
        except Exception as error:
            if status:
                raise  # the answer is under way; the server closes the connection
            request = Request(scope, receive)
            await _failure(request, error)(scope, receive, send_with_headers)
        except asyncio.CancelledError:  # the server stops, and cuts off what takes too long
            if status:
                raise
            request = Request(scope, receive)
            stopping = ServiceIsUnavailable("The server is stopping; try again.")
            await _failure(request, stopping)(scope, receive, send_with_headers)
        finally:
            elapsed = time.perf_counter() - started
            self._metrics.count(state["operation"], status, elapsed)
            caller = state["caller"]
            if caller is not None:
                self._usage.count(caller, state["operation"], status)
            log.info(
                "request",
                request_id=request_id,
                method=scope["method"],
                operation=state["operation"],
                status=status,
                milliseconds=round(elapsed * 1000, 2),
                organization_id=str(caller.organization_id) if caller else None,
                key_id=str(caller.key_id) if caller else None,
            )


def create_server(
    services: Services,
    gate: Gate | None = None,
    *,
    further: Mapping[tuple[str, str], Answer] | None = None,
) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """The application for one process. `gate` is the one that other doors of it share; `further` are
    handlers of other methods and paths."""
    gate, metrics, paths = gate or Gate(services), Metrics(), Paths()
    for endpoint in ENDPOINTS:
        paths.add(BASE_PATH + endpoint.path, endpoint.method, _answer(endpoint, gate))
    for public in PUBLIC_ENDPOINTS:
        for prefix in (BASE_PATH, ""):
            paths.add(prefix + public.path, public.method, _public_answer(public, services))

    async def answer_openapi(request: Request) -> Response:
        request.state.operation = "openapi"
        made = await asyncio.to_thread(openapi_bytes, services.version)  # a second, the first time
        response = Response(made, media_type="application/json")
        return represent(response, request.method, request.headers)

    async def answer_docs(request: Request) -> Response:
        request.state.operation = "docs"
        made = await asyncio.to_thread(render_docs, services.version)
        response = Response(
            made, media_type="text/html", headers={"content-security-policy": DOCS_POLICY}
        )
        return represent(response, request.method, request.headers)

    async def answer_metrics(request: Request) -> Response:
        request.state.operation = "metrics"
        text = generate_latest(metrics.registry) + await _worker_metrics(services)
        return Response(text, media_type="text/plain; version=0.0.4")

    for path, answer in (
        ("/openapi.json", answer_openapi),
        (f"{BASE_PATH}/openapi.json", answer_openapi),
        ("/docs", answer_docs),
        ("/metrics", answer_metrics),
    ):
        paths.add(path, "GET", answer)
    for (method, path), handler in (further or {}).items():
        paths.add(path, method, handler)

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await WebSocketClose()(scope, receive, send)
            return
        answer, scope["path_params"] = _found(paths, scope["method"], scope["path"])
        response = await answer(Request(scope, receive, send))
        await response(scope, receive, send)

    return Edge(dispatch, metrics, services.usage)


def _found(paths: Paths, method: str, path: str) -> tuple[Answer, dict[str, str]]:
    """The handler of a method and path. Raises what refuses them."""
    found = paths.find(path)
    if found is None:
        raise _no_such_path(path.removeprefix(BASE_PATH))
    answer = found.answers.get("GET" if method == "HEAD" else method)
    if answer is None:
        also = ["HEAD"] if "GET" in found.answers else []
        raise MethodIsNotAllowed(allowed=[*found.answers, *also])
    return answer, found.parameters


async def _worker_metrics(services: Services) -> bytes:
    """What the workers counted in the database; nothing while that is away."""
    try:
        async with services.database.connection() as connection:
            failed = await failed_visits(connection)
    except DatabaseIsBusy:
        return b""
    lines = [
        "# HELP sightline_pass_failures_total Organizations that a scheduled pass failed for.",
        "# TYPE sightline_pass_failures_total counter",
        *(
            f'sightline_pass_failures_total{{name="{name}"}} {count}'
            for name, count in failed.items()
        ),
    ]
    return ("\n".join(lines) + "\n").encode()


def _answer(endpoint: Endpoint, gate: Gate) -> Answer:
    async def answer(request: Request) -> Response:
        request.state.operation = endpoint.name
        try:
            with span(endpoint.name, request_id=request.state.request_id):
                reply = await gate.pass_through(endpoint, request)
        except Refusal as refusal:
            request.state.uncharged = await gate.uncharged(endpoint, request.state.caller, refusal)
            raise await gate.hinted(request, refusal) from refusal
        if isinstance(reply, StreamReply):
            return Streamed(reply)
        return represent(_response(reply), request.method, request.headers)

    return answer


def _public_answer(endpoint: PublicEndpoint, services: Services) -> Answer:
    async def answer(request: Request) -> Response:
        request.state.operation = endpoint.name
        if request.query_params:
            raise RequestIsInvalid("This operation takes no parameters.", path="query")
        return _response(await endpoint.handler(services))

    return answer


def _no_such_path(path: str) -> Refusal:
    """The refusal of a path that no row has, with a hint where it is one character from one that has."""
    parts = path.split("/")
    for known in sorted({endpoint.path for endpoint in ENDPOINTS}):
        wanted = known.split("/")
        if len(wanted) != len(parts):
            continue
        pairs = list(zip(wanted, parts, strict=True))
        empty = [name for name, part in pairs if not part and name.startswith("{")]
        if empty and all(name == part for name, part in pairs if name not in empty):
            return IdIsMissing(path=empty[0].strip("{}"))
    plain = path.rstrip("/")
    if plain != path and any(_fits(endpoint.path, plain) for endpoint in ENDPOINTS):
        return PathDoesNotExist("There is no such path; leave out the slash at its end.")
    return PathDoesNotExist()


def _fits(known: str, path: str) -> bool:
    wanted, parts = known.split("/"), path.split("/")
    return len(wanted) == len(parts) and all(
        name == part or name.startswith("{") for name, part in zip(wanted, parts, strict=True)
    )


def _failure(request: Request, error: Exception) -> Response:
    caller = request.state.caller
    flat = wants_flat(request.headers, by_default=caller.flat_errors if caller else False)
    reply = error_reply(as_refusal(error), request_id=request.state.request_id, flat=flat)
    return _response(replace(reply, headers=request.state.uncharged | reply.headers))


def _response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, reply.headers, media_type="application/json")


def _common_headers(scope: Scope, sent: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    state = scope["state"]
    headers = [(b"x-request-id", state["request_id"].encode()), *SECURITY_HEADERS]
    names = {name for name, _ in sent}
    headers += [header for header in API_HEADERS if header[0] not in names]
    rate = state["rate"]
    if rate is not None:
        headers += [
            (b"x-ratelimit-limit", b"%d" % rate.limit),
            (b"x-ratelimit-remaining", b"%d" % rate.remaining),
            (b"x-ratelimit-reset", b"%d" % rate.reset_at),
        ]
    for name, value in scope["headers"]:
        # Echoed only when it is plain text: a caller's bytes must not shape our headers.
        if name == b"x-request-id" and value.isalnum() is False:
            value = bytes(c for c in value if 0x21 <= c <= 0x7E)
        if name == b"x-request-id" and value:
            headers.append((b"x-client-request-id", value[:LONGEST_CLIENT_ID]))
            break
    return headers
