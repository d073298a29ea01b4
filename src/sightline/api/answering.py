"""An assistant answer as a reply: credits reserved, streamed on request, stored, charged."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from uuid import UUID

from sightline.api.endpoint import Call, DeferredReply, Keep, Reply
from sightline.api.event_stream import EVENT_STREAM, EventQueue, stream
from sightline.api.pricing import credit_headers, dry_run_reply
from sightline.api.reserving import Hold, answer_timeout, hold
from sightline.assistant import turn as assistant
from sightline.assistant.contract import EXTRACTIVE, Answer
from sightline.assistant.turn import Turn, TurnKind, answer_with
from sightline.domain.credits import Price, price_of
from sightline.domain.errors import SessionDoesNotExist
from sightline.reading.model_check import writer
from sightline.store.credits import FOR_ANSWER

PRICE = "assistant_answer"

Envelope = Callable[[Answer, UUID, UUID], Mapping[str, Any]]


async def answer_message(
    call: Call,
    company_id: UUID | None,
    message: str,
    *,
    session_id: UUID | None,
    envelope: Envelope,
    kind: TurnKind = "chat",
) -> Reply | DeferredReply:
    """Answer a message of the caller and keep both in the session, or in a new one. The body is what
    `envelope` makes of answer, session and message id."""
    model = await writer(call.tenant, call.services.model)
    price = price_of(PRICE, call.caller.costs)
    if model is None:
        price = Price(price.credit, 0)
    if call.params.dry_run:
        return await dry_run_reply(call, price)
    turn = await assistant.open_turn(
        call.tenant, call.caller, company_id, message=message, session_id=session_id,
        reading=call.transaction if model else None, kind=kind,
    )  # fmt: skip
    held = await hold(call, price, prefix=FOR_ANSWER, reason="assistant answer")
    listener = EventQueue()
    await listener.step("started")

    async def make() -> Keep:
        answer = await answer_with(turn, model, listener=listener)
        return partial(
            _keep, turn=turn, answer=answer, held=held, listener=listener, session_id=session_id,
            envelope=envelope,
        )  # fmt: skip

    if model is None:
        keep = await make()
        return await keep(call)
    streamed = None
    if wants_events(call.accept):
        # The charge is known at the end only: the headers say what is held, `credits` what it came to.
        streamed = partial(stream, listener, call, headers=await credit_headers(call, price))
    return DeferredReply(make, held.release, answer_timeout(call.services), streamed)


async def _keep(
    call: Call, *, turn: Turn, answer: Answer, held: Hold, listener: EventQueue,
    session_id: UUID | None, envelope: Envelope,
) -> Reply:  # fmt: skip
    """Write the answer down. What a model says is paid for. Free are the answer that nothing stored
    answers it, and the extractive one, without a model or where it fails."""
    kept = await assistant.keep(call.tenant, turn, answer, session_id)
    if kept is None:
        raise SessionDoesNotExist()
    if answer.model == EXTRACTIVE or answer.evidence == "none":
        await held.release(call.tenant)
        headers = await credit_headers(call, Price(held.price.credit, 0))
    else:
        await held.settle(call.tenant)
        headers = await credit_headers(call, held.price)
    body = envelope(answer, *kept)
    if not wants_events(call.accept):
        return Reply(json.dumps(body, ensure_ascii=False).encode(), headers=headers)
    events = listener.end(body, headers)
    return Reply(events, headers=headers | {"Content-Type": f"{EVENT_STREAM}; charset=utf-8"})


def wants_events(accept: str) -> bool:
    """Whether a stream of events is asked for by name."""
    offered = [part.partition(";")[0].strip().lower() for part in accept.split(",")]
    return EVENT_STREAM in offered
