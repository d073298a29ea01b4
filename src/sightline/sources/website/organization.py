"""The owner of a site: its own organization in the structured data, names, founding, size, logo."""

import re
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from sightline.domain.bands import EMPLOYEE_BANDS
from sightline.domain.names import fold
from sightline.match.names import read_name
from sightline.reading.legal_forms import FORMS, LEGAL_FORM
from sightline.reading.sentences import sentences
from sightline.sources.json_ld import address_of, inner_nodes, text_of, types_of
from sightline.sources.website.company_names import (
    PLATFORMS,
    copyright_name,
    divided_name,
    is_host,
    is_plausible,
    legal_name_in,
    names_site,
    spelled_name,
    without_slogan,
)
from sightline.sources.website.document import (
    Line,
    Node,
    Page,
    Picture,
    Structured,
    path_of,
    words_pattern,
)
from sightline.sources.website.findings import Findings
from sightline.sources.website.links import site_of
from sightline.sources.website.metadata import is_home, is_home_path

_ORGANIZATIONS = re.compile(
    r"Organization$|Corporation$|Business$|Store$|Restaurant$|Company$|Agency$|Hotel$|Brand$|Dealer$"
    r"|Service$|School$|University|Hospital$|Airline|Consortium|NGO|Cooperative|Bank"
)
# What an organization offers, by names that end as those of organizations do.
_OFFERS = frozenset(
    "Service BroadcastService CableOrSatelliteService FoodService GovernmentService TaxiService"
    " FinancialProduct".split()
)
_PUBLISHERS = ("publisher", "copyrightHolder", "sourceOrganization")
_OWNERS = (*_PUBLISHERS, "provider", "mainEntity", "about", "isPartOf")
_FOUNDED = re.compile(
    r"\b(?:(?:was |were |been )?(?:founded|founding|established|incorporated|started|launched)(?: as"
    r" [^,.]{2,60}| by [^,.]{2,60}"
    r"| in [A-ZÀ-Þ][^,.\d]{2,40},?)? (?:in|back in|since)(?: the year| [A-Z][a-z]{2,8},?)?"
    r"|(?:since|founded|est\.?|established):? |gegründet(?: im Jahre?)?:?|(?:wurde|im Jahre?)"
    r" (?=\d{4} gegründet)|seit|gründung(?:sjahr)?:?"
    r"|fondée? en|créée? en|depuis|fundada en|fundado en|creada en|desde|fundada em|fondata"
    r" nel|opgericht in|(?<!\w)(?:設立|創業)(?:年月日?)?[:：]?)\s*"
    r"(1[6-9]\d{2}|20[0-2]\d)(?!\d)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\D{0,3}(1[6-9]\d{2}|20[0-2]\d)\b")
_COUNT = re.compile(r"(\d{1,7})(?:\.0)?\+?")
_DESCRIPTIONS = (("description", 0.8), ("og:description", 0.78), ("twitter:description", 0.7))
_SHORTEST_DESCRIPTION = 20
_ELSEWHERE = 0.2  # less for a name that another page than the front page gives
_UNSEEN = 0.2
_LONGEST_LINE = 2000
_LONGEST_NAME = 4  # words
_WEAK_FOUNDED = ("since", "seit", "depuis", "desde")
_OTHERS = re.compile(
    r"\b(?:customer|client|partner|which|who|whose|kunde|client|cliente|that)\b", re.IGNORECASE
)


def own_organization(page: Page) -> Node | None:
    """The organization whose site it is: a top-level node, or the publisher of the page."""
    site = site_of(page.url)
    ranked = [
        (score + _likeness(node, page, site), node)
        for score, node in _named_owners(page.structured)
        if names_site(name := text_of(node.data.get("name")) or "", site)
        or fold(name) not in PLATFORMS
    ]
    score, best = max(ranked, key=itemgetter(0), default=(0.0, None))
    return best if score >= 0.6 else None


def _named_owners(data: Structured) -> Iterator[tuple[float, Node]]:
    """Organizations of a page, each with how likely its place in the data makes it the owner."""
    by_id = {node.data["@id"]: node for node in data.nodes if isinstance(node.data.get("@id"), str)}
    for node in data.nodes:
        if is_organization(node):
            yield 1.0, node
        for key in _OWNERS:
            inner = node.data.get(key)
            if not isinstance(inner, dict):
                continue
            target = by_id.get(str(inner.get("@id")))
            made = Node(inner, node.method, f"{node.pointer}/{key}")
            if target is not None and is_organization(target):
                yield 1.3, target
            elif key in _PUBLISHERS and is_organization(made):
                yield 0.9, made


def _likeness(node: Node, page: Page, site: str) -> float:
    """What address and name of an organization add to the likelihood that the site is its own."""
    url = address_of(node.data.get("url")) or address_of(node.data.get("@id"))
    absolute = page.absolute(url)
    at_home = 0.0 if absolute is None else 0.5 if site_of(absolute) == site else -0.8
    named = names_site(text_of(node.data.get("name")) or "", site)
    return at_home + 0.5 * named + 0.02 * len(node.data)


def is_organization(node: Node) -> bool:
    return any(name not in _OFFERS and _ORGANIZATIONS.search(name) for name in types_of(node.data))


def find_names(found: Findings) -> None:
    """Trading, registered and other names."""
    page, site = found.page, site_of(found.page.url)
    if found.own is not None:
        _names_of_organization(page, found.own, site, found)
    _names_in_meta(page, site, found)
    for node in page.structured.nodes:
        if "WebSite" in types_of(node.data):
            name = without_slogan(text_of(node.data.get("name")) or "", site)
            if name and names_site(name, site):
                found.in_data("company_name", name, node, "name", 0.82)
    _name_from_title(page, site, found)
    _name_from_text(page, site, found)
    _name_from_copyright(page, site, found)
    imprint = [line for line in page.lines if found.role == "contact" and line.region == "main"]
    if named := legal_name_in(imprint):
        found.in_line("legal_name", *named, 0.8)


def _names_of_organization(page: Page, own: Node, site: str, found: Findings) -> None:
    trading = text_of(own.data.get("name")) or ""
    sure = 0.95 if own.method == "json_ld" else 0.85
    if not is_home(page) and not names_site(trading, site):
        sure -= _ELSEWHERE
    for field, key in (("company_name", "name"), ("legal_name", "legalName")):
        if name := without_slogan(text_of(own.data.get(key)) or "", site):
            found.in_data(field, name, own, key, sure)
    if is_plausible(trading) and LEGAL_FORM.search(trading):
        found.in_data("legal_name", trading, own, "name", sure - 0.2)
    other = text_of(own.data.get("alternateName"))
    if other and is_plausible(other):
        found.in_data("alternative_name", other, own, "alternateName", 0.8)


def _names_in_meta(page: Page, site: str, found: Findings) -> None:
    for name in ("og:site_name", "application-name", "apple-mobile-web-app-title"):
        content = without_slogan(page.meta(name) or "", site)
        if content and not is_host(content):
            sure = 0.85 if name == "og:site_name" else 0.65
            sure += 0.05 if names_site(content, site) else -0.1
            sure -= 0.0 if is_home(page) else _ELSEWHERE
            # A name that no line of the page has is a title of the system that serves it.
            sure -= 0.0 if any(content in line.text for line in page.lines) else _UNSEEN
            found.in_meta("company_name", content, name, sure)


def _name_from_title(page: Page, site: str, found: Findings) -> None:
    """The part of the title that the domain repeats."""
    part = without_slogan(_title(page), site)
    # "株式会社…" is a name wherever the domain has another spelling of it.
    registered = is_home(page) and read_name(part).forms
    if (
        len(part.split()) <= _LONGEST_NAME
        and (names_site(part, site) or registered)
        and not is_host(part)
    ):
        sure = 0.6 if is_home(page) else 0.5
        found.add("company_name", part, method="title", confidence=sure, pointer="/html/head/title")


def _name_from_text(page: Page, site: str, found: Findings) -> None:
    """The name that the domain is made of, as the page's lines write it; with its legal form, if some
    line has that."""
    spelled = spelled_name(page.lines, site)
    if spelled is None and is_home(page) and (divided := divided_name(page.lines, site)):
        found.add("company_name", divided, method="text", confidence=0.5, pointer="domain")
    if spelled is None or not is_plausible(spelled[0]):
        return
    name, line, count = spelled
    name, line = next(_fuller_names(name, page, site), (name, line))
    sure = 0.7 + 0.05 * min(count, 3) - (0.0 if is_home(page) else 0.05)
    found.in_line("company_name", name, line, sure)
    registered = re.compile(rf"{re.escape(name)}(?: [A-ZÀ-Þ][\w&]*){{0,3}},? {FORMS}\.?(?![\w-])")
    for line in page.lines:
        if name in line.text and (match := registered.search(line.text[:_LONGEST_LINE])):
            found.in_line("legal_name", match[0], line, 0.65)
            return


def _fuller_names(name: str, page: Page, site: str) -> Iterator[tuple[str, Line]]:
    """What title and site name have behind the name, where a line of the page writes it so too: "Tarn
    Instruments" of tarn.example."""
    for other in (_title(page), page.meta("og:site_name") or ""):
        part = without_slogan(other, site)
        if part.startswith(f"{name} ") and len(part.split()) <= _LONGEST_NAME:
            yield from ((part, line) for line in page.lines if part in line.text)


def _title(page: Page) -> str:
    return next((each.text_content().strip() for each in page.tree.iter("title")), "")


def _name_from_copyright(page: Page, site: str, found: Findings) -> None:
    lines = [
        line
        for line in page.lines[-60:]
        if "©" in line.text or "opyright" in line.text or "(c)" in line.text.lower()
    ]
    for line in reversed(lines):
        if len(line.text) > 400:
            continue
        name = copyright_name(line.text)
        if not name:
            continue
        sure = 0.75 if line.region == "footer" else 0.65
        sure += 0.1 if names_site(name, site) else 0.0
        if LEGAL_FORM.search(name):
            found.in_line("legal_name", name, line, sure, method="copyright")
        elif names_site(name, site):
            found.in_line("company_name", name, line, 0.6, method="copyright")
        return


def find_description(found: Findings) -> None:
    """What the company does; only its front and about pages speak about all of it."""
    text = text_of(found.own.data.get("description")) if found.own is not None else None
    if text and len(text) >= _SHORTEST_DESCRIPTION:
        found.in_own("description", text[:2000], "description", 0.85)
    for name, sure in _DESCRIPTIONS if is_home(found.page) else ():
        text = found.page.meta(name)
        if text and len(text) >= _SHORTEST_DESCRIPTION:
            found.in_meta("description", text[:2000], name, sure)


def find_logo(found: Findings) -> None:
    """The logo: the organization's, else the picture in the header that is named so."""
    page = found.page
    if found.own is not None:
        logo_url = page.absolute(address_of(found.own.data.get("logo")))
        found.in_own("logo_url", logo_url, "logo", 0.95)
    for name in ("og:logo", "msapplication-square310x310logo"):
        found.in_meta("logo_url", page.absolute(page.meta(name)), name, 0.8)
    logo = next((each for each in page.pictures[:40] if _is_logo(each, page)), None)
    if logo is not None:
        found.in_element("logo_url", logo.url, logo.element, 0.75, method="image")


def _is_logo(picture: Picture, page: Page) -> bool:
    """Whether a picture near the top is named a logo and leads home."""
    named = (picture.element.get(name) or "" for name in ("class", "id"))
    about = " ".join((picture.alt, picture.url.rpartition("/")[2], *named)).lower()
    inside = picture.region in {"header", "nav"} or picture.order < 6
    leads_home = site_of(picture.href) == site_of(page.url) and is_home_path(picture.href)
    return bool(picture.url) and "logo" in about and inside and leads_home


def find_size_and_age(found: Findings) -> None:
    """Founding year and employees, from structured data; the year also from the about page's text."""
    if found.own is not None:
        if founded := _YEAR.match(text_of(found.own.data.get("foundingDate")) or ""):
            found.in_own("founded_year", int(founded[1]), "foundingDate", 0.9)
        _employees(found.own.data.get("numberOfEmployees"), found)
    if found.role not in {"about", "home"}:
        return
    named = (fold(str(found.value(each) or "")) for each in ("company_name", "legal_name"))
    names = tuple(filter(None, named))
    lines = (line for line in found.page.lines if line.region != "nav" and len(line.text) <= 3000)
    for line, sentence, match in _foundings(lines):
        if sure := _about_us(sentence, match, names):
            found.add("founded_year", int(match[1]), method="text", confidence=sure, quote=sentence,
                      pointer=path_of(line.element))  # fmt: skip


def _foundings(lines: Iterable[Line]) -> Iterator[tuple[Line, str, re.Match[str]]]:
    """Sentences that say when something was founded."""
    for line in lines:
        for start, end in sentences(line.text):
            if end - start < 400 and (match := _FOUNDED.search(line.text[start:end])):
                yield line, line.text[start:end], match


def _about_us(sentence: str, match: re.Match[str], names: tuple[str, ...]) -> float:
    """How sure it is that a sentence of founding is about the company itself; 0 for another's."""
    before = sentence[: match.start()]
    folded = fold(before)
    weak = match[0].lower().startswith(_WEAK_FOUNDED)
    we = words_pattern("names", "we")
    ours = len(before) < 80 and (we.match(before) or any(map(we.fullmatch, before.split()[-1:])))
    if _OTHERS.search(before):
        return 0.0
    if ours or folded.startswith(names) or folded.endswith(names):
        return 0.45 if weak else 0.8
    alone = not before.strip(" -–:•") and not (weak and len(sentence) > 60)
    return 0.55 if alone else 0.0


def _employees(value: Any, found: Findings) -> None:
    node = next(inner_nodes(value), {})
    low, high = text_of(node.get("minValue")), text_of(node.get("maxValue"))
    stated = text_of(node.get("value")) or (f"{low}-{high}" if low and high else text_of(value))
    text = (stated or "").replace(",", "").replace(" ", "")
    if text in EMPLOYEE_BANDS:
        found.in_own("employee_range", text, "numberOfEmployees", 0.85)
    elif count := _COUNT.fullmatch(text):
        found.in_own("employees", int(count[1]) or None, "numberOfEmployees", 0.85)
