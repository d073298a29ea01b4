"""Answers written by a model, held to the same proof as all others.

Its tools read, and are bound to the caller's organization, scopes and company before it is asked:
nothing that it reads or writes can name another. No tool fetches an address.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, Field

from sightline.assistant.contract import Source, Statement
from sightline.assistant.held import Held
from sightline.assistant.readers.passages import ADDRESSES_READER
from sightline.domain.fields import FIELDS
from sightline.profile.sentences import spaced

if TYPE_CHECKING:
    from pydantic_ai.models import Model

SECONDS: Final = 25.0
_MOST_REQUESTS: Final = 6
_MOST_TOOL_CALLS: Final = 12
_MOST_ITEMS: Final = 12
_LONGEST_ITEM: Final = 1_200
_MOST_SENTENCES: Final = 6
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_PROPER = re.compile(r"(?:(?<=[\w,;:] )|^)[A-Z][\w&’'-]+")
_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_OPENERS = frozenset(
    """the a an its it in on at of as for from by with and but or to this these those that there they their he
    she his her during since after before while when where who which according net total gross revenue company
    sales profit income cash both each all no not one two three""".split()
)


class WrittenSource(BaseModel):
    id: str = Field(description="The id of a source, as a tool gave it.")
    quote: str = Field(description="Words of that source, exactly.")


class WrittenSentence(BaseModel):
    text: str
    sources: list[WrittenSource]


class Written(BaseModel):
    """The answer, sentence by sentence; none when the sources do not answer."""

    sentences: list[WrittenSentence]


@dataclass
class Desk:
    """What the tools of one answer have shown so far, by id."""

    held: Held
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
        facts = await self.held.facts(field_name)
        facts = sorted(facts, key=lambda f: str(f.as_of or ""), reverse=True)[: 3 * _MOST_ITEMS]
        return [
            self.put(self.held.proof(f), f.quote or f"{f.pointer}: {f.value}") | {"value": f.value}
            for f in facts
        ]

    async def list_signals(self) -> list[dict[str, Any]]:
        """What happened at the company, newest first."""
        rows = [row for row in await self.held.signals() if row["document_id"]]
        return [
            self.put(self.held.source(row["document_id"], quote=row["quote"]), row["quote"])
            for row in rows[:_MOST_ITEMS]
        ]

    async def list_postings(self) -> list[dict[str, Any]]:
        """Open postings, newest first, and how many there are."""
        if not self.held.may("jobs:read"):
            return []
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
    """What the model wrote and could prove, how much it dropped, and tokens used."""

    statements: tuple[Statement, ...]
    dropped: int
    input_tokens: int
    output_tokens: int


async def write(
    model: "Model",
    question: str,
    held: Held,
    *,
    history: Sequence[tuple[str, str]],
    seconds: float = SECONDS,
) -> Outcome:
    """Ask the model once. Raises whatever it fails with, TimeoutError included."""
    from pydantic_ai import Agent, Tool
    from pydantic_ai.usage import UsageLimits

    desk = Desk(held)
    prompt = files("sightline.assistant").joinpath("prompts/answer.md").read_text(encoding="utf-8")
    # One connection serves one query at a time: the tools take turns.
    tools = [
        Tool(function, takes_ctx=False, sequential=True)
        for function in (
            desk.search_evidence,
            desk.read_facts,
            desk.list_signals,
            desk.list_postings,
        )
    ]
    agent = Agent(
        model, output_type=Written, instructions=prompt.replace("{name}", held.name), tools=tools
    )
    said = "\n".join(f"{role}: {content[:500]}" for role, content in history)
    asked = f"Earlier in this conversation:\n{said}\n\nQuestion: {question}" if said else question
    async with asyncio.timeout(seconds):
        result = await agent.run(
            asked,
            usage_limits=UsageLimits(
                request_limit=_MOST_REQUESTS, tool_calls_limit=_MOST_TOOL_CALLS
            ),
        )
    sentences = result.output.sentences[:_MOST_SENTENCES]
    kept = [s for each in sentences if (s := _statement(each, desk)) is not None]
    usage = result.usage
    return Outcome(
        tuple(kept),
        len(result.output.sentences) - len(kept),
        usage.input_tokens or 0,
        usage.output_tokens or 0,
    )


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
    if not sources or ADDRESSES_READER.search(sentence.text) or "://" in sentence.text:
        return None
    return _supported(spaced(sentence.text), " ".join(proof), tuple(sources), desk.held.name)


def _supported(
    text: str, proof: str, sources: tuple[Source, ...], company: str
) -> Statement | None:
    known = f"{proof} {company}".casefold()
    figures = set(_NUMBER.findall(proof))
    if any(n not in figures and not _is_scaled(n, figures) for n in _NUMBER.findall(text)):
        return None
    for name in _PROPER.findall(text):
        word = name.casefold().removesuffix("’s").removesuffix("'s")
        if word not in known and word not in _OPENERS and word not in _MONTHS:
            return None
    if any(
        month in text.casefold().split() and month not in known
        for month in _MONTHS - {"may", "march"}
    ):
        return None
    return Statement(text, sources)


def _is_scaled(number: str, figures: set[str]) -> bool:
    """Whether a number is one of the figures in millions, billions or percent, rounded."""
    try:
        shown = float(number.replace(",", ""))
        held = [float(figure.replace(",", "")) for figure in figures]
    except ValueError:
        return False
    decimals = len(number.partition(".")[2])
    room = 0.5 * 10**-decimals + 1e-9
    return any(
        abs(shown - value / scale) <= room
        for value in held
        for scale in (1e6, 1e9, 1e12)
        if value >= scale
    ) or any(0 < value < 10 and abs(shown - value * 100) <= room for value in held)
