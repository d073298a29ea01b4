"""An encoder behind a server that answers `POST {base_url}/embeddings`."""

import asyncio
import os
from collections.abc import Sequence
from typing import Final

import httpx
import numpy as np

from sightline.reading.encoder import EncoderConfig, EncoderFailed
from sightline.reading.vectors import Vectors, printable, unit

OPENAI: Final = "https://api.openai.com/v1"
LONGEST_TEXT: Final = 6_000  # characters; servers refuse more than some 8,000 tokens
_IN_REQUEST: Final = 64
_SECONDS: Final = 60.0


class ServerEncoder:
    """Asks for 64 texts at a time, one request after the other."""

    def __init__(self, model: str, config: EncoderConfig) -> None:
        self.name = config.name
        self.dimensions: int | None = None
        self._failure: str | None = None
        self._model = model
        self._url = (config.base_url or OPENAI).rstrip("/") + "/embeddings"
        key = config.api_key or os.environ.get("OPENAI_API_KEY")
        self._headers = {"authorization": f"Bearer {key}"} if key else {}

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        del query
        # An empty text is refused by servers; a space is not.
        cut = [printable(text, LONGEST_TEXT) or " " for text in texts]
        try:
            async with httpx.AsyncClient(timeout=_SECONDS, headers=self._headers) as client:
                parts = [
                    await self._ask(client, cut[at : at + _IN_REQUEST])
                    for at in range(0, len(cut), _IN_REQUEST)
                ]
        except EncoderFailed as error:
            self._failure = str(error)
            raise
        self._failure = None
        return np.concatenate(parts) if parts else np.zeros((0, self.dimensions or 0), np.float32)

    def encode_now(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        return asyncio.run(self.encode(texts, query=query))

    async def failure(self) -> str | None:
        return self._failure

    async def _ask(self, client: httpx.AsyncClient, texts: Sequence[str]) -> Vectors:
        asked = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        try:
            answer = await client.post(self._url, json=asked)
            answer.raise_for_status()
            rows = sorted(answer.json()["data"], key=lambda row: int(row["index"]))
            vectors = np.array([row["embedding"] for row in rows], np.float32)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as error:
            raise EncoderFailed(f"{self.name} gave no vectors: {error}") from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise EncoderFailed(f"{self.name} gave {vectors.shape} for {len(texts)} texts.")
        if self.dimensions not in (None, vectors.shape[1]):
            raise EncoderFailed(
                f"{self.name} gave {vectors.shape[1]} dimensions after {self.dimensions}."
            )
        self.dimensions = vectors.shape[1]
        return unit(vectors)
