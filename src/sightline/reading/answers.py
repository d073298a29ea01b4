"""The reader of answers: does a text answer a question?

A small model that reads question and text together (a cross-encoder); `training/answers.py` makes it from
all-MiniLM-L6-v2. It says what is likely, and never proves anything.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sightline.reading.bundled import read_bundled
from sightline.reading.encoder import EncoderFailed
from sightline.reading.onnx_encoder import IN_TURN, OnnxModel, Parts, outcome
from sightline.reading.vectors import printable

FILE: Final = "answers.onnx"
TOKENS: Final = 192
_LONGEST_TEXT: Final = 1_500  # characters; no more are read
# The score (see `search.quotes`) from which the best quotes are shown. Of 50 questions about companies seen
# for the first time the answer stood in 11 of 19 shown from here on, and in 7 of 15 from 4.0 on.
_LEAST: Final = 3.75


class AnswerReader(OnnxModel):
    """The model, loaded on first use. From the score `least` on the best quotes of a question are shown."""

    def __init__(self, name: str, read: Callable[[], Parts], *, least: float) -> None:
        super().__init__(name, read, without="Quotes are chosen by words alone.")
        self.least = least

    async def read(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """The logarithm of the odds that each text answers the question; some 8 ms a text.

        Raises EncoderFailed.
        """
        rows = [
            await self.run(partial(self.read_now, question, texts[at : at + IN_TURN]))
            for at in range(0, len(texts), IN_TURN)
        ]
        return np.concatenate(rows) if rows else np.zeros(0, np.float32)

    def read_now(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same, blocking."""
        loaded = self.load()
        pairs = [(printable(question, _LONGEST_TEXT), printable(t, _LONGEST_TEXT)) for t in texts]
        try:
            encoded = loaded.tokenizer.encode_batch(pairs)
            rows = [outcome(loaded, each.ids, loaded.output) for each in encoded]
        except Exception as error:  # the runtime's errors are of many kinds
            raise EncoderFailed(f"{self.name} cannot read: {error}") from error
        return np.array(rows, np.float32)


@cache
def answer_reader() -> AnswerReader:
    """The one of this process; its file is read at the first question."""

    def read() -> Parts:
        return Parts(read_bundled(FILE), read_bundled("tokenizer.json").decode(), TOKENS)

    return AnswerReader("answers", read, least=_LEAST)
