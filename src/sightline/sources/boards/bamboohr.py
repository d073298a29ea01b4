"""BambooHR careers: the list with `meta.totalCount`, one job, and the widget that sites put in.

The lists have neither dates nor descriptions.
"""

import re
from typing import Any
from urllib.parse import quote

from selectolax.lexbor import LexborNode

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting, RemotePolicy
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.html import PARTIAL, absolute, first, read_page, words_of
from sightline.sources.boards.pages import BoardPage, Listing, single, unreadable
from sightline.sources.boards.paths import place, posting
from sightline.sources.bodies import read_json, unpacked
from sightline.sources.posting_build import build
from sightline.sources.posting_places import locations_from_text
from sightline.sources.values import at, flag, integer, rows, text

KIND = "bamboohr"
_PATHS = {
    "id": "id", "title": "jobOpeningName", "department": "departmentLabel",
    "employment": "employmentStatusLabel|employmentType", "pay_text": "compensation",
    "description": "description", "posted_at": "datePosted",
}  # fmt: skip

_WIDGET = "BambooHR-ATS-"
_WORKPLACES: dict[str, RemotePolicy] = {"0": "on_site", "1": "remote", "2": "hybrid"}


def looks_like(value: Any) -> bool:
    """Whether JSON or a page is an answer of this system."""
    if isinstance(value, str):
        return _WIDGET in value
    if at(value, "result", "jobOpening", "jobOpeningName"):
        return True
    found = rows(value, "result")
    if found:
        return at(found[0], "jobOpeningName") is not None
    return bool(at(value, "result") == [] and at(value, "meta", "totalCount") == 0)


def parse(body: Body) -> BoardPage:
    """The jobs of an answer."""
    content = unpacked(body.content).value
    if _WIDGET.encode() in content and content.lstrip()[:1] not in {b"{", b"["}:
        return _widget(body)
    read = read_json(body.content, body.charset)
    site = _site(body.url)
    opening = at(read.value, "result", "jobOpening")
    if opening is not None:
        key = text(opening, "id") or _id_of(text(opening, "jobOpeningShareUrl") or body.url)
        return single(KIND, _posting({**opening, "id": key}, site), notes=read.notes)
    if not isinstance(at(read.value, "result"), list):
        return unreadable(KIND, *read.notes, "There is no list of jobs in the answer.")
    return Listing(
        KIND,
        rows(read.value, "result"),
        lambda row: _posting(row, site),
        sound=read.whole,
        total=integer(read.value, "meta", "totalCount"),
        notes=list(read.notes),
    ).page()


def _widget(body: Body) -> BoardPage:
    """The list by department, as HTML."""
    tree, read = read_page(body)
    return Listing(
        KIND,
        tree.css("li.BambooHR-ATS-Jobs-Item"),
        lambda row: _entry(row, body.url),
        sound=read.whole,
        notes=[*read.notes, PARTIAL],
    ).page()


def _entry(row: LexborNode, base: str) -> ParsedPosting | None:
    anchor = first(row, "a[href]")
    url = absolute(base or "https://", anchor.attributes.get("href")) if anchor is not None else ""
    group = row.parent.parent if row.parent is not None else None
    header = first(group, ".BambooHR-ATS-Department-Header") if group is not None else None
    return build(
        (row.attributes.get("id") or "").rpartition("_")[2] or _id_of(url),
        words_of(anchor),
        url,
        locations=locations_from_text(words_of(first(row, ".BambooHR-ATS-Location"))),
        department=words_of(header) or None,
    )


def _site(url: str) -> str:
    found = re.match(r"https?://[\w-]+\.bamboohr\.com", url)
    return found[0] if found else ""


def _id_of(url: str) -> str | None:
    found = re.search(r"/careers/(\d+)", url)
    return found[1] if found else None


def _posting(row: Any, site: str) -> ParsedPosting | None:
    key = text(row, "id")
    at_work = place(
        row,
        "location/city|atsLocation/city",
        "location/state|atsLocation/state|atsLocation/province",
        "location/addressCountry|location/country|atsLocation/country",
    )
    return posting(
        row,
        _PATHS,
        url=text(row, "jobOpeningShareUrl") or (f"{site}/careers/{key}" if site and key else ""),
        locations=[at_work],
        remote=_remote(row),
    )


def _remote(row: Any) -> RemotePolicy | None:
    if flag(row, "isRemote"):
        return "remote"
    return _WORKPLACES.get(text(row, "locationType") or "")


BOARD = Board(
    KIND,
    "BambooHR",
    parse,
    looks_like,
    forms=("json", "html"),
    addresses=(rf"{LABEL}\.bamboohr\.com(?:/|$)",),
    ask=("https://{token}.bamboohr.com/careers/list",),
    page="https://{token}.bamboohr.com/careers",
    detail=lambda first, posting: (
        f"{first.removesuffix('/list')}/{quote(posting.external_id, safe='')}/detail"
    ),
    is_probed=True,
)
