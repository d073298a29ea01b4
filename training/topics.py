"""Encode the example questions of `assistant/data/topics.toml` with the bundled encoder.

Run: python -m training.topics   (after the examples or the encoder changed; `--check` writes nothing)

The vectors only save the first question of a process some two seconds: where they do not belong to the
examples and the encoder, the server encodes the examples itself.
"""

import sys
from pathlib import Path

from sightline.assistant.routing import VECTORS, examples_digest, topics
from sightline.reading.encoder import EncoderConfig, open_encoder

FOLDER = Path(__file__).resolve().parents[1] / "src/sightline/assistant/data"


def main() -> int:
    encoder = open_encoder(EncoderConfig())
    assert encoder is not None
    spoken = [example for topic in topics() for example in topic.examples]
    vectors = encoder.encode_now(spoken, query=True)
    made = examples_digest(encoder.name) + vectors.astype("<f2").tobytes()
    place = FOLDER / VECTORS
    if "--check" in sys.argv:
        same = place.is_file() and place.read_bytes() == made
        print(
            "Up to date." if same else f"{place.name} is out of date; run python -m training.topics"
        )
        return 0 if same else 1
    place.write_bytes(made)
    print(f"{len(spoken)} examples of {len(topics())} topics, {len(made):,} bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
