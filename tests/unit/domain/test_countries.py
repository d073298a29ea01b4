"""ISO 3166-1 and the names people write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.domain.countries import (
    REGIONS,
    closest_countries,
    countries,
    country,
    country_from_text,
    country_name,
    seat_in_words,
)


def test_all_countries_are_there_once() -> None:
    entries = countries()
    assert len(entries) == 249
    for codes in (
        {c.alpha2 for c in entries},
        {c.alpha3 for c in entries},
        {c.numeric for c in entries},
        {c.name for c in entries},
    ):
        assert len(codes) == 249
    assert [c.alpha2 for c in entries if c.region is None] == ["AQ"]
    assert {c.region for c in entries} == {*REGIONS, None}


def test_every_code_and_name_reads_back() -> None:
    for entry in countries():
        for text in (
            entry.alpha2,
            entry.alpha3.lower(),
            entry.numeric,
            entry.name,
            entry.name.upper(),
        ):
            assert country_from_text(text) == entry, text


@pytest.mark.parametrize(
    ("text", "alpha2"),
    [
        ("USA", "US"), ("U.S.", "US"), ("u.s.a.", "US"), ("United States of America", "US"),
        ("the United States", "US"), ("England", "GB"), ("UK", "GB"), ("Great Britain", "GB"),
        ("Deutschland", "DE"), ("Österreich", "AT"), ("Osterreich", "AT"), ("Holland", "NL"),
        ("The Netherlands", "NL"), ("Korea", "KR"), ("Republic of Korea", "KR"), ("Czech Republic", "CZ"),
        ("Viet Nam", "VN"), ("Côte d’Ivoire", "CI"), ("Ivory Coast", "CI"), ("Türkiye", "TR"),
        ("Russian Federation", "RU"), ("Россия", "RU"), ("日本", "JP"), ("中国", "CN"), ("840", "US"),
        ("36", "AU"), ("036", "AU"), ("Republic of Slovenia", "SI"), ("Kingdom of Denmark", "DK"),
        ("Democratic Republic of the Congo", "CD"), ("Democratic Republic of Congo", "CD"),
        ("Republic of the Congo", "CG"), ("Democratic People's Republic of Korea", "KP"),
        ("Republic of China", "TW"), ("People's Republic of China", "CN"), ("GA", "GA"), ("CA", "CA"),
        ("Georgia", "GE"), ("Kosovo", None), ("Atlantis", None), ("", None), (None, None), ("XX", None),
        ("California", None), ("N/A", None),
    ],
)  # fmt: skip
def test_country_from_text(text: str | None, alpha2: str | None) -> None:
    found = country_from_text(text)
    assert (found.alpha2 if found else None) == alpha2


def test_country_by_code() -> None:
    assert country_name("ie") == "Ireland"
    for wrong in ("XX", "IRL", "", "372"):
        assert country(wrong) is None
        assert country_name(wrong) is None


def test_closest_countries() -> None:
    assert closest_countries("Germny")[0] == "Germany"
    assert closest_countries("Untied States")[0] == "United States"
    assert closest_countries("!!!") == []


@given(st.text(max_size=40))
def test_never_raises(text: str) -> None:
    country_from_text(text)
    assert len(closest_countries(text)) <= 3


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (("Oslo", "Norway"), "Oslo, Norway"),
        (("Leeds", None, "GB"), "Leeds, United Kingdom"),
        ((None, "United States"), "the United States"),
        ((None, "nl"), "the Netherlands"),
        (("Nowhere", "Atlantis"), "Nowhere, Atlantis"),
        ((None, None), ""),
    ],
)
def test_a_seat_reads_as_in_a_sentence(parts: tuple[str | None, ...], shown: str) -> None:
    assert seat_in_words(*parts) == shown
