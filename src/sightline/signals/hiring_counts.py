"""Whether a board recently opened unusually many or few postings: weekly counts against its own past.

Openings between pulls are gathered into windows of three weeks or more. The newest window, and the newest
three together, are compared with the windows before by the negative binomial distribution: a Poisson
rate that itself varies from window to window, as hiring does. How much it varies is estimated from the
board's own windows together with a prior, since four windows say little about a variance.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from sightline.domain.mentions import Pull

WINDOW: Final = timedelta(days=21)
LEAST_WINDOWS: Final = 4  # of the baseline
MOST_WINDOWS: Final = 13  # a year: hiring of long ago is no baseline
LEAST_SURGE: Final = 12  # postings opened in the newest window
LEAST_EXPECTED: Final = 12  # for a slowdown
SURGE_RATIO: Final = 1.6
SLOWDOWN_RATIO: Final = 0.5
SPANS: Final = (1, 3)  # of how many newest windows: a change at once, and one that lasts
ALPHA: Final = 0.002  # one-sided, for all tests of one board at one date together
# Squared coefficient of variation of a board's true rate between windows: typical boards have 0.05 to
# 0.3. The prior counts as so many windows.
PRIOR_VARIATION: Final = 0.15
PRIOR_WINDOWS: Final = 6


@dataclass(frozen=True, slots=True)
class Window:
    """Openings of a stretch of time between two pulls."""

    start: datetime
    end: datetime
    opened: int

    @property
    def days(self) -> float:
        return (self.end - self.start).total_seconds() / 86_400


@dataclass(frozen=True, slots=True)
class HiringChange:
    """The newest windows as one against what was to be expected; `chance` is the probability of such a
    one, `windows` how many it is compared with."""

    direction: Literal["surge", "slowdown"]
    window: Window
    expected: float
    chance: float
    windows: int


def hiring_change(pulls: Sequence[Pull], *, boards: int = 1) -> HiringChange | None:
    """Whether the newest windows of one board stand out; None for most, and for young boards.

    `pulls` are those of the board, oldest first; what the first one lists was not opened by it.
    """
    found = windows(pulls)
    for span in SPANS:
        newest, before = found[-span:], found[-span - MOST_WINDOWS : -span]
        alpha = ALPHA / (2 * len(SPANS) * boards)
        if len(before) >= LEAST_WINDOWS and (change := compare(newest, before, alpha=alpha)):
            return change
    return None


def windows(pulls: Sequence[Pull]) -> list[Window]:
    """Openings in stretches of at least WINDOW, counted back from the newest complete pull."""
    complete = [pull for pull in pulls if pull.complete]
    if len(complete) < 2:
        return []
    first = complete[0].pulled_at
    newest = complete[-1].pulled_at
    found: list[Window] = []
    end, opened = newest, 0
    later = [pull for pull in pulls if first < pull.pulled_at <= newest]
    borders = {pull.pulled_at for pull in complete}
    for place in range(len(later) - 1, -1, -1):
        opened += later[place].opened
        start = later[place - 1].pulled_at if place else first
        if start in borders and end - start >= WINDOW:
            found.append(Window(start, end, opened))
            end, opened = start, 0
    return list(reversed(found))


def compare(
    recent: Sequence[Window], before: Sequence[Window], *, alpha: float
) -> HiringChange | None:
    """The test itself, with the chance of one side below `alpha`."""
    newest = Window(recent[0].start, recent[-1].end, sum(window.opened for window in recent))
    counts = [window.opened for window in before]
    days = [window.days for window in before]
    if not sum(counts):
        return None
    rate = sum(counts) / sum(days)
    expected = rate * newest.days
    variation = _variation(counts, [rate * each for each in days])
    # The rate is itself an estimate from so many windows: that adds to the spread of a prediction.
    spread = variation * (1 / len(recent) + 1 / len(before)) + 1 / sum(counts)
    # The second highest and lowest rates in postings of the newest length: one peak is no norm.
    rates = sorted(window.opened / window.days for window in before)
    high, low = rates[-2] * newest.days / 1.25, rates[1] * newest.days * 1.25
    is_surge = newest.opened >= max(LEAST_SURGE, SURGE_RATIO * max(expected, high))
    is_slowdown = newest.opened <= SLOWDOWN_RATIO * min(expected, low)
    if not is_surge and (expected < LEAST_EXPECTED or not is_slowdown):
        return None
    chance = _tail(newest.opened, expected, spread, upper=is_surge)
    direction: Literal["surge", "slowdown"] = "surge" if is_surge else "slowdown"
    found = HiringChange(direction, newest, expected, chance, len(before))
    return found if chance < alpha else None


def _variation(counts: Sequence[int], expected: Sequence[float]) -> float:
    """Squared coefficient of variation beyond Poisson's, shrunk to the prior."""
    beyond = sum((count - mean) ** 2 - mean for count, mean in zip(counts, expected, strict=True))
    own = max(0.0, beyond / sum(mean**2 for mean in expected)) * len(counts) / (len(counts) - 1)
    return (own * len(counts) + PRIOR_VARIATION * PRIOR_WINDOWS) / (len(counts) + PRIOR_WINDOWS)


def _tail(count: int, mean: float, spread: float, *, upper: bool) -> float:
    """P(X >= count), or P(X <= count), of a negative binomial with variance mean + spread * mean²."""
    size = 1 / spread
    share = size / (size + mean)
    fixed, fall = size * math.log(share) - math.lgamma(size), math.log1p(-share)
    logs = (
        math.lgamma(k + size) - math.lgamma(k + 1) + k * fall + fixed
        for k in range(count + (0 if upper else 1))
    )
    below = math.fsum(map(math.exp, logs))
    return max(0.0, 1 - below) if upper else min(1.0, below)
