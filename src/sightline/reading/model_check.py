"""Tests whether a model can be trusted as a verifier, on pairs with known answers.

One that lets too many falsehoods pass, or refuses too many honest sentences, writes nothing: profiles,
content and answers are then composed of quotes. A model that was never tried may write.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sightline.llm.asking import ModelDidNotAnswer
from sightline.llm.models import ModelConfig
from sightline.reading.pairs import KINDS, PARAPHRASE, Pair
from sightline.reading.proof import VERSION, batches, claim_fault, most_tokens, verify
from sightline.store import model_checks
from sightline.store.database import Connection
from sightline.store.model_checks import ModelCheck, Score

LEAST_REFUSED: Final = 0.9  # of the falsehoods
LEAST_KEPT: Final = 0.9  # of the paraphrases

_MOST_TRIES: Final = 3  # of a request that the provider wants to have later
_LONGEST_PAUSE: Final = 60.0
_SECONDS: Final = 180.0  # that a request may take

Progress = Callable[[int], None]
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Cost:
    """The most that a check takes."""

    requests: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Report:
    """How a model did. `missed` are the pairs that it judged wrongly."""

    scores: tuple[Score, ...]
    missed: tuple[Pair, ...]
    tokens: int

    @property
    def refused(self) -> tuple[int, int]:
        """Falsehoods refused, of how many."""
        false = [each for each in self.scores if each.kind != PARAPHRASE]
        return sum(each.right for each in false), sum(each.asked for each in false)

    @property
    def kept(self) -> tuple[int, int]:
        """Paraphrases kept, of how many."""
        true = [each for each in self.scores if each.kind == PARAPHRASE]
        return sum(each.right for each in true), sum(each.asked for each in true)


def cost(pairs: Sequence[Pair]) -> Cost:
    """What checking these takes at most."""
    claims = [pair.claim for pair in pairs if _reaches_the_verifier(pair)]
    return Cost(sum(1 for _ in batches(claims)), most_tokens(claims))


async def check(
    config: ModelConfig,
    pairs: Sequence[Pair],
    *,
    progress: Progress | None = None,
    sleep: Sleep = asyncio.sleep,
) -> Report:
    """Judge the pairs as what a model writes is judged, and compare. `progress` hears of the requests
    that are answered; one that the provider wants to have later is sent again after a pause. A request
    holds more sentences than most answers do and no one waits for it, so it may take minutes.

    Raises ModelDidNotAnswer.
    """
    verifier = config.verifier or config
    config = replace(verifier, verifier=None, seconds=max(verifier.seconds, _SECONDS))
    asked = [pair for pair in pairs if _reaches_the_verifier(pair)]
    kept: set[str] = set()
    tokens = 0
    for done, batch in enumerate(batches([pair.claim for pair in asked]), start=1):
        for tries in range(1, _MOST_TRIES + 1):
            try:
                found = await verify(config, batch)
                break
            except ModelDidNotAnswer as error:
                if error.reason != "rate_limited" or tries == _MOST_TRIES:
                    raise
                await sleep(min(error.retry_after or 5.0 * tries, _LONGEST_PAUSE))
        verdicts = zip(batch, found.judged, strict=True)
        kept |= {claim.mark for claim, judged in verdicts if judged.verdict == "supported"}
        tokens += found.tokens
        if progress is not None:
            progress(done)
    return _report(pairs, kept, tokens)


async def keep(connection: Connection, config: ModelConfig, report: Report) -> ModelCheck:
    """Write the outcome of a check of all pairs down, in the place of an earlier one."""
    made = model_checks.Checked(*_identity(config), report.scores, report.tokens)
    return await model_checks.write_check(connection, made)


async def last_check(connection: Connection, config: ModelConfig) -> ModelCheck | None:
    """The outcome of the last check of this model by this prompt; None when there was none."""
    return await model_checks.read_check(connection, *_identity(config))


async def writer(connection: Connection, config: ModelConfig | None) -> ModelConfig | None:
    """The model if it may write sentences; None when none is configured or it failed its check."""
    if config is None:
        return None
    found = await last_check(connection, config)
    return config if found is None or is_trusted(found) else None


def is_trusted(found: ModelCheck | Report) -> bool:
    """Whether a model that did so may write."""
    (refused, false), (kept, true) = found.refused, found.kept
    return refused >= LEAST_REFUSED * false and kept >= LEAST_KEPT * true


def in_words(found: ModelCheck | Report) -> str:
    """How it did, in one sentence."""
    (refused, false), (kept, true) = found.refused, found.kept
    return f"refuses {refused} of {false} falsehoods and keeps {kept} of {true} paraphrases"


def _identity(config: ModelConfig) -> tuple[str, str, int]:
    """What the outcome of a check depends on: the model that verifies, where it runs, and the prompt."""
    verifier = config.verifier or config
    return verifier.name, verifier.base_url or "", VERSION


def _reaches_the_verifier(pair: Pair) -> bool:
    return claim_fault(pair.claim) is None


def _report(pairs: Sequence[Pair], kept: set[str], tokens: int) -> Report:
    missed = [pair for pair in pairs if (pair.claim.mark in kept) is not pair.is_true]
    scores = []
    for kind in (PARAPHRASE, *KINDS):
        asked = sum(pair.kind == kind for pair in pairs)
        wrong = sum(pair.kind == kind for pair in missed)
        if asked:
            scores.append(Score(kind, asked, asked - wrong))
    return Report(tuple(scores), tuple(missed), tokens)
