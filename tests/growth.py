"""Whether work grows with its input and no faster, by comparing it with itself."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

TIMES = 8
TRIES = 5
# Linear work takes TIMES as long, quadratic work TIMES * TIMES: halfway between, as factors go.
MOST_TIMES = 24


def grows_linearly(work: Callable[[T], object], make: Callable[[int], T], *, size: int) -> bool:
    """Whether `work` on `make(TIMES * size)` takes about TIMES the processor time of `make(size)`.

    A busy machine may spoil a measurement, not all of them; work that grows faster fails each.
    """
    small, large = make(size), make(TIMES * size)
    return any(_seconds(work, large) < MOST_TIMES * _seconds(work, small) for _ in range(TRIES))


def _seconds(work: Callable[[T], object], given: T) -> float:
    """Processor time of this thread."""
    began = time.thread_time()
    work(given)
    return time.thread_time() - began
