"""Teamtailor careers sites: the JSON Feed of jobs (each item holds a JobPosting), or the RSS feed."""

from typing import Any

from lxml import etree

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.reading.times import parse_time
from sightline.sources.boards.board import LABEL, Board, Groups
from sightline.sources.boards.job_posting_ld import posting_from_ld
from sightline.sources.boards.pages import BoardPage, BoardRequest, Listing, unreadable
from sightline.sources.bodies import Read, read_json, read_xml
from sightline.sources.posting_build import build
from sightline.sources.posting_places import location_from_parts
from sightline.sources.posting_terms import remote_policy
from sightline.sources.values import at, markup, rows, text

KIND = "teamtailor"


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    items = rows(value, "items")
    if not items:
        address = (text(value, "feed_url") or "") + (text(value, "home_page_url") or "")
        return at(value, "items") == [] and address.endswith(("/jobs", "/jobs.json"))
    return at(items[0], "_jobposting") is not None


def looks_like_xml(root: etree._Element) -> bool:
    """Whether an RSS document is a Teamtailor feed."""
    return any("teamtailor" in (space or "") for space in root.nsmap.values())


def parse(body: Body) -> BoardPage:
    """The postings of a feed; a feed that names a next page is part of the board."""
    if body.content.lstrip()[:1] == b"<":
        return _rss(read_xml(body.content, body.charset), body)
    read = read_json(body.content, body.charset)
    if not isinstance(at(read.value, "items"), list):
        return unreadable(KIND, *read.notes, "There is no list of items in the answer.")
    items = rows(read.value, "items")
    after = text(read.value, "next_url")
    return Listing(
        KIND,
        items,
        _posting,
        sound=read.whole,
        next=BoardRequest(after, offset=len(items)) if after else None,
        whole_by_contract=True,
        url=body.url,
        notes=list(read.notes),
    ).page()


def _posting(item: Any) -> ParsedPosting | None:
    job = at(item, "_jobposting")
    url = text(item, "url") or text(job, "url")
    tags = [tag for each in rows(item, "tags") if (tag := text(each))]
    described = {
        **(job if isinstance(job, dict) else {}),
        "title": text(item, "title") or text(job, "title"),
        "url": url,
        "datePosted": text(item, "date_published") or text(job, "datePosted"),
        "dateModified": text(item, "date_modified"),
        "description": markup(item, "content_html")
        or markup(job, "description")
        or markup(item, "content_text"),
        "inLanguage": text(item, "language"),
        "employmentUnit": {"name": tags[0]} if tags else at(job, "employmentUnit"),
    }
    return posting_from_ld(described, url=url or "", external_id=text(item, "id"))


def _rss(read: Read, body: Body) -> BoardPage:
    if read.value is None or (channel := read.value.find("channel")) is None:
        return unreadable(KIND, *read.notes, "There is no channel in the feed.")
    return Listing(
        KIND, channel.findall("item"), _item, sound=read.whole, url=body.url,
        notes=[*read.notes, "The RSS feed does not say whether it holds every job."],
    ).page()  # fmt: skip


def _item(item: etree._Element) -> ParsedPosting | None:
    return build(
        _of(item, "guid") or _of(item, "link"),
        _of(item, "title"),
        _of(item, "link"),
        locations=[
            location_from_parts(
                _of(place, "city"), None, _of(place, "country"), raw=_of(place, "name")
            )
            for place in item.iter("{*}location")
        ],
        department=_of(item, "department"),
        remote=remote_policy(_of(item, "remoteStatus")),
        description=_of(item, "description") or "",
        posted_at=parse_time(_of(item, "pubDate")),
    )


def _of(parent: etree._Element, name: str) -> str | None:
    found = parent.find(f"{{*}}{name}")
    return (found.text or "").strip() or None if found is not None else None


def _looks_like(value: Any) -> bool:
    return looks_like_xml(value) if hasattr(value, "nsmap") else looks_like(value)


def _token(groups: Groups, address: str) -> str | None:
    """The name; the host where the board is of a region, or the maker's own."""
    name = groups[0] or ""
    host = address.split("/")[0].lower()
    return name if host == f"{name.lower()}.teamtailor.com" and name != "career" else host


BOARD = Board(
    KIND,
    "Teamtailor",
    parse,
    _looks_like,
    forms=("json", "xml"),
    addresses=(rf"{LABEL}(?:\.(?:na|eu|au|career))?\.teamtailor\.com(?:/|$)",),
    ask=("https://{site}/jobs.json", "https://{site}/jobs.rss"),
    page="https://{site}/jobs",
    token=_token,
)
