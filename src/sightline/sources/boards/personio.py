"""Personio's XML feed of open positions: always complete. A position in several offices names them all.

The only time that it gives is `createdAt`.
"""

from lxml import etree

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.reading.times import parse_time
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.pages import BoardPage, BoardRequest, Listing, unreadable
from sightline.sources.bodies import read_xml
from sightline.sources.posting_build import build, sections
from sightline.sources.posting_places import locations_from_text
from sightline.sources.posting_terms import employment_type

KIND = "personio"


def looks_like(root: etree._Element) -> bool:
    """Whether an XML document is this feed."""
    return root.tag == "workzag-jobs"


def parse(body: Body) -> BoardPage:
    """The positions of a feed."""
    read = read_xml(body.content, body.charset)
    if read.value is None or not looks_like(read.value):
        return unreadable(KIND, *read.notes, "The answer is not a feed of positions.")
    site = body.url.split("/xml")[0] if "/xml" in body.url else ""
    return Listing(
        KIND,
        read.value.findall("position"),
        lambda position: _posting(position, site),
        sound=read.whole,
        whole_by_contract=True,
        notes=list(read.notes),
    ).page()


def _posting(position: etree._Element, site: str) -> ParsedPosting | None:
    key = _of(position, "id")
    offices = [_of(position, "office")]
    offices += [(each.text or "").strip() for each in position.findall("additionalOffices/office")]
    described = [
        (_of(each, "name"), _of(each, "value") or "")
        for each in position.findall("jobDescriptions/jobDescription")
    ]
    schedule = _of(position, "schedule")
    kind = employment_type(_of(position, "employmentType"))
    return build(
        key,
        _of(position, "name"),
        f"{site}/job/{key}" if site and key else "",
        locations=[place for office in offices for place in locations_from_text(office)],
        department=_of(position, "department") or _of(position, "recruitingCategory"),
        employment=kind if kind not in {None, "other"} else employment_type(schedule),
        description=sections(*described),
        posted_at=parse_time(_of(position, "createdAt")),
    )


def _of(parent: etree._Element, name: str) -> str | None:
    found = parent.find(name)
    return (found.text or "").strip() or None if found is not None else None


def _site(token: str) -> str:
    return token if "." in token else f"{token}.jobs.personio.de"


def _ask(token: str) -> tuple[BoardRequest, ...]:
    sites = (_site(token), *(() if "." in token else (f"{token}.jobs.personio.com",)))
    return tuple(BoardRequest(f"https://{site}/xml") for site in sites)


BOARD = Board(
    KIND,
    "Personio",
    parse,
    looks_like,
    forms=("xml",),
    addresses=(rf"{LABEL}\.jobs\.personio\.(?:de|com|es|fr|it|nl|at|ch)(?:/|$)",),
    ask=_ask,
    page=lambda token: f"https://{_site(token)}/",
    is_probed=True,
)
