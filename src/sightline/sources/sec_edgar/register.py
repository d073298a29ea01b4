"""The SEC's list of companies with a ticker, searched by name, ticker and number."""

import re
from collections.abc import Iterator

from sightline.match.index import Index
from sightline.match.records import Candidate as MatchRecord
from sightline.sources.contract import Candidate, Query
from sightline.sources.sec_edgar.tickers import TickerRow, read_tickers

SOURCE = "sec_edgar"
_LIMIT = 8
# Registrants that are no companies: portfolios, and trusts that hold loans or metal.
_NO_COMPANY = re.compile(
    r"\b(?:ETFs?|ETNs?|funds?|SPDR|iShares)\b"
    r"|\b(?:auto|receivables|mortgage|lease|loan|card|bitcoin|ether|gold|silver)\b.*\btrust\b"
    r"|\btrust\s+(?:series\s+)?(?:\d{4}|\d+)\b",
    re.IGNORECASE,
)


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

    def __len__(self) -> int:
        return len(self._by_cik)

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
