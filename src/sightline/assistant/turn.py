"""One turn of a conversation: read the question, find and prove the answer, store both."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from uuid import UUID

from sightline.assistant import extractive
from sightline.assistant.company_evidence import CompanyEvidence, Reading
from sightline.assistant.composition import Composition
from sightline.assistant.contract import EXTRACTIVE, Answer, Listener, NoListener, Source
from sightline.assistant.routing import router_for
from sightline.assistant.shown import SCOPES, ShownSources
from sightline.assistant.suggest import suggestions
from sightline.domain.callers import Caller
from sightline.kit.ids import new_id
from sightline.search.retrieve import find_passages, retriever
from sightline.store.agent_sessions import add_message, create_session
from sightline.store.assistant import last_messages
from sightline.store.companies import company_document
from sightline.store.database import Connection

NO_LISTENER: Final = NoListener()
_REMEMBERED: Final = 6
_LONGEST_TITLE: Final = 80
_NO_COMPANY: Final = UUID(int=0)
TurnKind = Literal["chat", "plan"]


@dataclass(frozen=True)
class Turn:
    """A question of a caller about a company, or about their accounts without one.

    `history` is (role, content), oldest first; `shown` has the sources of earlier answers.
    """

    message: str
    evidence: CompanyEvidence
    history: Sequence[tuple[str, str]]
    shown: ShownSources = field(default_factory=ShownSources)
    kind: TurnKind = "chat"
    has_company: bool = True

    @property
    def before(self) -> str | None:
        """The question asked before this one."""
        return next((said for role, said in reversed(self.history) if role == "user"), None)

    async def suggestions(self) -> list[str]:
        """Suggested follow-up questions."""
        return await suggestions(self.evidence) if self.has_company else []


async def open_turn(
    connection: Connection,
    caller: Caller,
    company_id: UUID | None,
    *,
    message: str,
    session_id: UUID | None,
    reading: Reading | None = None,
    kind: TurnKind = "chat",
) -> Turn:
    """Read what a turn needs to begin; writes nothing.

    What else it needs is read over `connection` as well, or over what `reading` opens, where a model may
    take longer than a transaction should last.
    """
    reading = reading or (lambda: nullcontext(connection))
    messages = []
    if session_id is not None:
        messages = await last_messages(connection, caller, session_id, limit=_REMEMBERED)
    record = {"company_name": "your accounts"}
    if company_id is not None:
        company = await company_document(connection, caller.organization_id, company_id)
        record = json.loads(company[0]) if company else {}
    evidence = CompanyEvidence(reading, caller, company_id or _NO_COMPANY, record)
    granted = [kind for kind, scope in SCOPES.items() if evidence.may(scope)]
    shown = ShownSources.restored([sources for _, _, sources in messages], granted=granted)
    history = [(role, content) for role, content, _ in messages]
    return Turn(message, evidence, history, shown, kind, company_id is not None)


async def extract(
    turn: Turn, *, listener: Listener = NO_LISTENER, usage: dict[str, Any] | None = None
) -> Answer:
    """The answer without a model."""
    await listener.step("reading")
    encoder = retriever().encoder
    draft = await extractive.read(
        turn.evidence,
        turn.message,
        before=turn.before,
        router=router_for(encoder) if encoder else None,
    )
    composition = Composition(turn.evidence, listener)
    await composition.add(draft.statements)
    async with turn.evidence.reading() as connection:
        found = await find_passages(connection, turn.evidence.company_id, [turn.message])
    return await composition.finish(
        draft,
        model=EXTRACTIVE,
        usage=usage or {},
        related=[
            Source(each.document_id, each.url, each.title, None, each.published_at)
            for each in found.passages
            if each.document_id and (each.kind != "job" or turn.evidence.may("jobs:read"))
        ],
        suggestions=await turn.suggestions(),
    )


async def keep(
    connection: Connection, turn: Turn, answer: Answer, session_id: UUID | None
) -> tuple[UUID, UUID] | None:
    """Write question and answer down; answers (conversation, message). None: no such conversation."""
    caller = turn.evidence.caller
    if session_id is None:
        session_id = await create_session(
            connection,
            caller,
            title=" ".join(turn.message.split())[:_LONGEST_TITLE],
            type="chat",
            company_id=turn.evidence.company_id if turn.has_company else None,
        )
    asked = await add_message(connection, caller, session_id, role="user", content=turn.message)
    if asked is None:
        return None
    details = {
        "citations": list(answer.citations),
        "nearest": list(answer.nearest),
        "evidence": answer.evidence,
        "model": answer.model,
        "usage": answer.usage,
        "steps": list(answer.steps),
        "sources": answer.sources,
    }
    message_id = await add_message(
        connection, caller, session_id, role="assistant", content=answer.answer, details=details
    )
    return (session_id, message_id or new_id())
