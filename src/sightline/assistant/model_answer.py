"""A model asked once, with a limit on how many are asked at a time; whatever fails has a reason."""

import asyncio
from functools import cache
from typing import TYPE_CHECKING, Final

import structlog

from sightline.assistant.contract import Answer
from sightline.assistant.turn import Turn, write
from sightline.llm.models import ModelConfig, ModelIsUnavailable, open_model

if TYPE_CHECKING:
    from pydantic_ai.models import Model

log = structlog.get_logger()

PREFIX: Final = "assistant:"  # of the operations of its reservations
# Each holds a connection of the pool while the model thinks; the others are for everybody else.
_MOST_AT_ONCE: Final = 3
_WRITING = [0]


@cache
def opened(config: ModelConfig) -> "Model":
    """The model of a configuration, opened once a process."""
    return open_model(config)


async def ask_model(turn: Turn, config: ModelConfig) -> tuple[Answer | None, str]:
    """The model's answer; or None with the reason in a word. Never raises for what the model does."""
    if _WRITING[0] >= _MOST_AT_ONCE:
        return None, "busy"
    _WRITING[0] += 1
    try:
        answer = await write(turn, opened(config), name=config.name)
    except ModelIsUnavailable as error:
        log.warning("model_unavailable", reason=str(error))
        return None, "unavailable"
    except TimeoutError:
        return None, "timeout"
    except asyncio.CancelledError:
        raise
    except Exception as error:  # a provider's failure is no reason to leave a question unanswered
        log.warning("model_failed", error=type(error).__name__)
        return None, "failed"
    finally:
        _WRITING[0] -= 1
    return answer, "" if answer is not None else "not_proven"
