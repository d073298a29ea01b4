"""The SEC's lists of companies with a ticker, searched by name, ticker and number."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sightline.match.index import Index
from sightline.match.records import Candidate as MatchRecord
from sightline.sources.bodies import json_object
from sightline.sources.contract import Candidate, Query
from sightline.sources.sec_edgar.names import registrant_name

SOURCE = "sec_edgar"
_LIMIT = 8
# Registrants that are no companies: portfolios, and trusts that hold loans or metal.
_NO_COMPANY = re.compile(
    r"\b(?:ETFs?|ETNs?|funds?|SPDR|iShares)\b"
    r"|\b(?:auto|receivables|mortgage|lease|loan|card|bitcoin|ether|gold|silver)\b.*\btrust\b"
    r"|\btrust\s+(?:series\s+)?(?:\d{4}|\d+)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TickerRow:
    """One ticker. `cik` has 10 digits; `title` is the registrant's name as listed."""

    cik: str
    ticker: str
    title: str

    @property
    def name(self) -> str:
        """The title in ordinary case."""
        return registrant_name(self.title)


class NotATickerList(ValueError):
    """The body is not a list of tickers in either of the SEC's two shapes."""


class Register:
    """The rows of the list by number and ticker, and an index of their names."""

    def __init__(self, rows: tuple[TickerRow, ...]) -> None:
        self._by_cik: dict[str, list[TickerRow]] = {}
        for row in rows:
            self._by_cik.setdefault(row.cik, []).append(row)
        self._by_ticker = {row.ticker: row for row in reversed(rows)}
        self._index = Index(
            MatchRecord(
                id=cik, name=held[0].name, ticker=held[0].ticker, other_names=(held[0].title,)
            )
            for cik, held in self._by_cik.items()
            if not _NO_COMPANY.search(held[0].title)
        )

    def find(self, query: Query) -> list[Candidate]:
        """The companies that a query may mean, without those that only look a little alike."""
        found = dict.fromkeys(self._numbers(query))
        return [self._candidate(cik) for cik in found]

    def by_number(self, cik: str) -> Candidate | None:
        """The company of a CIK, with or without leading zeros."""
        number = cik.strip().zfill(10)
        return self._candidate(number) if number in self._by_cik else None

    def _numbers(self, query: Query) -> Iterator[str]:
        row = self._by_ticker.get((query.ticker or "").upper().replace(".", "-"))
        if row is not None:
            yield row.cik
        if query.name:
            asked = MatchRecord(id="query", name=query.name, ticker=query.ticker)
            for scored in self._index.query(asked, limit=_LIMIT):
                yield scored.id

    def _candidate(self, cik: str) -> Candidate:
        row = self._by_cik[cik][0]
        return Candidate(
            source=SOURCE,
            key=cik,
            name=row.name,
            names=(row.title,),  # as EDGAR writes it: "PLUM COM INC"
            ticker=row.ticker,
            identifiers={"cik": cik},
        )


def read_register(content: bytes) -> Register:
    """The register out of company_tickers.json or company_tickers_exchange.json.

    Raises NotATickerList.
    """
    return Register(read_tickers(content))


def read_tickers(content: bytes) -> tuple[TickerRow, ...]:
    """All rows, in the SEC's order (by market value). Rows without a CIK or ticker are left out.

    Raises NotATickerList.
    """
    data = json_object(content, NotATickerList)
    if isinstance(data.get("fields"), list) and isinstance(data.get("data"), list):
        names = [str(name) for name in data["fields"]]
        records = [
            dict(zip(names, row, strict=False)) for row in data["data"] if isinstance(row, list)
        ]
    else:
        records = [row for row in data.values() if isinstance(row, dict)]
    if data and not records and data.get("data") != []:
        raise NotATickerList("The JSON object holds no rows.")
    rows = (_row(record) for record in records)
    return tuple(row for row in rows if row is not None)


def _row(record: dict[str, object]) -> TickerRow | None:
    number = str(record.get("cik_str") or record.get("cik") or "")
    ticker = str(record.get("ticker") or "").strip().upper()
    if not number.isdigit() or not ticker:
        return None
    title = str(record.get("title") or record.get("name") or "").strip()
    return TickerRow(number.zfill(10), ticker, title)
