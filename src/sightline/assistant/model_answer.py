"""A model asked once; whatever fails has a reason."""

import asyncio
from typing import Literal

import structlog

from sightline.assistant.contract import Answer, Listener
from sightline.assistant.turn import NOBODY, Turn, extract, write
from sightline.llm.asking import ModelDidNotAnswer, Reason, explained, seat
from sightline.llm.models import ModelConfig, open_model

log = structlog.get_logger()

Degraded = Reason | Literal["not_proven"]


async def ask_model(
    turn: Turn, config: ModelConfig, *, listener: Listener = NOBODY, streams: bool = False
) -> Answer | Degraded:
    """The model's answer, or why there is none. Never raises for what the model does."""
    try:
        with seat(turn.held.caller.organization_id), explained():
            model = await asyncio.to_thread(open_model, config)  # the first time it imports much
            async with asyncio.timeout(config.seconds):
                answer = await write(
                    turn, model, name=config.name, listener=listener, streams=streams
                )
    except ModelDidNotAnswer as error:
        log.warning("model_did_not_answer", model=config.name, reason=error.reason)
        await listener.withdraw()
        return error.reason
    return answer or "not_proven"


async def answer_with(
    turn: Turn, config: ModelConfig | None, *, listener: Listener = NOBODY, streams: bool = False
) -> Answer:
    """The model's answer if there is a model and it proves what it says; else the extractive one, which
    then says in `usage` why."""
    if config is None:
        return await extract(turn, listener=listener)
    answer = await ask_model(turn, config, listener=listener, streams=streams)
    if isinstance(answer, Answer):
        return answer
    return await extract(turn, listener=listener, usage={"degraded": answer})
