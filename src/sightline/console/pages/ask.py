"""Questions to the assistant about a company, and the conversation so far."""

import json
from typing import Any, Final
from uuid import UUID

from sightline.assistant import turn as assistant
from sightline.console.page import Moved, NothingHere, Shown, Visit
from sightline.console.pages.company import company_of, tab_of
from sightline.domain.callers import Caller, KeyId
from sightline.store.agent_sessions import messages_page
from sightline.store.assistant import session_company
from sightline.store.database import Connection

LONGEST: Final = 1_000
_MOST_MESSAGES: Final = 100
_EXAMPLES: Final = (
    "What changed in the last year?",
    "Who runs the company?",
    "How much revenue did it make?",
    "What are its priorities?",
)


async def show(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        return await _page(visit, connection)


async def ask(visit: Visit) -> Shown | Moved:
    """Answer a question from what is held; free, and kept in the signed-in user's conversation."""
    question = visit.form.get("question", "").strip()
    if not question or len(question) > LONGEST:
        async with visit.reading() as connection:
            return await _page(
                visit, connection, error=f"Ask something of at most {LONGEST} letters."
            )
    caller = _caller(visit)
    async with visit.writing() as connection:
        company_id, _ = await company_of(visit, connection)
        conversation = visit.form_id("conversation") if visit.form.get("conversation") else None
        if conversation is not None:
            talk = await session_company(connection, caller, conversation)
            if talk is None or talk[0] not in (None, company_id, visit.path_id("company_id")):
                raise NothingHere
        turn = await assistant.open_turn(
            connection, caller, company_id, message=question, session_id=conversation
        )
        kept = await assistant.keep(turn, await assistant.extract(turn), conversation)
    if kept is None:
        raise NothingHere
    path = f"/console/companies/{visit.path_id('company_id')}/ask"
    return Moved(f"{path}?conversation={kept[0]}#latest")


def _caller(visit: Visit) -> Caller:
    """The signed-in user as the assistant knows callers: users may read all of their organization."""
    session = visit.session
    return Caller(
        session.organization_id, KeyId(session.user_id), session.user_id,
        ("*",), "enterprise", 1, (), False, {}, None,
    )  # fmt: skip


async def _page(visit: Visit, connection: Connection, *, error: str | None = None) -> Shown:
    _, document = await company_of(visit, connection)
    text = visit.form.get("conversation") or visit.asked("conversation")
    messages: list[dict[str, Any]] = []
    conversation: UUID | None = None
    if text:
        try:
            conversation = UUID(text)
        except ValueError as fault:
            raise NothingHere from fault
        items, total, _ = await messages_page(
            connection, _caller(visit), conversation, before=None, offset=0, limit=_MOST_MESSAGES
        )
        if not total:
            raise NothingHere
        messages = json.loads(items)
    return tab_of(
        "company_ask.html",
        "ask",
        document,
        status=422 if error else 200,
        messages=messages,
        conversation=conversation,
        examples=_EXAMPLES,
        longest=LONGEST,
        error=error,
    )
