"""Who a site belongs to: its own organization among the structured data, names, founding, size, logo."""

import re
from urllib.parse import urlsplit

from sightline.domain.bands import EMPLOYEE_BANDS
from sightline.domain.names import fold, name_key
from sightline.sources.website.document import Line, Page, words_pattern
from sightline.sources.website.findings import Findings, sentences
from sightline.sources.website.json_ld import address_of, inner_nodes, text_of, types_of
from sightline.sources.website.links import site_of
from sightline.sources.website.metadata import is_home
from sightline.sources.website.structured import Node, Structured

_ORGANIZATIONS = re.compile(
    r"Organization$|Corporation$|Business$|Store$|Restaurant$|Company$|Agency$|Hotel$|Brand$|Dealer$"
    r"|Service$|School$|University|Hospital$|Airline|Consortium|NGO|Cooperative|Bank"
)
_OWNERS = (
    "publisher",
    "copyrightHolder",
    "sourceOrganization",
    "provider",
    "mainEntity",
    "about",
    "isPartOf",
)
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|&copy;|\bcopyright\b)[\s,:©]*(?:\(c\)\s*)?(?:by\s+)?(?:(?:19"
    r"|20)\d{2}(?:\s*[-–—/]\s*(?:\d{4}|\d{2}|present|heute))?"
    r"[\s,.:|–-]*)?(?:by\s+)?(.{2,140})",
    re.IGNORECASE,
)
_BEFORE_YEAR = re.compile(r"^(.{2,100}?)[\s,]*(?:©|\(c\)|\bcopyright\b)", re.IGNORECASE)
_AFTER_NAME = re.compile(
    r"[\s.,|–—·•-]*(?:\b(?:all rights|alle rechte|tous droits|todos los derechos|all right|rights reserved|"
    r"registered|company number|designed|powered|website|web design|site by|built|privacy|terms|impressum|"
    r"cookie|datenschutz|mentions|trademark|is a |are |and its|its affiliates|or its|and/or|"
    r"use of|version|v\d|made (?:with|in)|created|theme|proudly|tutti i diritti|todos os direitos|"
    r"alla rättigheter|reserved|sitemap|disclaimer|legal|imprint|unless|except|contact|developed)\b"
    r"|[|•·©]|\s[–—-]\s|(?:19|20)\d{2}|\d{1,2}/\d{1,2}).*$",
    re.IGNORECASE,
)
_LEGAL_FORM = re.compile(
    r"(?:(?<=[\s,])|^)(?:Inc|Incorporated|Corp|Corporation|LLC|L\.L\.C|LLP|L\.P|LP|Ltd|Limited|PLC|plc|GmbH"
    r"|mbH|AG|KG|KGaA|OHG|UG|e\.\s?K|e\.\s?V|eG|gGmbH|GbR|SE|S\.?A\.?S\.?U?|SARL|S\.?à\.?r\.?l"
    r"|SASU?|EURL|S\.?A|SCOP|SCA"
    r"|S\.?L\.?U?|S\.?p\.?A|S\.?r\.?l|B\.?V|N\.?V|BVBA|SRL|AB|A/S|ApS|AS|ASA|Oyj?|K\.?K"
    r"|Pty\.?\s?Ltd|Pte\.?\s?Ltd"
    r"|Co\.?,?\s?Ltd|Pvt\.?\s?Ltd|Sdn\.?\s?Bhd|S\.?A\.?\s?de\s?C\.?V|Ltda|Lda|SpA|d\.o\.o"
    r"|s\.r\.o|a\.s|Kft|Zrt|Sp\.\s?z\s?o\.\s?o|SIA|UAB|OÜ"
    r"|GmbH\s?&\s?Co\.?\s?KG(?:aA)?|AG\s?&\s?Co\.?\s?KG(?:aA)?|Stiftung|株式会社|有限公司)\.?(?=$|[\s,;.)|])"
)
_LEGAL_NAME = re.compile(
    r"^((?:The\s)?[A-ZÀ-ÞÄÖÜ0-9][^,;:|!?]{1,80}?,?\s"
    + _LEGAL_FORM.pattern[len("(?:(?<=[\\s,])|^)") :]
    + r")"
)
_FOUNDED = re.compile(
    r"\b(?:(?:was |were |been )?(?:founded|established|incorporated|started|launched)(?: as"
    r" [^,.]{2,60}| by [^,.]{2,60}"
    r"| in [A-ZÀ-Þ][^,.\d]{2,40},?)? (?:in|back in|since)(?: the year| [A-Z][a-z]{2,8},?)?"
    r"|(?:since|founded|est\.?|established):? |gegründet(?: im Jahre?)?:?|(?:wurde|im Jahre?)"
    r" (?=\d{4} gegründet)|seit|gründung(?:sjahr)?:?"
    r"|fondée? en|créée? en|depuis|fundada en|fundado en|creada en|desde|fundada em|fondata"
    r" nel|opgericht in)\s*"
    r"(1[6-9]\d{2}|20[0-2]\d)\b",
    re.IGNORECASE,
)
_WEAK_FOUNDED = re.compile(r"^(?:since|seit|depuis|desde)\b", re.IGNORECASE)
_ABBREVIATED = re.compile(r"\b(?:Inc|Corp|Co|Ltd|S\.A|L\.P|B\.V|N\.V)$")
_OTHERS = re.compile(r"\b(?:customer|client|partner|which|who|whose|kunde|client|cliente|that)\b", re.IGNORECASE)
_GENERIC_NAMES = frozenset(
    [
        "home",
        "homepage",
        "welcome",
        "index",
        "website",
        "wordpress",
        "my",
        "site",
        "startseite",
        "accueil",
        "inicio",
        "untitled",
        "blog",
    ]
)


def own_organization(page: Page, data: Structured) -> Node | None:
    """The organization whose site it is: a top-level node, or the publisher of the page."""
    site = site_of(page.url)
    best: tuple[float, Node] | None = None
    by_id = {node.data["@id"]: node for node in data.nodes if isinstance(node.data.get("@id"), str)}
    candidates: list[tuple[float, Node]] = []
    for node in data.nodes:
        if is_organization(node):
            candidates.append((1.0, node))
        for key in _OWNERS:
            inner = node.data.get(key)
            if isinstance(inner, dict):
                target = by_id.get(str(inner.get("@id")))
                made = Node(inner, node.method, f"{node.pointer}/{key}")
                if target is not None and is_organization(target):
                    candidates.append((1.3, target))
                elif is_organization(made) and key in {
                    "publisher",
                    "copyrightHolder",
                    "sourceOrganization",
                }:
                    candidates.append((0.9, made))
    for score, node in candidates:
        url = address_of(node.data.get("url")) or address_of(node.data.get("@id"))
        absolute = page.absolute(url) if url else None
        if absolute and site_of(absolute) == site:
            score += 0.5
        elif absolute:
            score -= 0.8
        name = text_of(node.data.get("name")) or ""
        if _names_site(name, site):
            score += 0.5
        score += 0.02 * len(node.data)
        if best is None or score > best[0]:
            best = (score, node)
    return best[1] if best and best[0] >= 0.6 else None


def is_organization(node: Node) -> bool:
    return any(_ORGANIZATIONS.search(name) for name in types_of(node.data))


def _names_site(name: str, site: str) -> bool:
    """Whether a name and a domain are spelled alike."""
    key = name_key(name).replace(" ", "") if name.strip() else ""
    label = fold(site.split(".")[0]).replace(" ", "")
    return bool(key) and len(label) > 2 and (key in label or label in key)


def find_names(page: Page, own: Node | None, data: Structured, found: Findings) -> None:
    """Trading, registered and other names."""
    site = site_of(page.url)
    if own is not None:
        sure = 0.95 if own.method == "json_ld" else 0.85
        for field, key in (("company_name", "name"), ("legal_name", "legalName")):
            name = text_of(own.data.get(key))
            if name and _plausible(name):
                found.add(
                    field, name, method=own.method, confidence=sure, pointer=f"{own.pointer}/{key}"
                )
        other = text_of(own.data.get("alternateName"))
        if other and _plausible(other):
            found.add("alternative_name", other, method=own.method, confidence=0.8,
                      pointer=f"{own.pointer}/alternateName")  # fmt: skip
    for name in ("og:site_name", "application-name", "apple-mobile-web-app-title"):
        content = page.meta(name)
        if content and _plausible(content) and not _is_host(content):
            sure = 0.85 if name == "og:site_name" else 0.65
            sure += 0.05 if _names_site(content, site) else -0.1
            found.add(
                "company_name", content, method="meta", confidence=sure, pointer=f"meta[{name}]"
            )
    for node in data.nodes:
        if "WebSite" in types_of(node.data):
            name = text_of(node.data.get("name"))
            if name and _plausible(name) and _names_site(name, site):
                found.add("company_name", name, method=node.method, confidence=0.82,
                          pointer=f"{node.pointer}/name")  # fmt: skip
    _name_from_title(page, site, found)
    _name_from_copyright(page, site, found)


def _name_from_title(page: Page, site: str, found: Findings) -> None:
    """The part of the title that the domain repeats."""
    title = next((element.text_content() for element in page.tree.iter("title")), "")
    for part in re.split(r"\s[|–—•·:»-]\s|:\s", " ".join(title.split())[:300]):
        part = part.strip(" -|–—")
        if (
            part
            and len(part.split()) <= 4
            and _plausible(part)
            and _names_site(part, site)
            and not _is_host(part)
        ):
            found.add(
                "company_name",
                part,
                method="title",
                confidence=0.6,
                quote=None,
                pointer="/html/head/title",
            )
            return


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
        place = page.path_of(line.element)
        legal = _LEGAL_FORM.search(name) is not None
        sure = 0.75 if line.region == "footer" else 0.65
        sure += 0.1 if _names_site(name, site) else 0.0
        if legal:
            found.add(
                "legal_name",
                name,
                method="copyright",
                confidence=sure,
                quote=line.text,
                pointer=place,
            )
        elif _names_site(name, site):
            found.add(
                "company_name",
                name,
                method="copyright",
                confidence=0.6,
                quote=line.text,
                pointer=place,
            )
        return


def copyright_name(text: str) -> str | None:
    """The holder in a copyright line: "© 2019–2024 Foo Inc. All rights reserved." gives "Foo Inc."."""
    found = _COPYRIGHT.search(text)
    name = _AFTER_NAME.sub("", found[1]).strip(" ,|–—-·•:") if found else ""
    name = re.sub(r"^(?:by|von|par|the copyright of)\s+", "", name, flags=re.IGNORECASE)
    if not name and (before := _BEFORE_YEAR.search(text)):
        name = before[1].strip(" ,|–—-·•:")
    form = next(reversed(list(_LEGAL_FORM.finditer(name))), None)
    if form is not None and form.end() < len(name):
        name = name[: form.end()]
    name = name.strip(" ,|–—-·•:")
    if _ABBREVIATED.search(name) and f"{name}." in text:
        name += "."
    if name.endswith(".") and not _LEGAL_FORM.search(name):
        name = name.rstrip(".")
    name = re.sub(r"^(?:copyright|a|an)\s+(?=[A-Z])", "", name, flags=re.IGNORECASE)
    words = name.split()
    if (
        not _plausible(name)
        or len(words) > 8
        or "@" in name
        or not (name[0].isupper() or name[0].isdigit() or form)
    ):
        return None
    return name


def legal_name_in(lines: list[Line]) -> tuple[str, Line] | None:
    """The first registered name that opens a line: as imprints give it above the address."""
    for line in lines:
        if 4 <= len(line.text) <= 160:
            found = _LEGAL_NAME.match(line.text)
            if (
                found
                and len(found[1].split()) <= 10
                and not words_pattern("names", "no_company").search(found[1])
            ):
                return found[1].strip(" ,"), line
    return None


def _plausible(name: str) -> bool:
    folded = fold(name)
    return (
        1 < len(name) <= 120
        and bool(folded)
        and folded not in _GENERIC_NAMES
        and not folded.isdigit()
    )


def _is_host(name: str) -> bool:
    return (
        re.fullmatch(
            r"(?:https?://)?(?:www\.)?[\w-]+(?:\.[a-z]{2,})+/?", name.strip(), re.IGNORECASE
        )
        is not None
    )


def find_description(page: Page, own: Node | None, found: Findings) -> None:
    """What the company does; only its front and about pages speak about all of it."""
    if own is not None:
        text = text_of(own.data.get("description"))
        if text and len(text) >= 20:
            found.add(
                "description",
                text[:2000],
                method=own.method,
                confidence=0.85,
                pointer=f"{own.pointer}/description",
            )
    if not is_home(page):
        return
    for name, sure in (
        ("description", 0.8),
        ("og:description", 0.78),
        ("twitter:description", 0.7),
    ):
        text = page.meta(name)
        if text and len(text) >= 20:
            found.add(
                "description", text[:2000], method="meta", confidence=sure, pointer=f"meta[{name}]"
            )


def find_logo(page: Page, own: Node | None, found: Findings) -> None:
    """The logo: the organization's, else the picture in the header that is named so."""
    if own is not None:
        url = page.absolute(address_of(own.data.get("logo")))
        if url:
            found.add(
                "logo_url", url, method=own.method, confidence=0.95, pointer=f"{own.pointer}/logo"
            )
    for name in ("og:logo", "msapplication-square310x310logo"):
        url = page.absolute(page.meta(name))
        if url:
            found.add("logo_url", url, method="meta", confidence=0.8, pointer=f"meta[{name}]")
    for picture in page.pictures[:40]:
        about = " ".join(
            (
                picture.alt,
                picture.url.rpartition("/")[2],
                picture.element.get("class") or "",
                picture.element.get("id") or "",
            )
        )
        inside = picture.region in {"header", "nav"} or picture.order < 6
        home = (
            picture.href
            and site_of(picture.href) == site_of(page.url)
            and urlsplit(picture.href).path.strip("/") in {"", "en", "de", "fr", "es"}
        )
        if picture.url and "logo" in about.lower() and inside and home:
            found.add(
                "logo_url",
                picture.url,
                method="image",
                confidence=0.75,
                pointer=page.path_of(picture.element),
            )
            return


def find_size_and_age(page: Page, own: Node | None, found: Findings, *, role: str) -> None:
    """Founding year and employees, from structured data; the year also from the about page's text."""
    if own is not None:
        founded = re.match(
            r"\D{0,3}(1[6-9]\d{2}|20[0-2]\d)\b", text_of(own.data.get("foundingDate")) or ""
        )
        if founded:
            found.add("founded_year", int(founded[1]), method=own.method, confidence=0.9,
                      pointer=f"{own.pointer}/foundingDate")  # fmt: skip
        _employees(own, found)
    if role not in {"about", "home"}:
        return
    names = {
        fold(str(found.value("company_name") or "")),
        fold(str(found.value("legal_name") or "")),
    } - {""}
    for line in page.lines:
        if line.region == "nav" or len(line.text) > 3000:
            continue
        for sentence in sentences(line.text):
            match = _FOUNDED.search(sentence) if len(sentence) < 400 else None
            if match and (sure := _about_us(sentence, match, names)):
                found.add("founded_year", int(match[1]), method="text", confidence=sure, quote=sentence,
                          pointer=page.path_of(line.element))  # fmt: skip


def _about_us(sentence: str, match: re.Match[str], names: set[str]) -> float:
    """How sure it is that a sentence of founding is about the company itself; 0 for another's."""
    before = sentence[: match.start()]
    folded = fold(before)
    weak = _WEAK_FOUNDED.match(match[0]) is not None
    named = any(name and (folded.startswith(name) or folded.endswith(name)) for name in names)
    we = words_pattern("names", "we").match(before) is not None and len(before) < 80
    if _OTHERS.search(before):
        return 0.0
    if named or we:
        return 0.45 if weak else 0.8
    if not before.strip(" -–:•"):
        return 0.0 if weak and len(sentence) > 60 else 0.55
    return 0.0


def _employees(own: Node, found: Findings) -> None:
    value = own.data.get("numberOfEmployees")
    pointer = f"{own.pointer}/numberOfEmployees"
    for node in inner_nodes(value) if isinstance(value, dict | list) else ():
        low, high = text_of(node.get("minValue")), text_of(node.get("maxValue"))
        exact = text_of(node.get("value"))
        if exact:
            value = exact
        elif low and high and f"{low}-{high}" in EMPLOYEE_BANDS:
            found.add(
                "employee_range",
                f"{low}-{high}",
                method=own.method,
                confidence=0.85,
                pointer=pointer,
            )
        break
    text = (text_of(value) or "").replace(",", "").replace(" ", "")
    if re.fullmatch(r"\d{1,7}(?:\.0)?\+?", text):
        count = int(re.sub(r"\D.*", "", text))
        if count:
            found.add("employees", count, method=own.method, confidence=0.85, pointer=pointer)
    elif text in EMPLOYEE_BANDS:
        found.add("employee_range", text, method=own.method, confidence=0.85, pointer=pointer)
