"""Key executives: people once each, with their current titles, leaders before directors."""

import re
from collections import Counter
from typing import Final

from sightline.domain.names import fold
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen

MOST: Final = 25
_SUFFIX = re.compile(r",?\s+(?:jr|sr|ii|iii|iv|phd|ph\.d|md|m\.d|esq|cpa|mba)\.?$", re.I)
_RANKS: Final = (
    (re.compile(r"\bchief executive|\bCEO\b|\bprincipal executive", re.I), 0),
    (re.compile(r"\bfounder\b", re.I), 1),
    (re.compile(r"\bpresident\b(?<!vice president)", re.I), 2),
    (
        re.compile(
            r"\bchief (?:financial|operating|technology|product|revenue)|\bC[FOT]O\b|\bprincipal financial",
            re.I,
        ),
        3,
    ),
    (re.compile(r"\bchief\b|\bC[A-Z]O\b", re.I), 4),
    (
        re.compile(r"\bexecutive vice president|\bEVP\b|\bgeneral counsel|managing director", re.I),
        5,
    ),
    (
        re.compile(
            r"\bsenior vice president|\bSVP\b|\bvice president|\bVP\b|\bhead\b|treasurer|controller"
            r"|secretary",
            re.I,
        ),
        6,
    ),
)
_FORMER = re.compile(r"\b(?:former|retired|ex-|emeritus|until)\b", re.I)


def _keys(name: str) -> tuple[str, str]:
    words = re.sub(r"[^\w\s-]", " ", fold(_SUFFIX.sub("", name))).split()
    words = [w for w in words if len(w) > 1] or words
    return (words[0], words[-1]) if words else ("", "")


def _same(left: tuple[str, str], right: tuple[str, str]) -> bool:
    """One family name, and first names of which one begins the other ("Tim", "Timothy")."""
    if left[1] != right[1]:
        return False
    first, second = sorted((left[0], right[0]), key=len)
    return first == second or (len(first) >= 3 and second.startswith(first))


def rank(title: str | None) -> int:
    """0 for the chief executive, rising; directors of the board come last."""
    for pattern, place in _RANKS:
        if title and pattern.search(title) and not _vice_only(title, place):
            return place
    return 8 if title and re.search(r"director|chair|trustee", title, re.I) else 7


def _vice_only(title: str, place: int) -> bool:
    return place == 2 and not re.search(r"(?<!vice )\bpresident\b", title, re.I)


def _groups(facts: list[FactSeen]) -> list[list[FactSeen]]:
    groups: list[tuple[tuple[str, str], list[FactSeen]]] = []
    for fact in facts:
        keys = _keys(str(fact.value.get("name") or ""))
        if not keys[1]:
            continue
        for known, members in groups:
            if _same(keys, known):
                members.append(fact)
                break
        else:
            groups.append((keys, [fact]))
    return [members for _, members in groups]


def _newest(members: list[FactSeen]) -> list[FactSeen]:
    return sorted(
        members,
        key=lambda f: (
            f.as_of or f.observed_at.date(),
            f.confidence,
            len(str(f.value.get("title") or "")),
        ),
        reverse=True,
    )


def build(evidence: Evidence) -> list[Statement]:
    facts = [
        f
        for f in evidence.by_field.get("person", ())
        if f.value.get("name") and not f.value.get("until")
    ]
    people = []
    latest = max((f.as_of or f.observed_at.date() for f in facts), default=None)
    for members in _groups(facts):
        told = [f for f in _newest(members) if f.value.get("title")]
        titled = [f for f in told if not _FORMER.search(str(f.value["title"]))]
        if told and not titled:
            continue
        best = titled[0] if titled else _newest(members)[0]
        said = best.as_of or best.observed_at.date()
        # Who is missing from everything of the last year and a half has most likely left.
        if latest is not None and (latest - said).days > 550:
            continue
        name = Counter(str(f.value["name"]) for f in members).most_common(1)[0][0]
        title = best.value.get("title")
        row: Statement = {"name": name, "title": title, "sources": (best.proof,)}
        for part in ("age", "since"):
            known = next((f.value[part] for f in _newest(members) if f.value.get(part)), None)
            if known is not None:
                row[part] = known
        people.append((rank(title), -best.confidence, row))
    people.sort(key=lambda entry: entry[:2])
    return [row for _, _, row in people][:MOST]


SECTION = Section("key_executives", ("filing", "page", "data"), build)
