"""Plans and their rate limits."""

from typing import Literal

Plan = Literal["free", "team", "enterprise"]

WINDOW_SECONDS = 60

# requests per key in a window
RATE_LIMITS: dict[Plan, int] = {"free": 60, "team": 600, "enterprise": 6000}
