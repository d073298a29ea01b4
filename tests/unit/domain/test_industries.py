"""The industry vocabulary and its mappings from other vocabularies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.domain.industries import (
    closest_industries,
    industries,
    industry_from_naics,
    industry_from_sic,
    industry_from_text,
    sector_from_naics,
    sector_from_sic,
    sector_from_text,
    sectors,
)
from sightline.domain.names import fold
from sightline.domain.tables import read_table


def rows(table: str) -> list[list[str]]:
    return [line.split("\t") for line in read_table(table).splitlines()[1:]]


def test_vocabulary_is_well_formed() -> None:
    assert 140 <= len(industries()) <= 190
    assert 18 <= len(sectors()) <= 24
    assert len({fold(i.name) for i in industries()}) == len(industries())
    assert {i.sector for i in industries()} == set(sectors())


def test_no_alias_has_two_meanings() -> None:
    seen: dict[str, str] = {}
    for row in rows("industries.tsv"):
        for alias in (row[1], *filter(None, row[5].split("|"))):
            assert seen.setdefault(fold(alias), row[1]) == row[1], alias
    for row in rows("sectors.tsv"):
        for alias in filter(None, row[3].split("|")):
            assert fold(alias) not in seen, alias


def test_no_naics_prefix_and_no_deciding_word_has_two_owners() -> None:
    for column in (3, 4):
        words = [word for row in rows("industries.tsv") for word in row[column].split()]
        assert len(words) == len(set(words))


def test_no_whole_sic_code_is_ambiguous() -> None:
    spans = [span.split("-") for row in rows("industries.tsv") for span in row[2].split()]
    held = {code for span in spans for code in range(int(span[0]), int(span[-1]) + 1)}
    assert len(held) > 4000
    for code in held:
        assert industry_from_sic(f"{code:04}") is not None, code


def test_every_name_and_alias_reads_back() -> None:
    for row in rows("industries.tsv"):
        for alias in (row[1], *filter(None, row[5].split("|"))):
            found = industry_from_text(alias.upper())
            assert found is not None, alias
            assert found.name == row[1], alias
    for name in sectors():
        assert sector_from_text(name) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Software", "Software"),
        ("application software", "Software"),
        ("B2B -> Infrastructure", "Cloud Infrastructure & Hosting"),
        ("Consumer -> Food and Beverage", "Food Production"),
        ("Fintech -> Payments", "Payments"),
        ("Something New -> Payments", "Payments"),
        ("Fintech", "Financial Technology"),
        ("Not For Profit", "Nonprofit Organizations"),
        ("Apparel", "Apparel & Fashion"),
        ("Hospital & Health Care", "Hospitals & Clinics"),
        ("Hospitals and Health Care", "Hospitals & Clinics"),
        ("Computer Hardware & Software", "Software"),
        ("Internet", "Internet Services"),
        ("IT Services", "IT Services"),
        ("Staffing and Recruiting", "Staffing & Recruiting"),
        ("Recruiting & Staffing", "Staffing & Recruiting"),
        ("Motor Vehicles & Parts", "Automobile Manufacturing"),
        ("7372 - Services-Prepackaged Software", "Software"),
        ("Enterprise Insurance Group", "Insurance"),
        ("Software; Hardware", "Software"),
        ("Industrial Conglomerates", "Industrial Conglomerates"),
    ],
)
def test_industry_from_text(text: str, name: str) -> None:
    found = industry_from_text(text)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    "text",
    [
        "", None, "Other", "Unspecified", "B2B", "N/A", "null", "xyzzy", "Information Technology",
        "Industrials", "Health Care", "Consumer Discretionary", "software for banks", "51", "!!!",
        "We build insurance that people all over the world actually love to use every day",
    ],
)  # fmt: skip
def test_unknown_and_broad_words_give_no_industry(text: str | None) -> None:
    assert industry_from_text(text) is None


@pytest.mark.parametrize(
    ("text", "sector"),
    [
        ("Information Technology", "Technology"),
        ("Industrials", "Manufacturing & Industrials"),
        ("Health Care", "Healthcare"),
        ("Financials", "Financial Services"),
        ("Communication Services", "Media & Telecommunications"),
        ("Semiconductors", "Technology"),
        ("Education", "Education"),
        ("Healthcare -> Something New", "Healthcare"),
        ("Other", None),
        ("Consumer Discretionary", None),
        (None, None),
    ],
)
def test_sector_from_text(text: str | None, sector: str | None) -> None:
    assert sector_from_text(text) == sector


@pytest.mark.parametrize(
    ("code", "name", "sector"),
    [
        ("51", None, "Technology"), (51.0, None, "Technology"), (51, None, "Technology"),
        ("5112", "Software", "Technology"), ("511210", "Software", "Technology"),
        ("NAICS 511210", "Software", "Technology"), ("513210", "Software", "Technology"),
        ("541511", "IT Services", "Technology"), ("541", None, "Professional Services"),
        ("44-45", None, "Retail"), ("522", None, "Financial Services"),
        ("522110", "Commercial Banking", "Financial Services"), ("31", None, "Manufacturing & Industrials"),
        ("722511", "Restaurants", "Travel, Hospitality & Leisure"),
        ("561320", "Staffing & Recruiting", "Professional Services"),
        ("611310", "Higher Education", "Education"), ("99", None, None), ("", None, None), (None, None, None),
        ("abc", None, None), (True, None, None), (51.5, None, None),
    ],
)  # fmt: skip
def test_naics(code: object, name: str | None, sector: str | None) -> None:
    found = industry_from_naics(code)
    assert (found.name if found else None) == name
    assert sector_from_naics(code) == sector


@pytest.mark.parametrize(
    ("code", "name", "sector"),
    [
        ("7372", "Software", "Technology"), (7370, "Internet Services", "Technology"),
        ("SIC 3674", "Semiconductors", "Technology"), (3674.0, "Semiconductors", "Technology"),
        ("6022", "Commercial Banking", "Financial Services"),
        ("602", "Commercial Banking", "Financial Services"),
        ("73", None, "Business Services"), ("2834", "Pharmaceuticals", "Life Sciences"),
        ("0111", "Agricultural Products", "Food, Beverage & Agriculture"),
        (100, "Agricultural Products", "Food, Beverage & Agriculture"),
        ("1040", "Mining", "Materials & Mining"), ("4911", "Electric Utilities", "Energy & Utilities"),
        ("511210", None, None), ("", None, None),
    ],
)  # fmt: skip
def test_sic(code: object, name: str | None, sector: str | None) -> None:
    found = industry_from_sic(code)
    assert (found.name if found else None) == name
    assert sector_from_sic(code) == sector


def test_closest_industries() -> None:
    assert closest_industries("Sofware")[0] == "Software"
    assert closest_industries("Banking")[0] == "Commercial Banking"
    assert all(name in {i.name for i in industries()} for name in closest_industries("Technology"))
    assert closest_industries("!!!") == []


@given(st.text(max_size=60))
def test_never_raises(text: str) -> None:
    industry_from_text(text)
    sector_from_text(text)
    for read in (industry_from_sic, industry_from_naics, sector_from_sic, sector_from_naics):
        read(text)
    assert len(closest_industries(text)) <= 3
