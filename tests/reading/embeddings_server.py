"""A server of OpenAI's embeddings protocol for tests."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# Words of one direction mean the same.
DIRECTIONS = {"dock": 0, "quay": 0, "wharf": 0, "soup": 1, "bread": 1, "zeppelin": 2}


@dataclass
class Server:
    """Speaks OpenAI's embeddings protocol; keeps what it was asked."""

    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    status: int = 200
    said: bytes | None = None  # instead of vectors
    dimensions: int = 4
    url: str = ""

    def answer(self, texts: list[str]) -> dict[str, Any]:
        rows = []
        for n, text in enumerate(texts):
            vector = [0.01] * self.dimensions
            for word, direction in DIRECTIONS.items():
                vector[direction] += word in text.lower()
            rows.append({"index": n, "embedding": vector})
        return {"object": "list", "data": rows[::-1]}


@contextmanager
def embeddings_server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            assert self.path == "/v1/embeddings"
            state.asked.append(body)
            state.keys.append(self.headers.get("authorization"))
            vectors = json.dumps(state.answer(body["input"])).encode()
            answer = vectors if state.said is None else state.said
            self.send_response(state.status)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        state.url = f"http://127.0.0.1:{listening.server_port}/v1"
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield state
        listening.shutdown()
