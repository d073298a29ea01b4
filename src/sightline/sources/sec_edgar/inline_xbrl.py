"""Inline XBRL of a periodic report: cover page, results by period, segments."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from sightline.domain.casing import title_words
from sightline.domain.countries import country_from_text
from sightline.domain.evidence import Observation
from sightline.domain.names import fold
from sightline.domain.places import state_from_text
from sightline.reading.dates import first_day
from sightline.sources.sec_edgar.companyfacts import PeriodFigure, figure_observations, figures
from sightline.sources.sec_edgar.facts import Facts, FiscalCalendar, Period, is_quarter, is_year
from sightline.sources.sec_edgar.inline_facts import (
    InlineDocument,
    InlineFact,
    read_inline_document,
)
from sightline.sources.sec_edgar.names import (
    address_fields,
    edgar_place,
    registrant_name,
    valid_phone,
)
from sightline.sources.sec_edgar.segments import SegmentFigure, segment_figures

_EXCHANGES = {
    "NASDAQ": ("Nasdaq", "NASDAQ"), "NYSE": ("NYSE", "NYSE"), "CHX": ("NYSE Chicago", "NYSECHICAGO"),
    "NYSEAMER": ("NYSE American", "NYSEAMERICAN"), "NYSEArca": ("NYSE Arca", "NYSEARCA"),
    "CboeBZX": ("Cboe BZX", "CBOE"), "BOX": ("BOX", "BOX"),
}  # fmt: skip
_SPELLED = (
    ("nasdaq", "NASDAQ"), ("nyse american", "NYSEAMER"), ("nyse arca", "NYSEArca"),
    ("new york stock", "NYSE"), ("nyse", "NYSE"), ("cboe", "CboeBZX"),
)  # fmt: skip
_ANNUAL = ("10-K", "20-F", "40-F")
_DEBT = frozenset("note notes bond bonds debenture debentures due".split())
_OTHER_SHARES = frozenset("preferred preference warrant warrants right rights unit units".split())
_LEAP_YEAR = 2000
# Which element of the cover page an address field is taken from.
_ADDRESS = {
    "hq_address": "EntityAddressAddressLine1", "hq_city": "EntityAddressCityOrTown",
    "hq_state": "EntityAddressStateOrProvince", "hq_postcode": "EntityAddressPostalZipCode",
    "country_code": "EntityAddressStateOrProvince",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class InlineReport:
    """A tagged report. `cover` are its cover page's texts by element ("EntityRegistrantName")."""

    form: str
    period_end: date | None
    fiscal_year: int | None
    cover: dict[str, str]
    periods: tuple[PeriodFigure, ...]
    segments: tuple[SegmentFigure, ...]
    observations: tuple[Observation, ...]


def read_inline_xbrl(content: bytes) -> InlineReport | None:
    """The tagged content of a 10-K, 10-Q, 20-F or 40-F; None when nothing is tagged."""
    document = read_inline_document(content)
    if document is None:
        return None
    cover = _cover_texts(document)
    form = cover.get("DocumentType", "").upper()
    end = first_day(cover.get("DocumentPeriodEndDate", ""), slashes=True)
    end = end or max((f.context.end for f in document.facts if f.context.start), default=None)
    year = cover.get("DocumentFiscalYearFocus", "")
    fiscal_year = int(year) if year.isdigit() else None
    calendar = _calendar(cover, fiscal_year, end)
    _, every = figures(Facts(_as_taxonomies(document.facts, form, fiscal_year)), calendar)
    annual = form.startswith(_ANNUAL)
    periods = _periods(every, annual=annual)
    segments = _segments(document, every, end, length=is_year if annual or not form else is_quarter)
    observations = (
        *_cover(cover, document, end),
        *figure_observations(every if annual else [], list(periods)),
        *(_segment(figure) for figure in segments),
    )
    return InlineReport(form, end, fiscal_year, cover, periods, segments, observations)


def _periods(every: list[PeriodFigure], *, annual: bool) -> tuple[PeriodFigure, ...]:
    """The figures of fiscal years and quarters, newest first."""
    labelled = (f for f in every if f.label and (f.is_year or not annual or f.start))
    return tuple(sorted(labelled, key=lambda f: (f.end, f.metric), reverse=True))


def _segments(
    document: InlineDocument,
    every: list[PeriodFigure],
    end: date | None,
    *,
    length: Callable[[Period], bool],
) -> tuple[SegmentFigure, ...]:
    """Figures of segments in periods of a length."""
    revenue = {(f.start, f.end): float(f.amount) for f in every if f.metric == "revenue"}
    return segment_figures(
        document.facts,
        wanted=lambda start, stop: length((start, stop)) and _is_recent(stop, end),
        total=lambda period: revenue.get(period),
    )


def _cover_texts(document: InlineDocument) -> dict[str, str]:
    """The texts of the cover page by element, of each the first."""
    cover: dict[str, str] = {}
    for tagged in document.texts:
        if not tagged.dimensions and tagged.text:
            cover.setdefault(tagged.name.removeprefix("dei:"), tagged.text)
    return cover


def _calendar(
    cover: dict[str, str], fiscal_year: int | None, end: date | None
) -> FiscalCalendar | None:
    """The company's counting of fiscal years, as the cover page says it."""
    closing = _closing(cover)
    if not (closing and fiscal_year and end):
        return None
    return FiscalCalendar.of_cover(closing, fiscal_year=fiscal_year, period_end=end)


def _as_taxonomies(
    facts: tuple[InlineFact, ...], form: str, fiscal_year: int | None
) -> dict[str, Any]:
    """The facts without dimensions, in the shape of the companyfacts service."""
    taxonomies: dict[str, Any] = {}
    newest = max((fact.context.end for fact in facts), default=None)
    for fact in facts:
        if fact.context.dimensions:
            continue
        prefix, _, element = fact.name.partition(":")
        units = taxonomies.setdefault(prefix, {}).setdefault(element, {"units": {}})["units"]
        raw: dict[str, Any] = {
            "end": fact.context.end.isoformat(),
            "val": fact.value,
            "form": form,
            "fy": fiscal_year,
            "filed": newest.isoformat() if newest else "",
            "accn": "this document",
        }
        if fact.context.start is not None:
            raw["start"] = fact.context.start.isoformat()
        units.setdefault(fact.unit, []).append(raw)
    return taxonomies


def _is_recent(end: date, newest: date | None) -> bool:
    return newest is None or (newest - end).days < 3 * 366


def _segment(figure: SegmentFigure) -> Observation:
    value = {
        "axis": figure.axis,
        "name": figure.name,
        "metric": figure.metric,
        "amount": figure.amount,
        "currency": figure.currency,
        "period_start": figure.start.isoformat(),
        "period_end": figure.end.isoformat(),
        "member": figure.member,
        "change": figure.change,
        **({"of": figure.of} if figure.of else {}),
    }
    pointer = (
        f"{figure.element} [{figure.member}] {figure.start.isoformat()}/{figure.end.isoformat()}"
    )
    return Observation("segment", value, "xbrl", 0.9, pointer=pointer, as_of=figure.end)


def _cover(
    cover: dict[str, str], document: InlineDocument, end: date | None
) -> Iterator[Observation]:
    def seen(field: str, value: object, element: str, confidence: float = 0.95) -> Observation:
        return Observation(field, value, "xbrl", confidence, pointer=f"dei:{element}", as_of=end)

    raw = cover.get("EntityRegistrantName", "")
    name = registrant_name(raw)
    if name:
        yield seen("legal_name", name, "EntityRegistrantName")
        # All capitals were put into ordinary case by a guess.
        yield seen("company_name", name, "EntityRegistrantName", 0.8 if raw.isupper() else 0.9)
    cik = cover.get("EntityCentralIndexKey", "")
    if cik.isdigit():
        yield seen("cik", cik.zfill(10), "EntityCentralIndexKey", 1.0)
    closing = _closing(cover)
    if closing is not None:
        yield seen("fiscal_year_end", closing.strftime("%m-%d"), "CurrentFiscalYearEndDate")
    yield from _address(cover, seen)
    yield from _listings(document, end)
    yield from _shares(document)


def _address(cover: dict[str, str], seen: Any) -> Iterator[Observation]:
    code = cover.get("EntityAddressCountry", "")
    nation = country_from_text(code)
    stated = nation.alpha2 if nation else None
    region = cover.get("EntityAddressStateOrProvince", "")
    state = state_from_text(region, stated or "US")
    foreign_code, foreign_state = edgar_place(region)
    place = stated or ("US" if state else foreign_code)
    found = address_fields(
        (cover.get(f"EntityAddressAddressLine{n}", "") for n in (1, 2, 3)),
        city=cover.get("EntityAddressCityOrTown", ""),
        state=state.label if state else foreign_state or title_words(region),
        postcode=cover.get("EntityAddressPostalZipCode", ""),
        country=place,
    )
    elements = _ADDRESS | ({"country_code": "EntityAddressCountry"} if nation else {})
    for field, value in found.items():
        yield seen(field, value, elements[field])
    if phone := _phone(cover, place or "US"):
        yield seen("phone", phone, "LocalPhoneNumber", 0.9)


def _phone(cover: dict[str, str], home: str) -> str | None:
    prefix = cover.get("CountryRegion", "")
    parts = (prefix, cover.get("CityAreaCode", ""), cover.get("LocalPhoneNumber", ""))
    number = " ".join(parts).strip()
    return valid_phone([(f"+{number.lstrip('+')}" if prefix else number, home), (number, home)])


def _listings(document: InlineDocument, end: date | None) -> Iterator[Observation]:
    """A listing per class of shares; the first with a ticker that is no bond is the main one."""
    main = False
    # A second listing of the same shares may stand first.
    by_rank = sorted(_classes(document), key=lambda s: _rank(s.get("SecurityExchangeName", "")))
    for shares in by_rank:
        ticker = shares.get("TradingSymbol", "").strip().upper()
        exchange = _exchange(shares.get("SecurityExchangeName", ""))
        if not re.fullmatch(r"[A-Z][A-Z0-9.\-/ ]{0,9}", ticker) or ticker in {"N/A", "NONE"}:
            continue
        title = shares.get("Security12bTitle", "")
        words = set(fold(title).split())
        if words & _DEBT:
            continue
        value = {
            "ticker": ticker,
            "exchange": exchange[0] if exchange else None,
            "title": title or None,
        }
        pointer = "dei:TradingSymbol"
        yield Observation("listing", value, "xbrl", 0.95, pointer=pointer, as_of=end)
        if main or words & _OTHER_SHARES:
            continue
        main = True
        yield Observation("stock_ticker", ticker, "xbrl", 0.95, pointer=pointer, as_of=end)
        if exchange:
            at = "dei:SecurityExchangeName"
            name, symbol = exchange
            said = ("stock_exchange_name", name), ("stock_exchange_symbol", symbol)
            for field, what in (*said, ("public_company", True)):
                yield Observation(field, what, "xbrl", 0.95, pointer=at, as_of=end)


def _classes(document: InlineDocument) -> Iterable[dict[str, str]]:
    """What the cover says of each class of shares, by element."""
    by_class: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
    for tagged in document.texts:
        local = tagged.name.removeprefix("dei:")
        if local in {"TradingSymbol", "SecurityExchangeName", "Security12bTitle"} and tagged.text:
            by_class.setdefault(tagged.dimensions, {}).setdefault(local, tagged.text)
    return by_class.values()


def _rank(exchange: str) -> int:
    known = _exchange(exchange)
    return 0 if known and known[1] in {"NYSE", "NASDAQ"} else 1


def _exchange(text: str) -> tuple[str, str] | None:
    clean = " ".join(text.split())
    spelled = (key for name, key in _SPELLED if name in clean.lower())
    key = clean if clean in _EXCHANGES else next(spelled, None)
    if key is not None:
        return _EXCHANGES[key]
    return (clean, clean) if clean and clean.upper() != "NONE" else None


def _shares(document: InlineDocument) -> Iterator[Observation]:
    """Shares of all classes together; float in dollars."""
    classes: dict[tuple[tuple[str, str], ...], InlineFact] = {}
    floats = []
    for fact in document.facts:
        if fact.name == "dei:EntityCommonStockSharesOutstanding":
            classes.setdefault(fact.context.dimensions, fact)
        elif fact.name == "dei:EntityPublicFloat" and fact.unit == "USD" and fact.value > 0:
            floats.append(fact)
    for fact in floats[:1]:
        yield _number("public_float", fact, fact.value)
    counted = [classes[()]] if () in classes else list(classes.values())
    if counted and (amount := sum(fact.value for fact in counted)) > 0:
        yield _number("shares_outstanding", counted[0], amount)


def _number(field: str, fact: InlineFact, amount: float) -> Observation:
    end = fact.context.end
    return Observation(
        field, int(amount), "xbrl", 0.95, pointer=f"{fact.name} {end.isoformat()}", as_of=end
    )


def _closing(cover: dict[str, str]) -> date | None:
    """The month and day that the fiscal year ends on ("--12-31", "December 31"), in a leap year."""
    text = cover.get("CurrentFiscalYearEndDate", "")
    numbers = [int(number) for number in re.findall(r"\d{1,2}", text)]
    if len(numbers) != 2:
        return first_day(f"{text}, {_LEAP_YEAR}")
    with suppress(ValueError):
        return date(_LEAP_YEAR, *numbers)
    return None
