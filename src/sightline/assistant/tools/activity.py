"""`list_signals` and `list_postings`: events at a company, and its open jobs."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Source
from sightline.assistant.tools.matching import with_most_words
from sightline.assistant.tools.session import NoAnswer, Row, ToolSession, cut, day, midnight, tool
from sightline.domain.signals import SignalFamily, dated
from sightline.reading.orders import is_order, without_orders
from sightline.store.assistant import PostingFilter, boards_read, find_postings, read_posting

_PAGE: Final = 15
_POSTINGS: Final = 40
_LONGEST: Final = 700  # characters of a signal
_LONGEST_POSTING: Final = 8_000


@tool("listing signals")
async def list_signals(
    session: ToolSession,
    query: str | None = None,
    family: SignalFamily | None = None,
    since: date | None = None,
    until: date | None = None,
    page: int = 1,
    company: str | None = None,
) -> str:
    """List what happened at the company, newest first: deals, appointments, funding, layoffs, lawsuits.

    Args:
        query: Those with most of these words; without a match all are listed.
        family: Only signals of one family.
        since: Only what happened on or after this day.
        until: Only what happened on or before this day.
        page: 1 is the first.
        company: An account of find_accounts; without it the company of this conversation.
    """
    evidence = session.of(company)
    rows = [
        row for row in await evidence.signals() if not is_order(f"{row['title']} {row['quote']}")
    ]
    first, last = since or date.min, until or date.max
    within = [row for row in rows if first <= row["at"].date() <= last]
    within = [row for row in within if family in (None, row["family"])]
    if not within:
        families = ", ".join(sorted({row["family"] for row in rows})) or "none"
        raise NoAnswer(f"No such signals. {len(rows)} are stored; families: {families}.")
    chosen = with_most_words(
        within, query, lambda row: f"{row['type']} {row['family']} {row['title']} {row['quote']}"
    )
    note = ""
    if not chosen:
        note, chosen = f"None has a word of {query!r}. ", within
    pages = -(-len(chosen) // _PAGE)
    number = min(max(1, page), pages)
    lines = [f"{note}{len(chosen)} signals, page {number} of {pages}:"]
    for row in chosen[(number - 1) * _PAGE : number * _PAGE]:
        source = _signal_source(evidence, row)
        text = cut(row["quote"] or row["title"], _LONGEST)
        head = f"{row['family']}/{row['type']} | {when(row)} | {cut(row['title'], 200)}"
        name = session.put(evidence, text, source, kind="signal", context=head)
        lines.append(f"{name} | {head} | {source.title}\n{text}")
    return "\n".join(lines)


def _signal_source(evidence: CompanyEvidence, row: Mapping[str, Any]) -> Source:
    """The document that reports a signal; of one that was read from data, the record of it."""
    if row["document_id"]:
        return evidence.source(row["document_id"])
    return Source(None, row["url"], f"signal: {row['title']}", None, row["at"], "signal")


@tool("listing postings")
async def list_postings(
    session: ToolSession,
    query: str | None = None,
    department: str | None = None,
    place: str | None = None,
    since: date | None = None,
    posting: str | None = None,
    page: int = 1,
    company: str | None = None,
) -> str:
    """List open job postings, newest first, and how many there are; or read one of them whole.

    Args:
        query: Only postings whose title or description has all of these words.
        department: Only one department, such as engineering, sales, finance or it.
        place: Only postings with these words in a place of work, or "remote".
        since: Only postings opened on or after this day.
        posting: The source id of a listed posting, to read its full text.
        page: 1 is the first.
        company: An account of find_accounts; without it the company of this conversation.
    """
    evidence = session.of(company)
    if not evidence.may("jobs:read"):
        raise NoAnswer("This key may not read job postings.")
    if posting is not None:
        return await read_whole_posting(session, posting)
    wanted = PostingFilter(
        words=tuple((query or "").split()),
        department=department.casefold() if department else None,
        place=tuple((place or "").replace(",", " ").split()),
        since=midnight(since),
    )
    first = (max(1, page) - 1) * _POSTINGS
    async with evidence.reading() as connection:
        total, departments, rows = await find_postings(
            connection, evidence.company_id, wanted, offset=first, limit=_POSTINGS
        )
        boards, read = await boards_read(connection, evidence.company_id)
    every = "; ".join(f"{name} {n}" for name, n in departments)
    if not departments:
        raise NoAnswer(_none_open(evidence.name, boards, read))
    if not rows:
        raise NoAnswer(_none_shown(total, wanted, every))
    await evidence.learn({row["document_id"] for row in rows})
    counted = f"{total} open postings" + (f" that match {_asked(wanted)}" if wanted.narrows else "")
    newest = evidence.source(rows[0]["document_id"], pointer="open postings")
    name = session.put(evidence, f"{counted} at {evidence.name}", newest, kind="job")
    lines = [f"{name} | {counted} at {evidence.name}, page {max(1, page)}:"]
    if not wanted.narrows:
        lines.append(f"By department: {every}")
    listed = [posting_row(evidence, row) for row in rows]
    return "\n".join([*lines, *session.listed(evidence, listed, kind="job")])


def _none_open(name: str, boards: int, read: datetime | None) -> str:
    """Why no posting is stored: no board is known or read, or what was read is empty."""
    if read is None:
        what = "no job board of it is known" if not boards else "its job board was not read yet"
        return f"Postings of {name} are not read here: {what}. Whether it hires is not known."
    return f"No posting is open at {name}: its job boards were last read on {day(read)} and listed none."


def _none_shown(total: int, wanted: PostingFilter, every: str) -> str:
    """Why open postings are not shown: a page past the last, or filters that are too narrow."""
    if total:
        return f"There are only {total} such postings: no page has more."
    return f"No open posting matches {_asked(wanted)}: leave a filter out. Open by department: {every}."


async def read_whole_posting(session: ToolSession, name: str) -> str:
    """A posting that was shown, with its description. Raises NoAnswer."""
    evidence, shown = session.source(name)
    source = shown.sources[0]
    if shown.kind != "job" or not source.url:
        raise NoAnswer(f"{name!r} is no posting.")
    async with evidence.reading() as connection:
        row = await read_posting(connection, evidence.company_id, source.url)
    if row is None:
        raise NoAnswer("That posting is not open any more.")
    words, sources = posting_row(evidence, row)
    whole = without_orders(f"{words}\n{row['description']}")
    text = cut(whole, min(_LONGEST_POSTING, session.room))
    return f"{session.put(evidence, text, *sources, kind='job')} | {text}"


def posting_row(evidence: CompanyEvidence, row: Mapping[str, Any]) -> Row:
    """'Data Engineer | engineering | Berlin; Remote | opened 2025-03-01', and its page."""
    places = [
        place.get("raw")
        or ", ".join(place[k] for k in ("city", "region", "country_code") if place.get(k))
        for place in row["locations"]
    ]
    parts = [row["title"], row["department"], row["seniority"], "; ".join(places[:5])]
    parts += [row["remote"], f"opened {day(row['opened_at'])}"]
    known = evidence.source(row["document_id"], pointer="posting")
    source = replace(known, url=row["url"] or known.url, title=row["title"],
                     published_at=row["opened_at"])  # fmt: skip
    return " | ".join(part for part in parts if part), (source,)


def _asked(wanted: PostingFilter) -> str:
    parts = [*wanted.words, wanted.department, *wanted.place]
    parts += [f"since {wanted.since.date()}"] if wanted.since else []
    return ", ".join(part for part in parts if part)


def when(row: Mapping[str, Any]) -> str:
    """What is known of the day of a signal: "2025-03-05", "2025-03", "reported 2025-03-05"."""
    return dated(row["at"].date(), row["precision"])
