"""`search`: passages from all evidence about a company, for several wordings at once."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Final

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Source
from sightline.assistant.tools.session import NoAnswer, ToolSession, cut, day, midnight, tool
from sightline.assistant.units import units_above
from sightline.reading.orders import without_orders
from sightline.reading.tables import table_after
from sightline.search.retrieve import Match, Retrieved, find_passages
from sightline.store.assistant import following_texts
from sightline.store.database import Connection
from sightline.store.passages import Reach, SourceKind, StoredPassage

_MOST_QUERIES: Final = 8
_LONGEST_QUERY: Final = 300
_LONGEST: Final = 2_400  # characters of one passage
_LONGEST_TABLE: Final = 1_500  # characters that a passage goes on for to the end of a table
_ROOM: Final = 9_000  # characters of one search
_LEAST: Final = 3  # passages that are shown however weak they are
# Of the best one's score; the tail below it is cut. Of 312 found for judged requests that were 22, and 1
# of the 93 that answered.
_WEAK: Final = 0.5
# What passages that answer have by meaning alone; any two texts of a company have 0.2.
_NEAR: Final = 0.35


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

    Each passage says which rare words of your queries it `has`, and from 0 to 1 how `near` it is to them
    in meaning. One with few of the words that is not near seldom answers.

    Args:
        queries: Two to six wordings of what you look for. Vary the words: use those that a filing, a
            press release or a job posting would use, not only those of the question.
        kinds: Only these kinds of source.
        since: Only what was published on or after this day.
        until: Only what was published on or before this day.
        company: An account of find_accounts; without it the company of this conversation.
    """
    evidence = session.of(company)
    wanted = [query.strip()[:_LONGEST_QUERY] for query in queries if query.strip()][:_MOST_QUERIES]
    if not wanted:
        raise NoAnswer("Give at least one query.")
    async with evidence.reading() as connection:
        last = datetime.combine(until, time.max, UTC) if until else None
        reach = Reach(kinds or None, since=midnight(since), until=last)
        found = await find_passages(connection, evidence.company_id, wanted, reach)
        chosen = without_tail(found)
        passages = await _whole(connection, [each.passage for each in chosen])
    chosen = [replace(each, passage=own) for each, own in zip(chosen, passages, strict=True)]
    lines = show(session, evidence, replace(found, matches=chosen))
    if found.missing:
        words = ", ".join(found.missing[:12])
        lines.append(f"Words of your queries that no passage of {evidence.name} has: {words}.")
    if not lines:
        tried = f"No passage of {evidence.name} matches."
        raise NoAnswer(f"{tried} Try other words, or list_documents.")
    return "\n\n".join(lines)


def without_tail(found: Retrieved) -> list[Match]:
    """Best first, without those that are much weaker than the best, or that nothing speaks for."""
    best = max((each.score for each in found.matches), default=0.0)
    return [
        each
        for place, each in enumerate(found.matches)
        if place < _LEAST
        or (each.score >= _WEAK * best and (found.words_of(each) or (each.near or 0.0) >= _NEAR))
    ]


async def _whole(connection: Connection, passages: Sequence[StoredPassage]) -> list[StoredPassage]:
    """The passages, those that end before or within a table with the rest of it, and with the unit of their
    amounts."""
    places = [(each.document_id, each.end) for each in passages]
    following = await following_texts(connection, places, longest=_LONGEST_TABLE)
    found = [
        replace(each, body=each.body + table_after(each.body, after, longest=_LONGEST_TABLE))
        for each, after in zip(passages, following, strict=True)
    ]
    units = await units_above(connection, found)
    return [
        replace(each, context="\n".join(filter(None, (each.context, units.get(each.passage_id)))))
        for each in found
    ]


def show(session: ToolSession, evidence: CompanyEvidence, found: Retrieved) -> list[str]:
    """The passages not shown before, as much as there is room for, which were, and how many are left out."""
    lines: list[str] = []
    again: dict[str, None] = {}
    room, left_out = min(_ROOM, session.room), 0
    for match in found.matches:
        passage, is_job = match.passage, match.passage.kind == "job"
        beside, text = _texts(passage)
        if not text or (is_job and not evidence.may("jobs:read")):
            continue
        address = passage.url if is_job else None
        known = session.holding(evidence, text.removesuffix(" …"), address)
        if known is not None:
            again[known] = None
        elif left_out or len(text) + len(beside) > room:
            left_out += 1
        else:
            head = f"{_put(session, evidence, passage, beside, text)} | {_head(found, match)}"
            lines.append("\n".join(filter(None, (head, beside, text))))
            room -= len(text) + len(beside)
    if again:
        lines.append(f"Already shown: {', '.join(again)}.")
    if left_out:
        narrow = "Narrow by kind, day or words to see them."
        lines.append(f"Weaker passages left out: {left_out}. {narrow}")
    return lines


def _head(found: Retrieved, match: Match) -> str:
    """'filing | 10-K | 2025-02-26 | has depots; near 0.61'."""
    passage, near = match.passage, "" if match.near is None else f"; near {match.near:.2f}"
    words = ", ".join(found.words_of(match)[:8]) or "none of the rare words"
    parts = (passage.kind, without_orders(passage.title), day(passage.published_at))
    return " | ".join(filter(None, (*parts, f"has {words}{near}")))


def _put(
    session: ToolSession, evidence: CompanyEvidence, passage: StoredPassage, beside: str, text: str
) -> str:
    """The id of a passage as a source."""
    title = without_orders(passage.title)
    pointer = without_orders(passage.heading) or title if passage.start is None else None
    source = Source(passage.document_id, passage.url, title, None, passage.published_at, pointer)
    return session.put(evidence, text, source, kind=passage.kind, context=beside)


def _texts(passage: StoredPassage) -> tuple[str, str]:
    """Heading, caption, unit and column heads, as far as the text does not have them, and the text."""
    heading = "" if passage.heading in f"{passage.context}\n{passage.body}" else passage.heading
    beside = without_orders("\n".join(filter(None, (heading, passage.context))))
    text = cut(without_orders(passage.body), _LONGEST)
    return (beside, text) if text else ("", beside)  # a posting may have a title and a place alone
