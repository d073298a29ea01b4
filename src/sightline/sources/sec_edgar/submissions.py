"""Registrant data from data.sec.gov/submissions: identity, and the list of filings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from sightline.domain.casing import title_words
from sightline.domain.countries import country_from_text
from sightline.domain.evidence import Observation
from sightline.domain.industries import industry_from_sic, industry_from_text
from sightline.domain.names import fold
from sightline.domain.websites import domain_of
from sightline.reading.dates import iso_day
from sightline.reading.legal_forms import is_organization_name
from sightline.sources.bodies import json_object
from sightline.sources.sec_edgar.names import (
    ADDRESS_PARTS,
    address_fields,
    edgar_place,
    insider_name,
    registrant_name,
    valid_phone,
)
from sightline.sources.values import at, rows

_ARCHIVES = "https://www.sec.gov/Archives/edgar/data"
_ACCESSION = re.compile(r"\d{10}-\d{2}-\d{6}")
_NORTH_AMERICAN = re.compile(r"\(?[2-9]\d{2}\)?[-. ]{1,2}\d{3}[-. ]\d{4}")
_FILLERS = frozenset({"none", "n/a", "na", "-", "null"})
_STYLED = re.compile(r"^xsl[^/]+/")
# Exchanges where a price is published but no shares are admitted to listing.
_NO_EXCHANGE = frozenset({"OTC", "NONE", ""})
_SYMBOLS = {"nasdaq": "NASDAQ", "nyse": "NYSE", "cboe": "CBOE", "nyse american": "NYSEAMERICAN"}


class NotSubmissions(ValueError):
    """The body is not a submissions answer."""


@dataclass(frozen=True, slots=True)
class FilingRow:
    """One filing as the index lists it. `cik` has 10 digits."""

    cik: str
    accession: str
    form: str
    filed: date | None
    report_date: date | None = None
    primary_document: str = ""
    items: tuple[str, ...] = ()

    @property
    def folder_url(self) -> str:
        """Where all documents of the filing are; ends in a slash."""
        return f"{_ARCHIVES}/{int(self.cik)}/{self.accession.replace('-', '')}/"

    @property
    def document_url(self) -> str:
        """The primary document as filed; the full text where the index names none (before 2001)."""
        if not self.primary_document:
            return self.full_text_url
        return self.folder_url + _STYLED.sub("", self.primary_document)

    @property
    def index_url(self) -> str:
        """The page that lists the filing's documents and exhibits."""
        return f"{_ARCHIVES}/{int(self.cik)}/{self.accession}-index.html"

    @property
    def full_text_url(self) -> str:
        """The complete submission, all documents in one text."""
        return f"{self.folder_url}{self.accession}.txt"


@dataclass(frozen=True, slots=True)
class Submissions:
    """A registrant. A person who files ownership forms has `is_person` and no observations."""

    cik: str
    name: str
    is_person: bool
    observations: tuple[Observation, ...]
    filings: tuple[FilingRow, ...]


def read_submissions(content: bytes) -> Submissions:
    """The registrant of CIK##########.json, newest filings first. Raises NotSubmissions."""
    data = json_object(content, NotSubmissions)
    number = str(data.get("cik") or "").strip()
    if not number.isdigit() or "filings" not in data:
        raise NotSubmissions("The JSON object has no cik and filings.")
    cik = number.zfill(10)
    filings = data["filings"] if isinstance(data["filings"], dict) else {}
    person = _is_person(data)
    return Submissions(
        cik=cik,
        name=(insider_name if person else registrant_name)(_text(data, "name")),
        is_person=person,
        observations=() if person else tuple(_identity(data, cik)),
        filings=_rows(filings.get("recent"), cik),
    )


def _is_person(data: dict[str, Any]) -> bool:
    """EDGAR does not say so: people have owner forms, and neither shares nor a tax number."""
    return (
        bool(data.get("insiderTransactionForOwnerExists"))
        and not data.get("insiderTransactionForIssuerExists")
        and not data.get("tickers")
        and not _text(data, "ein").strip("0")
        and not is_organization_name(_text(data, "name"))
    )


def _identity(data: dict[str, Any], cik: str) -> Iterator[Observation]:
    def seen(field: str, value: object, pointer: str, confidence: float = 0.95) -> Observation:
        return Observation(field, value, "api", confidence, pointer=pointer)

    yield seen("cik", cik, "/cik", 1.0)
    yield from _names(data)
    yield from _business(data)
    yield from _address(data)
    if phone := _phone(data):
        yield seen("phone", phone, "/phone", 0.85)
    for key in ("website", "investorWebsite"):
        if domain := domain_of(_text(data, key)):
            yield seen("website_domain", domain, f"/{key}", 0.9 if key == "website" else 0.5)
            break
    if (lei := _text(data, "lei")) and len(lei) == 20:
        yield seen("lei", lei, "/lei")
    end = _text(data, "fiscalYearEnd")
    if len(end) == 4 and end.isdigit():
        yield seen("fiscal_year_end", f"{end[:2]}-{end[2:]}", "/fiscalYearEnd")
    yield from _listings(data)


def _names(data: dict[str, Any]) -> Iterator[Observation]:
    def seen(field: str, value: str, pointer: str, confidence: float) -> Observation:
        return Observation(field, value, "api", confidence, pointer=pointer)

    raw = _text(data, "name")
    name = registrant_name(raw)
    if name:
        yield seen("company_name", name, "/name", 0.8 if raw.isupper() else 0.9)
        yield seen("legal_name", name, "/name", 0.75 if raw.isupper() else 0.9)
    said = {fold(name)}
    for index, former in enumerate(
        former for former in rows(data, "formerNames") if isinstance(former, dict)
    ):
        old = registrant_name(_text(former, "name"))
        if old and fold(old) not in said:
            said.add(fold(old))
            yield seen("alternative_name", old, f"/formerNames/{index}/name", 0.9)


def _business(data: dict[str, Any]) -> Iterator[Observation]:
    sic = _text(data, "sic")
    if not (sic.isdigit() and 3 <= len(sic) <= 4):
        return
    yield Observation("sic", sic.zfill(4), "api", 0.95, pointer="/sic")
    described = _text(data, "sicDescription")
    industry = industry_from_sic(sic) or industry_from_text(described)
    if industry is not None:
        yield Observation("industry", industry.name, "api", 0.7, pointer="/sic")


def _address(data: dict[str, Any]) -> Iterator[Observation]:
    for kind, confidence in (("business", 0.85), ("mailing", 0.5)):
        address = at(data, "addresses", kind)
        if not isinstance(address, dict) or not (
            _text(address, "city") or _text(address, "street1")
        ):
            continue
        country, state = address_place(address)
        found = address_fields(
            (_text(address, "street1"), _text(address, "street2")),
            city=_text(address, "city"),
            state=state,
            postcode=_text(address, "zipCode"),
            country=country,
        )
        for field, value in found.items():
            pointer = f"/addresses/{kind}/{ADDRESS_PARTS[field]}"
            yield Observation(field, value, "api", confidence, pointer=pointer)
        return


def address_place(address: dict[str, Any]) -> tuple[str | None, str | None]:
    """Country code and state of an address of the submissions answer, in its older or newer shape."""
    country, state = edgar_place(
        _text(address, "stateOrCountry"), _text(address, "stateOrCountryDescription")
    )
    if country is None and (code := _text(address, "countryCode")):
        country, state = edgar_place(code, _text(address, "country"))
        region = title_words(_text(address, "foreignStateTerritory"))
        # Many fill in their country once more.
        if region and country_from_text(region) is None:
            state = state or region
    return country, state


def _phone(data: dict[str, Any]) -> str | None:
    """E.164 where the number is clear; a valid number without country prefix is read at home."""
    raw = _text(data, "phone")
    if not any(letter.isdigit() for letter in raw):
        return None
    business = at(data, "addresses", "business")
    region = address_place(business)[0] if isinstance(business, dict) else None
    if _NORTH_AMERICAN.fullmatch(raw):
        # Also of foreign companies: their depositary's or lawyer's in New York.
        region = region if region in ("US", "CA") else "US"
    digits = "".join(letter for letter in raw if letter.isdigit())
    return valid_phone([(raw, region or "US"), (f"+{digits}", None)])


def _listings(data: dict[str, Any]) -> Iterator[Observation]:
    tickers = [str(t).strip().upper() for t in rows(data, "tickers") if t]
    exchanges = [str(e or "").strip() for e in rows(data, "exchanges")]
    for index, ticker in enumerate(tickers):
        exchange = exchanges[index] if index < len(exchanges) else ""
        value = {"ticker": ticker, "exchange": exchange or None, "title": None}
        yield Observation("listing", value, "api", 0.9, pointer=f"/tickers/{index}")
    if tickers:
        exchange = exchanges[0] if exchanges else ""
        yield Observation("stock_ticker", tickers[0], "api", 0.9, pointer="/tickers/0")
        if exchange:
            yield Observation("stock_exchange_name", exchange, "api", 0.9, pointer="/exchanges/0")
        if symbol := _SYMBOLS.get(exchange.lower()):
            yield Observation("stock_exchange_symbol", symbol, "api", 0.9, pointer="/exchanges/0")
        listed = exchange.upper() not in _NO_EXCHANGE
        # Traded over the counter is public, too, but less sure to be so in the reader's sense.
        yield Observation(
            "public_company", True, "api", 0.95 if listed else 0.7, pointer="/tickers"
        )


def _rows(table: object, cik: str) -> tuple[FilingRow, ...]:
    """The rows of EDGAR's table of columns; one broken row costs no other."""
    if not isinstance(table, dict):
        return ()
    accessions = rows(table, "accessionNumber")

    def cell(column: str, index: int) -> Any:
        return next(iter(rows(table, column)[index : index + 1]), None)

    listed = []
    for index, accession in enumerate(accessions):
        if not isinstance(accession, str) or not _ACCESSION.fullmatch(accession):
            continue
        listed.append(
            FilingRow(
                cik=cik,
                accession=accession,
                form=str(cell("form", index) or ""),
                filed=iso_day(cell("filingDate", index)),
                report_date=iso_day(cell("reportDate", index)),
                primary_document=str(cell("primaryDocument", index) or ""),
                items=_items(cell("items", index)),
            )
        )
    return tuple(listed)


def _items(value: object) -> tuple[str, ...]:
    return tuple(part.strip() for part in str(value or "").split(",") if part.strip())


def _text(data: dict[str, Any], key: str) -> str:
    value = data.get(key)
    text = str(value).strip() if isinstance(value, str | int) else ""
    return "" if text.casefold() in _FILLERS else text
