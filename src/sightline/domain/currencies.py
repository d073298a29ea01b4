"""What money of other currencies is worth in US dollars, well enough to name a band.

Averages of 2024, rounded. An amount that is converted by them is never shown: only its band is.
"""

from typing import Final

from sightline.domain.bands import revenue_band

DOLLARS: Final[dict[str, float]] = {
    "EUR": 1.08, "GBP": 1.28, "CHF": 1.14, "JPY": 0.0066, "CNY": 0.139, "RMB": 0.139, "INR": 0.012,
    "CAD": 0.73, "AUD": 0.66, "NZD": 0.605, "HKD": 0.128, "SGD": 0.75, "SEK": 0.0947, "NOK": 0.093,
    "DKK": 0.145, "PLN": 0.251, "CZK": 0.0431, "HUF": 0.00274, "RON": 0.217, "BGN": 0.553,
    "ILS": 0.27, "ZAR": 0.0546, "BRL": 0.186, "MXN": 0.0547, "KRW": 0.000733, "TWD": 0.0311,
    "THB": 0.0284, "AED": 0.272, "SAR": 0.267, "QAR": 0.275, "KWD": 3.26,
}  # fmt: skip


def revenue_band_of(amount: float, currency: str) -> str | None:
    """The revenue band of a yearly amount; None in a currency that is not in the table."""
    rate = DOLLARS.get(currency)
    return None if rate is None else revenue_band(amount * rate)
