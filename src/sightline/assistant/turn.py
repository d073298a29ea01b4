"""One turn of a conversation: read the question, find and prove the answer, store both."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Final, Literal
from uuid import UUID

import structlog

from sightline.assistant import extractive
from sightline.assistant.company_evidence import CompanyEvidence, Reading
from sightline.assistant.composition import compose, may_be_shown
from sightline.assistant.contract import EXTRACTIVE, Answer, Draft, Listener, Statement
from sightline.assistant.routing import router_for
from sightline.assistant.shown import SCOPES, ShownSources
from sightline.domain.callers import Caller
from sightline.kit.ids import new_id
from sightline.llm.asking import ModelDidNotAnswer, explained, seat
from sightline.llm.models import ModelConfig, open_model
from sightline.search.retrieve import retriever
from sightline.store.agent_sessions import add_message, create_session
from sightline.store.assistant import last_messages
from sightline.store.companies import company_document
from sightline.store.database import Connection, Tenant

NO_LISTENER: Final = Listener()
_REMEMBERED: Final = 6
_LONGEST_TITLE: Final = 80
_NO_COMPANY: Final = UUID(int=0)
_NEEDS_COMPANY: Final = "Without a language model only questions about one company are answered."
_STEPS: Final = 5  # of a plan without a model
_SUGGESTED: Final = 3
log = structlog.get_logger()
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
        """At most three follow-up questions, only of kinds that stored evidence can answer."""
        if not self.has_company:
            return []
        name, section, facts = self.evidence.name, self.evidence.section, self.evidence.facts
        has_jobs = self.evidence.may("jobs:read") and await self.evidence.postings()
        offers = [
            (f"Who leads {name}?", await facts("person", "ceo")),
            (f"What was the revenue of {name}?", await facts("fiscal_period")),
            (f"How does revenue of {name} split by segment?", await facts("segment")),
            (f"What are the main risks of {name}?", await section("risks")),
            (f"Who are the competitors of {name}?", await section("competitors")),
            (f"What is new at {name}?", await self.evidence.signals()),
            (f"What are the priorities of {name}?", await section("strategic_priorities")),
            (f"What jobs are open at {name}?", has_jobs),
            (f"Where is {name} based?", await facts("hq_city")),
        ]
        return [text for text, known in offers if known][:_SUGGESTED]


async def open_turn(
    connection: Tenant,
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
        company = await company_document(connection, company_id)
        record = json.loads(company[0]) if company else {}
    evidence = CompanyEvidence(reading, caller, company_id or _NO_COMPANY, record)
    granted = [kind for kind, scope in SCOPES.items() if evidence.may(scope)]
    shown = ShownSources.restored([sources for _, _, sources in messages], granted=granted)
    history = [(role, content) for role, content, _ in messages]
    return Turn(message, evidence, history, shown, kind, company_id is not None)


async def answer_with(
    turn: Turn, config: ModelConfig | None, *, listener: Listener = NO_LISTENER
) -> Answer:
    """The model's answer, also when it is that nothing answers. Where there is no model, or it fails,
    the extractive one, which then says in `usage` why."""
    if config is None:
        return await extract(turn, listener=listener)
    try:
        with seat(turn.evidence.caller.organization_id), explained():
            # The first time it imports much, which takes none of the answer's time.
            await asyncio.to_thread(open_model, config)  # says what is missing
            writer = await asyncio.to_thread(import_module, "sightline.assistant.llm_answer")
            answer: Answer = await writer.ask_model(turn, config, listener)
            return answer
    except ModelDidNotAnswer as error:
        log.warning("model_did_not_answer", model=config.name, reason=error.reason)
        await listener.withdraw()
        return await extract(turn, listener=listener, usage={"degraded": error.reason})


async def extract(
    turn: Turn, *, listener: Listener = NO_LISTENER, usage: dict[str, Any] | None = None
) -> Answer:
    """The answer without a model: a look-up, quotes, or for a plan what happened lately."""
    evidence = turn.evidence
    await listener.step("reading")
    if not turn.has_company:
        draft = Draft((), "none", _NEEDS_COMPANY)
    elif turn.kind == "plan":
        signals = [row for row in await evidence.signals() if row["document_id"]][:_STEPS]
        missing = f"There are no recent events at {evidence.name}."
        draft = Draft(tuple(_step(evidence, row) for row in signals), "partial", missing)
    else:
        router = router_for(retriever().encoder)
        draft = await extractive.read(evidence, turn.message, before=turn.before, router=router)
    shown = tuple(filter(None, await may_be_shown(evidence, draft.statements)))
    is_whole = draft.evidence != "sufficient" or len(shown) == len(draft.statements)
    return await compose(
        evidence,
        listener,
        replace(draft, statements=shown, evidence=draft.evidence if is_whole else "partial"),
        model=EXTRACTIVE,
        usage=usage or {},
        suggestions=await turn.suggestions() if turn.kind == "chat" else (),
    )


def _step(evidence: CompanyEvidence, row: Mapping[str, Any]) -> Statement:
    source = evidence.source(row["document_id"], quote=row["quote"])
    return Statement(row["quote"], (source,), f"Look into “{row['title']}”:")


async def keep(
    connection: Connection, turn: Turn, answer: Answer, session_id: UUID | None
) -> tuple[UUID, UUID] | None:
    """Write question and answer down; answers (conversation, message). None: no such conversation."""
    caller = turn.evidence.caller
    if session_id is None:
        title = " ".join(turn.message.split())[:_LONGEST_TITLE]
        company_id = turn.evidence.company_id if turn.has_company else None
        session_id = await create_session(
            connection, caller, title=title, type="chat", company_id=company_id
        )
    asked = await add_message(connection, caller, session_id, role="user", content=turn.message)
    if asked is None:
        return None
    parts = ("citations", "nearest", "evidence", "model", "usage", "steps", "sources")
    details = {part: getattr(answer, part) for part in parts}
    message_id = await add_message(
        connection, caller, session_id, role="assistant", content=answer.answer, details=details
    )
    return (session_id, message_id or new_id())
