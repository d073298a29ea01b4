"""Questions about a company in words, answered with citations."""

import json
from functools import partial
from typing import Any, Literal
from uuid import UUID

from pydantic import Field, field_validator

from sightline.api.endpoint import Call, Endpoint, Keep, Later, PricedParameters, Reply, Schema
from sightline.api.event_stream import EVENT_STREAM, Told, stream
from sightline.api.pricing import credit_headers, dry_run_reply
from sightline.api.reserving import Hold, hold, model_patience
from sightline.assistant import turn as assistant
from sightline.assistant.contract import EXTRACTIVE, Answer
from sightline.assistant.model_answer import answer_with
from sightline.assistant.turn import Turn
from sightline.domain.credits import Price, price_of
from sightline.domain.errors import CompanyDoesNotExist, CreditsAreExhausted, SessionDoesNotExist
from sightline.store.assistant import session_company
from sightline.store.companies import present_company
from sightline.store.credits import FOR_ANSWER

PRICE = "assistant_answer"
LONGEST_MESSAGE = 4_000


class ChatParameters(PricedParameters):
    company_id: UUID = Field(description="Id of the company.")


class ChatMessage(Schema):
    message: str = Field(
        max_length=LONGEST_MESSAGE,
        description="The question.",
        examples=["Who is the chief financial officer?"],
    )
    conversation_id: UUID | None = Field(
        default=None, description="Continues a conversation of yours; without it a new one begins."
    )

    @field_validator("message")
    @classmethod
    def _says_something(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("The message is empty.")
        return value


class Citation(Schema):
    n: int = Field(description="Its number in the answer: [1].")
    document_id: UUID
    url: str | None
    title: str | None = Field(description="Of the document; of data, the place in it.")
    quote: str | None = Field(description="Word for word in the document; null for data.")
    published_at: str | None


class RelatedDocument(Schema):
    document_id: UUID
    url: str | None
    title: str | None
    published_at: str | None


class ChatAnswer(Schema):
    conversation_id: UUID = Field(description="Also the id of an agent session of type chat.")
    message_id: UUID
    answer: str
    citations: list[Citation]
    related: list[RelatedDocument] = Field(description="Further documents on the subject.")
    suggestions: list[str] = Field(description="Questions that could be asked next.")
    evidence: Literal["sufficient", "partial", "none"]
    model: str = Field(description="Name of the model that wrote it, or extractive.")
    usage: dict[str, Any] = Field(
        description="Of a model: tokens. `degraded` says why a model did not write the answer."
    )


async def chat(call: Call) -> Reply | Later:
    asked: ChatMessage = call.body
    connection, caller, model = call.connection, call.caller, call.services.model
    company_id = await present_company(connection, caller.organization_id, call.params.company_id)
    if company_id is None:
        raise CompanyDoesNotExist()
    if asked.conversation_id is not None:
        talk = await session_company(connection, caller, asked.conversation_id)
        if talk is None or talk[0] not in (None, company_id):
            raise SessionDoesNotExist()
    price = price_of(PRICE, caller.costs)
    if model is None:
        price = Price(price.credit, 0)
    if call.params.dry_run:
        return await dry_run_reply(call, price)
    turn = await assistant.open_turn(
        connection, caller, company_id, message=asked.message, session_id=asked.conversation_id,
        reading=call.transaction if model else None,
    )  # fmt: skip
    held = await hold(call, price, prefix=FOR_ANSWER, reason="assistant answer")
    listener = Told()
    await listener.step("started")
    wants_events = _wants_events(call.accept)

    async def make() -> Keep:
        answer = await answer_with(turn, model, listener=listener, streams=wants_events)
        return partial(_keep, turn=turn, answer=answer, held=held, listener=listener)

    if model is None:
        keep = await make()
        return await keep(call)
    told = None
    if wants_events:
        # The charge is known at the end only: the headers tell what is held, `credits` what it came to.
        told = partial(stream, listener, call, headers=await credit_headers(call, price))
    return Later(make, held.release, model_patience(call.services), told)


async def _keep(call: Call, *, turn: Turn, answer: Answer, held: Hold, listener: Told) -> Reply:
    """Write the answer down. A model's is paid for; the extractive one, without a model or when it
    fails, is free."""
    kept = await assistant.keep(call.connection, turn, answer, call.body.conversation_id)
    if kept is None:
        raise SessionDoesNotExist()
    if answer.model == EXTRACTIVE:
        await held.release(call.connection)
        headers = await credit_headers(call, Price(held.price.credit, 0))
    else:
        await held.settle(call.connection)
        headers = await credit_headers(call, held.price)
    body = answer.envelope(*kept)
    if not _wants_events(call.accept):
        return Reply(json.dumps(body, ensure_ascii=False).encode(), headers=headers)
    events = listener.end(body, headers)
    return Reply(events, headers=headers | {"Content-Type": f"{EVENT_STREAM}; charset=utf-8"})


def _wants_events(accept: str) -> bool:
    """Whether a stream of events is asked for by name."""
    offered = [part.partition(";")[0].strip().lower() for part in accept.split(",")]
    return EVENT_STREAM in offered


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/companies/{company_id}/assistant/chat",
        name="chat",
        summary="Ask a question about a company",
        description=(
            "Answers in a few sentences from everything held about the company, each with numbered "
            "citations whose quotes are verbatim. Says plainly when nothing held answers "
            "(`evidence: none`). A model-written answer costs 1 content credit, an extractive one nothing."
            "\n\nWith `Accept: text/event-stream` it is told while it is made, as events: `status` "
            "(`step`), `token` (`text`: the next words, proven), `citation` (one, when the words first "
            "name it), `reset` (what was told is void: the model failed and another answer follows), "
            "`credits` (what it cost), then `done` with the same object as without a stream. The headers "
            "go out before it is known which answer it will be: `X-Credits-Charged` is then what is held, "
            "and `credits` what it came to. After the first event a failure is an event `error` with the "
            "body of an error. A comment is sent when nothing else is for ten seconds. With an "
            "`Idempotency-Key` all events come at the end, because they are kept; the same request sent "
            "meanwhile is refused with `idempotency_in_progress`."
        ),
        tag="Assistant",
        scopes=("insights:read",),
        params=ChatParameters,
        body=ChatMessage,
        body_required=True,
        answer=ChatAnswer,
        errors=(CompanyDoesNotExist, SessionDoesNotExist, CreditsAreExhausted),
        price=PRICE,
        handler=chat,
    ),
)
