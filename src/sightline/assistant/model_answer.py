"""The model's answer, or the extractive one if the model fails."""

import asyncio
from typing import Any, Final

import structlog

from sightline.assistant.composition import Composition
from sightline.assistant.contract import EXTRACTIVE, Answer, Draft, Listener, Statement
from sightline.assistant.turn import NO_LISTENER, Turn, extract
from sightline.llm.asking import ModelDidNotAnswer, explained, seat
from sightline.llm.models import ModelConfig, open_model

log = structlog.get_logger()

_STEPS: Final = 5


async def answer_with(
    turn: Turn, config: ModelConfig | None, *, listener: Listener = NO_LISTENER
) -> Answer:
    """The model's answer, also when it is that nothing answers. Where there is no model, or it fails,
    the extractive one, which then says in `usage` why."""
    if config is None:
        return await _without(turn, listener, {})
    try:
        with seat(turn.evidence.caller.organization_id), explained():
            # The first time it imports much, which takes none of the answer's time.
            await asyncio.to_thread(_import, config)
            from sightline.assistant.llm_answer import ask_model

            return await ask_model(turn, config, listener)
    except ModelDidNotAnswer as error:
        log.warning("model_did_not_answer", model=config.name, reason=error.reason)
        await listener.withdraw()
        return await _without(turn, listener, {"degraded": error.reason})


async def _without(turn: Turn, listener: Listener, usage: dict[str, Any]) -> Answer:
    """What is answered without a model: quotes, or for a plan what happened lately."""
    composition = Composition(turn.evidence, listener)
    if not turn.has_company:
        missing = "Without a language model only questions about one company are answered."
        draft = Draft((), "none", missing)
        return await composition.finish(draft, model=EXTRACTIVE, usage=usage)
    if turn.kind == "chat":
        return await extract(turn, listener=listener, usage=usage)
    await listener.step("reading")
    signals = [row for row in await turn.evidence.signals() if row["document_id"]]
    draft = Draft(
        evidence="partial", missing=f"There are no recent events at {turn.evidence.name}."
    )
    await composition.add(
        [
            Statement(
                row["quote"],
                (turn.evidence.source(row["document_id"], quote=row["quote"]),),
                f"Look into “{row['title']}”:",
            )
            for row in signals[:_STEPS]
        ]
    )
    return await composition.finish(draft, model=EXTRACTIVE, usage=usage)


def _import(config: ModelConfig) -> None:
    import sightline.assistant.llm_answer  # noqa: F401

    open_model(config)
