"""A model provider on loopback that speaks the OpenAI chat-completions protocol and does as scripted.

Each request takes the next act of the script; the last act serves all that follow.
"""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sightline.llm.models import ModelConfig
from tests.waiting import LONGEST_SECONDS

NAME = "openai:invented-1"
OUTPUT_TOOL = "final_result"
PROMPT_TOKENS, COMPLETION_TOKENS = 100, 20


@dataclass(frozen=True)
class Call:
    """Call a tool; `None` is the one that gives the final answer. Text arguments go out as they are."""

    arguments: Mapping[str, Any] | str
    tool: str | None = None


@dataclass(frozen=True)
class Fail:
    """Answer a status instead."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = '{"error": {"message": "no", "type": "invented", "code": null}}'


@dataclass(frozen=True)
class Wait:
    """Answer late: after the seconds, or when released."""

    seconds: float
    then: "Act"
    go_on: threading.Event | None = None


@dataclass(frozen=True)
class Say:
    """Answer in plain text, without calling a tool."""

    text: str


Act = Call | Fail | Wait | Say
Script = Callable[[dict[str, Any]], Act]


@dataclass
class Provider:
    """The server, what it was asked and what it will do."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    script: Sequence[Act] | Script = ()
    left: int = 0  # requests that the one who asked hung up on
    verifier: "Provider | None" = None  # of what it says; None: itself

    def config(self, **more: Any) -> ModelConfig:
        """Its settings in Sightline, with a long timeout unless overridden."""
        options = {"seconds": LONGEST_SECONDS / 2} | more
        if self.verifier is not None:
            options.setdefault("verifier", self.verifier.config())
        return ModelConfig(NAME, base_url=self.url, api_key="invented", **options)

    def act(self, asked: dict[str, Any]) -> Act:
        self.requests.append(asked)
        if callable(self.script):
            return self.script(asked)
        return self.script[min(len(self.requests), len(self.script)) - 1]

    def prompt(self, number: int = -1) -> str:
        """All text of one request."""
        return json.dumps(self.requests[number]["messages"], ensure_ascii=False)


def output_tool(asked: dict[str, Any]) -> str:
    """The tool that takes the final answer: the one that is offered last."""
    names = [tool["function"]["name"] for tool in asked["tools"]]
    assert OUTPUT_TOOL in names, names
    return OUTPUT_TOOL


async def _complete(provider: Provider, request: Request) -> Response:
    asked = await request.json()
    act = provider.act(asked)
    while isinstance(act, Wait):
        until = time.monotonic() + act.seconds
        while time.monotonic() < until and not (act.go_on and act.go_on.is_set()):
            if await request.is_disconnected():
                provider.left += 1
                return Response(status_code=499)
            await asyncio.sleep(0.02)
        act = act.then
    if isinstance(act, Fail):
        return Response(act.body, act.status, dict(act.headers), media_type="application/json")
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if isinstance(act, Say):
        message["content"] = act.text
    else:
        message["tool_calls"] = [_call(act, asked)]
    reason = "stop" if isinstance(act, Say) else "tool_calls"
    body = _head(asked, "chat.completion") | {
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": _usage(),
    }
    return Response(json.dumps(body), media_type="application/json")


def _call(act: Call, asked: dict[str, Any]) -> dict[str, Any]:
    given = act.arguments
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    function = {"name": act.tool or output_tool(asked), "arguments": text}
    return {"id": f"call_{time.monotonic_ns()}", "type": "function", "function": function}


def _head(asked: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "c1", "object": kind, "created": int(time.time()), "model": asked["model"]}


def _usage() -> dict[str, int]:
    return {
        "prompt_tokens": PROMPT_TOKENS,
        "completion_tokens": COMPLETION_TOKENS,
        "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
    }


@contextmanager
def running(app: Any, *, log_level: str = "critical") -> Iterator[str]:
    """A real server of an application in a thread of its own; yields its address."""
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host="127.0.0.1",
            port=0,
            log_level=log_level,
            lifespan="off",
            ws="none",
            timeout_keep_alive=int(LONGEST_SECONDS),
            timeout_graceful_shutdown=10,
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the invented provider did not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def provider(script: Sequence[Act] | Script = ()) -> Iterator[Provider]:
    """A provider that runs until the end of the block."""
    made = Provider(script=script)

    async def complete(request: Request) -> Response:
        return await _complete(made, request)

    app = Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])
    with running(app) as url:
        made.url = f"{url}/v1"
        yield made
