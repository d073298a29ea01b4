"""Open positions: from known boards, else the careers page, else likely boards."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import product
from typing import Any
from urllib.parse import quote

from sightline.sources.boards.addresses import board_urls, probe_tokens
from sightline.sources.boards.pages import BoardPage, BoardRequest
from sightline.sources.boards.registry import BOARDS
from sightline.sources.contract import (
    Candidate,
    Context,
    Document,
    Query,
    RecordIsUnusable,
    Source,
    SourceIsAway,
    Target,
    address_key,
    read_manifest,
)
from sightline.sources.job_boards.pull import PROBE_MISSING, Pulled, look, posted, pull
from sightline.sources.job_boards.reading import (
    OWN_PAGES,
    VERSION,
    host_and_path,
    is_boards_owner,
    read_board_name,
)
from sightline.sources.same_company import is_same_name
from sightline.sources.website.links import site_of

MOST_BOARDS = 4
"""Boards read of one company."""

# A page that names more boards than a company has of its own lists those of others.
_MOST_OWN = 3
_PROBED = tuple(board.kind for board in BOARDS.values() if board.is_probed)
_MOST_TOKENS = 2
_NAME_FRESH = timedelta(days=7)


async def collect(context: Context, target: Target) -> None:
    """Pull the company's boards. A board that fails is noted; the others are still read."""
    run = _Run(context, target)
    await run.pull_known()
    if not run.found:
        await run.pull_own_pages()
    if not run.found:
        await run.probe()
    await run.name_company()
    if run.failures and not run.found:
        raise run.failures[0]
    if not run.found:
        context.note("No job board or list of open positions was found.")


async def find(context: Context, query: Query) -> Sequence[Candidate]:
    """The employers of boards under likely tokens, of those boards that show to be the company's."""
    name, domain = query.name or "", query.domain
    names, domains = (name,) if name else (), (domain,) if domain else ()
    found = []
    for kind, token in await _to_probe(context, name, domain):
        try:
            stated = await _stated_name(context, kind, token)
            if stated and not _is_named(stated, names, domain):
                continue
            reading = await look(context, kind, token)
        except (RecordIsUnusable, SourceIsAway):
            continue  # a guess that does not answer is no failure
        if reading is None:
            continue
        stated = tuple(dict.fromkeys((*stated, *reading.names)))
        if not is_boards_owner(reading.page, stated, names=names, domains=domains):
            continue
        called = next((s for s in stated if _is_named((s,), names, domain)), query.name)
        if called:
            found.append(
                Candidate("job_boards", f"{kind}/{token}", called, names=names, domain=domain)
            )
    return found


async def _to_probe(context: Context, name: str, domain: str | None) -> list[tuple[str, str]]:
    """Boards under likely tokens, without those that were not there lately."""
    boards = list(product(_PROBED, probe_tokens(name, domain)[:_MOST_TOKENS]))
    urls = {board: _first_urls(*board) for board in boards}
    every = [url for each in urls.values() for url in each]
    missing = await context.known_missing(every, within=PROBE_MISSING)
    left = [board for board in boards if not missing.issuperset(urls[board])]
    await context.prefetch([url for board in left for url in urls[board]])
    return left


def _first_urls(kind: str, token: str) -> list[str]:
    """Addresses of which at least one answers where there is a board."""
    named = [_name_url(token)] if kind == "greenhouse" else []
    return [*named, *(address_key(each.url, posted(each)) for each in board_urls(kind, token))]


def _name_url(token: str) -> str:
    return f"https://boards-api.greenhouse.io/v1/boards/{quote(token, safe='')}"


async def _stated_name(context: Context, kind: str, token: str) -> tuple[str, ...]:
    """The employer's name that a board gives before it is read; only Greenhouse's does."""
    if kind != "greenhouse":
        return ()
    named = await _board_name(context, token, about=False)
    return (named.title,) if named and named.title else ()


async def _board_name(context: Context, token: str, *, about: bool) -> Document | None:
    return await context.document(
        _name_url(token),
        parse=read_board_name, version=VERSION, fresh_for=_NAME_FRESH, missing_for=PROBE_MISSING,
        about=about,
    )  # fmt: skip


def _is_named(stated: Sequence[str], names: Sequence[str], domain: str | None) -> bool:
    return any(is_same_name(each, names, domain=domain) for each in stated)


class _Run:
    """One company's boards: `found` are those that answered and are the company's."""

    def __init__(self, context: Context, target: Target) -> None:
        self._context = context
        self._names = tuple(dict.fromkeys((target.name, *target.names)))
        self._domains = target.domains or ((target.domain,) if target.domain else ())
        self._target = target
        self._tried: set[tuple[str, str]] = set()
        self.found: list[tuple[str, str]] = []
        self.failures: list[Exception] = []

    async def pull_known(self) -> None:
        """Boards that the company's own pages name."""
        known = list(dict.fromkeys(_boards_of(self._target.facts.get("job_board") or ())))
        await self._pull_all(known)

    async def pull_own_pages(self) -> None:
        """The careers page: the boards that it embeds, else the postings that it lists itself."""
        pages = [url for url in self._target.facts.get("careers_url") or () if self._is_own(url)]
        for url in pages[:2]:
            result = await self._pull(OWN_PAGES, host_and_path(url), (BoardRequest(url),))
            if result is None:
                continue
            if result.boards:
                await self._pull_all(list(result.boards))
            if result.postings or result.unchanged:
                self.found.append((OWN_PAGES, host_and_path(url)))

    async def probe(self) -> None:
        """Boards under likely tokens. One is taken only if it shows to be the company's."""
        for kind, token in await _to_probe(self._context, self._target.name, self._target.domain):
            if await self._probe(kind, token):
                self._context.note(f"{BOARDS[kind].title} board {token} was found by its name.")
                self.found.append((kind, token))
                return

    async def name_company(self) -> None:
        """Keep what a board of a company that no other source has named calls its employer."""
        if self._target.facts.get("company_name"):
            return
        for token in [token for kind, token in self.found if kind == "greenhouse"][:1]:
            with suppress(RecordIsUnusable, SourceIsAway):
                await _board_name(self._context, token, about=True)

    async def _probe(self, kind: str, token: str) -> bool:
        if (kind, token) in self._tried:
            return False
        self._tried.add((kind, token))
        try:
            stated = await _stated_name(self._context, kind, token)
            if stated and not _is_named(stated, self._names, self._target.domain):
                return False  # another company's, as most of those that answer are

            def is_theirs(page: BoardPage, names: tuple[str, ...]) -> bool:
                return is_boards_owner(
                    page, (*stated, *names), names=self._names, domains=self._domains
                )

            result = await pull(
                self._context, kind, token, board_urls(kind, token), is_theirs=is_theirs
            )
        except (RecordIsUnusable, SourceIsAway):
            return False  # a guess that does not answer is no failure
        if result is not None and result.refused:
            self._context.note(f"{BOARDS[kind].title} board {token} is another company's.")
        return result is not None and not result.refused

    async def _pull_all(self, boards: Sequence[tuple[str, str]]) -> None:
        guarded = len(boards) > _MOST_OWN
        for kind, token in [each for each in boards if each not in self._tried][:MOST_BOARDS]:
            if guarded and not self._is_token_of(token):
                self._context.note(f"{kind} board {token} is one of many the site names; not read.")
                continue
            if await self._pull(kind, token, board_urls(kind, token)) is not None:
                self.found.append((kind, token))

    async def _pull(self, kind: str, token: str, requests: Sequence[BoardRequest]) -> Pulled | None:
        self._tried.add((kind, token))
        try:
            result = await pull(self._context, kind, token, requests)
        except (RecordIsUnusable, SourceIsAway) as error:
            self.failures.append(error)
            self._context.note(f"{kind} board {token}: {error}")
            return None
        if result is None:
            self._context.note(f"{kind} board {token} does not answer.")
        return result

    def _is_own(self, url: str) -> bool:
        return isinstance(url, str) and site_of(url) in self._domains

    def _is_token_of(self, token: str) -> bool:
        own = {t.lower() for t in probe_tokens(self._target.name, self._target.domain)}
        return token.lower().removeprefix("eu:").split("/")[0].split(".")[0] in own


def _boards_of(values: Sequence[Any]) -> Iterator[tuple[str, str]]:
    for value in values:
        if isinstance(value, dict) and value.get("kind") in BOARDS and value.get("token"):
            yield str(value["kind"]), str(value["token"])


JOB_BOARDS = Source(read_manifest("sightline.sources.job_boards"), collect, find, last_resort=True)
