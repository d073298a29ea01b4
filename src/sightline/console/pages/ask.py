"""Questions to the assistant, about a company or about accounts, and the conversation so far.

A browser that runs our script gets the answer while it is made; a plain form gets the page that has it whole.
"""

import json
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from starlette.responses import Response

from sightline.console.page import Moved, NothingHere, Shown, Visit
from sightline.console.pages.company import company_of, tab_of
from sightline.domain.credits import price_of
from sightline.domain.errors import CompanyDoesNotExist, Refusal, SessionDoesNotExist
from sightline.store.agent_sessions import messages_page
from sightline.store.credits import balances
from sightline.store.database import Tenant
from sightline.store.pages import Slice

LONGEST: Final = 1_000
PRICE: Final = "assistant_answer"
EVENTS: Final = "text/event-stream"
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


async def ask(visit: Visit) -> Shown | Moved | Response:
    """Have a question about a company answered, as the API does it."""
    question = visit.form.get("question", "").strip()
    if not is_askable(question):
        return await show(visit, error=f"Enter a question of up to {LONGEST:,} characters.")
    company_id = visit.path_id("company_id")
    body = {"message": question}
    if visit.form.get("conversation"):
        body["conversation_id"] = str(visit.form_id("conversation"))
    path = {"company_id": company_id}
    try:
        return await answer(
            visit, "chat", path=path, body=body, at=f"/console/companies/{company_id}/ask?"
        )
    except Refusal as refusal:
        return await show(visit, error=refusal.message)


def is_askable(question: str) -> bool:
    return 0 < len(question) <= LONGEST


async def answer(
    visit: Visit, operation: str, *, path: Mapping[str, Any], body: Mapping[str, str], at: str
) -> Moved | Response:
    """The answer as events if the browser reads them, else the way to the page at `at` that shows it.

    Raises NothingHere and Refusal.
    """
    try:
        if visit.request.headers.get("accept") == EVENTS:
            return await visit.respond(operation, path=path, body=body, accept=EVENTS)
        answered = await visit.run(operation, path=path, body=body)
    except (SessionDoesNotExist, CompanyDoesNotExist) as fault:
        raise NothingHere from fault
    conversation = answered.get("conversation_id") or answered["session_id"]
    return Moved(f"{at}conversation={conversation}#latest")


async def conversation_of(visit: Visit, connection: Tenant) -> dict[str, Any]:
    """The conversation that the address or form names, what an answer costs, and who answers."""
    text = visit.form.get("conversation") or visit.asked("conversation")
    messages: list[dict[str, Any]] = []
    conversation: UUID | None = None
    if text:
        try:
            conversation = UUID(text)
        except ValueError as fault:
            raise NothingHere from fault
        items, total, _ = await messages_page(
            connection, visit.session.caller, conversation, part=Slice(_MOST_MESSAGES)
        )
        if not total:
            raise NothingHere
        messages = json.loads(items)
    price = price_of(PRICE, visit.session.costs)
    left = await balances(connection)
    return {
        "messages": messages,
        "conversation": conversation,
        "longest": LONGEST,
        "model": visit.services.model,
        "price": price,
        "left": left.get(price.credit, 0),
        "why": WHY,
    }


async def show(visit: Visit, *, error: str | None = None) -> Shown:
    async with visit.reading() as connection:
        _, document = await company_of(visit, connection)
        talk = await conversation_of(visit, connection)
    return tab_of(
        "company_ask.html",
        "ask",
        document,
        examples=_EXAMPLES,
        asked=visit.form.get("question", "") if error else "",
        error=error,
        **talk,
    )
