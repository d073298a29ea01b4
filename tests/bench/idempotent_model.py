"""The model of `tests/bench/idempotent_retries.py`: it takes its time, proves what it says, or fails."""

import random
import re
from typing import Any

from tests.assistant.provider import Act, Call, Fail, Wait

ACQUIRED = "In May it acquired Beacon Freight Systems for 40 million dollars in cash."
_SLOWEST = 0.4  # seconds; processes live about as long, so that they die while it thinks
_FAILURES = 0.2  # of its answers


class Model:
    """A script of the invented provider."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def __call__(self, asked: dict[str, Any]) -> Act:
        chance = self._chance
        if chance.random() < _FAILURES:
            return Wait(chance.uniform(0, _SLOWEST), Fail(400))
        if all(tool["function"]["name"] != "search" for tool in asked["tools"]):
            return Wait(chance.uniform(0, _SLOWEST), Call({"title": "-", "statements": []}))
        reported = [message for message in asked["messages"] if message["role"] == "tool"]
        if not reported:
            return Call({"queries": ["acquired"]}, tool="search")
        return Wait(chance.uniform(0, _SLOWEST), Call({"sentences": _sentences(reported)}))


def _sentences(reported: list[dict[str, Any]]) -> list[dict[str, Any]]:
    shown = str(reported[-1]["content"])
    ids = re.findall(r"^(S\d+) \|", shown[: max(0, shown.find(ACQUIRED))], re.MULTILINE)
    source = ids[-1] if ids else None
    if source is None:
        return []
    return [
        {
            "text": "It acquired Beacon Freight Systems for 40 million dollars in cash.",
            "sources": [{"id": source, "quote": ACQUIRED}],
        }
    ]
