"""NEOGOV's RSS feed of one agency's openings (governmentjobs.com), with pay in fields of its own."""

from lxml import etree

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.reading.times import parse_time
from sightline.sources.boards.board import NAME, Board
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.bodies import read_xml
from sightline.sources.posting_build import build, sections
from sightline.sources.posting_pay import salary_from_parts
from sightline.sources.posting_places import locations_from_text
from sightline.sources.posting_terms import employment_type
from sightline.sources.values import number

KIND = "neogov"
PARTIAL = "The feed does not say whether it holds every opening."


def looks_like(root: etree._Element) -> bool:
    """Whether an XML document is this feed."""
    return any("neogov.com" in (space or "") for space in root.nsmap.values())


def parse(body: Body) -> BoardPage:
    """The openings of a feed."""
    read = read_xml(body.content, body.charset)
    channel = read.value.find("channel") if read.value is not None else None
    if channel is None:
        return unreadable(KIND, *read.notes, "There is no channel in the feed.")
    return Listing(
        KIND, channel.findall("item"), _posting, sound=read.whole, notes=[*read.notes, PARTIAL]
    ).page()


def _posting(item: etree._Element) -> ParsedPosting | None:
    parts = (
        (None, _of(item, "description")),
        ("Duties", _of(item, "examplesofduties")),
        ("Qualifications", _of(item, "qualifications")),
        ("Supplemental information", _of(item, "supplementalinformation")),
    )
    url = _of(item, "link") or _of(item, "guid")
    return build(
        _of(item, "jobId") or url,
        _of(item, "title"),
        url,
        locations=locations_from_text(_of(item, "location")),
        department=_of(item, "department") or _of(item, "category"),
        employment=employment_type(_of(item, "jobType")),
        salary=salary_from_parts(
            number(_of(item, "minimumSalary")),
            number(_of(item, "maximumSalary")),
            _of(item, "salaryCurrency"),
            _of(item, "salaryInterval"),
        ),
        description=sections(*parts),
        posted_at=parse_time(_of(item, "advertiseFromDateUTC")) or parse_time(_of(item, "pubDate")),
        requisition_id=_of(item, "jobNumber") or _of(item, "jobNumberSingle"),
    )


def _of(item: etree._Element, name: str) -> str | None:
    found = next(item.iter(f"{{*}}{name}"), None)
    return (found.text or "").strip() or None if found is not None else None


BOARD = Board(
    KIND,
    "NEOGOV",
    parse,
    looks_like,
    forms=("xml",),
    addresses=(rf"(?:www\.)?governmentjobs\.com/careers/{NAME}",),
    named_in_query=(r"(?:www\.)?governmentjobs\.com/SearchEngine/JobsFeed", "agency"),
    ask=("https://www.governmentjobs.com/SearchEngine/JobsFeed?agency={name}",),
    page="https://www.governmentjobs.com/careers/{name}",
    is_whole=False,
)
