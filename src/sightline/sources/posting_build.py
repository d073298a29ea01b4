"""Builds one posting from board data: fields first, then what title and description say."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from sightline.domain.names import fold
from sightline.domain.postings import (
    EmploymentType,
    ParsedPosting,
    PostingLocation,
    RemotePolicy,
    Salary,
)
from sightline.sources.plain_text import one_line, plain_text
from sightline.sources.posting_pay import salary_from_text
from sightline.sources.posting_places import distinct_locations, remote_from_location
from sightline.sources.posting_terms import employment_from_title, remote_from_text

MAX_TITLE = 500
"""Characters of a title that are kept; what is read from titles looks back and forth in them."""
MAX_DESCRIPTION = 60_000
"""Characters of a description that are kept."""

_LANGUAGE = re.compile(r"([a-z]{2})(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)


def build(
    external_id: str | None,
    title: str | None,
    url: str | None,
    *,
    locations: Iterable[PostingLocation | None] = (),
    department: str | None = None,
    employment: EmploymentType | None = None,
    remote: RemotePolicy | None = None,
    salary: Salary | None = None,
    pay_text: str | None = None,
    description: str = "",
    language: str | None = None,
    posted_at: datetime | None = None,
    updated_at: datetime | None = None,
    openings: int | None = None,
    requisition_id: str | None = None,
) -> ParsedPosting | None:
    """A posting, or None without id or title.

    `description` is HTML or plain text; `pay_text` a board's own line about pay. Pay, workplace and
    kind of employment are read from title and text where the fields leave them out.
    """
    name, key = one_line(title)[:MAX_TITLE].rstrip(), one_line(external_id)
    if not name or not key:
        return None
    places = distinct_locations(locations)
    text = plain_text(description)[:MAX_DESCRIPTION]
    countries = {place.country_code for place in places}
    return ParsedPosting(
        external_id=key,
        title=name,
        url=_web_address(url),
        locations=places,
        department=one_line(department) or None,
        employment_type=_employment(employment, name),
        remote=remote or _remote(places) or remote_from_text(name, text),
        salary=salary
        or salary_from_text(plain_text(pay_text), countries, about_pay=True)
        or salary_from_text(text, countries),
        description=text,
        language=language_code(language),
        posted_at=posted_at,
        updated_at=updated_at,
        openings=openings if openings and openings > 0 else None,
        requisition_id=requisition(requisition_id),
    )


def _employment(stated: EmploymentType | None, title: str) -> EmploymentType | None:
    """An internship that boards list as full time is an internship."""
    named = employment_from_title(title)
    return named if named == "internship" else stated or named


def language_code(text: str | None) -> str | None:
    """ISO 639-1 of "en", "en-US", "de_DE"; None for anything else."""
    found = _LANGUAGE.fullmatch((text or "").strip())
    return found[1].lower() if found else None


def requisition(text: str | None) -> str | None:
    """A requisition number; None for words that stand in its place ("See Opening ID", "TBD")."""
    clean = one_line(text)
    return clean if any(letter.isdigit() for letter in clean) and len(clean) <= 80 else None


def sections(*parts: tuple[str | None, str | None]) -> str:
    """One HTML text of several, each under its heading."""
    blocks = []
    for heading, markup in parts:
        if markup and markup.strip():
            title = f"<h3>{one_line(heading)}</h3>" if heading else ""
            blocks.append(f"{title}<div>{markup}</div>")
    return "".join(blocks)


def list_entries(markup: str) -> str:
    """Bare <li> rows as a list."""
    return f"<ul>{markup}</ul>" if "<li" in markup else markup


_label: Final = lru_cache(maxsize=1024)(fold)
"""A board gives the same labels with every posting."""


def labelled(values: Mapping[str, Any], *words: str) -> Any:
    """The first value whose label has one of the words; labels are compared folded."""
    for word in words:
        for label, value in values.items():
            if word in _label(label) and value not in (None, "", []):
                return value
    return None


def _web_address(url: str | None) -> str:
    """An address as it is given, also a relative one; "" for scripts and other schemes."""
    clean = (url or "").strip()
    scheme = re.match(r"([a-z][a-z0-9+.-]*):", clean, re.IGNORECASE)
    return "" if scheme and scheme[1].lower() not in {"http", "https"} else clean


def _remote(places: Iterable[PostingLocation]) -> RemotePolicy | None:
    """What the words of the places say about where one works: hybrid before remote before on site."""
    said = {remote_from_location(place.raw) for place in places}
    order: tuple[RemotePolicy, ...] = ("hybrid", "remote", "on_site")
    return next((policy for policy in order if policy in said), None)
