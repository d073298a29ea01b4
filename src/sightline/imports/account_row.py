"""One company of a list, normalized: the matcher compares it and the store writes it."""

from collections.abc import Mapping
from typing import NamedTuple

Value = str | int | float | bool | list[str]
Reference = tuple[str, str]  # (source system, external id)

TICKER_SYSTEM = "stock_ticker"


class AccountRow(NamedTuple):
    """`values` are by the names of the company record, with `website` and `revenue_usd` beside them.

    `named` is False when the list gave a website only and the domain stands for the name; `shouted`
    when the name came in capitals, so that its spelling is worth less than another one's.
    """

    line: int
    name: str
    name_key: str
    named: bool
    shouted: bool
    domain: str | None
    ticker: str | None
    references: tuple[Reference, ...]
    values: Mapping[str, Value]

    @property
    def country_code(self) -> str | None:
        """ISO 3166-1 alpha-2 of the head office, None when the list does not say."""
        code = self.values.get("country_code")
        return code if isinstance(code, str) else None
