"""Responses of job boards: how complete one is, how pages join, what changed between pulls.

A posting may be closed only by a pull that provably held the whole board, so `complete` is False
whenever that cannot be shown.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from sightline.domain.names import fold
from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.sources.vocabulary import vocabulary


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """One request to a board. `offset` is the number of rows the pages before it held."""

    url: str
    method: Literal["GET", "POST"] = "GET"
    json: Mapping[str, Any] | None = None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class BoardPage:
    """One answer, or several joined.

    `complete`: the answer by itself provably holds every posting of the board. `next` asks for the
    rows after it. `total` is the board's own count of rows; `rows` the rows of this answer, which
    start at `offset`. `sound` is False when part of the answer could not be read.
    """

    kind: str
    postings: tuple[ParsedPosting, ...] = ()
    complete: bool = False
    next: BoardRequest | None = None
    total: int | None = None
    notes: tuple[str, ...] = ()
    rows: int = 0
    offset: int = 0
    sound: bool = True


@dataclass(slots=True)
class Listing:
    """What a parser knows about one list of rows before it becomes a page.

    `follow` makes the request for the rows after so many, where the total says that there are more.
    """

    kind: str
    rows: Sequence[Any]
    read: Callable[[Any], ParsedPosting | None]
    sound: bool = True
    total: int | None = None
    offset: int = 0
    next: BoardRequest | None = None
    follow: Callable[[int], BoardRequest | None] | None = None
    whole_by_contract: bool = False
    url: str = ""
    notes: list[str] = field(default_factory=list)

    def page(self) -> BoardPage:
        """The page. Rows of one external id become one posting with all their places of work.

        Without a total the list counts as whole only where the board's interface has no pages.
        """
        postings = list(filter(None, map(self.read, self.rows)))
        unread, held = len(self.rows) - len(postings), self.offset + len(self.rows)
        if self.follow and self.rows and held < (self.total or 0):
            self.next = self.follow(held)
        proven = self.total == held if self.total is not None else self.whole_by_contract
        differs = self.total not in (None, held) and self.next is None
        narrowed = self.total is None and bool(asked(self.url).keys() & vocabulary("narrowing"))
        sound = self.sound and not unread
        faults = {
            f"{unread} of {len(self.rows)} rows have no id or title.": unread,
            f"The board says {self.total} postings; {held} rows are here.": differs,
            "The address asks for a part of the board only.": narrowed,
        }
        self.notes += [note for note, found in faults.items() if found]
        return BoardPage(
            kind=self.kind,
            postings=same_ids_joined(postings),
            complete=all((sound, proven, not narrowed, self.offset == 0, self.next is None)),
            next=self.next,
            total=self.total,
            notes=tuple(dict.fromkeys(self.notes)),
            rows=len(self.rows),
            offset=self.offset,
            sound=sound,
        )


def asked(url: str) -> dict[str, str]:
    """The query of an address, names in lower case, empty values left out."""
    try:
        pairs = parse_qsl(urlsplit(url).query)
    except ValueError:
        return {}
    return {name.lower(): value for name, value in pairs if value}


def asked_number(url: str, *names: str) -> int:
    """The first of these query values that is a whole number; 0 when none is."""
    query = asked(url)
    return next((int(query[name]) for name in names if query.get(name, "").isdecimal()), 0)


def single(kind: str, posting: ParsedPosting | None, *, notes: Iterable[str] = ()) -> BoardPage:
    """A page that is about one posting: never the whole board."""
    found = (posting,) if posting is not None else ()
    said = (*notes, "The answer is one posting, not a list.")
    return BoardPage(kind, found, notes=said, rows=len(found), sound=posting is not None)


def unreadable(kind: str, *notes: str) -> BoardPage:
    """An answer that is not a list of this board: an error, another page, nothing."""
    return BoardPage(kind, notes=notes, sound=False)


def merge_pages(pages: Sequence[BoardPage]) -> BoardPage:
    """The pages of one pull as one.

    It is complete when the pages follow one another from the first row to the last without a gap,
    each was sound, all that name a total agree on it, and no posting came twice: a row that moved
    to another page while the pull ran may have pushed one past it.
    """
    if not pages:
        return BoardPage("", sound=False, notes=("There are no pages.",))
    ordered = sorted(pages, key=lambda page: page.offset)
    first, last = ordered[0], ordered[-1]
    every = list(chain.from_iterable(page.postings for page in ordered))
    postings = same_ids_joined(every)
    said = list(chain.from_iterable(page.notes for page in ordered))
    if len(ordered) == 1:
        return replace(first, postings=postings, notes=tuple(dict.fromkeys(said)))
    # Some boards name the total on the first page only and 0 on the others.
    totals = {page.total for page in ordered if page.total} or {first.total} - {None}
    held = sum(page.rows for page in ordered)
    total = max(filter(None, totals), default=first.total)
    faults = {
        "Pages are missing between the first and the last.": _has_gap(ordered),
        "The pages name different totals: the board changed during the pull.": len(totals) > 1,
        "A posting is on two pages: the board changed during the pull.": len(postings) < len(every),
    }
    sound = all(page.sound and page.kind == first.kind for page in ordered)
    ended = last.next is None and (total == held if total is not None else last.rows == 0)
    said += filter(faults.get, faults)
    return BoardPage(
        kind=first.kind,
        postings=postings,
        complete=all((sound, ended, not any(faults.values()), first.offset == 0)),
        next=last.next,
        total=total,
        notes=tuple(dict.fromkeys(said)),
        rows=held,
        offset=first.offset,
        sound=sound,
    )


def _has_gap(ordered: Sequence[BoardPage]) -> bool:
    return any(after.offset != page.offset + page.rows for page, after in pairwise(ordered))


def same_ids_joined(postings: Iterable[ParsedPosting]) -> tuple[ParsedPosting, ...]:
    """Rows of one external id as one posting, with the places of work of all of them."""
    by_id: dict[str, ParsedPosting] = {}
    for posting in postings:
        known = by_id.get(posting.external_id)
        by_id[posting.external_id] = posting if known is None else with_details(known, posting)
    return tuple(by_id.values())


def with_details(listed: ParsedPosting, detail: ParsedPosting) -> ParsedPosting:
    """A posting from a list, completed by another answer about it; what the list says stays."""
    return replace(
        listed,
        url=listed.url or detail.url,
        locations=_joined(listed.locations, detail.locations),
        department=listed.department or detail.department,
        employment_type=listed.employment_type or detail.employment_type,
        remote=listed.remote or detail.remote,
        salary=listed.salary or detail.salary,
        description=max(listed.description, detail.description, key=len),
        language=listed.language or detail.language,
        posted_at=listed.posted_at or detail.posted_at,
        updated_at=listed.updated_at or detail.updated_at,
        openings=listed.openings or detail.openings,
        requisition_id=listed.requisition_id or detail.requisition_id,
    )


def _joined(
    first: Sequence[PostingLocation], second: Sequence[PostingLocation]
) -> tuple[PostingLocation, ...]:
    found: dict[tuple[str, ...], PostingLocation] = {}
    for place in (*first, *second):
        parts = (place.city or "", place.region or "", place.country_code or "")
        found.setdefault(parts if any(parts) else (fold(place.raw),), place)
    return tuple(found.values())
