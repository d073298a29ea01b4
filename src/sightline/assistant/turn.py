"""One turn of a conversation: read the question, find and prove the answer, write both down."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from sightline.assistant import extractive, written
from sightline.assistant.composition import Composition
from sightline.assistant.contract import EXTRACTIVE, Answer, Draft, Listener, Nobody, Statement
from sightline.assistant.held import Held, Reading
from sightline.assistant.question import Question, read_question
from sightline.assistant.written import Desk
from sightline.domain.callers import Caller
from sightline.kit.ids import new_id
from sightline.store.agent_sessions import add_message, create_session
from sightline.store.assistant import last_questions
from sightline.store.companies import company_document
from sightline.store.database import Connection

if TYPE_CHECKING:
    from pydantic_ai.models import Model

NOBODY: Final = Nobody()
_REMEMBERED: Final = 6
_LONGEST_TITLE: Final = 80


@dataclass(frozen=True)
class Turn:
    """A question of a caller about a company; `history` is (role, content), oldest first."""

    message: str
    held: Held
    history: Sequence[tuple[str, str]]

    async def question(self) -> Question:
        """The question as the reader understands it."""
        before = [content for role, content in self.history if role == "user"]
        return read_question(
            self.message, await self.held.names(), before=before[-1] if before else None
        )


async def open_turn(
    connection: Connection,
    caller: Caller,
    company_id: UUID,
    *,
    message: str,
    session_id: UUID | None,
    reading: Reading | None = None,
) -> Turn:
    """Read what a turn needs to begin; writes nothing.

    What else it needs is read over `connection` as well, or over what `reading` opens, where a model may
    take longer than a transaction should last.
    """
    reading = reading or (lambda: nullcontext(connection))
    history: list[tuple[str, str]] = []
    if session_id is not None:
        history = await last_questions(connection, caller, session_id, limit=_REMEMBERED)
    company = await company_document(connection, caller.organization_id, company_id)
    record = json.loads(company[0]) if company else {}
    return Turn(message, Held(reading, caller, company_id, record), history)


async def extract(
    turn: Turn, *, listener: Listener = NOBODY, usage: dict[str, Any] | None = None
) -> Answer:
    """The answer without a model."""
    await listener.step("reading")
    question = await turn.question()
    draft = await extractive.read(question, turn.held)
    composition = Composition(turn.held, listener)
    await composition.add(draft.statements)
    return await composition.finish(question, draft, model=EXTRACTIVE, usage=usage or {})


async def write(
    turn: Turn, model: "Model", *, name: str, listener: Listener = NOBODY, streams: bool = False
) -> Answer | None:
    """The answer of a model; None when it said nothing that can be proven. Raises what it fails with.

    With `streams` each sentence is told as soon as the model has written it and it is proven.
    """
    question = await turn.question()
    if question.refused is not None:
        return None
    await listener.step("asking", model=name)
    composition = Composition(turn.held, listener)

    async def tell(statement: Statement) -> None:
        await composition.add([statement])

    desk = Desk(turn.held, listener)
    outcome = await written.write(
        model, turn.message, desk, history=turn.history, tell=tell, streams=streams
    )
    if composition.is_empty:
        return None
    usage = {
        "input_tokens": outcome.input_tokens,
        "output_tokens": outcome.output_tokens,
        "dropped_sentences": outcome.dropped,
    }
    draft = Draft(evidence="partial" if outcome.dropped else "sufficient")
    return await composition.finish(question, draft, model=name, usage=usage)


async def keep(
    connection: Connection, turn: Turn, answer: Answer, session_id: UUID | None
) -> tuple[UUID, UUID] | None:
    """Write question and answer down; answers (conversation, message). None: no such conversation."""
    caller = turn.held.caller
    if session_id is None:
        session_id = await create_session(
            connection,
            caller,
            title=" ".join(turn.message.split())[:_LONGEST_TITLE],
            type="chat",
            company_id=turn.held.company_id,
        )
    asked = await add_message(connection, caller, session_id, role="user", content=turn.message)
    if asked is None:
        return None
    details = {
        "citations": list(answer.citations),
        "evidence": answer.evidence,
        "model": answer.model,
        "usage": answer.usage,
    }
    message_id = await add_message(
        connection, caller, session_id, role="assistant", content=answer.answer, details=details
    )
    return (session_id, message_id or new_id())
