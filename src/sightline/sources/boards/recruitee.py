"""Recruitee careers sites: every published offer in one answer."""

from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation, RemotePolicy
from sightline.reading.times import parse_time
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.pages import BoardPage, Listing, single, unreadable
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import build, sections
from sightline.sources.posting_pay import salary_from_parts
from sightline.sources.posting_places import location_from_parts, locations_from_text
from sightline.sources.posting_terms import employment_type
from sightline.sources.values import at, flag, integer, markup, number, rows, text

KIND = "recruitee"


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    return isinstance(at(value, "offers"), list) or at(value, "offer", "careers_url") is not None


def parse(body: Body) -> BoardPage:
    """The offers of an answer."""
    read = read_json(body.content, body.charset)
    if at(read.value, "offer", "id") is not None:
        return single(KIND, _posting(at(read.value, "offer")), notes=read.notes)
    if not isinstance(at(read.value, "offers"), list):
        return unreadable(KIND, *read.notes, "There is no list of offers in the answer.")
    return Listing(
        KIND, rows(read.value, "offers"), _posting, sound=read.whole, whole_by_contract=True,
        url=body.url, notes=list(read.notes),
    ).page()  # fmt: skip


def _posting(offer: Any) -> ParsedPosting | None:
    pay = at(offer, "salary")
    return build(
        text(offer, "id") or text(offer, "guid"),
        text(offer, "title"),
        text(offer, "careers_url"),
        locations=_locations(offer),
        department=text(offer, "department"),
        employment=employment_type(_employment_code(offer)),
        remote=_remote(offer),
        salary=salary_from_parts(
            number(pay, "min"), number(pay, "max"), text(pay, "currency"), text(pay, "period")
        ),
        description=sections(
            (None, markup(offer, "description")), (None, markup(offer, "requirements"))
        ),
        language=_language(offer),
        posted_at=parse_time(at(offer, "published_at")),
        updated_at=parse_time(at(offer, "updated_at")),
        openings=integer(offer, "openings"),
        requisition_id=text(offer, "requisition_id"),
    )


def _employment_code(offer: Any) -> str | None:
    """The code joins hours and term: in "parttime_fixed_term" the term counts."""
    return text(offer, "employment_type_code") or text(offer, "employment_type")


def _language(offer: Any) -> str | None:
    """The one language of an offer that has but one translation."""
    translations = at(offer, "translations")
    if isinstance(translations, dict) and len(translations) == 1:
        return str(next(iter(translations)))
    return None


def _remote(offer: Any) -> RemotePolicy | None:
    if flag(offer, "hybrid"):
        return "hybrid"
    if flag(offer, "remote"):
        return "remote"
    return "on_site" if flag(offer, "on_site") else None


def _locations(offer: Any) -> list[PostingLocation | None]:
    found = [
        location_from_parts(
            text(place, "city"),
            text(place, "state") or text(place, "state_code"),
            text(place, "country_code") or text(place, "country"),
            raw=_words(place),
        )
        for place in rows(offer, "locations")
    ]
    if found:
        return found
    if text(offer, "city"):
        country = text(offer, "country_code") or text(offer, "country")
        raw = text(offer, "location")
        return [
            location_from_parts(
                text(offer, "city"),
                text(offer, "state_name") or text(offer, "state_code"),
                country,
                raw=raw,
            )
        ]
    return list(locations_from_text(text(offer, "location")))


def _words(place: Any) -> str:
    state = text(place, "state") or text(place, "state_code")
    parts = (text(place, "city"), state, text(place, "country"))
    return ", ".join(dict.fromkeys(filter(None, parts))) or text(place, "name") or ""


BOARD = Board(
    KIND,
    "Recruitee",
    parse,
    looks_like,
    addresses=(rf"{LABEL}\.recruitee\.com(?:/|$)",),
    ask=("https://{site}/api/offers/",),
    page="https://{site}/",
    is_probed=True,
)
