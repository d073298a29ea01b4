"""`search`: passages of everything stored about a company, for several wordings at once."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Final

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Source
from sightline.assistant.tools.session import NoAnswer, ToolSession, cut, day, tool
from sightline.reading.orders import without_orders
from sightline.search.evidence import Passage, SourceKind
from sightline.search.retrieve import find_passages

_MOST_QUERIES: Final = 8
_LONGEST_QUERY: Final = 300
_MOST: Final = 12
_LONGEST: Final = 1_800  # characters of one passage
_LEAST: Final = 3  # passages that are shown however weak they are
# Of the best one's score; the tail below it is cut. Of 312 found for judged requests that were 22, and 1
# of the 93 that answered.
_WEAK: Final = 0.5


@tool("searching")
async def search(
    session: ToolSession,
    queries: list[str],
    kinds: list[SourceKind] | None = None,
    since: date | None = None,
    until: date | None = None,
    company: str | None = None,
) -> str:
    """Search filings, news, web pages, job postings, signals and technologies about a company.

    Each passage says which telling words of your queries it `has`, and from 0 to 1 how `near` it is to them
    in meaning. One with few of the words that is not near seldom answers.

    Args:
        queries: Two to six wordings of what you look for. Vary the words: use those that a filing, a
            press release or a job posting would use, not only those of the question.
        kinds: Only these kinds of source.
        since: Only what was published on or after this day.
        until: Only what was published on or before this day.
        company: An account of find_accounts; without it the company of this conversation.
    """
    evidence = await session.of(company)
    wanted = [query.strip()[:_LONGEST_QUERY] for query in queries if query.strip()][:_MOST_QUERIES]
    if not wanted:
        raise NoAnswer("Give at least one query.")
    async with evidence.reading() as connection:
        found = await find_passages(
            connection,
            evidence.company_id,
            wanted,
            limit=_MOST,
            kinds=kinds or None,
            since=_midnight(since),
            until=datetime.combine(until, time.max, UTC) if until else None,
        )
    session.missing.update(found.missing)
    lines = show(session, evidence, _without_tail(found.passages))
    if found.missing:
        words = ", ".join(found.missing[:12])
        lines.append(f"Words of your queries that no passage of {evidence.name} has: {words}.")
    if not lines:
        raise NoAnswer(
            f"No passage of {evidence.name} matches. Try other words, or list_documents."
        )
    return "\n\n".join(lines)


def _without_tail(passages: Sequence[Passage]) -> list[Passage]:
    """Best first, without those that are much weaker than the best."""
    best = max((each.score for each in passages), default=0.0)
    return [
        each for place, each in enumerate(passages) if place < _LEAST or each.score >= _WEAK * best
    ]


def show(session: ToolSession, evidence: CompanyEvidence, passages: Sequence[Passage]) -> list[str]:
    """The passages not shown before, as much as there is room for, and which were."""
    lines: list[str] = []
    again: list[str] = []
    room = session.room
    for passage in passages:
        if passage.kind == "job" and not evidence.may("jobs:read"):
            continue
        beside = without_orders(_beside(passage))
        text = cut(without_orders(passage.text), _LONGEST)
        if not text:  # a posting may have no more than its title and place
            text, beside = beside, ""
        if not text:
            continue
        shown = session.shown.holding(passage.document_id, text.removesuffix(" …"))
        if shown is not None:
            again.append(shown)
            continue
        if len(text) + len(beside) > room:
            break
        title = without_orders(passage.title)
        pointer = without_orders(passage.heading) or title if passage.start is None else None
        source = Source(
            passage.document_id, passage.url, title, None, passage.published_at, pointer
        )
        name, _ = session.put(evidence, text, source, kind=passage.kind, context=beside)
        above = f"[above it: {beside}]\n" if beside else ""
        head = " | ".join(filter(None, (passage.kind, title, day(passage.published_at))))
        lines.append(f"{name} | {head} | {_match(passage)}\n{above}{text}")
        room -= len(text) + len(beside)
    if again:
        lines.append(f"Already shown: {', '.join(dict.fromkeys(again))}.")
    return lines


def _beside(passage: Passage) -> str:
    """Heading, caption, unit and column heads, as far as the text does not have them."""
    heading = "" if passage.heading in f"{passage.context}\n{passage.text}" else passage.heading
    return "\n".join(filter(None, (heading, passage.context)))


def _match(passage: Passage) -> str:
    """'has revenue, Portugal; near 0.62'."""
    near = "" if passage.near is None else f"; near {passage.near:.2f}"
    return f"has {', '.join(passage.matched[:8]) or 'none of the telling words'}{near}"


def _midnight(value: date | None) -> datetime | None:
    return datetime.combine(value, time.min, UTC) if value else None
