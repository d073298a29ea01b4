"""Job postings over dated pulls: surges and slowdowns, new places, senior roles, technologies named."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sightline.domain.countries import country_name
from sightline.domain.job_text import quote_of
from sightline.domain.mentions import Mention, NamedCompany, PostingSeen, Pull, SignalParty
from sightline.domain.names import fold
from sightline.domain.signals import PartyRole, SignalType
from sightline.domain.technologies import category_of
from sightline.domain.titles import read_title
from sightline.signals.contract import is_company, name_keys, source_row
from sightline.signals.hiring_counts import hiring_change

RECENT: Final = timedelta(days=45)
# What is new must be new against a past: of postings that were seen, and of time they were seen in.
LEAST_PAST: Final = timedelta(days=56)
LEAST_PAST_POSTINGS: Final = 20
LEAST_AT_PLACE: Final = 3
# A job that may be done in more places than these says nothing about any of them.
_MOST_PLACES: Final = 2
# Of past postings as many must have had a place, or a text, before it can be said that none named this.
_LEAST_KNOWN: Final = 0.7
# What everybody uses is no news of anybody.
_COMMON: Final = frozenset(
    {"programming language", "framework", "operating system", "networking", "web server"}
)
_RANKS: Final = {"c_suite": 0.85, "vp": 0.8, "head": 0.7}  # of senior roles, with the confidence
# Banks call a twelfth of their staff vice president: there the title says nothing.
_MOST_SENIOR_SHARE: Final = 0.12
_MOST_SENIOR: Final = 10
_AIDES: Final = ("chief of staff", "office of the")
_MOST_TECHNOLOGIES: Final = 8


@dataclass(frozen=True, slots=True)
class _Board:
    """The postings of a company's boards as of the newest complete pull, `now`. `starts` is when each board
    was first pulled."""

    company: NamedCompany
    postings: Sequence[PostingSeen]
    starts: Mapping[str, datetime]
    now: datetime

    def is_recent(self, posting: PostingSeen) -> bool:
        return posting.first_seen_at >= self.now - RECENT

    def past(self, known: Callable[[PostingSeen], object]) -> list[PostingSeen]:
        """The postings of before, if they are enough and most have what is `known`: [] otherwise."""
        past = [each for each in self.postings if not self.is_recent(each)]
        is_long = self.now - min(self.starts.values()) >= LEAST_PAST + RECENT
        is_enough = len(past) >= LEAST_PAST_POSTINGS and is_long
        return past if is_enough and _mostly(past, known) else []

    def opened_at(self, posting: PostingSeen) -> datetime | None:
        """When a posting went up; None where it stood on the board already when that was first pulled and
        gives no date of its own."""
        if posting.first_seen_at > self.starts[posting.board]:
            return posting.first_seen_at
        posted = posting.posted_at
        is_fresh = posted and posting.first_seen_at - posted <= timedelta(days=30)
        return posted if is_fresh else None

    def mention(
        self, kind: SignalType, does: str, summary: str, posting: PostingSeen | None, *, at: datetime,
        confidence: float, role: PartyRole = "company", other: SignalParty | None = None,
        board: str | None = None, quote: str | None = None, published_at: datetime | None = None,
        location: str | None = None, counterparty: str = "",
    ) -> Mention:  # fmt: skip
        """What a posting proves of the company, by its title if it has no other words."""
        name = board or (posting.board if posting else "")
        posted = posting.posted_at if posting else None
        url, job = (posting.url, posting.title) if posting else (None, None)
        source = source_row(name, url, title=job, published_at=posted)
        own = SignalParty(role, self.company.name)
        return Mention(
            kind, f"{self.company.name} {does}"[:300], summary, quote or job or "", "job",
            source | {"publisher": name.partition("/")[0]},
            document_id=posting.document_id if posting else None, occurred_at=at,
            published_at=published_at or posted, confidence=confidence, location=location,
            parties=(own, other) if other else (own,), counterparty=counterparty,
        )  # fmt: skip


def read(
    postings: Sequence[PostingSeen], pulls: Sequence[Pull], company: NamedCompany
) -> list[Mention]:
    """What the postings of a company tell, as of the newest complete pull of its boards."""
    complete = [pull for pull in pulls if pull.complete]
    if not complete:
        return []
    starts: dict[str, datetime] = {}
    for pull in complete:
        starts.setdefault(pull.board, pull.pulled_at)
    own = [posting for posting in postings if posting.board in starts]
    seen = _Board(company, own, starts, complete[-1].pulled_at)
    return [*_changes(pulls, seen), *_places(seen), *_senior_roles(seen), *_technologies(seen)]


def _changes(pulls: Sequence[Pull], seen: _Board) -> Iterator[Mention]:
    """Surges and slowdowns of each board."""
    boards: dict[str, list[Pull]] = defaultdict(list)
    for pull in pulls:
        boards[pull.board].append(pull)
    for board, own in boards.items():
        if (change := hiring_change(own, boards=len(boards))) is None:
            continue
        window, times = change.window, change.window.opened / change.expected
        counted = (
            f"{window.opened} postings opened on {board} from {window.start:%Y-%m-%d} to"
            f" {window.end:%Y-%m-%d}, where {change.expected:.0f} were to be expected from the"
            f" {change.windows} stretches before"
        )
        kind, said = SignalType.HIRING_SURGE, f"{times:.1f} times as many openings as usual"
        if change.direction == "slowdown":
            kind = SignalType.HIRING_SLOWDOWN
            said = f"{100 * (1 - times):.0f} % fewer openings than usual"
        listed = [each for each in seen.postings if each.board == board]
        yield seen.mention(
            kind, f"posts {said}", f"{counted}.",
            max(listed, key=lambda each: each.first_seen_at, default=None),
            board=board, quote=counted, at=window.end, published_at=window.end,
            confidence=0.95 if change.chance < 0.0002 else 0.85, role="employer",
        )  # fmt: skip


def _places(seen: _Board) -> Iterator[Mention]:
    """A country or city that at least three recent postings name and none before."""
    for (nation, city), there in sorted(_fresh(seen).items(), key=lambda item: -len(item[1])):
        if len({fold(each.title) for each in there}) < LEAST_AT_PLACE:
            continue
        where = city or country_name(nation) or nation
        first = min(there, key=lambda each: each.first_seen_at)
        titles = ", ".join(dict.fromkeys(f"“{each.title}”" for each in there[:3]))
        yield seen.mention(
            SignalType.OPENS_NEW_LOCATION if city else SignalType.EXPANDS_TO,
            f"begins to hire in {where} ({len(there)} postings)",
            f"{len(there)} open postings are in {where}, where none was seen before: {titles}.",
            first, at=first.first_seen_at, confidence=0.6 if city else 0.65, location=where,
            other=SignalParty("place", where), counterparty=name_keys([where]),
        )  # fmt: skip


def _fresh(seen: _Board) -> dict[tuple[str, str | None], list[PostingSeen]]:
    """Recent postings by the country, or the city of a known country, that no posting named before."""
    past = seen.past(lambda each: each.places)
    before = {place for each in past for place in each.places}
    nations = {nation for nation, _ in before}
    cities_known = _mostly(past, lambda each: each.places and each.places[0][1])
    fresh: dict[tuple[str, str | None], list[PostingSeen]] = defaultdict(list)
    for each in _placed(seen, before) if past else ():
        for nation, city in set(each.places) - before:
            if nation not in nations:
                fresh[nation, None].append(each)
            elif city and cities_known:
                fresh[nation, city].append(each)
    return fresh


def _placed(seen: _Board, before: Collection[tuple[str, str | None]]) -> Iterator[PostingSeen]:
    """Recent postings that are open for a place or two, and whose title names no place known before: people
    are sought for there, wherever."""
    known = {fold(city or "") for _, city in before}
    known |= {fold(country_name(nation) or nation) for nation, _ in before}
    for each in filter(seen.is_recent, seen.postings):
        is_open = not each.closed_at and each.remote != "remote"
        title = f" {fold(each.title)} "
        is_for = any(place and f" {place} " in title for place in known)
        if is_open and len(set(each.places)) <= _MOST_PLACES and not is_for:
            yield each


def _senior_roles(seen: _Board) -> list[Mention]:
    senior = [each for each in seen.postings if each.seniority in _RANKS and _leads(each.title)]
    total = len(seen.postings)
    if total >= LEAST_PAST_POSTINGS and len(senior) > _MOST_SENIOR_SHARE * total:
        senior = [each for each in senior if each.seniority == "c_suite"]
    found: dict[str, Mention] = {}
    for each in senior:
        opened = seen.opened_at(each)
        if opened is None or opened < seen.now - RECENT or each.closed_at:
            continue
        mention = seen.mention(
            SignalType.SENIOR_ROLE_OPENED, f"opens a senior role: {each.title}",
            f"A posting for “{each.title}” was opened on {opened:%Y-%m-%d}.",
            each, at=opened, confidence=_RANKS[each.seniority or "head"], role="employer",
            counterparty=fold(each.title),
        )  # fmt: skip
        found.setdefault(fold(each.title), mention)
    return sorted(found.values(), key=lambda each: -each.confidence)[:_MOST_SENIOR]


def _leads(title: str) -> bool:
    """Whether a title is that of a leader, as titles are read now and not when it was stored; who serves a
    leader's office leads no one."""
    is_aide = any(f" {words} " in f" {fold(title)} " for words in _AIDES)
    return read_title(title).seniority in _RANKS and not is_aide


def _technologies(seen: _Board) -> Iterator[Mention]:
    """Products that a recent posting names and none before; nothing where texts are not known."""
    past = seen.past(lambda each: each.description)
    known = {fold(name) for each in past for name in each.technologies}
    naming: dict[str, list[PostingSeen]] = defaultdict(list)
    for each in filter(seen.is_recent, seen.postings if past else ()):
        for name in each.technologies:
            if fold(name) not in known and _is_product(name) and not is_company(name, seen.company):
                naming[name].append(each)
    ranked = sorted(naming.items(), key=lambda item: -len(item[1]))
    for name, postings in ranked[:_MOST_TECHNOLOGIES]:
        first, count = postings[0], len(postings)
        times = "one posting" if count == 1 else f"{count} postings"
        yield seen.mention(
            SignalType.TECHNOLOGY_MENTIONED_IN_JOB, f"names {name} in a posting for the first time",
            f"{name} is named by {times}, first “{first.title}”, and by none before.",
            first, quote=quote_of(name, first.description), at=first.first_seen_at,
            confidence=0.6 if count == 1 else 0.75, other=SignalParty("technology", name),
            counterparty=fold(name),
        )  # fmt: skip


def _is_product(name: str) -> bool:
    """Whether a name is that of something that is bought or chosen."""
    category = category_of(name)
    return category is not None and category not in _COMMON


def _mostly(postings: Sequence[PostingSeen], known: Callable[[PostingSeen], object]) -> bool:
    return sum(bool(known(each)) for each in postings) >= _LEAST_KNOWN * len(postings)
