"""Finds the text of single postings for boards whose lists omit it."""

from urllib.parse import urlsplit

from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.registry import BOARDS
from sightline.sources.job_boards.reading import OWN_PAGES
from sightline.sources.website.links import site_of


def detail_url(kind: str, token: str, posting: ParsedPosting) -> str | None:
    """The address that answers with one posting; None where there is none."""
    if kind == OWN_PAGES:
        same_site = site_of(posting.url) == site_of(f"https://{token}")
        return posting.url if same_site and urlsplit(posting.url).path.strip("/") else None
    board = BOARDS.get(kind)
    first = next(iter(board.requests(token)), None) if board is not None else None
    if board is None or board.detail is None or first is None:
        return None
    return board.detail(first.url, posting)
