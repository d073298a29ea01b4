"""Questions to the assistant about a company, and the conversation so far."""

import json
from typing import Any, Final
from uuid import UUID

from sightline.console.page import Moved, NothingHere, Shown, Visit
from sightline.console.pages.company import company_of, tab_of
from sightline.domain.credits import price_of
from sightline.domain.errors import CompanyDoesNotExist, Refusal, SessionDoesNotExist
from sightline.store.agent_sessions import messages_page
from sightline.store.credits import balances
from sightline.store.database import Connection

LONGEST: Final = 1_000
PRICE: Final = "assistant_answer"
# Why a model that was asked did not write an answer, by the code of `usage.degraded`.
WHY: Final = {
    "busy": "too many answers were being written at once",
    "unavailable": "it could not be reached",
    "timeout": "it took too long",
    "rate_limited": "its provider asked to wait",
    "malformed": "what it sent could not be read",
    "failed": "it failed",
}
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
    """Have a question answered, as the API does it; kept in the signed-in user's conversation."""
    question = visit.form.get("question", "").strip()
    if not question or len(question) > LONGEST:
        return await _refused(visit, f"Ask something of at most {LONGEST} letters.")
    company_id = visit.path_id("company_id")
    body: dict[str, Any] = {"message": question}
    if visit.form.get("conversation"):
        body["conversation_id"] = str(visit.form_id("conversation"))
    try:
        answer = await visit.run("chat", path={"company_id": company_id}, body=body)
    except (SessionDoesNotExist, CompanyDoesNotExist) as fault:
        raise NothingHere from fault
    except Refusal as refusal:
        return await _refused(visit, refusal.message)
    path = f"/console/companies/{company_id}/ask"
    return Moved(f"{path}?conversation={answer['conversation_id']}#latest")


async def _refused(visit: Visit, error: str) -> Shown:
    async with visit.reading() as connection:
        return await _page(visit, connection, error=error)


async def _page(visit: Visit, connection: Connection, *, error: str | None = None) -> Shown:
    _, document = await company_of(visit, connection)
    price = price_of(PRICE, visit.session.costs)
    text = visit.form.get("conversation") or visit.asked("conversation")
    messages: list[dict[str, Any]] = []
    conversation: UUID | None = None
    if text:
        try:
            conversation = UUID(text)
        except ValueError as fault:
            raise NothingHere from fault
        items, total, _ = await messages_page(
            connection,
            visit.session.caller,
            conversation,
            before=None,
            offset=0,
            limit=_MOST_MESSAGES,
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
        asked=visit.form.get("question", "") if error else "",
        error=error,
        model=visit.services.model,
        price=price,
        left=(await balances(connection, visit.session.organization_id)).get(price.credit, 0),
        why=WHY,
    )
