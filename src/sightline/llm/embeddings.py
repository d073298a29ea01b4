"""Texts as vectors of their meaning: by a sentence-transformers model of this machine, or by a server
that speaks OpenAI's embeddings protocol. Nothing is imported until one is opened."""

import asyncio
import importlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import httpx
import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

OPENAI: Final = "https://api.openai.com/v1"
LONGEST_TEXT: Final = 6_000  # characters; servers refuse more than some 8,000 tokens
_AT_ONCE: Final = 64
_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """`name` is `local:model` or `openai:model`; the address and the key are for the latter."""

    name: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)


class EmbeddingFailed(RuntimeError):
    """The model cannot be opened or its server does not answer as it should; worth another try later."""


class Embedder(Protocol):
    """A model of meaning. Vectors of different `name` cannot be compared."""

    name: str

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row of length 1 a text; `query` for requests, which some models read another way.
        Raises EmbeddingFailed."""


def open_embedder(config: EmbeddingConfig) -> Embedder:
    """The model, not yet loaded or asked. Raises EmbeddingFailed for a name that is none."""
    provider, _, model = config.name.partition(":")
    if provider == "local" and model:
        return LocalEmbedder(model)
    if provider == "openai" and model:
        return EndpointEmbedder(model, config)
    raise EmbeddingFailed(f"{config.name} is neither local:<model> nor openai:<model>.")


class LocalEmbedder:
    """A sentence-transformers model by name or folder, loaded on first use, in a thread of its own."""

    def __init__(self, model: str) -> None:
        self.name = f"local:{model}"
        self._model_name = model
        self._model: Any = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedding")

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._embed, list(texts), query)

    def _embed(self, texts: list[str], query: bool) -> Vectors:
        if self._model is None:
            try:
                module = importlib.import_module("sentence_transformers")
            except ImportError as error:
                raise EmbeddingFailed(
                    "Install sentence-transformers to use a local embedding model."
                ) from error
            try:
                self._model = module.SentenceTransformer(self._model_name, device="cpu")
            except Exception as error:  # each of its libraries has errors of its own
                raise EmbeddingFailed(f"{self._model_name} cannot be loaded: {error}") from error
        encode = self._model.encode_query if query else self._model.encode_document
        return unit(encode([text[:LONGEST_TEXT] for text in texts], show_progress_bar=False))


class EndpointEmbedder:
    """A server that answers `POST {base_url}/embeddings`."""

    def __init__(self, model: str, config: EmbeddingConfig) -> None:
        self.name = config.name
        self._model = model
        self._url = (config.base_url or OPENAI).rstrip("/") + "/embeddings"
        key = config.api_key or os.environ.get("OPENAI_API_KEY")
        self._headers = {"authorization": f"Bearer {key}"} if key else {}

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        del query
        # An empty text is refused by servers; a space is not.
        cut = [text[:LONGEST_TEXT] or " " for text in texts]
        async with httpx.AsyncClient(timeout=_SECONDS, headers=self._headers) as client:
            parts = [
                await self._ask(client, cut[at : at + _AT_ONCE])
                for at in range(0, len(cut), _AT_ONCE)
            ]
        return np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)

    async def _ask(self, client: httpx.AsyncClient, texts: Sequence[str]) -> Vectors:
        asked = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        try:
            answer = await client.post(self._url, json=asked)
            answer.raise_for_status()
            rows = sorted(answer.json()["data"], key=lambda row: int(row["index"]))
            vectors = np.array([row["embedding"] for row in rows], np.float32)
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise EmbeddingFailed(f"{self.name} gave no vectors: {error}") from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise EmbeddingFailed(f"{self.name} gave {vectors.shape} for {len(texts)} texts.")
        return unit(vectors)


def unit(vectors: Any) -> Vectors:
    """The same directions, each of length 1; zeros stay zeros."""
    rows = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-9), np.float32)
