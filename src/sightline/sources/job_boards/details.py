"""Where the text of one posting is, for the boards whose lists leave it out."""

import re
from urllib.parse import quote, urlsplit

from sightline.domain.postings import ParsedPosting
from sightline.sources.board_addresses import board_urls
from sightline.sources.job_boards.reading import OWN_PAGES
from sightline.sources.website.links import site_of


def detail_url(kind: str, token: str, posting: ParsedPosting) -> str | None:
    """The address that answers with one posting; None where there is none."""
    if kind == OWN_PAGES:
        same_site = site_of(posting.url) == site_of(f"https://{token}")
        return posting.url if same_site and urlsplit(posting.url).path.strip("/") else None
    first = next(iter(board_urls(kind, token)), None)
    if first is None:
        return None
    if kind == "smartrecruiters":
        return f"{first.url}/{quote(posting.external_id, safe='')}"
    if kind == "workday":
        found = re.search(r"/job/.+$", urlsplit(posting.url).path)
        return first.url.removesuffix("/jobs") + found[0] if found else None
    if kind == "bamboohr":
        return first.url.removesuffix("/list") + f"/{quote(posting.external_id, safe='')}/detail"
    return None
