"""E-mail addresses, phones, names, profile pages and titles of people."""

import pytest

from sightline.domain.contact_records import title_words_of
from sightline.domain.contacts import (
    is_role_name,
    mask,
    person_key,
    read_company_page,
    read_email,
    read_name,
    read_phone,
    read_profile_url,
)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Mira.Tanaka@Harbor.example", "mira.tanaka@harbor.example"),
        ("Mira Tanaka <mira@harbor.example>", "mira@harbor.example"),
        ("mailto:mira@harbor.example", "mira@harbor.example"),
        (" mira+crm@harbor.example; ", "mira+crm@harbor.example"),
        ("mira@bücher.example", "mira@xn--bcher-kva.example"),
        ("mira@harbor", None),
        ("mira@@harbor.example", None),
        ("mira tanaka@harbor.example", None),
        ("@harbor.example", None),
        ("", None),
        ("a" * 300 + "@x.example", None),
    ],
)
def test_email(text: str, address: str | None) -> None:
    read = read_email(text)
    assert (read.address if read else None) == address


@pytest.mark.parametrize(
    ("local", "is_role"),
    [
        ("info", True), ("sales", True), ("no-reply", True), ("noreply", True), ("hr", True),
        ("sales-us", True), ("support.emea", True), ("info2", True), ("contact+web", True),
        ("press.office", True), ("kontakt", True),
        ("mira", False), ("mira.tanaka", False), ("sales.mira", False), ("salesman", False),
        ("infosys", False), ("hrithik", False), ("us", False),
    ],
)  # fmt: skip
def test_role_addresses(local: str, is_role: bool) -> None:
    assert is_role_name(local) is is_role


@pytest.mark.parametrize(
    ("text", "country", "number"),
    [
        ("(415) 555-0134", "US", "+14155550134"),
        ("+49 30 901820", None, "+4930901820"),
        ("0049 30 901820", None, "+4930901820"),
        ("030 901820", "DE", "+4930901820"),
        ("'+49 30 901820", None, "+4930901820"),
        ("Tel.: +49 30 901820", None, "+4930901820"),
        ("+1 415 555 0134 x12", None, "+14155550134"),
        ("030 901820", None, None),
        ("12", "US", None),
        ("+999 1234567", None, None),
        ("call me", "US", None),
        ("", "US", None),
        ("1" * 100, "US", None),
    ],
)
def test_phone(text: str, country: str | None, number: str | None) -> None:
    assert read_phone(text, country) == number


@pytest.mark.parametrize(
    ("text", "full", "given", "family"),
    [
        ("Mira Tanaka", "Mira Tanaka", "Mira", "Tanaka"),
        ("TANAKA, MIRA", "Mira Tanaka", "Mira", "Tanaka"),
        ("mira tanaka", "Mira Tanaka", "Mira", "Tanaka"),
        ("Dr. Mira K. Tanaka, PhD", "Mira K. Tanaka", "Mira K.", "Tanaka"),
        ("Jan van der Berg", "Jan van der Berg", "Jan", "van der Berg"),
        ("García López, María", "María García López", "María", "García López"),
        ("John Smith Jr.", "John Smith Jr.", "John", "Smith"),
        ("John Smith III", "John Smith III", "John", "Smith"),
        ("Mira (Mimi) Tanaka", "Mira Tanaka", "Mira", "Tanaka"),
        ("Jun Ma", "Jun Ma", "Jun", "Ma"),
        ("Jun Ma, MA", "Jun Ma", "Jun", "Ma"),
        ("M. Night Rao", "M. Night Rao", "M. Night", "Rao"),
        ("Sade", "Sade", "", ""),
        ("王小明", "王小明", "", ""),
    ],
)
def test_names(text: str, full: str, given: str, family: str) -> None:
    read = read_name(text)
    assert (read.full, read.given, read.family) == (full, given, family)


def test_who_shares_a_key() -> None:
    key = person_key("Mira Tanaka", "Harbor Analytics Inc")
    same = (
        ("TANAKA, MIRA", "Harbor Analytics"),
        ("Dr. Mira K. Tanaka", "harbor analytics, LLC"),
        ("mira  tanaka", "The Harbor Analytics Company"),
    )
    assert {person_key(*each) for each in same} == {key}
    others = (
        ("Mara Tanaka", "Harbor Analytics"),
        ("Mira Tanaka Jr.", "Harbor Analytics"),
        ("Mira Tanaka", "Harbor Logistics"),
        ("Mira-Lou Tanaka", "Harbor Analytics"),
    )
    assert key not in {person_key(*each) for each in others}
    assert person_key("Sade", "Harbor") is person_key("Mira Tanaka", "") is None
    assert person_key("王小明", "Harbor") is not None


def test_profile_pages() -> None:
    page = "https://www.linkedin.com/in/mira-tanaka"
    for text in (
        page,
        page + "/",
        "uk.linkedin.com/in/Mira-Tanaka?x=1",
        "linkedin.com/pub/mira-tanaka/1/2",
    ):
        assert read_profile_url(text) == page
    for text in ("https://www.linkedin.com/company/harbor", "https://x.example/in/mira", ""):
        assert read_profile_url(text) is None
    assert read_company_page("https://www.linkedin.com/company/Harbor/about") == "harbor"


def test_short_titles_find_long_ones() -> None:
    assert {"vice", "president", "vp", "sales"} <= set(title_words_of("VP Sales"))
    assert {"vice", "president", "vp", "sales"} <= set(title_words_of("Vice President, Sales"))
    assert "cfo" in title_words_of("Chief Financial Officer")
    assert "cfo" not in title_words_of("Chief Executive Officer")


def test_masks_tell_nobody_else() -> None:
    for text in ("mira.tanaka@harbor.example", "+14155550134", "https://www.linkedin.com/in/mira-tanaka",
                 "mira tanaka harbor analytics"):  # fmt: skip
        shown = mask(text)
        assert shown
        assert not [w for w in ("mira", "tanaka", "harbor", "5550") if w in shown]
