"""The one who asks may send any text: reading a question takes time in proportion to its length.

All of it runs in the API's event loop, where one slow question holds up everybody.
"""

from collections.abc import Callable
from contextlib import suppress

import pytest

from sightline.api import assistant_schemas
from sightline.assistant import composition, extractive
from sightline.reading.dates import days_in, first_day, periods_in, without_days
from sightline.reading.money import sums_in
from sightline.reading.named import capitalized
from sightline.reading.orders import is_order, without_orders
from sightline.reading.proof import harmless, own_words
from sightline.reading.sentences import sentences
from sightline.reading.tables import scale_of
from sightline.reading.terms import counted, written_terms
from sightline.reading.tokens import stems
from tests.growth import TIMES, grows_linearly
from tests.sources.hostile_shapes import SHAPES

# Twice the longest message.
SIZE = 8_000
READERS: tuple[Callable[[str], object], ...] = (
    assistant_schemas._says_something,
    scale_of,
    harmless,
    own_words,
    counted,
    stems,
    is_order,
    without_orders,
    first_day,
    without_days,
    extractive._with_one_place,
    composition._names,
    composition._EMAIL.findall,
    composition._PHONE.findall,
    lambda text: list(written_terms(text)),
    lambda text: list(sentences(text)),
    lambda text: list(capitalized(text)),
    lambda text: list(days_in(text)),
    lambda text: list(periods_in(text)),
    lambda text: list(sums_in(text)),
)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_question_of_any_shape_is_read_in_linear_time(shape: str) -> None:
    slow = [
        read for read in READERS if not grows_linearly(quiet(read), make(shape), size=SIZE // TIMES)
    ]
    assert slow == []


def quiet(read: Callable[[str], object]) -> Callable[[str], object]:
    """The reader, of which only the time counts: what it refuses, it need not read."""

    def run(text: str) -> None:
        with suppress(ValueError):
            read(text)

    return run


def make(shape: str) -> Callable[[int], str]:
    return lambda size: (SHAPES[shape](size) * (1 + size // 100))[:size]
