"""Open postings: how many, where, in what departments."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sightline.assistant.contract import Draft, Source, Statement
from sightline.assistant.figures import country_name
from sightline.assistant.held import Held, list_words
from sightline.assistant.question import Question
from sightline.assistant.words import covers, term_of, terms_of

_FILLERS: Final = frozenset(
    terms_of(
        "hire hiring recruit open opening job position role vacancy posting department team location city"
        " country place people look looking need want right area function number available offer remote"
        " talent work employ where"
    )
)
_MOST_TITLES: Final = 4
_ROOT: Final = 5
_SCOPE = "jobs:read"


async def read(question: Question, held: Held) -> Draft | None:
    """Counts and titles of postings; None when no posting fits what is asked."""
    if not held.may(_SCOPE) or question.period is not None:
        return None
    if question.asks(r"\bhow\s+many\s+jobs\s+(?:were|did)|\bjob\s+(?:cuts|losses)|\bwhy\b"):
        return None
    rows = [row for row in await held.postings() if row["document_id"]]
    if not rows:
        return None
    rest = [term for term in question.terms("postings") if term not in _FILLERS]
    remote = question.asks(r"\bremote(?:ly)?\b|\bwork\s+from\s+home\b|\bhome\s+office\b")
    fitting = [
        row
        for row in rows
        if all(_speaks_of(term, _stems(row)) for term in rest)
        and (not remote or row["remote"] or term_of("remote") in _stems(row))
    ]
    if not fitting:
        text = f"None of the {len(rows)} open postings held of {held.name} fits that."
        return Draft((), "none", text)
    newest = fitting[0]
    asked = [word for word in _asked_words(question, rest) if word.lower() != "remote"]
    about = " ".join(["remote"] * remote + (["for", *asked] if asked else []))
    if rest or remote:
        verb = "is" if len(fitting) == 1 else "are"
        text = f"{len(fitting)} of {len(rows)} open postings of {held.name} {verb} {about}"
    else:
        text = f"{held.name} has {len(rows)} open postings"
    told = [Statement(f"{text}, as last seen on {_day(newest)}.", (_source(held, newest),))]
    told += _places(held, fitting) if question.asks(r"\bwhere|location|cit(?:y|ies)|countr") else []
    told += _departments(held, fitting) if not rest else []
    first = {str(row["title"]): row for row in reversed(fitting)}
    shown = list(first.values())[::-1][:_MOST_TITLES]
    titles = list_words([str(row["title"]) for row in shown])
    told.append(Statement(f"The newest: {titles}.", tuple(_source(held, row) for row in shown)))
    return Draft(tuple(told))


def _asked_words(question: Question, rest: Sequence[str]) -> list[str]:
    """The words of the question that stand for the terms, as they are written there."""
    words = [word.strip("?!.,;:'\"()") for word in question.text.split()]
    return [word for word in dict.fromkeys(words) if terms_of(word) & set(rest)]


def _speaks_of(term: str, stems: set[str]) -> bool:
    """Whether a posting has the word or one of its family: science and scientist."""
    start = term[:_ROOT]
    return covers(term, stems) or (len(start) == _ROOT and any(s.startswith(start) for s in stems))


def _stems(row: Mapping[str, Any]) -> set[str]:
    department = str(row["department"] or "").replace("_", " ")
    remote = "remote" if row["remote"] else ""
    seniority = str(row["seniority"] or "").replace("_", " ")
    return terms_of(
        f"{row['title']} {department} {seniority} {remote} {' '.join(_all_places(row))}"
    )


def _all_places(row: Mapping[str, Any]) -> list[str]:
    words = []
    for place in row["locations"] or ():
        words += [str(place[part]) for part in ("raw", "city", "region") if place.get(part)]
        words.append(country_name(str(place.get("country_code") or "")) or "")
    return words


def _places(held: Held, rows: Sequence[Mapping[str, Any]]) -> list[Statement]:
    counted: Counter[str] = Counter()
    for row in rows:
        named = {
            str(
                place.get("city")
                or country_name(str(place.get("country_code") or ""))
                or place.get("raw")
            )
            for place in row["locations"] or ()
        }
        counted.update(named - {"None"})
    if not counted:
        return []
    told = [f"{place} ({count})" for place, count in counted.most_common(6)]
    return [Statement(f"Most of them are in {list_words(told)}.", (_source(held, rows[0]),))]


def _departments(held: Held, rows: Sequence[Mapping[str, Any]]) -> list[Statement]:
    counted = Counter(str(row["department"]) for row in rows if row["department"])
    if not counted:
        return []
    told = [f"{name.replace('_', ' ')} ({count})" for name, count in counted.most_common(5)]
    return [Statement(f"By department: {list_words(told)}.", (_source(held, rows[0]),))]


def _day(row: Mapping[str, Any]) -> str:
    return str(row["last_seen_at"].date().isoformat())


def _source(held: Held, row: Mapping[str, Any]) -> Source:
    base = held.source(row["document_id"], quote=None, pointer=f"posting {row['url']}")
    return Source(
        base.document_id, row["url"], str(row["title"]), None, base.published_at, base.pointer
    )
