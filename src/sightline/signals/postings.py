"""Job postings over dated pulls: surges and slowdowns, new places, senior roles, technologies named."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sightline.domain.countries import CountryDoesNotExist, country
from sightline.domain.job_reading import technology_categories
from sightline.domain.job_text import quote_of
from sightline.domain.mentions import Mention, NamedCompany, PostingSeen, Pull, SignalParty
from sightline.domain.names import fold
from sightline.domain.signals import SignalType
from sightline.domain.titles import read_title
from sightline.signals.contract import is_company, name_keys
from sightline.signals.hiring_counts import HiringChange, hiring_change

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
_SENIOR: Final = frozenset({"c_suite", "vp", "head"})
_RANKS: Final = {"c_suite": 0.85, "vp": 0.8, "head": 0.7}
# Banks call a twelfth of their staff vice president: there the title says nothing.
_MOST_SENIOR_SHARE: Final = 0.12
_MOST_SENIOR: Final = 10
_MOST_TECHNOLOGIES: Final = 8


def read(
    postings: Sequence[PostingSeen], pulls: Sequence[Pull], company: NamedCompany
) -> list[Mention]:
    """What the postings of a company tell, as of the newest complete pull of its boards."""
    complete = [pull for pull in pulls if pull.complete]
    if not complete:
        return []
    now = complete[-1].pulled_at
    starts: dict[str, datetime] = {}
    for pull in complete:
        starts.setdefault(pull.board, pull.pulled_at)
    own = [posting for posting in postings if posting.board in starts]
    return [
        *_changes(pulls, own, company),
        *_places(own, starts, company, now),
        *_senior_roles(own, starts, company, now),
        *_technologies(own, starts, company, now),
    ]


def _changes(
    pulls: Sequence[Pull], postings: Sequence[PostingSeen], company: NamedCompany
) -> list[Mention]:
    boards: dict[str, list[Pull]] = defaultdict(list)
    for pull in pulls:
        boards[pull.board].append(pull)
    found = []
    for board, own in boards.items():
        change = hiring_change(own, boards=len(boards))
        if change is not None:
            newest = [each for each in postings if each.board == board]
            found.append(_change(change, newest, company, board))
    return found


def _change(
    change: HiringChange, postings: Sequence[PostingSeen], company: NamedCompany, board: str
) -> Mention:
    window = change.window
    surge = change.direction == "surge"
    usual = f"{change.expected:.0f}"
    counted = (
        f"{window.opened} postings opened on {board} from {window.start:%Y-%m-%d} to"
        f" {window.end:%Y-%m-%d}, where {usual} were to be expected from the {change.windows} stretches"
        " before"
    )
    last = max(postings, key=lambda each: each.first_seen_at, default=None)
    times = window.opened / change.expected
    said = f"{times:.1f} times as many openings as usual" if surge else (
        f"{100 * (1 - times):.0f} % fewer openings than usual"
    )  # fmt: skip
    return Mention(
        type=SignalType.HIRING_SURGE if surge else SignalType.HIRING_SLOWDOWN,
        title=f"{company.name} posts {said}",
        summary=f"{counted}.",
        quote=counted,
        source_kind="job",
        source=_source(last, board),
        document_id=last.document_id if last else None,
        occurred_at=window.end,
        published_at=window.end,
        confidence=0.95 if change.chance < 0.0002 else 0.85,
        parties=(SignalParty("employer", company.name),),
    )


def _places(
    postings: Sequence[PostingSeen],
    starts: Mapping[str, datetime],
    company: NamedCompany,
    now: datetime,
) -> list[Mention]:
    """A country or city that at least three recent postings name and none before."""
    past = [each for each in postings if each.first_seen_at < now - RECENT]
    if not _has_past(past, starts, now) or not _mostly(bool(each.places) for each in past):
        return []
    cities = {place for each in past for place in each.places if place[1]}
    nations = {nation for each in past for nation, _ in each.places}
    cities_known = _mostly(bool(each.places and each.places[0][1]) for each in past)
    known = {fold(city or "") for _, city in cities} | {fold(_nation(code)) for code in nations}
    fresh: dict[tuple[str, str | None], list[PostingSeen]] = defaultdict(list)
    for each in postings:
        if each.first_seen_at < now - RECENT or each.closed_at or each.remote == "remote":
            continue
        if len(set(each.places)) > _MOST_PLACES or _is_for(each.title, known):
            continue
        for nation, city in set(each.places):
            if nation not in nations:
                fresh[nation, None].append(each)
            elif city and cities_known and (nation, city) not in cities:
                fresh[nation, city].append(each)
    found = []
    for (nation, city), there in sorted(fresh.items(), key=lambda item: -len(item[1])):
        if len({fold(each.title) for each in there}) < LEAST_AT_PLACE:
            continue
        where = city or _nation(nation)
        kind = SignalType.OPENS_NEW_LOCATION if city else SignalType.EXPANDS_TO
        first = min(there, key=lambda each: each.first_seen_at)
        found.append(
            Mention(
                type=kind,
                title=f"{company.name} begins to hire in {where} ({len(there)} postings)",
                summary=f"{len(there)} open postings are in {where}, where none was seen before:"
                f" {_listed(there)}.",
                quote=first.title,
                source_kind="job",
                source=_source(first, first.board),
                document_id=first.document_id,
                occurred_at=first.first_seen_at,
                published_at=first.posted_at,
                confidence=0.6 if city else 0.65,
                parties=(SignalParty("company", company.name), SignalParty("place", where)),
                location=where,
                counterparty=name_keys([where]),
            )
        )
    return found


def _is_for(title: str, places: Iterable[str]) -> bool:
    """Whether a title names a place that the company is in: people are sought for there, wherever."""
    folded = f" {fold(title)} "
    return any(f" {place} " in folded for place in places if place)


def _senior_roles(
    postings: Sequence[PostingSeen],
    starts: Mapping[str, datetime],
    company: NamedCompany,
    now: datetime,
) -> list[Mention]:
    senior = [each for each in postings if each.seniority in _SENIOR and _leads(each.title)]
    if len(postings) >= LEAST_PAST_POSTINGS and len(senior) > _MOST_SENIOR_SHARE * len(postings):
        senior = [each for each in senior if each.seniority == "c_suite"]
    found: dict[str, Mention] = {}
    for each in senior:
        opened = _opened_at(each, starts)
        if opened is None or opened < now - RECENT or each.closed_at:
            continue
        found.setdefault(
            fold(each.title),
            Mention(
                type=SignalType.SENIOR_ROLE_OPENED,
                title=f"{company.name} looks for {_article(each.title)} {each.title}"[:300],
                summary=f"A posting for “{each.title}” was opened on {opened:%Y-%m-%d}.",
                quote=each.title,
                source_kind="job",
                source=_source(each, each.board),
                document_id=each.document_id,
                occurred_at=opened,
                published_at=each.posted_at,
                confidence=_RANKS[each.seniority or "head"],
                parties=(SignalParty("employer", company.name),),
                counterparty=fold(each.title),
            ),
        )
    ranked = sorted(found.values(), key=lambda each: -each.confidence)
    return ranked[:_MOST_SENIOR]


# Who serves a leader's office leads no one.
_AIDE: Final = re.compile(r"\b(?:chief\s+of\s+staff|office\s+of\s+the)\b", re.IGNORECASE)


def _leads(title: str) -> bool:
    """Whether a title is that of a leader, as titles are read now and not when it was stored."""
    return read_title(title).seniority in _SENIOR and _AIDE.search(title) is None


def _article(title: str) -> str:
    return "an" if re.match(r"(?:[AIO]|E(?!u))(?![A-Z])|[AEFHILMNORSX](?=[A-Z])", title) else "a"


def _opened_at(posting: PostingSeen, starts: Mapping[str, datetime]) -> datetime | None:
    """When a posting went up; None where it stood on the board already when that was first pulled and
    gives no date of its own."""
    if posting.first_seen_at > starts[posting.board]:
        return posting.first_seen_at
    if posting.posted_at and posting.first_seen_at - posting.posted_at <= timedelta(days=30):
        return posting.posted_at
    return None


def _technologies(
    postings: Sequence[PostingSeen],
    starts: Mapping[str, datetime],
    company: NamedCompany,
    now: datetime,
) -> list[Mention]:
    """Products that a recent posting names and none before; nothing where texts are not known."""
    past = [each for each in postings if each.first_seen_at < now - RECENT]
    if not _has_past(past, starts, now) or not _mostly(bool(each.description) for each in past):
        return []
    known = {fold(name) for each in past for name in each.technologies}
    named: Counter[str] = Counter()
    first: dict[str, PostingSeen] = {}
    for each in postings:
        if each.first_seen_at >= now - RECENT:
            for name in each.technologies:
                if fold(name) not in known and _is_product(name) and not is_company(name, company):
                    named[name] += 1
                    first.setdefault(name, each)
    return [
        _technology(name, count, first[name], company)
        for name, count in named.most_common(_MOST_TECHNOLOGIES)
    ]


def _is_product(name: str) -> bool:
    """Whether a name is that of something that is bought or chosen."""
    category = technology_categories().get(name)
    return category is not None and category not in _COMMON


def _technology(name: str, count: int, posting: PostingSeen, company: NamedCompany) -> Mention:
    times = "one posting" if count == 1 else f"{count} postings"
    return Mention(
        type=SignalType.TECHNOLOGY_MENTIONED_IN_JOB,
        title=f"{company.name} names {name} in a posting for the first time",
        summary=f"{name} is named by {times}, first “{posting.title}”, and by none before.",
        quote=quote_of(name, posting.description) or posting.title,
        source_kind="job",
        source=_source(posting, posting.board),
        document_id=posting.document_id,
        occurred_at=posting.first_seen_at,
        published_at=posting.posted_at,
        confidence=0.6 if count == 1 else 0.75,
        parties=(SignalParty("company", company.name), SignalParty("technology", name)),
        counterparty=fold(name),
    )


def _has_past(past: Sequence[PostingSeen], starts: Mapping[str, datetime], now: datetime) -> bool:
    return len(past) >= LEAST_PAST_POSTINGS and now - min(starts.values()) >= LEAST_PAST + RECENT


def _mostly(known: Iterable[bool]) -> bool:
    each = list(known)
    return sum(each) >= _LEAST_KNOWN * len(each)


def _nation(code: str) -> str:
    try:
        return country(code).name
    except CountryDoesNotExist:
        return code


def _listed(postings: Sequence[PostingSeen]) -> str:
    return ", ".join(dict.fromkeys(f"“{each.title}”" for each in postings[:3]))


def _source(posting: PostingSeen | None, board: str) -> dict[str, Any]:
    posted = posting.posted_at if posting else None
    return {
        "name": board,
        "url": posting.url if posting else None,
        "title": posting.title if posting else None,
        "publisher": board.partition("/")[0],
        "published_at": posted.isoformat().replace("+00:00", "Z") if posted else None,
    }
