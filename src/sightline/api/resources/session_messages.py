"""Messages to agent sessions (beta): answers, plans, content or settings."""

import json
from functools import partial
from typing import Any, Final, Literal
from uuid import UUID

from pydantic import Field, ValidationError

from sightline.api.answering import PRICE, answer_message
from sightline.api.assistant_schemas import Citation, Message, Nearest, RelatedDocument
from sightline.api.composing import PRICE as CONTENT_PRICE
from sightline.api.composing import write_text
from sightline.api.content_schemas import ContentItem, NewSetting, Setting, SettingChange
from sightline.api.endpoint import (
    Call,
    DeferredReply,
    Endpoint,
    PricedParameters,
    Reply,
    Schema,
)
from sightline.api.pricing import credit_headers, dry_run_reply
from sightline.api.reserving import Hold
from sightline.assistant.contract import Answer
from sightline.assistant.turn import TurnKind
from sightline.domain.credits import Price, price_of
from sightline.domain.errors import (
    CreditsAreExhausted,
    NothingToWrite,
    RequestIsInvalid,
    SessionDoesNotExist,
)
from sightline.kit.clock import now
from sightline.profile.content import Composed
from sightline.store.agent_sessions import add_message
from sightline.store.assistant import session_scope
from sightline.store.content import ContentType, add_content, kept, read_content, save_kept

_CONTENT: Final[dict[str, ContentType]] = {"document": "document", "email": "email"}
_TURNS: Final[dict[str, TurnKind]] = {
    "chat": "chat", "workspace": "chat", "plan": "plan", "project": "plan",
}  # fmt: skip


class NewMessageParameters(PricedParameters):
    session_id: UUID = Field(description="Id of the session.")


class NewMessage(Schema):
    content: Message = Field(
        description="A question, what to plan, what to write, or a note, depending on the session's type.",
        examples=["What changed in the last quarter?"],
    )


class PlanStep(Schema):
    action: str = Field(description="What to do.")
    reason: str = Field(description="Why the evidence makes it worth doing.")
    citations: list[int] = Field(description="Numbers of `citations` that prove the reason.")


class SessionReply(Schema):
    session_id: UUID
    message_id: UUID = Field(
        description="Id of the reply, or of your own message if there is none."
    )
    answer: str | None = Field(description="The answer, plan, text or setting.")
    steps: list[PlanStep] = Field(description="Steps of a plan, in order.")
    content: ContentItem | None = Field(description="What a document or email session wrote.")
    setting: Setting | None = Field(description="The content setting of a canvas_settings session.")
    citations: list[Citation]
    nearest: Nearest
    related: list[RelatedDocument]
    suggestions: list[str]
    evidence: Literal["sufficient", "partial", "none"] | None
    model: str | None = Field(description="Name of the model that wrote it, or extractive.")
    usage: dict[str, Any]


async def create_message(call: Call) -> Reply | DeferredReply:
    session_id = call.params.session_id
    found = await session_scope(call.tenant, call.caller, session_id)
    if found is None:
        raise SessionDoesNotExist()
    text: str = call.body.content
    if found.type in _TURNS:
        # A workspace is that of all accounts, whatever company its session was begun at.
        company_id = None if found.type == "workspace" else found.company_id
        return await answer_message(
            call,
            company_id,
            text,
            session_id=session_id,
            envelope=_envelope,
            kind=_TURNS[found.type],
        )
    if found.type == "canvas_settings":
        return await _set(call, found.setting_id, text)
    if found.company_id is None:
        raise RequestIsInvalid("The session has no company to write about.", path="session_id")
    return await _write(call, found.company_id, _CONTENT[found.type], text)


async def _set(call: Call, setting_id: UUID | None, text: str) -> Reply:
    """Make the session's content setting, or change it, as lines such as "tone: warm" say."""
    values = {}
    for line in filter(str.strip, text.splitlines()):
        name, _, value = line.partition(":")
        values[name.strip().lower()] = value.strip()
    try:
        given = SettingChange.model_validate(values).model_dump(exclude_unset=True)
    except ValidationError as error:
        names = ", ".join(SettingChange.model_fields)
        raise RequestIsInvalid(f"Give lines of {names}: “tone: warm”.", path="content") from error
    price = Price(price_of(CONTENT_PRICE, call.caller.costs).credit, 0)
    if call.params.dry_run:
        return await dry_run_reply(call, price)
    if setting_id is None:
        named = {"name": f"Setting of {now():%Y-%m-%d %H:%M:%S}"} | given
        given = NewSetting.model_validate(named).model_dump()
    setting_id = await save_kept(call.tenant, "setting", setting_id, given)
    if setting_id is None:
        raise RequestIsInvalid("The setting of this session was deleted.", path="session_id")
    body = await kept("setting").one(call.tenant, setting_id)
    setting = json.loads(body or "{}")
    await _add(call, "user", text)
    said = ", ".join(f"{name} {setting[name]}" for name in ("tone", "language", "length"))
    answer = f"Content that is written with “{setting['name']}” has: {said}."
    message_id = await _add(call, "assistant", answer, {"setting_id": str(setting_id)})
    reply = _reply(call.params.session_id, message_id) | {"answer": answer, "setting": setting}
    return Reply(_body(reply), headers=await credit_headers(call, price))


def _envelope(answer: Answer, session_id: UUID, message_id: UUID) -> dict[str, Any]:
    body = answer.envelope(session_id, message_id)
    del body["conversation_id"]
    return _reply(session_id, message_id) | body | {"steps": list(answer.steps)}


def _reply(session_id: UUID, message_id: UUID) -> dict[str, Any]:
    return {
        "session_id": str(session_id),
        "message_id": str(message_id),
        "answer": None, "steps": [], "content": None, "setting": None, "citations": [], "nearest": [],
        "related": [], "suggestions": [], "evidence": None, "model": None, "usage": {},
    }  # fmt: skip


async def _write(
    call: Call, company_id: UUID, content_type: ContentType, brief: str
) -> Reply | DeferredReply:
    """Have a content item written as `brief` says; composed without a model, or where it fails."""
    price = price_of(CONTENT_PRICE, call.caller.costs)
    if call.params.dry_run:
        return await dry_run_reply(call, price)
    keep = partial(_keep, company_id=company_id, content_type=content_type)
    return await write_text(call, company_id, content_type, keep, brief=brief)


async def _keep(
    call: Call,
    *,
    text: Composed,
    method: str,
    company_id: UUID,
    content_type: ContentType,
    held: Hold,
) -> Reply:
    """Write the item and both messages down, and charge what is held for it."""
    await held.settle(call.tenant)
    content_id = await add_content(
        call.tenant,
        company_id=company_id,
        content_type=content_type,
        title=text.title,
        body=text.body,
        method=method,
        sources=text.sources,
        template_id=None,
        setting_id=None,
        created_by=call.caller.user_id,
    )
    await _add(call, "user", call.body.content)
    answer = f"Wrote “{text.title}”."
    details = {"content_id": str(content_id), "model": method}
    message_id = await _add(call, "assistant", answer, details)
    item = await read_content(call.tenant, content_id)
    reply = _reply(call.params.session_id, message_id)
    reply |= {"answer": answer, "model": method, "content": json.loads(item or "null")}
    headers = await credit_headers(call, held.price)
    return Reply(_body(reply), headers=headers)


async def _add(
    call: Call,
    role: Literal["user", "assistant"],
    text: str,
    details: dict[str, Any] | None = None,
) -> UUID:
    message_id = await add_message(
        call.tenant,
        call.caller,
        call.params.session_id,
        role=role,
        content=text,
        details=details,
    )
    if message_id is None:
        raise SessionDoesNotExist()
    return message_id


def _body(reply: dict[str, Any]) -> bytes:
    return json.dumps(reply, ensure_ascii=False).encode()


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/agent/sessions/{session_id}/messages",
        name="create_agent_message",
        summary="Send a message to one of your agent sessions",
        description=(
            "What it does depends on the session's type. `chat` answers as the chat about a company does; "
            "without a company it answers about your accounts, as `workspace` always does. `plan` answers "
            "with steps, each with its evidence; `project` continues its existing plan. `document` and "
            "`email` write a content item. `canvas_settings` makes a content setting, or changes it, by "
            "lines such as `tone: warm`. An answer or plan that a model writes costs 1 content credit, an "
            "extractive one or `evidence: none` nothing; a content item costs 1 content credit; a setting "
            "nothing. Answers and plans are streamed with `Accept: text/event-stream`, as the events of "
            "`POST /companies/{company_id}/assistant/chat`."
        ),
        tag="Agent sessions",
        scopes=("insights:write",),
        maturity="beta",
        params=NewMessageParameters,
        body=NewMessage,
        answer=SessionReply,
        errors=(CreditsAreExhausted, NothingToWrite),
        price=PRICE,
        handler=create_message,
    ),
)
