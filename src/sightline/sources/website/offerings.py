"""What a company sells and whom it names as customers.

Products come from structured data and from links below the product pages; customers from logos and
case studies under a heading or on a page about customers. A shop's thousand articles are no products.
"""

import re
from urllib.parse import unquote, urlsplit

from sightline.domain.names import fold
from sightline.sources.website.document import Page, Picture, vocabulary, words_pattern
from sightline.sources.website.findings import Findings
from sightline.sources.website.json_ld import address_of, inner_nodes, text_of, types_of
from sightline.sources.website.links import site_of
from sightline.sources.website.structured import Node, Structured

_PRODUCT_TYPES = frozenset(
    {
        "Product",
        "SoftwareApplication",
        "WebApplication",
        "MobileApplication",
        "ProductModel",
        "ProductGroup",
        "Vehicle",
        "FinancialProduct",
    }
)
_PRODUCT_PATH = re.compile(
    r"^(?:/[a-z]{2}(?:[-_][a-z]{2,4})?)?/(?:products?|produkte?|produits?|productos?|prodotti"
    r"|producten|platform|plattform"
    r"|plateforme|plataforma|software|apps?)/([\w%.-]{2,60})/?$",
    re.IGNORECASE,
)
_CUSTOMER_PATH = re.compile(
    r"^(?:/[a-z]{2}(?:[-_][a-z]{2,4})?)?(?:/[\w-]+)?/(?:customers?|clients?|customer-stories"
    r"|case-stud(?:y|ies)|success-stories"
    r"|references?|referenzen|kunden|fallstudien|casos-de-exito|clientes|etudes-de-cas)/([\w%.-]{2,60})/?$",
    re.IGNORECASE,
)
_LOGO_WORDS = re.compile(
    r"\s*[-–|:]?\s*\b(?:company\s+)?(?:logo(?:type)?|logos|icon|brand|svg|png|jpe?g|webp|image"
    r"|white|black|colou?r|grey|gray|dark"
    r"|light|mono|horizontal|vertical|transparent|customer|client|partner|case study|success"
    r" story)\b\s*[-–|:]?\s*",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"\.\w{3,4}$|^[\w-]*[_\d]{3,}[\w-]*$|^[a-f0-9-]{12,}$|^(?:img|image|photo|dsc|screenshot"
    r"|frame|group|vector|rectangle)[-_ ]?\d*$",
    re.IGNORECASE,
)
_MAX_PRODUCTS = 40
_MAX_CUSTOMERS = 120
_SHOP = 60


def find_products(
    page: Page, own: Node | None, data: Structured, found: Findings, *, role: str
) -> None:
    """Products and services by name."""
    _structured_products(page, own, data, found, role=role)
    if role not in {"home", "products", "about"}:
        return
    candidates: dict[str, tuple[str, str, str, float]] = {}
    for anchor in page.anchors:
        if not anchor.url.startswith("http") or site_of(anchor.url) != site_of(page.url):
            continue
        parts = urlsplit(anchor.url)
        match = _PRODUCT_PATH.match(parts.path)
        if not match or parts.query:
            continue
        name = _product_name(anchor.text, unquote(match[1]))
        if name:
            sure = 0.7 if anchor.region in {"nav", "header", "footer"} else 0.6
            candidates.setdefault(
                fold(name), (name, anchor.url, page.path_of(anchor.element), sure)
            )
    if len(candidates) > _SHOP:
        page.notes.append(f"{len(candidates)} product pages: a shop, whose articles are left out.")
        return
    for name, url, pointer, sure in list(candidates.values())[:_MAX_PRODUCTS]:
        found.add(
            "product",
            {"name": name, "url": url},
            method="link",
            confidence=sure,
            quote=name,
            pointer=pointer,
        )


def _structured_products(
    page: Page, own: Node | None, data: Structured, found: Findings, *, role: str
) -> None:
    made = 0
    for node in data.nodes:
        if types_of(node.data) & _PRODUCT_TYPES:
            made += _product(page, node.data, node.pointer, node.method, found)
        elif "ItemList" in types_of(node.data) and role == "products":
            for inner in inner_nodes(node.data.get("itemListElement")):
                if types_of(inner) & _PRODUCT_TYPES and made < _MAX_PRODUCTS:
                    made += _product(
                        page, inner, f"{node.pointer}/itemListElement", node.method, found
                    )
    if own is not None:
        for key in ("makesOffer", "hasOfferCatalog", "owns"):
            for inner in inner_nodes(own.data.get(key)):
                if types_of(inner) & (_PRODUCT_TYPES | {"Service"}) and made < _MAX_PRODUCTS:
                    made += _product(page, inner, f"{own.pointer}/{key}", own.method, found)


def _product(
    page: Page, node: dict[str, object], pointer: str, method: str, found: Findings
) -> int:
    name = (text_of(node.get("name")) or "").strip(" ,;:")
    if not name or len(name) > 150:
        return 0
    value = {
        "name": name,
        "description": (text_of(node.get("description")) or "")[:500] or None,
        "url": page.absolute(address_of(node.get("url"))),
    }
    found.add("product", value, method=method, confidence=0.85, pointer=pointer)
    return 1


def _product_name(text: str, slug: str) -> str | None:
    """The name a link gives; it must agree with the address, so that "Learn more" is none."""
    text = text.strip(" »›→>")
    folded = fold(text)
    words = folded.split()
    slug_words = fold(slug.replace("-", " ").replace("_", " ")).split()
    if not words or not slug_words or folded in _generic("products"):
        return None
    if len(words) > 8:
        # A card: its title comes first, and the address repeats it.
        count = len(slug_words)
        if words[:count] != slug_words:
            return None
        return " ".join(text.split()[:count])
    overlap = len(set(words) & set(slug_words)) / len(set(slug_words))
    squeezed = "".join(words) in "".join(slug_words) or "".join(slug_words) in "".join(words)
    return text if (overlap >= 0.5 or squeezed) and len(words) <= 6 else None


def _generic(key: str) -> frozenset[str]:
    words: list[str] = vocabulary()["generic"][key]
    return frozenset(map(fold, words))


def find_customers(page: Page, found: Findings, *, role: str, company: str | None) -> None:
    """Customers by their logos and case studies."""
    own = fold(company or "")
    made = 0
    for pictures, sure in _logo_groups(page, role=role):
        names = [
            (name, picture)
            for picture in pictures
            if (name := logo_name(picture.alt)) and fold(name) != own
        ]
        # One picture beside a heading is an illustration; a wall has several.
        if len({fold(name) for name, _ in names}) < 3:
            continue
        for name, picture in names:
            if made < _MAX_CUSTOMERS:
                found.add("customer", {"name": name, "url": None}, method="image", confidence=sure,
                          pointer=f"{page.path_of(picture.element)}/@alt")  # fmt: skip
                made += 1
    if role in {"customers", "home"}:
        _case_studies(page, found, own)


def _logo_groups(page: Page, *, role: str) -> list[tuple[list[Picture], float]]:
    """Pictures under each heading that announces customers, up to the next heading."""
    groups: list[tuple[list[Picture], float]] = []
    announcing = [
        line for line in page.lines
        if line.region not in {"nav", "footer"} and len(line.text) <= 140 and _announces(line.text)
    ]  # fmt: skip
    headings = [line for line in page.lines if line.level]
    pictures = [
        picture
        for picture in page.pictures
        if picture.alt and picture.region not in {"nav", "footer", "header"}
    ]
    for line in announcing:
        following = [each.order for each in headings if each.order > line.order]
        end = following[0] if following else line.order + 60
        inside = [
            picture
            for picture in pictures
            if line.order <= picture.order < min(end, line.order + 60)
        ]
        if inside:
            groups.append((inside, 0.75))
    if role == "customers":
        logos = [
            picture
            for picture in pictures
            if "logo" in f"{picture.alt} {picture.url} {picture.element.get('class')}".lower()
        ]
        groups.append((logos, 0.7))
    return groups


def _announces(text: str) -> bool:
    return words_pattern("generic", "customer_headings").search(text) is not None


def logo_name(alt: str) -> str | None:
    """The company an alternative text names: "Acme Corp logo" gives "Acme Corp"."""
    if not alt or len(alt) > 60 or _FILE_NAME.search(alt.strip()):
        return None
    name = _LOGO_WORDS.sub(" ", alt).strip(" -–|:,._")
    name = re.sub(
        r"^(?:the|das|le|el)\s+(?=logo)|\s+(?:of|von|de)$",
        "",
        " ".join(name.split()),
        flags=re.IGNORECASE,
    )
    words = name.split()
    folded = fold(name)
    if not 1 <= len(words) <= 5 or len(folded) < 2 or folded in _generic("pictures"):
        return None
    if words_pattern("generic", "no_customer").search(name) or not any(
        char.isalpha() for char in name
    ):
        return None
    lower = all(word.islower() for word in words)
    return None if lower and len(words) > 2 else name


def _case_studies(page: Page, found: Findings, own: str) -> None:
    """Pages below /customers/ whose link or picture repeats the name in the address."""
    for anchor in page.anchors:
        match = (
            _CUSTOMER_PATH.match(urlsplit(anchor.url).path)
            if anchor.url.startswith("http")
            else None
        )
        if not match or site_of(anchor.url) != site_of(page.url):
            continue
        slug = fold(unquote(match[1]).replace("-", " ").replace("_", " ")).split()
        if not 1 <= len(slug) <= 4 or set(slug) & _generic("customers"):
            continue
        name = _spelled(anchor.text, slug)
        if name is None:
            for picture in anchor.element.iter("img"):
                alt = logo_name(picture.get("alt") or "")
                if alt and fold(alt).split() == slug:
                    name = alt
        if name and fold(name) != own:
            found.add("customer", {"name": name, "url": None}, method="link", confidence=0.7,
                      quote=anchor.text or None, pointer=page.path_of(anchor.element))  # fmt: skip


def _spelled(text: str, slug: list[str]) -> str | None:
    """The words of a link that spell the slug, as the link writes them."""
    words = text.split()
    folded = [fold(word) for word in words]
    for start in range(max(len(words) - len(slug) + 1, 0)):
        if folded[start : start + len(slug)] == slug:
            name = " ".join(words[start : start + len(slug)]).strip(" ,.:;–-'’")
            return name if name[:1].isupper() or name[:1].isdigit() else None
    return None
