"""Postal addresses: schema.org, hCard, and the lines of footers, contact pages and imprints.

A visible address is recognised by its postal line ("10115 Berlin", "Austin, TX 78701", "London EC1A 1BB")
with a street before it; where a page only writes about a place there is no such pair.
"""

import re
from dataclasses import replace
from typing import Any

from sightline.domain.countries import country_from_text
from sightline.domain.places import state_from_text
from sightline.sources.website.document import Line, Page, squeeze, words_pattern
from sightline.sources.website.findings import Findings
from sightline.sources.website.json_ld import inner_nodes, text_of, types_of
from sightline.sources.website.postal import Address, read_postal_line
from sightline.sources.website.structured import Node, Structured

_LANGUAGE_COUNTRY = {
    "de": "DE",
    "fr": "FR",
    "es": "ES",
    "it": "IT",
    "fi": "FI",
    "sv": "SE",
    "da": "DK",
    "no": "NO",
    "nl": "NL",
    "hu": "HU",
    "cs": "CZ",
    "pl": "PL",
}
_ADR = re.compile(r"\badr\b")
_MAX_LINE = 220
_MAX_ADDRESSES = 40


def find_addresses(
    page: Page,
    own: Node | None,
    data: Structured,
    found: Findings,
    *,
    role: str,
    language: str | None,
) -> list[Address]:
    """Every address of the page's own company; offices, and the head office where it is told apart."""
    addresses = _structured(own, data)
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
        head = replace(head, country_code=head.country_code or country_of_host(page.url))
        _head_office(
            head, found, sure=(0.85 if head.quote is None else 0.75) if head.head_office else 0.6
        )
    if role == "home" and (nation := country_of_host(page.url)):
        found.add("country_code", nation, method="link", confidence=0.5, pointer="top-level domain")
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
    found.add(
        "office",
        value,
        method=method,
        confidence=sure,
        quote=address.quote,
        pointer=address.pointer,
    )


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
        found.add(
            name,
            value,
            method=method,
            confidence=sure,
            quote=address.quote,
            pointer=address.pointer,
        )


def _structured(own: Node | None, data: Structured) -> list[Address]:
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
    made: list[Address] = []
    for inner in inner_nodes(node.data.get(key)):
        if {"streetAddress", "addressLocality", "postalCode"} & set(inner):
            address = _from_schema(inner, f"{node.pointer}/{key}", head=head and not made)
            if address:
                made.append(address)
    return made


def _from_schema(node: dict[str, Any], pointer: str, *, head: bool) -> Address | None:
    country = node.get("addressCountry")
    region = text_of(node.get("addressRegion"))
    nation = country_from_text(text_of(country))
    if nation is None and region and len(region) > 3 and (nation := country_from_text(region)):
        region = None
    # A code is no proof: MI is Michigan and Milan.
    state = state_from_text(region) if nation is None and region else None
    if state is not None and len(state.code) < len(region or ""):
        nation = country_from_text(state.country_code)
    street = squeeze(text_of(node.get("streetAddress")) or "") or None
    city = text_of(node.get("addressLocality"))
    if not city and not street:
        return None
    return Address(
        street=street,
        city=city,
        region=region,
        postcode=text_of(node.get("postalCode")),
        country_code=nation.alpha2 if nation else None,
        pointer=pointer,
        head_office=head,
    )


def _microformats(page: Page) -> list[Address]:
    made: list[Address] = []
    if not _ADR.search(page.html):
        return made
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
                    parts.get("street-address"),
                    parts["locality"],
                    parts.get("region"),
                    parts.get("postal-code"),
                    nation.alpha2 if nation else None,
                    pointer=page.path_of(holder),
                )
            )
    return made


def _visible(page: Page, *, role: str, language: str | None) -> list[Address]:
    made: list[Address] = []
    default = _default_country(page, language)
    everywhere = role in {"contact"}
    lines = page.lines
    for index, line in enumerate(lines):
        if len(line.text) > _MAX_LINE or not any(char.isdigit() for char in line.text):
            continue
        framed = line.region in {"footer", "aside", "header"} or _in_address(line)
        if not (
            everywhere
            or framed
            or (role in {"about", "home"} and line.region == "main" and _near_end(index, lines))
        ):
            continue
        address = read_postal_line(
            line.text,
            [each.text for each in lines[max(index - 3, 0) : index]],
            lines[index + 1].text if index + 1 < len(lines) else "",
            default=default,
        )
        if address is None:
            continue
        above = " ".join(
            each.text for each in lines[max(index - 5, 0) : index + 1] if len(each.text) < 120
        )
        head = words_pattern("places", "head_office").search(above) is not None
        made.append(
            Address(
                address.street,
                address.city,
                address.region,
                address.postcode,
                address.country_code,
                quote=line.text,
                pointer=page.path_of(line.element),
                head_office=head,
            )
        )
        if len(made) >= _MAX_ADDRESSES:
            break
    return made


def _default_country(page: Page, language: str | None) -> str | None:
    """The country a site speaks from: its top-level domain, else the language of one country."""
    return country_of_host(page.url) or _LANGUAGE_COUNTRY.get(language or "")


def country_of_host(url: str) -> str | None:
    """The country of an address's top-level domain; None for general ones and those used as such."""
    host = re.sub(r"^https?://", "", url).split("/")[0].split(":")[0]
    label = host.rpartition(".")[2].upper()
    if len(label) == 2 and label not in {
        "IO",
        "AI",
        "CO",
        "ME",
        "TV",
        "EU",
        "LY",
        "GG",
        "SO",
        "TO",
        "CC",
        "FM",
        "AM",
    }:
        nation = country_from_text(label)
        if nation:
            return nation.alpha2
    return None


def _in_address(line: Line) -> bool:
    element = line.element
    for _ in range(4):
        if element is None:
            return False
        if (
            element.tag == "address"
            or "vcard" in (element.get("class") or "")
            or "address" in (element.get("class") or "").lower()
        ):
            return True
        element = element.getparent()
    return False


def _near_end(index: int, lines: list[Line]) -> bool:
    return index >= len(lines) * 0.7
