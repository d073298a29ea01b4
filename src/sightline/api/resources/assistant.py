"""Natural-language questions about a company, answered with citations."""

from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.answering import PRICE, answer_message
from sightline.api.asked_company import asked_company
from sightline.api.assistant_schemas import Citation, Message, Nearest, RelatedDocument
from sightline.api.endpoint import Call, DeferredReply, Endpoint, PricedParameters, Reply, Schema
from sightline.assistant.contract import Answer
from sightline.domain.errors import CreditsAreExhausted, SessionDoesNotExist
from sightline.store.assistant import session_scope


class ChatParameters(PricedParameters):
    company_id: UUID = Field(description="Id of the company.")


class ChatMessage(Schema):
    message: Message = Field(
        description="The question.",
        examples=["Who is the chief financial officer?"],
    )
    conversation_id: UUID | None = Field(
        default=None, description="Continues one of your conversations; omit it to start a new one."
    )


class ChatAnswer(Schema):
    conversation_id: UUID = Field(description="Also the id of an agent session of type chat.")
    message_id: UUID
    answer: str
    citations: list[Citation]
    nearest: Nearest
    related: list[RelatedDocument] = Field(description="More documents on the topic.")
    suggestions: list[str] = Field(description="Suggested follow-up questions.")
    evidence: Literal["sufficient", "partial", "none"]
    model: str = Field(description="Name of the model that wrote it, or extractive.")
    usage: dict[str, Any] = Field(
        description="Tokens used by a model. `degraded` says why no model wrote the answer."
    )


async def chat(call: Call) -> Reply | DeferredReply:
    asked: ChatMessage = call.body
    connection, caller = call.tenant, call.caller
    company_id = await asked_company(call)
    if asked.conversation_id is not None:
        found = await session_scope(connection, caller, asked.conversation_id)
        if found is None or found.type != "chat" or found.company_id not in (None, company_id):
            raise SessionDoesNotExist()
    return await answer_message(
        call, company_id, asked.message, session_id=asked.conversation_id, envelope=Answer.envelope
    )


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/companies/{company_id}/assistant/chat",
        name="chat",
        summary="Ask a question about a company",
        description=(
            "Answers in a few sentences from all evidence about the company, each with numbered citations "
            "whose quotes are verbatim. If no evidence answers the question, it says so (`evidence: none`), "
            "also when a model finds none. A model-written answer costs 1 content credit; an extractive one, "
            "and `none`, cost nothing.\n\nWith `Accept: text/event-stream` the answer is streamed as events: "
            "`status` (`step`, `what`), `token` (`text`: the next sentence, proven), `citation` (when a "
            "sentence first cites it), `reset` (what was sent is void: the model failed and another answer "
            "follows), `credits` (what it cost), then `done` with the same object as without a stream. The "
            "headers are sent before the cost is known: `X-Credits-Charged` is then the amount reserved, and "
            "`credits` the amount charged. After the first event, a failure is an event `error` with an "
            "error body. A comment is sent after ten seconds without an event. With an `Idempotency-Key` all "
            "events are sent at the end, because they are stored; repeating the request meanwhile returns "
            "`idempotency_in_progress`."
        ),
        tag="Assistant",
        scopes=("insights:read",),
        params=ChatParameters,
        body=ChatMessage,
        answer=ChatAnswer,
        errors=(SessionDoesNotExist, CreditsAreExhausted),
        price=PRICE,
        handler=chat,
    ),
)
