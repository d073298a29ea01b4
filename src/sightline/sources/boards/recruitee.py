"""Recruitee careers sites: every published offer in one response."""

from collections.abc import Sequence
from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, PostingLocation, RemotePolicy
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.pages import BoardPage, Listing, single, unreadable
from sightline.sources.boards.paths import place, posting, words
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import sections
from sightline.sources.posting_places import locations_from_text
from sightline.sources.values import at, flag, markup, rows, text

KIND = "recruitee"
_PATHS = {
    "id": "id|guid", "title": "title", "url": "careers_url", "department": "department",
    # The code joins hours and term: in "parttime_fixed_term" the term counts.
    "employment": "employment_type_code|employment_type", "posted_at": "published_at",
    "salary": "salary/min salary/max salary/currency salary/period", "updated_at": "updated_at",
    "openings": "openings", "requisition_id": "requisition_id",
}  # fmt: skip


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
    parts = ((None, markup(offer, name)) for name in ("description", "requirements"))
    return posting(
        offer,
        _PATHS,
        locations=_locations(offer),
        remote=_remote(offer),
        description=sections(*parts),
        language=_language(offer),
    )


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


def _locations(offer: Any) -> Sequence[PostingLocation | None]:
    found = [
        place(each, "city", "state|state_code", "country_code|country", raw=_words(each))
        for each in rows(offer, "locations")
    ]
    if not found and text(offer, "city"):
        raw = text(offer, "location")
        found = [place(offer, "city", "state_name|state_code", "country_code|country", raw=raw)]
    return found or locations_from_text(text(offer, "location"))


def _words(place: Any) -> str:
    parts = (words(place, path) for path in ("city", "state|state_code", "country"))
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
