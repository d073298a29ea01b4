"""Answers written by a model, held to the same proof as all others.

Its tools read, and are bound to the caller's organization, scopes and company before it is asked:
nothing that it reads or writes can name another. No tool fetches an address.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, Field

from sightline.assistant.contract import Listener, Source, Statement
from sightline.assistant.held import Held
from sightline.assistant.readers.passages import ADDRESSES_READER
from sightline.domain.fields import FIELDS
from sightline.profile import written_proof
from sightline.profile.sentences import spaced

if TYPE_CHECKING:
    from pydantic_ai import Agent
    from pydantic_ai.models import Model
    from pydantic_ai.usage import RunUsage

_MOST_REQUESTS: Final = 6
_MOST_TOOL_CALLS: Final = 12
_MOST_ITEMS: Final = 12
_LONGEST_ITEM: Final = 1_200
_MOST_SENTENCES: Final = 6
_MOST_TOKENS: Final = 1_500  # of one reply of the model

Tell = Callable[[Statement], Awaitable[None]]


class WrittenSource(BaseModel):
    id: str = Field(description="The id of a source, as a tool gave it.")
    quote: str = Field(description="Words of that source, exactly.")


class WrittenSentence(BaseModel):
    text: str
    # By default none, so that one which has only begun ends the one before it; none prove nothing.
    sources: list[WrittenSource] = []


class Written(BaseModel):
    """The answer, sentence by sentence; none when the sources do not answer."""

    sentences: list[WrittenSentence]


@dataclass
class Desk:
    """What the tools of one answer have shown so far, by id."""

    held: Held
    listener: Listener
    shown: dict[str, tuple[Source, str]] = field(default_factory=dict)

    def put(self, source: Source, text: str) -> dict[str, Any]:
        """Number a source and answer what the model sees of it."""
        name = f"S{len(self.shown) + 1}"
        text = text[:_LONGEST_ITEM]
        self.shown[name] = (source, text)
        return {
            "id": name,
            "text": text,
            "title": source.title,
            "published": source.published_at.date().isoformat() if source.published_at else None,
        }

    async def search_evidence(self, query: str) -> list[dict[str, Any]]:
        """Passages of filings, pages, news and postings about the company, best first."""
        await self.listener.step("searching", query=query[:500])
        found = await self.held.passages(query[:500])
        return [
            self.put(each.source(each.text), each.text)
            for each in found[:_MOST_ITEMS]
            if (self.held.may("jobs:read") or each.kind != "job")
            and not ADDRESSES_READER.search(each.text)
        ]

    async def read_facts(self, field_name: str) -> list[dict[str, Any]]:
        """Facts of one field of the company's record; an unknown field answers the names of all."""
        if field_name not in FIELDS:
            return [{"fields": sorted(FIELDS)}]
        await self.listener.step("reading", what=field_name)
        facts = await self.held.facts(field_name)
        facts = sorted(facts, key=lambda f: str(f.as_of or ""), reverse=True)[: 3 * _MOST_ITEMS]
        return [
            self.put(self.held.proof(f), f.quote or f"{f.pointer}: {f.value}") | {"value": f.value}
            for f in facts
        ]

    async def list_signals(self) -> list[dict[str, Any]]:
        """What happened at the company, newest first."""
        await self.listener.step("reading", what="signals")
        rows = [row for row in await self.held.signals() if row["document_id"]]
        return [
            self.put(self.held.source(row["document_id"], quote=row["quote"]), row["quote"])
            for row in rows[:_MOST_ITEMS]
        ]

    async def list_postings(self) -> list[dict[str, Any]]:
        """Open postings, newest first, and how many there are."""
        if not self.held.may("jobs:read"):
            return []
        await self.listener.step("reading", what="postings")
        rows = [row for row in await self.held.postings() if row["document_id"]]
        total = {"open_postings": len(rows)}
        return [
            self.put(
                self.held.source(row["document_id"], quote=None, pointer=f"posting {row['url']}"),
                f"{row['title']} ({len(rows)} open postings)",
            )
            | total
            for row in rows[:_MOST_ITEMS]
        ]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many sentences could not be proven, and the tokens used."""

    dropped: int
    input_tokens: int
    output_tokens: int


async def write(
    model: "Model",
    question: str,
    desk: Desk,
    *,
    history: Sequence[tuple[str, str]],
    tell: Tell,
    streams: bool,
) -> Outcome:
    """Ask the model once, and tell every sentence that its sources prove; with `streams` as it comes.

    Raises whatever the model fails with; what was told before is void then.
    """
    from pydantic_ai.usage import UsageLimits

    said = "\n".join(f"{role}: {content[:500]}" for role, content in history)
    asked = f"Earlier in this conversation:\n{said}\n\nQuestion: {question}" if said else question
    limits = UsageLimits(request_limit=_MOST_REQUESTS, tool_calls_limit=_MOST_TOOL_CALLS)
    agent, told = _agent(model, desk), _Told(desk, tell)
    async with agent:
        if not streams:
            result = await agent.run(asked, usage_limits=limits)
            await told.take(result.output.sentences)
            return told.outcome(result.usage)
        async with agent.run_stream(asked, usage_limits=limits) as stream:
            async for part in stream.stream_output(debounce_by=None):
                await told.take(part.sentences[:-1])  # the last one may still grow
            await told.take((await stream.get_output()).sentences)
            return told.outcome(stream.usage)


def _agent(model: "Model", desk: Desk) -> "Agent[None, Written]":
    from pydantic_ai import Agent, Tool
    from pydantic_ai.settings import ModelSettings

    prompt = files("sightline.assistant").joinpath("prompts/answer.md").read_text(encoding="utf-8")
    # The tools take turns, so that an answer never reads over more than one connection at a time.
    tools = [
        Tool(function, takes_ctx=False, sequential=True)
        for function in (
            desk.search_evidence,
            desk.read_facts,
            desk.list_signals,
            desk.list_postings,
        )
    ]
    return Agent(
        model,
        output_type=Written,
        instructions=prompt.replace("{name}", desk.held.name),
        tools=tools,
        model_settings=ModelSettings(max_tokens=_MOST_TOKENS),
    )


@dataclass
class _Told:
    """The sentences of an answer that have been judged so far."""

    desk: Desk
    tell: Tell
    judged: int = 0
    dropped: int = 0

    async def take(self, sentences: Sequence[WrittenSentence]) -> None:
        """Judge and tell those that are new; `sentences` are all so far."""
        for sentence in sentences[self.judged : _MOST_SENTENCES]:
            self.judged += 1
            statement = _statement(sentence, self.desk)
            if statement is None:
                self.dropped += 1
            else:
                await self.tell(statement)

    def outcome(self, usage: "RunUsage") -> Outcome:
        return Outcome(self.dropped, usage.input_tokens or 0, usage.output_tokens or 0)


def _statement(sentence: WrittenSentence, desk: Desk) -> Statement | None:
    """A sentence whose quotes were shown by a tool and hold its figures and names; else None."""
    sources: list[Source] = []
    proof: list[str] = []
    for cited in sentence.sources:
        shown = desk.shown.get(cited.id)
        quote = spaced(cited.quote)
        if shown is None or len(quote) < 2 or quote not in spaced(shown[1]):
            return None
        source, text = shown
        if source.quote is None:  # data: its place is the citation, its value the proof
            proof.append(spaced(text))
            sources.append(source)
            continue
        proof.append(quote)
        sources.append(
            Source(source.document_id, source.url, source.title, quote, source.published_at)
        )
    text = spaced(sentence.text)
    if not sources or not text or ADDRESSES_READER.search(text):
        return None
    shown_words = " ".join(words for _, words in desk.shown.values())

    def is_ordinary(word: str) -> bool:
        return re.search(rf"\b{re.escape(word)}\b", shown_words) is not None

    held = desk.held
    if written_proof.fault(text, "\n".join(proof), known=held.name, is_ordinary=is_ordinary):
        return None
    return Statement(text, tuple(sources))
