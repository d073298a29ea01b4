"""The encoder: the bundled model, a folder of one's own, a server, and how each fails."""

import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sightline.reading import bundled
from sightline.reading.answers import answer_heads
from sightline.reading.bundled import BundledFileIsBroken
from sightline.reading.encoder import Encoder, EncoderConfig, EncoderFailed, open_encoder
from sightline.reading.onnx_encoder import bundled_encoder
from sightline.reading.vectors import Vectors, unit
from tests.reading.embeddings_server import Server, embeddings_server

DATA = Path(bundled.__file__).parent / "data"
PASSAGES = [
    "We closed two plants and cut 400 jobs to lower our costs.",
    "The board declared a quarterly dividend of $0.25 a share.",
    "Our data centers run on a public cloud.",
    "Customers cancelled their contracts after the price increase.",
]


def opened(name: str, **options: str) -> Encoder:
    encoder = open_encoder(EncoderConfig(name, **options))
    assert encoder is not None
    return encoder


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return opened("bundled")


@pytest.fixture
def server() -> Iterator[Server]:
    with embeddings_server() as listening:
        yield listening


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the bundled files, in the place of the package's."""
    shutil.copytree(DATA, tmp_path / "data")
    monkeypatch.setattr(bundled.resources, "files", lambda _: tmp_path)
    return tmp_path / "data"


def lengths(vectors: Vectors) -> Vectors:
    return np.asarray(np.linalg.norm(vectors, axis=1), np.float32)


async def test_texts_of_one_meaning_are_alike(encoder: Encoder) -> None:
    vectors = await encoder.encode(PASSAGES)
    assert (vectors.shape, vectors.dtype, encoder.dimensions) == ((4, 384), np.float32, 384)
    assert np.allclose(lengths(vectors), 1, atol=1e-5)
    asked = await encoder.encode(
        ["Is the company cutting costs?", "Why did clients leave?", "Which cloud do they use?"],
        query=True,
    )
    assert (asked @ vectors.T).argmax(axis=1).tolist() == [0, 3, 2]
    assert await encoder.failure() is None


async def test_the_original_weights_are_kept(encoder: Encoder) -> None:
    """The similarities that the model's authors publish, but for what 8 bits lose."""
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    vectors = await encoder.encode(texts)
    published = [[1, 0.6660, 0.1046], [0.6660, 1, 0.1411], [0.1046, 0.1411, 1]]
    assert np.allclose(vectors @ vectors.T, published, atol=0.02)


def test_the_name_names_the_vectors(encoder: Encoder) -> None:
    """Other vectors need another name: what is stored is encoded again by it."""
    [vector] = encoder.encode_now(["Acme selects Snowflake for its data platform."])
    assert encoder.name == "bundled:912dacd51f97"
    assert np.allclose(vector[:4], [-0.01971, -0.03954, -0.00568, 0.03789], atol=1e-4)


def test_tokens_of_a_text_know_whether_a_span_touches_them() -> None:
    encoder = bundled_encoder()
    text = "Harbor Analytics sues Northquay Robotics."
    first, second = (0, 16), (22, 40)
    one, other, both, none = encoder.tokens([text] * 4, [[first], [second], [first, second], []])
    assert np.allclose(unit([one.last.mean(axis=0)]), encoder.encode_now([text]), atol=1e-6)
    assert one.last.shape == one.halfway.shape == (len(one.touched), 384)
    assert not np.allclose(one.last, one.halfway, atol=0.1)
    assert np.array_equal(one.touched | other.touched, both.touched)
    assert not (one.touched & other.touched).any()
    assert not none.touched.any()
    [beyond] = encoder.tokens(["word " * 2_000], [[(9_000, 9_004)]])
    assert not beyond.touched.any(), "nothing beyond what is read"
    assert list(encoder.tokens([], [])) == []


def test_a_text_has_one_vector_alone_or_among_others(encoder: Encoder) -> None:
    many = encoder.encode_now([*PASSAGES, "short", "long " * 400] * 8)
    for at, text in enumerate(PASSAGES):
        assert np.array_equal(encoder.encode_now([text])[0], many[at])
        assert np.array_equal(many[at], many[at + 6 * 7])


def test_the_process_does_not_matter(encoder: Encoder) -> None:
    script = (
        "from sightline.reading.encoder import EncoderConfig, open_encoder\n"
        "encoder = open_encoder(EncoderConfig())\n"
        f"print(encoder.encode_now([{PASSAGES[0]!r}]).tobytes().hex())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert printed.stderr == "", "the runtime is quiet"
    assert bytes.fromhex(printed.stdout) == encoder.encode_now(PASSAGES[:1]).tobytes()


def test_nothing_is_loaded_before_the_first_text() -> None:
    script = (
        "import sys\n"
        "from sightline.reading.encoder import EncoderConfig, open_encoder\n"
        "open_encoder(EncoderConfig())\n"
        "assert not {'onnxruntime', 'tokenizers'} & sys.modules.keys()"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script], check=True, env=env)


def test_odd_texts_have_vectors_too(encoder: Encoder) -> None:
    odd = ["", " \n", "\x00", "\x00null\x00", "😀🏳️‍🌈", "\ud800", "日本語の文章", "x" * 100_000,
           "revenue grew " * 8_000, "a\u0301" * 50_000, "\u202eright to left"]  # fmt: skip
    vectors = encoder.encode_now(odd)
    assert vectors.shape == (len(odd), 384)
    assert np.allclose(lengths(vectors), 1, atol=1e-5)
    assert encoder.encode_now([]).shape == (0, 384)


async def test_what_is_past_256_tokens_is_not_read(encoder: Encoder) -> None:
    start = "profit " * 254
    one, other = await encoder.encode([start, start + "zeppelin " * 50])
    assert np.array_equal(one, other)
    assert (await encoder.encode([])).shape == (0, 384)


@pytest.mark.parametrize("name", ["encoder.onnx", "tokenizer.json", "SHA256SUMS"])
@pytest.mark.parametrize("damage", ["missing", "cut", "changed", "empty"])
async def test_a_damaged_installation(
    installation: Path, name: str, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = installation / name
    content = path.read_bytes()
    path.unlink()
    if damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    if damage == "changed":
        at = max(40, content.find(b"  encoder.onnx") - 20)  # of the sums, the hash of the encoder
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    if damage == "empty":
        path.write_bytes(b"")
    encoder = opened("bundled")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            with pytest.raises(EncoderFailed, match="of the installation"):
                await encoder.encode(["x"])
    assert len(caplog.records) == 1, "one warning"
    assert "of the installation" in (await encoder.failure() or "")


def test_damaged_heads_of_answers(installation: Path) -> None:
    (installation / "answers.npz").write_bytes(b"nothing")
    with pytest.raises(BundledFileIsBroken, match="of the installation"):
        answer_heads.__wrapped__()


async def test_a_folder_of_the_operators(encoder: Encoder, tmp_path: Path) -> None:
    (tmp_path / "onnx").mkdir()
    shutil.copy(DATA / "encoder.onnx", tmp_path / "onnx" / "model.onnx")
    shutil.copy(DATA / "tokenizer.json", tmp_path)
    other = opened(f"onnx:{tmp_path}")
    assert (other.name, other.dimensions) == (f"onnx:{tmp_path}", None)
    assert np.array_equal(other.encode_now(PASSAGES), encoder.encode_now(PASSAGES))
    assert other.dimensions == 384
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
    (tmp_path / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 8}')
    prompted = opened(f"onnx:{tmp_path}")
    asked, read = ("query: pay", "passage: pay")
    assert np.array_equal(prompted.encode_now(["pay"], query=True), encoder.encode_now([asked]))
    assert np.array_equal(prompted.encode_now(["pay"]), encoder.encode_now([read]))
    assert np.array_equal(*prompted.encode_now(["a b c d e f g h", "a b c d e f g z"]))


async def test_a_folder_without_a_model(tmp_path: Path) -> None:
    for name, content in (("tokenizer.json", "{}"), ("model.onnx", "no model")):
        with pytest.raises(EncoderFailed, match="cannot be loaded"):
            await opened(f"onnx:{tmp_path}").encode(["x"])
        (tmp_path / name).write_text(content)
    assert "cannot be loaded" in (await opened(f"onnx:{tmp_path}").failure() or "")


@pytest.mark.parametrize("name", ["", "local:x", "onnx", "onnx:", "openai:", "cohere:x", "Bundled"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(EncoderFailed):
        open_encoder(EncoderConfig(name))


def test_no_encoder() -> None:
    assert open_encoder(EncoderConfig("none")) is None


async def test_a_server_is_asked_in_batches(server: Server) -> None:
    encoder = opened("openai:tiny", base_url=server.url, api_key="k-1")
    vectors = await encoder.encode([f"quay {n}" for n in range(70)] + ["", "\ud800"])
    assert (vectors.shape, encoder.dimensions) == ((72, 4), 4)
    assert np.allclose(lengths(vectors), 1)
    assert np.argmax(vectors[0]) == 0
    assert [len(asked["input"]) for asked in server.asked] == [64, 8]
    assert server.asked[1]["input"][-2:] == [" ", "?"]
    assert {asked["model"] for asked in server.asked} == {"tiny"}
    assert set(server.keys) == {"Bearer k-1"}
    assert (await encoder.encode([])).shape == (0, 4)


def test_a_server_is_asked_by_a_process_that_computes(server: Server) -> None:
    assert opened("openai:tiny", base_url=server.url).encode_now(["quay"]).shape == (1, 4)


async def test_a_server_that_fails(server: Server) -> None:
    encoder = opened("openai:tiny", base_url=server.url)
    server.status = 500
    with pytest.raises(EncoderFailed):
        await encoder.encode(["x"])
    assert "500" in (await encoder.failure() or "")
    server.status = 200
    await encoder.encode(["x"])
    assert await encoder.failure() is None, "it works again"
    server.dimensions = 6
    with pytest.raises(EncoderFailed, match="6 dimensions after 4"):
        await encoder.encode(["x"])


@pytest.mark.parametrize(
    "said",
    [b"", b"null", b"[]", b"not json", b'{"data": null}', b'{"data": []}', b'{"data": [{"index": 0}]}',
     b'{"data": [{"index": 0, "embedding": ["a"]}]}', b'{"data": [{"index": 0, "embedding": [NaN]}]}',
     b'{"data": [{"index": 0, "embedding": 3}]}', b'{"data": [{"index": "x", "embedding": [1]}]}',
     b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}'],
)  # fmt: skip
async def test_a_server_that_talks_nonsense(server: Server, said: bytes) -> None:
    server.said = said
    with pytest.raises(EncoderFailed):
        await opened("openai:tiny", base_url=server.url).encode(["x"])


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "no address", "http://[::1", "ftp://x"])
async def test_a_server_that_is_not_there(url: str) -> None:
    with pytest.raises(EncoderFailed):
        await opened("openai:x", base_url=url).encode(["x"])
