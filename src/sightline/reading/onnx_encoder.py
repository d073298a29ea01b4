"""Encoders that run here, by onnxruntime on one thread: the bundled one, or a folder of the operator's."""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import numpy as np

from sightline.reading.bundled import read_bundled
from sightline.reading.encoder import BUNDLED, EncoderFailed
from sightline.reading.vectors import Vectors, printable, unit

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

T = TypeVar("T")
Span = tuple[int, int]

log = logging.getLogger(__name__)

LONGEST_TEXT: Final = 6_000
"""Characters; no model here reads more tokens than they hold."""
# Names the vectors, which the file's own hash would not: it changes with every output that is added. To be
# changed with the weights, and whatever is stored is encoded again; a test has a vector of this name.
_BUNDLED_VECTORS: Final = "912dacd51f97"
_BUNDLED_DIMENSIONS: Final = 384
_BUNDLED_TOKENS: Final = 256
_MOST_TOKENS: Final = 512
IN_TURN: Final = 16  # texts between two callers' turns on the thread
_NO_PROMPTS: Final = ("", "")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a model is made of. `prompts` stand before a question and before any other text."""

    model: bytes | Path
    tokenizer: str
    tokens: int
    pooling: Literal["mean", "first"] = "mean"
    prompts: tuple[str, str] = _NO_PROMPTS


@dataclass(slots=True)
class Loaded:
    session: "InferenceSession"
    tokenizer: "Tokenizer"
    pooling: str
    prompts: tuple[str, str]
    inputs: tuple[str, ...] = field(init=False)
    output: str = field(init=False)
    states: str | None = field(init=False)

    def __post_init__(self) -> None:
        self.inputs = tuple(each.name for each in self.session.get_inputs())
        outputs = self.session.get_outputs()
        self.output = outputs[0].name
        self.states = next((each.name for each in outputs if len(each.shape) == 3), None)


class OnnxModel:
    """A model loaded on first use. A text at a time: padding costs more than batches save on a CPU, and
    what is said of a text depends on no other. `without` says what is done while it cannot be loaded."""

    def __init__(self, name: str, read: Callable[[], Parts], *, without: str) -> None:
        self.name = name
        self._read = read
        self._without = without
        self._loaded: Loaded | None = None
        self._failure: str | None = None
        self._lock = Lock()
        self._thread: ThreadPoolExecutor | None = None

    async def failure(self) -> str | None:
        """Why it cannot be used; None where it can. Loads it."""
        try:
            await self.run(self.load)
        except EncoderFailed as error:
            return str(error)
        return None

    async def run(self, function: Callable[[], T]) -> T:
        """The answer of a function that blocks, on the thread of the model."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="encoder")
        return await asyncio.get_running_loop().run_in_executor(self._thread, function)

    def load(self) -> Loaded:
        """Loads once; a failure is said once in the log and stands until the process ends."""
        with self._lock:
            if self._failure is not None:
                raise EncoderFailed(self._failure)
            if self._loaded is None:
                try:
                    self._loaded = _open(self._read())
                except Exception as error:  # a broken file fails in many ways
                    self._failure = f"The model {self.name} cannot be loaded: {error}"
                    log.warning("%s %s", self._failure, self._without)
                    raise EncoderFailed(self._failure) from error
            return self._loaded


class OnnxEncoder(OnnxModel):
    """A model that makes vectors."""

    def __init__(
        self, name: str, read: Callable[[], Parts], *, dimensions: int | None = None
    ) -> None:
        super().__init__(name, read, without="Texts are compared by words alone.")
        self.dimensions = dimensions

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        await self.run(self.load)
        rows = [
            await self.run(partial(self.encode_now, texts[at : at + IN_TURN], query=query))
            for at in range(0, len(texts), IN_TURN)
        ]
        return np.concatenate(rows) if rows else self.encode_now([])

    def encode_now(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        loaded = self.load()
        if not texts:
            return np.zeros((0, self.dimensions or 0), np.float32)
        prompt = loaded.prompts[0 if query else 1]
        cut = [prompt + printable(text, LONGEST_TEXT) for text in texts]
        try:
            encoded = loaded.tokenizer.encode_batch(cut)
            rows = unit(np.stack([_vector(loaded, each.ids) for each in encoded]))
        except Exception as error:  # the runtime's errors are of many kinds
            raise EncoderFailed(f"{self.name} cannot encode: {error}") from error
        if not np.isfinite(rows).all():
            raise EncoderFailed(f"{self.name} gives numbers that are not finite.")
        self.dimensions = rows.shape[1]
        return rows

    def encode_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        """Rows of length 1 for the texts, and for the tokens within each text's own spans of characters:
        what the text says of them. Zeros where a text has no span, or only beyond what is read.

        Blocks. Raises EncoderFailed, also where the model gives no row a token.
        """
        loaded = self.load()
        if loaded.states is None:
            raise EncoderFailed(f"{self.name} gives no vectors of single tokens.")
        whole, parts = self.encode_now([]), self.encode_now([])
        try:
            cut = [printable(text, LONGEST_TEXT) for text in texts]
            rows = [
                _span_vectors(loaded, each.ids, each.offsets, own)
                for each, own in zip(loaded.tokenizer.encode_batch(cut), spans, strict=True)
            ]
            if rows:
                whole = unit(np.stack([row[0] for row in rows]))
                parts = unit(np.stack([row[1] for row in rows]))
        except Exception as error:  # the runtime's errors are of many kinds
            raise EncoderFailed(f"{self.name} cannot encode: {error}") from error
        return whole, parts


def _open(parts: Parts) -> Loaded:
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        parts.model,
        options,
        providers=["CPUExecutionProvider"],
        # Its fused operator is six times slower than the two it replaces (a sixth of the whole).
        disabled_optimizers=["SkipLayerNormFusion"],
    )
    tokenizer = Tokenizer.from_str(parts.tokenizer)
    tokenizer.no_padding()
    tokenizer.enable_truncation(parts.tokens)
    return Loaded(session, tokenizer, parts.pooling, parts.prompts)


def outcome(loaded: Loaded, ids: list[int], output: str) -> Vectors:
    row = np.array([ids], np.int64)
    known = {
        "input_ids": row,
        "attention_mask": np.ones_like(row),
        "token_type_ids": np.zeros_like(row),
    }
    fed = {name: known[name] for name in loaded.inputs}
    out: Vectors = loaded.session.run([output], fed)[0][0]
    return out


def _span_vectors(
    loaded: Loaded, ids: list[int], offsets: Sequence[Span], spans: Sequence[Span]
) -> tuple[Vectors, Vectors]:
    """Rows of a text and of the tokens that its spans touch, not yet of length 1."""
    states = outcome(loaded, ids, str(loaded.states))
    inside = np.array(
        [
            any(start < last and end > first for first, last in spans)
            for start, end in offsets  # (0, 0) for the marks at the ends
        ]
    )
    part = states[inside].mean(axis=0) if inside.any() else np.zeros(states.shape[1], np.float32)
    return np.asarray(states.mean(axis=0), np.float32), np.asarray(part, np.float32)


def _vector(loaded: Loaded, ids: list[int]) -> Vectors:
    """A row, not yet of length 1; models that pool by themselves answer it, others a row a token."""
    out = outcome(loaded, ids, loaded.output)
    if out.ndim == 1:
        return out
    return np.asarray(out[0] if loaded.pooling == "first" else out.mean(axis=0), np.float32)


def bundled_encoder() -> OnnxEncoder:
    """all-MiniLM-L6-v2 with weights of 8 bits; `training/encoder.py` makes it."""

    def read() -> Parts:
        tokenizer = read_bundled("tokenizer.json").decode()
        return Parts(read_bundled("encoder.onnx"), tokenizer, _BUNDLED_TOKENS)

    return OnnxEncoder(f"{BUNDLED}:{_BUNDLED_VECTORS}", read, dimensions=_BUNDLED_DIMENSIONS)


def folder_encoder(folder: Path) -> OnnxEncoder:
    """A model laid out as sentence-transformers do: `model.onnx` (or `onnx/model.onnx`) and
    `tokenizer.json`, with what their configuration files say of length, pooling and prompts."""

    def read() -> Parts:
        places = [folder / "model.onnx", folder / "onnx" / "model.onnx"]
        found = next((place for place in places if place.is_file()), None)
        if found is None:
            raise FileNotFoundError(f"{folder} has no model.onnx.")
        tokens = _configured(folder / "sentence_bert_config.json").get("max_seq_length")
        pooling = _configured(folder / "1_Pooling" / "config.json")
        prompts = _configured(folder / "config_sentence_transformers.json").get("prompts") or {}
        return Parts(
            found,
            (folder / "tokenizer.json").read_text("utf-8"),
            min(int(tokens or _BUNDLED_TOKENS), _MOST_TOKENS),
            "first" if pooling.get("pooling_mode_cls_token") else "mean",
            (prompts.get("query", ""), prompts.get("document") or prompts.get("passage", "")),
        )

    return OnnxEncoder(f"onnx:{folder}", read)


def _configured(path: Path) -> Mapping[str, Any]:
    """A configuration file's object; empty where there is none."""
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}
