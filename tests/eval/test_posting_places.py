"""Places of postings as employers write them, labelled with their countries before any was read."""

from pathlib import Path

from sightline.sources.posting_places import locations_from_text

LABELLED = Path(__file__).parent / "data" / "posting_places.tsv"
# 101 of the first 110 at first sight, 62 of the 72 written when those were read.
COUNTRY_FLOOR = 0.96


def test_floor_of_countries() -> None:
    """Each line has a place and the codes of its places in order, "-" for what is not stated."""
    rows = [line.split("\t") for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 180
    read = [
        " ".join(place.country_code or "-" for place in locations_from_text(text))
        for text, _ in rows
    ]
    right = sum(found == codes for found, (_, codes) in zip(read, rows, strict=True))
    assert right / len(rows) >= COUNTRY_FLOOR
