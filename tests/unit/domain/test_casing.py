"""Names and cities in capitals, put into ordinary case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.domain.casing import clean_text, is_acronym, is_all_caps, tidy_name, title_words


@pytest.mark.parametrize(
    ("shouted", "tidy"),
    [
        ("IBM CORPORATION", "IBM Corporation"),
        ("THE BOEING COMPANY", "The Boeing Company"),
        ("ACME L L C DBA FOO", "Acme LLC DBA Foo"),
        ("ACME INC D/B/A THE FOO", "Acme Inc DBA The Foo"),
        ("MCDONALD'S CORPORATION", "McDonald's Corporation"),
        ("O'REILLY MEDIA INC", "O'Reilly Media Inc"),
        ("L'OREAL USA INC", "L'Oreal USA Inc"),
        ("AT&T SERVICES INC", "AT&T Services Inc"),
        ("JOHNSON &amp; JOHNSON", "Johnson & Johnson"),
        ("H&R BLOCK", "H&R Block"),
        ("KPMG LLP", "KPMG LLP"),
        ("BASF CORPORATION", "BASF Corporation"),
        ("BOOKING.COM USA INC", "Booking.com USA Inc"),
        ("J.P. MORGAN CHASE & CO", "J.P. Morgan Chase & Co"),
        ("THE L A TRUST", "The L A Trust"),
        ("ONCE UPON A CHILD", "Once Upon a Child"),
        ("CAROLYN E WYLIE CTR", "Carolyn E Wylie Ctr"),
        ("7-ELEVEN INC", "7-Eleven Inc"),
        ("COCA-COLA CO", "Coca-Cola Co"),
        ("FLEX-N-GATE LLC", "Flex-N-Gate LLC"),
        ("1ST CHOICE II LP", "1st Choice II LP"),
        ("A10 NETWORKS", "A10 Networks"),
        ("3M COMPANY", "3M Company"),
        ("ERNST & YOUNG U S LLP", "Ernst & Young U S LLP"),
        ("UNIVERSITY OF CALIFORNIA", "University of California"),
        ("ÉCOLE NORMALE", "École Normale"),
        ("ЯНДЕКС ОБЛАКО", "Яндекс Облако"),
        ('"ACME HOLDINGS"', "Acme Holdings"),
    ],
)
def test_shouted_names(shouted: str, tidy: str) -> None:
    assert tidy_name(shouted) == tidy


@pytest.mark.parametrize(
    "name",
    ["eBay", "NVIDIA Corporation", "iRobot", "IBM", "NVIDIA", "3M", "トヨタ", "adidas AG", "42"],
)
def test_names_of_their_owners_spelling_stay(name: str) -> None:
    assert tidy_name(name) == name


def test_single_words_follow_the_column() -> None:
    assert tidy_name("GOOGLE") == "GOOGLE"
    assert tidy_name("GOOGLE", all_caps_column=True) == "Google"
    assert tidy_name("KPMG", all_caps_column=True) == "KPMG"
    assert tidy_name("MICROSOFT") == "Microsoft"


@pytest.mark.parametrize(
    ("city", "tidy"),
    [
        ("NEW YORK", "New York"),
        ("MCLEAN", "McLean"),
        ("ST. LOUIS", "St. Louis"),
        ("WINSTON-SALEM", "Winston-Salem"),
        ("TRUTH OR CONSEQUENCES", "Truth or Consequences"),
        ("Fort Wayne", "Fort Wayne"),
    ],
)
def test_title_words(city: str, tidy: str) -> None:
    assert title_words(city) == tidy


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("  a \u00a0 b\r\n", "a b"),
        ("A\u200bB", "AB"),
        ("A&amp;amp;B", "A&B"),
        ("tab\tbed", "tab bed"),
        ("nul\x00l", "null"),
        ("Cafe\u0301", "Café"),
        ("R&D; more", "R&D; more"),
    ],
)
def test_clean_text(text: str, clean: str) -> None:
    assert clean_text(text) == clean


@pytest.mark.parametrize("word", ["KPMG", "BASF", "ADP", "HP", "TCS", "CGI"])
def test_acronyms(word: str) -> None:
    assert is_acronym(word)


@pytest.mark.parametrize("word", ["GAP", "SUN", "FORD", "TARGET", "ERNST", "TROY", "ÉCO"])
def test_words_are_no_acronyms(word: str) -> None:
    assert not is_acronym(word)


@given(st.text(max_size=60), st.booleans())
def test_tidy_never_raises_and_settles(name: str, all_caps_column: bool) -> None:
    tidy = tidy_name(name, all_caps_column=all_caps_column)
    assert "  " not in tidy
    assert tidy == tidy.strip()
    if not is_all_caps(clean_text(name)) and '"' not in name:
        assert tidy == clean_text(name)


@given(st.text(alphabet="ABCEIMN &'.-/7", max_size=40))
def test_tidy_changes_only_case_and_spelled_forms(name: str) -> None:
    def letters(text: str) -> str:
        return "".join(text.split()).replace("/", "").casefold()

    assert letters(tidy_name(name)) == letters(name)


@given(st.text(alphabet="ab &;.\t\n\x00\u200b\xe9"))
def test_a_cleaned_text_is_clean(text: str) -> None:
    cleaned = clean_text(text)
    assert cleaned == " ".join(cleaned.split())
    assert cleaned.isprintable()
    assert clean_text(cleaned) == cleaned
