"""What the words of a posting say: pay, places, workplace, kind of employment, times, plain text."""

import gzip
from datetime import UTC, datetime

import pytest

from sightline.domain.postings import Salary
from sightline.reading.times import parse_time
from sightline.sources.bodies import unpacked
from sightline.sources.plain_text import plain_text
from sightline.sources.posting_pay import salary_from_text
from sightline.sources.posting_places import location_from_parts, locations_from_text
from sightline.sources.posting_terms import (
    employment_from_title,
    employment_type,
    remote_from_text,
    remote_policy,
)
from tests.growth import grows_linearly

N = (None, None)


@pytest.mark.parametrize(
    ("text", "salary"),
    [
        (
            "The base salary range is $120,000 - $150,000 USD",
            Salary(120_000, 150_000, "USD", "year"),
        ),
        ("120k–150k EUR per year", Salary(120_000, 150_000, "EUR", "year")),
        ("£45 per hour", Salary(45, 45, "GBP", "hour")),
        ("Gehalt: 60.000 € bis 75.000 € brutto pro Jahr", Salary(60_000, 75_000, "EUR", "year")),
        ("Stundenlohn 15,50 € – 18,00 €", Salary(15.5, 18, "EUR", "hour")),
        ("Salaire : 45 000 € à 55 000 € brut annuel", Salary(45_000, 55_000, "EUR", "year")),
        ("Salario: R$ 10.000 a R$ 12.000 por mês", Salary(10_000, 12_000, "BRL", "month")),
        ("CHF 120'000 - 140'000 pro Jahr", Salary(120_000, 140_000, "CHF", "year")),
        ("₹20,00,000 - ₹30,00,000 per annum", Salary(2_000_000, 3_000_000, "INR", "year")),
        ("15 000 - 20 000 PLN brutto / month", Salary(15_000, 20_000, "PLN", "month")),
        ("Salary up to $90,000 per year", Salary(None, 90_000, "USD", "year")),
        ("Vergütung ab 48.000 € pro Jahr", Salary(48_000, None, "EUR", "year")),
        ("Annual Salary:\n$230,000—$300,000 USD", Salary(230_000, 300_000, "USD", "year")),
        ("Jahresgehalt zwischen 52.000 und 61.000 Euro", Salary(52_000, 61_000, "EUR", "year")),
        ("Bruttomonatsgehalt ab 3.100 EUR (14x)", Salary(3_100, None, "EUR", "month")),
        ("Gehalt: mindestens EUR 2.750,- brutto/Monat", Salary(2_750, None, "EUR", "month")),
        ("Lohn CHF 91'000.- bis 104'000.-", Salary(91_000, 104_000, "CHF", "year")),
        ("Taux horaire : 13,50 € brut", Salary(13.5, 13.5, "EUR", "hour")),
        ("Salary: AUD $105k - $125k + super", Salary(105_000, 125_000, "AUD", "year")),
        ("$19 - $21 an hour", Salary(19, 21, "USD", "hour")),
    ],
)
def test_pay_in_text(text: str, salary: Salary) -> None:
    assert salary_from_text(text) == salary


@pytest.mark.parametrize(
    "text",
    [
        "We raised $120 million - $150 million",
        "A sign-on bonus of $500-$1,000",
        "401(k) match up to $5,000 per year",
        "You close $50,000 - $100,000 deals per quarter",
        "from 2019 to 2024",
        "Our 10,000 - 20,000 customers pay $10 per month",
        "100,000 - 150,000 requests per hour",
        "salary is 450 000 - 550 000 kr per år",
        "",
    ],
)
def test_what_is_no_pay(text: str) -> None:
    assert salary_from_text(text) is None


def test_the_country_decides_which_dollar() -> None:
    text = "Pay range: $100,000 - $120,000 per year"
    assert salary_from_text(text, ["CA"]) == Salary(100_000, 120_000, "CAD", "year")
    assert salary_from_text(text, ["CA", "US"]) == Salary(100_000, 120_000, "USD", "year")


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Remote - US", [(None, None, "US")]),
        ("London, UK; Berlin", [("London", None, "GB"), ("Berlin", None, "DE")]),
        ("Boise, ID;Reno, NV", [("Boise", "ID", "US"), ("Reno", "NV", "US")]),
        ("Remote (New Jersey, US)", [(None, "NJ", "US")]),
        ("Remote (US & Canada)", [(None, None, "US"), (None, None, "CA")]),
        ("Remote (Spain, Italy or Portugal)", [(None, None, "ES"), (None, None, "IT"), (None, None, "PT")]),
        ("US-CA-Fresno", [("Fresno", "CA", "US")]),
        ("United States, California, Fresno", [("Fresno", "CA", "US")]),
        ("Illinois - Peoria", [("Peoria", "IL", "US")]),
        ("Augusta GA", [("Augusta", "GA", "US")]),
        ("Fresno, CA USA", [("Fresno", "CA", "US")]),
        ("Germany, Remote", [(None, None, "DE")]),
        ("Italy or France or Germany", [(None, None, "IT"), (None, None, "FR"), (None, None, "DE")]),
        ("Seattle, Cork, Remote in US", [("Seattle", "WA", "US"), ("Cork", None, "IE"), (None, None, "US")]),
        ("Nevada, United States, Utah, United States", [(None, "NV", "US"), (None, "UT", "US")]),
        ("Singapore, Sydney", [("Singapore", None, "SG"), ("Sydney", "NSW", "AU")]),
        ("Köln", [("Köln", None, "DE")]),
        ("London / Paris", [("London", None, "GB"), ("Paris", None, "FR")]),
        ("Lisbon, Milan", [("Lisbon", None, "PT"), ("Milan", None, "IT")]),
        ("Munich Office", [("Munich", None, "DE")]),
        ("Paris, TX", [("Paris", "TX", "US")]),
        ("London, Ontario", [("London", "ON", "CA")]),
        ("Sydney, Nova Scotia", [("Sydney", "NS", "CA")]),
        ("Seattle, USA", [("Seattle", "WA", "US")]),
        ("Rotterdam/The Hague", [("Rotterdam", None, "NL"), ("The Hague", None, "NL")]),
        ("Dublin 2", [("Dublin", None, "IE")]),
        ("1010 Wien", [("Wien", None, "AT")]),
        ("Chennai, TN", [("Chennai", "Tamil Nadu", "IN")]),
        ("Adelaide, SA", [("Adelaide", "SA", "AU")]),
        ("Manchester, NH", [("Manchester", "NH", "US")]),
        ("Remote-US-CA", [(None, "CA", "US")]),
        ("US-Georgia", [(None, "GA", "US")]),
        ("Hollow Island, VA", [("Hollow Island", "VA", "US")]),
        ("AT Graz", [("Graz", None, "AT")]),
        ("Orchard HQ - Porto", [("Porto", None, "PT")]),
        ("Cambridge", [("Cambridge", *N)]),
        ("Valencia", [("Valencia", *N)]),
        ("Springfield", [("Springfield", None, "US")]),
        ("Goiânia, Santa Catarina, Brazil", [("Goiânia", "Santa Catarina", "BR")]),
        ("Bosnia and Herzegovina", [(None, None, "BA")]),
        ("EMEA", [(None, None, None)]),
        ("Remote", [(None, None, None)]),
        ("3 Locations", []),
        ("N/A", []),
        ("", []),
    ],
)  # fmt: skip
def test_places_in_text(text: str, places: list[tuple[str | None, ...]]) -> None:
    found = locations_from_text(text)
    assert [(place.city, place.region, place.country_code) for place in found] == places


def test_places_in_parts() -> None:
    place = location_from_parts("Bengaluru", "KA", "in", raw="Bengaluru, KA, India")
    assert place is not None
    assert (place.raw, place.city, place.country_code) == (
        "Bengaluru, KA, India",
        "Bengaluru",
        "IN",
    )
    assert location_from_parts("", None, "") is None


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("FullTime", "full_time"),
        ("FULL_TIME", "full_time"),
        ("Vollzeit", "full_time"),
        ("fulltime_permanent", "full_time"),
        ("parttime_fixed_term", "temporary"),
        ("Teilzeit", "part_time"),
        ("CONTRACTOR", "contract"),
        ("Praktikum", "internship"),
        ("Full or part time", "full_time"),
        ("Volunteer", "other"),
        ("Permanent", None),
        ("Regular", None),
        (None, None),
    ],
)
def test_kinds_of_employment(words: str | None, kind: str | None) -> None:
    assert employment_type(words) == kind


def test_titles_name_the_kind_of_employment() -> None:
    assert employment_from_title("Marketing Intern, Summer") == "internship"
    assert employment_from_title("Engineer (Contract)") == "contract"
    assert employment_from_title("Internal Auditor") is None
    assert employment_from_title("Contract Manager") is None


@pytest.mark.parametrize(
    ("title", "text", "policy"),
    [
        ("Engineer (Remote)", "", "remote"),
        ("Engineer - Remote, US", "", "remote"),
        ("Analyst (Paris/Hybrid)", "", "hybrid"),
        ("Remote Sensing Scientist", "", None),
        ("Clerk", "This role is fully remote.", "remote"),
        ("Clerk", "This is a hybrid position.", "hybrid"),
        ("Clerk", "Great pay. #LI-Onsite", "on_site"),
        (
            "Clerk",
            "Enjoy our hybrid work model. If the position is fully remote, it says so.",
            "hybrid",
        ),
        ("Clerk", "We have a hybrid working policy. The role is remote.", "remote"),
        ("Clerk", "Based in Ghent with a fully remote work-from-home arrangement.", "remote"),
        ("Clerk", "You work in our Porto office at least 2 days per week.", "hybrid"),
        ("Sachbearbeiter", "Arbeitsort: vor Ort", "on_site"),
        ("Sachbearbeiter", "Wir bieten hybrides Arbeiten.", "hybrid"),
        ("Comptable", "Poste 100% télétravail", "remote"),
        ("Contable", "Modalidad: híbrida", "hybrid"),
        ("Clerk", "Our remote colleagues meet twice a year.", None),
        ("Clerk", "#LI-Remote #LI-Hybrid", None),
    ],
)
def test_where_one_works(title: str, text: str, policy: str | None) -> None:
    assert remote_from_text(title, text) == policy


def test_workplace_words() -> None:
    assert [remote_policy(word) for word in ("OnSite", "HYBRID", "Fully Remote", "unknown")] == [
        "on_site", "hybrid", "remote", None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Mon, 03 Feb 2025 10:00:00 EST", (2025, 2, 3, 15, 0)),
        ("Thu, 9 Jul 09 12:00 PDT", (2009, 7, 9, 19, 0)),
        ("Wed, 31 Dec 2009 24:00:00 GMT", (2010, 1, 1, 0, 0)),
        ("2025-01-02T03:04:05+0200", (2025, 1, 2, 1, 4)),
        ("2025-01-02 03:04", (2025, 1, 2, 3, 4)),
        ("20250102", (2025, 1, 2, 0, 0)),
        ("2025-01-02 03:04 PM", (2025, 1, 2, 15, 4)),
        ("2025-01-02 03:04:05 EST", (2025, 1, 2, 8, 4)),
        ("2025-01-02T030405+02:00", (2025, 1, 2, 1, 4)),
        ("2025.1.2 03:04-05", (2025, 1, 2, 8, 4)),
        ("3 février 2024 14h30", (2024, 2, 3, 14, 30)),
        ("Dienstag, 4. März 2025", (2025, 3, 4, 0, 0)),
        ("12 марта 2021 г., 10:15", (2021, 3, 12, 10, 15)),
        ("2024年3月5日", (2024, 3, 5, 0, 0)),
        ("Sunday, 10 May 2020 2:05 PM", (2020, 5, 10, 14, 5)),
        ("07/15/2026", (2026, 7, 15, 0, 0)),
        ("15.07.2026", (2026, 7, 15, 0, 0)),
        (1785801600, (2026, 8, 4, 0, 0)),
        ("1785801600000", (2026, 8, 4, 0, 0)),
    ],
)
def test_times(text: str | int, moment: tuple[int, ...]) -> None:
    found = parse_time(text)
    assert found is not None
    assert found.replace(second=0, microsecond=0) == datetime(*moment, tzinfo=UTC)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    "text", ["", "yesterday", "30 Feb 2024", "2024-13-01", "May", None, True, -1, 1e300]
)
def test_what_is_no_time(text: object) -> None:
    assert parse_time(text) is None


def test_plain_text_of_markup() -> None:
    assert plain_text("<p>A&nbsp;&amp; B</p><ul><li><p>one</p></li><li>two<br>lines</li></ul>") == (
        "A & B\n\n- one\n- two\nlines"
    )
    assert plain_text("a < b & c") == "a < b & c"
    assert plain_text("<script>x()</script><style>y</style>Text") == "Text"
    assert plain_text("<div>" * 20_000 + "deep") == "deep"


@pytest.mark.parametrize(
    "text",
    ["LOCATION", "Location", "[Location]", "{{ location }}", "%LOCATION%", "City, State", "Not specified",
     "N/A", "2 Locations", "Select location", "LOCATION; Location"],
)  # fmt: skip
def test_the_label_of_an_empty_field_is_no_place(text: str) -> None:
    assert locations_from_text(text) == ()
    assert location_from_parts(raw=text) is None or ";" in text


@pytest.mark.parametrize(
    "text", ["Location: Oslo", "Mexico City", "New York State", "EMEA", "Global"]
)
def test_words_that_tell_something_stay(text: str) -> None:
    [place] = locations_from_text(text)
    assert place.raw == text
    assert location_from_parts(raw=text) is not None


def test_gzip_of_several_parts_is_read_whole_and_of_endless_ones_in_part() -> None:
    parts = gzip.compress(b'{"jobs":') + gzip.compress(b" []}")
    assert unpacked(parts).value == b'{"jobs": []}'

    def endless(size: int) -> bytes:
        return gzip.compress(b"x") + gzip.compress(b"") * size

    read = unpacked(endless(200_000))
    assert (read.value, read.whole) == (b"x", False)
    assert grows_linearly(unpacked, endless, size=25_000), (
        "each part costs a copy of all that follow"
    )
