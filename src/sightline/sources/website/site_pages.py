"""The pages of a crawl, each parsed by where it was found: home page, other pages, sitemaps.

Pure: bytes in, `Parsed` out. What a page of another company's site says is not said of this one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import get_args
from urllib.parse import urlsplit

from sightline.domain.evidence import Body, Link, Observation, Parsed, Passage
from sightline.domain.websites import domain_of
from sightline.sources.boards.addresses import board_of, board_page_url
from sightline.sources.same_company import is_same_name
from sightline.sources.website.company_names import is_plausible
from sightline.sources.website.links import role_of, site_of
from sightline.sources.website.page import read_page
from sightline.sources.website.problems import Problem
from sightline.sources.website.sitemap import parse_sitemap

_DRAWN_BY_SCRIPT = "needs_script: "
_LONGEST_NAME = 60
_MOST_SITEMAP_PAGES = 400
_TITLE_BREAK = re.compile(r"\s+[|–—·•:-]\s+|\s*[|•]\s*")


@dataclass(frozen=True)
class Owner:
    """Whose site is read: the registrable domains it may be at, and the names it may give itself."""

    domains: tuple[str, ...]
    names: tuple[str, ...] = ()


def problem_in(notes: Iterable[str]) -> str | None:
    """What stands in the place of a page, as its notes say; None for a page that can be used."""
    kinds = get_args(Problem)
    found = next((note for note in notes if note.partition(": ")[0] in kinds), None)
    if found is None or found.startswith(_DRAWN_BY_SCRIPT):
        return None
    kind, _, reason = found.partition(": ")
    return f"{kind.replace('_', ' ').capitalize()}. {reason}"


def stated_name(parsed: Parsed) -> str | None:
    """What a home page calls the company: in its data and lines, else in its title."""
    for field in ("company_name", "legal_name"):
        said = [o for o in parsed.observations if o.field == field]
        if said:
            return str(max(said, key=lambda o: o.confidence).value)
    pieces = (piece.strip() for piece in _TITLE_BREAK.split(parsed.title or ""))
    named = [each for each in pieces if is_plausible(each) and len(each) <= _LONGEST_NAME]
    return min(named, key=len, default=None)


def _with_name(parsed: Parsed) -> Parsed:
    """The page with a company name: the registered one, or what the title gives, for want of others."""
    said = {o.field: o for o in parsed.observations}
    name = stated_name(parsed)
    if name is None or "company_name" in said:
        return parsed
    registered = said.get("legal_name")
    if registered is not None:
        made = replace(registered, field="company_name", confidence=registered.confidence * 0.6)
    else:
        made = Observation("company_name", name, "meta", 0.5, pointer="title")
    return replace(parsed, observations=(*parsed.observations, made))


def parse_home(body: Body, owner: Owner) -> Parsed:
    """A home page, with the domain that it answers at.

    One that answers at another domain is believed only if it gives itself the company's name.
    """
    parsed = read_page(body).parsed
    if problem_in(parsed.notes) or not (parsed.text or parsed.observations):
        return parsed
    at_domain = domain_of(body.url)
    if at_domain is None:
        note = f"The domain leads to {urlsplit(body.url).hostname}, a platform of many."
        return _unsaid(parsed, note)
    parsed = _with_name(parsed)
    found = [_domain("website_domain", at_domain, body.url)]
    if at_domain not in owner.domains:
        name = stated_name(parsed)
        asked = owner.domains[0]
        if owner.names and not (name and is_same_name(name, owner.names, domain=asked)):
            calls = f" and calls itself {name}" if name else ""
            return _unsaid(
                parsed, f"{asked} leads to {at_domain}{calls}: not read as this company."
            )
        found.append(_domain("alternative_domain", asked, body.url))
        note = f"{asked} leads to {at_domain}."
        parsed = replace(parsed, notes=(*parsed.notes, note))
    return replace(parsed, observations=(*parsed.observations, *found))


def parse_page(body: Body, owner: Owner) -> Parsed:
    """Any other page of the site. A dated page about news becomes a document of news."""
    reading = read_page(body)
    parsed = reading.parsed
    if site_of(body.url) not in owner.domains:
        board = board_of(body.url)
        note = f"The page leads to {urlsplit(body.url).hostname}."
        return replace(_unsaid(parsed, note), observations=_board(board) if board else ())
    if reading.role == "news" and parsed.published_at is not None and _is_below(body.url):
        return as_article(parsed)
    return parsed


def as_article(parsed: Parsed) -> Parsed:
    """A page as a piece of news. The frame around an article says what every page says."""
    passages = (Passage(0, len(parsed.text), "news", parsed.title),) if parsed.text else ()
    return replace(parsed, kind="news", observations=(), passages=passages)


def parse_site_map(body: Body) -> Parsed:
    """The pages of a sitemap that have a role, likeliest first, and the sitemaps it leads to."""
    sitemap = parse_sitemap(body)
    scored = [(role_of(url), url) for url in sitemap.entries]
    known = sorted((s for s in scored if s[0].role != "other"), key=lambda s: -s[0].score)
    pages = [Link(url, each.role) for each, url in known[:_MOST_SITEMAP_PAGES]]
    further = [Link(url, "sitemap") for url in sitemap.sitemaps[:50]]
    return Parsed(kind="data", text="", links=(*further, *pages), notes=sitemap.notes)


def _is_below(url: str) -> bool:
    """Whether a page lies below another: an article, not the list of them."""
    return urlsplit(url).path.strip("/").count("/") >= 1


def _unsaid(parsed: Parsed, note: str) -> Parsed:
    return replace(parsed, observations=(), links=(), notes=(*parsed.notes, note))


def _domain(field: str, domain: str, url: str) -> Observation:
    return Observation(field, domain, "address", 0.95, pointer=f"final address {url}")


def _board(board: tuple[str, str]) -> tuple[Observation, ...]:
    kind, token = board
    value = {"kind": kind, "token": token, "url": board_page_url(kind, token)}
    return (Observation("job_board", value, "address", 0.9, pointer="final address"),)
