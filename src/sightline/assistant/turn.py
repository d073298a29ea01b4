"""One turn of a conversation: read the question, find and prove the answer, write both down."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import structlog

from sightline.assistant import extractive, written
from sightline.assistant.contract import EXTRACTIVE, Answer, Draft, Source, Statement, Sufficiency
from sightline.assistant.held import Held
from sightline.assistant.privacy import without_suppressed
from sightline.assistant.proof import prove
from sightline.assistant.question import Question, read_question
from sightline.assistant.suggest import suggestions
from sightline.domain.callers import Caller
from sightline.kit.ids import new_id
from sightline.store.agent_sessions import add_message, create_session
from sightline.store.assistant import last_questions
from sightline.store.database import Connection
from sightline.store.profile_evidence import document_heads

if TYPE_CHECKING:
    from pydantic_ai.models import Model

log = structlog.get_logger()

NOTHING: Final = "Nothing held about {name} answers that."
_MOST_RELATED: Final = 4
_READABLE: Final = ("filing", "page", "news", "feed_item")
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
) -> Turn:
    """Read what a turn needs; writes nothing."""
    history: list[tuple[str, str]] = []
    if session_id is not None:
        history = await last_questions(connection, caller, session_id, limit=_REMEMBERED)
    return Turn(message, await Held.open(connection, caller, company_id), history)


async def extract(turn: Turn, *, usage: dict[str, Any] | None = None) -> Answer:
    """The answer without a model."""
    question = await turn.question()
    draft = await extractive.read(question, turn.held)
    return await _finish(turn, question, draft, model=EXTRACTIVE, usage=usage or {})


async def write(turn: Turn, model: "Model", *, name: str) -> Answer | None:
    """The answer of a model; None when it said nothing that can be proven. Raises what it fails with."""
    question = await turn.question()
    if question.refused is not None:
        return None
    outcome = await written.write(model, turn.message, turn.held, history=turn.history)
    if not outcome.statements:
        return None
    usage = {
        "input_tokens": outcome.input_tokens,
        "output_tokens": outcome.output_tokens,
        "dropped_sentences": outcome.dropped,
    }
    sufficiency: Sufficiency = "partial" if outcome.dropped else "sufficient"
    draft = Draft(outcome.statements, sufficiency)
    answer = await _finish(turn, question, draft, model=name, usage=usage)
    return answer if answer.evidence != "none" else None


async def keep(turn: Turn, answer: Answer, session_id: UUID | None) -> tuple[UUID, UUID] | None:
    """Write question and answer down; answers (conversation, message). None: no such conversation."""
    connection, caller = turn.held.connection, turn.held.caller
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


async def _finish(
    turn: Turn, question: Question, draft: Draft, *, model: str, usage: dict[str, Any]
) -> Answer:
    """Prove, hide, number: the same for every way an answer was found."""
    held = turn.held
    proven = await prove(held.connection, held.company_id, draft.statements)
    shown, hidden = await without_suppressed(proven, held)
    evidence: Sufficiency = draft.evidence if shown else "none"
    if evidence == "sufficient" and len(shown) < len(draft.statements):
        evidence = "partial"
    numbers: dict[tuple[UUID, str | None, str | None], int] = {}
    citations: list[dict[str, Any]] = []
    parts = [_numbered(statement, numbers, citations) for statement in shown]
    text = " ".join(parts)
    if not shown:
        text = draft.missing or NOTHING.format(name=held.name)
    if hidden:
        log.info("assistant_statements_hidden", count=hidden)
    return Answer(
        answer=text,
        citations=citations,
        related=await _related(question, held, citations) if shown else [],
        suggestions=await suggestions(held, question.kinds),
        evidence=evidence,
        model=model,
        usage=usage,
    )


def _numbered(
    statement: Statement,
    numbers: dict[tuple[UUID, str | None, str | None], int],
    citations: list[dict[str, Any]],
) -> str:
    """The statement with the numbers of its citations; new ones are added."""
    marks = []
    for source in statement.sources:
        key = (source.document_id, source.quote, None if source.quote else source.pointer)
        if key not in numbers:
            numbers[key] = len(numbers) + 1
            citations.append({"n": numbers[key], **_citation(source)})
        marks.append(f"[{numbers[key]}]")
    text = statement.text.replace("Inc..", "Inc.").replace("Corp..", "Corp.").replace("Co..", "Co.")
    return f"{text} {''.join(dict.fromkeys(marks))}"


def _citation(source: Source) -> dict[str, Any]:
    return {
        "document_id": str(source.document_id),
        "url": source.url,
        "title": source.title,
        "quote": source.quote,
        "published_at": _time(source),
    }


def _time(source: Source) -> str | None:
    if source.published_at is None:
        return None
    return source.published_at.isoformat().replace("+00:00", "Z")


async def _related(
    question: Question, held: Held, citations: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Further documents on the subject that the answer does not cite."""
    cited = {citation["document_id"] for citation in citations}
    found: dict[str, dict[str, Any]] = {}
    for passage in await held.passages(question.text):
        document_id = str(passage.document_id)
        if document_id in cited or (passage.kind == "job" and not held.may("jobs:read")):
            continue
        found.setdefault(
            document_id,
            _citation(passage.source("")) | {"document_id": document_id},
        )
    if not found:
        for head in await document_heads(held.connection, held.company_id):
            if head.kind in _READABLE and str(head.document_id) not in cited:
                source = Source(head.document_id, head.url, head.title, None, head.published_at)
                found[str(head.document_id)] = _citation(source)
    related = list(found.values())[:_MOST_RELATED]
    return [{key: value for key, value in one.items() if key != "quote"} for one in related]
