"""Words of several languages for countries, industries and money."""

import re

import pytest

from sightline.domain.countries import country_from_text
from sightline.domain.industries import industries, industry_from_text, sector_from_text, sectors
from sightline.domain.tables import read_table
from sightline.imports.currencies import rate_in_words, rates, revenue_band_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Deutschland", "DE"), ("Allemagne", "DE"), ("Alemania", "DE"), ("Germania", "DE"),
        ("Duitsland", "DE"), ("Alemanha", "DE"), ("Niemcy", "DE"), ("Tyskland", "DE"),
        ("Österreich", "AT"), ("Suisse", "CH"), ("Estados Unidos", "US"), ("Royaume-Uni", "GB"),
        ("Paesi Bassi", "NL"), ("Georgia", "GE"), ("Granada", None),
    ],
)  # fmt: skip
def test_countries(text: str, code: str | None) -> None:
    found = country_from_text(text)
    assert (found.alpha2 if found else None) == code


@pytest.mark.parametrize(
    ("text", "industry"),
    [
        ("Maschinen- und Anlagenbau", "Industrial Machinery"),
        ("Großhandel", "Wholesale"),
        ("Kunststoffindustrie", "Plastics & Rubber"),
        ("Assurances", "Insurance"),
        ("Commerce de détail", "General Merchandise Retail"),
        ("Construcción", "Construction & Engineering"),
        ("Energías renovables", "Renewable Energy"),
        ("Edilizia", "Construction & Engineering"),
        ("Verzekeringen", "Insurance"),
        ("Indústria automóvel", "Automobile Manufacturing"),
    ],
)
def test_industries(text: str, industry: str) -> None:
    found = industry_from_text(text)
    assert found is not None
    assert found.name == industry


@pytest.mark.parametrize("text", ["Gesundheitswesen", "Santé", "Salud", "Sanità", "Saúde"])
def test_sectors(text: str) -> None:
    assert (industry_from_text(text), sector_from_text(text)) == (None, "Healthcare")


def test_every_line_of_words_names_an_industry_or_sector() -> None:
    named = {industry.name for industry in industries()} | set(sectors())
    lines = read_table("industry_words.tsv").splitlines()[1:]
    assert {line.partition("\t")[0] for line in lines} <= named


def test_rates_have_a_date_and_a_source() -> None:
    assert len(rates()) >= 35
    for code, rate in rates().items():
        assert re.fullmatch("[A-Z]{3}", code)
        assert rate.dollars > 0
        assert rate.source
        assert re.fullmatch(r"peg|20\d\d", rate.period)
    assert revenue_band_of(40_000_000, "EUR") == "10M-50M"
    assert revenue_band_of(5, "XXX") is None
    assert re.fullmatch(
        r"1 EUR = [\d.]+ USD, the mean of 20\d\d \(European Central Bank\)", rate_in_words("EUR")
    )
