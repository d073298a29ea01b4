"""Questions about a company in words, answered with citations."""

import json
from collections.abc import Iterator
from typing import Any, Literal
from uuid import UUID

from pydantic import Field, field_validator

from sightline.api.endpoint import Call, Endpoint, PricedParameters, Reply, Schema
from sightline.api.pricing import credit_headers, dry_run_reply
from sightline.assistant import turn as assistant
from sightline.assistant.contract import Answer
from sightline.assistant.model_answer import PREFIX, ask_model
from sightline.assistant.turn import Turn
from sightline.domain.credits import Price, price_of
from sightline.domain.errors import CompanyDoesNotExist, CreditsAreExhausted, SessionDoesNotExist
from sightline.kit.ids import new_id
from sightline.store import credits
from sightline.store.assistant import abandoned_reservations, session_company
from sightline.store.companies import present_company

PRICE = "assistant_answer"
LONGEST_MESSAGE = 4_000
EVENT_STREAM = "text/event-stream"
ABANDONED_MINUTES = 10


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


async def chat(call: Call) -> Reply:
    asked: ChatMessage = call.body
    connection, caller = call.connection, call.caller
    company_id = await present_company(connection, caller.organization_id, call.params.company_id)
    if company_id is None:
        raise CompanyDoesNotExist()
    if asked.conversation_id is not None:
        talk = await session_company(connection, caller, asked.conversation_id)
        if talk is None or talk[0] not in (None, company_id, call.params.company_id):
            raise SessionDoesNotExist()
    price = price_of(PRICE, caller.costs)
    if call.services.model is None:
        price = Price(price.credit, 0)
    if call.params.dry_run:
        return await dry_run_reply(call, price)
    turn = await assistant.open_turn(
        connection, caller, company_id, message=asked.message, session_id=asked.conversation_id
    )
    answer, charged = await _answer(call, turn, price)
    kept = await assistant.keep(turn, answer, asked.conversation_id)
    if kept is None:
        raise SessionDoesNotExist()
    body = {
        "conversation_id": str(kept[0]),
        "message_id": str(kept[1]),
        "answer": answer.answer,
        "citations": list(answer.citations),
        "related": list(answer.related),
        "suggestions": list(answer.suggestions),
        "evidence": answer.evidence,
        "model": answer.model,
        "usage": answer.usage,
    }
    headers = await credit_headers(call, charged)
    if _wants_events(call.accept):
        return Reply(
            b"".join(_events(body)),
            headers=headers | {"Content-Type": f"{EVENT_STREAM}; charset=utf-8"},
        )
    return Reply(json.dumps(body, ensure_ascii=False).encode(), headers=headers)


async def _answer(call: Call, turn: Turn, price: Price) -> tuple[Answer, Price]:
    """The model's answer, paid for; the extractive one, free, without a model or when it fails."""
    config = call.services.model
    free = Price(price.credit, 0)
    if config is None:
        return await assistant.extract(turn), free
    operation = f"{PREFIX}{new_id()}"
    organization_id = call.caller.organization_id
    if price.amount:
        await _reserve(call, operation, price)
    try:
        answer, reason = await ask_model(turn, config)
    except BaseException:
        await _release(call, operation, price)
        raise
    if answer is None:
        await _release(call, operation, price)
        return await assistant.extract(turn, usage={"degraded": reason}), free
    if price.amount:
        await credits.settle(
            call.connection, organization_id, credit=price.credit, operation=operation
        )
    return answer, price


async def _reserve(call: Call, operation: str, price: Price) -> None:
    """Hold the price in a transaction of its own: the call to the model is not waited for under a lock.

    Raises CreditsAreExhausted. What a process that died left held is given back first.
    """
    organization_id = call.caller.organization_id
    async with call.services.database.tenant(organization_id) as connection:
        for abandoned in await abandoned_reservations(
            connection, organization_id, prefix=PREFIX, minutes=ABANDONED_MINUTES
        ):
            await credits.release(
                connection, organization_id, credit=price.credit, operation=abandoned
            )
        left = await credits.balances(connection, organization_id)
        if left.get(price.credit, 0) < price.amount:
            raise CreditsAreExhausted(
                f"The operation needs {price.amount} {price.credit} credit(s);"
                f" {left.get(price.credit, 0)} are left.",
                credit=price.credit,
                needed=price.amount,
                remaining=left.get(price.credit, 0),
            )
        await credits.reserve(
            connection,
            organization_id,
            credit=price.credit,
            amount=price.amount,
            operation=operation,
            reason="assistant answer",
            key_id=call.caller.key_id,
            request_id=call.request_id,
        )


async def _release(call: Call, operation: str, price: Price) -> None:
    if not price.amount:
        return
    async with call.services.database.tenant(call.caller.organization_id) as connection:
        await credits.release(
            connection, call.caller.organization_id, credit=price.credit, operation=operation
        )


def _wants_events(accept: str) -> bool:
    """Whether a stream of events is asked for by name."""
    offered = [part.partition(";")[0].strip().lower() for part in accept.split(",")]
    return EVENT_STREAM in offered


def _events(body: dict[str, Any]) -> Iterator[bytes]:
    """The answer as events: `token` for each word, then `done` with the whole."""
    words = body["answer"].split(" ")
    for at, word in enumerate(words):
        text = word if at == len(words) - 1 else word + " "
        yield _event("token", {"text": text})
    yield _event("done", body)


def _event(name: str, data: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/companies/{company_id}/assistant/chat",
        name="chat",
        summary="Ask a question about a company",
        description=(
            "Answers in a few sentences from everything held about the company, each with numbered "
            "citations whose quotes are verbatim. Says plainly when nothing held answers "
            "(`evidence: none`). With `Accept: text/event-stream` the answer comes as events `token` "
            "and one `done`. A model-written answer costs 1 content credit, an extractive one nothing."
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
