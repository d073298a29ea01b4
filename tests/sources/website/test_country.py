"""The country and city of a site out of weak clues. All companies are invented."""

import pytest

from sightline.sources.website.page import parse_page
from tests.sources.website.answers import FILLER, body, document, values


def country(
    main: str = FILLER, *, url: str = "https://millworks.example/", **parts: str
) -> list[str]:
    return values(parse_page(body(document(main, **parts), url)), "country_code")


@pytest.mark.parametrize(
    ("footer", "code"),
    [
        ("T: +44 (0)1632 960 123", "GB"),
        ("Millworks Srl", "IT"),
        ("© 2026 Millworks LLC", "US"),
        ("© 2026 Millworks ApS", "DK"),
        ("© 2026 Millworks", None),
        ("Oslo +47 21 00 00 00, København +45 32 00 00 00", None),
    ],
)
def test_one_line_of_the_frame_tells_the_country(footer: str, code: str | None) -> None:
    assert country(footer=footer) == ([code] if code else [])


def test_two_clues_of_one_country_outweigh_one_of_another() -> None:
    head = "<meta name='description' content='Mills from London for bakers of the UK and beyond.'>"
    assert country(head=head, footer="+44 1632 960123 · Millworks Inc.") == ["GB"]


def test_the_site_of_a_country_is_its_subsidiarys() -> None:
    assert country(url="https://millworks.in/", footer="© 2026 Millworks N.V.") == ["IN"]


def test_own_name_is_no_place() -> None:
    head = "<title>Hartford | Millworks Hartford</title><meta property='og:site_name' content='Hartford'>"
    assert country("<p>Hartford mills. " * 30, url="https://hartford.example/", head=head) == []


@pytest.mark.parametrize(
    ("lines", "city", "code"),
    [
        ("<p>One Mill Drive</p><p>Thousand Oaks, CA</p><p>91320-1799</p>", "Thousand Oaks", "US"),
        ("<p>〒113-0000</p><p>東京都文京区本郷1-2-3</p>", "Tokyo", "JP"),
        ("<p>〒430-0000 静岡県浜松市中央区1-2</p>", "浜松市", "JP"),
        (
            "<p>Loc. Molino Vecchio snc, 66010</p><p>Pretoro</p><p>Millworks Srl</p>",
            "Pretoro",
            "IT",
        ),
    ],
)
def test_an_address_may_stand_in_several_lines(lines: str, city: str, code: str) -> None:
    lang = "it" if code == "IT" else "en"
    filler = "<p>Costruiamo mulini per i fornai e per le fattorie di tutto il paese. </p>" * 12
    page = parse_page(
        body(
            document(filler if lang == "it" else FILLER, footer=lines, lang=lang),
            "https://millworks.example/contact",
        )
    )
    assert (values(page, "hq_city"), values(page, "country_code")) == ([city], [code])
