"""An answer or plan by a model that looks things up with tools.

What it says is shown only when its quotes are verbatim, nothing in it goes beyond them, and the verifier
finds that they say it. When it says that the sources do not answer, that stands.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib.resources import files
from types import MethodType
from typing import Final

from pydantic import ValidationError
from pydantic_ai import Agent, ModelRetry, RunContext, TextOutput, Tool, ToolOutput
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RunUsage, UsageLimits

from sightline.assistant.claims import Candidate, Judge, LlmAnswer, LlmPlan, Output
from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.composition import compose, may_be_shown
from sightline.assistant.contract import Answer, Draft, Listener, Source, Statement
from sightline.assistant.tools.accounts import find_accounts, list_people
from sightline.assistant.tools.activity import list_postings, list_signals
from sightline.assistant.tools.calculate import calculate
from sightline.assistant.tools.documents import list_documents, read_document
from sightline.assistant.tools.figures import financial_series, read_facts
from sightline.assistant.tools.search import search
from sightline.assistant.tools.session import ToolSession, cut, day
from sightline.assistant.turn import Turn
from sightline.kit.clock import now
from sightline.kit.tracing import span
from sightline.llm.asking import Asked, ask, opened, refuses_tools
from sightline.llm.models import ModelConfig, open_model, settings_of
from sightline.reading.periods import years_in
from sightline.reading.proof import harmless

_MOST_TOKENS: Final = 3_000  # of one reply of the model
_CHARACTERS_A_TOKEN: Final = 3.5  # about
_EVIDENCE_SHARE: Final = 0.6  # of the model's context; the rest is for prompt, history and replies
_LOOKING_UP_SHARE: Final = 0.6  # of the time for an answer
_LONGEST_SAID: Final = 1_500  # characters of an earlier message
_OLD: Final = timedelta(days=456)  # 15 months: from then on an answer says of itself how old it is
_LONGEST_QUESTION: Final = 500  # characters that the verifier sees
_ADVICE: Final = (
    "That asks for advice, and only what documents say is answered here. Ask for a plan, or for what the"
    " company wants, buys or changes."
)
_LEAST_LOOK_UPS: Final = 2  # before a "no" stands
_TOO_SOON: Final = (
    "You have hardly looked. Search with other wordings, and open the section where it would stand by its"
    " name, before you answer no."
)
_RETRIES: Final = 3  # of a tool or answer that the model gets wrong in form
TOOLS: Final[Sequence[Callable[..., Awaitable[str]]]] = (
    search,
    list_documents,
    read_document,
    financial_series,
    read_facts,
    list_signals,
    list_postings,
    list_people,
    find_accounts,
    calculate,
)
"""The tools that a model gets, in this order."""


async def ask_model(turn: Turn, config: ModelConfig, listener: Listener) -> Answer:
    """The model's answer, with `evidence` "none" where it can prove nothing. Raises ModelDidNotAnswer
    and whatever a provider fails with."""
    session = ToolSession(
        turn.evidence,
        listener,
        turn.shown,
        config.tool_calls,
        int(config.context_tokens * _CHARACTERS_A_TOKEN * _EVIDENCE_SHARE),
        turn.has_company,
    )
    names = await turn.evidence.names() if turn.has_company else []
    question = "" if turn.kind == "plan" else turn.message[:_LONGEST_QUESTION]
    judge = Judge(config, listener, turn.shown, names, question)
    await listener.step("asking", model=config.name)
    async with asyncio.timeout(config.seconds):
        said, usage = await _Asking(turn, config, session, judge).run()
    judge.read(said)
    await judge.verify()
    kept = await _kept(judge, turn.evidence)
    dropped = len(judge.candidates) + len(judge.faults) - len(kept)
    left_open = judge.left_open(said)
    is_partly = said.how_far != "fully" or dropped > 0 or bool(left_open)
    draft = Draft(
        tuple(statement for _, statement in kept),
        evidence="partial" if is_partly else "sufficient",
        missing=_ADVICE if said.how_far == "advice" else _looked_for(session),
        note=_note([each for each, _ in kept], left_open, dropped=dropped),
        related=[source for one in turn.shown.by_id.values() for source in one.sources],
    )
    usage |= {"verifier_tokens": judge.tokens, "dropped_sentences": dropped}
    answer = await compose(
        turn.evidence,
        listener,
        draft,
        model=config.name,
        usage=usage,
        suggestions=await turn.suggestions(),
    )
    answer.sources.update(turn.shown.kept(name for each, _ in kept for name in each.cited))
    return answer


async def _kept(judge: Judge, evidence: CompanyEvidence) -> list[tuple[Candidate, Statement]]:
    """The proven sentences that may be shown; one that leans on the sentence before it only after that."""
    candidates = judge.candidates
    shown = await may_be_shown(evidence, [each.statement for each in candidates.values()])
    kept: dict[int, tuple[Candidate, Statement]] = {}
    for (place, each), statement in zip(candidates.items(), shown, strict=True):
        if statement and (not each.leans or place - 1 in kept):
            kept[place] = (each, statement)
    return list(kept.values())


def _note(kept: Sequence[Candidate], left_open: str, *, dropped: int) -> str:
    """As of when an answer speaks, where it does not say so itself, and what it leaves open."""
    newest = _newest(source for one in kept for source in one.statement.sources)
    said = any(years_in(f"{one.statement.text} {one.statement.action}") for one in kept)
    is_old = newest is not None and now() - newest > _OLD
    parts = [f"As of {day(newest)}."] if is_old and not said else []
    if left_open:
        parts.append(f"Not answered: {left_open}.")
    elif dropped:
        parts.append("Not answered: a part that could not be proven.")
    return " ".join(parts)


def _looked_for(session: ToolSession) -> str:
    """What a person reads when nothing could be proven: what was searched."""
    shown = session.shown.by_id.values()
    sources = [source for each in shown for source in each.sources]
    documents = {source.document_id for source in sources}
    newest = _newest(sources)
    counts = {"look-up": session.calls, "source": len(shown), "document": len(documents)}
    looked, found, of = (f"{n} {name}" + "s" * (n != 1) for name, n in counts.items())
    dated = f", the newest of {day(newest)}" if newest else ""
    return (
        f"The documents stored about {session.evidence.name} do not answer that."
        f" {looked} showed {found} of {of}{dated}."
    )


def _newest(sources: Iterable[Source]) -> datetime | None:
    return max((each.published_at for each in sources if each.published_at), default=None)


@dataclass
class _Asking:
    """One question put to a model: with tools, or without where it cannot call them."""

    turn: Turn
    config: ModelConfig
    session: ToolSession
    judge: Judge
    began: float = field(default_factory=time.monotonic)

    @property
    def output(self) -> type[Output]:
        return LlmPlan if self.turn.kind == "plan" else LlmAnswer

    async def run(self) -> tuple[Output, dict[str, int]]:
        known = self.session.shown.last
        if self.config.calls_tools:
            said, usage = await self._with_tools()
            if said is not None and (self.session.calls or known or said.how_far == "advice"):
                return said, usage
        # It cannot call tools, or did not: what it said rests on nothing that it was shown.
        return await self._with_passages()

    async def _with_tools(self) -> tuple[Output | None, dict[str, int]]:
        agent = self._agent()
        limits = UsageLimits(request_limit=self.config.requests)
        try:
            async with opened(agent):
                with span("model", model=self.config.name):
                    result = await agent.run(self._prompt(), usage_limits=limits)
        except Exception as error:
            if refuses_tools(error):
                return None, {}
            raise
        return result.output, _usage(result.usage)

    @property
    def _time_is_over(self) -> bool:
        return time.monotonic() > self.began + self.config.seconds * _LOOKING_UP_SHARE

    def _is_late(self, ctx: RunContext[None]) -> bool:
        """No tool but the answer's in the last two requests, one to answer and one to mend, nor when most
        of the time is over."""
        return self._time_is_over or ctx.usage.requests >= self.config.requests - 2

    def _agent(self) -> "Agent[None, Output]":
        async def prepare(
            ctx: RunContext[None], definition: ToolDefinition
        ) -> ToolDefinition | None:
            return None if self._is_late(ctx) else definition

        # The tools take turns, so that an answer never reads over more than one connection at a time.
        bound = (MethodType(function, self.session) for function in TOOLS)
        tools = [Tool(one, takes_ctx=False, sequential=True, prepare=prepare) for one in bound]

        def from_text(text: str) -> Output:
            try:
                return self.output.model_validate_json(text[text.find("{") : text.rfind("}") + 1])
            except ValidationError as error:
                raise ModelRetry("Give the answer by calling final_result.") from error

        agent: Agent[None, Output] = Agent(
            open_model(self.config),
            output_type=[ToolOutput(self.output, name="final_result"), TextOutput(from_text)],
            instructions=_instructions(self.turn),
            tools=tools,
            retries=_RETRIES,
            model_settings=settings_of(self.config, _MOST_TOKENS),
        )
        was_mended = sent_back = False

        @agent.output_validator
        async def _mend(ctx: RunContext[None], said: Output) -> Output:
            nonlocal was_mended, sent_back
            self.judge.read(said)
            has_looked = self.session.calls >= _LEAST_LOOK_UPS or self._is_late(ctx)
            if said.how_far == "no" and not (has_looked or sent_back):
                sent_back = True
                raise ModelRetry(_TOO_SOON)
            if was_mended or self._time_is_over or ctx.usage.requests >= self.config.requests:
                return said
            await self.judge.verify()
            if self.judge.faults:
                was_mended = True
                wrong = "\n".join(self.judge.faults)
                raise ModelRetry(
                    f"These sentences cannot be shown:\n{wrong}\nGive the whole answer again: quote "
                    "what says it, say less, or leave the sentence out and name in `left_open` what that "
                    "leaves open."
                )
            return said

        return agent

    async def _with_passages(self) -> tuple[Output, dict[str, int]]:
        """One plain request, with the passages found for the question."""
        question = cut(self._prompt(), self.session.characters_left // 3)
        found = harmless(await search(self.session, [self.turn.message]))
        said = await ask(
            self.config,
            self.output,
            instructions=_instructions(self.turn),
            prompt=f"{question}\n\nThere are no tools here.\n<evidence>\n{found}\n</evidence>",
            most_tokens=_MOST_TOKENS,
        )
        return said.output, _usage(said)

    def _prompt(self) -> str:
        """The question after what was said before, with the sources of earlier answers."""
        said = [f"{role}: {cut(content, _LONGEST_SAID)}" for role, content in self.turn.history]
        room = self.session.characters_left // 3
        sources = []
        for name, shown in self.session.shown.by_id.items():
            source = shown.sources[0]
            line = f"{name} | {source.title} | {day(source.published_at)}\n{shown.text}"
            if len(line) <= room:
                sources.append(line)
                room -= len(line)
        parts = ["Earlier in this conversation:\n" + "\n".join(said)] if said else []
        if sources:
            listed = harmless("\n\n".join(sources))
            parts.append(
                f"Sources of earlier answers, which may be cited again:\n<evidence>\n{listed}\n</evidence>"
            )
        self.session.characters_left -= sum(map(len, parts))
        asked = f"Question: {self.turn.message}" if parts else self.turn.message
        return "\n\n".join([*parts, asked])


def _instructions(turn: Turn) -> str:
    """The prompt of this kind of turn, filled in."""
    name = "plan" if turn.kind == "plan" else "answer"
    text = files("sightline.assistant").joinpath(f"prompts/{name}.md").read_text(encoding="utf-8")
    about = turn.evidence.name if turn.has_company else "the accounts of this organization"
    text = text.replace("{name}", about).replace("{today}", now().date().isoformat())
    return text.replace("{old}", (now() - _OLD).date().isoformat())


def _usage(used: Asked[Output] | RunUsage) -> dict[str, int]:
    return {name: getattr(used, name) for name in ("input_tokens", "output_tokens")}
