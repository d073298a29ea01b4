"""NEOGOV's RSS feed of one agency's openings (governmentjobs.com), with pay in separate fields."""

from lxml import etree

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.board import NAME, Board
from sightline.sources.boards.pages import BoardPage, Listing, unreadable
from sightline.sources.boards.paths import posting, texts_below
from sightline.sources.bodies import read_xml
from sightline.sources.posting_build import sections
from sightline.sources.posting_places import locations_from_text

KIND = "neogov"
_PATHS = {
    "id": "jobId|link|guid", "title": "title", "url": "link|guid", "department": "department|category",
    "employment": "jobType", "posted_at": "advertiseFromDateUTC|pubDate",
    "salary": "minimumSalary maximumSalary salaryCurrency salaryInterval",
    "requisition_id": "jobNumber|jobNumberSingle",
}  # fmt: skip
_PARTS = {
    None: "description", "Duties": "examplesofduties", "Qualifications": "qualifications",
    "Supplemental information": "supplementalinformation",
}  # fmt: skip
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
    row = texts_below(item)
    parts = ((heading, row.get(name)) for heading, name in _PARTS.items())
    places = locations_from_text(row.get("location"))
    return posting(row, _PATHS, locations=places, description=sections(*parts))


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
