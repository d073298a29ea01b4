"""Sentences known to follow or not to follow from a passage, for testing a verifier model.

The passages are invented, in the style of filings, releases, postings, pages and talks. Each sentence
can be decided by a careful reader from its passage alone.
"""

import hashlib
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import cache
from importlib.resources import files
from typing import Any, Final

from sightline.reading.proof import Claim, Quoted

FILES: Final = ("filings", "releases", "pages", "talks")

PARAPHRASE: Final = "paraphrase"
KINDS: Final = {
    "subject": "another did it",
    "roles": "who did it to whom is swapped",
    "customer": "a customer's for the company's own",
    "division": "a division for the company",
    "part": "a part for the whole",
    "planned": "planned for done",
    "possible": "possible for certain",
    "guidance": "guidance for a result",
    "measure": "one measure for another",
    "sign": "a loss for a profit, or the reverse",
    "year": "one period for another",
    "cause": "cause and effect swapped",
    "usual": "once for usual",
    "denial": "denied for affirmed, or the reverse",
}
"""What is wrong with a false sentence."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence with its quote. `kind` is PARAPHRASE for one that follows, else one of KINDS."""

    kind: str
    claim: Claim

    @property
    def is_true(self) -> bool:
        """Whether it follows from its quote."""
        return self.kind == PARAPHRASE


@cache
def pairs() -> tuple[Pair, ...]:
    """All of them, those of a passage side by side in an order that does not give them away."""
    found: list[Pair] = []
    for name in FILES:
        place = files("sightline.reading").joinpath(f"pairs/{name}.toml")
        for passage in tomllib.loads(place.read_text(encoding="utf-8"))["passage"]:
            found += sorted(_pairs(passage), key=_order)
    return tuple(found)


def sample(size: int) -> tuple[Pair, ...]:
    """So many of them, the same each time."""
    return tuple(sorted(pairs(), key=_order)[:size])


def _pairs(passage: dict[str, Any]) -> list[Pair]:
    day = datetime.combine(passage["date"], time(), UTC)

    def pair(kind: str, quote: str, sentence: str) -> Pair:
        quoted = Quoted(quote, passage["text"], passage["title"], day)
        return Pair(kind, Claim(sentence, (quoted,), passage["company"]))

    true = [pair(PARAPHRASE, quote, sentence) for quote, sentence in passage["true"]]
    return true + [pair(kind, quote, sentence) for kind, quote, sentence in passage["false"]]


def _order(pair: Pair) -> str:
    return hashlib.sha256(pair.claim.text.encode()).hexdigest()
