"""One pull of a board: all its pages, returned as one list and kept as evidence.

The order makes a pull safe against a worker that dies: answers are kept at first, postings are
stored, and only then are the answers said to be about the company. So a page that is about the
company has been stored, and one that has not changed since need not be read again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from sightline.domain.evidence import Body, Parsed
from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.addresses import board_urls
from sightline.sources.boards.pages import (
    BoardPage,
    BoardRequest,
    merge_pages,
    with_details,
)
from sightline.sources.contract import Context, Document, RecordIsUnusable, SourceIsAway
from sightline.sources.job_boards.details import detail_url
from sightline.sources.job_boards.reading import OWN_PAGES, VERSION, BoardReading, Reader

MOST_PAGES = 100
"""Answers read of one board; a board with more is a partial pull."""
MOST_DETAILS = 25
"""Postings without a description in the list that are read one by one in one pull."""

_JUST_NOW = timedelta(minutes=30)
_DETAIL_FRESH = timedelta(days=30)

PROBE_MISSING = timedelta(days=7)
"""How long a board that was only guessed, and is not there, is not asked for again."""

IsTheirs = Callable[[BoardPage, tuple[str, ...]], bool]


class _NotStored(RecordIsUnusable):
    """The answer is known, its postings are not the company's yet."""


@dataclass
class _Answer:
    request: BoardRequest
    url: str  # the document's address
    document: Document
    parse: Reader
    reading: BoardReading | None  # None while an unchanged answer has not been read again


@dataclass(frozen=True)
class Pulled:
    """How a pull went. `boards` are others that an own page embeds or links to."""

    postings: int
    boards: tuple[tuple[str, str], ...] = ()
    refused: bool = False
    unchanged: bool = False


async def pull(
    context: Context,
    kind: str,
    token: str,
    requests: Sequence[BoardRequest],
    *,
    is_theirs: IsTheirs | None = None,
) -> Pulled | None:
    """Read a board by the first of the requests that it answers; None when it answers none.

    `is_theirs` judges a board that was only guessed; what is not theirs is not stored. Raises
    RecordIsUnusable or SourceIsAway when every request failed, with the first failure.
    """
    failure: Exception | None = None
    for request in requests:
        try:
            first = await _ask(
                context, kind, token, request,
                missing_for=PROBE_MISSING if is_theirs is not None else None,
            )  # fmt: skip
        except (RecordIsUnusable, SourceIsAway) as error:
            failure = failure or error
            continue
        if first is not None:
            return await _take(context, kind, token, first, is_theirs)
    if failure is not None:
        raise failure
    return None


async def _take(
    context: Context, kind: str, token: str, first: _Answer, is_theirs: IsTheirs | None
) -> Pulled:
    settled = not first.document.changed and await _is_settled(context, first)
    # A board of several pages may have changed behind its first, so the first is always read then.
    # So may one that an own page embeds, which only the reading names.
    is_whole = kind != OWN_PAGES and not _has_more(first.document)
    if first.reading is None and not (settled and is_whole):
        await _read_anyway(context, first)
    reading = first.reading
    if reading is None:
        document_id = first.document.document_id
        await context.pulled(kind, token, (), complete=False, document_id=document_id)
        return Pulled(0, unchanged=True)
    if is_theirs and not settled and not is_theirs(reading.page, reading.names):
        return Pulled(0, refused=True)
    answers = [first]
    await _follow(context, kind, token, answers)
    stored = await _store(context, kind, token, answers)
    for answer in reversed(answers):  # the first last: it stands for all of them
        await _tie(context, answer)
    return Pulled(stored, boards=reading.boards)


async def _store(context: Context, kind: str, token: str, answers: Sequence[_Answer]) -> int:
    """Store the postings of all pages; returns how many they are."""
    merged = merge_pages([each.reading.page for each in answers if each.reading is not None])
    postings = merged.postings
    if kind == OWN_PAGES or not all(each.description for each in postings):
        postings = await _with_details(context, kind, token, postings)
    if postings or merged.sound:
        await context.pulled(
            kind, token, postings,
            complete=merged.complete, document_id=answers[0].document.document_id,
        )  # fmt: skip
    partial = postings and not merged.complete and kind != OWN_PAGES  # which never prove the whole
    for note in merged.notes if partial else ():
        context.note(f"{kind} {token}: {note}")
    return len(postings)


async def look(context: Context, kind: str, token: str) -> BoardReading | None:
    """The first page of a board that was only guessed, nothing of it stored; None when there is none.

    Raises RecordIsUnusable or SourceIsAway as `pull` does.
    """
    for request in board_urls(kind, token):
        first = await _ask(context, kind, token, request, missing_for=PROBE_MISSING)
        if first is not None:
            if first.reading is None:
                await _read_anyway(context, first)
            return first.reading
    return None


async def _ask(
    context: Context,
    kind: str,
    token: str,
    request: BoardRequest,
    *,
    missing_for: timedelta | None = None,
) -> _Answer | None:
    reader = Reader(kind, token, request.offset)
    # The page itself is the website's document; this one is what it says about open positions.
    url = f"{request.url}#openings" if kind == OWN_PAGES else request.url
    document = await context.document(
        url,
        parse=reader,
        version=VERSION,
        json=posted(request),
        missing_for=missing_for,
        about=False,
    )
    return _Answer(request, url, document, reader, _reading(document)) if document else None


async def _follow(context: Context, kind: str, token: str, answers: list[_Answer]) -> None:
    """The pages after the first. One that fails ends the pull, which then is partial."""
    while len(answers) < MOST_PAGES:
        reading = answers[-1].reading
        if reading is None or reading.page.next is None:
            return
        try:
            following = await _ask(context, kind, token, reading.page.next)
            if following is None:
                return
            if following.reading is None:
                await _read_anyway(context, following)
        except (RecordIsUnusable, SourceIsAway) as error:
            context.note(f"{kind} {token}: the pull stopped after {len(answers)} pages. {error}")
            return
        answers.append(following)


async def _is_settled(context: Context, answer: _Answer) -> bool:
    """Whether the answer as it stands was stored for this company before."""
    try:
        await context.document(
            answer.url, parse=_refuse, version=VERSION, json=posted(answer.request),
            fresh_for=_JUST_NOW,
        )  # fmt: skip
    except _NotStored:
        return False
    return True


async def _read_anyway(context: Context, answer: _Answer) -> None:
    document = await context.document(
        answer.url, parse=answer.parse, version=VERSION, json=posted(answer.request),
        fresh_for=_JUST_NOW, about=False, always_read=True,
    )  # fmt: skip
    answer.reading = _reading(document)


def _reading(document: Document | None) -> BoardReading | None:
    if document is None or document.parsed is None:
        return None
    reading: BoardReading | None = document.parsed.extra
    return reading


async def _tie(context: Context, answer: _Answer) -> None:
    await context.document(
        answer.url, parse=answer.parse, version=VERSION, json=posted(answer.request),
        fresh_for=_JUST_NOW,
    )  # fmt: skip


async def _with_details(
    context: Context, kind: str, token: str, postings: Sequence[ParsedPosting]
) -> tuple[ParsedPosting, ...]:
    """The postings with what their own pages say, of those whose list leaves the text out."""
    completed = list(postings)
    lacking = {
        number: url
        for number, each in enumerate(completed)
        if not each.description and (url := detail_url(kind, token, each))
    }
    dated_first = sorted(lacking, key=lambda n: completed[n].posted_at is None)
    for number in dated_first[:MOST_DETAILS]:
        url = lacking[number]
        try:
            document = await context.document(
                f"{url}#openings" if kind == OWN_PAGES else url,
                parse=Reader(kind, token), version=VERSION,
                fresh_for=_DETAIL_FRESH, always_read=True,
            )  # fmt: skip
        except (RecordIsUnusable, SourceIsAway):
            continue
        reading = _reading(document)
        found = reading.page.postings if reading else ()
        if len(found) == 1:
            completed[number] = with_details(completed[number], found[0])
    if len(lacking) > MOST_DETAILS:
        context.note(f"{kind} {token}: the text of {MOST_DETAILS} of {len(lacking)} was read.")
    return tuple(replace(each) for each in completed)


def _has_more(document: Document) -> bool:
    return any(link.role == "next" for link in document.links)


def posted(request: BoardRequest) -> object:
    """The body of a request; None for a GET."""
    return dict(request.json or {}) if request.method == "POST" else None


def _refuse(body: Body) -> Parsed:
    raise _NotStored(body.url)
