"""Ticker symbols, exchanges and currencies as lists write them."""

from dataclasses import dataclass

from sightline.domain.numbers import currency_of
from sightline.imports import shapes


def _squeezed(text: str) -> str:
    """The letters and full stops of a text, in capitals."""
    return "".join(c for c in text.upper() if "A" <= c <= "Z" or c == ".")


# Symbol -> name; the words lists use for it are folded to upper case without spaces and signs.
_EXCHANGES: dict[str, tuple[str, str]] = {
    "NYSE": ("New York Stock Exchange", "NEWYORKSTOCKEXCHANGE NYQ XNYS NYSEARCA NYS"),
    "NASDAQ": (
        "Nasdaq",
        "NASDAQGS NASDAQGM NASDAQCM NMS XNAS NASDAQSTOCKMARKET NASDAQGLOBALSELECT NASDAQNMS NAS NGS",
    ),
    "AMEX": ("NYSE American", "NYSEAMERICAN NYSEMKT AMERICANSTOCKEXCHANGE ASE XASE"),
    "LSE": ("London Stock Exchange", "LONDONSTOCKEXCHANGE LON XLON LONDON AIM"),
    "XETRA": ("Xetra", "XETR ETR GER"),
    "FRA": ("Frankfurt Stock Exchange", "FRANKFURT FRANKFURTSTOCKEXCHANGE XFRA FWB"),
    "EPA": ("Euronext Paris", "EURONEXTPARIS PARIS XPAR PAR"),
    "AMS": ("Euronext Amsterdam", "EURONEXTAMSTERDAM AMSTERDAM XAMS"),
    "SIX": ("SIX Swiss Exchange", "SIXSWISSEXCHANGE SWX XSWX VTX EBS"),
    "TSX": ("Toronto Stock Exchange", "TORONTOSTOCKEXCHANGE TORONTO XTSE TSE.TO"),
    "ASX": ("Australian Securities Exchange", "AUSTRALIANSECURITIESEXCHANGE XASX"),
    "TYO": ("Tokyo Stock Exchange", "TOKYOSTOCKEXCHANGE TOKYO XTKS JPX"),
    "HKEX": ("Hong Kong Stock Exchange", "HONGKONGSTOCKEXCHANGE HKG HKSE SEHK XHKG"),
    "BSE": ("BSE India", "BOMBAYSTOCKEXCHANGE BOM XBOM"),
    "NSE": ("National Stock Exchange of India", "NATIONALSTOCKEXCHANGEOFINDIA XNSE"),
    "OTC": ("OTC Markets", "OTCMARKETS OTCQB OTCQX OTCPK OTCBB PINK OOTC"),
}
_BY_WORD = {
    word: symbol
    for symbol, (name, words) in _EXCHANGES.items()
    for word in (symbol, _squeezed(name), *words.split())
}
_BETWEEN = str.maketrans(",;|", "   ")
_BEFORE_CLASS = str.maketrans("-/", "..")


@dataclass(frozen=True, slots=True)
class Listing:
    """A ticker in upper case with a full stop before the class of share ("BRK.B"), and its exchange."""

    ticker: str | None
    exchange_symbol: str | None
    exchange_name: str | None


def read_ticker(text: str) -> Listing:
    """Ticker cells such as "AAPL", "NASDAQ: AAPL", "BRK-B" or "GOOGL, GOOG" (the first counts)."""
    exchange, colon, rest = text.strip().partition(":")
    exchange = exchange.rstrip()
    if not (colon and rest.strip() and exchange.isalpha() and 2 <= len(exchange) <= 10):
        exchange, rest = "", text
    words = rest.translate(_BETWEEN).split()
    ticker = words[0].upper().translate(_BEFORE_CLASS) if words else ""
    if not shapes.is_ticker(ticker):
        return Listing(None, None, None)
    symbol, name = read_exchange(exchange) if exchange else (None, None)
    return Listing(ticker, symbol, name)


def read_exchange(text: str) -> tuple[str | None, str | None]:
    """Symbol and name of an exchange; one that we do not know keeps its words."""
    word = _squeezed(text)
    symbol = _BY_WORD.get(word)
    if symbol:
        return symbol, _EXCHANGES[symbol][0]
    clean = " ".join(text.split())[:80]
    if not word or clean.isdigit():
        return None, None
    return (clean, None) if clean.isupper() and len(clean) <= 8 else (None, clean)


def read_currency(text: str) -> str | None:
    """The ISO 4217 code of a currency cell."""
    code = text.strip().upper()
    return currency_of(text) or (code if len(code) == 3 and code.isalpha() else None)
