"""Industries out of a company's own sentences, in several languages. All companies are invented."""

import pytest

from sightline.domain.industries import definitions, industries
from sightline.reading.glossary import english_gist
from sightline.reading.industry import Said, read_industry
from sightline.reading.onnx_encoder import bundled_encoder


def test_every_industry_has_one_definition() -> None:
    assert list(definitions()) == [each.name for each in industries()]
    assert all(len(each.text.split()) >= 2 for each in definitions().values())


@pytest.mark.parametrize(
    ("text", "gist"),
    [
        ("Wir planen und bauen Wohnhäuser mit Dachdeckern.", "construction building roof"),
        ("Vi sender pakker til hele landet", "parcel shipping"),
        ("Valmistamme ilmanvaihtokoneita", "manufacturer heating ventilation air"),
        ("農業用ロボットの開発", "agriculture farming robot develop"),
        ("Nothing of it is known here", ""),
    ],
)
def test_business_words_of_other_languages_are_given_in_english(text: str, gist: str) -> None:
    found = english_gist(text).split()
    assert set(gist.split()) <= set(found)
    assert bool(found) == bool(gist)


@pytest.mark.parametrize(
    ("language", "sentences", "industry"),
    [
        ("en", ["We hire out chauffeured cars.", "Book a taxi now."], "Passenger Transportation"),
        ("de", ["Ihre Zahnarztpraxis in Musterstadt", "Zahnärzte mit Erfahrung"], "Medical Practices"),
        ("da", ["Send pakker billigt", "Fragt af pakker for din virksomhed"], "Freight & Logistics"),
        ("ja", ["医薬品を製造しています", "新薬の研究開発"], "Pharmaceuticals"),
    ],
)  # fmt: skip
async def test_sentences_lean_to_an_industry(
    language: str, sentences: list[str], industry: str
) -> None:
    reading = await read_industry(
        bundled_encoder(), [Said(each, 1.0, language) for each in sentences]
    )
    assert reading is not None
    assert reading.name == industry
    assert 0.5 <= reading.confidence <= 0.9
    assert set(reading.order) <= {0, 1}


async def test_nothing_is_said_without_words() -> None:
    assert await read_industry(bundled_encoder(), []) is None
    assert await read_industry(bundled_encoder(), [Said("Tervetuloa", 1.0, "fi")]) is None
