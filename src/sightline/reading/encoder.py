"""The encoder: texts as vectors whose product is their similarity in meaning.

Which one is a setting: the bundled all-MiniLM-L6-v2, another ONNX model in a folder, a server of
OpenAI's embeddings protocol, or none. Nothing is imported or loaded until the first text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from sightline.reading.vectors import Vectors

BUNDLED: Final = "bundled"
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """`name` is `bundled`, `onnx:<folder>`, `openai:<model>` or `none`; the address and the key are for
    the server."""

    name: str = BUNDLED
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)


class EncoderFailed(RuntimeError):
    """The encoder cannot be loaded, or its server does not answer as it should."""


class Encoder(Protocol):
    """Vectors of encoders of different `name` cannot be compared."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int | None:
        """Numbers in a row; None until a model of the operator's own has encoded a text."""

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row of length 1 for each text; `query` for questions, which some models read another
        way. Longer texts are cut (the bundled model reads 256 tokens, some 1,200 characters).

        Raises EncoderFailed.
        """

    def encode_now(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """The same for a process that computes: blocks, and must not run inside an event loop."""

    async def failure(self) -> str | None:
        """Why it cannot encode; None where it can. Loads a local model (0.2 s, once); of a server it
        says how the last request ended."""


def open_encoder(config: EncoderConfig) -> Encoder | None:
    """The encoder, not yet loaded or asked; None for `none`. Raises EncoderFailed for other names."""
    if config.name == NONE:
        return None
    kind, _, model = config.name.partition(":")
    if config.name == BUNDLED:
        from sightline.reading.onnx_encoder import bundled_encoder

        return bundled_encoder()
    if kind == "onnx" and model:
        from sightline.reading.onnx_encoder import folder_encoder

        return folder_encoder(Path(model))
    if kind == "openai" and model:
        from sightline.reading.server_encoder import ServerEncoder

        return ServerEncoder(model, config)
    raise EncoderFailed(f"{config.name!r} must be bundled, onnx:<folder>, openai:<model> or none.")
