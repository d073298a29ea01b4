"""Key executives: each person once, with current titles and start date if known, leaders first.

Directors who lead nothing are no executives; they are listed only where no other person is known.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from sightline.domain.same_person import group_people
from sightline.domain.titles import read_title
from sightline.profile.contract import SIGNALS, Section, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote
from sightline.profile.shapes import Executive
from sightline.reading.dates import iso_day
from sightline.reading.offices import is_chief_executive

MOST: Final = 25
_COMES: Final = ("hires", "promotes")
_GOES: Final = ("leaves", "retires_from")
_REPORTED: Final = 0.85  # confidence in what a signal says
_MOST_PROOFS: Final = 3
# Who is missing from everything of the last year and a half has most likely left.
_GONE_AFTER_DAYS: Final = 550
_OF_YEAR: Final = 4  # characters
# One that is not the whole company's leads a part of it: "CEO, Europe".
_CHIEF = re.compile(r"\bchief executive|\bC\.?E\.?O\b", re.I)
# "President, Americas" leads a part of the company.
_PRESIDENT = re.compile(
    r"(?<!vice )(?<!vice-)\bpresident\b"
    r"(?!\s*,\s*(?!chief|and\b|c[efot]o\b|director|chair|co-|founder|member|secretary|treasurer)\w)"
    r"(?!\s+of\s+(?!the\b))",
    re.I,
)
# By the level of a title: what people read first; officers of these departments come before others.
_RANKS: Final = {"owner": 1, "c_suite": 4, "vp": 5, "director": 6, "head": 6}
_FIRST_OFFICERS: Final = ("finance", "operations", "engineering", "it", "product", "sales")
_OF_A_PART: Final = 2
_FIRST_OFFICER: Final = 3
_CHAIR: Final = 8
_BOARD: Final = 9
_BOARD_ONLY = re.compile(
    r"(?:(?:(?:lead|presiding|independent|non-?executive|outside|external|supervisory|public|advisory)\W+)*"
    r"(?:board\s+)?(?:directors?|members?|trustees?|observer|nominee)"
    r"(?:\s+of\s+(?:the\s+)?(?:supervisory\s+)?board(?:\s+of\s+directors)?)?[\s,;&/]*(?:and\s+)?)+",
    re.I,
)
_ONE_AT_A_TIME = re.compile(
    r"\bchief (?:executive|financial|operating|technology|information|legal|accounting|marketing) officer"
    r"|\bgeneral counsel",
    re.I,
)
_SHARED = re.compile(r"\b(?:co-|interim|acting|deputy|elect\b)", re.I)
_CHAIRS = re.compile(r"\bchair(?:man|woman|person)?\b", re.I)
_FORMER = re.compile(r"\b(?:former|formerly|retired|ex-|emeritus|emerita|until|outgoing)\b", re.I)


def rank(title: str | None) -> int:
    """0 for the chief executive, rising; chairs of the board come after all who manage, then directors."""
    if title is None:
        return 7
    if is_chief_executive(title):
        return 0
    if _CHIEF.search(title):
        return _OF_A_PART
    if "executive chair" in title.casefold():
        return _RANKS["owner"]
    if _PRESIDENT.search(title):
        return _OF_A_PART
    if _BOARD_ONLY.fullmatch(title.strip()):
        return _BOARD
    read = read_title(title)
    if read.seniority == "c_suite" and _CHAIRS.search(title):
        return _CHAIR
    if read.seniority == "c_suite" and read.department in _FIRST_OFFICERS:
        return _FIRST_OFFICER
    return _RANKS.get(read.seniority or "", 7)


def _day(fact: FactSeen) -> date:
    return fact.as_of or fact.observed_at.date()


def _groups(facts: Sequence[FactSeen]) -> list[list[FactSeen]]:
    names = [(str(fact.value["name"]), fact.document_id) for fact in facts]
    titles = [fact.value.get("title") for fact in facts]
    return [[facts[n] for n in group] for group in group_people(names, titles=titles)]


def _newest(members: Sequence[FactSeen]) -> list[FactSeen]:
    """Of what one day's filing says of a leader who also sits on the board the leader comes first."""

    def order(fact: FactSeen) -> tuple[date, int, float, int]:
        title = fact.value.get("title")
        return _day(fact), -rank(title), fact.confidence, len(str(title or ""))

    return sorted(members, key=order, reverse=True)


def _left_on(members: Sequence[FactSeen]) -> date | None:
    """The last day until which a person is said to have been there; a year means its beginning."""
    said = (str(fact.value.get("until") or "") for fact in members)
    days = (iso_day(each if len(each) > _OF_YEAR else f"{each}-01-01") for each in said)
    return max(filter(None, days), default=None)


def _proofs(best: FactSeen, members: Sequence[FactSeen]) -> tuple[Quote, ...]:
    """The proof of the title, then the newest of every other spelling of the name."""
    chosen = {str(best.value["name"]): best.proof}
    for fact in members:
        chosen.setdefault(str(fact.value["name"]), fact.proof)
    return tuple(dict.fromkeys(chosen.values()))[:_MOST_PROOFS]


def _is_gone(best: FactSeen, latest: date) -> bool:
    is_former = bool(_FORMER.search(str(best.value.get("title") or "")))
    return is_former or (latest - _day(best)).days > _GONE_AFTER_DAYS


def _row(members: Sequence[FactSeen], latest: date) -> tuple[int, float, Statement] | None:
    """A person's rank, the negative confidence, and the row; None for one who is there no longer."""
    left = _left_on(members) or date.min
    present = [f for f in _newest(members) if not f.value.get("until") and _day(f) > left]
    best = next((f for f in present if f.value.get("title")), next(iter(present), None))
    if best is None or _is_gone(best, latest):
        return None
    name = Counter(str(fact.value["name"]) for fact in present).most_common(1)[0][0]
    title = best.value.get("title")
    row: Statement = {"name": name, "title": title, "as_of": _day(best).isoformat()}
    row["sources"] = _proofs(best, present)
    for part in ("age", "since"):
        known = next((f.value[part] for f in present if f.value.get(part)), None)
        if known is not None:
            row[part] = known
    return rank(title), -best.confidence, row


def _is_followed(members: Sequence[FactSeen], reported: Sequence[FactSeen]) -> bool:
    """Whether a current report names another person for what only one can be, after all that is known
    of this one."""
    newest = _newest(members)[0]
    names = {str(fact.value["name"]).casefold() for fact in members}
    held = _only_one(str(newest.value.get("title") or ""))
    return held is not None and any(
        _only_one(str(fact.value.get("title") or "")) == held
        and _day(fact) > _day(newest)
        and str(fact.value["name"]).casefold() not in names
        for fact in reported
    )


def _only_one(title: str) -> str | None:
    """The office of a title that one person has at a time; None of others, of parts and shared ones."""
    found = _ONE_AT_A_TIME.search(title)
    shared = _SHARED.search(title) or (_CHIEF.search(title) and not is_chief_executive(title))
    return found[0].casefold() if found is not None and not shared else None


def _reported(evidence: Evidence) -> Iterator[FactSeen]:
    """Who came and who left, as signals say it: a departure is an observation with `until`."""
    for signal in evidence.signals:
        if signal.type not in (*_COMES, *_GOES) or signal.day > evidence.today:
            continue
        until = {"until": signal.day.isoformat()} if signal.type in _GOES else {}
        for name, title in signal.people:
            if title or until:
                yield FactSeen(
                    "person", {"name": name, "title": title} | until, signal.document_id, signal.quote,
                    None, _REPORTED, signal.day, evidence.now, wins=False,
                )  # fmt: skip


def build(evidence: Evidence) -> list[Statement]:
    named = [fact for fact in evidence.by_field.get("person", ()) if fact.value.get("name")]
    reported = list(_reported(evidence))
    facts = [*named, *reported]
    latest = max((_day(fact) for fact in facts), default=None)
    if latest is None:
        return []
    groups = [group for group in _groups(facts) if not _is_followed(group, reported)]
    found = [_row(members, latest) for members in groups]
    people = sorted((each for each in found if each is not None), key=lambda each: each[:2])
    leading = [each for each in people if each[0] < _BOARD]
    return [row for _, _, row in leading or people][:MOST]


SECTION = Section(
    "key_executives",
    "Executives",
    Executive,
    kinds=("filing", "page", "data", SIGNALS),
    build=build,
)
