"""Postal addresses: schema.org, hCard, and the lines of footers, contact pages and imprints.

A visible address is recognised by its postal line ("10115 Berlin", "Austin, TX 78701", "London EC1A 1BB")
with a street before it; where a page only writes about a place there is no such pair.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from sightline.domain.countries import country_from_text
from sightline.domain.places import state_from_text
from sightline.sources.website.document import Line, Page, squeeze, words_pattern
from sightline.sources.website.findings import Findings
from sightline.sources.website.json_ld import inner_nodes, text_of, types_of
from sightline.sources.website.structured import Node, Structured


@dataclass(frozen=True, slots=True)
class Address:
    """An address in parts, as the page writes them; `country_code` is ISO 3166-1 alpha-2."""

    street: str | None
    city: str | None
    region: str | None
    postcode: str | None
    country_code: str | None
    quote: str | None = None
    pointer: str | None = None
    head_office: bool = False


# The postal code is searched first and the rest parted at commas: no pattern runs over a whole line twice.
_US = re.compile(r"[,\s]([A-Z]{2}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)[,.]?\s{1,3}(\d{5}(?:-\d{4})?)(?![\d-])")
_CA = re.compile(r"[,\s]\(?([A-Z]{2}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\)?,?\s{1,3}([A-Z]\d[A-Z]\s?\d[A-Z]\d)\b")
_AU = re.compile(r"[,\s](NSW|VIC|QLD|WA|SA|TAS|ACT|NT),?\s{1,3}(\d{4})(?!\d)")
_GB = re.compile(r"\b([A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})\b")
_NL = re.compile(r"(?<![\w-])(?:NL-?\s?)?([1-9]\d{3}\s?[A-Z]{2})\s{1,3}(?=[A-Z'])")
_CODE_FIRST = re.compile(
    r"(?<![\w-])(?:(D|DE|A|AT|CH|F|FR|E|ES|I|IT|B|BE|L|DK|N|NO|S|SE|FI|FIN|CZ|SK|PL|HU|PT|LU|FL)[- ]\s?)?"
    r"(\d{5}|\d{4}-\d{3}|\d{2}-\d{3}|\d{3}\s\d{2}|\d{4})\s{1,3}(?=[A-ZÀ-ÞĀ-Ž])"
)
_CITY = re.compile(r"[A-ZÀ-ÞĀ-Ž'][\w.'’()/-]*(?:[ -][\w.'’()/&-]+){0,4}")
_PARTS = re.compile(r"[,|·•;]| [–—-] ")
_PLATES = {
    "D": "DE", "A": "AT", "F": "FR", "E": "ES", "I": "IT", "B": "BE", "L": "LU", "N": "NO", "S": "SE",
    "FIN": "FI", "FL": "LI",
}  # fmt: skip
_CODE_COUNTRIES = {
    5: frozenset({"DE", "FR", "ES", "IT", "FI", "MX", "TR", "UA", "EE", "HR", "RS", "LT", "GR", "CZ", "SK", "SE", "KR", "MY", "TH", "ID", "SA", "MC"}),
    4: frozenset({"AT", "CH", "BE", "LU", "DK", "NO", "HU", "BG", "SI", "LI", "CY", "LV", "NL", "PT", "ZA", "TN", "AU", "NZ"}),
}  # fmt: skip
_LANGUAGE_COUNTRY = {"de": "DE", "fr": "FR", "es": "ES", "it": "IT", "fi": "FI", "sv": "SE", "da": "DK", "no": "NO", "nl": "NL", "hu": "HU", "cs": "CZ", "pl": "PL"}
_NOT_STREET = re.compile(r"@|https?:|www\.|\b(?:tel|phone|fax|telefon|e-?mail|©|copyright|iban|bic|ust|vat|hrb|siret|rcs|tva)\b|\+\d", re.IGNORECASE)
_HOUSE = re.compile(r"^(?:[\w.'’ ,/#&°º()-]*\s)?\d{1,5}(?:\s?[a-zA-Z])?(?:\s?[-/+–]\s?\d{1,5}[a-z]?)?[.,]?(?:[\s,].*)?$|^\d")
_MAX_LINE = 220
_MAX_ADDRESSES = 40


def find_addresses(
    page: Page, own: Node | None, data: Structured, found: Findings, *, role: str, language: str | None
) -> list[Address]:
    """Every address of the page's own company; offices, and the head office where it is told apart."""
    addresses = _structured(page, own, data)
    addresses += _microformats(page)
    addresses += _visible(page, role=role, language=language)
    distinct: dict[str, Address] = {}
    for address in addresses:
        key = re.sub(r"\W", "", f"{address.postcode or ''}{address.city or ''}".casefold())
        before = distinct.get(key)
        if before is None or (address.street and not before.street):
            distinct[key] = address
    kept = list(distinct.values())[:_MAX_ADDRESSES]
    for address in kept:
        _office(address, found, sure=0.9 if address.quote is None else 0.75)
    head = next((address for address in kept if address.head_office), None)
    if head is None and len(kept) == 1:
        head = kept[0]
    if head is not None:
        _head_office(head, found, sure=(0.85 if head.quote is None else 0.75) if head.head_office else 0.6)
    return kept


def _office(address: Address, found: Findings, *, sure: float) -> None:
    value = {
        "name": None,
        "address": address.street,
        "city": address.city,
        "region": address.region,
        "postcode": address.postcode,
        "country_code": address.country_code,
    }
    method = "text" if address.quote else "structured"
    found.add("office", value, method=method, confidence=sure, quote=address.quote, pointer=address.pointer)


def _head_office(address: Address, found: Findings, *, sure: float) -> None:
    parts = {
        "hq_address": address.street,
        "hq_city": address.city,
        "hq_state": address.region,
        "hq_postcode": address.postcode,
        "country_code": address.country_code,
    }
    method = "text" if address.quote else "structured"
    for name, value in parts.items():
        found.add(name, value, method=method, confidence=sure, quote=address.quote, pointer=address.pointer)


def _structured(page: Page, own: Node | None, data: Structured) -> list[Address]:
    """The organization's own address first; then those of its offices and shops."""
    made: list[Address] = []
    if own is not None:
        made += _of_node(own, "address", head=True)
        made += _of_node(own, "location", head=False)
        made += _of_node(own, "department", head=False)
        made += _of_node(own, "subOrganization", head=False)
    for node in data.nodes:
        kinds = types_of(node.data)
        if own is not None and node.data is own.data:
            continue
        if "PostalAddress" in kinds:
            address = _from_schema(node.data, node.pointer, head=False)
            made += [address] if address else []
        elif {"ContactPage", "AboutPage"} & kinds:
            made += _of_node(node, "mainEntity", head=False)
    return made


def _of_node(node: Node, key: str, *, head: bool) -> list[Address]:
    made = []
    for inner in inner_nodes(node.data.get(key)):
        if {"streetAddress", "addressLocality", "postalCode"} & set(inner):
            address = _from_schema(inner, f"{node.pointer}/{key}", head=head and not made)
            if address:
                made.append(address)
    return made


def _from_schema(node: dict[str, Any], pointer: str, *, head: bool) -> Address | None:
    country = node.get("addressCountry")
    nation = country_from_text(text_of(country))
    street = squeeze(text_of(node.get("streetAddress")) or "") or None
    city = text_of(node.get("addressLocality"))
    if not city and not street:
        return None
    return Address(
        street=street,
        city=city,
        region=text_of(node.get("addressRegion")),
        postcode=text_of(node.get("postalCode")),
        country_code=nation.alpha2 if nation else None,
        pointer=pointer,
        head_office=head,
    )


def _microformats(page: Page) -> list[Address]:
    made = []
    holders = page.tree.xpath(
        "//*[contains(concat(' ',normalize-space(@class),' '),' adr ')"
        " or contains(concat(' ',normalize-space(@class),' '),' h-adr ')]"
    )
    for holder in holders[:20]:
        parts: dict[str, str] = {}
        for element in holder.iter():
            if isinstance(element.tag, str):
                for name in (element.get("class") or "").split():
                    parts.setdefault(name.removeprefix("p-"), squeeze(element.text_content()))
        if parts.get("locality") and (parts.get("street-address") or parts.get("postal-code")):
            nation = country_from_text(parts.get("country-name"))
            made.append(
                Address(
                    parts.get("street-address"), parts["locality"], parts.get("region"),
                    parts.get("postal-code"), nation.alpha2 if nation else None,
                    pointer=page.path_of(holder),
                )  # fmt: skip
            )
    return made


def _visible(page: Page, *, role: str, language: str | None) -> list[Address]:
    made = []
    default = _default_country(page, language)
    everywhere = role in {"contact"}
    lines = page.lines
    for index, line in enumerate(lines):
        if len(line.text) > _MAX_LINE or not any(char.isdigit() for char in line.text):
            continue
        framed = line.region in {"footer", "aside", "header"} or _in_address(line)
        if not (everywhere or framed or (role in {"about", "home"} and line.region == "main" and _near_end(index, lines))):
            continue
        address = read_postal_line(line.text, [each.text for each in lines[max(index - 3, 0) : index]],
                                   lines[index + 1].text if index + 1 < len(lines) else "", default=default)  # fmt: skip
        if address is None:
            continue
        above = " ".join(each.text for each in lines[max(index - 5, 0) : index + 1] if len(each.text) < 120)
        head = words_pattern("places", "head_office").search(above) is not None
        made.append(
            Address(
                address.street, address.city, address.region, address.postcode, address.country_code,
                quote=line.text, pointer=page.path_of(line.element), head_office=head,
            )  # fmt: skip
        )
        if len(made) >= _MAX_ADDRESSES:
            break
    return made


def read_postal_line(text: str, before: list[str], after: str, *, default: str | None) -> Address | None:
    """An address whose postal line is `text`; `before` are the lines above it, the nearest last."""
    text = squeeze(text).strip(" .,|·•")
    for label in ("Address:", "Adresse:", "Anschrift:", "Dirección:", "Indirizzo:"):
        text = text.removeprefix(label).strip()
    for read in (_read_us, _read_ca, _read_au, _read_gb, _read_nl, _read_code_first):
        found = read(text, default)
        if found is None:
            continue
        street = found.street if found.street and _is_street(found.street) else None
        if street is None:
            street = _street_above(before)
        if street is None:
            return None
        nation = found.country_code or _country_line(after)
        if nation is None:
            return None
        return Address(street, found.city, found.region, found.postcode, nation)
    return None


def _read_us(text: str, default: str | None) -> Address | None:
    return _state_then_code(_US, text, "US")


def _read_ca(text: str, default: str | None) -> Address | None:
    return _state_then_code(_CA, text, "CA")


def _read_au(text: str, default: str | None) -> Address | None:
    return _state_then_code(_AU, text, "AU")


def _state_then_code(pattern: re.Pattern[str], text: str, country: str) -> Address | None:
    for match in pattern.finditer(text):
        state = state_from_text(match[1], country)
        if state is None or state.country_code != country:
            continue
        tail = text[match.end() :].strip(" ,.|·•")
        nation = country_from_text(tail) if tail and len(tail) < 40 else None
        if nation is not None and nation.alpha2 != country:
            return None
        street, city = _split(text[: match.start()])
        return _address(street, city, state.label, match[2], country) if city else None
    return None


def _read_gb(text: str, default: str | None) -> Address | None:
    match = _GB.search(text)
    if not match:
        return None
    street, city = _split(text[: match.start()])
    return _address(street, city, None, match[1], "GB") if city else None


def _read_nl(text: str, default: str | None) -> Address | None:
    match = _NL.search(text)
    return _code_then_city(text, match.start(), match.end(), match[1], "NL") if match else None


def _read_code_first(text: str, default: str | None) -> Address | None:
    for match in _CODE_FIRST.finditer(text):
        plate, code = match[1], match[2]
        nation = _country_behind(text[match.end() :])
        country = (_PLATES.get(plate, plate) if plate else None) or nation or _by_code(code, default)
        # A year before a word looks like a code of four digits.
        if len(code) == 4 and code[:2] in {"19", "20"} and not plate and not nation:
            if country not in {"AT", "CH", "BE", "DK", "NO", "HU", "LU"}:
                continue
        found = _code_then_city(text, match.start(), match.end(), code, country)
        if found:
            return found
    return None


def _code_then_city(text: str, start: int, end: int, code: str, country: str | None) -> Address | None:
    city = _PARTS.split(text[end:], maxsplit=1)[0].strip(" .")
    if len(city) < 2 or any(char.isdigit() for char in city) or not _CITY.fullmatch(city):
        return None
    return _address(text[:start], city, None, code, country)


def _country_behind(text: str) -> str | None:
    """The country that the last part of a line names."""
    parts = [part.strip(" .") for part in _PARTS.split(text)]
    nation = country_from_text(parts[-1]) if len(parts) > 1 and 1 < len(parts[-1]) < 30 else None
    return nation.alpha2 if nation else None


def _split(text: str) -> tuple[str | None, str | None]:
    """Street and city of what stands before state or code; the city is the last part."""
    parts = [part.strip(" .") for part in _PARTS.split(text) if part.strip(" .")]
    if not parts:
        return None, None
    city = parts[-1]
    if any(char.isdigit() for char in city) or not _CITY.fullmatch(city) or len(city.split()) > 4:
        return None, None
    return ", ".join(parts[:-1]) or None, city


def _by_code(code: str, default: str | None) -> str | None:
    if re.fullmatch(r"\d{2}-\d{3}", code):
        return "PL"
    if re.fullmatch(r"\d{4}-\d{3}", code):
        return "PT"
    if re.fullmatch(r"\d{3}\s\d{2}", code):
        return default if default in {"SE", "CZ", "SK", "GR"} else None
    return default if default in _CODE_COUNTRIES[len(code)] else None


def _address(street: str | None, city: str, region: str | None, code: str, country: str | None) -> Address:
    return Address(squeeze(street or "").strip(" ,|·•–-") or None, city.strip(" ,."), region, code, country)


def _is_street(text: str) -> bool:
    if not 4 <= len(text) <= 110 or _NOT_STREET.search(text):
        return False
    if not re.search(r"[^\W\d_]{2}", text):
        return False
    return _HOUSE.match(text) is not None or words_pattern("places", "street").search(text) is not None or _street_word().search(text) is not None


@cache
def _street_word() -> re.Pattern[str]:
    """Streets written as one word: "Hauptstraße 5", "Keizersgracht 12"."""
    return re.compile(r"\w(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|ring|damm|ufer|gracht|straat|laan|plein|vej|gade|gatan|vägen|katu)\b", re.IGNORECASE)


def _street_above(before: list[str]) -> str | None:
    """The street in the nearest line above; a suite or floor may stand between."""
    for offset, text in enumerate(reversed(before[-2:])):
        text = text.strip(" ,|·•")
        if _is_street(text) and len(text) <= 90:
            if offset == 0 and len(before) > 1 and words_pattern("places", "suite").match(text) and _is_street(before[-2].strip(" ,")):
                return f"{before[-2].strip(' ,')}, {text}"
            return text
        if len(text) > 60:
            return None
    return None


def _country_line(text: str) -> str | None:
    nation = country_from_text(text.strip(" .,|")) if 3 < len(text) < 40 else None
    return nation.alpha2 if nation else None


def _default_country(page: Page, language: str | None) -> str | None:
    """The country a site speaks from: its top-level domain, else the language of one country."""
    return country_of_host(page.url) or _LANGUAGE_COUNTRY.get(language or "")


def country_of_host(url: str) -> str | None:
    """The country of an address's top-level domain; None for general ones and those used as such."""
    host = re.sub(r"^https?://", "", page.url).split("/")[0].split(":")[0]
    label = host.rpartition(".")[2].upper()
    if len(label) == 2 and label not in {"IO", "AI", "CO", "ME", "TV", "EU", "LY", "GG", "SO", "TO", "CC", "FM", "AM"}:
        nation = country_from_text(label)
        if nation:
            return nation.alpha2
    return None


def _in_address(line: Line) -> bool:
    element = line.element
    for _ in range(4):
        if element is None:
            return False
        if element.tag == "address" or "vcard" in (element.get("class") or "") or "address" in (element.get("class") or "").lower():
            return True
        element = element.getparent()
    return False


def _near_end(index: int, lines: list[Line]) -> bool:
    return index >= len(lines) * 0.7
