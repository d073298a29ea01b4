"""Recorded answers of a model, played to the real assistant over HTTP.

A cassette has the replies to one question, in order. Sources are not kept by their ids, which change with
what a search shows, but by words of theirs; the player looks up which source shows the words now. The
verifier's verdicts are kept by the sentence and its quotes. Prompts and what tools answer are no part of a
key: a tool may show more or in another order. What was never recorded is a miss, and answers an error.

Record what is missing with a model, or a reader in its place, behind SIGHTLINE_MODEL_BASE_URL (delete the
file to record all):

    python -m tests.eval.ask tests/eval/data/recorded_questions.jsonl ANSWERS.jsonl --data FOLDER \
        --sample --record tests/eval/data/recorded_answers.json
"""

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.assistant.provider import running
from tests.reading.verdicts import claims_of, is_verification

QUESTIONS: Final = Path(__file__).parent / "data/recorded_questions.jsonl"
ANSWERS: Final = Path(__file__).parent / "data/recorded_answers.json"
HOW: Final = "See the head of tests/eval/cassettes.py for how to record again."
_ID: Final = re.compile(r"S\d+")
_SOURCE: Final = re.compile(r"^(S\d+) \| ", re.M)
_LONG_ENOUGH: Final = 25  # characters of a quote that is found by itself
_SHOWS: Final = "shows"  # a source, by words of it
Json = dict[str, Any]


@dataclass
class Cassettes:
    """`replies` by question and the tools that were called before, `verdicts` by sentence and quotes."""

    replies: dict[str, Json] = field(default_factory=dict)
    verdicts: dict[str, Json] = field(default_factory=dict)
    path: Path | None = None  # where what is recorded is kept
    misses: list[str] = field(default_factory=list)

    @classmethod
    def load(cls, path: Path) -> "Cassettes":
        kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return cls(kept.get("replies", {}), kept.get("verdicts", {}), path)

    def record(self, asked: Json, said: Json) -> None:
        """Keep a reply of a model at once, so that a broken run loses nothing."""
        if is_verification(asked):
            rulings = said["tool_calls"][0]["arguments"]["verdicts"]
            given = {str(each["id"]): each for each in rulings}
            for claim in claims_of(asked):
                ruling = given[claim["id"]].items()
                self.verdicts[_claim_key(claim)] = {k: v for k, v in ruling if k != "id"}
        else:
            self.replies[_key(asked)] = _without_ids(said, _shown(asked))
        if self.path is None:
            return
        kept = {"replies": self.replies, "verdicts": self.verdicts}
        parts = ",\n".join(f"{json.dumps(name)}: {_by_line(each)}" for name, each in kept.items())
        self.path.write_text(f"{{{parts}}}\n", encoding="utf-8")

    def reply(self, asked: Json) -> Json | None:
        """The recorded reply to a request; None, and a miss, where there is none."""
        if is_verification(asked):
            verdicts = []
            for claim in claims_of(asked):
                known = self.verdicts.get(_claim_key(claim))
                if known is None:
                    self.misses.append(f"verdict on {claim['claim']!r}")
                    return None
                verdicts.append({"id": claim["id"], **known})
            return {"tool_calls": [{"name": "final_result", "arguments": {"verdicts": verdicts}}]}
        key = _key(asked)
        if key not in self.replies:
            self.misses.append(key)
            return None
        return _with_ids(self.replies[key], _shown(asked))


def _by_line(entries: Mapping[str, Json]) -> str:
    lines = (
        f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(each, ensure_ascii=False)}"
        for key, each in sorted(entries.items())
    )
    return "{\n" + ",\n".join(lines) + "\n}"


def _claim_key(claim: Json) -> str:
    quotes = [each["quote"] for each in claim["quotes"] if "quote" in each]
    return " | ".join([claim["claim"], *quotes])


def _key(asked: Json) -> str:
    """The company, the question, and the tools that the model has called since."""
    prompt = next(each["content"] for each in asked["messages"] if each["role"] == "user")
    question = " ".join(str(prompt).rpartition("Question: ")[2].split())
    about = re.search(r"(?:about|work at) (.+?)(?: for a person|\. Today)", _system(asked))
    replies = [
        "+".join(call["name"] for call in _calls(message)) or "text"
        for message in asked["messages"]
        if message["role"] == "assistant"
    ]
    return " > ".join([about[1] if about else "", question, *replies])


def _system(asked: Json) -> str:
    return "\n".join(str(m["content"]) for m in asked["messages"] if m["role"] == "system")


def _calls(message: Json) -> list[Json]:
    return [
        {"name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])}
        for call in message.get("tool_calls") or ()
    ]


def _shown(asked: Json) -> dict[str, str]:
    """The sources of a conversation by their ids, as they were shown."""
    found: dict[str, str] = {}
    for message in asked["messages"]:
        if message["role"] not in ("tool", "user"):
            continue
        text = str(message["content"])
        starts = [*_SOURCE.finditer(text)]
        ends = [*(each.start() for each in starts[1:]), len(text)][: len(starts)]
        for start, end in zip(starts, ends, strict=True):
            found.setdefault(start[1], text[start.end() : end])
    return found


def _plain(text: str) -> str:
    return " ".join(text.split())


def _without_ids(value: Any, shown: Mapping[str, str], beside: str = "") -> Any:
    """A reply with the ids of sources replaced by words that they show."""
    if isinstance(value, str) and _ID.fullmatch(value) and value in shown:
        return {_SHOWS: _words_of(shown[value], beside)}
    if isinstance(value, list):
        return [_without_ids(each, shown) for each in value]
    if isinstance(value, dict):
        said = str(value.get("quote") or value.get("number") or "")
        return {key: _without_ids(each, shown, said) for key, each in value.items()}
    return value


def _words_of(text: str, wanted: str) -> str:
    """Words by which a source is found again: a quote, those around a number on its line, or its head."""
    wanted = _plain(wanted)
    if len(wanted) > _LONG_ENOUGH:
        return wanted
    line = next((each for each in map(_plain, text.split("\n")) if wanted in each), "")
    line = line.partition(" | has ")[0]  # how well it matches may change
    at = line.find(wanted)
    return line[max(0, at - 60) : at + len(wanted) + 60].strip()


def _with_ids(value: Any, shown: Mapping[str, str]) -> Any:
    """A reply with the ids that its sources have now; one that is shown no more is S0."""
    if isinstance(value, dict) and set(value) == {_SHOWS}:
        words = value[_SHOWS]
        return next((name for name, text in shown.items() if words in _plain(text)), "S0")
    if isinstance(value, list):
        return [_with_ids(each, shown) for each in value]
    if isinstance(value, dict):
        return {key: _with_ids(each, shown) for key, each in value.items()}
    return value


def _body(said: Json) -> Json:
    message: Json = {"role": "assistant", "content": said.get("content")}
    if calls := said.get("tool_calls"):
        message["tool_calls"] = [
            {"id": f"call_{time.monotonic_ns()}_{place}", "type": "function",
             "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])}}
            for place, call in enumerate(calls)
        ]  # fmt: skip
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    return {"id": "cassette", "object": "chat.completion", "created": int(time.time()),
            "model": "recorded", "choices": [choice],
            "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}}  # fmt: skip


@contextmanager
def playing(cassettes: Cassettes, *, upstream: str | None = None) -> Iterator[str]:
    """A server that plays them; yields its base URL. Misses go to the model behind `upstream`, an
    OpenAI-compatible base URL, and are recorded; without it they fail."""

    async def complete(request: Request) -> Response:
        asked = await request.json()
        said = cassettes.reply(asked)
        if said is None and upstream is None:
            return JSONResponse({"error": {"message": f"Not recorded. {HOW}"}}, status_code=400)
        if said is None:
            async with httpx.AsyncClient(timeout=None, trust_env=False) as client:
                answer = await client.post(f"{upstream}/chat/completions", json=asked)
            if answer.status_code != 200:
                return Response(answer.content, answer.status_code)
            message = answer.json()["choices"][0]["message"]
            said = {"content": message.get("content"), "tool_calls": _calls(message)}
            cassettes.record(asked, said)
            cassettes.misses.clear()
        return JSONResponse(_body(said))

    app = Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])
    with running(app) as url:
        yield f"{url}/v1"
