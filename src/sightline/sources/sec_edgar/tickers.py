"""The SEC's lists of companies with a ticker: company_tickers.json and company_tickers_exchange.json."""

import json
from dataclasses import dataclass

from sightline.sources.sec_edgar.names import registrant_name


@dataclass(frozen=True, slots=True)
class TickerRow:
    """One ticker. `cik` has 10 digits; `title` is the registrant's name as listed."""

    cik: str
    ticker: str
    title: str
    exchange: str | None = None

    @property
    def name(self) -> str:
        """The title in ordinary case."""
        return registrant_name(self.title)


class NotATickerList(ValueError):
    """The body is no list of tickers in either of the SEC's two shapes."""


def read_tickers(content: bytes) -> tuple[TickerRow, ...]:
    """All rows, in the SEC's order (by market value). Rows without a CIK or ticker are left out.

    Raises NotATickerList.
    """
    try:
        data = json.loads(content)
    except ValueError as error:
        raise NotATickerList("The body is not JSON.") from error
    if not isinstance(data, dict):
        raise NotATickerList("The body is not a JSON object.")
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
    exchange = record.get("exchange")
    return TickerRow(number.zfill(10), ticker, title, str(exchange) if exchange else None)
