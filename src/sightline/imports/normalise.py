"""Normalizes a row of any list to one company, or gives the reason why it is not one. No I/O."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from sightline.domain.casing import clean_text, is_all_caps, tidy_name
from sightline.domain.names import distinct_names, name_key, split_dba
from sightline.imports import shapes, vocabulary
from sightline.imports.account_row import AccountRow, Reference, Value
from sightline.imports.cells import CellReader, RowCells, listed
from sightline.imports.fields import ColumnMapping
from sightline.imports.markets import read_currency, read_exchange, read_ticker
from sightline.imports.ownership import is_public
from sightline.imports.places import Address, place_values
from sightline.imports.rows import Row, RowProblem
from sightline.imports.sectors import industry_values
from sightline.imports.sizes import employee_values, market_values, revenue_values
from sightline.imports.units import column_units
from sightline.imports.values import is_nameless

_LONGEST_NAME = 200
_LONGEST_DESCRIPTION = 4000
_LONGEST_ID = 200
_MOST_LISTED = 50  # names, domains or tags of one company
_TAG = re.compile(r"<[^<>]{1,300}>")
_SHARE_CLASS = re.compile(r"\s*\((?:class|series|cl\.?)\s+[a-z]\)$", re.IGNORECASE)
_NETWORK_PATH = re.compile(
    r"(linkedin\.(?:com|example))/(company|showcase|school)/([^/?#\s]+)", re.IGNORECASE
)


class Normaliser(CellReader):
    """Normalises rows under one mapping; how a whole column is written is taken from a sample."""

    def __init__(self, mapping: ColumnMapping, sample: Sequence[Row]) -> None:
        super().__init__(mapping)
        self._reads = [read for names, read in _READS if not names.isdisjoint(self.columns)]
        self._source_system = mapping.source_system or "import"
        units = column_units(mapping, sample)
        self.units = units.by_column
        self.notes |= dict.fromkeys(units.notes)
        names = [text for row in sample for _, text in RowCells(self, row).texts("company_name")]
        self._all_caps_column = len(names) >= 3 and sum(map(is_all_caps, names)) >= 0.8 * len(names)
        self._codes = _repeated_codes(mapping, sample)
        tokens = sum(map(shapes.is_token, names))
        self._column_of_tokens = len(names) >= 3 and tokens >= 0.9 * len(names)

    def __call__(self, row: Row) -> tuple[AccountRow | None, list[RowProblem]]:
        """The company of a row, None when the row is bad, and everything that was wrong with it."""
        cells = RowCells(self, row)
        web = _web_values(cells)
        name, further = self._name(cells)
        domain = web.get("website_domain")
        raw = cells.text("company_name")
        if not name and not domain:
            reason = cells.problems[0].reason if cells.problems else "neither a name nor a website"
            field = "company_name" if "company_name" in self.columns else "website"
            return None, cells.refused(field, reason, raw or cells.text("website"))
        shown = name or str(domain)
        values = self._values(cells, shown, further)
        values |= web
        ticker = values.get("stock_ticker")
        account = AccountRow(
            line=row.line,
            name=shown,
            name_key=name_key(shown) if name else shown,
            named=bool(name),
            shouted=is_all_caps(raw) or self._column_of_tokens,
            domain=str(domain) if domain else None,
            ticker=str(ticker) if ticker else None,
            references=self._references(cells),
            values=values,
        )
        return account, cells.problems

    def _values(self, cells: RowCells, name: str, further: list[str]) -> dict[str, Value]:
        values: dict[str, Value] = {"company_name": name}
        for read in self._reads:
            values |= read(cells)
        names = _alternative_names(cells, name, further)
        if names:
            values["alternative_names"] = names
        return values

    def _name(self, cells: RowCells) -> tuple[str, list[str]]:
        """The name for display and further ones: the trade name of "X DBA Y"."""
        raw = clean_text(cells.text("company_name"))
        column = self.columns.get("company_name", ("",))[0]
        if not raw or shapes.is_no_name(raw):
            return "", []
        if raw in self._codes:
            cells.drop(column, "a value from another column: the cells of the row are shifted", raw)
            return "", []
        if shapes.is_email(raw):
            cells.drop(column, "an email address is not a company name", raw)
            return "", []
        if len(raw) > _LONGEST_NAME:
            cells.drop(column, f"a name of more than {_LONGEST_NAME} characters", raw)
            return "", []
        if shapes.is_url(raw):
            return shapes.website(raw).domain or "", []
        if "stock_ticker" in self.columns:
            raw = _SHARE_CLASS.sub("", raw)
        if self._column_of_tokens and shapes.is_token(raw):
            return self._tidy(re.sub(r"[-_.]+", " ", raw).upper()), []
        legal, trade = split_dba(raw)
        return self._tidy(legal), [self._tidy(trade)] if trade else []

    def _tidy(self, name: str) -> str:
        return tidy_name(name, all_caps_column=self._all_caps_column or self._column_of_tokens)

    def _references(self, cells: RowCells) -> tuple[Reference, ...]:
        found: list[Reference] = []
        own = cells.text("external_id")
        if own and len(own) <= _LONGEST_ID:
            found.append((self._source_system, own))
        cik = cells.text("cik")
        if cik.isdigit() and len(cik) <= 10 and int(cik):
            found.append(("sec_cik", cik.zfill(10)))
        lei = cells.text("lei").upper()
        if len(lei) == 20 and lei.isalnum():
            found.append(("lei", lei))
        duns = "".join(filter(str.isdecimal, cells.text("duns")))
        if len(duns) in {8, 9}:
            found.append(("duns", duns.zfill(9)))
        return tuple(found)


def _repeated_codes(mapping: ColumnMapping, sample: Sequence[Row]) -> frozenset[str]:
    """Values that other columns without a name of their own repeat over and over. Where cells may be
    shifted unnoticed, a name that is one of them is none."""
    names = {guess.column for guess in mapping.of("company_name")}
    if not names or not all(map(is_nameless, names)):
        return frozenset()
    others = [column for column, _ in mapping.ignored if is_nameless(column)]
    found: set[str] = set()
    for column in others:
        counts = Counter(cell for row in sample if isinstance(cell := row.cells.get(column), str))
        if counts and len(counts) < 0.1 * counts.total():
            found |= {value for value, count in counts.items() if count > 1}
    return frozenset(found)


def _place(cells: RowCells) -> dict[str, Value]:
    address = Address(
        country=_country(cells),
        state=cells.text("hq_state"),
        city=cells.text("hq_city"),
        street=cells.text("hq_address"),
        postcode=cells.text("hq_postcode"),
        whole=cells.text("place", "; "),
    )
    return {**place_values(address)}


def _country(cells: RowCells) -> str:
    """The first country cell that names one; words that do not are noted once they all failed."""
    tried = []
    for column, text in cells.texts("country"):
        if vocabulary.country(text) is not None:
            return text
        tried.append((column, text))
    for column, text in tried:
        cells.unknown(column, text)
    return ""


def _web_values(cells: RowCells) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for column, text in cells.texts("website"):
        reading = shapes.website(text)
        page = _network_page(text)
        if page:
            found.setdefault("profile_network_url", page)
        elif reading.domain:
            site = reading.website or f"https://{reading.domain}"
            found |= {"website_domain": reading.domain, "website": site}
            break
        elif reading.website:
            found.setdefault("website", reading.website)
        else:
            cells.drop(column, "not a web address", text)
    for _, text in cells.texts("profile_network_url"):
        page = _network_page(text)
        if page:
            found["profile_network_url"] = page
            break
    domains = [
        domain
        for _, cell in cells.texts("alternative_domains")
        for part in listed(cell, by_comma=True)
        if (domain := shapes.website(part.strip()).domain)
    ]
    others = [d for d in dict.fromkeys(domains) if d != found.get("website_domain")]
    if others:
        found["alternative_domains"] = others[:_MOST_LISTED]
    return found


def _network_page(text: str) -> str | None:
    page = _NETWORK_PATH.search(text)
    return f"https://www.{page[1].lower()}/{page[2].lower()}/{page[3]}" if page else None


def _listing_values(cells: RowCells) -> dict[str, Value]:
    """Ticker, exchange, currency, and whether the company is public: as stated, else by its ticker."""
    found: dict[str, Value] = {}
    for column, text in cells.texts("stock_ticker"):
        listing = read_ticker(text)
        if listing.ticker is None:
            cells.drop(column, "not a ticker symbol", text)
            continue
        found["stock_ticker"] = listing.ticker
        if listing.exchange_symbol:
            found["stock_exchange_symbol"] = listing.exchange_symbol
        if listing.exchange_name:
            found["stock_exchange_name"] = listing.exchange_name
        break
    symbol, name = read_exchange(cells.text("stock_exchange"))
    if symbol:
        found["stock_exchange_symbol"] = symbol
    if name:
        found["stock_exchange_name"] = name
    currency = read_currency(cells.text("stock_currency"))
    if currency:
        found["stock_currency"] = currency
    stated = [
        answer
        for _, text in cells.texts("public_company")
        if (answer := is_public(text)) is not None
    ]
    if stated or "stock_ticker" in found:
        found["public_company"] = stated[0] if stated else True
    return found


def _text_values(cells: RowCells) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for column, text in cells.texts("description"):
        description = clean_text(_TAG.sub(" ", text))[:_LONGEST_DESCRIPTION]
        if len(description) > 2:
            found["description"] = description
            break
        cells.unknown(column, text)
    ceo = clean_text(cells.text("ceo"))
    if (
        2 < len(ceo) <= 120
        and not any(map(str.isdigit, ceo))
        and ceo.lower() not in {"yes", "true", "false"}
    ):
        found["ceo"] = tidy_name(ceo, all_caps_column=True)
    tags = [
        clean_text(tag) for _, cell in cells.texts("tags") for tag in listed(cell, by_comma=True)
    ]
    kept = [tag for tag in dict.fromkeys(tags) if tag and len(tag) <= 80]
    if kept:
        found["tags"] = kept[:_MOST_LISTED]
    return found


def _alternative_names(cells: RowCells, name: str, further: list[str]) -> list[str]:
    """Trade, former and other names, without the name itself."""
    names = list(further)
    for cell in (
        *(cell for _, cell in cells.texts("alternative_names")),
        *(cell for _, cell in cells.texts("former_names")),
    ):
        names += [tidy_name(part) for part in listed(cell, by_comma=False)]
    fitting = [each for each in names if _is_name(each)]
    if not fitting:
        return []
    return distinct_names([name, *fitting])[1 : _MOST_LISTED + 1]


def _is_name(text: str) -> bool:
    """Whether a piece of a list of names is one: no address, no legal form that a comma cut off,
    no half of a remark in brackets."""
    if len(text) > _LONGEST_NAME or shapes.is_no_name(text) or shapes.is_url(text):
        return False
    if any(text.count(one) != text.count(other) for one, other in ("()", "[]")):
        return False
    return name_key(f"x {text}") != "x"


# What reads the values of a row, by the fields that it reads: where no column is one of them, it has no work.
_READS: tuple[tuple[frozenset[str], Callable[[RowCells], dict[str, Value]]], ...] = (
    (frozenset({"country", "hq_state", "hq_city", "hq_address", "hq_postcode", "place"}), _place),
    (frozenset({"industry", "sector", "sic", "naics"}), industry_values),
    (frozenset({"full_time_employees"}), employee_values),
    (frozenset({"revenue"}), revenue_values),
    (frozenset({"market_cap"}), market_values),
    (
        frozenset({"stock_ticker", "stock_exchange", "stock_currency", "public_company"}),
        _listing_values,
    ),
    (frozenset({"description", "ceo", "tags"}), _text_values),
)
