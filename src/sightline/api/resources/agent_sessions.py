"""Agent sessions (beta): a user's own threads of work, on a company or on none."""

from dataclasses import replace
from functools import partial
from typing import Any, Literal, cast, get_args
from uuid import UUID

from pydantic import Field

from sightline.api.asked_company import asked_company
from sightline.api.endpoint import Call, Endpoint, Reply, Schema, of_resource, one
from sightline.api.paging import PageParameters, list_reply, page_of, read_list, with_pagination
from sightline.domain.errors import CompanyDoesNotExist, RequestIsInvalid, SessionDoesNotExist
from sightline.store import agent_sessions as store
from sightline.store.agent_sessions import SessionFilter, SessionSort, SessionStatus, SessionType
from sightline.store.companies import present_company

PLACEHOLDER_TITLE = "New session"


class SessionListBase(PageParameters):
    status: SessionStatus | None = Field(default=None, description="Only sessions of this status.")
    type: str | None = Field(default=None, max_length=50, description="A session type.")
    search: str | None = Field(default=None, max_length=200, description="Part of a title.")
    sort_by: SessionSort = Field(default="updated_at", description="Sort field.")
    sort_order: Literal["asc", "desc"] = Field(default="desc", description="Sort direction.")


class SessionList(SessionListBase):
    company_id: UUID | None = Field(default=None, description="Only sessions on this company.")


class CompanySessionList(SessionListBase):
    company_id: UUID = Field(description="Id of the company.")


class NewSession(Schema):
    title: str | None = Field(default=None, max_length=500, examples=["Renewal at Harbor"])
    company_id: UUID | None = Field(default=None, description="Company that the session is about.")
    type: Any = Field(
        default="chat",
        description=(
            "document, chat, plan, canvas_settings, email, workspace or project; chat if "
            "missing or unknown."
        ),
        examples=["chat"],
    )


class SessionChange(Schema):
    title: str | None = Field(default=None, min_length=1, max_length=500)
    status: SessionStatus | None = Field(default=None, description="archived or active.")


class Session(Schema):
    id: UUID
    title: str = Field(examples=["Renewal at Harbor"])
    type: SessionType
    status: SessionStatus
    company_id: UUID | None
    user_id: UUID = Field(description="User it belongs to.")
    capabilities: list[Literal["answer", "plan", "document", "email", "setting"]] = Field(
        description="What a message to it produces."
    )
    message_count: int
    created_at: str
    updated_at: str


class Message(Schema):
    id: UUID
    role: Literal["user", "assistant"]
    content: str
    details: dict[str, Any] = Field(
        description="Of an answer: citations, evidence, model, usage, steps; of a written item content_id."
    )
    created_at: str


async def list_sessions(call: Call) -> Reply:
    return await _list(call, call.params.company_id)


async def list_company_sessions(call: Call) -> Reply:
    return await _list(call, await asked_company(call))


async def create(call: Call) -> Reply:
    asked: NewSession = call.body
    company_id = None
    if asked.company_id is not None:
        company_id = await present_company(call.tenant, asked.company_id)
        if company_id is None:
            code = CompanyDoesNotExist.code
            raise RequestIsInvalid.at("company_id", "There is no such company.", code)
    kind: SessionType = "chat"
    if isinstance(asked.type, str) and asked.type in get_args(SessionType):
        kind = cast(SessionType, asked.type)
    session_id = await store.create_session(
        call.tenant,
        call.caller,
        title=(asked.title or "").strip() or PLACEHOLDER_TITLE,
        type=kind,
        company_id=company_id,
    )
    reply = await _answer(call, session_id, status=201)
    return replace(reply, headers={"Location": f"/public-api/v1/agent/sessions/{session_id}"})


async def read(call: Call) -> Reply:
    return await _answer(call, call.params.session_id)


async def change(call: Call) -> Reply:
    asked: SessionChange = call.body
    found = await store.update_session(
        call.tenant,
        call.caller,
        call.params.session_id,
        title=asked.title,
        status=asked.status,
    )
    if not found:
        raise SessionDoesNotExist()
    return await _answer(call, call.params.session_id)


async def list_messages(call: Call) -> Reply:
    session_id = call.params.session_id
    if await store.read_session(call.tenant, call.caller, session_id) is None:
        raise SessionDoesNotExist()
    page = partial(store.messages_page, call.tenant, call.caller, session_id)
    return await list_reply(call, page, "messages", session_id)


async def _list(call: Call, company_id: UUID | None) -> Reply:
    asked: SessionListBase = call.params
    wanted = SessionFilter(
        status=asked.status,
        type=asked.type,
        company_id=company_id,
        search=asked.search,
        sort=asked.sort_by,
        descending=asked.sort_order == "desc",
    )
    page = partial(store.sessions_page, call.tenant, call.caller, wanted)
    items, described = await read_list(call.caller, asked, page, bound_to=("sessions", wanted))
    headers = {}
    if asked.type is not None and asked.type not in get_args(SessionType):
        headers["X-Warning"] = f"unknown type; known: {', '.join(get_args(SessionType))}"
    return Reply(with_pagination(items, described), headers=headers)


async def _answer(call: Call, session_id: UUID, *, status: int = 200) -> Reply:
    body = await store.read_session(call.tenant, call.caller, session_id)
    return one(body, SessionDoesNotExist, status=status)


_WARNING = {"X-Warning": "Filter values outside their vocabulary."}

ENDPOINTS = of_resource(
    "Agent sessions",
    ("insights:read", "insights:write"),
    Endpoint(
        method="GET",
        path="/agent/sessions",
        name="list_agent_sessions",
        summary="Your own agent sessions",
        description="Only sessions of the user that the key acts for.",
        maturity="beta",
        params=SessionList,
        answer=page_of(Session),
        headers=_WARNING,
        handler=list_sessions,
    ),
    Endpoint(
        method="POST",
        path="/agent/sessions",
        name="create_agent_session",
        summary="Create an agent session",
        maturity="beta",
        body=NewSession,
        body_optional=True,
        answer=Session,
        status=201,
        headers={"Location": "URL of the session."},
        handler=create,
    ),
    Endpoint(
        method="GET",
        path="/companies/{company_id}/agent/sessions",
        name="list_company_agent_sessions",
        summary="Your own agent sessions on a company",
        maturity="beta",
        params=CompanySessionList,
        answer=page_of(Session),
        headers=_WARNING,
        handler=list_company_sessions,
    ),
    Endpoint(
        method="GET",
        path="/agent/sessions/{session_id}",
        name="read_agent_session",
        summary="Read one of your agent sessions",
        maturity="beta",
        answer=Session,
        handler=read,
    ),
    Endpoint(
        method="PATCH",
        path="/agent/sessions/{session_id}",
        name="update_agent_session",
        summary="Rename, archive or restore an agent session",
        maturity="beta",
        body=SessionChange,
        answer=Session,
        handler=change,
    ),
    Endpoint(
        method="GET",
        path="/agent/sessions/{session_id}/messages",
        name="list_agent_messages",
        summary="The messages of one of your agent sessions, oldest first",
        maturity="beta",
        params=PageParameters,
        answer=page_of(Message),
        handler=list_messages,
    ),
)
