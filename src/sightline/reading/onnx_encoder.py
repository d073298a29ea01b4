"""Local encoders, run by onnxruntime on one thread: the bundled one, or one in the operator's folder."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

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
_IN_TURN: Final = 16  # texts between two callers' turns on the thread
_NO_PROMPTS: Final = ("", "")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a model is made of. `prompts` stand before a question and before any other text."""

    model: bytes | Path
    tokenizer: str
    tokens: int
    pooling: Literal["mean", "first"] = "mean"
    prompts: tuple[str, str] = _NO_PROMPTS


@dataclass(frozen=True, slots=True)
class Tokens:
    """Of a text a row a token, at the end of the model and halfway up, the characters of each, and which
    tokens the text's spans touch."""

    last: Vectors
    halfway: Vectors
    places: Sequence[Span]
    touched: NDArray[np.bool_]

    @property
    def vector(self) -> Vectors:
        """That of the whole text, of length 1."""
        rows: Vectors = unit(self.last.mean(axis=0, keepdims=True))
        return rows.reshape(-1)


@dataclass(slots=True)
class Loaded:
    session: "InferenceSession"
    tokenizer: "Tokenizer"
    pooling: str
    prompts: tuple[str, str]
    inputs: tuple[str, ...] = field(init=False)
    output: str = field(init=False)
    states: tuple[str, ...] = field(init=False)  # rows of tokens: at the end, halfway up

    def __post_init__(self) -> None:
        self.inputs = tuple(each.name for each in self.session.get_inputs())
        outputs = self.session.get_outputs()
        self.output = outputs[0].name
        self.states = tuple(each.name for each in outputs if len(each.shape) == 3)


class OnnxEncoder:
    """A model loaded on first use. A text at a time: padding costs more than batches save on a CPU, and
    a text's vector depends on no other."""

    def __init__(
        self, name: str, read: Callable[[], Parts], *, dimensions: int | None = None
    ) -> None:
        self.name = name
        self.dimensions = dimensions
        self._read = read
        self._loaded: Loaded | None = None
        self._failure: str | None = None
        self._lock = Lock()
        self._thread: ThreadPoolExecutor | None = None

    async def failure(self) -> str | None:
        """Why it cannot be used; None where it can. Loads it."""
        try:
            await self._run(self._load)
        except EncoderFailed as error:
            return str(error)
        return None

    async def _run(self, function: Callable[[], T]) -> T:
        """The answer of a function that blocks, on the thread of the model."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="encoder")
        return await asyncio.get_running_loop().run_in_executor(self._thread, function)

    def _load(self) -> Loaded:
        """Loads once; a failure is said once in the log and stands until the process ends."""
        with self._lock:
            if self._failure is not None:
                raise EncoderFailed(self._failure)
            if self._loaded is None:
                try:
                    self._loaded = _open(self._read())
                except Exception as error:  # a broken file fails in many ways
                    self._failure = f"The model {self.name} cannot be loaded: {error}"
                    log.warning("%s Texts are compared by words only.", self._failure)
                    raise EncoderFailed(self._failure) from error
            return self._loaded

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        await self._run(self._load)
        rows = [
            await self._run(partial(self.encode_now, texts[at : at + _IN_TURN], query=query))
            for at in range(0, len(texts), _IN_TURN)
        ]
        return np.concatenate(rows) if rows else self.encode_now([])

    def encode_now(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        loaded = self._load()
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

    async def read_tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """What the bundled model makes of each text and its tokens. Raises EncoderFailed."""
        found: list[Tokens] = []
        for at in range(0, len(texts), _IN_TURN):
            turn = texts[at : at + _IN_TURN]
            found += await self._run(partial(list, self.tokens(turn, [()] * len(turn))))
        return found

    def tokens(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> Iterator[Tokens]:
        """What the bundled model makes of the tokens of each text, and which of them its own spans of
        characters touch. Blocks. Raises EncoderFailed, also where the model gives no such rows."""
        loaded = self._load()
        if len(loaded.states) < 2:
            raise EncoderFailed(f"{self.name} gives no vectors of single tokens.")
        try:
            for text, own in zip(texts, spans, strict=True):
                encoded = loaded.tokenizer.encode(printable(text, LONGEST_TEXT))
                last, halfway = _outcomes(loaded, encoded.ids, loaded.states)
                # The marks at the ends are at (0, 0).
                touched = [any(a < y and b > x for x, y in own) for a, b in encoded.offsets]
                yield Tokens(last, halfway, encoded.offsets, np.array(touched, bool))
        except Exception as error:  # the runtime's errors are of many kinds
            raise EncoderFailed(f"{self.name} cannot encode: {error}") from error


def open_session(model: bytes | Path) -> "InferenceSession":
    """A model on one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        model,
        options,
        providers=["CPUExecutionProvider"],
        # Its fused operator is six times slower than the two it replaces (a sixth of the whole).
        disabled_optimizers=["SkipLayerNormFusion"],
    )


def _open(parts: Parts) -> Loaded:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(parts.tokenizer)
    tokenizer.no_padding()
    tokenizer.enable_truncation(parts.tokens)
    return Loaded(open_session(parts.model), tokenizer, parts.pooling, parts.prompts)


def _outcomes(loaded: Loaded, ids: list[int], outputs: Sequence[str]) -> list[Vectors]:
    """Of one text, so many outputs of the model."""
    row = np.array([ids], np.int64)
    known = {
        "input_ids": row,
        "attention_mask": np.ones_like(row),
        "token_type_ids": np.zeros_like(row),
    }
    fed = {name: known[name] for name in loaded.inputs}
    return [each[0] for each in loaded.session.run(outputs, fed)]


def _vector(loaded: Loaded, ids: list[int]) -> Vectors:
    """A row, not yet of length 1; models that pool by themselves answer it, others a row a token."""
    (out,) = _outcomes(loaded, ids, [loaded.output])
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
